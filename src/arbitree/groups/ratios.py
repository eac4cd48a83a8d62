"""Confidence intervals for a ratio of two rates: MOVER on their Wilson limits.

The lower limit r solves p1 - r p2 = hypot(p1 - low1, r (high2 - p2)): Newcombe's interval of a
difference, asked for p1 - r p2. So the ratio's interval excludes 1 exactly when Newcombe's
excludes 0, and no count is too small for it: the logarithm is never taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arbitree.groups.intervals import Array, Limits, counts, normal_quantile, rate, wilson_limits


def ratio(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike) -> Array:
    """p1 / p2: inf for a rate against 0, NaN for 0 against 0 and where an n is 0.

    Examples
    --------
    >>> ratio([3, 3, 0], 10, [6, 0, 0], 10).tolist()
    [0.5, inf, nan]
    """
    k1, n1, k2, n2 = np.broadcast_arrays(*counts(k1, n1), *counts(k2, n2))
    return _divide(rate(k1, n1), rate(k2, n2))


def ratio_interval(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, confidence: float = 0.95
) -> Limits:
    """MOVER-R interval for a ratio of two rates, p1 / p2.

    Parameters
    ----------
    k1, n1, k2, n2 : array_like of one broadcast shape
        Selected rows and all rows of two independent groups; fractions are allowed.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray of that shape
        Contain (k1 / n1) / (k2 / n2). `high` is inf where k2 is 0, `low` is 0 where k1 is 0;
        both are NaN where k1 and k2 are 0 and where n1 or n2 is 0: these ratios are not estimable.

    Raises
    ------
    InputError
        If some k is not between 0 and its n, or `confidence` not between 0 and 1.

    References
    ----------
    Donner and Zou (2012), Statistical Methods in Medical Research 21:347, equation 9; with Wilson
    limits recommended by Fagerland, Lydersen and Laake (2015), the same journal 24:224.

    Examples
    --------
    >>> low, high = ratio_interval([24, 0], [30, 30], [12, 0], [30, 30])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([1.286, nan], [3.297, nan])
    """
    k1, n1, k2, n2 = np.broadcast_arrays(*counts(k1, n1), *counts(k2, n2))
    return ratio_limits(k1, n1, k2, n2, normal_quantile(confidence))


def ratio_limits(k1: Array, n1: Array, k2: Array, n2: Array, z: float) -> Limits:
    """The same at a given z, for counts that are checked already."""
    low = _lower(k1, n1, k2, n2, z)
    high = _divide(np.ones(low.shape), _lower(k2, n2, k1, n1, z))
    value = _divide(rate(k1, n1), rate(k2, n2))
    return np.fmin(low, value) + 0 * low, np.fmax(high, value) + 0 * low


def _lower(k1: Array, n1: Array, k2: Array, n2: Array, z: float) -> Array:
    """Lower limit of p1 / p2; the upper one is 1 / the lower one of p2 / p1."""
    p1, p2 = rate(k1, n1), rate(k2, n2)
    low, high = wilson_limits(k1, n1, z)[0], wilson_limits(k2, n2, z)[1]
    top, product = low * (2 * p1 - low), p1 * p2
    root = np.sqrt(np.maximum(product**2 - top * high * (2 * p2 - high), 0.0))
    # Equation 9 divides a difference of nearly equal numbers; this is that, multiplied out.
    limit = _divide(top, product + root)
    return np.where((k1 == 0) & (k2 > 0), 0.0 * product, limit)


def _divide(a: Array, b: Array) -> Array:
    """a / b with 1 / 0 = inf and 0 / 0 = NaN, in silence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(a / b)
