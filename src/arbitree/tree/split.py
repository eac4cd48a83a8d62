"""A split of one node, and what is asked of every split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from arbitree.tree.cells import Histograms, Layout
from arbitree.tree.impurity import concentration
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import Covariance, SplitGap
from arbitree.tree.populations import Population
from arbitree.tree.table import TrainingTable

ROUNDING = 1e-12  # of a gap or of a node's weight: closer than this is equal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Where each code of a feature goes: to a child, by its position among the children."""

    feature: int
    sides: np.ndarray  # (n_codes,) uint16, missing last
    n_children: int
    gain: float  # decrease of impurity times the node's weight
    threshold: float = np.nan  # of a number


class Finder(Protocol):
    """A kind of split."""

    def find(self, hist: Histograms) -> list[Split | None]:
        """The best split of each node; None where no split is allowed."""
        ...


class ExtraCounts(Protocol):
    """Weights, beside those of training rows, that rank splits: of the rows that could come."""

    def root(self) -> Any:
        """Where the root is, for `below` and `counts`."""
        ...

    def below(self, state: Any, split: Split) -> list[Any]:
        """Where the children of a node are."""
        ...

    def counts(self, state: Any) -> np.ndarray:
        """Weights at a node, of the codes of all features by class.  (n_cells, n_classes)"""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setting:
    """What a kind of split needs to know besides the counts of nodes.

    A row counts in `n_classes` classes as `price` says, and in each group that is compared.
    """

    table: TrainingTable
    layout: Layout
    options: GrowthOptions
    columns: np.ndarray  # (n_inner, n_classes + n_compared) float64
    n_classes: int
    compared: tuple[slice, ...]  # of each population, its columns
    least_weight: float  # of a child

    def sums(self, weight: np.ndarray) -> np.ndarray:
        """Weights by class, then by compared group.  (..., n_inner) -> (..., n_columns) float64"""
        return weight @ self.columns

    def worth(self, sums: np.ndarray) -> np.ndarray:
        """Purity of parts times their weight.  (..., n_columns) -> (...)"""
        return concentration(sums[..., : self.n_classes], self.options.criterion)

    def too_light(self, part: np.ndarray) -> np.ndarray | bool:
        """Whether parts weigh less than a child must.  (..., n_columns) -> (...)"""
        if not self.least_weight:
            return False
        return part[..., : self.n_classes].sum(axis=-1) < self.least_weight * (1 - ROUNDING)

    def gap(self, part: np.ndarray, whole: np.ndarray) -> np.ndarray:
        """Largest difference in the share of a group that a part of a node has.

        Parameters
        ----------
        part : (..., n_nodes, n_columns)
        whole : (n_nodes, n_columns)

        Returns
        -------
        (..., n_nodes)
            0 where fewer than two groups are in a node.
        """
        found = np.zeros(part.shape[:-1])
        for columns in self.compared:
            total = whole[:, columns]
            share = part[..., columns] / np.where(total > 0, total, 1.0)
            empty = total <= 0
            high = np.where(empty, -np.inf, share).max(axis=-1)
            low = np.where(empty, np.inf, share).min(axis=-1)
            np.maximum(found, high - low, out=found)
        return found

    def covariance(self, part: np.ndarray, whole: np.ndarray) -> np.ndarray:
        """Largest covariance of a group's indicator with that of a part.  As `gap`."""
        found = np.zeros(part.shape[:-1])
        for columns in self.compared:
            total, inside = whole[:, columns], part[..., columns]
            n = np.where(total > 0, total, 0.0).sum(axis=-1, keepdims=True)
            n = np.where(n > 0, n, 1.0)
            apart = inside / n - inside.sum(axis=-1, keepdims=True) / n * (total / n)
            np.maximum(found, np.abs(apart).max(axis=-1), out=found)
        return found

    def too_wide(self, part: np.ndarray, whole: np.ndarray) -> np.ndarray | None:
        """Whether a part depends more on the group than is allowed; None where anything is."""
        parity = self.options.parity
        if isinstance(parity, SplitGap):
            return self.gap(part, whole) > parity.eps + ROUNDING
        if isinstance(parity, Covariance) and self.options.split != "logistic":
            return self.covariance(part, whole) > parity.c + ROUNDING
        return None


def setting(
    table: TrainingTable,
    layout: Layout,
    options: GrowthOptions,
    price: np.ndarray,
    *,
    by_group: bool,
) -> Setting:
    """What kinds of splits need.

    Parameters
    ----------
    price : ndarray of float64, shape (n_classes, n_groups, k) or (n_classes, k)
        Weight of a row in each of k classes, which are those of the table unless growth follows
        other costs.
    by_group : bool
        Whether counts tell groups apart.
    """
    n_groups = table.n_groups if by_group else 1
    if price.ndim == 2:
        price = np.repeat(price[:, None], n_groups, axis=1)
    blocks = [price.reshape(layout.n_inner, -1).astype(np.float64)]
    compared = []
    at = blocks[0].shape[1]
    for population in table.populations if by_group else ():
        blocks.append(cell_columns(population))
        compared.append(slice(at, at + blocks[-1].shape[1]))
        at = compared[-1].stop
    return Setting(
        table=table,
        layout=layout,
        options=options,
        columns=np.hstack(blocks),
        n_classes=blocks[0].shape[1],
        compared=tuple(compared),
        least_weight=options.min_weight_fraction_leaf * _weight(table, blocks[0]),
    )


def with_extra(setting: Setting) -> Setting:
    """The setting of counts with a column more for each class, of no group.

    What extra counts say of codes that no row of a node has is in the node's totals.
    """
    price = setting.table.price()
    more = np.zeros((len(price), setting.columns.shape[1]))
    more[:, : setting.n_classes] = price
    return replace(setting, columns=np.vstack([setting.columns, more]))


def _weight(table: TrainingTable, price: np.ndarray) -> float:
    """Weight of all rows in all classes."""
    n_groups = len(price) // table.n_classes
    cell = table.y.astype(np.int64) * n_groups
    if n_groups > 1 and table.group is not None:
        cell += table.group
    of_cells = np.bincount(cell, weights=table.weights, minlength=len(price))
    return float(of_cells @ price.sum(axis=1))


def cell_columns(population: Population) -> np.ndarray:
    """Whether each (class, group) cell belongs to each compared group, (n_inner, n_compared)."""
    by_class = population.members.transpose(0, 2, 1)
    return by_class.reshape(len(by_class), -1).T.astype(np.float64)
