"""The leaves of all trees of a forest as arrays, to be bounded together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.rules.sklearn_trees import float32_below


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafTable:
    """Leaves, tree by tree. A row reaches the one leaf of each tree that has room for it.

    Of the axis j a leaf takes numbers ``low[j] < x <= high[j]``, and missing values if
    ``missing[j]``. A forest decides for the class with the largest sum of `value`.
    """

    low: np.ndarray  # (n_leaves, n_axes) float32
    high: np.ndarray  # (n_leaves, n_axes) float32
    missing: np.ndarray  # (n_leaves, n_axes) bool
    value: np.ndarray  # (n_leaves, n_classes) float64: share of each class, divided by n_trees
    tree: np.ndarray  # (n_leaves,) int, not decreasing
    n_trees: int


def leaf_table(trees: Sequence[Any], places: Sequence[int], n_axes: int) -> LeafTable:
    """The leaves of scikit-learn's trees.

    Parameters
    ----------
    trees : sequence of sklearn.tree._tree.Tree
    places : sequence of int
        The axis of each column.
    n_axes : int
    """
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
            for of in (low, high, missing):
                of[child] = of[nodes]
            at, cut = axis[nodes], threshold[nodes]
            if goes_left:
                high[child, at] = np.minimum(high[child, at], cut)
            else:
                low[child, at] = np.maximum(low[child, at], cut)
            missing[child, at] &= first[nodes] == goes_left
        nodes = np.concatenate([left[nodes], right[nodes]])
    leaf = np.flatnonzero(left < 0)
    value = np.concatenate([tree.value[:, 0, :] for tree in trees])[leaf]
    tree_of = np.repeat(np.arange(len(trees)), np.diff(start))[leaf]
    return LeafTable(
        low=low[leaf],
        high=high[leaf],
        missing=missing[leaf],
        value=value / value.sum(axis=1, keepdims=True) / len(trees),
        tree=tree_of,
        n_trees=len(trees),
    )


def thresholds(trees: Sequence[Any], places: Sequence[int], n_axes: int) -> list[np.ndarray]:
    """The numbers that a forest compares each axis with, float32 and increasing."""
    feature = np.concatenate([tree.feature for tree in trees])
    cuts = float32_below(np.concatenate([tree.threshold for tree in trees]))
    inner = (feature >= 0) & np.isfinite(cuts)  # infinite: all numbers against missing values
    axis, cuts = np.asarray(places, np.intp)[feature[inner]], cuts[inner]
    return [np.unique(cuts[axis == place]) for place in range(n_axes)]


def scorer(trees: Sequence[Any], places: Sequence[int]) -> Callable[[np.ndarray], np.ndarray]:
    """The shares of classes that trees give on average, without the checks of a forest's own.

    These checks take longer than the trees where rows are few: 500 trees and 1,000 rows 0.1 s.
    """

    def scores(rows: np.ndarray) -> np.ndarray:
        given = np.ascontiguousarray(rows[:, places], np.float32)
        total = sum(tree.predict(given).reshape(len(rows), -1) for tree in trees)
        return np.asarray(total) / len(trees)

    return scores


def _moved(children: np.ndarray, start: int) -> np.ndarray:
    return np.where(children >= 0, children + start, -1)
