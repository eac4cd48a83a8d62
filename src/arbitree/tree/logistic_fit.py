"""Many logistic regressions of one predictor at once, from weights of its distinct values.

With one predictor, ``|Cov(t0 + t1 x, A)| = |t1| |Cov(x, A)|``, so a bound on the covariance is a
bound on the slope. The loss, minimised over the intercept, is convex in the slope: within
``|t1| <= b`` its minimum is at the unconstrained slope, or at the bound nearest to it, with the
intercept fitted anew. No general solver is needed.

Regressions are laid end to end: regression i has the entries start[i] to start[i + 1] - 1 of each
array, its values increasing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

_MOST_STEPS = 60
_TOLERANCE = 1e-13  # of the loss a row
_COMPRESS = 0.7  # go on with the unfinished alone once they are this share or less


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Regressions:
    """Data of regressions; each has two values or more, and rows of both classes."""

    z: np.ndarray  # (m,) float64
    positive: np.ndarray  # (m,) float64, weight of rows of class 1
    negative: np.ndarray  # (m,) float64, of class 0
    start: np.ndarray  # (n_regressions,) int64

    @property
    def length(self) -> np.ndarray:
        """Entries of each regression."""
        return np.diff(np.append(self.start, len(self.z)))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of each regression's entries."""
        return np.add.reduceat(values, self.start)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """A number of each regression at each of its entries."""
        return np.repeat(values, self.length)

    def only(self, kept: np.ndarray) -> Regressions:
        """Some of the regressions: kept (n_regressions,) bool."""
        at = self.spread(kept)
        length = self.length[kept]
        return Regressions(
            z=self.z[at],
            positive=self.positive[at],
            negative=self.negative[at],
            start=np.cumsum(length) - length,
        )


def separation(data: Regressions) -> tuple[np.ndarray, np.ndarray]:
    """Which regressions have no finite solution, as a value parts the classes.

    Returns
    -------
    direction : (n_regressions,) int
        1 where class 1 is above and -1 where it is below, maybe with one value in common; else 0.
    value : (n_regressions,) float64
        What the threshold tends to: the middle between the classes, or the common value.
    """
    low_1, high_1 = _range(data, data.positive > 0)
    low_0, high_0 = _range(data, data.negative > 0)
    direction = np.where(high_0 <= low_1, 1, np.where(high_1 <= low_0, -1, 0))
    value = np.where(direction == 1, (high_0 + low_1) / 2, (high_1 + low_0) / 2)
    return direction, value


def _range(data: Regressions, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low = np.minimum.reduceat(np.where(seen, data.z, np.inf), data.start)
    high = np.maximum.reduceat(np.where(seen, data.z, -np.inf), data.start)
    return low, high


def fit(data: Regressions, bound: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intercepts and slopes of least logistic loss with slopes in [-bound, bound].

    Parameters
    ----------
    data : Regressions
    bound : ndarray of float64, shape (n_regressions,)
        Infinite for no bound.

    Returns
    -------
    intercept, slope : ndarray of float64, shape (n_regressions,)
        Where the classes are separated and the slope has no bound, it is infinite and the
        intercept NaN: see `separation`.
    """
    direction, _ = separation(data)
    intercept = np.full(len(bound), np.nan)
    slope = np.where(direction == 0, np.nan, np.copysign(np.inf, direction))
    finite = direction == 0
    if finite.any():
        intercept[finite], slope[finite] = _unbounded(data.only(finite))
    bounded = np.abs(slope) > bound
    if bounded.any():
        slope[bounded] = np.sign(slope[bounded]) * bound[bounded]
        intercept[bounded] = intercepts(data.only(bounded), slope[bounded])
    return intercept, slope


def _unbounded(data: Regressions) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method with halved steps, all regressions at once until each is done."""
    rate = data.sums(data.positive) / data.sums(data.positive + data.negative)
    theta = np.stack([np.log(rate / (1 - rate)), np.zeros(len(rate))])
    found = theta.copy()
    at = np.arange(len(rate))
    loss = _loss(data, theta)
    for _ in range(_MOST_STEPS):
        step, decrement = _newton_step(data, theta)
        theta, loss = _shortened(data, theta, loss, step, decrement)
        found[:, at] = theta
        going = decrement > _TOLERANCE * data.sums(data.positive + data.negative)
        if not going.any():
            break
        if going.mean() <= _COMPRESS:
            at, theta, loss = at[going], theta[:, going], loss[going]
            data = data.only(going)
    return found[0], found[1]


def _loss(data: Regressions, theta: np.ndarray) -> np.ndarray:
    eta = data.spread(theta[0]) + data.spread(theta[1]) * data.z
    both = data.positive + data.negative
    return data.sums(both * np.logaddexp(0, eta) - data.positive * eta)


def _newton_step(data: Regressions, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's step and the decrease that it promises, twice."""
    both = data.positive + data.negative
    p = expit(data.spread(theta[0]) + data.spread(theta[1]) * data.z)
    rest = data.positive - both * p
    curve = both * p * (1 - p)
    bent = curve * data.z
    g0, g1 = data.sums(rest), data.sums(rest * data.z)
    h00, h01, h11 = data.sums(curve), data.sums(bent), data.sums(bent * data.z)
    determinant = h00 * h11 - h01 * h01
    determinant = np.where(determinant > 0, determinant, np.inf)
    step = np.stack([(h11 * g0 - h01 * g1), (h00 * g1 - h01 * g0)]) / determinant
    return step, step[0] * g0 + step[1] * g1


def _shortened(
    data: Regressions,
    theta: np.ndarray,
    loss: np.ndarray,
    step: np.ndarray,
    decrement: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The step, halved as long as the loss does not fall enough."""
    size = np.ones(len(loss))
    for _ in range(30):
        moved = theta + size * step
        after = _loss(data, moved)
        worse = after > loss - 1e-4 * size * decrement + 1e-14 * np.abs(loss)
        if not worse.any():
            break
        size = np.where(worse, size / 2, size)
    kept = after <= loss + 1e-14 * np.abs(loss)
    return np.where(kept, moved, theta), np.where(kept, after, loss)


def intercepts(data: Regressions, slope: np.ndarray) -> np.ndarray:
    """The intercept of least loss for each slope: where predictions add up to class 1's weight.

    Newton's method in one dimension, kept between two bounds of the root.
    """
    both, wanted = data.positive + data.negative, data.sums(data.positive)
    total = data.sums(both)
    rate = wanted / total
    tilt = data.spread(slope) * data.z
    middle = np.log(rate / (1 - rate))
    low = middle - np.maximum.reduceat(tilt, data.start)
    high = middle - np.minimum.reduceat(tilt, data.start)
    found = np.clip(middle - data.sums(both * tilt) / total, low, high)
    for _ in range(200):
        p = expit(data.spread(found) + tilt)
        over = data.sums(both * p) - wanted
        low = np.where(over < 0, found, low)
        high = np.where(over > 0, found, high)
        if (np.abs(over) <= 1e-14 * total).all() or (high - low <= 1e-15 * (1 + np.abs(low))).all():
            break
        bend = data.sums(both * p * (1 - p))
        with np.errstate(over="ignore"):  # so flat that the step is infinite: the middle then
            moved = found - np.divide(over, bend, out=np.full_like(over, np.inf), where=bend > 0)
        inside = (moved > low) & (moved < high)
        found = np.where(over == 0, found, np.where(inside, moved, (low + high) / 2))
    return found
