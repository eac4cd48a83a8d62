"""How mixed the classes of a node are."""

from __future__ import annotations

import numpy as np


def concentration(weights: np.ndarray, criterion: str) -> np.ndarray:
    """Purity of nodes times their weight.  (..., k) -> (...)

    Splitting a node in parts changes its weighted impurity by the concentration of the node less
    the sum of those of the parts, which is never positive.

    Parameters
    ----------
    weights : ndarray of float64
        Weight of each class; not negative.
    criterion : {"gini", "entropy"}
        Sum of squared weights over the weight, or sum of w log2(w) over classes less that of the
        node.

    Examples
    --------
    >>> concentration(np.array([[3.0, 1.0], [4.0, 0.0]]), "gini")
    array([2.5, 4. ])
    """
    if criterion == "gini":
        squares = np.einsum("...k,...k->...", weights, weights)
        total = weights.sum(axis=-1)
        return np.divide(squares, total, out=np.zeros_like(total), where=total > 0)
    return _xlog2x(weights).sum(axis=-1) - _xlog2x(weights.sum(axis=-1))


def impurity(weights: np.ndarray, criterion: str) -> np.ndarray:
    """Gini impurity, or entropy in bits, of nodes; 0 without weight.  (..., k) -> (...)

    Examples
    --------
    >>> impurity(np.array([[2.0, 2.0], [4.0, 0.0]]), "entropy")
    array([1., 0.])
    """
    total = weights.sum(axis=-1)
    pure = concentration(weights, criterion)
    mixed = (total if criterion == "gini" else 0.0) - pure
    return np.divide(mixed, total, out=np.zeros_like(total), where=total > 0)


def _xlog2x(x: np.ndarray) -> np.ndarray:
    logarithm = np.log2(x, out=np.zeros_like(x), where=x > 0)
    return x * logarithm
