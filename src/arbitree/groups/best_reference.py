"""Comparisons with the group that happened to come out best.

The best of several samples is best partly by luck, so the others look further behind than they
are: with 8 equal groups a 95 % interval for "group minus best" holds the truth in 87 % of cases.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtr

from arbitree.groups.intervals import normal_quantile


@lru_cache(maxsize=1024)
def confidence_against_best(confidence: float, n_groups: int) -> float:
    """The confidence to ask of an interval so that it holds as often against the observed best.

    Parameters
    ----------
    confidence : float
        Share of the comparisons with the best that shall hold.
    n_groups : int
        At least 2.

    Returns
    -------
    float
        At least `confidence`, and equal to it for two groups. Exact for equal groups of one
        size, the worst case among those of one size: nobody is truly best.

    Raises
    ------
    InputError
        If `confidence` is not between 0 and 1.

    Examples
    --------
    >>> round(confidence_against_best(0.95, 2), 4), round(confidence_against_best(0.95, 8), 4)
    (0.95, 0.9834)
    """
    normal_quantile(confidence)
    low, high = 0.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        missed = _share_behind(middle, n_groups) > 1 - confidence
        low, high = (middle, high) if missed else (low, middle)
    return float(max(2 * ndtr(high) - 1, confidence))


def _share_behind(z: float, n_groups: int) -> float:
    """Mean share of standard normals that the largest of them exceeds by z standard errors."""
    best = np.linspace(-9.0, 9.0, 1441)
    density = n_groups * np.exp(-(best**2) / 2) / np.sqrt(2 * np.pi)
    density *= ndtr(best) ** (n_groups - 2)
    return float(np.sum(density * ndtr(best - z * np.sqrt(2))) * (best[1] - best[0]))
