"""Branch and bound over boxes of rows: can a forest decide a box against a rule?

The sum over trees of the largest lead that a leaf in reach gives a forbidden class over an allowed
one bounds the lead of that class over the box. Where no bound is below zero for some allowed class,
the box is halved at a split of the forest, and the half that may be worse is looked at first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.boxes_of_cells import RuleBox
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.leaf_table import LeafTable, Reach, SetWords, leaf_table

_N_CUTS = 6  # axes that are tried before a box is halved
_CAP = 0.05  # a half that is refuted by more than this is not better still

Confirm = Callable[[np.ndarray], bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A box of rows with the leaves that they reach."""

    box: Reach  # of one row
    active: np.ndarray  # (k,) int, leaves of the table
    lead: float  # what a forbidden class may be ahead at most


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cut:
    """Where to halve a part: cells up to `last`, or a set of cells; else values from missing."""

    place: int
    last: int | None = None
    words: np.ndarray | None = None


class BoxSearch:
    """Proof or refutation of one rule on one forest.

    Parameters
    ----------
    bound : BoundRules
    rule : BoundRule
    trees : CodedTrees
    confirm : callable
        Whether the model itself decides a row of cells against the rule.
    """

    def __init__(
        self, bound: BoundRules, rule: BoundRule, trees: CodedTrees, confirm: Confirm
    ) -> None:
        n_classes = trees.value.shape[1]
        self.bound, self.rule, self.trees, self.confirm = bound, rule, trees, confirm
        self.sets = SetWords(trees)
        self.forbidden = [c for c in range(n_classes) if rule.forbids >> c & 1]
        self.allowed = [c for c in range(n_classes) if not rule.forbids >> c & 1]
        self.n_parts = self.n_ties = 0

    def run(self, seconds: float) -> tuple[bool | None, float]:
        """True if the rule holds, False if a row refutes it, None if time ran out.

        The number is what a forbidden class may still be ahead.
        """
        deadline = time.monotonic() + seconds
        for box in self.rule.boxes:
            within = RuleBox(self.trees, self.sets, box)
            whole = within.whole()
            if whole is None or self.bound.rows.row(within.coarse(whole)) is None:
                continue
            search = _OneBox(self, within, leaf_table(self.trees, self.sets, whole))
            waiting = [search.part(whole, np.arange(len(search.table.node)))]
            while waiting:
                if time.monotonic() > deadline:
                    return None, max(part.lead for part in waiting)
                part = waiting.pop()
                self.n_parts += 1
                halves = search.halves(part)
                if halves is None:
                    return False, part.lead
                waiting += sorted(halves, key=lambda half: half.lead)
        return True, -np.inf


class _OneBox:
    """The search within one box of the rule."""

    def __init__(self, search: BoxSearch, within: RuleBox, table: LeafTable) -> None:
        self.search, self.within, self.table = search, within, table
        base, value = search.trees.base, table.value
        allowed = search.allowed
        # (n_forbidden, n_leaves, n_allowed)
        self.ahead = [value[:, [c]] - value[:, allowed] for c in search.forbidden]
        self.base = [base[c] - base[allowed] for c in search.forbidden]

    def part(self, box: Reach, active: np.ndarray) -> Part:
        """A part with its bound."""
        return Part(box=box, active=active, lead=self._lead(active))

    def halves(self, part: Part) -> list[Part] | None:
        """Parts of a box that are still in doubt; None if a row of it refutes the rule."""
        search = self.search
        if part.lead < -search.trees.tolerance:
            return []
        cells = search.bound.rows.row(self.within.coarse(part.box))
        if cells is None:
            return []
        row = self.within.row(part.box, cells)
        if self._may_refute(row) and search.confirm(row):
            return None
        tried = [self._both(part, cut) for cut in self._cuts(part)]
        if not tried:  # every row reaches the same leaves, and the model decided one of them
            search.n_ties += 1
            return []
        return min(tried, key=lambda pair: sum(max(half.lead, -_CAP) for half in pair))

    def _may_refute(self, row: np.ndarray) -> bool:
        """Whether the row that would be tried is decided, but for rounding, against the rule."""
        search = self.search
        if not search.allowed:
            return True
        score = search.trees.scores(row[None])[0]
        ahead = score[search.forbidden].max() - score[search.allowed].max()
        return bool(ahead >= -search.trees.tolerance)

    def _lead(self, active: np.ndarray) -> float:
        """What a forbidden class may be ahead of every allowed one, at most."""
        if not self.search.allowed:
            return np.inf
        tree = self.table.tree[active]
        starts = np.flatnonzero(np.diff(tree, prepend=-1))
        leads = []
        for ahead, base in zip(self.ahead, self.base):
            most = np.maximum.reduceat(ahead[active], starts, axis=0).sum(axis=0)
            leads.append((most + base).min())
        return float(max(leads))

    def _both(self, part: Part, cut: Cut) -> list[Part]:
        """The parts on the two sides of a cut that have rows."""
        found = []
        for is_left in (True, False):
            box = _cut_box(part.box, cut, is_left, self.search.sets)
            if self.within.tighten(box, cut.place):
                found.append(self.part(box, self._reached(part.active, box, cut.place)))
        return found

    def _reached(self, active: np.ndarray, box: Reach, place: int) -> np.ndarray:
        reach, sets = self.table.reach, self.search.sets
        if self.search.trees.in_sets[place]:
            where = sets.of(place)
            kept = (reach.words[active, where] & box.words[0, where]).any(axis=1)
            return active[kept]
        least = np.maximum(reach.low[active, place], box.low[0, place])
        most = np.minimum(reach.high[active, place], box.high[0, place])
        kept = (least <= most) | reach.missing[active, place] & box.missing[0, place]
        return active[kept]

    def _cuts(self, part: Part) -> list[Cut]:
        """Splits of most leaves in reach, and values from missing ones."""
        reach, box, active = self.table.reach, part.box, part.active
        low, high = reach.low[active], reach.high[active]
        within = (high >= box.low) & (high < box.high)
        counts = within.sum(axis=0)
        counts[self.search.sets.axes] = 0
        sets = {place: self._distinct(part, place) for place in self.search.sets.axes}
        for place, (_, times) in sets.items():
            counts[place] = times.sum()
        found = []
        for place in np.argsort(-counts, kind="stable")[:_N_CUTS].tolist():
            if not counts[place]:
                break
            if place in sets:
                words, times = sets[place]
                found.append(Cut(place=place, words=words[times.argmax()]))
                continue
            cuts, times = np.unique(high[within[:, place], place], return_counts=True)
            found.append(Cut(place=place, last=int(cuts[times.argmax()])))
        mixed = np.flatnonzero((box.missing[0]) & (box.low[0] <= box.high[0]))
        numbers = (low <= box.high) & (high >= box.low)
        told_apart = (reach.missing[active] != numbers).any(axis=0)
        return found + [Cut(place=place) for place in mixed.tolist() if told_apart[place]]

    def _distinct(self, part: Part, place: int) -> tuple[np.ndarray, np.ndarray]:
        """Sets of cells in which leaves leave out some of the part, and how many leaves do."""
        where = self.search.sets.of(place)
        words = self.table.reach.words[part.active, where] & part.box.words[0, where]
        some = words[(words != part.box.words[0, where]).any(axis=1)]
        if words.shape[1] == 1:
            found, times = np.unique(some[:, 0], return_counts=True)
            return found[:, None], times
        return np.unique(some, axis=0, return_counts=True)


def _cut_box(box: Reach, cut: Cut, is_left: bool, sets: SetWords) -> Reach:
    found = Reach(
        low=box.low.copy(),
        high=box.high.copy(),
        missing=box.missing.copy(),
        words=box.words.copy(),
    )
    place = cut.place
    if cut.words is not None:
        found.words[0, sets.of(place)] &= cut.words if is_left else ~cut.words
    elif cut.last is None:  # values, and missing ones
        if is_left:
            found.low[0, place], found.high[0, place] = 0, -1
        else:
            found.missing[0, place] = False
    elif is_left:
        found.high[0, place] = cut.last
    else:
        found.low[0, place] = cut.last + 1
        found.missing[0, place] = False
    return found
