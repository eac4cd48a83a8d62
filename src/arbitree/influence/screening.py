"""The sets of features that get a component: those asked for, or the most promising."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from arbitree.influence.axes import Axis, functions_of
from arbitree.influence.compared import Compared
from arbitree.influence.group_axes import CODES, axes_of_order, codes_on
from arbitree.influence.inputs import Inputs
from arbitree.influence.options import Options
from arbitree.influence.subsets import Subset, asked_pairs, gains, strongest, triples

ROWS_FOR_GAINS = 100_000


def sets_of_features(
    inputs: Inputs, compared: Compared, rows: Sequence[np.ndarray], options: Options
) -> list[Subset]:
    """The sets that get a component, the same in both groups."""
    d = len(inputs.features)
    pairs: list[Subset] = []
    if options.max_order >= 2:
        wanted = asked_pairs(options.pairs, inputs.features)
        pairs = _screened(inputs, compared, rows, options, wanted)
    return [
        *((j,) for j in range(d)),
        *pairs,
        *(triples(d, pairs) if options.max_order >= 3 else []),
    ]


def _screened(
    inputs: Inputs,
    compared: Compared,
    rows: Sequence[np.ndarray],
    options: Options,
    wanted: list[Subset] | int,
) -> list[Subset]:
    """The pairs asked for, or as many of the strongest in either group."""
    if not isinstance(wanted, int):
        return wanted
    every: list[Subset] = list(combinations(range(len(inputs.features)), 2))
    if not wanted:
        return []
    total = np.zeros(len(every))
    for at in rows:
        at = at[:: -(-len(at) // ROWS_FOR_GAINS)] if len(at) else at
        y = compared.condition.outcome[at]
        if len(at) < 2 or np.ptp(y) == 0:
            continue
        axes = axes_of_order(inputs, at, 3, options, CODES[2])
        codes = codes_on(axes, inputs, at)
        total += gains(axes, codes, left_by_mains(axes, codes, y), every) / (y.var() * len(y))
    return strongest(every, total, wanted)


def left_by_mains(axes: Sequence[Axis], codes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What a ridge regression on all main effects leaves of the outcome.  -> (n,)"""
    columns = [
        functions_of(one, np.bincount(of_rows, minlength=one.n_codes).astype(float)).values[of_rows]
        for one, of_rows in zip(axes, codes)
    ]
    x = np.concatenate(columns, axis=1)
    centred = y - y.mean()
    gram = x.T @ x + np.eye(x.shape[1])
    return np.asarray(centred - x @ np.linalg.solve(gram, x.T @ centred))
