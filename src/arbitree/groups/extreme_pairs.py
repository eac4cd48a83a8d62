"""Limits of the largest difference and of the smallest ratio over all pairs of groups.

A limit of a pair a, b grows with the rate of a and falls with that of b. A lower limit falls with
the widths of both intervals, an upper one grows with them. So a group that another one beats in
rate and width is needed only for the pair with that other one, and of thousands of groups a
handful of pairs are left to look at: the result is exact, the cost that of a sort.
"""

from __future__ import annotations

import numpy as np

from arbitree.groups.intervals import Array, Estimates, difference_limits
from arbitree.groups.ratios import ratio_limits


def largest_difference(wide: Estimates, narrow: Estimates) -> tuple[float, float, float]:
    """The largest difference, the largest lower limit and the largest upper limit.

    Parameters
    ----------
    wide, narrow : Estimates (G,)
        The same rates, at least two, with limits at the z for lower and for upper limits.
    """
    low = difference_limits(*_pairs(wide, lower=True))[0].max()
    high = difference_limits(*_pairs(narrow, lower=False))[1].max()
    return np.ptp(wide.p), max(low, 0.0), high


def smallest_ratio(wide: Estimates, narrow: Estimates) -> tuple[float, float, float]:
    """The smallest ratio, the smallest lower limit and the smallest upper limit.

    Parameters
    ----------
    wide, narrow : Estimates (G,)
        The same rates, at least two, with limits at the z for upper and for lower limits.

    Returns
    -------
    tuple of three float
        NaN where all rates are 0.
    """
    if not wide.p.any():
        return np.nan, np.nan, np.nan
    high = 1 / np.nanmax(ratio_limits(*_pairs(wide, lower=True))[0])
    low = 1 / np.nanmax(ratio_limits(*_pairs(narrow, lower=False))[1])
    return wide.p.min() / wide.p.max(), low, min(high, 1.0)


def _pairs(groups: Estimates, *, lower: bool) -> tuple[Estimates, Estimates]:
    """Pairs a != b among which the largest lower, or upper, limit of a against b is."""
    below, above = groups.p - groups.low, groups.high - groups.p
    a = _unbeaten(groups.p, below if lower else -above)
    b = _unbeaten(-groups.p, above if lower else -below)
    first, second = np.repeat(a, len(b)), np.tile(b, len(a))
    differ = first != second
    return groups.at(first[differ]), groups.at(second[differ])


def _unbeaten(height: Array, width: Array) -> np.ndarray:
    """Groups that at most one front of others beats, being as high and as narrow.  (G,) -> (H,)"""
    order = np.lexsort((width, -height))
    front = _is_front(width[order])
    rest = order[~front]
    return np.concatenate([order[front], rest[_is_front(width[rest])]])


def _is_front(width: Array) -> np.ndarray:
    """Where a running minimum falls."""
    before = np.concatenate([[np.inf], np.minimum.accumulate(width)[:-1]])
    return width < before
