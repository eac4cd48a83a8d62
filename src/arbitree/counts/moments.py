"""Sums of a number over groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """First two moments of a number in each group; they add up over groups and batches.

    Sums are about `shift`, so that squares of large numbers do not swallow their spread.
    """

    shift: float
    n: np.ndarray  # (g,) sum of weights of the rows with a value
    total: np.ndarray  # (g,) sum of weight * (value - shift)
    squares: np.ndarray  # (g,) sum of weight * (value - shift) ** 2

    @property
    def mean(self) -> np.ndarray:
        """NaN where a group has no value."""
        return self.shift + _divide(self.total, self.n)

    @property
    def variance(self) -> np.ndarray:
        """Mean squared deviation, not corrected for the sample size; NaN as in `mean`."""
        spread = _divide(self.squares, self.n) - _divide(self.total, self.n) ** 2
        return np.maximum(spread, 0.0)


def _divide(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)


def moments(
    values: np.ndarray, group: np.ndarray, n_groups: int, *, weights: np.ndarray | None = None
) -> Moments:
    """Sum a number and its square over groups.

    Parameters
    ----------
    values : ndarray (n,) of float
        NaN where missing; such rows count in no group.
    group : ndarray (n,) of int
        0 to ``n_groups - 1``.
    n_groups : int
    weights : ndarray (n,) of float, optional

    Returns
    -------
    Moments

    Examples
    --------
    >>> found = moments(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 1]), 2)
    >>> found.mean.tolist(), found.variance.tolist()
    ([2.0, 5.0], [1.0, 0.0])
    """
    known = ~np.isnan(values)
    values, group = values[known], group[known]
    weight = np.ones(len(values)) if weights is None else weights[known]
    shift = float(values.mean()) if len(values) else 0.0
    off = values - shift

    def total(amounts: np.ndarray) -> np.ndarray:
        return np.bincount(group, weights=amounts, minlength=n_groups)

    return Moments(
        shift=shift, n=total(weight), total=total(weight * off), squares=total(weight * off**2)
    )
