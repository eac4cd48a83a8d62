"""Two lots of subtrees below a split, and the best pair of them whose gaps add up to within eps.

A pair must keep the gap on both sides, -eps and eps. With one side only, it is enough to know the
subtrees that no other one beats in errors and gap; that bounds the errors from below, and is exact
where what is found keeps the other side too. Else every subtree counts, since one that is beaten
on one side may be what the other side needs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Errors and gaps of subtrees, and which subtree each is."""

    errors: np.ndarray
    gap: np.ndarray
    choice: np.ndarray

    def at(self, places: np.ndarray) -> Points:
        """Some of them."""
        return Points(self.errors[places], self.gap[places], self.choice[places])

    def mirrored(self) -> Points:
        """With gaps counted from the other side."""
        return Points(self.errors, -self.gap, self.choice)

    def front(self) -> Points:
        """Those that no other one beats in both errors and gap, fewest errors first."""
        return self.at(undominated(self.errors, self.gap))


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The best pair found: its errors and gap, and the place of each in its lot."""

    errors: float
    gap: float
    places: tuple[int, int]


def undominated(errors: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Places of points that no other one beats in both, fewest errors first."""
    order = np.lexsort((gap, errors))
    order = order[np.isfinite(errors[order])]
    least = np.minimum.accumulate(gap[order])
    kept = np.ones(len(order), bool)
    kept[1:] = gap[order][1:] < least[:-1]
    return order[kept]


def first_within(front: Points, room: np.ndarray) -> np.ndarray:
    """The place of the fewest errors with a gap of at most `room`; the length if none."""
    return np.searchsorted(-front.gap, -room)


def least_errors(front: Points, room: np.ndarray) -> np.ndarray:
    """The fewest errors of a front with a gap of at most `room`; infinite if none."""
    return np.append(front.errors, np.inf)[first_within(front, room)]


def best_of_fronts(left: Points, right: Points, most: float) -> Pair | None:
    """The pair of two fronts with fewest errors whose gaps add up to at most `most`."""
    place = first_within(right, most - left.gap)
    i = np.flatnonzero(place < len(right.gap))
    if not len(i):
        return None
    errors = left.errors[i] + right.errors[place[i]]
    k = int(np.argmin(errors))
    one, two = int(i[k]), int(place[i[k]])
    return Pair(float(errors[k]), float(left.gap[one] + right.gap[two]), (one, two))


def best_within(left: Points, right: Points, eps: float) -> Pair | None:
    """The pair with fewest errors whose gaps add up to something between -eps and eps.

    For each of the left, the right ones that fit lie side by side when ordered by their gap; the
    fewest errors among them are read off the minima of runs of 1, 2, 4, ... neighbours.
    """
    order = np.lexsort((right.errors, right.gap))
    gap, errors = right.gap[order], right.errors[order]
    low = np.searchsorted(gap, -eps - left.gap, side="left")
    length = np.searchsorted(gap, eps - left.gap, side="right") - low
    i = np.flatnonzero(length > 0)
    if not len(i):
        return None
    runs = _least_of_runs(errors, int(length.max()))
    level = np.frexp(length[i])[1] - 1
    start, stop = low[i], low[i] + length[i] - (1 << level)
    one, two = runs[level, start], runs[level, stop]
    best = np.where(errors[one] <= errors[two], one, two)
    total = left.errors[i] + errors[best]
    k = int(np.argmin(total))
    at, place = int(i[k]), int(order[best[k]])
    return Pair(float(total[k]), float(left.gap[at] + right.gap[place]), (at, place))


def _least_of_runs(errors: np.ndarray, longest: int) -> np.ndarray:
    """Where the least of 2**k entries from each place on is, (k, n); past the end, of fewer."""
    n = len(errors)
    levels = [np.arange(n)]
    for k in range(int(longest).bit_length() - 1):
        before = levels[-1]
        other = before[np.minimum(np.arange(n) + (1 << k), n - 1)]
        levels.append(np.where(errors[before] <= errors[other], before, other))
    return np.stack(levels)
