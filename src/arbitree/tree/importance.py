"""How much each feature of a tree decreases impurity."""

from __future__ import annotations

import numpy as np

from arbitree.model.tree import Tree
from arbitree.tree.impurity import impurity


def importances(tree: Tree, criterion: str) -> np.ndarray:
    """Share of each feature in the weighted decrease of impurity, (n_features,) float64.

    They add up to 1, or are all 0 for a tree whose splits decrease nothing.
    """
    cost = tree.weight.sum(axis=1) * impurity(tree.weight, criterion)
    found = np.zeros(len(tree.features))
    inner = ~tree.is_leaf
    np.add.at(found, tree.feature[inner], cost[inner])
    below = tree.feature[tree.parent[1:]]
    np.subtract.at(found, below, cost[1:])
    np.maximum(found, 0.0, out=found)
    total = found.sum()
    return found / total if total > 0 else found
