"""The z at which the intervals of all pairwise gaps hold at once.

An interval of each pair at z = 1.96 misses somewhere far more often than in 5 % of samples. So z
is replaced by a quantile of the largest studentised deviation over all pairs (max-T), taken over
resamplings of the count table. Resampled rates are measured in the standard errors of the rates
they were drawn from, as in a score test, and these are shrunk towards one half: so no group has
a standard error of 0, not even one in which everybody is selected.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtr

from arbitree.counts.resample import max_pair_t
from arbitree.groups.intervals import Array

ENOUGH_VARIANCE = 100.0  # n p (1 - p), in hits: beyond it the expansion's error is below 0.02 of z
MOST_GROUPS_RESAMPLED = 150  # the pairs of 112 groups in 2,000 resamplings take 0.05 s


def resampled_critical_value(
    k: Array, n: Array, *, confidence: float, n_resamples: int, rng: np.random.Generator
) -> float:
    """Quantile of the max-T statistic over resamplings of the counts.

    Parameters
    ----------
    k, n : ndarray (M, G)
        Counts of M conditions and G groups; pairs are formed within a condition, from the groups
        with rows. Fractions of n are rounded for the draws.
    confidence : float
        Probability that all intervals hold.
    n_resamples : int
        At least 1.
    rng : numpy.random.Generator

    Returns
    -------
    float
        Depends on the multiset of groups with rows, never on their order.

    References
    ----------
    Romano and Wolf (2005), Econometrica 73:1237, section 4: studentised max-T.

    Examples
    --------
    >>> k, n = np.full((1, 8), 30.0), np.full((1, 8), 100.0)
    >>> rng = np.random.default_rng(0)
    >>> z = resampled_critical_value(k, n, confidence=0.95, n_resamples=2000, rng=rng)
    >>> 2.9 < z < 3.1
    True
    """
    largest = [resampled_max_t(*one, n_resamples=n_resamples, rng=rng) for one in zip(k, n)]
    return critical_value(np.fmax.reduce(largest), confidence)


def critical_value(largest: Array, confidence: float) -> float:
    """Quantile of max-T statistics, (n_resamples,)."""
    return float(np.quantile(largest, confidence, method="higher"))


def resampled_max_t(k: Array, n: Array, *, n_resamples: int, rng: np.random.Generator) -> Array:
    """The max-T statistic of resampled counts, under one condition.

    That of several conditions is the largest of theirs.

    Parameters
    ----------
    k, n : ndarray (G,)
    n_resamples : int
        At least 1.
    rng : numpy.random.Generator
        Left alone where no pair can be formed.

    Returns
    -------
    ndarray (n_resamples,)
        NaN where fewer than two groups have rows. Depends on the multiset of groups with rows,
        never on their order.
    """
    order = np.lexsort([k, n])
    order = order[n[order] > 0]
    if len(order) < 2:
        return np.full(n_resamples, np.nan)
    k, n = k[order], n[order]
    size = np.maximum(np.rint(n), 1).astype(np.int64)
    rates = (k + 1) / (n + 2)
    draws = _draws(size, rates, n_resamples, rng)
    variances = np.broadcast_to(rates * (1 - rates) / size, draws.shape)
    return max_pair_t(draws, variances, rates)


def _draws(size: np.ndarray, rates: Array, n_resamples: int, rng: np.random.Generator) -> Array:
    """Resampled rates.  (G,), (G,) -> (n_resamples, G)

    Binomial, of groups with enough hits and misses by its Cornish-Fisher expansion: a normal
    deviate with the binomial's skewness (Abramowitz and Stegun 26.2.49) comes ten times faster.
    """
    variances = size * rates * (1 - rates)
    large = variances >= ENOUGH_VARIANCE
    draws = np.empty((n_resamples, *size.shape))
    draws[:, ~large] = rng.binomial(size[~large], rates[~large], (n_resamples, (~large).sum()))
    draws[:, ~large] /= size[~large]
    spread = np.sqrt(variances[large])
    z = rng.standard_normal((n_resamples, large.sum()))
    z += (1 - 2 * rates[large]) / (6 * spread) * (z * z - 1)
    draws[:, large] = rates[large] + z * (spread / size[large])
    return draws


@lru_cache(maxsize=1024)  # an audit asks for the same few again and again, 8 ms each
def studentised_range_bound(n_groups: int, confidence: float, n_conditions: int = 1) -> float:
    """The critical value if all groups were of one size: an upper bound for any sizes.

    Parameters
    ----------
    n_groups : int
        At least 2.
    confidence : float
        Probability that all intervals hold.
    n_conditions : int
        Conditions that hold together, in the manner of Šidák.

    References
    ----------
    Hayter (1984), Annals of Statistics 12:61: the Tukey-Kramer intervals are conservative.

    Examples
    --------
    >>> round(studentised_range_bound(8, 0.95), 3), round(studentised_range_bound(2, 0.95), 3)
    (3.031, 1.96)
    """
    target = confidence ** (1 / n_conditions)
    low, high = 0.0, 60.0
    for _ in range(60):
        middle = (low + high) / 2
        below = _range_within(middle, n_groups) < target
        low, high = (middle, high) if below else (low, middle)
    return float(high / np.sqrt(2))


def _range_within(width: float, n_groups: int) -> float:
    """Probability that `n_groups` standard normals span at most `width`."""
    smallest = np.linspace(-9.0, 9.0, 1441)
    density = np.exp(-(smallest**2) / 2) / np.sqrt(2 * np.pi)
    rest = (ndtr(smallest + width) - ndtr(smallest)) ** (n_groups - 1)
    return float(n_groups * np.sum(density * rest) * (smallest[1] - smallest[0]))
