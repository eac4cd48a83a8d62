"""The training rows of a tree: in which leaves and cells they are, and what they count for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from arbitree.rules.axes import among
from arbitree.rules.space import Masks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsOfTree:
    """The training rows of a tree: where they are, and what they count for."""

    cells: Sequence[np.ndarray]  # of each axis (n,) int
    leaf: np.ndarray  # (n,) int
    y: np.ndarray  # (n,) int
    weights: np.ndarray  # (n,) float64, class weights not included
    class_weight: np.ndarray  # (n_classes,) float64
    group: np.ndarray  # (n,) int, 0 where no groups are known
    n_groups: int
    counts_rows: bool  # a row of weight 3 is three rows
    _by_leaf: np.ndarray = field(init=False)  # (n,) int, rows in the order of their leaves

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_leaf", np.argsort(self.leaf, kind="stable"))

    def of_leaf(self, leaf: int) -> np.ndarray:
        """The rows of a leaf."""
        first, end = np.searchsorted(self.leaf, [leaf, leaf + 1], sorter=self._by_leaf)
        return self._by_leaf[first:end]

    def inside(self, here: np.ndarray, masks: Masks, whole: Masks) -> np.ndarray:
        """Those of some rows that are in a box; all are in the box `whole`."""
        for cells, mask, known in zip(self.cells, masks, whole):
            if mask != known and len(here):
                here = here[among(cells[here], mask)]
        return here

    def by_cell(self, here: np.ndarray, place: int, n_cells: int) -> np.ndarray:
        """Weight of some rows in each cell of an axis.  (n_cells,) float64"""
        return np.bincount(self.cells[place][here], self.weights[here], minlength=n_cells)

    def by_class(self, here: np.ndarray) -> np.ndarray:
        """Weight of some rows by class, class weights included.  (n_classes,) float64"""
        n_classes = len(self.class_weight)
        return (
            np.bincount(self.y[here], self.weights[here], minlength=n_classes) * self.class_weight
        )

    def by_group(self, here: np.ndarray) -> np.ndarray:
        """Weight of some rows by group and class.  (n_groups, n_classes) float64"""
        n_classes = len(self.class_weight)
        cell = self.group[here].astype(np.int64) * n_classes + self.y[here]
        found = np.bincount(cell, self.weights[here], minlength=self.n_groups * n_classes)
        return found.reshape(self.n_groups, n_classes)

    def n(self, here: np.ndarray) -> int:
        """How many rows some rows stand for."""
        return round(float(self.weights[here].sum())) if self.counts_rows else len(here)
