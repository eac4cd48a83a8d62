"""The cells that rows of some nodes are in, and sums along them.

Deep nodes have few rows, so few of the cells of a layout: all that follows from counts is worked
out on these alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.tree.cells import Histograms
from arbitree.tree.split import Setting


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entries:
    """Cells with rows: by node, in a node by feature, of a feature by code, missing last.

    A run is the entries of one feature of one node.
    """

    n_nodes: int
    node: np.ndarray  # (m,) int64
    cell: np.ndarray  # (m,) int64
    feature: np.ndarray  # (m,) int64
    sums: np.ndarray  # (m, n_columns) float64, as `Setting.sums`
    n: np.ndarray  # (m,) int64, rows
    start: np.ndarray  # (n_runs,) int64
    run: np.ndarray  # (m,) int64, whose entry it is

    def ends(self) -> np.ndarray:
        """The last entry of each run, (n_runs,)."""
        return np.append(self.start[1:], len(self.cell)) - 1

    def along(self, values: np.ndarray) -> np.ndarray:
        """Sums of each run up to each of its entries.  (m, k) float64 -> (m, k) float64"""
        from arbitree.counts._kernels import running_sums

        found = np.empty_like(values)
        running_sums(np.ascontiguousarray(values), self.start, found)
        return found


def entries(setting: Setting, hist: Histograms) -> Entries:
    """The cells of a layout that rows of the nodes are in."""
    at = np.flatnonzero(hist.n)
    node, cell = np.divmod(at, hist.n.shape[1])
    feature = setting.layout.feature[cell]
    new = np.append(True, (feature[1:] != feature[:-1]) | (node[1:] != node[:-1]))
    return Entries(
        n_nodes=hist.n_nodes,
        node=node,
        cell=cell,
        feature=feature,
        sums=setting.sums(hist.weight.reshape(-1, hist.weight.shape[2])[at]),
        n=hist.n.reshape(-1)[at],
        start=np.flatnonzero(new),
        run=np.cumsum(new) - 1,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Totals:
    """Rows of whole nodes."""

    sums: np.ndarray  # (n_nodes, n_columns) float64
    n: np.ndarray  # (n_nodes,) int64
    worth: np.ndarray  # (n_nodes,) float64
    rounding: np.ndarray  # (n_nodes,) float64: gains that are closer are equal


def totals(setting: Setting, hist: Histograms, rounding: float) -> Totals:
    """What the cells of one feature add up to."""
    cells = setting.layout.cells(0)
    sums = setting.sums(hist.weight[:, cells].sum(axis=1))
    return Totals(
        sums=sums,
        n=hist.n[:, cells].sum(axis=1),
        worth=setting.worth(sums),
        rounding=rounding * sums[:, : setting.n_classes].sum(axis=1),
    )


def first_best(
    node: np.ndarray, gain: np.ndarray, rounding: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The first candidate of each node whose gain is the largest, but for rounding.

    Parameters
    ----------
    node : ndarray of int, shape (m,)
        Increasing.
    gain : ndarray of float64, shape (m,)
        Minus infinity of what is not allowed.
    rounding : ndarray of float64, shape (n_nodes,)

    Returns
    -------
    chosen, nodes : ndarray of int64
        Candidates, and the nodes that have one.
    """
    best = np.full(len(rounding), -np.inf)
    np.maximum.at(best, node, gain)
    candidates = np.flatnonzero((gain >= (best - rounding)[node]) & np.isfinite(gain))
    owner = node[candidates]
    first = np.append(True, owner[1:] != owner[:-1])[: len(owner)]
    return candidates[first], owner[first]
