"""Counts of a node's rows by (code, class, group), the codes of all features end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.counts.nodes import NodeCounter
from arbitree.table.codings import CategoryCoding
from arbitree.table.edges import code_dtype
from arbitree.tree.table import TrainingTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Where the codes of each feature are: feature j has cells start[j] to start[j + 1] - 1.

    The last cell of a feature is that of missing values.
    """

    start: np.ndarray  # (d + 1,) int64
    is_category: np.ndarray  # (d,) bool
    feature: np.ndarray  # (n_cells,) int64, whose cell it is
    n_inner: int  # classes x groups: each cell is counted by them

    @property
    def n_cells(self) -> int:
        """Codes of all features."""
        return int(self.start[-1])

    @property
    def missing(self) -> np.ndarray:
        """The cell of missing values of each feature, (d,) int64."""
        return self.start[1:] - 1

    def cells(self, j: int) -> slice:
        """The cells of a feature, missing last."""
        return slice(int(self.start[j]), int(self.start[j + 1]))


def layout(table: TrainingTable, *, by_group: bool) -> Layout:
    """The layout of a table's codes.  Groups are told apart if `by_group`."""
    sizes = [feature.coding.n_codes for feature in table.features]
    return Layout(
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        is_category=np.array([isinstance(f.coding, CategoryCoding) for f in table.features]),
        feature=np.repeat(np.arange(len(sizes)), sizes),
        n_inner=table.n_classes * (table.n_groups if by_group else 1),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Histograms:
    """Counts of some nodes. Sums over the cells of any one feature are the node's totals."""

    weight: np.ndarray  # (n_nodes, n_cells, n_inner) int64, or float64 where rows have weights
    n: np.ndarray  # (n_nodes, n_cells) int64, rows

    @property
    def n_nodes(self) -> int:
        """Nodes that are counted."""
        return len(self.n)

    def of(self, nodes: slice | np.ndarray) -> Histograms:
        """The counts of some of the nodes."""
        return Histograms(weight=self.weight[nodes], n=self.n[nodes])


class RowCounter:
    """Counts listed rows of a table by node.

    Parameters
    ----------
    table : TrainingTable
    layout : Layout
    by_group : bool
        As the layout was made.
    """

    def __init__(self, table: TrainingTable, layout: Layout, *, by_group: bool) -> None:
        inner = table.y.astype(code_dtype(layout.n_inner), copy=False)
        if by_group and table.group is not None:  # cell of (class, group)
            inner = inner * inner.dtype.type(table.n_groups)
            inner += table.group.astype(inner.dtype)
        self.inner = inner
        self.n_rows = table.n_rows
        sizes = np.diff(layout.start).tolist()
        self.weighted = NodeCounter(
            table.codes, sizes, inner, layout.n_inner, weights=table.weights
        )
        self.counted = (
            None if table.counts_rows else NodeCounter(table.codes, sizes, np.zeros_like(inner), 1)
        )

    def all_rows(self) -> Histograms:
        """The counts of one node with all rows."""
        return self._histograms(None, np.array([self.n_rows]))

    def count(self, rows: Sequence[np.ndarray]) -> Histograms:
        """The counts of one node for each array of rows."""
        return self._histograms(np.concatenate(rows), np.array([len(part) for part in rows]))

    def _histograms(self, rows: np.ndarray | None, sizes: np.ndarray) -> Histograms:
        weight = self.weighted.count(rows, sizes)
        if self.counted is None:
            n = weight.sum(axis=2).astype(np.int64)
        else:
            n = self.counted.count(rows, sizes)[:, :, 0]
        return Histograms(weight=weight, n=n)


def subtract(parents: Histograms, children: Histograms) -> Histograms:
    """The counts of one child of each node: what the others leave.

    Sums of weights carry rounding errors: where no row is left, the weight is 0.
    """
    weight, n = parents.weight - children.weight, parents.n - children.n
    if weight.dtype.kind == "f":
        np.maximum(weight, 0, out=weight)
        weight[n == 0] = 0.0
    return Histograms(weight=weight, n=n)


def added(hist: Histograms, starts: np.ndarray) -> Histograms:
    """Sums over runs of nodes that begin at `starts`."""
    if len(starts) == hist.n_nodes:
        return hist
    return Histograms(
        weight=np.add.reduceat(hist.weight, starts, axis=0),
        n=np.add.reduceat(hist.n, starts, axis=0),
    )


def joined(parts: Sequence[Histograms]) -> Histograms:
    """The counts of several nodes together, in their order."""
    return Histograms(
        weight=np.concatenate([part.weight for part in parts]),
        n=np.concatenate([part.n for part in parts]),
    )
