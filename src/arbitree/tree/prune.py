"""Smaller trees: cost-complexity pruning, and leaves that decide alike."""

from __future__ import annotations

import heapq
from dataclasses import replace

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.tree.impurity import impurity


def cut(tree: Tree, nodes: np.ndarray) -> Tree:
    """The tree with these nodes as leaves.

    Parameters
    ----------
    tree : Tree
    nodes : ndarray of bool, shape (n_nodes,)

    Returns
    -------
    Tree
        `tree` itself if none of the nodes has children.
    """
    if not (nodes & ~tree.is_leaf).any():
        return tree
    parent = tree.parent
    below = np.zeros(tree.n_nodes, bool)
    for node in range(1, tree.n_nodes):
        below[node] = below[parent[node]] or nodes[parent[node]]
    kept = np.flatnonzero(~below)
    rank = np.cumsum(~below) - 1
    leaf = nodes | tree.is_leaf
    inner = [node for node in kept.tolist() if not leaf[node]]
    n_children, n_routes = np.diff(tree.child_start), np.diff(tree.route_start)
    return Tree(
        features=tree.features,
        classes=tree.classes,
        feature=np.where(leaf, LEAF, tree.feature)[kept],
        threshold=np.where(leaf, np.nan, tree.threshold)[kept],
        child_start=_starts(np.where(leaf, 0, n_children)[kept]),
        child=_joined([rank[tree.children(node)] for node in inner]),
        route_start=_starts(np.where(leaf, 0, n_routes)[kept]),
        route=_joined([tree.routes(node) for node in inner]),
        label=tree.label[kept],
        n=tree.n[kept],
        weight=tree.weight[kept],
        groups=tree.groups,
        reach=None if tree.reach is None else tree.reach[kept],
    )


def merge_equal(tree: Tree) -> Tree:
    """The tree without splits below which every leaf decides alike: no decision changes.

    Shares of classes in the leaves do change.
    """
    same = tree.is_leaf.copy()
    label = tree.label.copy()
    for node in range(tree.n_nodes - 1, -1, -1):
        children = tree.children(node)
        if len(children) and same[children].all() and len(set(label[children].tolist())) == 1:
            same[node], label[node] = True, label[children[0]]
    return cut(replace(tree, label=label), same)


def prune(tree: Tree, *, alpha: float, criterion: str) -> Tree:
    """Minimal cost-complexity pruning: weakest links first, as long as they are worth `alpha`.

    The cost of a leaf is its share of the training weight times its impurity. The effective alpha
    of a node is what its subtree saves for each leaf more; the node with the least one becomes a
    leaf, until the least is above `alpha`.

    References
    ----------
    Breiman et al., Classification and Regression Trees, 1984, chapter 3.
    """
    if alpha <= 0 or tree.n_nodes == 1:
        return tree
    cost = tree.weight.sum(axis=1) * impurity(tree.weight, criterion) / tree.weight[0].sum()
    parent = tree.parent
    below, n_leaves = np.where(tree.is_leaf, cost, 0.0), tree.is_leaf.astype(np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):
        below[parent[node]] += below[node]
        n_leaves[parent[node]] += n_leaves[node]
    leaf, version = tree.is_leaf.copy(), np.zeros(tree.n_nodes, np.int64)

    def link(node: int) -> tuple[float, int, int]:
        return float((cost[node] - below[node]) / (n_leaves[node] - 1)), node, int(version[node])

    heap = [link(node) for node in np.flatnonzero(~leaf).tolist()]
    heapq.heapify(heap)
    while heap:
        effective, node, at = heapq.heappop(heap)
        if effective > alpha:
            break
        if leaf[node] or at != version[node]:
            continue
        saved, gone = cost[node] - below[node], n_leaves[node] - 1
        leaf[node] = True
        above = int(parent[node])
        while above >= 0 and not leaf[above]:
            below[above] += saved
            n_leaves[above] -= gone
            version[above] += 1
            heapq.heappush(heap, link(above))
            above = int(parent[above])
    return cut(tree, leaf)


def _starts(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
