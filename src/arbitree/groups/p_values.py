"""Could the groups have one rate? P-values, exact where counts are small.

A chi-square test is off where it expects few rows in a cell. There two groups get Fisher's exact
test, and more groups get the same chi-square with its distribution drawn, given the margins.
Fractions, as weights make them, are rounded for the exact tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from arbitree.groups.intervals import Array, counts

FEWEST_EXPECTED = 5.0  # Cochran (1954), Biometrics 10:417
MOST_ROWS_DRAWN = 10**9  # a limit of numpy's hypergeometric generator


def p_value(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike) -> Array:
    """Two-sided p-values for the equality of two rates.

    Fisher's exact test where one of the four expected counts is below 5, Pearson's chi-square
    without continuity correction elsewhere.

    Parameters
    ----------
    k1, n1, k2, n2 : array_like of one broadcast shape
        Selected rows and all rows of two independent groups; fractions are allowed.

    Returns
    -------
    ndarray of that shape
        NaN where n1 or n2 is 0; 1 where everybody, or nobody, is selected.

    Raises
    ------
    InputError
        If some k is not between 0 and its n.

    Examples
    --------
    >>> p_value([3, 30], [4, 60], [1, 20], [4, 80]).round(4).tolist()
    [0.4857, 0.0023]
    """
    k1, n1, k2, n2 = np.broadcast_arrays(*counts(k1, n1), *counts(k2, n2))
    k, n = np.stack([k1, k2], axis=-1), np.stack([n1, n2], axis=-1)
    statistic, expected = _chi_square(k, n)
    found = np.asarray(chdtrc(1, statistic))
    small = _below(expected) & (n1 > 0) & (n2 > 0)
    for at in np.argwhere(small):
        found[tuple(at)] = _fisher(*np.rint(k[tuple(at)]), *np.rint(n[tuple(at)]))
    return np.where((n1 > 0) & (n2 > 0), found, np.nan)


def overall_p_value(
    k: ArrayLike, n: ArrayLike, *, n_resamples: int = 9999, rng: np.random.Generator
) -> float:
    """P-value for the equality of the rates of all groups.

    Fisher's exact test or chi-square for two groups, as `p_value`. For more, chi-square; its
    distribution is drawn with both margins fixed where an expected count is below 5.

    Parameters
    ----------
    k, n : array_like (G,)
        Groups without rows are left out.
    n_resamples : int
        Tables drawn; the p-value is at least 1 / (n_resamples + 1).
    rng : numpy.random.Generator

    Returns
    -------
    float
        NaN with fewer than two groups.

    Raises
    ------
    InputError
        If some k is not between 0 and its n.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> round(overall_p_value([30, 45, 60], [100, 100, 100], rng=rng), 6)
    0.000113
    """
    k, n = counts(k, n)
    k, n = k[n > 0], n[n > 0]
    if len(n) < 2:
        return float("nan")
    if len(n) == 2:
        return float(p_value(k[0], n[0], k[1], n[1]))
    statistic, expected = _chi_square(k, n)
    if not _below(expected) or n.sum() >= MOST_ROWS_DRAWN:
        return float(chdtrc(len(n) - 1, statistic))
    return _drawn(np.rint(k), np.rint(n), n_resamples, rng)


def _below(expected: np.ndarray) -> np.ndarray:
    """Whether a count is too small for chi-square, to rounding: 5 may come out as 4.999...9."""
    return np.asarray(expected < FEWEST_EXPECTED * (1 - 1e-12))


def _chi_square(k: Array, n: Array) -> tuple[Array, Array]:
    """Pearson's statistic and the smallest expected count.  (..., G) -> (...), (...)"""
    total = n.sum(-1, keepdims=True)
    p = np.divide(k.sum(-1, keepdims=True), total, out=np.zeros(total.shape), where=total > 0)
    variance = n * p * (1 - p)
    each = np.divide((k - n * p) ** 2, variance, out=np.zeros(n.shape), where=variance > 0)
    return each.sum(-1), (n * np.minimum(p, 1 - p)).min(-1)


def _fisher(k1: float, k2: float, n1: float, n2: float) -> float:
    from scipy.stats import fisher_exact  # 0.6 s

    table = np.array([[k1, n1 - k1], [k2, n2 - k2]]).astype(np.int64)
    return float(fisher_exact(table).pvalue)


def _drawn(k: Array, n: Array, n_resamples: int, rng: np.random.Generator) -> float:
    draws = rng.multivariate_hypergeometric(
        n.astype(np.int64), int(k.sum()), size=n_resamples, method="marginals"
    )
    observed, _ = _chi_square(k, n)
    statistics, _ = _chi_square(draws.astype(float), np.broadcast_to(n, draws.shape))
    as_extreme = np.count_nonzero(statistics >= observed * (1 - 1e-9))
    return float((1 + as_extreme) / (1 + n_resamples))
