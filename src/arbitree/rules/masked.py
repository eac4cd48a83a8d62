"""Probabilities without the classes that rules forbid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arbitree.rules.bound import BoundRules
from arbitree.rules.on_codes import Membership


def without_classes(bound: BoundRules, n_classes: int) -> BoundRules:
    """Rules over the first classes only, where a model knows no others."""
    return replace(bound, classes=bound.classes[:n_classes])


def forbidden_classes(bound: BoundRules, codes: Sequence[np.ndarray]) -> np.ndarray:
    """Classes that rules forbid of each row.

    Parameters
    ----------
    bound : BoundRules
    codes : sequence of ndarray of int, shape (n_rows,)
        Cells on each axis, as `Space.encode` gives them.

    Returns
    -------
    ndarray of bool, shape (n_rows, n_classes)

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> bound = Rules.parse("age < 18 => deny").bind({"age": [17, 40]}, classes=["ok", "deny"])
    >>> forbidden_classes(bound, [np.array([0, 1])])
    array([[ True, False],
           [False, False]])
    """
    rows, n_classes = Membership(bound.space, codes), len(bound.classes)
    found = np.zeros((rows.n_rows, n_classes), bool)
    for rule in bound.rules:
        forbids = np.array([rule.forbids >> place & 1 for place in range(n_classes)], bool)
        found[rows.in_one_of(rule.boxes)] |= forbids
    return found


def masked(shares: np.ndarray, forbidden: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Shares of the allowed classes, divided by their sum; by `prior` where they have none.

    Parameters
    ----------
    shares : ndarray of float64, shape (n_rows, n_classes)
    forbidden : ndarray of bool, shape (n_rows, n_classes)
        Not of all classes of a row.
    prior : ndarray of float64, shape (n_classes,)

    Examples
    --------
    >>> shares, forbidden = np.array([[0.5, 0.3, 0.2]]), np.array([[True, False, False]])
    >>> masked(shares, forbidden, np.ones(3)).round(2)
    array([[0. , 0.6, 0.4]])
    """
    touched = forbidden.any(axis=1)
    found = shares.copy()
    left = np.where(forbidden[touched], 0.0, shares[touched])
    for otherwise in (prior, np.ones_like(prior)):
        empty = left.sum(axis=1) == 0
        left[empty] = np.where(forbidden[touched][empty], 0.0, otherwise)
    found[touched] = left / left.sum(axis=1, keepdims=True)
    return found
