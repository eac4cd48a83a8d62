"""The part of a grid that a rule holds of, as one box of cells, and rows chosen in parts of it."""

from __future__ import annotations

import numpy as np

from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.leaf_table import Reach, SetWords
from arbitree.rules.space import Box, Masks


class RuleBox:
    """One box of a rule over the cells of a grid.

    Parameters
    ----------
    trees : CodedTrees
    sets : SetWords
    box : Box
        Sets of cells of the rules.
    """

    def __init__(self, trees: CodedTrees, sets: SetWords, box: Box) -> None:
        self.grid, self.sets, self.in_sets = trees.grid, sets, trees.in_sets
        self.masks = tuple(box.get(p, axis.axis.whole) for p, axis in enumerate(self.grid))
        self.allowed = [axis.within(mask) for axis, mask in zip(self.grid, self.masks)]
        self._next, self._last = [], []
        for cells in self.allowed:
            values = cells[:-1]
            at = np.arange(len(values))
            after = np.where(values, at, len(values))
            self._next.append(np.minimum.accumulate(after[::-1])[::-1])
            self._last.append(np.maximum.accumulate(np.where(values, at, -1)))

    def whole(self) -> Reach | None:
        """The box itself; None if it is empty."""
        n_axes = len(self.grid)
        found = Reach(
            low=np.zeros((1, n_axes), np.int32),
            high=np.zeros((1, n_axes), np.int32),
            missing=np.zeros((1, n_axes), bool),
            words=np.zeros((1, self.sets.n_words), np.uint64),
        )
        for place, cells in enumerate(self.allowed):
            if not cells.any():
                return None
            if self.in_sets[place]:
                found.words[0, self.sets.of(place)] = self.sets.packed(place, cells)
            else:
                found.high[0, place] = len(cells) - 2
                found.missing[0, place] = cells[-1]
                self.tighten(found, place)
        return found

    def tighten(self, part: Reach, place: int) -> bool:
        """Move the ends of a part to cells of the box, in place; whether any cell is left."""
        if self.in_sets[place]:
            return bool(part.words[0, self.sets.of(place)].any())
        low, high = int(part.low[0, place]), int(part.high[0, place])
        if low <= high:
            part.low[0, place] = low = int(self._next[place][low])
            part.high[0, place] = high = int(self._last[place][high])
        return low <= high or bool(part.missing[0, place])

    def coarse(self, part: Reach) -> Masks:
        """The cells of the rules that a part has cells in."""
        found = []
        for place, axis in enumerate(self.grid):
            if self.in_sets[place]:
                cells = np.flatnonzero(self.sets.unpacked(place, part.words[0], axis.n_cells))
                found.append(_as_bits(axis.coarse[cells]))
                continue
            low, high = int(part.low[0, place]), int(part.high[0, place])
            mask = 0
            if low <= high:
                first, last = int(axis.coarse[low]), int(axis.coarse[high])
                mask = ((1 << last + 1) - 1) & ~((1 << first) - 1) & self.masks[place]
                mask &= ~(1 << axis.axis.missing_cell)
            if part.missing[0, place]:
                mask |= 1 << axis.axis.missing_cell
            found.append(mask)
        return tuple(found)

    def row(self, part: Reach, cells: tuple[int, ...]) -> np.ndarray:
        """A row of a part in these cells of the rules.  (n_axes,) int32"""
        found = np.empty(len(self.grid), np.int32)
        for place, (axis, cell) in enumerate(zip(self.grid, cells)):
            if self.in_sets[place]:
                here = self.sets.unpacked(place, part.words[0], axis.n_cells)
                found[place] = np.flatnonzero(here & (axis.coarse == cell))[0]
            elif cell == axis.axis.missing_cell:
                found[place] = axis.missing_cell
            else:
                first = int(np.searchsorted(axis.coarse[:-1], cell, side="left"))
                found[place] = max(int(part.low[0, place]), first)
        return found


def _as_bits(cells: np.ndarray) -> int:
    found = 0
    for cell in set(cells.tolist()):
        found |= 1 << cell
    return found
