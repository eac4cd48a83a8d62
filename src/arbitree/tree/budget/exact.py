"""Exact search for trees of depth 2 and 3 with two rates: branch and bound over all splits.

For a price, the cheapest stump below every node is read off a table of pairs of splits, so every
root has a Lagrangian bound. Roots, then splits below them, whose bound is no better than the best
tree known are left out. For the others, the stumps that no other one beats in both errors and gap
are combined. The gap is bounded from the side on which it is without a budget; what is found is
optimal unless the other side binds.

References
----------
Demirovic et al., "MurTree: Optimal Decision Trees via Dynamic Programming and Search", 2022, for
the tables of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.tree.budget.all_splits import AllSplits
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import ROUNDING

_SMALLEST_GAIN = 1e-10


def n_products(n_rows: int, n_splits: int, depth: int) -> float:
    """Multiplications that a search takes, about."""
    return float(n_rows) * n_splits**2 * (n_splits if depth == 3 else 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Front:
    """Choices that no other one beats in both, fewest errors first."""

    errors: np.ndarray
    gap: np.ndarray
    choice: np.ndarray


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
        self.prices = np.abs(np.asarray(prices, float))
        self.amounts = splits.amounts * np.array([1.0, side, 1.0])
        if min_samples_leaf <= 1:
            self.amounts = self.amounts[:, :2]
        self.found: list[Any] = [None] * len(self.eps)  # a split and what is below its two sides

    def run(self) -> None:
        """Visit every root."""
        if self.depth == 2:
            self._visit_pairs(self._pairs(np.arange(len(self.amounts))))
            return
        whole = self._pairs(np.arange(len(self.amounts)))
        for root in range(self.splits.sides.shape[1]):
            second = self._pairs(np.flatnonzero(self.splits.sides[:, root] > 0))
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
        """Bound of errors from below at the best price.  (..., n_prices) -> (..., n_eps)"""
        return (costs[..., None] - self.prices[:, None] * self.eps).max(axis=-2)

    def _cheapest(self, stumps: np.ndarray) -> np.ndarray:
        """Least cost of a stump of each split at each price.  (p, s, 2) -> (p, n_prices)"""
        costs = [(stumps[..., 0] + price * stumps[..., 1]).min(axis=1) for price in self.prices]
        return np.stack(costs, axis=-1)

    def _visit_pairs(self, pairs: np.ndarray) -> None:
        first, second = self._stumps(pairs)
        bound = self._bound(self._cheapest(first) + self._cheapest(second))
        for split in np.argsort(bound.min(axis=1), kind="stable").tolist():
            if not (bound[split] < self.fewest - _SMALLEST_GAIN).any():
                continue
            self._combine(_front(first[split]), _front(second[split]), split)

    def _combine(self, left: _Front, right: _Front, split: int) -> None:
        """Keep the best pair of subtrees for each budget."""
        for q, eps in enumerate(self.eps):
            room = eps + ROUNDING / 2 - left.gap
            place = np.searchsorted(-right.gap, -room)  # the first with gap <= room
            fits = place < len(right.gap)
            if not fits.any():
                continue
            i = np.flatnonzero(fits)
            gap = left.gap[i] + right.gap[place[i]]
            errors = left.errors[i] + right.errors[place[i]]
            errors[gap < -eps - ROUNDING / 2] = np.inf
            k = int(np.argmin(errors))
            if errors[k] < self.fewest[q] - _SMALLEST_GAIN:
                self.fewest[q] = errors[k]
                self.found[q] = split, left.choice[i[k]], right.choice[place[i[k]]]

    def _visit_root(self, root: int, first: np.ndarray, second: np.ndarray) -> None:
        of_first, of_second = self._stumps(first), self._stumps(second)
        cost_first = self._cheapest(of_first[0]) + self._cheapest(of_first[1])
        cost_second = self._cheapest(of_second[0]) + self._cheapest(of_second[1])
        least_first, least_second = cost_first.min(axis=0), cost_second.min(axis=0)
        worth = self.fewest - _SMALLEST_GAIN
        if not (self._bound(least_first + least_second) < worth).any():
            return
        left = self._subtrees(of_first, self._bound(cost_first + least_second), worth)
        right = self._subtrees(of_second, self._bound(cost_second + least_first), worth)
        self._combine(left, right, root)

    def _subtrees(
        self, stumps: tuple[np.ndarray, np.ndarray], bound: np.ndarray, worth: np.ndarray
    ) -> _Front:
        """Subtrees of depth 2 whose split may still be worth it."""
        errors, gaps, choices = [np.zeros(0)], [np.zeros(0)], []
        for split in np.flatnonzero((bound < worth).any(axis=1)).tolist():
            left, right = _front(stumps[0][split]), _front(stumps[1][split])
            e = (left.errors[:, None] + right.errors).ravel()
            g = (left.gap[:, None] + right.gap).ravel()
            kept = _undominated(e, g)
            errors.append(e[kept])
            gaps.append(g[kept])
            a, b = np.divmod(kept, len(right.errors))
            choices += list(zip([split] * len(kept), left.choice[a], right.choice[b]))
        e, g = np.concatenate(errors), np.concatenate(gaps)
        kept = _undominated(e, g)
        choice = np.empty(len(kept), object)
        choice[:] = [choices[k] for k in kept]
        return _Front(e[kept], g[kept], choice)

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


def _front(points: np.ndarray) -> _Front:
    kept = _undominated(points[:, 0], points[:, 1])
    return _Front(points[kept, 0], points[kept, 1], kept)


def _undominated(errors: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Places of points that no other one beats in both, fewest errors first."""
    order = np.lexsort((gap, errors))
    order = order[np.isfinite(errors[order])]
    least = np.minimum.accumulate(gap[order])
    kept = np.ones(len(order), bool)
    kept[1:] = gap[order][1:] < least[:-1]
    return order[kept]
