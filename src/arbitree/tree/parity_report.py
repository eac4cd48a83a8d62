"""Which split causes how much of a tree's gap: an exact decomposition.

Of two groups a and b that walk down the tree, V_a(t) = sum_k q_a(k) V_a(k) over the children k of
a node t. Subtracting the same of b and unrolling from the root gives, exactly,

    V_a(root) - V_b(root) = sum over internal nodes t of p_a(t) sum_k (q_a(k) - q_b(k)) V_b(k)

and for a split in two the inner sum is d(t) (V_b(left) - V_b(right)), with the split's own gap
d(t) = q_a(left) - q_b(left). A split counts as far as a reaches it, as far as the two groups leave
it differently, and as far as it matters to b which way one goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from arbitree.tree.favorable import Favorable
from arbitree.tree.reached import Reached, Walks, inner_nodes, reached, split_gaps, walks

if TYPE_CHECKING:
    from arbitree.model.tree import Tree


def parity_report(
    tree: Tree,
    *,
    favorable: Favorable,
    metric: str = "statistical_parity",
    rows: Reached | None = None,
    widest: bool = False,
    symmetric: bool = False,
) -> pd.DataFrame:
    """Attribute a tree's gap to its splits.

    Parameters
    ----------
    tree : Tree
        Grown with groups.
    favorable : int or tuple of int
        Positions of the favourable classes among the tree's.
    metric : str
        What the gap is of: ``"statistical_parity"``, ``"equal_opportunity"``,
        ``"predictive_equality"`` or ``"equalized_odds"``, whose conditions come one after the
        other.
    rows : Reached, optional
        Weights of rows by node, condition and group, where they are not those that the tree
        keeps: of groups by one sensitive column, of levels of a control, of other rows. Replaces
        `metric`.
    widest : bool
        Only the pair of groups with the widest gap of each condition, instead of all pairs.
    symmetric : bool
        The identity is not symmetric in the two groups: ``high`` reaches, ``low`` has the values.
        With True, the mean of this attribution and of the one with the two groups exchanged.

    Returns
    -------
    DataFrame
        One row an internal node, for each pair of groups and each condition, the pair with the
        widest gap first: node, condition, group_high, group_low, eps (how differently the two
        groups leave the node: total variation over its children), reach (share of group_high
        that reaches the node), reach_low, contribution. Over the nodes of a pair,
        contributions sum to the rate of favourable decisions of group_high minus that of
        group_low, which is never negative; a negative contribution narrows the gap. A group that
        does not reach a node is taken to leave it as the other does. No rows where fewer than
        two groups have rows, or the tree does not split.

    Raises
    ------
    InputError
        The tree knows no groups, or the metric is another.

    References
    ----------
    Behind Theorem 7 of "Local Statistical Parity for the Estimation of Fair Decision Trees",
    which is the case of all eps being 0.
    """
    rows = reached(tree, favorable=favorable, metric=metric) if rows is None else rows
    pairs = walks(tree, rows, favorable=favorable, widest=widest)
    inner = inner_nodes(tree)
    found = contributions(tree, pairs, symmetric=symmetric)
    columns: dict[str, Any] = {"node": np.tile(inner, len(pairs.condition))}
    columns |= pair_columns(rows, pairs, repeat=len(inner))
    columns["eps"] = split_gaps(tree, pairs)[:, inner].ravel()
    columns["reach"] = pairs.reach_high[:, inner].ravel()
    columns["reach_low"] = pairs.reach_low[:, inner].ravel()
    columns["contribution"] = found[:, inner].ravel()
    return pd.DataFrame(columns)


def contributions(tree: Tree, pairs: Walks, *, symmetric: bool = False) -> np.ndarray:
    """What each node adds to the gap of each pair, 0 at leaves.  (m, n_nodes)"""
    found = np.zeros(pairs.branch_high.shape)
    for node in inner_nodes(tree):
        to = tree.children(node)
        differ = pairs.branch_high[:, to] - pairs.branch_low[:, to]
        one = pairs.reach_high[:, node] * (differ * pairs.value_low[:, to]).sum(axis=1)
        other = pairs.reach_low[:, node] * (differ * pairs.value_high[:, to]).sum(axis=1)
        found[:, node] = (one + other) / 2 if symmetric else one
    return found


def pair_columns(rows: Reached, pairs: Walks, *, repeat: int = 1) -> dict[str, np.ndarray]:
    """Condition and groups of each pair as columns of a frame."""
    conditions = np.array(rows.conditions, dtype=object)
    groups = np.array(rows.groups, dtype=object)
    return {
        "condition": conditions[pairs.condition].repeat(repeat),
        "group_high": groups[pairs.high].repeat(repeat),
        "group_low": groups[pairs.low].repeat(repeat),
    }
