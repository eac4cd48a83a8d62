"""Coordinate descent under the budget itself: each split in turn, the gap kept at most eps."""

from __future__ import annotations

import numpy as np

from arbitree.tree.budget.bins import Bins, differences
from arbitree.tree.budget.mask_tree import MaskTree, decided, leaf_cells
from arbitree.tree.budget.problem import ROUNDING, Problem
from arbitree.tree.budget.reshape import LeafSizes, by_depth, cut_codes, cut_sums, prime

SMALLEST_GAIN = 1e-10  # of an error rate


def polish(
    problem: Problem,
    bins: Bins,
    tree: MaskTree,
    eps: float,
    *,
    prices: np.ndarray,
    min_samples_leaf: float,
    max_sweeps: int = 6,
) -> None:
    """Lower the errors of a tree that keeps the budget, one split at a time, keeping the budget.

    Parameters
    ----------
    prices : (k, n_rates) float64
        Levels of a category are parted by what they cost at each of these prices on the rates.
    """
    sizes = LeafSizes(problem=problem, bins=bins, least=min_samples_leaf)
    measures = np.column_stack([problem.error, problem.rates.T])
    for _ in range(max_sweeps):
        prime(tree)
        error, rates = problem.measure(decided(tree, leaf_cells(problem, tree)))
        at = np.concatenate([[error], rates])
        improved = False
        for nodes in by_depth(tree):
            changes = differences(problem, bins, tree, nodes) @ measures
            rows = sizes.of_bottom(tree, nodes)
            for i, node in enumerate(nodes.tolist()):
                candidates = _Candidates(bins, tree, node, changes[:, i], prices)
                if rows is not None:
                    candidates.refuse(sizes, rows[:, i])
                best = candidates.best(problem, at, eps)
                if best is not None and sizes.set_split(tree, node, *candidates.split(best)):
                    at = candidates.after(at, best)
                    improved = True
        if not improved:
            break


class _Candidates:
    """Splits of a node, and what each changes against sending nothing to the second side.

    They are cuts (above or below, with or without missing values), every category parted at every
    price, and, of the node's own category, every level moved to the other side.
    """

    def __init__(
        self, bins: Bins, tree: MaskTree, node: int, changes: np.ndarray, prices: np.ndarray
    ) -> None:
        self.bins, self.changes = bins, changes
        self.j = int(tree.feature[node])
        codes = bins.of(self.j)
        self.mask = tree.mask[node, : codes.stop - codes.start].astype(bool)
        of_levels = changes[bins.levels]
        self.parted = of_levels[:, :1] + of_levels[:, 1:] @ prices.T < 0
        self.is_category = self.j in bins.feature[bins.levels[bins.categories]]
        self.value = self._sums(changes)
        self.now = changes[codes][self.mask].sum(axis=0)
        self.allowed = np.ones(len(self.value), bool)

    def _sums(self, amounts: np.ndarray) -> np.ndarray:
        """What each candidate sends to the second side.  (total, ...) -> (n_candidates, ...)"""
        bins = self.bins
        found = list(cut_sums(bins, amounts))
        if bins.some_missing:
            found += [sums + amounts[bins.missing] for sums in found]
        if len(bins.categories):
            parts = self.parted[..., None] * amounts[bins.levels][:, None]
            sums = np.add.reduceat(parts, bins.categories, axis=0)
            found.append(sums.reshape(-1, *amounts.shape[1:]))
        if self.is_category:
            of_codes = amounts[bins.of(self.j)]
            now = of_codes[self.mask].sum(axis=0)
            found.append(now + np.where(self.mask, -1, 1)[:, None] * of_codes)
        return np.concatenate(found)

    def refuse(self, sizes: LeafSizes, rows: np.ndarray) -> None:
        """Leave out splits with too few rows on a side; `rows` of the node by code, (total,)."""
        if not np.isinf(rows).any():
            second = self._sums(rows[:, None])[:, 0]
            self.allowed = sizes.allow(second, rows[self.bins.of(0)].sum())

    def best(self, problem: Problem, at: np.ndarray, eps: float) -> int | None:
        """The candidate with fewest errors within the budget; None if none has fewer than now."""
        value = at - self.now + self.value
        fewer = (value[:, 0] < at[0] - SMALLEST_GAIN) & self.allowed
        places = np.flatnonzero(fewer)
        places = places[problem.gap(value[places, 1:]) <= eps + ROUNDING / 2]
        return int(places[np.argmin(value[places, 0])]) if len(places) else None

    def after(self, at: np.ndarray, place: int) -> np.ndarray:
        """Errors and rates with a candidate."""
        return at - self.now + self.value[place]

    def split(self, place: int) -> tuple[int, np.ndarray]:
        """The column of a candidate, and which of its codes go to the second side."""
        bins, n_cuts = self.bins, len(self.bins.cuts)
        n_of_cuts = n_cuts * (4 if bins.some_missing else 2)
        if place < n_of_cuts:
            kind, cut = divmod(place, n_cuts)
            return cut_codes(bins, cut, above=kind % 2 == 0, missing=kind >= 2)
        place -= n_of_cuts
        if place < len(bins.categories) * self.parted.shape[1]:
            category, price = divmod(place, self.parted.shape[1])
            start = bins.categories[category]
            j = int(bins.feature[bins.levels[start]])
            codes = bins.of(j)
            return j, self.parted[start : start + codes.stop - codes.start, price]
        place -= len(bins.categories) * self.parted.shape[1]
        second = self.mask.copy()
        second[place] = not second[place]
        return self.j, second
