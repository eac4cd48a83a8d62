"""Nodes as they are grown, and the tree they become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import NumericCoding
from arbitree.table.edges import code_dtype
from arbitree.tree.split import Split
from arbitree.tree.table import TrainingTable

_ROWS_A_BATCH = 1 << 17  # whose temporary arrays are small


class Nodes:
    """Nodes in the order they were made, each with its rows.

    Rows of a node are a slice of one array, and those of its children parts of that slice.

    Parameters
    ----------
    n_rows : int
    """

    def __init__(self, n_rows: int) -> None:
        self.order = np.arange(n_rows, dtype=np.int32 if n_rows < 2**31 else np.int64)
        self.start, self.stop = [0], [n_rows]
        self.depth = [0]
        self.split: list[Split | None] = [None]
        self.children: list[list[int]] = [[]]

    def rows(self, node: int) -> np.ndarray:
        """The rows of a node, increasing."""
        return self.order[self.start[node] : self.stop[node]]

    def size(self, node: int) -> int:
        """Rows of a node, each once."""
        return self.stop[node] - self.start[node]

    def divide(
        self, parents: Sequence[int], splits: Sequence[Split], codes: Sequence[np.ndarray]
    ) -> list[list[int]]:
        """Part the rows of nodes among new children, by the codes of their splits' features.

        Returns
        -------
        list of list of int
            The children of each node, in their order.
        """
        families: list[list[int]] = []
        for some in _batches([self.size(node) for node in parents]):
            families += self._divide(parents[some], splits[some], codes)
        return families

    def _divide(
        self, parents: Sequence[int], splits: Sequence[Split], codes: Sequence[np.ndarray]
    ) -> list[list[int]]:
        if len(parents) == 1:
            rows, split = self.rows(parents[0]), splits[0]
            side = split.sides[codes[split.feature][rows]]
            parts = [rows[side == place] for place in range(split.n_children)]
            np.concatenate(parts, out=rows)
            return [self._add(parents[0], split, [len(part) for part in parts])]
        together, sizes = self._together(parents)
        first = np.cumsum([0, *(split.n_children for split in splits)])
        child = _children(together, sizes, splits, first, codes)
        together = together[np.argsort(child, kind="stable")]
        n_each = np.bincount(child, minlength=int(first[-1])).tolist()
        families, at = [], 0
        for i, (node, split) in enumerate(zip(parents, splits)):
            self.order[self.start[node] : self.stop[node]] = together[at : at + sizes[i]]
            at += sizes[i]
            families.append(self._add(node, split, n_each[first[i] : first[i + 1]]))
        return families

    def _together(self, nodes: Sequence[int]) -> tuple[np.ndarray, list[int]]:
        rows = [self.rows(node) for node in nodes]
        return np.concatenate(rows), [len(part) for part in rows]

    def cells(
        self,
        nodes: Sequence[int],
        cell: np.ndarray,
        n_cells: int,
        weights: np.ndarray | None = None,
    ) -> np.ndarray:
        """Rows of each node in each cell, cell (n_rows,) being that of a row, or their weights.

        Returns
        -------
        (len(nodes), n_cells) int64 or float64
        """
        found = []
        for some in _batches([self.size(node) for node in nodes]):
            rows, sizes = self._together(nodes[some])
            place = np.repeat(np.arange(len(sizes)), sizes) * n_cells + cell[rows]
            of_rows = None if weights is None else weights[rows]
            counts = np.bincount(place, of_rows, minlength=len(sizes) * n_cells)
            found.append(counts.reshape(-1, n_cells))
        return np.concatenate(found)

    def _add(self, node: int, split: Split, sizes: Sequence[int]) -> list[int]:
        """New nodes below a node, whose rows lie one after the other."""
        self.split[node] = split
        self.children[node] = list(range(len(self.start), len(self.start) + len(sizes)))
        at = self.start[node]
        for size in sizes:
            self.start.append(at)
            at += size
            self.stop.append(at)
            self.depth.append(self.depth[node] + 1)
            self.split.append(None)
            self.children.append([])
        return self.children[node]

    def depth_first(self) -> list[int]:
        """All nodes, each before its children and these in their order."""
        found, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed(self.children[node])
        return found


def _batches(sizes: Sequence[int]) -> Iterator[slice]:
    """Nodes, in their order, of few enough rows together; or one alone."""
    first, n_rows = 0, 0
    for i, size in enumerate(sizes):
        if n_rows and n_rows + size > _ROWS_A_BATCH:
            yield slice(first, i)
            first, n_rows = i, 0
        n_rows += size
    if len(sizes) > first:
        yield slice(first, len(sizes))


def _children(
    rows: np.ndarray,
    sizes: Sequence[int],
    splits: Sequence[Split],
    first: np.ndarray,
    codes: Sequence[np.ndarray],
) -> np.ndarray:
    """The child of each row, numbered over all nodes from `first` on; rows come node by node."""
    found = np.empty(len(rows), np.uint16 if first[-1] < 1 << 16 else np.uint32)
    stops = np.cumsum(sizes).tolist()
    if len(splits) < len(codes):
        for split, start, stop, at in zip(splits, [0, *stops], stops, first.tolist()):
            found[start:stop] = split.sides[codes[split.feature][rows[start:stop]]] + at
        return found
    feature = np.repeat([split.feature for split in splits], sizes)
    offset = np.cumsum([0, *(len(split.sides) for split in splits)])[:-1]
    sides = np.concatenate([split.sides + at for split, at in zip(splits, first.tolist())])
    offset = np.repeat(offset, sizes)
    for j in {split.feature for split in splits}:
        here = np.flatnonzero(feature == j)
        found[here] = sides[offset[here] + codes[j][rows[here]]]
    return found


def to_tree(
    nodes: Nodes, table: TrainingTable, *, price: np.ndarray, labels: np.ndarray | None
) -> Tree:
    """The tree of grown nodes.

    Parameters
    ----------
    price : (n_classes, n_groups, k) or (n_classes, k) float64
        As `arbitree.tree.grow.grow` takes it: a node decides for the class with most weight.
    labels : (k,) int, optional
        Which class of the table each of the k stands for; None for the same.
    """
    order = nodes.depth_first()
    rank = dict(zip(order, range(len(order))))
    splits = [nodes.split[node] for node in order]
    children = [[rank[child] for child in nodes.children[node]] for node in order]
    reach = _reach(nodes, table, order, children)
    by_class = reach.sum(axis=1)
    worth = by_class @ price if price.ndim == 2 else np.einsum("igc,cgk->ik", reach, price)
    label = np.argmax(worth, axis=1)
    routes = [_routes(split, table) for split in splits]
    return Tree(
        features=table.features,
        classes=table.classes,
        feature=np.array([LEAF if s is None else s.feature for s in splits]),
        threshold=np.array([np.nan if s is None else s.threshold for s in splits]),
        child_start=_starts(children),
        child=np.array([child for of_node in children for child in of_node], np.int32),
        route_start=_starts(routes),
        route=np.concatenate([np.empty(0, np.uint16), *routes]),
        label=label if labels is None else np.asarray(labels)[label],
        n=_n_rows(nodes, table, order, reach),
        weight=by_class * table.price().diagonal(),
        groups=table.groups,
        reach=reach if table.group is not None else None,
    )


def _routes(split: Split | None, table: TrainingTable) -> np.ndarray:
    if split is None:
        return np.empty(0, np.uint16)
    number = isinstance(table.features[split.feature].coding, NumericCoding)
    return split.sides[-1:] if number else split.sides


def _reach(
    nodes: Nodes, table: TrainingTable, order: Sequence[int], children: Sequence[Sequence[int]]
) -> np.ndarray:
    """Weights of rows by node, group and class: of leaves counted, of other nodes added up."""
    shape = (table.n_groups, table.n_classes)
    n_cells = shape[0] * shape[1]
    cell = table.y.astype(code_dtype(n_cells))
    if table.group is not None:
        cell += table.group.astype(cell.dtype) * cell.dtype.type(table.n_classes)
    leaves = [place for place, below in enumerate(children) if not below]
    reach = np.zeros((len(order), *shape))
    counts = nodes.cells([order[place] for place in leaves], cell, n_cells, table.weights)
    reach[leaves] = counts.reshape(-1, *shape)
    for place in range(len(order) - 1, -1, -1):
        if children[place]:
            reach[place] = reach[list(children[place])].sum(axis=0)
    return reach


def _n_rows(
    nodes: Nodes, table: TrainingTable, order: Sequence[int], reach: np.ndarray
) -> np.ndarray:
    if table.counts_rows:
        return np.rint(reach.sum(axis=(1, 2))).astype(np.int64)
    return np.array([nodes.stop[node] - nodes.start[node] for node in order])


def _starts(parts: Sequence[Sequence[int] | np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])])
