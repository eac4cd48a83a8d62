"""How far a tree can be from parity, given how far its splits are.

Theorem 7 says that a tree all of whose splits are independent of the group is so too. These
bounds are what is left of it when splits are nearly so, from the tightest, which knows the leaves'
labels, to the loosest, which knows only the largest split gap and the depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from arbitree.tree.favorable import Favorable
from arbitree.tree.parity_report import pair_columns
from arbitree.tree.reached import Reached, Walks, inner_nodes, reached, split_gaps, walks

if TYPE_CHECKING:
    from arbitree.model.tree import Tree


def parity_bounds(
    tree: Tree,
    *,
    favorable: Favorable,
    metric: str = "statistical_parity",
    rows: Reached | None = None,
    widest: bool = False,
) -> pd.DataFrame:
    """Bounds on the gap of a tree from the gaps of its splits.

    Parameters are those of `parity_report`.

    Returns
    -------
    DataFrame
        One row a pair of groups and condition: condition, group_high, group_low, gap, and

        value_weighted
            sum of p(t) eps(t) times the range of V(k) over the children of t, the smaller of the
            two groups' sums: knows the labels.
        total_variation
            distance of the two groups' distributions over leaves: holds for any labels.
        coupling
            1 - sum over leaves of m, with m the product over the path of the smaller of the two
            groups' branch probabilities: two walkers, one a group, keep together as long as they
            can. Equal to the sum of m(t) eps(t).
        reach_weighted
            sum of p(t) eps(t), the smaller of the two groups' sums.
        largest_split
            largest eps times the mean length of a path, the smaller of the two groups'.
        depth
            1 - (1 - largest eps)^depth, at most depth times largest eps.

        ``gap <= value_weighted <= reach_weighted <= largest_split`` and ``gap <=
        total_variation <= coupling <=`` each of ``reach_weighted`` and ``depth``.

    References
    ----------
    The maximal coupling of two branchings: Lindvall (2002), Lectures on the Coupling Method,
    theorem 5.2.
    """
    rows = reached(tree, favorable=favorable, metric=metric) if rows is None else rows
    pairs = walks(tree, rows, favorable=favorable, widest=widest)
    eps, leaf = split_gaps(tree, pairs), tree.is_leaf
    largest = eps.max(axis=1, initial=0.0)
    reach = np.stack([pairs.reach_high, pairs.reach_low])
    variation = np.abs(pairs.reach_high - pairs.reach_low)[:, leaf].sum(axis=1) / 2
    return pd.DataFrame(
        {
            **pair_columns(rows, pairs),
            "gap": pairs.gap,
            "value_weighted": (reach * eps * _value_ranges(tree, pairs)).sum(axis=2).min(axis=0),
            "total_variation": variation,
            "coupling": (_together(tree, pairs) * eps).sum(axis=1),
            "reach_weighted": (reach * eps).sum(axis=2).min(axis=0),
            "largest_split": largest * reach[:, :, ~leaf].sum(axis=2).min(axis=0),
            "depth": 1 - (1 - largest) ** int(tree.depth.max()),
        }
    )


def _value_ranges(tree: Tree, pairs: Walks) -> np.ndarray:
    """How much it matters to the other group which way one goes.  (2, m, n_nodes)"""
    values = np.stack([pairs.value_low, pairs.value_high])
    found = np.zeros(values.shape)
    for node in inner_nodes(tree):
        found[:, :, node] = np.ptp(values[:, :, tree.children(node)], axis=2)
    return found


def _together(tree: Tree, pairs: Walks) -> np.ndarray:
    """Probability that two coupled walkers are both at a node.  (m, n_nodes)"""
    found = np.ones(pairs.branch_high.shape)
    for node in inner_nodes(tree):
        to = tree.children(node)
        step = np.minimum(pairs.branch_high[:, to], pairs.branch_low[:, to])
        found[:, to] = found[:, [node]] * step
    return found
