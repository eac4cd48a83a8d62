"""Weights that make a label independent of a group (Kamiran and Calders, 2012, section 5.2)."""

from __future__ import annotations

import numpy as np


def reweighed(groups: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """P(group) P(label) / P(group, label) of each row.  (n,), (n,) -> (n,)

    >>> reweighed(np.array(["a", "a", "a", "b"]), np.array([1, 1, 0, 0])).tolist()
    [0.75, 0.75, 1.5, 0.5]
    """
    weights = np.empty(len(labels))
    for group in np.unique(groups):
        for label in np.unique(labels):
            rows = (groups == group) & (labels == label)
            if rows.any():
                expected = np.mean(groups == group) * np.mean(labels == label)
                weights[rows] = expected / rows.mean()
    return weights
