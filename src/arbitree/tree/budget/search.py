"""The whole-tree budget: one tree whose training gap is at most eps, with few training errors.

For each of some prices on the rates a tree is grown on what decisions cost, and its splits are
re-optimised one by one. All budgets share these trees. For a budget, the most promising ones get
the best labels that keep it, then their splits are re-optimised under the budget itself.

The gap is bounded exactly, up to a rounding of 1e-12. That the errors are the fewest possible is
not claimed: see `arbitree.tree.budget.exact` for small depths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import Tree
from arbitree.tree.budget import growth
from arbitree.tree.budget.bins import Bins, bins_of
from arbitree.tree.budget.few_leaves import limit_leaves
from arbitree.tree.budget.finish import finished
from arbitree.tree.budget.labels import best_labels
from arbitree.tree.budget.mask_tree import MaskTree, decided, leaf_cells
from arbitree.tree.budget.polish import polish
from arbitree.tree.budget.prices import try_prices
from arbitree.tree.budget.problem import Problem, problem_of
from arbitree.tree.budget.tao import alternate
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.table import TrainingTable

DEFAULT_DEPTH = 5
N_PRICES = 14
N_STARTS = 2  # trees that are polished for a budget
N_PARTING = 8  # prices at which levels of a category are parted


def fit_budget(table: TrainingTable, options: GrowthOptions) -> Tree:
    """The tree of the budget in ``options.parity``.

    Raises
    ------
    InputError
        If the table compares no groups, or an option has no meaning for a budget.
    """
    if not isinstance(options.parity, GapBudget):
        raise InputError(f"parity is {options.parity!r}, not a GapBudget.")
    return budget_path(table, [options.parity.eps], options)[0]


def budget_path(
    table: TrainingTable, eps_values: Sequence[float], options: GrowthOptions
) -> list[Tree]:
    """Trees for several budgets, which share most of the work.

    Parameters
    ----------
    table : TrainingTable
    eps_values : sequence of float
        Budgets, in any order.
    options : GrowthOptions
        Its ``parity`` is not looked at: what is compared is in the table.

    Returns
    -------
    list of Tree
        In the order of `eps_values`. A larger budget never has more training errors.
    """
    _refuse(options)
    search = _Search(table, options)
    return [finished(tree, table) for tree in search.path(eps_values)]


def _refuse(options: GrowthOptions) -> None:
    for name in ("ccp_alpha", "min_impurity_decrease"):
        if getattr(options, name):
            raise InputError(
                f"{name} is {getattr(options, name)}, and GapBudget prunes by what decisions cost. "
                "Pass max_leaf_nodes or min_samples_leaf for a smaller tree."
            )


@dataclass(frozen=True, slots=True, eq=False)
class _Start:
    """A tree found at some price."""

    tree: MaskTree
    cells: np.ndarray  # (n_nodes, n_cells)


class _Search:
    def __init__(self, table: TrainingTable, options: GrowthOptions) -> None:
        self.problem: Problem = problem_of(table)
        self.bins: Bins = bins_of(self.problem)
        self.max_depth = DEFAULT_DEPTH if options.max_depth is None else options.max_depth
        self.most_leaves = options.max_leaf_nodes or 2**31
        share = options.min_weight_fraction_leaf * float(self.problem.sizes.sum())
        self.least = max(float(options.min_samples_leaf), share)
        self.impurity = growth.gini if options.criterion == "gini" else growth.entropy
        self.starts: list[_Start] = []
        self.prices: list[np.ndarray] = []

    def path(self, eps_values: Sequence[float]) -> list[MaskTree]:
        """The best tree found for each budget."""
        try_prices(self.problem, self._at_price, N_PRICES)
        promise = np.array(
            [[self._promise(start, eps) for start in self.starts] for eps in eps_values]
        )
        found: list[MaskTree] = [MaskTree(1)] * len(eps_values)
        fewest, best = np.inf, None
        for place in np.argsort(np.asarray(eps_values, float), kind="stable").tolist():
            for start in np.argsort(promise[place], kind="stable")[:N_STARTS]:
                error, tree = self._within(self.starts[start], eps_values[place])
                if error < fewest:
                    fewest, best = error, tree
            assert best is not None
            found[place] = best
        return found

    def _at_price(self, prices: np.ndarray) -> np.ndarray:
        """Grow a tree at some prices and keep it; its rates."""
        cost = self.problem.cost(prices)
        tree = growth.grow(
            self.problem,
            self.bins,
            cost,
            max_depth=self.max_depth,
            min_samples_leaf=self.least,
            impurity=self.impurity,
        )
        self._alternate(tree, cost)
        cells = leaf_cells(self.problem, tree)
        if np.count_nonzero(tree.feature < 0) > self.most_leaves:
            tree = tree.compact(cells)
            tree = limit_leaves(tree, leaf_cells(self.problem, tree), cost, self.most_leaves)
            self._alternate(tree, cost)
            cells = leaf_cells(self.problem, tree)
        self.starts.append(_Start(tree, cells))
        self.prices.append(prices)
        return self.problem.measure(decided(tree, cells))[1]

    def _alternate(self, tree: MaskTree, cost: np.ndarray) -> None:
        alternate(self.problem, self.bins, tree, cost, min_samples_leaf=self.least)

    def _promise(self, start: _Start, eps: float) -> float:
        """A bound from below on the errors of a tree's labels within a budget.

        The Lagrangian bound at the best of the prices tried: raising a price by 1 costs half the
        budget at most, since the prices of a family add up to 0.
        """
        costs = start.cells @ self.problem.cost(np.array(self.prices)).T
        bound = np.minimum(costs, 0).sum(axis=0)
        return float((bound - eps * np.abs(self.prices).sum(axis=1) / 2).max())

    def _within(self, start: _Start, eps: float) -> tuple[float, MaskTree]:
        """The errors and the tree that a start leads to within a budget."""
        tree = start.tree.copy()
        tree.label = best_labels(self.problem, start.cells, eps)
        prices = np.array(self.prices)[:: -(-len(self.prices) // N_PARTING)]
        error = np.inf
        for _ in range(2):
            polish(self.problem, self.bins, tree, eps, prices=prices, min_samples_leaf=self.least)
            cells = leaf_cells(self.problem, tree)
            before = self.problem.measure(decided(tree, cells))[0]
            tree.label = best_labels(self.problem, cells, eps)
            error = self.problem.measure(decided(tree, cells))[0]
            if error >= before - 1e-10:
                break
        return error, tree.compact(cells)
