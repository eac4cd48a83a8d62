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

PRIOR = 1.0  # rows of the average kind added to each code


def proxies(features: Sequence[CodedColumn], high: np.ndarray, low: np.ndarray) -> pd.DataFrame:
    """Area under the curve of each feature's best score for the group.

    Parameters
    ----------
    features : sequence of CodedColumn
    high, low : (m,) int64
        Rows of the two groups.

    Returns
    -------
    DataFrame
        feature, auc (0.5 to 1: the chance that a row of one group scores above a row of the other,
        where a row's score is the share of the group among other rows with its value, so that
        rare values do not flatter), constant (whether it has one value in each group, so that its
        influence is 0 whatever it does). Strongest first.
    """
    rows: list[tuple[Hashable, float, bool]] = []
    for column in features:
        n = column.coding.n_codes
        a = np.bincount(column.codes[high], minlength=n).astype(float)
        b = np.bincount(column.codes[low], minlength=n).astype(float)
        rows.append((column.name, auc_of_codes(a, b), max(np.count_nonzero(a), np.count_nonzero(b)) <= 1))
    frame = pd.DataFrame(rows, columns=["feature", "auc", "constant"])
    return frame.sort_values("auc", ascending=False, kind="stable", ignore_index=True)


def auc_of_codes(a: np.ndarray, b: np.ndarray) -> float:
    """AUC of the leave-one-out share of the first group in each code.  (k,), (k,) -> float

    Examples
    --------
    >>> auc_of_codes(np.array([50.0, 0.0]), np.array([0.0, 50.0]))
    1.0
    >>> auc_of_codes(np.array([25.0, 25.0]), np.array([25.0, 25.0]))
    0.5
    """
    if not a.sum() or not b.sum():
        return 0.5
    mean = a.sum() / (a.sum() + b.sum())
    total = a + b - 1 + PRIOR
    score_a = np.where(a > 0, (a - 1 + PRIOR * mean) / np.maximum(total, 1e-9), 0.0)
    score_b = np.where(b > 0, (a + PRIOR * mean) / np.maximum(total, 1e-9), 0.0)
    scores = np.concatenate([score_a, score_b])
    levels, place = np.unique(scores.round(12), return_inverse=True)
    of_a = np.bincount(place[: len(a)], a, len(levels))
    of_b = np.bincount(place[len(a) :], b, len(levels))
    below = np.cumsum(of_b) - of_b
    found = float(of_a @ (below + of_b / 2) / (a.sum() * b.sum()))
    return max(found, 0.5)

