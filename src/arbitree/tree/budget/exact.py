"""Exact search for trees of depth 2 and 3 with two rates: branch and bound over all splits.

For a price, the cheapest stump below every node is read off a table of pairs of splits, so every
root has a Lagrangian bound. Roots, then splits below them, whose bound is no better than the best
tree known are left out. For the others, the best pair of subtrees that keeps the budget is found.

What is found is optimal among the trees of the splits given, up to 1e-10 of the error rate, where
`ExactSearch.optimal` says so. It does, unless both sides of the budget bind at some root of a tree
of depth 3 and that root has too many subtrees to be looked at one by one.

References
----------
Demirovic et al., "MurTree: Optimal Decision Trees via Dynamic Programming and Search", 2022, for
the tables of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arbitree.tree.budget.all_splits import AllSplits
from arbitree.tree.budget.fronts import Pair, Points, best_of_fronts, best_within
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import ROUNDING
from arbitree.tree.budget.subtrees import Depth2, Lot, Partner, Stumps

_SMALLEST_GAIN = 1e-10
N_OTHER_SIDE = 4  # one of so many prices is also tried on the other side
MOST_POINTS = 4_000_000  # subtrees below one split that are looked at one by one


def n_products(n_rows: int, n_splits: int, depth: int) -> float:
    """Multiplications that a search takes, about."""
    return float(n_rows) * n_splits**2 * (n_splits if depth == 3 else 1)


class ExactSearch:
    """Branch and bound for several budgets at once.

    Parameters
    ----------
    eps : sequence of float
    fewest : sequence of float
        For each budget the errors to beat, less those of deciding nothing 1.
    prices : sequence of float
        Of the difference of the two rates, on the side where it is without a budget.
    side : float
        1 or -1: that side.

    Attributes
    ----------
    optimal : (n_eps,) bool
        Whether no tree of these splits is better than the one found, or what was to be beaten.
    """

    def __init__(
        self,
        splits: AllSplits,
        *,
        depth: int,
        eps: Sequence[float],
        fewest: Sequence[float],
        prices: Sequence[float],
        side: float,
        min_samples_leaf: float = 1,
    ) -> None:
        self.splits, self.depth, self.least = splits, depth, min_samples_leaf
        self.eps, self.fewest = np.asarray(eps, float), np.array(fewest, float)
        self.prices = np.unique(np.abs(np.asarray(prices, float)))
        self.optimal = np.ones(len(self.eps), bool)
        self._tolls = np.concatenate([self.prices, -self.prices[self.prices > 0][::N_OTHER_SIDE]])
        self.signs = np.array([1.0, side, 1.0])[: 2 if min_samples_leaf <= 1 else 3]
        self.amounts = splits.amounts[:, : len(self.signs)] * self.signs
        self.found: list[Any] = [None] * len(self.eps)  # a split and what is below its two sides

    def run(self, pairs: np.ndarray | None = None) -> None:
        """Visit every root.

        Parameters
        ----------
        pairs : (p + 1, p + 1, 3) float64, optional
            For depth 2: errors, rate 1 minus rate 0 and sizes of what two splits both send to
            their second side, where they are known; the last split sends every row there.
        """
        if self.depth == 2:
            if pairs is None:
                self._visit_pairs(self._pairs(np.arange(len(self.amounts))))
            else:
                self._visit_pairs(pairs[..., : len(self.signs)] * self.signs)
            return
        whole = self._pairs(np.arange(len(self.amounts)))
        for root in range(self.splits.sides.shape[1]):
            second = self._pairs(np.flatnonzero(self.splits.sides[:, root]))
            self._visit_root(root, whole - second, second)

    def _pairs(self, rows: np.ndarray) -> np.ndarray:
        """Amounts of rows that both of two splits send to the second side, and of all rows.

        (p + 1, p + 1, 2 or 3); the last split sends every row there.
        """
        sides = np.column_stack([self.splits.sides[rows], np.ones(len(rows))])
        found = [
            (sides * self.amounts[rows, k, None]).T @ sides for k in range(self.amounts.shape[1])
        ]
        return np.stack(found, axis=-1)

    def _stumps(self, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What stumps below each split's two sides may decide 1: (p, 2 p + 2, 2) for either side.

        Stump k decides 1 on the second side of split k, stump p + k on its first side; the last
        two decide 1 everywhere and nowhere.
        """
        p = pairs.shape[0] - 1
        second = pairs[:p]
        first = pairs[p] - second
        both = []
        for of_split in (first, second):
            inside, total = of_split[:, :p], of_split[:, p:]
            points = np.concatenate([inside, total - inside, total, 0 * total], axis=1)
            if self.least > 1:
                points[..., 0][self._too_small(points[..., 2], total[..., 2])] = np.inf
            both.append(points)
        return both[0], both[1]

    def _too_small(self, size: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Whether a stump has a leaf with rows, but too few.  (p, s), (p, 1) -> (p, s)"""
        few = [(part > 0) & (part < self.least) for part in (size, total - size)]
        return few[0] | few[1]

    def _bound(self, costs: np.ndarray) -> np.ndarray:
        """Bound of errors from below at the best price.  (..., n_tolls) -> (..., n_eps)"""
        return (costs[..., None] - np.abs(self._tolls)[:, None] * self.eps).max(axis=-2)

    def _cheapest(self, stumps: np.ndarray) -> np.ndarray:
        """Least cost of a stump of each split at each price.  (p, s, 2) -> (p, n_tolls)"""
        costs = [(stumps[..., 0] + price * stumps[..., 1]).min(axis=1) for price in self._tolls]
        return np.stack(costs, axis=-1)

    def _visit_pairs(self, pairs: np.ndarray) -> None:
        first, second = self._stumps(pairs)
        bound = self._bound(self._cheapest(first) + self._cheapest(second))
        for split in np.argsort(bound.min(axis=1), kind="stable").tolist():
            if (bound[split] < self._worth).any():
                self._combine(Stumps(first[split]), Stumps(second[split]), split, bound[split])

    @property
    def _worth(self) -> np.ndarray:
        """Errors below which a tree is better than the best known, (n_eps,)."""
        return self.fewest - _SMALLEST_GAIN

    def _combine(self, left: Lot, right: Lot, split: int, bound: np.ndarray) -> None:
        """Keep the best pair of subtrees for each budget whose bound (n_eps,) is worth it."""
        for q in np.flatnonzero(bound < self._worth).tolist():
            room, worth = float(self.eps[q]) + ROUNDING / 2, float(self._worth[q])
            for high in (False, True):
                one, two = left.front(high), right.front(high)
                pair = best_of_fronts(one, two, room)
                if pair is None or pair.errors >= worth:
                    break
                if pair.gap >= -room:
                    self._keep(q, pair, one, two, split)
                    break
            else:
                self._search_all(q, left, right, split)

    def _search_all(self, q: int, left: Lot, right: Lot, split: int) -> None:
        """Both sides of the budget bind: look at all pairs that could still be worth it."""
        room, worth = float(self.eps[q]) + ROUNDING / 2, float(self._worth[q])
        one = left.every(Partner(right, room, worth, self.prices), MOST_POINTS)
        two = right.every(Partner(left, room, worth, self.prices), MOST_POINTS)
        if one is None or two is None:
            self.optimal[q] = False
            return
        pair = best_within(one, two, room)
        if pair is not None and pair.errors < worth:
            self._keep(q, pair, one, two, split)

    def _keep(self, q: int, pair: Pair, left: Points, right: Points, split: int) -> None:
        self.fewest[q] = pair.errors
        one, two = pair.places
        self.found[q] = split, left.choice[one], right.choice[two]

    def _visit_root(self, root: int, first: np.ndarray, second: np.ndarray) -> None:
        of_first, of_second = self._stumps(first), self._stumps(second)
        cost_first = self._cheapest(of_first[0]) + self._cheapest(of_first[1])
        cost_second = self._cheapest(of_second[0]) + self._cheapest(of_second[1])
        least_first, least_second = cost_first.min(axis=0), cost_second.min(axis=0)
        bound = self._bound(least_first + least_second)
        if not (bound < self._worth).any():
            return
        left = self._worth_it(self._bound(cost_first + least_second))
        right = self._worth_it(self._bound(cost_second + least_first))
        self._combine(Depth2(of_first, left), Depth2(of_second, right), root, bound)

    def _worth_it(self, bound: np.ndarray) -> np.ndarray:
        """Splits that may still be part of a better tree."""
        return np.flatnonzero((bound < self._worth).any(axis=1))

    def tree(self, q: int, n_codes: int) -> MaskTree | None:
        """The tree found for budget q; None if none beats what was to be beaten."""
        if self.found[q] is None:
            return None
        tree = MaskTree(n_codes)
        self._grow(tree, 0, self.found[q], self.depth)
        return tree

    def _grow(self, tree: MaskTree, node: int, made: Any, depth: int) -> None:
        p = len(self.splits.feature)
        if depth == 1:
            stump = int(made)
            if stump >= 2 * p:
                tree.label[node] = stump == 2 * p
                return
            self._split(tree, node, stump % p)
            tree.label[tree.children[node]] = (0, 1) if stump < p else (1, 0)
            return
        split, first, second = made
        self._split(tree, node, int(split))
        one, two = tree.children[node].tolist()
        self._grow(tree, one, first, depth - 1)
        self._grow(tree, two, second, depth - 1)

    def _split(self, tree: MaskTree, node: int, split: int) -> None:
        mask = np.zeros((1, tree.mask.shape[1]), np.uint8)
        second = self.splits.second[split]
        mask[0, : len(second)] = second
        tree.split(np.array([node]), self.splits.feature[[split]].astype(np.int32), mask)
