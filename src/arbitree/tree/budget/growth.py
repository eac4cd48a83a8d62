"""Growth on costs: a level at a time, each split the one that best parts rows by what they cost.

A row that costs less when decided 1 is an example of class 1 with that difference as its weight,
any other one of class 0. So a price on a group's rate is a weight, and growth is ordinary.

References
----------
Agarwal et al., "A Reductions Approach to Fair Classification", 2018, section 3.2 (cost-sensitive
classification as weighted classification).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arbitree.tree.budget.bins import Bins, prefix, reaching
from arbitree.tree.budget.mask_tree import MaskTree, leaf_cells
from arbitree.tree.budget.problem import Problem

Impurity = Callable[[np.ndarray], np.ndarray]


def grow(
    problem: Problem,
    bins: Bins,
    cost: np.ndarray,
    *,
    max_depth: int,
    min_samples_leaf: float,
    impurity: Impurity,
    tree: MaskTree | None = None,
) -> MaskTree:
    """Grow a tree, or the leaves of a tree, down to `max_depth`.

    Parameters
    ----------
    cost : (n_cells,) float64
        Of deciding a unit of weight 1 rather than 0.
    """
    tree = MaskTree(int(problem.n_codes.max())) if tree is None else tree
    shares = np.stack([np.maximum(-cost, 0), np.maximum(cost, 0)], axis=1)
    n_before = -1
    while n_before < len(tree.feature):
        new = np.arange(len(tree.feature)) > n_before if n_before >= 0 else True
        open_nodes = np.flatnonzero((tree.feature < 0) & (tree.depth < max_depth) & new)
        n_before = len(tree.feature) - 1
        if not len(open_nodes):
            break
        weights = reaching(problem, bins, tree, open_nodes)
        sizes = (
            weights.sum(axis=2)
            if problem.sizes is problem.weights
            else reaching(problem, bins, tree, open_nodes, sizes=True)[..., 0]
        )
        splits = _Splits(bins, weights @ shares, sizes, min_samples_leaf, impurity)
        grown = np.flatnonzero(splits.improves)
        if len(grown):
            masks = np.stack([splits.mask(i, tree.mask.shape[1]) for i in grown.tolist()])
            tree.split(open_nodes[grown], splits.feature[grown], masks)
    relabel(problem, tree, cost)
    return tree


def relabel(problem: Problem, tree: MaskTree, cost: np.ndarray) -> None:
    """Every leaf decides what costs less; 0 where both cost the same."""
    tree.label[:] = leaf_cells(problem, tree) @ cost < 0


def gini(shares: np.ndarray) -> np.ndarray:
    """Weight times Gini impurity, halved twice.  (..., 2) -> (...)"""
    total = shares.sum(axis=-1)
    return shares[..., 0] * shares[..., 1] / np.where(total > 0, total, 1)


def entropy(shares: np.ndarray) -> np.ndarray:
    """Weight times entropy in nats.  (..., 2) -> (...)"""
    total = shares.sum(axis=-1, keepdims=True)
    part = shares / np.where(total > 0, total, 1)
    return -(shares * np.log(np.where(part > 0, part, 1))).sum(axis=-1)


@dataclass(frozen=True, slots=True)
class _Block:
    """Candidate splits: what goes to the first side, and the column of each."""

    feature: np.ndarray  # (m,)
    first: np.ndarray  # (m, n_nodes, 2)
    size: np.ndarray  # (m, n_nodes)


class _Splits:
    """The best split of each node by shares of the two classes, (total, n_nodes, 2)."""

    def __init__(
        self, bins: Bins, shares: np.ndarray, sizes: np.ndarray, least: float, impurity: Impurity
    ) -> None:
        self.bins, self.sizes = bins, sizes
        total, n = shares[bins.of(0)].sum(axis=0), sizes[bins.of(0)].sum(axis=0)
        below, size_below = bins.up_to(shares), bins.up_to(sizes)
        of_cut = bins.feature[bins.cuts]
        blocks = [_Block(of_cut, below, size_below)]
        if bins.some_missing:
            with_missing = below + shares[bins.missing]
            blocks.append(_Block(of_cut, with_missing, size_below + sizes[bins.missing]))
        self.n_cuts = sum(len(block.feature) for block in blocks)
        self.order = self._order(shares)
        by_share = np.take_along_axis(shares[bins.levels], self.order[..., None], axis=0)
        of_level = np.take_along_axis(sizes[bins.levels], self.order, axis=0)
        run = prefix(by_share, bins.level_start)
        self.level_size = prefix(of_level, bins.level_start)
        blocks.append(_Block(bins.feature[bins.levels], run, self.level_size))
        after = np.concatenate([_after(b, total, n, least, impurity) for b in blocks])
        feature = np.concatenate([block.feature for block in blocks])
        by_feature = np.argsort(feature, kind="stable")
        self.best = by_feature[np.argmin(after[by_feature], axis=0)]
        self.feature = feature[self.best].astype(np.int32)
        least_after = after[self.best, np.arange(after.shape[1])]
        self.improves = least_after < impurity(total) * (1 - 1e-9)
        self.n = n

    def _order(self, shares: np.ndarray) -> np.ndarray:
        """Levels of each category by their share of class 1, for each node; unseen ones last."""
        of_level = shares[self.bins.levels]
        weight = of_level.sum(axis=-1)
        share = np.where(weight > 0, of_level[..., 0] / np.where(weight > 0, weight, 1), 2.0)
        column = self.bins.feature[self.bins.levels]
        return np.argsort(share + 4.0 * column[:, None], axis=0, kind="stable")

    def mask(self, node: int, n_codes: int) -> np.ndarray:
        """Which codes of the column go to the second side."""
        bins, place = self.bins, int(self.best[node])
        codes = bins.of(int(self.feature[node]))
        size = self.sizes[codes, node]
        mask = np.zeros(n_codes, np.uint8)
        if place < self.n_cuts:
            cut = bins.code[bins.cuts[place % len(bins.cuts)]]
            mask[cut + 1 : len(size) - 1] = 1
            missing_second = place < len(bins.cuts)
            if not size[-1]:
                missing_second = size[: cut + 1].sum() < size[cut + 1 :].sum()
            mask[len(size) - 1] = missing_second
            return mask
        place -= self.n_cuts
        second = self.order[place + 1 : bins.level_start[place] + len(size), node]
        mask[bins.code[bins.levels[second]]] = 1
        first_size = self.level_size[place, node]
        mask[: len(size)][size == 0] = first_size < self.n[node] - first_size
        return mask


def _after(
    block: _Block, total: np.ndarray, n: np.ndarray, least: float, impurity: Impurity
) -> np.ndarray:
    """Impurity after each split; infinite where a side has too few rows."""
    after = impurity(block.first) + impurity(np.maximum(total - block.first, 0))
    least = max(least, np.finfo(float).tiny)
    after[(block.size < least) | (n - block.size < least)] = np.inf
    return after
