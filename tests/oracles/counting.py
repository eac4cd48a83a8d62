"""Counts as loops over rows: slow, and easy to check by eye."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np


def cells_by_loops(group, n_groups, decisions, labels, segment, n_segments, weights):
    """n, w, w2 of shape (n_segments, n_groups, 3, 3)."""
    n = np.zeros((n_segments, n_groups, 3, 3), np.int64)
    w, w2 = np.zeros((2, *n.shape))
    for i in range(len(decisions)):
        at = segment[i], group[i], labels[i], decisions[i]
        n[at] += 1
        w[at] += weights[i]
        w2[at] += weights[i] ** 2
    return n, w, w2


def histogram_by_loops(codes: Sequence, y, group, weights, rows, node, sizes):
    """(d, n_nodes, n_bins, n_classes, n_groups), sizes being all but the first."""
    counts = np.zeros((len(codes), *sizes))
    for j, column in enumerate(codes):
        for i in rows:
            counts[j, node[i], column[i], y[i], group[i]] += weights[i]
    return counts


def pairs_by_loops(codes: Sequence, pairs, n_codes, values, rows):
    """For each pair a table (n_codes of a, n_codes of b)."""
    tables = []
    for a, b in pairs:
        table = np.zeros((n_codes[a], n_codes[b]))
        for i in rows:
            table[codes[a][i], codes[b][i]] += values[i]
        tables.append(table)
    return tables


def max_t_by_loops(rates, variances, center):
    """(R, M, G), (R, M, G), (M, G) -> (R,)"""
    found = []
    for r in range(len(rates)):
        statistics = [
            _studentised(
                (rates[r, m, a] - center[m, a]) - (rates[r, m, b] - center[m, b]),
                variances[r, m, a] + variances[r, m, b],
            )
            for m in range(rates.shape[1])
            for a, b in combinations(range(rates.shape[2]), 2)
        ]
        known = [t for t in statistics if not np.isnan(t)]
        found.append(max(known) if known else np.nan)
    return np.array(found)


def _studentised(deviation: float, variance: float) -> float:
    if variance == 0 and not np.isnan(deviation):
        return 0.0 if deviation == 0 else np.inf
    return abs(deviation) / np.sqrt(variance) if variance > 0 else np.nan
