"""Measurements of speed.py: what is run, in processes of their own, kept until all are done."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import capped
import numpy as np
import reference_runs
from instances import Instance, decisions_file
from speed_timed import made_up

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".cache" / "influence-speed"
TIMED, REFERENCE = HERE / "speed_timed.py", HERE / "speed_reference.py"
OF_PAPER = {  # the training part of its first fold, logistic regression
    "COMPAS": Instance("COMPAS", ("race",), "LR", 0),
    "Adult": Instance("Adult", ("sex",), "LR", 0),
}
SENSITIVE = {name: one.sensitive[0] for name, one in OF_PAPER.items()} | {"normal": "group"}
NORMAL_ROWS = 26_048  # as many as Adult's
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
PLAIN = {"cross_fit": 0, "n_bootstrap": 0}
ADDED = {
    "on all rows (cross_fit=0, n_bootstrap=0)": PLAIN,
    "out of fold (cross_fit=5, n_bootstrap=0)": {"cross_fit": 5, "n_bootstrap": 0},
    "the default (cross_fit=5, n_bootstrap=200)": {"cross_fit": 5, "n_bootstrap": 200},
}
INTERVALS, DEFAULT_INTERVALS = (2, 6, 10), 20  # SALib takes at most 10
OF_REFERENCE = 6
CALLS_OF_REFERENCE = {"COMPAS": ("same columns", "own"), "Adult": ("same columns",)}
ROWS = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
CAP = 900.0  # CPU seconds of the reference on one dataset

Found = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One process: what it runs, on how many threads."""

    key: str
    job: Found
    threads: int = 1
    reference: bool = False
    cap: float | None = None  # CPU seconds


def all_measurements(*, quick: bool) -> list[Measurement]:
    """In the order in which they are run: tools that are compared run one after the other."""
    names = ["COMPAS"] if quick else list(SENSITIVE)
    found = [one for name in names for one in _of_dataset(name, quick)]
    for n in ROWS[: 3 if quick else len(ROWS)]:
        repeats = 1 if n > 1_000_000 else 3
        job = {"run": "rows", "rows": n, "repeats": repeats}
        found.append(Measurement(key=f"rows/{n}", job=job, threads=2))
    return found


def _of_dataset(name: str, quick: bool) -> Iterator[Measurement]:
    of_data = {"file": str(file_of(name)), "sensitive": SENSITIVE[name]}
    for n_intervals in INTERVALS[: 1 if quick else None]:
        options = PLAIN | {"n_intervals": n_intervals}
        ours = of_data | {"run": "arbitree", "options": options, "repeats": 5}
        theirs = of_data | {"run": "salib", "n_intervals": n_intervals, "repeats": 3}
        yield Measurement(key=f"{name}/arbitree/{n_intervals}", job=ours)
        yield Measurement(key=f"{name}/salib/{n_intervals}", job=theirs)
    yield Measurement(key=f"{name}/salib_enhanced", job=of_data | {"run": "salib_enhanced"})
    for what, options in ADDED.items():
        repeats = 5 if options == PLAIN else 1
        job = of_data | {"run": "arbitree", "options": options, "repeats": repeats}
        yield Measurement(key=f"{name}/added/{what}", job=job)
    for call in CALLS_OF_REFERENCE.get(name, ()):
        job = of_data | {"call": call, "n_intervals": OF_REFERENCE}
        cap = 2.0 if quick else CAP
        yield Measurement(key=f"{name}/reference/{call}", job=job, reference=True, cap=cap)


def file_of(name: str) -> Path:
    """Matrix, columns and decisions; made up where the data are not the paper's."""
    if name in OF_PAPER:
        return decisions_file(OF_PAPER[name])
    table, decisions, groups = made_up(NORMAL_ROWS)
    path = KEPT / f"{name}.npz"
    KEPT.mkdir(parents=True, exist_ok=True)
    columns = np.array([*table.columns, SENSITIVE[name]])
    np.savez(path, matrix=np.column_stack([table, groups]), columns=columns, decisions=decisions)
    return path


def measured(one: Measurement) -> Found:
    """Run it; what the process printed, or at which CPU seconds it was stopped."""
    script, python = (TIMED, sys.executable)
    if one.reference:
        script, python = (REFERENCE, str(reference_runs.python()))
    command = [python, str(script), json.dumps(one.job)]
    pinned = os.environ | dict.fromkeys(THREADS, str(one.threads))
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as complaint:
        started = time.perf_counter()
        code, _ = capped.finished(command, one.cap, env=pinned, stdout=printed, stderr=complaint)
        if code is None:
            return {"more_than": one.cap, "wall": time.perf_counter() - started}
        printed.seek(0)
        complaint.seek(0)
        if code:
            raise RuntimeError(f"{one.key}: {complaint.read().strip()[-600:]}")
        return dict(json.loads(printed.read()))


def kept(name: str) -> dict[str, Found]:
    """What an unfinished run has measured."""
    path = KEPT / f"{name}.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def keep(name: str, found: dict[str, Found]) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    beside = KEPT / f"{name}.part"
    beside.write_text(json.dumps(found, indent=1))
    beside.replace(KEPT / f"{name}.json")
