"""Whether splits depend on the group among test rows: the review's test, for many trees."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2

from arbitree.model.tree import Tree
from arbitree.tree.local_parity import holm


def reach(tree: Tree, leaf: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rows of both groups at each node, from the leaves that they fall into.  (n_nodes, 2)"""
    counts = np.bincount(2 * leaf + other, minlength=2 * tree.n_nodes).reshape(-1, 2)
    for node in reversed(range(tree.n_nodes)):
        counts[node] += counts[tree.children(node)].sum(axis=0)
    return counts


def split_p_values(tree: Tree, leaf: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of each split in two, adjusted for their number: as `arbitree.local_parity` has them."""
    counts = reach(tree, leaf, other)
    inner = np.flatnonzero(~tree.is_leaf)
    first = counts[[tree.children(node)[0] for node in inner]]
    second = counts[inner] - first
    margins = (first + second).prod(axis=1) * first.sum(axis=1) * second.sum(axis=1)
    crossed = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    statistic = counts[inner].sum(axis=1) * crossed.astype(float) ** 2
    statistic = np.divide(statistic, margins, out=np.zeros(len(inner)), where=margins > 0)
    return holm(np.where(margins > 0, chi2.sf(statistic, 1), 1.0))
