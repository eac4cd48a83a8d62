"""Confidence intervals for a ratio of two rates: MOVER on their Wilson limits.

The lower limit r solves p1 - r p2 = hypot(p1 - low1, r (high2 - p2)): Newcombe's interval of a
difference, asked for p1 - r p2. So the ratio's interval excludes 1 exactly when Newcombe's
excludes 0, and no count is too small for it: the logarithm is never taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arbitree.groups.intervals import (
    Array,
    Estimates,
    Limits,
    counts,
    estimates,
    normal_quantile,
    rate,
)


def ratio(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike) -> Array:
    """p1 / p2: inf for a rate against 0, NaN for 0 against 0 and where an n is 0.

    Examples
    --------
    >>> ratio([3, 3, 0], 10, [6, 0, 0], 10).tolist()
    [0.5, inf, nan]
    """
    return _divide(rate(*counts(k1, n1)), rate(*counts(k2, n2)))


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
    z = normal_quantile(confidence)
    return ratio_limits(estimates(*counts(k1, n1), z), estimates(*counts(k2, n2), z))


def ratio_limits(first: Estimates, second: Estimates) -> Limits:
    """The same for rates whose limits are known already."""
    value = _divide(first.p, second.p)
    low = _lower(first, second)
    high = _divide(np.ones(low.shape), _lower(second, first))
    return np.fmin(low, value) + 0 * low, np.fmax(high, value) + 0 * low


def _lower(first: Estimates, second: Estimates) -> Array:
    """Lower limit of the ratio; the upper one is 1 / the lower one of the inverse ratio."""
    top, product = first.low * (2 * first.p - first.low), first.p * second.p
    root = np.sqrt(np.maximum(product**2 - top * second.high * (2 * second.p - second.high), 0.0))
    # Equation 9 divides a difference of nearly equal numbers; this is that, multiplied out.
    limit = _divide(top, product + root)
    return np.where((first.p == 0) & (second.p > 0), 0.0, limit)


def _divide(a: Array, b: Array) -> Array:
    """a / b with 1 / 0 = inf and 0 / 0 = NaN, in silence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(a / b)
