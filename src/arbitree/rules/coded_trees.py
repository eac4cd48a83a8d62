"""The trees of a model over the cells of a grid: every split is a set of cells of one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.rules.grid import GridAxis


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedTrees:
    """Splits that compare cells, the same for all rows of a cell.

    Where `test` is negative, cells up to `cut` go left and a missing value goes where
    `missing_left` says; else those go left for which the row of `lefts` is true.
    """

    grid: tuple[GridAxis, ...]
    axis: np.ndarray  # (n_nodes,) int32, -1 of a leaf
    cut: np.ndarray  # (n_nodes,) int32
    missing_left: np.ndarray  # (n_nodes,) bool
    test: np.ndarray  # (n_nodes,) int32
    lefts: np.ndarray  # (n_tests, most cells) bool
    left: np.ndarray  # (n_nodes,) int64
    right: np.ndarray  # (n_nodes,) int64
    root: np.ndarray  # (n_trees,) int64, increasing
    value: np.ndarray  # (n_nodes, n_classes) float64
    base: np.ndarray  # (n_classes,) float64
    tolerance: float
    in_sets: np.ndarray  # (n_axes,) bool: axes with a split that is no comparison

    def scores(self, codes: np.ndarray) -> np.ndarray:
        """Scores of classes of rows of cells.

        Parameters
        ----------
        codes : ndarray of int32, shape (n_rows, n_axes)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
        """
        from arbitree.counts._tree_kernels import add_leaves

        found = np.tile(self.base, (len(codes), 1))
        missing = np.array([axis.missing_cell for axis in self.grid], np.int32)
        add_leaves(
            np.ascontiguousarray(codes, np.int32),
            missing,
            self.root,
            self.axis,
            self.cut,
            self.missing_left,
            self.test,
            self.lefts,
            self.left,
            self.right,
            self.value,
            found,
        )
        return found

    def left_cells(self, node: int) -> np.ndarray:
        """The cells of its axis that a node sends to the left.  (n_cells,) bool"""
        axis = self.grid[self.axis[node]]
        if self.test[node] >= 0:
            return np.asarray(self.lefts[self.test[node], : axis.n_cells])
        found = np.arange(axis.n_cells) <= self.cut[node]
        found[axis.missing_cell] = self.missing_left[node]
        return found
