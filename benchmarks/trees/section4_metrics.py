"""Measures of Section 4.1 of "Local Statistical Parity", on the rows of a test set."""

from __future__ import annotations

import numpy as np

PREDICTION = {"accuracy": "accuracy", "ba": "BA", "bpa": "BPA", "bnpa": "BNPA"}
FAIRNESS = {"sp": "SP", "p_rule": "p-rule", "n_rule": "n-rule"}


def measured(decided: np.ndarray, favorable: np.ndarray, other: np.ndarray) -> dict[str, float]:
    """Each measure by its name.

    Parameters
    ----------
    decided, favorable, other : ndarray of bool, shape (n,)
        Decision and label 1; A = 1, not of the protected group.

    Returns
    -------
    dict of float
        NaN of a balanced accuracy where the rows have one label only.
    """
    low, high = decided[~other].mean(), decided[other].mean()
    return {
        "accuracy": float((decided == favorable).mean()),
        "ba": balanced(decided, favorable),
        "bpa": balanced(decided[~other], favorable[~other]),
        "bnpa": balanced(decided[other], favorable[other]),
        "sp": float(high - low),
        "p_rule": rule(low, high),
        "n_rule": rule(1 - low, 1 - high),
    }


def balanced(decided: np.ndarray, favorable: np.ndarray) -> float:
    """Half of the true positive plus the true negative rate."""
    if favorable.all() or not favorable.any():
        return float("nan")
    return float(decided[favorable].mean() + (~decided[~favorable]).mean()) / 2


def rule(low: float, high: float) -> float:
    """The lower rate over the higher one; 1 if both are 0, which the paper calls constant.

    The paper's ratio is not defined where one rate alone is 0, which it takes to be impossible.
    It is 0 here.
    """
    if low == high:
        return 1.0
    return float(min(low, high) / max(low, high))
