"""One timed run of arbitree or of SALib in a process of its own, started by speed.py.

speed_timed.py JOB      JOB is a JSON object; what was found is printed as one

A small call of the same kind goes first, so that compiled kernels are read from their cache and
modules are imported before the clock starts.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Job = dict[str, Any]
WARM_ROWS = 2_000
N_FEATURES = 11
SEED = 0


def read(job: Job) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Features without the sensitive column, decisions, groups."""
    with np.load(job["file"]) as stored:
        matrix = pd.DataFrame(stored["matrix"], columns=stored["columns"].tolist())
        decisions = stored["decisions"]
    return matrix.drop(columns=job["sensitive"]), decisions, matrix[job["sensitive"]].to_numpy()


def timed(call: Callable[[], Any], repeats: int) -> tuple[dict[str, Any], Any]:
    """Medians of CPU and wall seconds, and what the last call gave."""
    cpu, wall, found = [], [], None
    for _ in range(repeats):
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        found = call()
        cpu.append(time.process_time() - cpu_before)
        wall.append(time.perf_counter() - wall_before)
    times = {"cpu": statistics.median(cpu), "wall": statistics.median(wall), "repeats": repeats}
    return times, found


def arbitree(job: Job) -> dict[str, Any]:
    import arbitree as ar

    table, decisions, groups = read(job)
    options = {"n_threads": 1, "max_order": 2, **job["options"]}

    def explained(rows: slice) -> Any:
        return ar.explain_gap(
            table[rows], decisions[rows], sensitive_features=groups[rows], **options
        )

    explained(slice(WARM_ROWS))
    times, found = timed(lambda: explained(slice(None)), job["repeats"])
    shares = [float(found.table[name].sum()) for name in ("share_high", "share_low")]
    return {**times, "shares": shares, "features": table.shape[1], "rows": len(table)}


def salib(job: Job) -> dict[str, Any]:
    from SALib.analyze import hdmr

    groups = by_group(job)
    options = {"maxorder": 2, "K": 1, "m": job["n_intervals"]}

    def analysed() -> list[float]:
        found = [hdmr.analyze(problem_of(X), X, y, **options) for X, y in groups]
        return [float(np.nansum(one["S"])) for one in found]

    small = np.random.default_rng(SEED).random((WARM_ROWS, 3))
    hdmr.analyze(problem_of(small), small, small.sum(1), **options)
    start = time.process_time()
    try:
        times, shares = timed(analysed, job["repeats"])
    except np.linalg.LinAlgError as error:
        return {"error": str(error), "cpu": time.process_time() - start}
    return {**times, "shares": shares}


def salib_enhanced(job: Job) -> dict[str, Any]:
    """What SALib recommends in place of its HDMR, at its own defaults."""
    from SALib.analyze import enhanced_hdmr

    start = time.process_time()
    try:
        for X, y in by_group(job):
            enhanced_hdmr.analyze(problem_of(X), X, y, max_order=2, bootstrap=1)
    except np.linalg.LinAlgError as error:
        return {"error": str(error), "cpu": time.process_time() - start}
    return {"cpu": time.process_time() - start}


def by_group(job: Job) -> list[tuple[np.ndarray, np.ndarray]]:
    """Features and decisions of each group: an explanation of a gap fits both."""
    table, decisions, groups = read(job)
    found = []
    for group in np.unique(groups):
        rows = groups == group
        found.append((table[rows].to_numpy(np.float64), decisions[rows].astype(np.float64)))
    return found


def problem_of(X: np.ndarray) -> dict[str, Any]:
    bounds = np.stack([X.min(0), X.max(0)], axis=1).tolist()
    return {"num_vars": X.shape[1], "names": [str(j) for j in range(X.shape[1])], "bounds": bounds}


def rows(job: Job) -> dict[str, Any]:
    """Made-up rows, on two cores."""
    import arbitree as ar

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    table, decisions, groups = made_up(job["rows"])

    def explained(part: slice) -> Any:
        return ar.explain_gap(
            table[part],
            decisions[part],
            sensitive_features=groups[part],
            cross_fit=0,
            n_bootstrap=0,
            pairs="all",
            n_threads=2,
        )

    explained(slice(WARM_ROWS))
    before = memory("VmRSS")
    times, found = timed(lambda: explained(slice(None)), job["repeats"])
    return {**times, "before": before, "terms": len(found.table), "unexplained": found.unexplained}


def made_up(n: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Eleven normal features, some correlated; decisions by effects of one and of two of them."""
    rng = np.random.default_rng(SEED)
    groups = rng.integers(0, 2, n).astype(np.int8)
    columns = {"x0": rng.normal(size=n) + 0.3 * groups}
    for j in range(1, N_FEATURES):
        columns[f"x{j}"] = rng.normal(size=n) + 0.3 * groups
        if j <= 3:
            columns[f"x{j}"] += 0.5 * columns["x0"]
    x = columns
    score = x["x0"] + x["x1"] * x["x2"] + 0.5 * x["x3"] - 0.3 * x["x4"] + 0.4 * np.abs(x["x5"])
    return pd.DataFrame(columns), (score > 0.5).astype(np.int8), groups


def memory(field: str) -> int:
    """Bytes of this process: VmRSS now, VmHWM at most."""
    status = Path("/proc/self/status")
    if not status.exists():
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024


RUNS = {"arbitree": arbitree, "salib": salib, "salib_enhanced": salib_enhanced, "rows": rows}


def main(text: str) -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    job = json.loads(text)
    found = RUNS[job["run"]](job)
    print(json.dumps(found | {"peak": memory("VmHWM")}))


if __name__ == "__main__":
    main(sys.argv[1])
