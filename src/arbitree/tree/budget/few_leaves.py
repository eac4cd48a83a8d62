"""Prune a tree to at most so many leaves, at the least cost: a dynamic program, leaves up."""

from __future__ import annotations

import numpy as np

from arbitree.tree.budget.mask_tree import MaskTree


def limit_leaves(tree: MaskTree, cells: np.ndarray, cost: np.ndarray, most: int) -> MaskTree:
    """The cheapest pruning of a tree with at most `most` leaves, each deciding what costs less.

    Parameters
    ----------
    cells : (n_nodes, n_cells) float64
        Weights of leaves by cell, zeros for inner nodes.
    cost : (n_cells,) float64
        Of deciding a unit of weight 1, not 0.

    References
    ----------
    Bohanec and Bratko, "Trading accuracy for simplicity in decision trees", 1994.
    """
    if np.count_nonzero(tree.feature < 0) <= most:
        return tree
    own = _with_subtrees(tree, cells) @ cost
    least = [np.minimum(own[node], 0.0)[None] for node in range(len(own))]  # by leaves less one
    to_first: dict[int, np.ndarray] = {}
    for node in tree.inner[::-1].tolist():
        one, two = tree.children[node]
        sums = np.full(min(len(least[one]) + len(least[two]), most), np.inf)
        first = np.zeros(len(sums), np.int64)
        sums[0] = least[node][0]
        for k, below in enumerate(least[one][: len(sums) - 1]):
            both = below + least[two][: len(sums) - 1 - k]
            places = np.arange(len(both)) + k + 1
            better = both < sums[places]
            sums[places[better]], first[places[better]] = both[better], k
        least[node], to_first[node] = sums, first
    return _pruned(tree, own, least, to_first)


def _with_subtrees(tree: MaskTree, cells: np.ndarray) -> np.ndarray:
    total = cells.copy()
    for node in tree.inner[::-1].tolist():
        total[node] = total[tree.children[node]].sum(axis=0)
    return total


def _pruned(
    tree: MaskTree, own: np.ndarray, least: list[np.ndarray], to_first: dict[int, np.ndarray]
) -> MaskTree:
    """The tree that reaches the least cost with as few leaves as that takes."""
    leaf, label = tree.feature < 0, (own < 0).astype(np.uint8)
    waiting = [(0, int(np.argmin(least[0])))]
    while waiting:
        node, more = waiting.pop()
        if more == 0:
            leaf[node] = True
            continue
        k = int(to_first[node][more])
        one, two = tree.children[node].tolist()
        waiting += [(one, k), (two, more - 1 - k)]
    return tree.pruned(leaf, label)
