"""Random trees and the people that walk down them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from arbitree.model.tree import Feature, Tree
from arbitree.table.codings import CategoryCoding


def shape(rng: np.random.Generator, *, max_depth: int, max_children: int) -> list[list[int]]:
    """Children of each node, in depth-first order."""
    below: list[list[int]] = []

    def grow(depth: int) -> int:
        node = len(below)
        below.append([])
        if depth < max_depth and (depth == 0 or rng.random() < 0.7):
            for _ in range(int(rng.integers(2, max_children + 1))):
                below[node].append(grow(depth + 1))
        return node

    grow(0)
    return below


LEVELS = CategoryCoding(levels=("a", "b", "c"))


def tree_of(below: list[list[int]], label: np.ndarray, reach: np.ndarray) -> Tree:
    """A tree of splits in two or three; who reaches a node need not follow from its routes."""
    inner = [bool(found) for found in below]
    routes = [[min(level, len(found) - 1) for level in range(4)] for found in below if found]
    n_classes = reach.shape[2]
    return Tree(
        features=(Feature(name="x", coding=LEVELS),),
        classes=tuple(range(n_classes)),
        feature=np.where(inner, 0, -1),
        threshold=np.full(len(below), np.nan),
        child_start=np.cumsum([0, *map(len, below)]),
        child=np.array([child for found in below for child in found]),
        route_start=np.cumsum([0, *(4 * split for split in inner)]),
        route=np.array(routes, dtype=np.uint16).ravel(),
        label=label,
        n=reach.sum(axis=(1, 2)),
        weight=reach.sum(axis=1),
        groups=tuple(f"g{group}" for group in range(reach.shape[1])),
        reach=reach,
    )


def summed_up(below: list[list[int]], reach: np.ndarray) -> np.ndarray:
    """Weights of leaves, added up to the root."""
    reach = reach.astype(np.float64)
    for node in reversed(range(len(below))):
        if below[node]:
            reach[node] = reach[below[node]].sum(axis=0)
    return reach


@st.composite
def populated_trees(draw, *, max_children=3, max_groups=4, n_classes=2) -> Tree:
    """A tree with counts of rows by group and class; some groups miss parts of it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    below = shape(rng, max_depth=draw(st.integers(0, 5)), max_children=max_children)
    n_groups = draw(st.integers(2, max_groups))
    most = draw(st.sampled_from([2, 10, 1000]))
    reach = rng.integers(0, most, (len(below), n_groups, n_classes))
    reach[rng.random(reach.shape) < draw(st.sampled_from([0.0, 0.3]))] = 0
    return tree_of(below, rng.integers(0, n_classes, len(below)), summed_up(below, reach))


def gap_by_leaves(tree: Tree, weight: np.ndarray, high: int, low: int) -> float:
    """Difference of the shares of two groups that end in favourable leaves.  (n_nodes, n_groups)"""
    kept = weight[tree.is_leaf & (tree.label == 1)].sum(axis=0)
    return float(kept[high] / weight[0, high] - kept[low] / weight[0, low])
