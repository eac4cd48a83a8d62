"""Isotonic regression on any partial order."""

from __future__ import annotations

import numpy as np

_SMALL = 1e-12  # of what a cut gains, as a share of all weight


def isotonic(
    values: np.ndarray, weights: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Numbers nearest to `values`, by weighted squares, with ``x[low] <= x[high]`` for each pair.

    A set is split where the sum of weighted differences from its mean is largest over all sets
    that hold with each element all above it; a set without such a split gets its mean.

    Parameters
    ----------
    values, weights : (n,) float64
    low, high : (m,) int64

    Returns
    -------
    (n,) float64
        Of a set in which no pair is the wrong way round, the values themselves.

    References
    ----------
    Luss, Rosset and Shahar (2012), Annals of Applied Statistics 6:253: recursive partitioning.

    Examples
    --------
    >>> isotonic(np.array([3.0, 1.0, 4.0]), np.ones(3), np.array([0, 1]), np.array([1, 2]))
    array([2., 2., 4.])
    """
    found = np.array(values, dtype=np.float64)
    waiting = [np.arange(len(values))]
    while waiting:
        members = waiting.pop()
        place = np.full(len(values), -1)
        place[members] = np.arange(len(members))
        inside = (place[low] >= 0) & (place[high] >= 0)
        below, above = place[low[inside]], place[high[inside]]
        v, w = values[members], weights[members]
        if not (v[below] > v[above]).any():
            continue
        mean = float(np.average(v, weights=w))
        upper = _upper_set(w * (v - mean), below, above)
        gain = float((w * (v - mean))[upper].sum())
        if upper.all() or not upper.any() or gain <= _SMALL * w.sum():
            found[members] = mean
        else:
            waiting += [members[upper], members[~upper]]
    return found


def _upper_set(gain: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The set of largest gain that holds with each element all above it.  (n,) bool

    The linear program has whole solutions: its matrix is that of a network.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    pair = np.arange(len(low))
    order = csr_array(
        (np.repeat([1.0, -1.0], len(low)), (np.tile(pair, 2), np.concatenate([low, high]))),
        shape=(len(low), len(gain)),
    )
    scale = float(np.abs(gain).max()) or 1.0
    found = linprog(-gain / scale, A_ub=order, b_ub=np.zeros(len(low)), bounds=(0, 1))
    return np.asarray(found.x > 0.5)
