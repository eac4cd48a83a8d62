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
    links = _Links(tree, criterion)
    while links.weakest() <= alpha:
        links.cut()
    return cut(tree, links.leaf)


def pruning_path(tree: Tree, *, criterion: str) -> tuple[np.ndarray, np.ndarray]:
    """Effective alphas at which the tree is pruned, and the impurity of its leaves from each on.

    Returns
    -------
    alphas, impurities : ndarray of float64, shape (n,)
        The first alpha is 0, of the whole tree; the last leaves only the root.
    """
    links = _Links(tree, criterion)
    found = [(0.0, float(links.below[0]))]
    while np.isfinite(alpha := links.weakest()):
        links.cut()
        if alpha <= found[-1][0]:
            found.pop()
        found.append((max(alpha, 0.0), float(links.below[0])))
    alphas, impurities = np.array(found).T
    return alphas, impurities


class _Links:
    """Nodes in the order in which they become leaves."""

    def __init__(self, tree: Tree, criterion: str) -> None:
        self._tree = tree
        whole = tree.weight[0].sum()
        self.cost = tree.weight.sum(axis=1) * impurity(tree.weight, criterion) / whole
        self.parent = tree.parent
        self.leaf = tree.is_leaf.copy()
        self.below = np.where(self.leaf, self.cost, 0.0)  # cost of the leaves below
        self.n_leaves = self.leaf.astype(np.int64)
        for node in range(tree.n_nodes - 1, 0, -1):
            self.below[self.parent[node]] += self.below[node]
            self.n_leaves[self.parent[node]] += self.n_leaves[node]
        self._version = np.zeros(tree.n_nodes, np.int64)
        self._heap = [self._link(node) for node in np.flatnonzero(~self.leaf).tolist()]
        heapq.heapify(self._heap)

    def _link(self, node: int) -> tuple[float, int, int]:
        saved = self.cost[node] - self.below[node]
        return float(saved / (self.n_leaves[node] - 1)), node, int(self._version[node])

    def weakest(self) -> float:
        """The least effective alpha; infinite where only leaves are left."""
        while self._heap:
            alpha, node, version = self._heap[0]
            if not self.leaf[node] and version == self._version[node]:
                return alpha
            heapq.heappop(self._heap)
        return float("inf")

    def cut(self) -> None:
        """Make a leaf of the node that `weakest` has found."""
        _, node, _ = heapq.heappop(self._heap)
        saved, gone = self.cost[node] - self.below[node], self.n_leaves[node] - 1
        self.below[node] = self.cost[node]
        waiting = [node]
        while waiting:
            below = waiting.pop()
            if not self.leaf[below]:
                self.leaf[below] = True
                waiting += self._tree.children(below).tolist()
        above = int(self.parent[node])
        while above >= 0:
            self.below[above] += saved
            self.n_leaves[above] -= gone
            self._version[above] += 1
            heapq.heappush(self._heap, self._link(above))
            above = int(self.parent[above])


def _starts(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
