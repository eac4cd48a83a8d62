"""Time the counts against the plain alternatives.

    python benchmarks/histogram.py [--rows 1000000] [--repeats 7]

All ways of one job take turns, and the median of each is shown, so that a busy machine slows
all of them alike. Every way must give the same counts, or the benchmark fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from arbitree.counts.cells import count_cells
from arbitree.counts.histograms import histogram
from arbitree.counts.pairs import pair_cells
from arbitree.counts.resample import max_pair_t, resample_counts

N_GROUPS, N_COLUMNS, N_BINS = 112, 10, 256
Ways = dict[str, Callable[[], np.ndarray]]


def main() -> None:
    # numba looks for the package "coverage" and must not find coverage.py of this folder.
    sys.path = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).parent]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    n = asked.rows
    print(f"{n:,} rows, median of {asked.repeats}\n")
    for title, ways in (
        (f"audit: {N_GROUPS} groups x label x decision", audit(rng, n)),
        (f"audit: {N_GROUPS} groups, with weights", weighted_audit(rng, n)),
        (f"histogram: {N_COLUMNS} columns x {N_BINS} bins x 2 x 2", histograms(rng, n)),
        ("histogram: the same, with weights", weighted_histograms(rng, n)),
        ("histogram: the same, of 8 nodes at once", node_histograms(rng, n)),
        (f"pairs: 45 pairs of {N_COLUMNS} columns of 32 bins", pairs(rng, n)),
        ("2,000 resamplings of 8 groups, max-T", resamplings(rng)),
    ):
        print(title)
        for name, milliseconds in turns(ways, asked.repeats).items():
            print(f"  {name:34} {milliseconds:10.1f} ms")


def turns(ways: Ways, repeats: int) -> dict[str, float]:
    """Median time of each way in ms, after one call that is not timed."""
    first, *others = (way() for way in ways.values())
    for other, name in zip(others, list(ways)[1:]):
        np.testing.assert_allclose(other, first, err_msg=name)
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - start)
    return {name: 1e3 * float(np.median(each)) for name, each in times.items()}


def outcomes(rng: np.random.Generator, n: int, n_groups: int) -> tuple[np.ndarray, ...]:
    return tuple(rng.integers(0, k, n).astype(np.uint8) for k in (n_groups, 2, 2))


def audit(rng: np.random.Generator, n: int) -> Ways:
    group, label, decision = outcomes(rng, n, N_GROUPS)
    frame = pd.DataFrame({"group": group, "label": label, "decision": decision})

    def plain() -> np.ndarray:
        cell = (group.astype(np.intp) * 3 + label) * 3 + decision
        return np.bincount(cell, minlength=9 * N_GROUPS).reshape(N_GROUPS, 3, 3)[:, :2, :2]

    def grouped() -> np.ndarray:
        sizes = frame.groupby(["group", "label", "decision"]).size()
        return sizes.to_numpy().reshape(N_GROUPS, 2, 2)

    def ours() -> np.ndarray:
        return count_cells(group, N_GROUPS, labels=label, decisions=decision).n[0, :, :2, :2]

    return {"count_cells": ours, "np.bincount, whole columns": plain, "pandas groupby": grouped}


def weighted_audit(rng: np.random.Generator, n: int) -> Ways:
    group, label, decision = outcomes(rng, n, N_GROUPS)
    weight = rng.random(n)
    frame = pd.DataFrame({"group": group, "label": label, "decision": decision, "weight": weight})

    def grouped() -> np.ndarray:
        sums = frame.groupby(["group", "label", "decision"])["weight"].sum()
        return sums.to_numpy().reshape(N_GROUPS, 2, 2)

    def ours() -> np.ndarray:
        cells = count_cells(group, N_GROUPS, labels=label, decisions=decision, weights=weight)
        return cells.amounts[0, :, :2, :2]

    return {"count_cells (n, w and w2)": ours, "pandas groupby (w alone)": grouped}


def columns(rng: np.random.Generator, n: int, n_bins: int = N_BINS) -> list[np.ndarray]:
    return [rng.integers(0, n_bins, n).astype(np.uint8) for _ in range(N_COLUMNS)]


def histograms(rng: np.random.Generator, n: int) -> Ways:
    codes = columns(rng, n)
    group, y, _ = outcomes(rng, n, 2)
    sizes = {"n_bins": N_BINS, "n_classes": 2, "n_groups": 2}
    frame = pd.DataFrame({"y": y, "group": group} | dict(enumerate(codes)))

    def plain() -> np.ndarray:
        inner = (y * np.uint8(2) + group).astype(np.intp)
        tables = [np.bincount(c.astype(np.intp) * 4 + inner, minlength=4 * N_BINS) for c in codes]
        return np.stack(tables).reshape(N_COLUMNS, N_BINS, 2, 2)

    def grouped() -> np.ndarray:
        each = [frame.groupby([j, "y", "group"]).size().to_numpy() for j in range(N_COLUMNS)]
        return np.stack(each).reshape(N_COLUMNS, N_BINS, 2, 2)

    return {
        "histogram, 1 thread": lambda: histogram(codes, y, group, n_threads=1, **sizes),
        "histogram, all threads": lambda: histogram(codes, y, group, **sizes),
        "np.bincount, whole columns": plain,
        "pandas groupby": grouped,
    }


def weighted_histograms(rng: np.random.Generator, n: int) -> Ways:
    codes = columns(rng, n)
    group, y, _ = outcomes(rng, n, 2)
    weight = rng.random(n)
    sizes = {"n_bins": N_BINS, "n_classes": 2, "n_groups": 2, "weights": weight}

    def plain() -> np.ndarray:
        inner = (y * np.uint8(2) + group).astype(np.intp)
        cells = (c.astype(np.intp) * 4 + inner for c in codes)
        tables = [np.bincount(cell, weight, minlength=4 * N_BINS) for cell in cells]
        return np.stack(tables).reshape(N_COLUMNS, N_BINS, 2, 2)

    return {
        "histogram, 1 thread": lambda: histogram(codes, y, group, n_threads=1, **sizes),
        "histogram, all threads": lambda: histogram(codes, y, group, **sizes),
        "np.bincount, whole columns": plain,
    }


def node_histograms(rng: np.random.Generator, n: int) -> Ways:
    codes = columns(rng, n)
    group, y, _ = outcomes(rng, n, 2)
    node = rng.integers(0, 8, n).astype(np.uint8)
    sizes = {"n_bins": N_BINS, "n_classes": 2, "n_groups": 2}

    def at_once(n_threads: int | None = None) -> np.ndarray:
        return histogram(codes, y, group, node=node, n_nodes=8, n_threads=n_threads, **sizes)

    def by_rows() -> np.ndarray:
        each = [np.flatnonzero(node == k) for k in range(8)]
        return np.stack([histogram(codes, y, group, rows=rows, **sizes) for rows in each], axis=1)

    return {
        "histogram(node=), 1 thread": lambda: at_once(1),
        "histogram(node=), all threads": at_once,
        "histogram(rows=) of each node": by_rows,
    }


def pairs(rng: np.random.Generator, n: int) -> Ways:
    codes = columns(rng, n, 32)
    of = [(a, b) for a in range(N_COLUMNS) for b in range(a + 1, N_COLUMNS)]
    values = rng.integers(0, 2, n).astype(float)

    def ours(n_threads: int | None = None) -> np.ndarray:
        found = pair_cells(codes, of, n_codes=[32] * N_COLUMNS, values=values, n_threads=n_threads)
        return np.stack([np.stack(found.counts), np.stack(found.sums)])

    def plain() -> np.ndarray:
        wide = [column.astype(np.intp) for column in codes]
        cells = [wide[a] * 32 + wide[b] for a, b in of]
        tables = [[np.bincount(cell, w, minlength=1024) for cell in cells] for w in (None, values)]
        return np.array(tables).reshape(2, len(of), 32, 32)

    return {
        "pair_cells, 1 thread": lambda: ours(1),
        "pair_cells, all threads": ours,
        "np.bincount, whole columns": plain,
    }


def resamplings(rng: np.random.Generator) -> Ways:
    counts = rng.integers(20, 500, (8, 2))

    def ours() -> np.ndarray:
        draws = resample_counts(counts, 2_000, np.random.default_rng(0), fixed=1)
        n = draws.sum(axis=2)
        rates = draws[..., 1] / n
        return max_pair_t(rates, rates * (1 - rates) / n, counts[:, 1] / counts.sum(axis=1))

    return {"resample_counts and max_pair_t": ours}


if __name__ == "__main__":
    main()
