"""Codes, edges and groups as one would do them by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np


def codes_by_loops(values: Sequence[float], edges: Sequence[float]) -> list[int]:
    """Number of edges below float32(x); one more than all of them for NaN."""
    with np.errstate(over="ignore"):
        narrow = [float(np.float32(value)) for value in values]
    return [
        len(edges) + 1 if math.isnan(x) else sum(float(edge) < x for edge in edges) for x in narrow
    ]


def edges_by_loops(values: Sequence[float], max_bins: int) -> list[float]:
    """Middles of neighbouring float32 values: all, or those nearest to equal shares of rows."""
    with np.errstate(over="ignore"):
        narrow = [float(np.float32(value)) for value in values if not math.isnan(value)]
    lowest = float(np.finfo(np.float32).min)
    counts = sorted(Counter(max(x, lowest) for x in narrow).items())
    if len(counts) <= max_bins:
        chosen = set(range(len(counts) - 1))
    else:
        chosen = {_nearest(counts, k, max_bins) for k in range(1, max_bins)}
    return [_middle(counts[i][0], counts[i + 1][0]) for i in sorted(chosen)]


def _nearest(counts: list[tuple[float, int]], k: int, max_bins: int) -> int:
    """The cut with the number of rows below nearest to k/max_bins of all, the lower of two."""
    n = sum(count for _, count in counts)
    best, below, distance = 0, 0, math.inf
    for i, (_, count) in enumerate(counts[:-1]):
        below += count
        if abs(below * max_bins - k * n) < distance:
            best, distance = i, abs(below * max_bins - k * n)
    return best


def _middle(low: float, high: float) -> float:
    """A float32 number in [low, high)."""
    high = min(high, float(np.finfo(np.float32).max))
    middle = float(np.float32((low + high) / 2))
    return middle if low <= middle < high else low


def group_counts(rows: Sequence[Hashable]) -> dict[Hashable, int]:
    """Rows of each group."""
    counts: dict[Hashable, int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    return counts
