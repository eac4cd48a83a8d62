"""A tree from counts: level by level, or the best split first where leaves are limited.

Rows are counted for all but the largest child of a node; the counts of that one are what is left
of its parent's. Nodes come in batches that are small enough to stay in cache.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.model.tree import Tree
from arbitree.tree.cells import Histograms, RowCounter, added, joined, layout, subtract
from arbitree.tree.logistic import LogisticFinder
from arbitree.tree.multiway import MultiwayFinder
from arbitree.tree.nodes import Nodes, to_tree
from arbitree.tree.options import GrowthOptions
from arbitree.tree.prune import merge_equal, prune
from arbitree.tree.split import ExtraCounts, Finder, Setting, Split, setting, with_extra
from arbitree.tree.table import TrainingTable
from arbitree.tree.threshold import ThresholdFinder

CELLS_A_BATCH = 1 << 17  # of a batch's counts: 1 MB, and what is worked out on them 10 MB
_PURE = 1e-12  # of a node's weight: less in all other classes than this is rounding


def grow(
    table: TrainingTable,
    options: GrowthOptions,
    *,
    price: np.ndarray | None = None,
    labels: np.ndarray | None = None,
    extra: ExtraCounts | None = None,
) -> Tree:
    """Grow a tree.

    Parameters
    ----------
    table : TrainingTable
    options : GrowthOptions
        Its parity is None, `Covariance` or `SplitGap`.
    price : ndarray of float64, shape (n_classes, n_groups, k) or (n_classes, k), optional
        Weight, not negative, of a row of a class and group in each of k classes, which growth
        tells apart instead of the table's own. For decisions at a cost, k is 2 and a row weighs
        as much as its two costs differ, in the class of the lower one.
    labels : (k,) int, optional
        The class of the table that each of the k stands for; None for the same.
    extra : ExtraCounts, optional
        Weights, beside those of rows, that rank splits. Not with `price`.

    Returns
    -------
    Tree
        Pruned and simplified as the options ask.

    Examples
    --------
    >>> from arbitree.model.tree import Feature
    >>> from arbitree.table.codings import CategoryCoding
    >>> job = CategoryCoding(levels=("a", "b", "c"))
    >>> table = TrainingTable(
    ...     features=(Feature(name="job", coding=job),),
    ...     codes=(np.uint8([0, 1, 1, 2]),), y=np.uint8([1, 0, 0, 1]),
    ...     classes=("no", "yes"), favorable=1,
    ... )
    >>> tree = grow(table, GrowthOptions())
    >>> tree.route.tolist(), tree.label[1:].tolist()
    ([1, 0, 1, 0], [0, 1])
    """
    by_group = table.group is not None and (
        options.parity is not None or (price is not None and price.ndim == 3)
    )
    price = table.price() if price is None else price
    growth = _Growth(table, options, price, by_group=by_group, extra=extra)
    if options.max_leaf_nodes is None:
        growth.level_by_level()
    else:
        growth.best_first(options.max_leaf_nodes)
    tree = to_tree(growth.nodes, table, price=price, labels=labels)
    tree = prune(tree, alpha=options.ccp_alpha, criterion=options.criterion)
    return merge_equal(tree) if options.simplify else tree


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """Nodes that may be split, and their counts."""

    nodes: list[int]
    hist: Histograms


class _Growth:
    """Nodes so far, and what it takes to split them."""

    def __init__(
        self,
        table: TrainingTable,
        options: GrowthOptions,
        price: np.ndarray,
        *,
        by_group: bool,
        extra: ExtraCounts | None = None,
    ) -> None:
        self.table = table
        self.options = options
        cells = layout(table, by_group=by_group)
        self.setting = setting(table, cells, options, price, by_group=by_group)
        self.extra = extra
        self.states: dict[int, Any] = {} if extra is None else {0: extra.root()}
        self.finder = finder(self.setting if extra is None else with_extra(self.setting))
        self.counter = RowCounter(table, cells, by_group=by_group)
        self.nodes = Nodes(table.n_rows)
        self.batch_size = max(1, CELLS_A_BATCH // (cells.n_cells * cells.n_inner))
        self.least_rows = 2  # whose weights may stand for more
        if table.weights is None or not table.counts_rows:
            self.least_rows = max(options.min_samples_split, 2 * options.min_samples_leaf)
        root = self.counter.all_rows()
        self.root = self._open([0], root)
        self.weight = float(self._totals(root).sum())

    def level_by_level(self) -> None:
        """Split until no node may be split."""
        waiting = [self.root] if self.root.nodes else []
        while waiting:
            batch = waiting.pop()
            splits = self.splits(batch)
            kept = [i for i, split in enumerate(splits) if split is not None]
            chosen = [split for split in splits if split is not None]
            waiting += self.expand([batch.nodes[i] for i in kept], chosen, batch.hist, kept)

    def best_first(self, max_leaf_nodes: int) -> None:
        """Split the node with the largest gain, of equal ones the oldest, while leaves are left."""
        heap: list[tuple[float, int, Split, Histograms]] = []
        batches = [self.root] if self.root.nodes else []
        n_leaves = 1
        while True:
            for batch in batches:
                for i, split in enumerate(self.splits(batch)):
                    if split is not None:
                        part = batch.hist.of(slice(i, i + 1))
                        heapq.heappush(heap, (-split.gain, batch.nodes[i], split, part))
            while heap and n_leaves + heap[0][2].n_children - 1 > max_leaf_nodes:
                heapq.heappop(heap)
            if not heap:
                return
            _, node, split, hist = heapq.heappop(heap)
            n_leaves += split.n_children - 1
            batches = self.expand([node], [split], hist, [0])

    def splits(self, batch: _Batch) -> list[Split | None]:
        """The split of each node, None for a leaf."""
        least = self.options.min_impurity_decrease * self.weight * (1 - _PURE)
        return [
            split if split is not None and split.gain >= least else None
            for split in self.finder.find(self._ranked(batch))
        ]

    def _ranked(self, batch: _Batch) -> Histograms:
        """What splits are ranked by: the counts of nodes, and the extra ones."""
        if self.extra is None:
            return batch.hist
        more = np.stack([self.extra.counts(self.states[node]) for node in batch.nodes])
        return Histograms(weight=np.concatenate([batch.hist.weight, more], axis=2), n=batch.hist.n)

    def _totals(self, hist: Histograms) -> np.ndarray:
        """Weight of each class in each node, (n_nodes, k)."""
        cells = self.setting.layout.cells(0)
        weight = hist.weight[:, cells].sum(axis=1)
        return weight @ self.setting.columns[:, : self.setting.n_classes]

    def expand(
        self, parents: Sequence[int], splits: Sequence[Split], hist: Histograms, at: Sequence[int]
    ) -> list[_Batch]:
        """Split nodes, which are at places `at` of `hist`; batches of children to be split."""
        if not parents:
            return []
        families = self.nodes.divide(parents, splits, self.table.codes)
        if self.extra is not None:
            for node, split, children in zip(parents, splits, families):
                below = self.extra.below(self.states.pop(node), split)
                self.states.update(zip(children, below))
        kept = [
            (children, place)
            for children, place, may in zip(families, at, self._may_split(families))
            if may
        ]
        width = max(1, self.batch_size // 2)
        batches = [
            self._counted(kept[first : first + width], hist) for first in range(0, len(kept), width)
        ]
        return [batch for batch in batches if batch.nodes]

    def _may_split(self, families: Sequence[Sequence[int]]) -> np.ndarray:
        """Whether any of some children may be split, as far as depth, rows and classes tell."""
        deepest = self.options.max_depth
        if deepest is not None and self.nodes.depth[families[0][0]] >= deepest:
            return np.zeros(len(families), bool)
        children = [child for family in families for child in family]
        sizes = np.array([self.nodes.size(child) for child in children])
        seen = self.nodes.cells(children, self.counter.inner, self.setting.layout.n_inner) > 0
        mixed = (seen @ self.setting.columns[:, : self.setting.n_classes] > 0).sum(axis=1) > 1
        starts = np.cumsum([0, *(len(family) for family in families)])[:-1]
        return np.logical_or.reduceat(mixed & (sizes >= self.least_rows), starts)

    def _counted(self, families: Sequence[tuple[list[int], int]], hist: Histograms) -> _Batch:
        """The children of some nodes with their counts, but for those that cannot be split."""
        counted, derived = [], []
        for children, _ in families:
            largest = max(children, key=self.nodes.size)
            derived.append(largest)
            counted.append([child for child in children if child != largest])
        found = self.counter.count([self.nodes.rows(c) for others in counted for c in others])
        starts = np.concatenate([[0], np.cumsum([len(others) for others in counted])])[:-1]
        places = np.array([place for _, place in families])
        rest = subtract(hist.of(places), added(found, starts))
        parts = [
            self._open([child for others in counted for child in others], found),
            self._open(derived, rest),
        ]
        nodes = [node for part in parts for node in part.nodes]
        return _Batch(nodes, joined([part.hist for part in parts]))

    def _open(self, nodes: Sequence[int], hist: Histograms) -> _Batch:
        """Those of the nodes that have rows of two classes, and enough of them."""
        total = self._totals(hist)
        n = hist.n[:, self.setting.layout.cells(0)].sum(axis=1)
        mixed = total.sum(axis=1) - total.max(axis=1) > _PURE * total.sum(axis=1)
        least = max(self.options.min_samples_split, 2 * self.options.min_samples_leaf)
        kept = np.flatnonzero(mixed & (n >= least))
        return _Batch([nodes[i] for i in kept.tolist()], hist.of(kept))


def finder(setting: Setting) -> Finder:
    """The kind of split that the options ask for."""
    kinds = {
        "threshold": ThresholdFinder,
        "logistic": LogisticFinder,
        "multiway": MultiwayFinder,
    }
    found: Finder = kinds[setting.options.split](setting)
    return found
