"""fairxplainer 0.4.0 on one table: the influence of every set of features.

It runs in the environment that reference_runs.py makes; answers are kept in a folder that git
ignores, by the content of the table and the settings.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from reference_runs import ENVIRONMENT, ONE_THREAD, python

CACHE = ENVIRONMENT.parent / "influence-terms"
WORKER = Path(__file__).with_name("reference_terms_worker.py")
GROUP = "group"  # name of the column added


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Influences of sets of columns, and the part of each group's variance they carry together."""

    influences: dict[frozenset[str], float]
    share_high: float
    share_low: float


class Failed(Exception):
    """The package gave no result; says what it raised."""


def reference(
    X: pd.DataFrame,
    decided: np.ndarray,
    high: np.ndarray,
    *,
    order: int,
    intervals: int,
) -> Reference:
    """Explain the rate where `high` holds minus the rate elsewhere.

    Parameters
    ----------
    X : frame (n, d) of numbers
    decided : (n,) of 0 and 1
    high : (n,) bool
    order : int
    intervals : int
        Of the splines: 2 is the package's default, 6 the paper's setting of its tables.
    """
    matrix = np.column_stack([X.to_numpy(float), high.astype(float)])
    decided = np.asarray(decided).astype(np.int64)
    columns = [f"x{j}" for j in range(X.shape[1])] + [GROUP]  # it splits names at a slash
    content = hashlib.sha256(matrix.tobytes() + decided.tobytes()).hexdigest()[:20]
    kept = CACHE / f"{content}-{order}-{intervals}.json"
    if not kept.exists():
        _answer(kept, matrix, decided, columns, order, intervals)
    found = json.loads(kept.read_text())
    if "error" in found:
        raise Failed(found["error"])
    sign = 1 if found["high"] == f"{GROUP} = 1.0" else -1
    names = dict(zip(columns, [*map(str, X.columns), GROUP]))
    return Reference(
        influences={
            frozenset(names[part] for part in term.split("/")): sign * value
            for term, value in found["influences"].items()
        },
        share_high=found["shares"][f"{GROUP} = 1.0"],
        share_low=found["shares"][f"{GROUP} = 0.0"],
    )


def _answer(
    kept: Path,
    matrix: np.ndarray,
    decided: np.ndarray,
    columns: list[str],
    order: int,
    intervals: int,
) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    table = kept.with_suffix(f".{os.getpid()}.npz")
    np.savez(table, X=matrix, decided=decided)
    job = {"file": str(table), "columns": columns, "order": order, "intervals": intervals}
    try:
        done = subprocess.run(
            [str(python()), str(WORKER)],
            input=json.dumps(job) + "\n",
            capture_output=True,
            text=True,
            check=True,
            env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | ONE_THREAD,
        )
    finally:
        table.unlink()
    part = kept.with_suffix(f".{os.getpid()}.part")
    part.write_text(done.stdout.splitlines()[-1])
    part.replace(kept)
