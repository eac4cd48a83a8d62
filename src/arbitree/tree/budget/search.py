"""The whole-tree budget: one tree whose training gap is at most eps, with few training errors.

For each of some prices on the rates a tree is grown on what decisions cost, and its splits are
re-optimised one by one. All budgets share these trees. For a budget, the most promising ones get
the best labels that keep it, then their splits are re-optimised under the budget itself.

The gap is bounded exactly, up to a rounding of 1e-12. That the errors are the fewest possible is
not claimed: see `arbitree.tree.budget.exact` for small depths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import Tree
from arbitree.tree.budget import growth
from arbitree.tree.budget.all_splits import AllSplits, all_splits, distinct_rows
from arbitree.tree.budget.bins import Bins, bins_of
from arbitree.tree.budget.exact import ExactSearch, n_products
from arbitree.tree.budget.expected import expected
from arbitree.tree.budget.few_leaves import limit_leaves
from arbitree.tree.budget.finish import finished
from arbitree.tree.budget.labels import best_labels
from arbitree.tree.budget.lookahead import cheapest_of_depth_2, pairs_of
from arbitree.tree.budget.mask_tree import MaskTree, decided, leaf_cells
from arbitree.tree.budget.other_splits import grown_path
from arbitree.tree.budget.polish import polish
from arbitree.tree.budget.prices import try_prices
from arbitree.tree.budget.problem import Problem, problem_of
from arbitree.tree.budget.tao import alternate
from arbitree.tree.budget.tuning import tuned
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget, Parity
from arbitree.tree.table import TrainingTable

DEFAULT_DEPTH = 5
N_PRICES, N_PRICES_OF_EXPECTED = 12, 8  # expected errors change less from price to price
N_STARTS = 3  # trees that are polished for a single budget
N_PARTING = 8  # prices at which levels of a category are parted
COARSE = (12, 6, 3, 1)  # cuts of a number in the trees of depth 2 that growth starts from
MOST_PRODUCTS_OF_PAIRS = 2e9  # to find those trees
N_OF_PATH = 1  # trees that are polished for each of several budgets
MOST_PRODUCTS = {2: 4e9, 3: 1e9}  # of the exact search, by depth: about 2 s
FEWEST_ROWS, MOST_ROWS = 200, 100_000  # of a table whose expected errors count by default
MOST_CUTS = (255, 64, 32, 16, 8)  # of a number in the exact search, as many as it has time for


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
        What is compared is in the table; of ``parity`` the margin counts. Leaves have at least
        half of ``min_samples_split`` rows.

    Returns
    -------
    list of Tree
        In the order of `eps_values`. A larger budget never has more training errors.
    """
    _refuse(table, options)
    own, options = tuned(table, eps_values, options, _path)
    return _path(table, own, options)


def _path(table: TrainingTable, eps_values: Sequence[float], options: GrowthOptions) -> list[Tree]:
    if options.split != "threshold":
        depth = DEFAULT_DEPTH if options.max_depth is None else options.max_depth
        return grown_path(table, eps_values, replace(options, max_depth=depth))
    search = _Search(table, options)
    return [finished(tree, table) for tree in search.path(eps_values)]


def _refuse(table: TrainingTable, options: GrowthOptions) -> None:
    if options.min_weight_fraction_leaf and not table.counts_rows:
        raise InputError(
            "GapBudget takes min_weight_fraction_leaf with whole weights only. Pass "
            "min_samples_leaf."
        )
    asked = isinstance(options.parity, GapBudget) and options.parity.errors == "expected"
    if asked and options.split != "threshold":
        raise InputError(
            f"errors='expected' is for split='threshold', and split is {options.split!r}. "
            "Pass errors='training'."
        )
    for name in ("ccp_alpha", "min_impurity_decrease"):
        if getattr(options, name):
            raise InputError(
                f"{name} is {getattr(options, name)}, and GapBudget prunes by what decisions cost. "
                "Pass max_leaf_nodes or min_samples_leaf for a smaller tree."
            )


def _expects_errors(parity: Parity | None, depth: int, n_rows: float) -> bool:
    """Whether the search is on expected errors."""
    asked = parity.errors if isinstance(parity, GapBudget) else "auto"
    if asked != "auto":
        return asked == "expected"
    return depth > max(MOST_PRODUCTS) and FEWEST_ROWS <= n_rows <= MOST_ROWS


@dataclass(frozen=True, slots=True, eq=False)
class _Start:
    """A tree found at some price."""

    tree: MaskTree
    cells: np.ndarray  # (n_nodes, n_cells)

    def cost(self, cost: np.ndarray) -> float:
        """Of its best labels, when deciding a unit of a cell's weight 1 costs so much."""
        return float(np.minimum(self.cells @ cost, 0).sum())


class _Search:
    def __init__(self, table: TrainingTable, options: GrowthOptions) -> None:
        self.given: Problem = problem_of(table)
        self.max_depth = DEFAULT_DEPTH if options.max_depth is None else options.max_depth
        smooth = _expects_errors(options.parity, self.max_depth, float(self.given.sizes.sum()))
        self.problem: Problem = expected(self.given) if smooth else self.given
        self.bins: Bins = bins_of(self.problem)
        self.most_leaves = options.max_leaf_nodes or 2**31
        share = options.min_weight_fraction_leaf * float(self.problem.sizes.sum())
        self.least = max(float(options.min_samples_leaf), share, options.min_samples_split / 2)
        self.impurity = growth.gini if options.criterion == "gini" else growth.entropy
        self.rows = distinct_rows(self.problem)
        coarse = self._splits(COARSE, 2, MOST_PRODUCTS_OF_PAIRS) if self.max_depth >= 2 else None
        self.pairs = None if coarse is None else pairs_of(self.problem, coarse)
        self.starts: list[_Start] = []
        self.prices: list[np.ndarray] = []

    def path(self, eps_values: Sequence[float]) -> list[MaskTree]:
        """The best tree found for each budget."""
        n_prices = N_PRICES if self.problem is self.given else N_PRICES_OF_EXPECTED
        try_prices(self.problem, self._at_price, n_prices)
        order = np.argsort(np.asarray(eps_values, float), kind="stable").tolist()
        eps = [float(eps_values[place]) for place in order]
        found: list[tuple[float, MaskTree]] = []
        n_starts = N_STARTS if len(eps) == 1 else N_OF_PATH
        for bound, small in zip(eps, self._of_depth_2(eps)):
            starts = self._likely(bound, n_starts)
            starts += self._above(small, starts[0], bound)
            found.append(self._best(found, starts, bound))
        found = self._by_training_errors(self._exact(found, eps))
        trees = dict(zip(order, (tree for _, tree in found)))
        return [trees[place] for place in range(len(eps_values))]

    def _by_training_errors(
        self, found: list[tuple[float, MaskTree]]
    ) -> list[tuple[float, MaskTree]]:
        """Of each budget's tree and those of smaller ones the one with fewest training errors."""
        if self.problem is self.given:
            return found
        leaf = MaskTree(int(self.problem.n_codes.max()))
        leaf.label[0] = self.given.error @ self.given.total < 0
        best: list[tuple[float, MaskTree]] = [(np.inf, leaf)]
        for tree in [leaf, *(tree for _, tree in found)]:
            error = self.given.measure(decided(tree, leaf_cells(self.given, tree)))[0]
            best.append(min([(error, tree), best[-1]], key=lambda pair: pair[0]))
        return best[2:]

    def _best(
        self, known: list[tuple[float, MaskTree]], starts: Sequence[_Start], eps: float
    ) -> tuple[float, MaskTree]:
        """The best tree that starts lead to, or the one of the largest smaller budget."""
        starts = list(starts)
        if known:
            starts.append(self._start(known[-1][1]))
        found = [self._within(start, eps) for start in starts] + known[-1:]
        return min(found, key=lambda pair: pair[0])

    def _likely(self, eps: float, n_starts: int) -> list[_Start]:
        promise = [self._promise(start, eps) for start in self.starts]
        return [self.starts[i] for i in np.argsort(promise, kind="stable")[:n_starts]]

    def _start(self, tree: MaskTree) -> _Start:
        return _Start(tree, leaf_cells(self.problem, tree))

    def _exact(
        self, found: list[tuple[float, MaskTree]], eps: Sequence[float]
    ) -> list[tuple[float, MaskTree]]:
        """The same trees or better ones, where all trees can be searched."""
        depth = self.max_depth
        few = self.most_leaves < 2**depth
        if depth not in (2, 3) or few or len(self.problem.rates) != 2:
            return found
        done = depth == 2 and self.pairs is not None and self.pairs.splits.complete
        splits = None if done else self._splits(MOST_CUTS, depth, MOST_PRODUCTS[depth])
        if splits is None:
            return found
        fewest = [error - self.problem.error_of_none for error, _ in found]
        search = self._exact_search(splits, depth, eps, fewest)
        search.run()
        better: list[tuple[float, MaskTree]] = []
        for q, bound in enumerate(eps):
            tree = search.tree(q, int(self.problem.n_codes.max()))
            starts = [] if tree is None else [self._start(tree)]
            known = min([found[q], *better[-1:]], key=lambda pair: pair[0])
            better.append(self._best([known], starts, bound))
        return better

    def _exact_search(
        self, splits: AllSplits, depth: int, eps: Sequence[float], fewest: Sequence[float]
    ) -> ExactSearch:
        """The exact search over these splits."""
        without = self.problem.measure(decided(self.starts[0].tree, self.starts[0].cells))[1]
        return ExactSearch(
            splits,
            depth=depth,
            eps=eps,
            fewest=fewest,
            prices=[float(prices[1]) for prices in self.prices],
            side=1.0 if without[1] >= without[0] else -1.0,
            min_samples_leaf=self.least,
        )

    def _of_depth_2(self, eps: Sequence[float]) -> list[MaskTree | None]:
        """For each budget the best tree of depth 2 with few cuts, where there are two rates."""
        if self.pairs is None or len(self.problem.rates) != 2 or self.most_leaves < 4:
            return [None] * len(eps)
        search = self._exact_search(self.pairs.splits, 2, eps, [np.inf] * len(eps))
        search.run(self.pairs.amounts(self.problem))
        return [search.tree(q, int(self.problem.n_codes.max())) for q in range(len(eps))]

    def _above(self, small: MaskTree | None, likely: _Start, eps: float) -> list[_Start]:
        """The start from a tree of depth 2, where it has fewer errors than a likely start."""
        if small is None:
            return []
        start = self._start(small)
        labels = best_labels(self.problem, likely.cells, eps)
        least, error = (
            self.problem.measure((chosen == 1) @ cells)[0]
            for chosen, cells in ((labels, likely.cells), (small.label, start.cells))
        )
        if error >= least:
            return []
        if self.max_depth == 2:
            return [start]
        price = self.prices[int(np.argmax(self._bounds(likely, eps)))]
        return [start, self._small(self.problem.cost(price), small.copy())]

    def _splits(
        self, most_cuts: Sequence[int], depth: int, most_products: float
    ) -> AllSplits | None:
        """As many splits as there is time to search."""

        def affordable(n_rows: int, n_splits: int) -> bool:
            return n_products(n_rows, n_splits, depth) <= most_products and n_splits > 0

        return all_splits(self.rows, self.problem, most_cuts, affordable)

    def _at_price(self, prices: np.ndarray) -> np.ndarray:
        """Grow a tree at some prices and keep it; its rates."""
        cost = self.problem.cost(prices)
        found = [self._small(cost, None)]
        if self.pairs is not None:
            ahead = cheapest_of_depth_2(self.problem, self.pairs, cost, min_samples_leaf=self.least)
            found.append(self._small(cost, ahead))
        self.starts += found
        self.prices.append(prices)
        best = min(found, key=lambda start: start.cost(cost))
        return self.problem.measure(decided(best.tree, best.cells))[1]

    def _small(self, cost: np.ndarray, tree: MaskTree | None) -> _Start:
        """A tree grown at a cost, with no more leaves than it may have."""
        start = self._grown(cost, tree)
        if np.count_nonzero(start.tree.feature < 0) <= self.most_leaves:
            return start
        small = self._start(start.tree.compact(start.cells))
        tree = limit_leaves(small.tree, small.cells, cost, self.most_leaves)
        self._alternate(tree, cost)
        return self._start(tree)

    def _grown(self, cost: np.ndarray, tree: MaskTree | None) -> _Start:
        tree = growth.grow(
            self.problem,
            self.bins,
            cost,
            max_depth=self.max_depth,
            min_samples_leaf=self.least,
            impurity=self.impurity,
            tree=tree,
        )
        self._alternate(tree, cost)
        return self._start(tree)

    def _alternate(self, tree: MaskTree, cost: np.ndarray) -> None:
        alternate(self.problem, self.bins, tree, cost, min_samples_leaf=self.least)

    def _promise(self, start: _Start, eps: float) -> float:
        """A bound from below on the errors of a tree's labels within a budget."""
        return float(self._bounds(start, eps).max())

    def _bounds(self, start: _Start, eps: float) -> np.ndarray:
        """The Lagrangian bound at each of the prices tried.

        Raising a price by 1 costs half the budget at most, since the prices of a family add up
        to 0.
        """
        costs = start.cells @ self.problem.cost(np.array(self.prices)).T
        bound: np.ndarray = np.minimum(costs, 0).sum(axis=0)
        return bound - eps * np.abs(self.prices).sum(axis=1) / 2

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
