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
    squared_weights: np.ndarray  # (g,) sum of their squares; n without weights
    total: np.ndarray  # (g,) sum of weight * (value - shift)
    squares: np.ndarray  # (g,) sum of weight * (value - shift) ** 2

    def effective(self) -> Moments:
        """The same means and variances from as many rows of weight 1 as are as informative.

        Kish (1965), section 11.7: (sum of weights) ** 2 / sum of squared weights.
        """
        scale = _divide(self.n, self.squared_weights)
        scale = np.where(self.n > 0, scale, 0.0)
        n = self.n * scale
        return Moments(
            shift=self.shift,
            n=n,
            squared_weights=n,
            total=self.total * scale,
            squares=self.squares * scale,
        )

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
        shift=shift,
        n=total(weight),
        squared_weights=total(weight**2),
        total=total(weight * off),
        squares=total(weight * off**2),
    )
