"""The largest gap between groups, and the smallest ratio, with intervals that hold.

Which two groups are furthest apart is itself read off the data, so neither an interval of that
pair nor percentiles of a resampled maximum hold: equal groups show a gap whatever the sample.
The true gap D is the largest true difference over ordered pairs of groups, and so

* it is at least every lower limit, if the lower limits of all pairs hold *at once*;
* it is at most the largest upper limit, if that of the one truly widest pair holds. Which pair
  that is need not be known, and no allowance is made for the many pairs.

`low` therefore comes from limits at the simultaneous critical value, `high` from limits of each
pair on its own. docs/decisions/0006-intervals.md has the measurements.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arbitree.groups.extreme_pairs import largest_difference, smallest_ratio
from arbitree.groups.intervals import (
    Array,
    counts,
    difference_limits,
    estimates,
    normal_quantile,
    rate,
)
from arbitree.groups.simultaneous import (
    MOST_GROUPS_RESAMPLED,
    critical_value,
    resampled_critical_value,
    studentised_range_bound,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxGap:
    """The largest gap over groups, and over conditions if there are several.

    `0 <= low <= value <= high <= 1` and `0 <= ratio_low <= ratio <= ratio_high <= 1`, or NaN:
    all of them where no condition has two groups with rows, the ratio alone where nobody at all
    is selected. `value == rate[condition, index_high] - rate[condition, index_low]`.
    """

    value: float
    low: float
    high: float
    ratio: float  # smallest of min / max over conditions
    ratio_low: float
    ratio_high: float
    condition: int  # of the gap; -1 where there is none
    index_high: int
    index_low: int
    ratio_condition: int
    critical_value: float  # of the limits behind `low`
    method: str
    excluded: tuple[tuple[int, int], ...]  # (condition, group) without rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairwiseGaps:
    """All differences of two groups, first axis minus second: arrays (G, G) or (M, G, G).

    Their intervals hold at once, with the stated confidence. NaN where a group has no rows.
    """

    value: Array
    low: Array
    high: Array
    critical_value: float
    method: str


def max_gap_interval(
    k: ArrayLike,
    n: ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
    largest: Array | None = None,
) -> MaxGap:
    """The largest difference between two groups' rates, with an interval.

    Parameters
    ----------
    k, n : array_like (G,) or (M, G)
        Selected rows and all rows of G groups under M conditions (equalized odds: true and
        false positive rates). Fractions are allowed. Groups without rows are left out and
        listed; small groups stay.
    confidence : float
        Between 0 and 1.
    n_resamples : int
        Resamplings of the counts behind the critical value. With 0, or more than 150 groups, it
        is the studentised range bound instead, as always for the ratio, and `method` says so.
    rng : numpy.random.Generator
    largest : ndarray (n_resamples,), optional
        The statistics of `resampled_max_t`, where they are known from another metric.

    Returns
    -------
    MaxGap
        The same, bit for bit, for the same counts and seed, in whatever order the groups come.

    Raises
    ------
    InputError
        If some k is not between 0 and its n, or `confidence` not between 0 and 1.

    References
    ----------
    Limits of a pair: Newcombe (1998), Statistics in Medicine 17:873, method 10, and Donner and
    Zou (2012), Statistical Methods in Medical Research 21:347, equation 9.

    Examples
    --------
    >>> gap = max_gap_interval([40, 30, 12], [100, 60, 60], rng=np.random.default_rng(0))
    >>> round(gap.value, 3), gap.index_high, gap.index_low
    (0.3, 1, 2)
    >>> 0 < gap.low < gap.value < gap.high
    True
    """
    k, n, z = *_by_condition(k, n), normal_quantile(confidence)
    excluded = tuple((int(m), int(g)) for m, g in np.argwhere(n <= 0))
    enough = (n > 0).sum(axis=1) >= 2
    if not enough.any():
        return _not_estimable(excluded)
    critical, method = _critical_value(k, n, confidence, n_resamples, rng, largest)
    bound, _ = _critical_value(k, n, confidence, 0, rng)
    gaps = np.full((len(k), 3), np.nan)
    ratios = np.full((len(k), 3), np.nan)
    for m in np.flatnonzero(enough):
        present = k[m, n[m] > 0], n[m, n[m] > 0]
        on_its_own = estimates(*present, z)
        gaps[m] = largest_difference(estimates(*present, critical), on_its_own)
        ratios[m] = smallest_ratio(estimates(*present, bound), on_its_own)
    condition = int(np.nanargmax(gaps[:, 0]))
    p = rate(k[condition], n[condition])
    value, low, high = _largest(gaps)
    ratio, ratio_low, ratio_high = _smallest(ratios)
    return MaxGap(
        value=value,
        low=low,
        high=high,
        ratio=ratio,
        ratio_low=ratio_low,
        ratio_high=ratio_high,
        condition=condition,
        index_high=int(np.nanargmax(p)),
        index_low=n.shape[1] - 1 - int(np.nanargmin(p[::-1])),
        ratio_condition=-1 if np.isnan(ratio) else int(np.nanargmin(ratios[:, 0])),
        critical_value=critical,
        method=method,
        excluded=excluded,
    )


def pairwise_intervals(
    k: ArrayLike,
    n: ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> PairwiseGaps:
    """All differences between two groups' rates, with intervals that hold at once.

    Parameters and errors are those of `max_gap_interval`.

    Examples
    --------
    >>> pairs = pairwise_intervals([40, 30, 12], [100, 60, 60], rng=np.random.default_rng(0))
    >>> pairs.value.round(2).tolist()
    [[0.0, -0.1, 0.2], [0.1, 0.0, 0.3], [-0.2, -0.3, 0.0]]
    >>> (pairs.low > 0).tolist()
    [[False, False, True], [False, False, True], [False, False, False]]
    """
    single = np.ndim(k) < 2 and np.ndim(n) < 2
    k, n = _by_condition(k, n)
    normal_quantile(confidence)
    critical, method = np.nan, "not estimable: fewer than two groups have rows"
    if ((n > 0).sum(axis=1) >= 2).any():
        critical, method = _critical_value(k, n, confidence, n_resamples, rng)
    groups = estimates(k, n, critical)
    value = groups.p[:, :, None] - groups.p[:, None]
    low, high = difference_limits(groups.at(np.s_[:, :, None]), groups.at(np.s_[:, None]))
    itself = np.eye(k.shape[1], dtype=bool) & ~np.isnan(value)
    low, high = np.where(itself, 0.0, low), np.where(itself, 0.0, high)
    if single:
        value, low, high = value[0], low[0], high[0]
    return PairwiseGaps(value=value, low=low, high=high, critical_value=critical, method=method)


def _by_condition(k: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    k, n = counts(k, n)
    return np.atleast_2d(k), np.atleast_2d(n)


def _critical_value(
    k: Array,
    n: Array,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
    largest: Array | None = None,
) -> tuple[float, str]:
    """Never below the studentised range bound: unequal groups with rare outcomes need that."""
    sizes = (n > 0).sum(axis=1)
    n_groups = int(sizes.max())
    bound = studentised_range_bound(n_groups, confidence, int((sizes >= 2).sum()))
    if not n_resamples or n_groups > MOST_GROUPS_RESAMPLED:
        return bound, f"studentised range bound for {n_groups:,} groups"
    if largest is None:
        critical = resampled_critical_value(
            k, n, confidence=confidence, n_resamples=n_resamples, rng=rng
        )
    else:
        critical = critical_value(largest, confidence)
    return max(critical, bound), f"max-T over {n_resamples:,} resamplings of the counts"


def _largest(gaps: Array) -> tuple[float, float, float]:
    value, low, high = np.nanmax(gaps, axis=0)
    return float(value), float(low), float(high)


def _smallest(ratios: Array) -> tuple[float, float, float]:
    if np.isnan(ratios).all():
        return np.nan, np.nan, np.nan
    value, low, high = np.nanmin(ratios, axis=0)
    return float(value), float(low), float(high)


def _not_estimable(excluded: tuple[tuple[int, int], ...]) -> MaxGap:
    nan = float("nan")
    return MaxGap(
        value=nan,
        low=nan,
        high=nan,
        ratio=nan,
        ratio_low=nan,
        ratio_high=nan,
        condition=-1,
        index_high=-1,
        index_low=-1,
        ratio_condition=-1,
        critical_value=nan,
        method="not estimable: fewer than two groups have rows",
        excluded=excluded,
    )
