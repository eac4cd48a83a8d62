"""Steps in a numeric feature's functions, where the outcome jumps.

Decisions of trees and thresholds jump, and a spline of few intervals cannot follow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_STEPS = 3
LEAST_GAIN = 20.0
LEAST_ROWS = 20.0
SMALLEST_STEP = 1e-4  # part of a step, squared, that a spline must leave
STEP_PENALTY = 2.5  # of a cosine over the whole axis, for one variance
SMALLEST_SQUARE = 1e-12  # relative, below which a function is a copy of others


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeByCode:
    """Sums over the rows of each code, of weights w and an outcome y of mean 0."""

    weights: np.ndarray  # (k,) w
    sums: np.ndarray  # w y
    squares: np.ndarray  # (w y)^2
    fourths: np.ndarray  # (w y)^4

    def of(self, k: int) -> OutcomeByCode:
        """Of the first codes."""
        return OutcomeByCode(
            weights=self.weights[:k],
            sums=self.sums[:k],
            squares=self.squares[:k],
            fourths=self.fourths[:k],
        )


def outcome_by_code(
    codes: np.ndarray, n_codes: int, weights: np.ndarray, outcome: np.ndarray
) -> OutcomeByCode:
    """Sums of weights and an outcome of mean 0, by code."""
    y = weights * outcome
    square = y * y  # y**4 takes 30 times as long as a product
    return OutcomeByCode(
        weights=np.bincount(codes, weights, n_codes),
        sums=np.bincount(codes, y, n_codes),
        squares=np.bincount(codes, square, n_codes),
        fourths=np.bincount(codes, square * square, n_codes),
    )


def jumps(functions: np.ndarray, outcome: OutcomeByCode) -> list[int]:
    """First codes after which the outcome jumps, where a spline cannot follow.

    Parameters
    ----------
    functions : (k, m)
    outcome : OutcomeByCode
        Of k codes.

    Returns
    -------
    list of at most three codes, increasing

    Notes
    -----
    Forward selection of the step that lowers the sum of squares most, as long as its square is
    more than 20 times its variance, which of 255 steps of pure noise one is twice in a thousand
    times. The variance is White's (1980), and each side of a step needs an effective number of
    rows of 20, (sum e^2)^2 / sum e^4: a few rare decisions side by side are chance.
    """
    root = np.sqrt(outcome.weights)
    per_root = np.divide(1.0, root, out=np.zeros(len(root)), where=root > 0)
    left = outcome.sums * per_root
    across = _orthonormal(np.vstack([functions.T, np.ones(len(root))]) * root)
    whole = from_above(outcome.weights)[1:]
    able = both_sides(outcome.squares, outcome.fourths)
    found: list[int] = []
    for _ in range(MOST_STEPS):
        known = np.cumsum((across * root)[:, ::-1], axis=1)[:, -2::-1]
        size = whole - np.einsum("mk,mk->k", known, known)
        part = from_above(left * root)[1:] - (across @ left) @ known
        new = able & (size > SMALLEST_STEP * whole)
        gain = np.divide(part**2, size, out=np.zeros(len(size)), where=new)
        best = int(np.argmax(gain)) if len(gain) else 0
        step = root * (np.arange(len(root)) > best)
        step -= (across @ step) @ across
        variance = ((step * per_root) ** 2) @ outcome.squares
        if not new.any() or part[best] ** 2 <= LEAST_GAIN * variance:
            break
        found.append(best + 1)
        across = np.vstack([across, step / np.linalg.norm(step)])
    return sorted(found)


def _orthonormal(rows: np.ndarray) -> np.ndarray:
    """Orthonormal rows that span the same.  (m, k) -> (at most m, k)

    By the m x m matrix of products: a sixth of the time of a singular value decomposition of 4,096
    codes (normal columns of benchmarks/influence/speed.py).
    """
    square, turn = np.linalg.eigh(rows @ rows.T)
    kept = square > SMALLEST_SQUARE * square[-1]
    return np.asarray((turn[:, kept] / np.sqrt(square[kept])).T @ rows)


def both_sides(squares: np.ndarray, fourths: np.ndarray) -> np.ndarray:
    """Between which codes either side has rows enough.  (k,), (k,) -> (k - 1,) bool

    Examples
    --------
    >>> both_sides(np.full(4, 15.0), np.full(4, 15.0))
    array([False,  True, False])
    """
    above = from_above(squares)[1:], from_above(fourths)[1:]
    enough = [
        square**2 >= LEAST_ROWS * fourth
        for square, fourth in (above, (squares.sum() - above[0], fourths.sum() - above[1]))
    ]
    return enough[0] & enough[1]


def from_above(values: np.ndarray) -> np.ndarray:
    """Sums over all codes from each on.  (k,) -> (k,)"""
    return np.asarray(np.cumsum(values[::-1])[::-1])


def parted(merged: np.ndarray, steps: list[int]) -> np.ndarray:
    """Codes so that none spans a step.

    Examples
    --------
    >>> parted(np.array([0, 0, 0, 1, 1]), [2, 3])
    array([0, 0, 1, 2, 2])
    """
    new = np.diff(merged, prepend=merged[0]) > 0
    new[steps] = True
    return np.cumsum(new)


def with_steps(
    functions: np.ndarray, penalty: np.ndarray, steps: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Add a function that is 0 below each step and 1 from there, as smooth as the smoothest."""
    k, m = functions.shape
    both = np.zeros((m + len(steps), m + len(steps)))
    both[:m, :m] = penalty
    both[range(m, len(both)), range(m, len(both))] = STEP_PENALTY
    return np.column_stack([functions, np.arange(k)[:, None] >= steps]), both
