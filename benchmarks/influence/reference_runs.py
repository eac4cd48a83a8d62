"""fairxplainer 0.4.0 in its own environment: made here, run in processes, results kept.

The package needs NumPy below 2, so it cannot live beside arbitree. Jobs and results are lines of
JSON; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import venv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import capped
import numpy as np
from instances import (
    CACHE,
    Instance,
    all_instances,
    decisions_file,
    explained_condition,
    explained_problem,
    problem,
)
from table_lines import append, file_of, results

ENVIRONMENT = CACHE.parent / "fairxplainer-env"
PACKAGES = ("fairxplainer==0.4.0", "numpy<2", "scipy", "pandas<3", "scikit-learn", "tqdm")
PACKAGES += ("matplotlib", "feature-engine")  # what it imports and does not ask for
WORKER = Path(__file__).with_name("reference_worker.py")
CAP = 160.0  # CPU seconds of an instance of order 2; wall time is the same on an idle machine
SAMPLE_SIZE = 40
QUICK_FIRST = ("COMPAS", "Titanic", "German", "Adult")
SAMPLE_SEED = 480
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Job = dict[str, Any]


def python() -> Path:
    """The environment's interpreter; the first call installs the package."""
    found = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / ".installed"
    if not ready.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        install = [found, "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run([str(part) for part in install], check=True)
        ready.touch()
    return found


def versions() -> dict[str, str]:
    code = (
        "import json, importlib.metadata as m; "
        "print(json.dumps({n: m.version(n) for n in ['fairxplainer', 'numpy', 'scipy']}))"
    )
    found = subprocess.run([str(python()), "-c", code], check=True, capture_output=True, text=True)
    return json.loads(found.stdout)


def job(instance: Instance, condition: str, order: int, *, held_out: bool = False) -> Job:
    found: Job = {
        "key": f"{instance.key}/{condition}",
        "file": str(decisions_file(instance)),
        "sensitive": list(instance.sensitive),
        "condition": condition,
        "order": order,
    }
    if held_out:
        which = problem(instance, condition)
        found["held_out"] = True
        found["rows"] = {
            name: np.flatnonzero(which.groups == group).tolist()
            for name, group in (("high", which.high), ("low", which.low))
        }
    return found


def run(name: str, jobs: Iterable[Job], *, cap: float | None, until: float) -> None:
    """Run those that are not done yet; with a cap, each in a process that is killed at it."""
    done = results(name)
    todo = [one for one in jobs if one["key"] not in done]
    batches = (
        [todo[k : k + 40] for k in range(0, len(todo), 40)]
        if cap is None
        else [[one] for one in todo]
    )
    for batch in batches:
        if time.monotonic() > until:
            return
        _run_batch(name, batch, cap)


def _run_batch(name: str, batch: Sequence[Job], cap: float | None) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    listed, out = CACHE / f"{name}.jobs", file_of(name)
    listed.write_text("".join(json.dumps(one) + "\n" for one in batch))
    command = [str(python()), str(WORKER), str(listed), str(out)]
    code, used = capped.finished(
        command, cap, env=os.environ | ONE_THREAD, stderr=subprocess.DEVNULL
    )
    if code is None:
        append(name, {"key": batch[0]["key"], "timeout": cap, "cpu": used})
        return
    if code != 0:
        print(f"the worker ended with {code}: {batch[0]['key']}", file=sys.stderr)


def sample() -> list[Instance]:
    """The instances on which order 2 is run, in the order of running."""
    everything = all_instances()
    drawn = np.random.default_rng(SAMPLE_SEED).choice(len(everything), SAMPLE_SIZE, replace=False)
    found = [everything[k] for k in sorted(drawn)]
    return sorted(found, key=lambda one: QUICK_FIRST.index(one.dataset))


def stages() -> Iterator[tuple[str, list[Job], float | None]]:
    """Name of the results, jobs, cap of one job; what is cheap or finishes comes first.

    Degenerate gaps are left out, but for statistical parity at order 1: there it is counted what
    the package gives.
    """
    everything = all_instances()
    yield "reference-1", [job(one, "sp", 1) for one in everything], None
    yield "reference-1", _jobs(everything, ("eo", "pp"), 1), None
    yield "held-out-1", _jobs(everything, ("sp",), 1, held_out=True), None
    by_dataset = [[one for one in sample() if one.dataset == name] for name in QUICK_FIRST]
    for drawn in (by_dataset[0] + by_dataset[1], *by_dataset[2:]):
        yield "reference-2", _jobs(drawn, ("sp",), 2), CAP
        yield "held-out-2", _jobs(drawn, ("sp",), 2, held_out=True), CAP
    yield "reference-2", _jobs(sample(), ("eo", "pp"), 2), CAP


def _jobs(
    instances: Sequence[Instance], metrics: Sequence[str], order: int, *, held_out: bool = False
) -> list[Job]:
    return [
        job(one, explained_condition(one, metric), order, held_out=held_out)
        for metric in metrics
        for one in instances
        if not explained_problem(one, metric).why_degenerate
    ]


def run_all(until: float, every: int = 1) -> None:
    """All stages until a time on the monotonic clock; of `every` nth instance, order 1 alone."""
    if every > 1:
        some = _jobs(all_instances()[::every], ("sp",), 1)
        run("reference-1", some, cap=None, until=until)
        return
    for name, jobs, cap in stages():
        run(name, jobs, cap=cap, until=until)
