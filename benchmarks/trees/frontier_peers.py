"""Peers that run in environments of their own, made here: one process a split."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from frontier_data import Split, binary

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "frontier"
WORKER = Path(__file__).with_name("frontier_worker.py")
# fairgbm's C++ library is wrapped for the NumPy and scikit-learn of 2022.
PACKAGES = {
    "peers": ("fair-trees==3.1.9", "pystreed==1.4.0"),
    "fairgbm": ("fairgbm==0.9.14", "numpy<1.24", "scipy<1.11", "scikit-learn<1.2"),
}
ENVIRONMENTS = {"fair-trees": "peers", "streed": "peers", "fairgbm": "fairgbm"}
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MOST_OF_DEPTH_3 = {"rows": 5000, "features": 11}  # which pystreed solves in seconds


class PeerError(RuntimeError):
    """A peer that does not install or does not run; the text is its own."""


def python(environment: str) -> Path:
    """The environment's interpreter; the first call installs its packages."""
    folder = CACHE / f"{environment}-env"
    found, ready, failed = folder / "bin" / "python", folder / ".installed", folder / ".failed"
    if failed.exists():
        raise PeerError(failed.read_text())
    if not ready.exists():
        venv.create(folder, with_pip=True)
        install = [str(found), "-m", "pip", "install", "--quiet", *PACKAGES[environment]]
        done = subprocess.run(install, capture_output=True, text=True)
        if done.returncode:
            failed.write_text(last_line(done.stderr))
            raise PeerError(last_line(done.stderr))
        ready.touch()
    return found


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]


Features = tuple[np.ndarray, np.ndarray]  # of training and test rows


def points(
    method: str, split: Split, features: tuple[Features, int] | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Chances of a favourable decision on training and test rows, and CPU seconds."""
    groups, codes = np.unique(np.concatenate(split.a), return_inverse=True)
    a = np.split(codes, [len(split.a[0])])
    if len(groups) != 2:
        raise PeerError(f"{len(groups)} groups")
    Z, depth = split.Z, split.depth
    if method == "streed":
        Z, depth = features or solvable(split)
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "given.npz", Path(folder) / "found.npz"
        np.savez(
            given,
            Z0=Z[0],
            Z1=Z[1],
            y=split.y[0],
            a0=a[0],
            a1=a[1],
            depth=depth,
            leaves=split.leaves,
        )
        command = [str(python(ENVIRONMENTS[method])), str(WORKER), method, str(given), str(found)]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | ONE_THREAD
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode == -signal.SIGXCPU:
            raise PeerError("out of CPU seconds")
        if done.returncode:
            raise PeerError(last_line(done.stderr))
        results = np.load(found)
        yield from zip(results["train"], results["test"], results["seconds"].tolist())


def solvable(split: Split) -> tuple[Features, int]:
    """0/1 features and a depth that pystreed solves within seconds."""
    for n_cuts in (5, 3):
        features = binary(split, n_cuts)
        n_rows, n_features = features[0].shape
        if n_rows <= MOST_OF_DEPTH_3["rows"] and n_features <= MOST_OF_DEPTH_3["features"]:
            return features, 3
    return binary(split, 9), 2


def versions(environment: str) -> str:
    """Name and version of what was asked for in an environment."""
    names = [package.split("==")[0] for package in PACKAGES[environment] if "==" in package]
    code = f"import importlib.metadata as m; print([m.version(n) for n in {names!r}])"
    command = [str(python(environment)), "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return ", ".join(f"{n} {v}" for n, v in zip(names, eval(done.stdout)))


if __name__ == "__main__":
    for name in PACKAGES:
        print(versions(name), file=sys.stdout)
