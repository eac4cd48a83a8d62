"""Splits in two: a number at or below a threshold, a category in or outside of a set of levels.

Every threshold between two values of a node is tried, with missing values on either side. Of a
category's subsets the best is exact for two classes: with levels sorted by the rate of a class,
one of the prefixes is best (Breiman et al., Classification and Regression Trees, 1984, theorem
4.5), a missing value being one more level. For more classes the prefixes of one such order for
each class are tried, which is a heuristic; so it is with a bound on the split's gap, which the
best of all subsets may meet where no prefix does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.model.tree import n_left_codes
from arbitree.table.codings import NumericCoding
from arbitree.table.edges import between
from arbitree.tree.cells import Histograms
from arbitree.tree.split import ROUNDING, Setting, Split

_MISSING_RIGHT, _MISSING_LEFT = 0, 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Block:
    """Candidates: the first cells of a feature up to a position, in some order."""

    cells: np.ndarray  # (m,) int64, positions
    order: np.ndarray | None  # (n_category_cells, n_nodes) int64, cells of categories in order
    gain: np.ndarray  # (m, n_nodes) float64; -inf where not allowed
    variant: int


class ThresholdFinder:
    """Best split in two of each node.

    Parameters
    ----------
    setting : Setting
    categories : bool
        Whether categories are split too.
    """

    def __init__(self, setting: Setting, *, categories: bool = True) -> None:
        self.setting = setting
        layout = setting.layout
        in_category = layout.is_category[layout.feature]
        self.category_cells = np.flatnonzero(in_category & categories)
        self.excluded = np.flatnonzero(in_category & ~np.bool_(categories))
        numbers = ~in_category
        numbers[layout.missing] = False
        self.number_cells = np.flatnonzero(numbers)
        self.offset = layout.feature[self.category_cells].astype(np.float64) * 4

    def find(self, hist: Histograms) -> list[Split | None]:
        """The best split of each node; of equal ones the first feature, the lowest threshold."""
        sums = self.setting.sums(hist)
        total = sums[self.setting.layout.cells(0)].sum(axis=0)
        blocks = self._blocks(hist, sums, total)
        best, chosen, block = _first_best(blocks, self.setting.worth(total), total.sum(axis=-1))
        splits: list[Split | None] = []
        for node in range(hist.n_nodes):
            if not np.isfinite(best[node]):
                splits.append(None)
                continue
            found = blocks[block[node]]
            splits.append(self._split(hist.n[:, node], found, int(chosen[node]), node, best[node]))
        return splits

    def _blocks(self, hist: Histograms, sums: np.ndarray, total: np.ndarray) -> list[_Block]:
        n_orders = 1 if self.setting.n_classes <= 2 else self.setting.n_classes
        blocks = []
        every = np.arange(self.setting.layout.n_cells)
        for k in range(n_orders if len(self.category_cells) else 1):
            order = self._order(sums, hist.n, 1 if n_orders == 1 else k)
            left, left_n = self._prefixes(sums, hist.n, order)
            cells = every if k == 0 else self.category_cells
            if k:
                left, left_n = left[cells], left_n[cells]
            gain = self._gain(left, left_n, total, hist.n)
            if k == 0:
                gain[self.excluded] = -np.inf
            blocks.append(_Block(cells=cells, order=order, gain=gain, variant=_MISSING_RIGHT))
            if k == 0:
                blocks += self._missing_left(hist, sums, left, left_n, total)
        return blocks

    def _order(self, sums: np.ndarray, n: np.ndarray, of_class: int) -> np.ndarray | None:
        """Cells of categories by the rate of a class within their feature; empty ones last."""
        if not len(self.category_cells):
            return None
        weights = sums[self.category_cells, :, : self.setting.n_classes]
        total = weights.sum(axis=-1)
        of_class = min(of_class, self.setting.n_classes - 1)
        rate = np.divide(weights[..., of_class], total, out=np.ones_like(total), where=total > 0)
        rate[n[self.category_cells] == 0] = 2.0
        order = np.argsort(rate + self.offset[:, None], axis=0, kind="stable")
        return self.category_cells[order]

    def _prefixes(
        self, sums: np.ndarray, n: np.ndarray, order: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the cells of a feature up to each, categories in `order`."""
        layout = self.setting.layout
        if order is not None:
            sums, n = sums.copy(), n.copy()
            sums[self.category_cells] = np.take_along_axis(sums, order[..., None], axis=0)
            n[self.category_cells] = np.take_along_axis(n, order, axis=0)
        left, left_n = np.empty_like(sums), np.empty_like(n)
        for j in range(len(layout.is_category)):
            cells = layout.cells(j)
            np.cumsum(sums[cells], axis=0, out=left[cells])
            np.cumsum(n[cells], axis=0, out=left_n[cells])
        return left, left_n

    def _missing_left(
        self,
        hist: Histograms,
        sums: np.ndarray,
        left: np.ndarray,
        left_n: np.ndarray,
        total: np.ndarray,
    ) -> list[_Block]:
        """The same thresholds with missing values on the left, where there are any."""
        layout = self.setting.layout
        some = (hist.n[layout.missing] > 0).any(axis=1)
        cells = self.number_cells[some[layout.feature[self.number_cells]]]
        if not len(cells):
            return []
        missing = layout.missing[layout.feature[cells]]
        gain = self._gain(
            left[cells] + sums[missing], left_n[cells] + hist.n[missing], total, hist.n
        )
        gain[left_n[cells] == 0] = -np.inf  # missing values alone: already tried on the right
        return [_Block(cells=cells, order=None, gain=gain, variant=_MISSING_LEFT)]

    def _gain(
        self, left: np.ndarray, left_n: np.ndarray, total: np.ndarray, n: np.ndarray
    ) -> np.ndarray:
        """Worth of both sides; -inf where a side is too small or the gap too wide."""
        least = self.setting.options.min_samples_leaf
        total_n = n[self.setting.layout.cells(0)].sum(axis=0)
        right = total - left
        gain = self.setting.worth(left) + self.setting.worth(right)
        small = (left_n < least) | (total_n - left_n < least)
        gain[small | self.setting.too_light(left) | self.setting.too_light(right)] = -np.inf
        wide = self.setting.too_wide(left, total)
        if wide is not None:
            gain[wide] = -np.inf
        return gain

    def _split(self, n: np.ndarray, block: _Block, position: int, node: int, gain: float) -> Split:
        """The split of a candidate; n (n_cells,) are the rows of its node."""
        layout = self.setting.layout
        j = int(layout.feature[position])
        cells = layout.cells(j)
        coding = self.setting.table.features[j].coding
        if isinstance(coding, NumericCoding):
            k = position - cells.start
            return number_split(j, coding, n[cells], k, block.variant == _MISSING_LEFT, gain)
        assert block.order is not None
        place = int(np.searchsorted(self.category_cells, cells.start))
        first = block.order[place : place + position - cells.start + 1, node] - cells.start
        return level_split(j, n[cells], first, gain)


def number_split(
    j: int, coding: NumericCoding, n: np.ndarray, k: int, missing_left: bool, gain: float
) -> Split:
    """The split of a number after code k, which some row of the node has.

    The threshold is in the middle between the values on both sides; of bins, it is the middle
    edge. A missing value that no row has goes where more rows go.

    Parameters
    ----------
    n : ndarray of int64, shape (n_codes,)
        Rows of the node by code, missing last.
    """
    above = np.flatnonzero(n[k + 1 : -1])
    following = k + 1 + int(above[0]) if len(above) else coding.n_values
    threshold = _middle(coding, k, following)
    sides = np.ones(len(n), np.uint16)
    sides[: n_left_codes(coding, threshold)] = 0
    if not n[-1]:
        missing_left = bool(n[: k + 1].sum() >= n[k + 1 :].sum())
    sides[-1] = 0 if missing_left else 1
    return Split(feature=j, sides=sides, n_children=2, gain=gain, threshold=threshold)


def level_split(j: int, n: np.ndarray, first: np.ndarray, gain: float) -> Split:
    """The split that sends the levels of these codes to the first child.

    Levels that no row of the node has go where more rows go.
    """
    sides = np.ones(len(n), np.uint16)
    sides[first] = 0
    sides[n == 0] = 0 if n[sides == 0].sum() >= n[sides == 1].sum() else 1
    return Split(feature=j, sides=sides, n_children=2, gain=gain)


def _middle(coding: NumericCoding, k: int, following: int) -> float:
    """A threshold with code k on its left and the `following` code on its right."""
    if following == coding.n_values:
        return np.inf
    if coding.exact and coding.values is not None:
        low, high = coding.values[[k, following]].astype(np.float32)
        return float(between(np.array([low]), np.array([high]))[0])
    return float(coding.edges[(k + following - 1) // 2])


def _first_best(
    blocks: Sequence[_Block], worth: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each node the gain, the position and the block of its best candidate.

    Of candidates whose gains are equal but for rounding, the first feature's first wins.
    """
    gain = np.concatenate([block.gain for block in blocks])
    position = np.concatenate([block.cells for block in blocks])
    of_block = np.repeat(np.arange(len(blocks)), [len(block.cells) for block in blocks])
    if len(blocks) > 1:
        rank = np.argsort(position, kind="stable")
        gain, position, of_block = gain[rank], position[rank], of_block[rank]
    best = gain.max(axis=0)
    chosen = np.argmax(gain >= best - ROUNDING * weight, axis=0)
    return best - worth, position[chosen], of_block[chosen]
