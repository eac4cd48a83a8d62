"""A tree whose decisions and shares never go the wrong way along a feature.

The tree is grown as ever, then made monotone: its leaves are boxes, and a box is below another if
some row of it is below some row of the other in the features with a direction, and equal in all
others. Shares of the second class become those nearest to the training shares, by weighted
squares, that respect this order (isotonic classification trees: van de Kamp, Feelders and Barile,
IDA 2009). Decisions at a half of these shares have the fewest errors of all monotone ones; under a
`GapBudget` they are those with the fewest errors among monotone ones within the budget.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.tree.isotonic import isotonic
from arbitree.tree.leaf_order import leaf_order
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.prune import merge_equal
from arbitree.tree.table import TrainingTable

_ROUNDING = 1e-12  # of a gap


def made_monotone(
    tree: Tree, signs: np.ndarray, table: TrainingTable, options: GrowthOptions
) -> Tree:
    """The tree with shares and decisions that respect the directions.

    Parameters
    ----------
    tree : Tree
        Of two classes, with threshold splits.
    signs : (n_features,) int
        1 where the share of the second class must not fall with the feature, -1 where it must
        not rise, 0 where it may do either.

    Returns
    -------
    Tree
        The very same where it is monotone already.
    """
    if tree.n_nodes == 1 or not signs.any():
        return tree
    found = tree
    if isinstance(options.parity, GapBudget):
        found = merge_equal(_within_budget(tree, signs, table, options.parity.eps))
    else:
        found = _with_shares(tree, signs, decide=True)
        if options.simplify:
            # Merged leaves have the shares of all their rows, which are made monotone anew.
            found = merge_equal(replace(tree, label=found.label))
    return _with_shares(found, signs, decide=False)


def _with_shares(tree: Tree, signs: np.ndarray, *, decide: bool) -> Tree:
    """Isotonic shares in the leaves, and on request the decisions that follow from them."""
    leaves, low, high = leaf_order(tree, signs)
    of_leaf = tree.weight[leaves]
    total = of_leaf.sum(axis=1)
    share = of_leaf[:, 1] / total
    found = isotonic(share, total, low, high)
    moved = found != share
    if not moved.any():
        return tree
    weight = np.array(tree.weight)
    weight[leaves[moved]] = (np.column_stack([1 - found, found]) * total[:, None])[moved]
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.feature[node] != LEAF:
            weight[node] = weight[tree.children(node)].sum(axis=0)
    label = np.array(tree.label)
    if decide:
        label[leaves[moved]] = found[moved] > 0.5
    return replace(tree, weight=weight, label=label)


def _within_budget(tree: Tree, signs: np.ndarray, table: TrainingTable, eps: float) -> Tree:
    """Monotone decisions with the fewest errors whose gap is at most eps, by HiGHS."""
    leaves, low, high = leaf_order(tree, signs)
    label = np.array(tree.label)
    decided = label[leaves].astype(bool)
    if not (decided[low] & ~decided[high]).any():
        return tree
    assert tree.reach is not None
    errors = (tree.weight[leaves, 0] - tree.weight[leaves, 1]) / tree.weight[leaves].sum()
    rates, family = _rates(tree.reach[leaves], table)
    label[leaves] = _monotone_labels(errors, rates, family, low, high, eps)
    return replace(tree, label=label)


def _rates(reach: np.ndarray, table: TrainingTable) -> tuple[np.ndarray, np.ndarray]:
    """What each leaf adds to the rates of groups, (n_leaves, k), and their population, (k,)."""
    columns, family = [], []
    for number, population in enumerate(table.populations):
        for members in population.members:
            amount = (reach * members).sum(axis=(1, 2))
            if amount.sum() > 0:
                columns.append(amount / amount.sum())
                family.append(number)
    return np.array(columns).reshape(-1, len(reach)).T, np.array(family, np.int64)


def _monotone_labels(
    errors: np.ndarray,
    rates: np.ndarray,
    family: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    eps: float,
) -> np.ndarray:
    """Labels of leaves; all alike, which is monotone and has no gap, where HiGHS finds none."""
    slack = 0.0
    for _ in range(4):
        found = _solved(errors, rates, family, low, high, max(eps - slack, 0.0))
        if found is not None and not (found[low] > found[high]).any():
            gap = _gap(found @ rates, family)
            if gap <= eps + _ROUNDING:
                return found
            slack += 2 * (gap - eps) + 1e-9
    return np.full(len(errors), errors.sum() < 0, np.int32)


def _solved(
    errors: np.ndarray,
    rates: np.ndarray,
    family: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    eps: float,
) -> np.ndarray | None:
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    n_leaves, n_families = len(errors), int(family.max(initial=-1)) + 1
    width = n_leaves + n_families
    pair = np.arange(len(low))
    order = csr_array(
        (np.repeat([1.0, -1.0], len(low)), (np.tile(pair, 2), np.concatenate([low, high]))),
        shape=(len(low), width),
    )
    within = np.zeros((len(family), width))
    within[:, :n_leaves] = rates.T
    within[np.arange(len(family)), n_leaves + family] = -1
    limits: list[Any] = [LinearConstraint(order, -np.inf, 0), LinearConstraint(within, 0, eps)]
    found = milp(
        np.concatenate([errors / np.abs(errors).max(initial=1e-300), np.zeros(n_families)]),
        integrality=np.repeat([1, 0], [n_leaves, n_families]),
        bounds=Bounds(np.repeat([0, -1], [n_leaves, n_families]), 1),
        constraints=limits,
        options={"mip_rel_gap": 0, "time_limit": 10},
    )
    return None if found.x is None else (found.x[:n_leaves] > 0.5).astype(np.int32)


def _gap(rates: np.ndarray, family: np.ndarray) -> float:
    """The widest gap of any population."""
    return max((float(np.ptp(rates[family == one])) for one in set(family.tolist())), default=0.0)
