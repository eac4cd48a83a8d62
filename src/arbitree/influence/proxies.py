"""How well each feature alone tells the two groups apart.

A feature that stands in for the group is constant, or nearly, within each group: it explains no
variance there and its influence is 0. So a 0 must not be read as innocence, and this table stands
beside the influences.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding

PRIOR = 1.0  # rows of the average kind added to each code


def proxies(
    features: Sequence[CodedColumn],
    high: np.ndarray,
    low: np.ndarray,
    shares: np.ndarray | None = None,
) -> pd.DataFrame:
    """Area under the curve of each feature's best score for the group.

    Parameters
    ----------
    features : sequence of CodedColumn
    high, low : (m,) int64
        Rows of the two groups.
    shares : (n,) float64, optional
        How much of each row is in its group, where that is not known for certain.

    Returns
    -------
    DataFrame
        feature, auc (0.5 to 1: the chance that a row of one group scores above a row of the
        other), constant (whether it has one value in each group, so that its
        influence is 0 whatever it does). Strongest first.
    """
    rows: list[tuple[Hashable, float, bool]] = []
    rng = np.random.default_rng(0)  # halves at random: every other row may be one kind of row
    mixed = [rng.permutation(at) for at in (high, low)]
    for column in features:
        halves = [np.stack([_by_code(column, at[k::2], shares) for at in mixed]) for k in (0, 1)]
        ordered = isinstance(column.coding, NumericCoding)
        one_value = bool(max(np.count_nonzero(of_group) for of_group in halves[0] + halves[1]) <= 1)
        rows.append((column.name, auc_of_codes(halves[0], halves[1], ordered), one_value))
    frame = pd.DataFrame(rows, columns=["feature", "auc", "constant"])
    return frame.sort_values("auc", ascending=False, kind="stable", ignore_index=True)


def _by_code(column: CodedColumn, rows: np.ndarray, shares: np.ndarray | None) -> np.ndarray:
    weights = None if shares is None else shares[rows]
    return np.bincount(column.codes[rows], weights, minlength=column.coding.n_codes)


def auc_of_codes(first: np.ndarray, second: np.ndarray, ordered: bool) -> float:
    """AUC of the better of two scores: the code itself, or the share of its rows in one group.

    The share is learnt on one half of the rows and tried on the other, both ways.

    Parameters
    ----------
    first, second : (2, n_codes) whole numbers
        Rows of either group by code, in either half.
    ordered : bool
        Codes have an order, but for the last, which is "missing".

    Examples
    --------
    >>> apart = np.array([[50, 0], [0, 50]])
    >>> auc_of_codes(apart, apart, False), auc_of_codes(apart + 50, apart + 50, False)
    (1.0, 0.6666666666666666)
    """
    shares = [
        (n[0] + PRIOR * n[0].sum() / max(n.sum(), 1)) / (n.sum(0) + PRIOR) for n in (first, second)
    ]
    learnt = (_auc(shares[0], second) + _auc(shares[1], first)) / 2
    if not ordered:
        return max(learnt, 0.5)
    by_code = _auc(np.arange(first.shape[1]), first + second)
    return max(learnt, by_code, 1 - by_code)


def _auc(score: np.ndarray, n: np.ndarray) -> float:
    """Chance that a row of the first group scores above one of the second, ties by half."""
    if not n.sum(axis=1).all():
        return 0.5
    levels, place = np.unique(score, return_inverse=True)
    a, b = (np.bincount(place, of_group, len(levels)) for of_group in n)
    return float(a @ (np.cumsum(b) - b / 2) / (a.sum() * b.sum()))
