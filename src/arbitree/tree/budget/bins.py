"""The codes of all columns end to end, and sums over what a split may send to one side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import Problem


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bins:
    """Codes of all columns, end to end: those of column j from ``first[j]`` to ``first[j + 1]``.

    `cuts` are the codes of numbers that are no missing values: a number may be cut after each.
    `levels` are the codes of categories, missing included. Both are in the order of columns.
    """

    first: np.ndarray  # (d + 1,) int64
    feature: np.ndarray  # (total,) the column of each code
    code: np.ndarray  # (total,) the code itself
    cuts: np.ndarray  # (n_cuts,) places among all codes
    missing: np.ndarray  # (n_cuts,) the place of the same column's missing code
    cut_start: np.ndarray  # (n_cuts,) the place of the column's first cut among the cuts
    cut_stop: np.ndarray  # (n_cuts,) of its last
    levels: np.ndarray  # (n_levels,) places among all codes
    level_start: np.ndarray  # (n_levels,)
    categories: np.ndarray  # (n_categories,) where each category's levels begin among the levels
    some_missing: bool  # some number is missing in some row

    @property
    def total(self) -> int:
        """Codes of all columns."""
        return len(self.feature)

    def of(self, j: int) -> slice:
        """Codes of column j."""
        return slice(int(self.first[j]), int(self.first[j + 1]))

    def up_to(self, amounts: np.ndarray) -> np.ndarray:
        """Sums over each column's codes up to each cut.  (total, ...) -> (n_cuts, ...)"""
        return prefix(amounts[self.cuts], self.cut_start)


def bins_of(problem: Problem) -> Bins:
    """How the codes of a problem lie end to end."""
    first = problem.first
    feature = np.repeat(np.arange(len(problem.n_codes)), problem.n_codes)
    code = np.arange(first[-1]) - first[feature]
    is_missing = code == problem.n_codes[feature] - 1
    category = problem.is_category[feature]
    cuts, levels = np.flatnonzero(~category & ~is_missing), np.flatnonzero(category)
    cut_start, level_start = _starts(feature[cuts]), _starts(feature[levels])
    numbers = np.flatnonzero(~problem.is_category)
    return Bins(
        first=first,
        feature=feature,
        code=code,
        cuts=cuts,
        missing=first[feature[cuts] + 1] - 1,
        cut_start=cut_start,
        cut_stop=len(cuts) - 1 - _starts(feature[cuts][::-1])[::-1],
        levels=levels,
        level_start=level_start,
        categories=np.unique(level_start),
        some_missing=bool((problem.codes[:, numbers] == problem.n_codes[numbers] - 1).any()),
    )


def prefix(amounts: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Cumulative sums along the first axis that begin anew at each start."""
    if not len(amounts):
        return amounts
    sums = np.cumsum(amounts, axis=0)
    return sums - (sums[start] - amounts[start])


def _starts(feature: np.ndarray) -> np.ndarray:
    """Of each entry the first one with the same, adjacent value."""
    is_first = np.ones(len(feature), bool)
    is_first[1:] = feature[1:] != feature[:-1]
    return np.maximum.accumulate(np.where(is_first, np.arange(len(feature)), 0))


def reaching(
    problem: Problem, bins: Bins, tree: MaskTree, nodes: np.ndarray, *, sizes: bool = False
) -> np.ndarray:
    """Weights of rows that reach nodes, by code, (total, n_nodes, n_cells).

    With `sizes`, how many rows they are, all cells together: (total, n_nodes, 1).
    """
    from arbitree.counts import _kernels

    table = np.zeros((bins.total, len(nodes), 1 if sizes else problem.n_cells))
    _kernels.add_reaching(
        problem.codes,
        bins.first,
        tree.feature,
        tree.children,
        tree.mask,
        _places(tree, nodes),
        np.zeros_like(problem.cell) if sizes else problem.cell,
        problem.sizes if sizes else problem.weights,
        table,
    )
    return table


def differences(problem: Problem, bins: Bins, tree: MaskTree, nodes: np.ndarray) -> np.ndarray:
    """Weights that a node's second side decides 1 and its first 0, minus those the other way.

    Rows that reach the node, by code: (total, n_nodes, n_cells).
    """
    from arbitree.counts import _kernels

    table = np.zeros((bins.total, len(nodes), problem.n_cells))
    _kernels.add_differences(
        problem.codes,
        bins.first,
        tree.feature,
        tree.children,
        tree.mask,
        tree.label,
        _places(tree, nodes),
        problem.cell,
        problem.weights,
        table,
    )
    return table


def _places(tree: MaskTree, nodes: np.ndarray) -> np.ndarray:
    places = np.full(len(tree.feature), -1, np.int32)
    places[nodes] = np.arange(len(nodes))
    return places
