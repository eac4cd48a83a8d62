"""Tree alternating optimisation: each node's split in turn, the rest of the tree fixed, leaves up.

References
----------
Carreira-Perpinan and Tavallali, "Alternating optimization of decision trees, with application to
learning sparse oblique trees", 2018. Here the reduced problem of a node is solved exactly, over all
cuts of numbers and all subsets of levels.
"""

from __future__ import annotations

import numpy as np

from arbitree.tree.budget.bins import Bins, differences
from arbitree.tree.budget.growth import relabel
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import Problem
from arbitree.tree.budget.reshape import LeafSizes, by_depth, cut_codes, cut_sums, prime

SMALLEST_GAIN = 1e-10  # of a cost that is a share of all rows


def alternate(
    problem: Problem,
    bins: Bins,
    tree: MaskTree,
    cost: np.ndarray,
    *,
    min_samples_leaf: float,
    max_sweeps: int = 4,
) -> None:
    """Lower the cost of a tree's decisions until no single split can, or `max_sweeps` times."""
    sizes = LeafSizes(problem=problem, bins=bins, least=min_samples_leaf)
    for _ in range(max_sweeps):
        prime(tree)
        improved = False
        for nodes in by_depth(tree):
            costs = differences(problem, bins, tree, nodes) @ cost
            cheapest = _Cheapest(bins, costs, sizes, sizes.of_bottom(tree, nodes))
            for i, node in enumerate(nodes.tolist()):
                j = int(tree.feature[node])
                of_codes = costs[bins.of(j), i]
                now = of_codes @ tree.mask[node, : len(of_codes)]
                if cheapest.cost[i] < now - SMALLEST_GAIN:
                    improved |= sizes.set_split(tree, node, *cheapest.split(i))
        relabel(problem, tree, cost)
        if not improved:
            break


class _Cheapest:
    """The cheapest split of each node; `costs` of sending a code to the second side."""

    def __init__(
        self, bins: Bins, costs: np.ndarray, sizes: LeafSizes, rows: np.ndarray | None
    ) -> None:
        self.bins, self.costs = bins, costs
        missing = np.minimum(costs[bins.missing], 0)
        cheap_levels = np.minimum(costs[bins.levels], 0)
        found = [sums + missing for sums in cut_sums(bins, costs)]
        if len(bins.categories):
            found.append(np.add.reduceat(cheap_levels, bins.categories, axis=0))
        cost = np.concatenate(found)
        if rows is not None:
            cost[~sizes.allow(self._sizes(rows), rows[bins.of(0)].sum(axis=0))] = np.inf
        of_category = bins.feature[bins.levels][bins.categories]
        of_cut = bins.feature[bins.cuts]
        by_column = np.argsort(np.concatenate([of_cut, of_cut, of_category]), kind="stable")
        self.best = by_column[np.argmin(cost[by_column], axis=0)]
        self.cost = cost[self.best, np.arange(cost.shape[1])]

    def _sizes(self, rows: np.ndarray) -> np.ndarray:
        """Rows that each candidate sends to the second side."""
        bins = self.bins
        rows = np.where(np.isinf(rows), 0, rows)
        missing = np.where(self.costs[bins.missing] < 0, rows[bins.missing], 0)
        levels = np.where(self.costs[bins.levels] < 0, rows[bins.levels], 0)
        found = [sums + missing for sums in cut_sums(bins, rows)]
        if len(bins.categories):
            found.append(np.add.reduceat(levels, bins.categories, axis=0))
        return np.concatenate(found)

    def split(self, i: int) -> tuple[int, np.ndarray]:
        """The column, and which of its codes go to the second side."""
        bins, best, n_cuts = self.bins, int(self.best[i]), len(self.bins.cuts)
        if best >= 2 * n_cuts:
            j = int(bins.feature[bins.levels[bins.categories[best - 2 * n_cuts]]])
            return j, self.costs[bins.of(j), i] < 0
        missing = bool(self.costs[bins.missing[best % n_cuts], i] < 0)
        return cut_codes(bins, best % n_cuts, above=best < n_cuts, missing=missing)
