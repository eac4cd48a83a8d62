"""Splits in two: a number at or below a threshold, a category in or outside of a set of levels.

Every threshold between two values of a node is tried, with missing values on either side. Of a
category's subsets the best is exact for two classes: with levels sorted by the rate of a class,
one of the prefixes is best (Breiman et al., Classification and Regression Trees, 1984, theorem
4.5), a missing value being one more level. For more classes the prefixes of one such order for
each class are tried, which is a heuristic; so it is with a bound on the split's gap, which the
best of all subsets may meet where no prefix does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.model.tree import n_left_codes
from arbitree.table.codings import NumericCoding
from arbitree.table.edges import between
from arbitree.tree.cells import Histograms
from arbitree.tree.entries import Entries, Totals, entries, first_best, totals
from arbitree.tree.split import ROUNDING, Setting, Split


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
        self.categories = categories
        self.cuts = _Cuts(setting)

    def find(self, hist: Histograms) -> list[Split | None]:
        """The best split of each node; of equal ones the first feature, the lowest threshold."""
        found = entries(self.setting, hist)
        whole = totals(self.setting, hist, ROUNDING)
        candidates = self._candidates(found, whole)
        chosen, nodes = first_best(found.node, candidates.gain, whole.rounding)
        splits: list[Split | None] = [None] * hist.n_nodes
        gains = (candidates.gain[chosen] - whole.worth[nodes]).tolist()
        more_left = 2 * candidates.left_n[chosen] >= whole.n[nodes]
        thresholds = self.cuts.after(found, chosen).tolist()
        for i, (entry, node) in enumerate(zip(chosen.tolist(), nodes.tolist())):
            j = int(found.feature[entry])
            cells = self.setting.layout.cells(j)
            n = hist.n[node, cells]
            if self.setting.layout.is_category[j]:
                first = candidates.first(found, entry) - cells.start
                splits[node] = level_split(j, n, first, gains[i])
            else:
                left = candidates.missing_left[entry] if n[-1] else more_left[i]
                n_left = int(found.cell[entry]) - cells.start + 1
                splits[node] = _cut(j, len(n), n_left, bool(left), thresholds[i], gains[i])
        return splits

    def _candidates(self, found: Entries, whole: Totals) -> _Candidates:
        """Every prefix of every run, ended by an entry."""
        layout = self.setting.layout
        category = layout.is_category[found.feature]
        is_missing = found.cell == layout.missing[found.feature]
        orders = [np.arange(len(found.cell))]
        if category.any() and self.categories:
            n_orders = self.setting.n_classes if self.setting.n_classes > 2 else 1
            orders = [self._order(found, category, k) for k in range(n_orders)]
        gain, left, left_n = self._gain(found, whole, orders[0])
        of_order = np.zeros(len(gain), np.int64)
        for k in range(1, len(orders)):
            other, _, _ = self._gain(found, whole, orders[k])
            better = category & (other > gain + whole.rounding[found.node])
            gain, of_order = np.where(better, other, gain), np.where(better, k, of_order)
        gain[(is_missing & ~category) | (category & (not self.categories))] = -np.inf
        missing_left = np.zeros(len(gain), bool)
        last = found.ends()[found.run]
        at = np.flatnonzero(is_missing[last] & ~category & ~is_missing)
        if len(at):
            with_missing = left[at] + found.sums[last[at]], left_n[at] + found.n[last[at]]
            other = self._worth(*with_missing, found.node[at], whole)
            missing_left[at] = other > gain[at] + whole.rounding[found.node[at]]
            gain[at] = np.where(missing_left[at], other, gain[at])
        return _Candidates(
            gain=gain,
            missing_left=missing_left,
            orders=orders,
            of_order=of_order,
            left_n=left_n,
        )

    def _order(self, found: Entries, category: np.ndarray, k: int) -> np.ndarray:
        """Entries with those of categories by the rate of a class within their run."""
        of_class = min(1, self.setting.n_classes - 1) if self.setting.n_classes <= 2 else k
        weights = found.sums[:, : self.setting.n_classes]
        total = weights.sum(axis=1)
        rate = np.divide(weights[:, of_class], total, out=np.zeros_like(total), where=total > 0)
        rank = np.arange(len(rate))
        at = np.flatnonzero(category)
        rank[at] = at[np.lexsort((rate[at], found.run[at]))]
        return rank

    def _gain(
        self, found: Entries, whole: Totals, order: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Worth of both sides of every prefix; what is on the left."""
        left = found.along(found.sums[order])
        left_n = found.along(found.n[order, None].astype(np.float64))[:, 0]
        return self._worth(left, left_n, found.node, whole), left, left_n

    def _worth(
        self, left: np.ndarray, left_n: np.ndarray, node: np.ndarray, whole: Totals
    ) -> np.ndarray:
        """Worth of both sides; -inf where a side is too small or the gap too wide."""
        setting, least = self.setting, self.setting.options.min_samples_leaf
        total, total_n = whole.sums[node], whole.n[node]
        right = np.maximum(total - left, 0.0)
        found = setting.worth(left) + setting.worth(right)
        bad = (left_n < least) | (total_n - left_n < least)
        bad |= setting.too_light(left) | setting.too_light(right)
        wide = setting.too_wide(left, total)
        found[bad if wide is None else bad | wide] = -np.inf
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Candidates:
    """Of each entry the split after it: what is up to it in its run goes left."""

    gain: np.ndarray  # (m,) float64, worth of both sides; -inf where not allowed
    missing_left: np.ndarray  # (m,) bool, of numbers
    orders: list[np.ndarray]  # each (m,) int64: entries, those of categories in some order
    of_order: np.ndarray  # (m,) int64: in which order a category's prefix is meant
    left_n: np.ndarray  # (m,) float64, rows on the left of numbers, missing ones not counted

    def first(self, found: Entries, entry: int) -> np.ndarray:
        """The cells of a category that go left."""
        order = self.orders[self.of_order[entry]]
        cells: np.ndarray = found.cell[order[found.start[found.run[entry]] : entry + 1]]
        return cells


class _Cuts:
    """Thresholds of numbers, by the cells on their two sides."""

    def __init__(self, setting: Setting) -> None:
        layout = setting.layout
        self.missing = layout.missing[layout.feature]
        self.exact = np.zeros(layout.n_cells, bool)
        self.values = np.zeros(layout.n_cells, np.float32)  # or the edge above a range
        for j, feature in enumerate(setting.table.features):
            coding, first = feature.coding, layout.cells(j).start
            if not isinstance(coding, NumericCoding):
                continue
            exact = coding.exact and coding.values is not None
            values = coding.values if exact and coding.values is not None else coding.edges
            self.exact[layout.cells(j)] = exact
            self.values[first : first + len(values)] = values

    def after(self, found: Entries, at: np.ndarray) -> np.ndarray:
        """The middle between an entry and the next of its run; of bins, the middle edge.

        Infinite where only missing values follow.  (m,) int64 -> (m,) float32
        """
        low = found.cell[at]
        high = found.cell[np.minimum(at + 1, found.ends()[found.run[at]])]
        edges = self.values[np.maximum(low + high - 1, 0) // 2]
        middles = between(self.values[low], self.values[high])
        cuts: np.ndarray = np.where(self.exact[low], middles, edges)
        return np.where(high == self.missing[low], np.float32(np.inf), cuts)


def _cut(
    j: int, n_codes: int, n_left: int, missing_left: bool, threshold: float, gain: float
) -> Split:
    sides = np.ones(n_codes, np.uint16)
    sides[:n_left] = 0
    sides[-1] = 0 if missing_left else 1
    return Split(feature=j, sides=sides, n_children=2, gain=gain, threshold=threshold)


def number_split(
    j: int,
    coding: NumericCoding,
    n: np.ndarray,
    threshold: float,
    missing_left: bool,
    gain: float,
) -> Split:
    """The split of a number; a missing value that no row has goes where more rows go.

    Parameters
    ----------
    n : ndarray of int64, shape (n_codes,)
        Rows of the node by code, missing last.
    """
    n_left = n_left_codes(coding, threshold)
    if not n[-1]:
        missing_left = bool(n[:n_left].sum() >= n[n_left:].sum())
    return _cut(j, len(n), n_left, missing_left, threshold, gain)


def level_split(j: int, n: np.ndarray, first: np.ndarray, gain: float) -> Split:
    """The split that sends the levels of these codes to the first child.

    Levels that no row of the node has go where more rows go.
    """
    sides = np.ones(len(n), np.uint16)
    sides[first] = 0
    sides[n == 0] = 0 if n[sides == 0].sum() >= n[sides == 1].sum() else 1
    return Split(feature=j, sides=sides, n_children=2, gain=gain)


def middle(coding: NumericCoding, k: int, following: int) -> float:
    """The middle between a code of a node and the following one; of bins, the middle edge.

    Infinite where only missing values follow.
    """
    if following == coding.n_values:
        return np.inf
    if coding.exact and coding.values is not None:
        low, high = coding.values[[k, following]].astype(np.float32)[:, None]
        return float(between(low, high)[0])
    return float(coding.edges[(k + following - 1) // 2])
