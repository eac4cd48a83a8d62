"""The whole-tree budget with logistic or multiway splits: growth at prices, then exact labels.

Trees are grown on what decisions cost at several prices on the rates, as with thresholds. Each then
gets the best labels within the budget, and the one with fewest errors is taken. Splits are not
re-optimised after growth: that search moves thresholds and sets of levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from arbitree.model.tree import Tree
from arbitree.tree.budget.finish import labelled
from arbitree.tree.budget.labels import best_labels
from arbitree.tree.budget.prices import try_prices
from arbitree.tree.budget.problem import Problem, problem_of
from arbitree.tree.favorable import favorable_mask
from arbitree.tree.grow import grow
from arbitree.tree.options import GrowthOptions
from arbitree.tree.prune import merge_equal
from arbitree.tree.table import TrainingTable

N_PRICES = 12


def grown_path(
    table: TrainingTable, eps_values: Sequence[float], options: GrowthOptions
) -> list[Tree]:
    """Trees for several budgets, from the same growth.

    Parameters
    ----------
    table : TrainingTable
    eps_values : sequence of float
    options : GrowthOptions
        With a depth, and without what a budget refuses.
    """
    problem = problem_of(table)
    options = _growth(options, problem)
    trees: list[Tree] = []

    def at_price(prices: np.ndarray) -> np.ndarray:
        cost = problem.cost(prices)
        trees.append(_grown_on(table, options, cost))
        cells = _leaf_cells(trees[-1])
        return problem.measure((cells @ cost < 0) @ cells)[1]

    try_prices(problem, at_price, N_PRICES)
    return [_best(table, problem, trees, float(eps)) for eps in eps_values]


def _growth(options: GrowthOptions, problem: Problem) -> GrowthOptions:
    """Options of growth on costs, whose weights are no shares of rows."""
    share = ceil(options.min_weight_fraction_leaf * float(problem.sizes.sum()))
    return replace(
        options,
        parity=None,
        simplify=False,
        min_weight_fraction_leaf=0.0,
        min_samples_leaf=max(options.min_samples_leaf, share),
    )


def _grown_on(table: TrainingTable, options: GrowthOptions, cost: np.ndarray) -> Tree:
    """The tree that parts rows by whether deciding them favourably costs less."""
    by_class = cost.reshape(table.n_groups, table.n_classes).T
    price = np.stack([np.maximum(by_class, 0), np.maximum(-by_class, 0)], axis=2)
    favorable = favorable_mask(table.favorable, table.n_classes)
    labels = np.array([favorable.argmin(), favorable.argmax()])  # the first of either side
    return grow(table, options, price=price, labels=labels)


def _leaf_cells(tree: Tree) -> np.ndarray:
    """Weights of leaves by group and class, zeros for inner nodes, (n_nodes, n_cells)."""
    assert tree.reach is not None
    return tree.reach.reshape(tree.n_nodes, -1) * tree.is_leaf[:, None]


def _best(table: TrainingTable, problem: Problem, trees: Sequence[Tree], eps: float) -> Tree:
    """Of all trees with their best labels the one with fewest errors, of equal ones the first."""
    found = []
    for tree in trees:
        cells = _leaf_cells(tree)
        decides = best_labels(problem, cells, eps)
        found.append((problem.measure((decides == 1) @ cells)[0], tree, decides))
    _, tree, decides = min(found, key=lambda each: each[0])
    return merge_equal(labelled(tree, decides, table))
