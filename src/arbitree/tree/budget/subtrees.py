"""All subtrees on one side of a split: their fronts, and those that are worth a look one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arbitree.tree.budget.fronts import Points, least_errors, undominated


@dataclass(frozen=True, slots=True)
class Partner:
    """What is on the other side of a split, as a bound on what is worth to be put beside it."""

    lot: Lot
    room: float  # the budget
    worth: float  # errors that a pair must be below
    prices: np.ndarray

    def wants(self, errors: np.ndarray, gap: np.ndarray) -> np.ndarray:
        """Whether a subtree may be half of a pair with few enough errors."""
        low = least_errors(self.lot.front(False), self.room - gap)
        high = least_errors(self.lot.front(True), self.room + gap)
        wanted: np.ndarray = errors + np.maximum(low, high) < self.worth
        return wanted

    def places(self, errors: np.ndarray, gap: np.ndarray) -> np.ndarray:
        """The places of what it wants."""
        return np.flatnonzero(self.wants(errors, gap))

    def wanted_with(self, points: Points, sibling: Points) -> Points:
        """Halves of subtrees that it may want, by what a gap costs on either side at each price."""
        wanted = np.ones(len(points.errors), bool)
        for high, sign in ((False, 1.0), (True, -1.0)):
            front = self.lot.front(high)
            for price in self.prices.tolist():
                rest = (sibling.errors + sign * price * sibling.gap).min(initial=np.inf)
                rest += (front.errors + price * front.gap).min(initial=np.inf) - price * self.room
                wanted &= points.errors + sign * price * points.gap + rest < self.worth
        return points.at(wanted)


class Lot(Protocol):
    """All subtrees on one side of a split."""

    def front(self, high: bool) -> Points:
        """Those that no other one beats; with gaps counted from the other side if `high`."""

    def every(self, partner: Partner, most: int) -> Points | None:
        """Those that a partner wants; None if they are more than `most`."""


class Stumps:
    """Stumps, by their errors and gaps (s, 2)."""

    def __init__(self, points: np.ndarray) -> None:
        finite = np.flatnonzero(np.isfinite(points[:, 0]))
        self.points = Points(points[finite, 0], points[finite, 1], finite)
        self._fronts: dict[bool, Points] = {}

    def front(self, high: bool) -> Points:
        if high not in self._fronts:
            self._fronts[high] = (self.points.mirrored() if high else self.points).front()
        return self._fronts[high]

    def every(self, partner: Partner, most: int) -> Points:
        return self.points.at(partner.places(self.points.errors, self.points.gap))


class Depth2:
    """Trees of depth 2 with one of some splits at their root."""

    def __init__(self, stumps: tuple[np.ndarray, np.ndarray], splits: np.ndarray) -> None:
        self.pairs = {k: (Stumps(stumps[0][k]), Stumps(stumps[1][k])) for k in splits.tolist()}
        self._fronts: dict[bool, Points] = {}

    def front(self, high: bool) -> Points:
        if high not in self._fronts:
            found = []
            for split, (one, two) in self.pairs.items():
                found.append(_pairs(split, one.front(high), two.front(high), undominated))
            self._fronts[high] = _together(found).front()
        return self._fronts[high]

    def every(self, partner: Partner, most: int) -> Points | None:
        found: list[Points] = []
        n = 0
        for split, lots in self.pairs.items():
            one, two = (lot.points for lot in lots)
            one, two = partner.wanted_with(one, two), partner.wanted_with(two, one)
            n += len(one.errors) * len(two.errors)
            if n > most:
                return None
            found.append(_pairs(split, one, two, partner.places))
        return _together(found)


def _pairs(
    split: int, one: Points, two: Points, keep: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> Points:
    """Pairs of two lots of stumps that are kept; a choice is the split and the two stumps."""
    errors = (one.errors[:, None] + two.errors).ravel()
    gap = (one.gap[:, None] + two.gap).ravel()
    kept = keep(errors, gap)
    a, b = np.divmod(kept, max(len(two.errors), 1))
    choice = np.column_stack([np.full(len(kept), split), one.choice[a], two.choice[b]])
    return Points(errors[kept], gap[kept], choice)


def _together(lots: Sequence[Points]) -> Points:
    none = Points(np.zeros(0), np.zeros(0), np.zeros((0, 3), np.int64))
    parts = [none, *lots]
    return Points(
        np.concatenate([lot.errors for lot in parts]),
        np.concatenate([lot.gap for lot in parts]),
        np.concatenate([lot.choice for lot in parts]),
    )
