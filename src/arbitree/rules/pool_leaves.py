"""Branches for single levels that decide alike, as one branch for all of them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.rules.parts import in_order, part_of, tree_of_parts


def pooled(tree: Tree, leaves: Collection[int]) -> Tree:
    """A tree in which some leaves are one, where they are children of one split on levels.

    Parameters
    ----------
    tree : Tree
    leaves : collection of int
        Those that may become one: if they have the same class and the same shares of classes,
        a leaf without rows being sure of its class. So no row is decided otherwise.

    Returns
    -------
    Tree
        `tree` itself if no two of them are alike.
    """
    key = {leaf: _key(tree, leaf) for leaf in leaves}
    n, weight = tree.n.astype(np.int64), tree.weight.copy()
    nodes = [part_of(tree, v) for v in range(tree.n_nodes)]
    any_pooled = False
    for v in range(tree.n_nodes - 1, -1, -1):
        children, part = tree.children(v).tolist(), nodes[v]
        at: list[int] = []  # of each child its new position
        first: dict[object, int] = {}
        for child in children:
            kind = key.get(child) if np.isnan(part.threshold) else None
            if kind is not None and kind in first:
                any_pooled = True
                kept = part.children[first[kind]].origin
                n[kept] += tree.n[child]
                weight[kept] += tree.weight[child]
                at.append(first[kind])
                continue
            if kind is not None:
                first[kind] = len(part.children)
            at.append(len(part.children))
            part.children.append(nodes[child])
        if len(part.children) == 1:
            nodes[v] = part.children[0]
        elif children and np.isnan(part.threshold):
            part.routes = tuple(at[to] for to in part.routes)
    if not any_pooled:
        return tree
    parts = in_order(nodes[0])
    origin = [part.origin for part in parts]
    return tree_of_parts(tree, parts, n[origin], weight[origin])


def _key(tree: Tree, leaf: int) -> tuple[int, tuple[float, ...]] | None:
    """What leaves share that can be one."""
    if tree.feature[leaf] != LEAF:
        return None
    weight = tree.weight[leaf]
    sure = np.eye(len(weight))[tree.label[leaf]]
    share = weight / weight.sum() if weight.any() else sure
    return int(tree.label[leaf]), tuple(share.tolist())
