"""Branch and bound over boxes of rows: can a forest decide a box against a rule?

The sum over trees of the largest lead that a leaf in reach gives a forbidden class over an allowed
one bounds the lead of that class over the box. Where no bound is below zero for some allowed class,
the box is halved at a threshold of the forest, and the half that may be worse is looked at first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from arbitree.rules.axes import NumberAxis, bits
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.leaf_table import LeafTable
from arbitree.rules.space import Box, Masks

TOLERANCE = 1e-9  # sums of shares in any order differ by less
_N_CUTS = 6  # thresholds that are tried before a box is halved

Confirm = Callable[[tuple[int, ...], dict[int, tuple[float, float]]], bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A box of rows with the leaves that they reach."""

    low: np.ndarray  # (n_axes,) float32
    high: np.ndarray  # (n_axes,) float32
    number: np.ndarray  # (n_axes,) bool: values that are not missing
    missing: np.ndarray  # (n_axes,) bool: missing values
    active: np.ndarray  # (k,) int, leaves
    lead: float  # what a forbidden class may be ahead at most


class BoxSearch:
    """Proof or refutation of one rule on one forest.

    Parameters
    ----------
    bound : BoundRules
    rule : BoundRule
    table : LeafTable
    confirm : callable
        Whether the forest decides a row of these cells, within limits, against the rule.
    """

    def __init__(
        self, bound: BoundRules, rule: BoundRule, table: LeafTable, confirm: Confirm
    ) -> None:
        n_classes = table.value.shape[1]
        self.bound, self.table, self.confirm = bound, table, confirm
        self.forbidden = [c for c in range(n_classes) if rule.forbids >> c & 1]
        self.allowed = [c for c in range(n_classes) if not rule.forbids >> c & 1]
        self.boxes = rule.boxes
        self.n_parts = self.n_ties = 0

    def run(self, seconds: float) -> tuple[bool | None, float]:
        """True if the rule holds, False if a row refutes it, None if time ran out.

        The number is what a forbidden class may still be ahead.
        """
        deadline = time.monotonic() + seconds
        for box in self.boxes:
            waiting = [part for part in [self._whole(box)] if part is not None]
            while waiting:
                if time.monotonic() > deadline:
                    return None, max(part.lead for part in waiting)
                part = waiting.pop()
                self.n_parts += 1
                halves = self._halves(part, box)
                if halves is None:
                    return False, part.lead
                waiting += sorted(halves, key=lambda half: half.lead)
        return True, -np.inf

    def _whole(self, box: Box) -> Part | None:
        n_axes = len(self.bound.space.axes)
        part = Part(
            low=np.full(n_axes, -np.inf, np.float32),
            high=np.full(n_axes, np.inf, np.float32),
            number=np.ones(n_axes, bool),
            missing=np.ones(n_axes, bool),
            active=np.arange(len(self.table.tree)),
            lead=np.inf,
        )
        return self._tightened(part, box, range(n_axes))

    def _halves(self, part: Part, box: Box) -> list[Part] | None:
        """Parts of a box that are still in doubt; None if a row of it refutes the rule."""
        if part.lead < -TOLERANCE:
            return []
        cells = self.bound.rows.row(self._masks(part, box))
        if cells is None:
            return []
        limits = {i: (float(part.low[i]), float(part.high[i])) for i in range(len(cells))}
        if self._may_refute(part, cells, limits) and self.confirm(cells, limits):
            return None
        tried = [self._both(part, box, place, cut) for place, cut in self._cuts(part)]
        if not tried:  # every row reaches the same leaves, and the model decided one of them
            self.n_ties += 1
            return []
        return min(tried, key=lambda pair: sum(max(half.lead, -0.05) for half in pair))

    def _both(self, part: Part, box: Box, place: int, cut: float) -> list[Part]:
        """The parts on the two sides of a cut; missing values are on the lower one."""
        changes: list[dict[str, float]]
        if np.isnan(cut):
            changes = [{"number": False}, {"missing": False}]
        else:
            changes = [{"high": cut}, {"low": cut, "missing": False}]
        halves = []
        for change in changes:
            arrays = {name: getattr(part, name).copy() for name in change}
            for name, value in change.items():
                arrays[name][place] = value
            half = self._tightened(replace(part, **arrays), box, [place])
            if half is not None:
                halves.append(half)
        return halves

    def _tightened(self, part: Part, box: Box, places: Iterable[int]) -> Part | None:
        """A part within the cells of the rule's box, with its leaves and bound; None if empty."""
        low, high = part.low.copy(), part.high.copy()
        number, missing, active = part.number.copy(), part.missing.copy(), part.active
        for place in places:
            axis = self.bound.space.axes[place]
            assert isinstance(axis, NumberAxis)
            mask = box.get(place, axis.whole) & axis.whole
            missing[place] &= bool(mask >> axis.missing_cell)
            cells = bits(axis.between(float(low[place]), float(high[place])) & mask)
            number[place] &= bool(cells)
            if number[place]:
                low[place] = max(low[place], axis.limits(cells[0])[0])
                high[place] = min(high[place], axis.limits(cells[-1])[1])
            elif not missing[place]:
                return None
            active = self._reached(active, place, low, high, number, missing)
        found = replace(part, low=low, high=high, number=number, missing=missing, active=active)
        return replace(found, lead=self._lead(active))

    def _reached(
        self,
        active: np.ndarray,
        place: int,
        low: np.ndarray,
        high: np.ndarray,
        number: np.ndarray,
        missing: np.ndarray,
    ) -> np.ndarray:
        table = self.table
        least = np.maximum(table.low[active, place], low[place])
        most = np.minimum(table.high[active, place], high[place])
        kept = (least < most) & number[place] | table.missing[active, place] & missing[place]
        return active[kept]

    def _lead(self, active: np.ndarray) -> float:
        """What a forbidden class may be ahead of every allowed one, at most."""
        if not self.allowed:
            return np.inf
        starts = np.flatnonzero(np.diff(self.table.tree[active], prepend=-1))
        values, base = self.table.value[active], self.table.base
        leads = []
        for c in self.forbidden:
            ahead = values[:, [c]] - values[:, self.allowed]
            most = np.maximum.reduceat(ahead, starts, axis=0).sum(axis=0)
            leads.append((most + base[c] - base[self.allowed]).min())
        return float(max(leads))

    def _masks(self, part: Part, box: Box) -> Masks:
        found = []
        for place, axis in enumerate(self.bound.space.axes):
            assert isinstance(axis, NumberAxis)
            mask = 0
            if part.number[place]:
                mask = axis.between(float(part.low[place]), float(part.high[place]))
            if part.missing[place]:
                mask |= axis.whole & 1 << axis.missing_cell
            found.append(mask & box.get(place, mask))
        return tuple(found)

    def _may_refute(
        self, part: Part, cells: tuple[int, ...], limits: dict[int, tuple[float, float]]
    ) -> bool:
        """Whether the row that would be tried is decided, but for rounding, against the rule."""
        if not self.allowed:
            return True
        row = self.bound.row(cells, within=limits)
        active = part.active
        for place, value in enumerate(row.values()):
            if value is None:
                active = active[self.table.missing[active, place]]
            else:
                x = np.float32(value)
                inside = (self.table.low[active, place] < x) & (x <= self.table.high[active, place])
                active = active[inside]
        score = self.table.base + self.table.value[active].sum(axis=0)
        return bool(score[self.forbidden].max() >= score[self.allowed].max() - TOLERANCE)

    def _cuts(self, part: Part) -> list[tuple[int, float]]:
        """Where to halve a part: thresholds of most leaves in reach; NaN: values from missing."""
        mixed = np.flatnonzero(part.number & part.missing)
        table, active = self.table, part.active
        low, high = table.low[active], table.high[active]
        within = (part.low < high) & (high < part.high) & part.number
        found: list[tuple[int, float]] = []
        for place in np.argsort(-within.sum(axis=0), kind="stable")[:_N_CUTS].tolist():
            cuts, times = np.unique(high[within[:, place], place], return_counts=True)
            if len(cuts):
                found.append((place, float(cuts[times.argmax()])))
        told_apart = (table.missing[active] != ((low < part.high) & (high > part.low))).any(axis=0)
        found += [(place, np.nan) for place in mixed.tolist() if told_apart[place]]
        return found
