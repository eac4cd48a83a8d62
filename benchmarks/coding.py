"""How long it takes to code columns, and whether the table of high bits earns its place.

python benchmarks/coding.py [n_rows]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from arbitree.table.code import code_features
from arbitree.table.edges import bin_codes
from arbitree.table.frames import columns

N_REPEATS = 7


def medians(tasks: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median CPU seconds of each task, all of them run in turn."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(N_REPEATS):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def main(n_rows: int) -> None:
    rng = np.random.default_rng(0)
    numbers = pd.DataFrame(
        {f"x{i}": rng.lognormal(sigma=1 + i / 4, size=n_rows) for i in range(10)}
    )
    words = pd.DataFrame({"word": rng.choice(["a", "bb", "ccc"], n_rows)})
    ages = pd.DataFrame({"age": rng.integers(17, 90, n_rows)})
    values = rng.normal(size=n_rows).astype(np.float32)
    edges = np.unique(np.quantile(values, np.linspace(0.01, 0.99, 254)).astype(np.float32))
    tasks: dict[str, Callable[[], object]] = {}
    for name, frame in [("10 columns of numbers", numbers), ("words", words), ("ages", ages)]:
        tasks[name] = partial(code_features, columns(frame, what="X", default_name="x"))
    tasks["codes by the table of high bits"] = lambda: bin_codes(values, edges)
    tasks["codes by a search"] = lambda: np.searchsorted(edges, values).astype(np.uint8)
    for name, seconds in medians(tasks).items():
        print(f"{name:35} {seconds:7.3f} s of CPU for {n_rows:,} rows")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
