"""Who reaches which node: one tree walked down by several groups at once.

Under a condition (all rows, or those with a favourable label) each group is a probability measure
of its own over the tree's paths. Everything that is said about the parity of a tree compares two
of these measures, so they are worked out here once.

Glossary: p(t) is the probability of reaching node t, q(k) that of going on to child k of a node
that is reached, V(t) that of a favourable decision once t is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.tree.favorable import Favorable, favorable_mask

if TYPE_CHECKING:
    from arbitree.model.tree import Tree

ALL_ROWS, FAVORABLE_LABEL, UNFAVORABLE_LABEL = "all", "favorable label", "unfavorable label"

#: The conditions under which a metric compares groups.
CONDITIONS = {
    "statistical_parity": (ALL_ROWS,),
    "equal_opportunity": (FAVORABLE_LABEL,),
    "predictive_equality": (UNFAVORABLE_LABEL,),
    "equalized_odds": (FAVORABLE_LABEL, UNFAVORABLE_LABEL),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reached:
    """Weight of rows at each node, by condition and group.

    A node's weight is the sum of its children's.
    """

    conditions: tuple[str, ...]
    groups: tuple[str, ...]
    weight: np.ndarray  # (n_conditions, n_nodes, n_groups) float64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Walks:
    """Pairs of groups on their way down one tree, under one condition each: arrays (m, n_nodes).

    `value_high[:, 0] >= value_low[:, 0]`: the gap of a pair is never negative. A group that does
    not reach a node goes on from there as the other group does, so that what sets the two apart
    is the split which kept it away.
    """

    condition: np.ndarray  # (m,) int
    high: np.ndarray  # (m,) int, the group with the higher rate of favourable decisions
    low: np.ndarray  # (m,) int
    reach_high: np.ndarray  # p
    reach_low: np.ndarray
    branch_high: np.ndarray  # q of the last step to the node, 1 for the root
    branch_low: np.ndarray
    value_high: np.ndarray  # V
    value_low: np.ndarray

    @property
    def gap(self) -> np.ndarray:
        """Rate of the higher group minus that of the lower.  (m,)"""
        return np.maximum(self.value_high[:, 0] - self.value_low[:, 0], 0.0)


def reached(tree: Tree, *, favorable: Favorable, metric: str = "statistical_parity") -> Reached:
    """Training rows at each node of a tree, under the conditions of a metric.

    Parameters
    ----------
    tree : Tree
        Grown with groups.
    favorable : int or tuple of int
        Positions of the favourable classes among the tree's.
    metric : str
        ``"statistical_parity"``, ``"equal_opportunity"``, ``"predictive_equality"`` or
        ``"equalized_odds"``.

    Raises
    ------
    InputError
        The tree knows no groups, or the metric is another.
    """
    if metric not in CONDITIONS:
        raise InputError(f"There is no metric {metric!r} here. {nearest(metric, list(CONDITIONS))}")
    if tree.reach is None or not tree.groups:
        raise InputError("The tree knows no groups. Pass sensitive_features to fit.")
    is_favorable = favorable_mask(favorable, len(tree.classes))
    by_condition = {
        ALL_ROWS: tree.reach.sum(axis=2),
        FAVORABLE_LABEL: tree.reach[:, :, is_favorable].sum(axis=2),
        UNFAVORABLE_LABEL: tree.reach[:, :, ~is_favorable].sum(axis=2),
    }
    return Reached(
        conditions=CONDITIONS[metric],
        groups=tree.groups,
        weight=np.stack([by_condition[name] for name in CONDITIONS[metric]]).astype(np.float64),
    )


def inner_nodes(tree: Tree) -> list[int]:
    """Numbers of the nodes that split."""
    found: list[int] = np.flatnonzero(~tree.is_leaf).tolist()
    return found


def walks(tree: Tree, rows: Reached, *, favorable: Favorable, widest: bool = False) -> Walks:
    """Every pair of groups with rows, or only the pair with the widest gap, of each condition.

    Within a condition the pair with the widest gap comes first.
    """
    rates = _rates(tree, rows, favorable)
    condition, high, low = _pairs(rates, widest=widest)
    weight = rows.weight[condition, :, high], rows.weight[condition, :, low]
    branch = _branches(tree, *weight)
    value = [_values(tree, q, favorable) for q in branch]
    return Walks(
        condition=condition,
        high=high,
        low=low,
        reach_high=weight[0] / weight[0][:, :1],
        reach_low=weight[1] / weight[1][:, :1],
        branch_high=branch[0],
        branch_low=branch[1],
        value_high=value[0],
        value_low=value[1],
    )


def _rates(tree: Tree, rows: Reached, favorable: Favorable) -> np.ndarray:
    """Rates of favourable decisions, NaN for a group without rows.  (n_conditions, n_groups)"""
    accepted = tree.is_leaf & favorable_mask(favorable, len(tree.classes))[tree.label]
    total = rows.weight[:, 0]
    kept = rows.weight[:, accepted].sum(axis=1)
    return np.divide(kept, total, out=np.full(total.shape, np.nan), where=total > 0)


def _pairs(rates: np.ndarray, *, widest: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Condition, higher and lower group of each pair."""
    found = []
    for condition, rate in enumerate(rates):
        present = np.flatnonzero(~np.isnan(rate))
        first, second = (present[side] for side in np.triu_indices(len(present), 1))
        swap = rate[second] > rate[first]
        high, low = np.where(swap, second, first), np.where(swap, first, second)
        order = np.argsort(rate[low] - rate[high], kind="stable")[: 1 if widest else None]
        found.append(np.stack([np.full(len(order), condition), high[order], low[order]]))
    condition, high, low = np.concatenate(found, axis=1)
    return condition, high, low


def _branches(tree: Tree, high: np.ndarray, low: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probability of the last step to each node, for both groups.  (m, n_nodes) each"""
    one, other = np.ones(high.shape), np.ones(low.shape)
    for node in inner_nodes(tree):
        to = tree.children(node)
        own_high = _shares(high, node, to)
        own_low = _shares(low, node, to)
        any_way = 1 / len(to)
        one[:, to] = _first(own_high, own_low, any_way)
        other[:, to] = _first(own_low, own_high, any_way)
    return one, other


def _shares(weight: np.ndarray, node: int, to: np.ndarray) -> np.ndarray:
    total = weight[:, to].sum(axis=1, keepdims=True)
    return np.divide(
        weight[:, to], total, out=np.full((len(weight), len(to)), np.nan), where=total > 0
    )


def _first(own: np.ndarray, others: np.ndarray, otherwise: float) -> np.ndarray:
    found = np.where(np.isnan(own), others, own)
    return np.where(np.isnan(found), otherwise, found)


def _values(tree: Tree, branch: np.ndarray, favorable: Favorable) -> np.ndarray:
    """Probability of a favourable decision from each node on, leaves up.  (m, n_nodes)"""
    decides = favorable_mask(favorable, len(tree.classes))[tree.label].astype(float)
    value = np.broadcast_to(decides, branch.shape).copy()
    for node in reversed(inner_nodes(tree)):
        to = tree.children(node)
        value[:, node] = (branch[:, to] * value[:, to]).sum(axis=1)
    return value


def split_gaps(tree: Tree, pairs: Walks) -> np.ndarray:
    """How differently two groups leave each node, 0 at leaves.  (m, n_nodes)

    Total variation of their children: ``|q_high(L) - q_low(L)|`` at a split in two.
    """
    eps = np.zeros(pairs.branch_high.shape)
    for node in inner_nodes(tree):
        to = tree.children(node)
        eps[:, node] = np.abs(pairs.branch_high[:, to] - pairs.branch_low[:, to]).sum(axis=1) / 2
    return eps
