"""The leaves of all trees of an ensemble as arrays, to be bounded together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.rules.sklearn_trees import float32_below
from arbitree.rules.sums_of_trees import SumOfTrees


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafTable:
    """Leaves, tree by tree. A row reaches the one leaf of each tree that has room for it.

    Of the axis j a leaf takes numbers ``low[j] < x <= high[j]``, and missing values if
    ``missing[j]``. The class is decided with the largest sum of `base` and its leaves' `value`.
    """

    low: np.ndarray  # (n_leaves, n_axes) float32
    high: np.ndarray  # (n_leaves, n_axes) float32
    missing: np.ndarray  # (n_leaves, n_axes) bool
    value: np.ndarray  # (n_leaves, n_classes) float64
    base: np.ndarray  # (n_classes,) float64
    tree: np.ndarray  # (n_leaves,) int, not decreasing


def leaf_table(of: SumOfTrees, places: Sequence[int], n_axes: int) -> LeafTable:
    """The leaves of an ensemble.

    Parameters
    ----------
    of : SumOfTrees
    places : sequence of int
        The axis of each column.
    n_axes : int
    """
    trees = of.trees
    start = np.cumsum([0, *(tree.node_count for tree in trees)])
    left = np.concatenate([_moved(tree.children_left, at) for tree, at in zip(trees, start)])
    right = np.concatenate([_moved(tree.children_right, at) for tree, at in zip(trees, start)])
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = float32_below(np.concatenate([tree.threshold for tree in trees]))
    first = np.concatenate([tree.missing_go_to_left for tree in trees]).astype(bool)
    axis = np.asarray(places, np.intp)[np.maximum(feature, 0)]
    n_nodes = len(left)
    low = np.full((n_nodes, n_axes), -np.inf, np.float32)
    high = np.full((n_nodes, n_axes), np.inf, np.float32)
    missing = np.ones((n_nodes, n_axes), bool)
    nodes = start[:-1]
    while len(nodes):
        nodes = nodes[left[nodes] >= 0]
        for child, goes_left in ((left[nodes], True), (right[nodes], False)):
            for limit in (low, high, missing):
                limit[child] = limit[nodes]
            at, cut = axis[nodes], threshold[nodes]
            if goes_left:
                high[child, at] = np.minimum(high[child, at], cut)
            else:
                low[child, at] = np.maximum(low[child, at], cut)
            missing[child, at] &= first[nodes] == goes_left
        nodes = np.concatenate([left[nodes], right[nodes]])
    leaf = np.flatnonzero(left < 0)
    tree_of = np.repeat(np.arange(len(trees)), np.diff(start))[leaf]
    return LeafTable(
        low=low[leaf],
        high=high[leaf],
        missing=missing[leaf],
        value=np.concatenate(of.values)[leaf],
        base=of.base,
        tree=tree_of,
    )


def _moved(children: np.ndarray, start: int) -> np.ndarray:
    return np.where(children >= 0, children + start, -1)
