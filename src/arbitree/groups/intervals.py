"""Confidence intervals for rates and for differences of rates.

Two ideas carry the whole room. Wilson's interval holds the rates p that a score test would not
reject: it never leaves [0, 1] and never has zero width. MOVER ("method of variance estimates
recovery") joins the Wilson limits of two rates into limits for their difference, their ratio or
their mean, since p - low and high - p are what Wilson takes for z standard errors.

Counts may be fractions: with weighted rows, `effective_counts` gives the counts of a plain
sample that would be as informative.

Glossary: k rows of n are selected, rate p = k / n; z is the normal quantile of the confidence.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtri

from arbitree._errors import InputError

Array: TypeAlias = NDArray[np.float64]
Limits: TypeAlias = tuple[Array, Array]


class Estimates(NamedTuple):
    """Rates with their Wilson limits, all of one shape: what MOVER joins."""

    p: Array
    low: Array
    high: Array

    def at(self, index: Any) -> Estimates:
        """Those at an index of NumPy's."""
        return Estimates(self.p[index], self.low[index], self.high[index])


def normal_quantile(confidence: float) -> float:
    """The z of a two-sided interval.

    Raises
    ------
    InputError
        If `confidence` is not strictly between 0 and 1.

    Examples
    --------
    >>> round(normal_quantile(0.95), 3)
    1.96
    """
    if not 0 < confidence < 1:
        raise InputError(
            f"confidence is {confidence!r}, but must lie between 0 and 1, both excluded. "
            "Pass 0.95 for 95 % intervals."
        )
    return float(ndtri((1 + confidence) / 2))


def counts(k: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """Counts as float arrays of one shape, checked.

    Raises
    ------
    InputError
        If some k is negative or above its n.
    """
    k, n = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    wrong = (k < 0) | (k > n * (1 + 1e-9))
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise InputError(
            f"The count at index {at} is k = {k[at]:g} of n = {n[at]:g}, which is not possible. "
            "Pass k between 0 and n."
        )
    return np.minimum(k, n), n


def rate(k: Array, n: Array) -> Array:
    """k / n, NaN where n is 0."""
    return np.divide(k, n, out=np.full(n.shape, np.nan), where=n > 0)


def wilson(k: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Limits:
    """Wilson's score interval for a rate.

    Parameters
    ----------
    k, n : array_like of one broadcast shape
        Selected rows and all rows; fractions are allowed.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray of that shape
        Contain k / n and lie in [0, 1]; NaN where n is 0.

    Raises
    ------
    InputError
        If some k is not between 0 and n, or `confidence` not between 0 and 1.

    References
    ----------
    Wilson (1927), JASA 22:209. Method 3 of Newcombe (1998), Statistics in Medicine 17:857.

    Examples
    --------
    >>> low, high = wilson([81, 0], [263, 20])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.2553, 0.0], [0.3662, 0.1611])
    """
    _, low, high = estimates(*counts(k, n), normal_quantile(confidence))
    return low, high


def estimates(k: Array, n: Array, z: float) -> Estimates:
    """Rates p = k / n and the roots r of |p - r| = z sqrt(r (1 - r) / n).  (...), (...) -> (...)"""
    p = rate(k, n)
    total = np.where(n > 0, n, np.nan) + z * z
    half = z * np.sqrt(k * (1 - p) + z * z / 4)
    low = np.where(k == 0, p, (k + z * z / 2 - half) / total)
    high = np.where(k == n, p, (k + z * z / 2 + half) / total)
    return Estimates(p, np.minimum(low, p), np.maximum(high, p))


def clopper_pearson(k: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Limits:
    """The exact interval for a rate: never too narrow, often too wide.

    Parameters, returned values and errors are those of `wilson`.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26:404, as quantiles of the beta distribution.

    Examples
    --------
    >>> low, high = clopper_pearson(0, 20)
    >>> float(low), float(high.round(4))
    (0.0, 0.1684)
    """
    normal_quantile(confidence)
    k, n = counts(k, n)
    tail = (1 - confidence) / 2
    missing = np.where(n > 0, 0.0, np.nan)
    low = np.where(k > 0, betaincinv(np.where(k > 0, k, 1.0), n - k + 1, tail), 0.0)
    high = np.where(k < n, betaincinv(k + 1, np.where(k < n, n - k, 1.0), 1 - tail), 1.0)
    return low + missing, high + missing


def newcombe(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, confidence: float = 0.95
) -> Limits:
    """Newcombe's hybrid score interval for a difference of two rates, p1 - p2.

    Parameters
    ----------
    k1, n1, k2, n2 : array_like of one broadcast shape
        Selected rows and all rows of two independent groups; fractions are allowed.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray of that shape
        Contain k1 / n1 - k2 / n2 and lie in [-1, 1]; NaN where n1 or n2 is 0.

    Raises
    ------
    InputError
        If some k is not between 0 and its n, or `confidence` not between 0 and 1.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17:873, method 10.

    Examples
    --------
    >>> low, high = newcombe(56, 70, 48, 80)
    >>> float(low.round(4)), float(high.round(4))
    (0.0524, 0.3339)
    """
    z = normal_quantile(confidence)
    first, second = estimates(*counts(k1, n1), z), estimates(*counts(k2, n2), z)
    return difference_limits(first, second)


def difference_limits(first: Estimates, second: Estimates) -> Limits:
    """The same for rates whose limits are known already."""
    value = first.p - second.p
    low = value - np.hypot(first.p - first.low, second.high - second.p)
    high = value + np.hypot(first.high - first.p, second.p - second.low)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def effective_size(w: ArrayLike, w2: ArrayLike) -> Array:
    """Kish's effective sample size: the plain sample as informative as a weighted one.

    Parameters
    ----------
    w, w2 : array_like of one broadcast shape
        Sums of the weights and of their squares.

    Returns
    -------
    ndarray of that shape
        w² / w2, at most the number of rows and equal to it for equal weights; 0 where w2 is 0.

    References
    ----------
    Kish (1965), Survey Sampling, section 11.7.

    Examples
    --------
    >>> float(effective_size(10.0, 10.0)), round(float(effective_size(1 + 1 + 4, 1 + 1 + 16)), 3)
    (10.0, 2.0)
    """
    w, w2 = np.broadcast_arrays(np.asarray(w, float), np.asarray(w2, float))
    return np.divide(w * w, w2, out=np.zeros(w.shape), where=w2 > 0)


def effective_counts(
    w_k: ArrayLike, w_n: ArrayLike, w2_k: ArrayLike, w2_n: ArrayLike
) -> tuple[Array, Array]:
    """The counts (k, n) of a plain sample as informative about a rate as weighted rows.

    Kish's size takes weights to have nothing to do with the outcome. Where selected rows were
    sampled at another rate than the rest and weighted back, Wilson intervals at his size covered
    72 % in simulations; at this size 93 to 98 %, with 20 rows of either outcome or more.

    Parameters
    ----------
    w_k, w_n : array_like of one broadcast shape
        Sums of the weights over selected rows and over all rows.
    w2_k, w2_n : array_like of that shape
        Sums of their squares.

    Returns
    -------
    k, n : ndarray of that shape
        What every interval here takes. k / n is the weighted rate p, and p (1 - p) / n the
        linearised variance of p, after two rows of Kish's weight were added on either side (as
        Agresti and Coull do) so that it is never 0. With equal weights, the counts of rows.

    References
    ----------
    Korn and Graubard (1998), Survey Methodology 24:193: effective sizes for weighted rates.

    Examples
    --------
    >>> k, n = effective_counts(3.0, 6.0, 3.0, 12.0)
    >>> float(k / n), round(float(n), 2)
    (0.5, 3.0)
    """
    w_k, w_n, w2_k, w2_n = np.broadcast_arrays(
        *(np.asarray(sums, float) for sums in (w_k, w_n, w2_k, w2_n))
    )
    kish = effective_size(w_n, w2_n)
    row, row2 = rate(w_n, kish), rate(w2_n, kish)
    p = rate(w_k + 2 * row, w_n + 4 * row)
    spread = (w2_k + 2 * row2) * (1 - p) ** 2 + (w2_n - w2_k + 2 * row2) * p**2
    n = p * (1 - p) * (w_n + 4 * row) ** 2 / spread - 4
    n = np.where(kish > 0, np.maximum(n, np.minimum(kish, 1.0)), 0.0)
    share = np.where(kish > 0, np.minimum(rate(w_k, w_n), 1.0), 0.0)
    return share * n, n
