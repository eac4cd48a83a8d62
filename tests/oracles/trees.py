"""Splits by trying all of them, and a constrained regression by a general solver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import log2

import numpy as np
from scipy.optimize import minimize


def impurity_by_loops(y, weights, criterion, n_classes):
    """Impurity times weight."""
    total = [sum(w for label, w in zip(y, weights) if label == k) for k in range(n_classes)]
    whole = sum(total)
    shares = [w / whole for w in total if w > 0]
    if criterion == "gini":
        return whole * (1 - sum(share**2 for share in shares))
    return -whole * sum(share * log2(share) for share in shares)


def number_splits(values) -> Iterator[list[bool]]:
    """Who goes left, for every threshold between values and every side of the missing ones."""
    known = sorted({value for value in values if value is not None})
    for cut in known[:-1]:
        for missing in (False, True):
            yield [missing if value is None else value <= cut for value in values]
    yield [value is not None for value in values]


def level_splits(values) -> Iterator[list[bool]]:
    """Who goes left, for every subset of the levels, missing being one."""
    levels = list(dict.fromkeys(values))
    for size in range(1, len(levels)):
        for subset in combinations(levels, size):
            yield [value in subset for value in values]


def gap_by_loops(left, group, counted, weights):
    """Largest difference between groups in the share of counted rows that go left."""
    shares = []
    for g in set(group):
        of_group = [
            (w, side) for w, side, a, c in zip(weights, left, group, counted) if a == g and c
        ]
        if of_group:
            whole = sum(w for w, _ in of_group)
            shares.append(sum(w for w, side in of_group if side) / whole)
    return max(shares) - min(shares) if len(shares) > 1 else 0.0


def best_gain_by_loops(columns, y, weights, *, criterion, n_classes, allowed=None):
    """Largest decrease of impurity times weight over all splits in two; None without any.

    columns are pairs of values and whether they are numbers.
    """
    before = impurity_by_loops(y, weights, criterion, n_classes)
    best = None
    for values, number in columns:
        for left in number_splits(values) if number else level_splits(values):
            if all(left) or not any(left) or (allowed is not None and not allowed(left)):
                continue
            after = 0.0
            for side in (True, False):
                inside = [i for i in range(len(y)) if left[i] == side]
                after += impurity_by_loops(
                    [y[i] for i in inside], [weights[i] for i in inside], criterion, n_classes
                )
            best = before - after if best is None else max(best, before - after)
    return best


def logistic_loss(theta, x, y, weights):
    """Logistic loss of theta[0] + theta[1] x for labels 0 and 1."""
    score = theta[0] + theta[1] * x
    return float(np.sum(weights * (np.logaddexp(0, score) - y * score)))


def c_lr_by_slsqp(x, y, group, weights, c):
    """Least loss subject to |Cov(theta0 + theta1 x, A)| <= c, on rows, as in the paper."""
    share = weights / weights.sum()
    covariance = np.sum(share * x * group) - np.sum(share * x) * np.sum(share * group)
    scale = weights.sum()
    found = minimize(
        lambda theta: logistic_loss(theta, x, y, weights) / scale,
        np.zeros(2),
        method="SLSQP",
        constraints=[
            {"type": "ineq", "fun": lambda theta: c - theta[1] * covariance},
            {"type": "ineq", "fun": lambda theta: c + theta[1] * covariance},
        ],
        options={"maxiter": 500, "ftol": 1e-15},
    )
    return found.x, covariance
