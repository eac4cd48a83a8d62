"""What a least-squares fit needs to know of weights and an outcome."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.influence.together import Together


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Sums over the rows of each place, in each replicate: (r, n_places) float64."""

    weight: np.ndarray
    outcome: np.ndarray  # weight times outcome
    square: np.ndarray  # weight times outcome squared

    def __getitem__(self, replicates: slice) -> Moments:
        return Moments(
            weight=self.weight[replicates],
            outcome=self.outcome[replicates],
            square=self.square[replicates],
        )

    def __sub__(self, other: Moments) -> Moments:
        return Moments(
            weight=self.weight - other.weight,
            outcome=self.outcome - other.outcome,
            square=self.square - other.square,
        )

    def errors(self, fitted: np.ndarray) -> np.ndarray:
        """Sums of squared differences from fitted values.  (r, n_places) -> (r, n_places)"""
        return np.maximum(self.square - 2 * fitted * self.outcome + self.weight * fitted**2, 0.0)


def are_counts(weights: np.ndarray) -> bool:
    """Whether weights are whole numbers: then a weight of k is k rows."""
    return bool((weights == np.floor(weights)).all())


def as_rows(weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Weights of a group's rows as numbers of rows.

    Those that are no counts are scaled so that they add up to the effective number of rows,
    (sum w)^2 / sum w^2 (Kish 1965), whatever their unit.

    Examples
    --------
    >>> as_rows(np.array([2.0, 1.0]), np.arange(2)), as_rows(np.array([0.5, 0.5]), np.arange(2))
    (array([2., 1.]), array([1., 1.]))
    """
    w = weights[rows]
    if are_counts(weights) or not len(w):
        return w
    w = w / w.max()
    return np.asarray(w * (w.sum() / (w**2).sum()))


def moments(rows: Together, weights: np.ndarray, outcome: np.ndarray) -> Moments:
    """Sums of each replicate's weights and outcomes.

    Parameters
    ----------
    rows : Together
    weights : (r, n_rows) float64
    outcome : (n_rows,) or (r, n_rows) float64
    """
    weighted = weights * outcome
    return Moments(
        weight=rows.sums(weights),
        outcome=rows.sums(weighted),
        square=rows.sums(weighted * outcome),
    )
