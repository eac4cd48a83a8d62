"""A binary tree that is searched over: its splits are masks over codes, and change in place."""

from __future__ import annotations

import numpy as np

from arbitree.tree.budget.problem import Problem


class MaskTree:
    """Nodes in the order they were made, so that children come after their parent.

    A row at an inner node goes to its second child where the mask of the node is 1 at the row's
    code, else to its first. Leaves decide `label`, 0 or 1.
    """

    def __init__(self, n_codes: int) -> None:
        self.feature = np.full(1, -1, np.int32)  # -1 for a leaf
        self.children = np.zeros((1, 2), np.int32)
        self.mask = np.zeros((1, n_codes), np.uint8)
        self.label = np.zeros(1, np.uint8)
        self.depth = np.zeros(1, np.int32)

    def copy(self) -> MaskTree:
        """A tree that may change without this one."""
        return self.taken(np.arange(len(self.feature)), self.children)

    def taken(self, nodes: np.ndarray, children: np.ndarray) -> MaskTree:
        """The tree of some nodes in their order, with these children."""
        tree = MaskTree.__new__(MaskTree)
        tree.feature, tree.mask = self.feature[nodes], self.mask[nodes]
        tree.label, tree.depth = self.label[nodes], self.depth[nodes]
        tree.children = children.copy()
        return tree

    @property
    def inner(self) -> np.ndarray:
        """Nodes that have children."""
        return np.flatnonzero(self.feature >= 0)

    @property
    def bottom(self) -> np.ndarray:
        """Nodes whose two children are leaves."""
        inner = self.inner
        return inner[(self.feature[self.children[inner]] < 0).all(axis=1)]

    def split(self, nodes: np.ndarray, feature: np.ndarray, mask: np.ndarray) -> None:
        """Give leaves two children each."""
        n, k = len(self.feature), len(nodes)
        self.feature[nodes], self.mask[nodes] = feature, mask
        self.children[nodes] = n + np.arange(2 * k).reshape(k, 2)
        grown = MaskTree(self.mask.shape[1])
        self.feature = np.concatenate([self.feature, np.full(2 * k, -1, np.int32)])
        self.children = np.concatenate([self.children, np.zeros((2 * k, 2), np.int32)])
        self.mask = np.concatenate([self.mask, np.repeat(grown.mask, 2 * k, axis=0)])
        self.label = np.concatenate([self.label, np.repeat(self.label[nodes], 2)])
        self.depth = np.concatenate([self.depth, np.repeat(self.depth[nodes] + 1, 2)])

    def compact(self, cells: np.ndarray) -> MaskTree:
        """The tree without splits that part no rows, or whose leaves decide alike.

        Parameters
        ----------
        cells : (n_nodes, n_cells) float64
            Weights of leaves by cell; zeros for inner nodes.
        """
        weight = cells.sum(axis=1)
        stands = np.arange(len(self.feature))  # the node that takes the place of each
        leaf = self.feature < 0
        label = self.label.copy()
        for node in self.inner[::-1].tolist():
            one, two = stands[self.children[node]]
            weight[node] = weight[one] + weight[two]
            if not weight[one] or not weight[two]:
                stands[node] = two if not weight[one] else one
            elif leaf[one] and leaf[two] and label[one] == label[two]:
                leaf[node], label[node] = True, label[one]
        return self.pruned(leaf, label, stands)

    def pruned(
        self, leaf: np.ndarray, label: np.ndarray, stands: np.ndarray | None = None
    ) -> MaskTree:
        """The tree with these leaves and labels.

        Parameters
        ----------
        leaf, label : (n_nodes,)
        stands : (n_nodes,) int64, optional
            The node that takes the place of each; None for itself.
        """
        stands = np.arange(len(self.feature)) if stands is None else stands
        order, depth, children = [int(stands[0])], [0], []
        for place, node in enumerate(order):  # grows while it is walked
            children.append((0, 0))
            if not leaf[node]:
                children[-1] = (len(order), len(order) + 1)
                order += stands[self.children[node]].tolist()
                depth += [depth[place] + 1] * 2
        tree = self.taken(np.array(order), np.array(children, np.int32))
        tree.feature[leaf[order]] = -1
        tree.label, tree.depth = label[order], np.array(depth, np.int32)
        return tree


def leaves(problem: Problem, tree: MaskTree) -> np.ndarray:
    """The leaf of each row, (n,) int64."""
    return leaves_below(problem.codes, tree, 0)


def leaves_below(codes: np.ndarray, tree: MaskTree, node: int) -> np.ndarray:
    """The leaf that each row would come to from a node, (n,) int64."""
    from arbitree.counts import _kernels

    found = np.full(len(codes), node, np.int64)
    _kernels.descend(codes, tree.feature, tree.children, tree.mask, found)
    return found


def leaf_cells(problem: Problem, tree: MaskTree) -> np.ndarray:
    """Weights of leaves by cell, zeros for inner nodes, (n_nodes, n_cells) float64."""
    n_nodes, n_cells = len(tree.feature), problem.n_cells
    at = leaves(problem, tree) * n_cells + problem.cell
    return np.bincount(at, problem.weights, n_nodes * n_cells).reshape(n_nodes, n_cells)


def decided(tree: MaskTree, cells: np.ndarray) -> np.ndarray:
    """Weights that the leaves decide 1, by cell, (n_cells,) float64."""
    return (tree.label == 1) @ cells


def too_small(problem: Problem, tree: MaskTree, least: float) -> bool:
    """Whether a leaf has rows, but fewer than `least`."""
    sizes = np.bincount(leaves(problem, tree), problem.sizes, len(tree.feature))
    return bool(((sizes > 0) & (sizes < least)).any())
