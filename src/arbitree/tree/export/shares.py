"""The shares of classes among the training rows of each node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.model.tree import Tree


def shares(tree: Tree) -> np.ndarray:
    """Share of each class, (n_nodes, n_classes) float64; all of the decision where nothing weighs.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> shares(TreeClassifier(min_impurity_decrease=9).fit([[1], [2]], [0, 1]).tree_)
    array([[0.5, 0.5]])
    """
    total = tree.weight.sum(axis=1, keepdims=True)
    decided = np.eye(len(tree.classes))[tree.label]
    return np.where(total > 0, tree.weight / np.where(total > 0, total, 1.0), decided)


def share_words(tree: Tree, node: int, classes: Sequence[str], *, decimals: int) -> str:
    """``n = 10, no 0.20, yes 0.80``: training rows of a node, and the share of each class."""
    total = tree.weight[node].sum()
    decided = np.arange(len(classes)) == tree.label[node]
    found = tree.weight[node] / total if total > 0 else decided.astype(float)
    each = ", ".join(f"{name} {share:.{decimals}f}" for name, share in zip(classes, found))
    return f"n = {tree.n[node]}, {each}"
