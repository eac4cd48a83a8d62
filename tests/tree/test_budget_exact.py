"""The exact search against every tree of depth 2 tried, and what the descent never worsens."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from arbitree.tree.budget.all_splits import AllSplits, all_splits, distinct_rows
from arbitree.tree.budget.bins import bins_of
from arbitree.tree.budget.exact import ExactSearch
from arbitree.tree.budget.fronts import Points, best_of_fronts, best_within
from arbitree.tree.budget.growth import gini, grow
from arbitree.tree.budget.labels import best_labels
from arbitree.tree.budget.lookahead import cheapest_of_depth_2, pairs_of
from arbitree.tree.budget.mask_tree import decided, leaf_cells
from arbitree.tree.budget.polish import polish
from arbitree.tree.budget.problem import Problem, problem_of
from arbitree.tree.budget.search import fit_budget
from arbitree.tree.budget.tao import alternate
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget

from .budgets import decisions, error, gap_of, random_table

ROUNDING = 1e-12


def every_split(problem: Problem) -> AllSplits:
    splits = all_splits(distinct_rows(problem), problem, [255], lambda n_rows, n_splits: True)
    assert splits is not None
    assert splits.complete
    return splits


def leaf_tables(problem: Problem, sides: np.ndarray) -> np.ndarray:
    """Weights by cell that every two splits send to both sides: (p, p, 4, n_cells)."""
    p = sides.shape[1]
    tables = np.zeros((p, p, 4, problem.n_cells))
    for a in range(p):
        for b in range(p):
            at = sides[:, a] * 2 + sides[:, b]
            np.add.at(tables[a, b], (at, problem.cell), problem.weights)
    return tables


def points_of_depth_2(problem: Problem, least: float = 1) -> tuple[np.ndarray, np.ndarray]:
    """Errors and gaps of all trees of depth 2 whose leaves have `least` rows, or none."""
    splits = every_split(problem)
    sides = splits.sides[splits.where]
    tables = leaf_tables(problem, sides)
    value = np.column_stack([problem.error, problem.rates[1] - problem.rates[0]])
    errors, gaps = [np.array([problem.error_of_none])], [np.zeros(1)]
    whole = problem.total @ value
    errors.append(problem.error_of_none + whole[:1])
    gaps.append(np.abs(whole[1:]))
    for root in range(sides.shape[1]):
        below = []
        for side in (0, 1):
            cells = tables[root][:, 2 * side : 2 * side + 2]  # (p, 2, n_cells)
            sizes = cells.sum(axis=2)
            leaves = (cells @ value)[((sizes == 0) | (sizes >= least)).all(axis=1)]
            total = sizes.sum(axis=1)[0]
            points = [leaves[:, 0], leaves[:, 1]]
            if total == 0 or total >= least:
                points += [(cells.sum(axis=1) @ value)[:1], np.zeros((1, 2))]
            below.append(np.unique(np.concatenate(points), axis=0))
        both = below[0][:, None] + below[1][None]
        errors.append(problem.error_of_none + both[..., 0].ravel())
        gaps.append(np.abs(both[..., 1]).ravel())
    return np.concatenate(errors), np.concatenate(gaps)


TWO_RATES = ("statistical_parity", "equal_opportunity", "predictive_equality")


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.01, 0.05, 0.15]),
    st.sampled_from(TWO_RATES),
    st.sampled_from([1, 1, 4]),
    st.booleans(),
)
@example(212, 0.01, "statistical_parity", 1, False)  # both sides of the budget bind
def test_depth_2_is_as_good_as_every_tree_of_depth_2(seed, eps, metric, least, weighted):
    weights = np.random.default_rng(seed).integers(1, 4, 50).astype(float) if weighted else None
    table = random_table(seed, n_rows=50, n_values=5, metric=metric, weights=weights)
    errors, gaps = points_of_depth_2(problem_of(table), least)
    best = errors[gaps <= eps + ROUNDING].min()
    options = GrowthOptions(parity=GapBudget(eps), max_depth=2, min_samples_leaf=least)
    tree = fit_budget(table, options)
    assert error(tree, table) <= best + 1e-9
    assert gap_of(decisions(tree, table), table) <= eps + ROUNDING


def all_of_depth_3(problem: Problem, splits: AllSplits, eps: float) -> float:
    """Fewest errors of depth 3 with a one-sided budget, by trying every root and both sides."""
    value = np.column_stack([problem.error, problem.rates[1] - problem.rates[0]])
    sides = splits.sides[splits.where]
    amounts = value[problem.cell] * problem.weights[:, None]

    def stump(rows: np.ndarray) -> list[tuple[float, float]]:
        found = {(0.0, 0.0), tuple(amounts[rows].sum(axis=0))}
        for k in range(sides.shape[1]):
            for side in (True, False):
                found.add(tuple(amounts[rows & (sides[:, k] == side)].sum(axis=0)))
        return sorted(found)

    def pairs(rows: np.ndarray, below: Callable[[np.ndarray], ArrayLike]) -> np.ndarray:
        found = []
        for k in range(sides.shape[1]):
            one = np.array(below(rows & ~sides[:, k]))
            two = np.array(below(rows & sides[:, k]))
            found.append((one[:, None] + two[None]).reshape(-1, 2))
        return np.unique(np.concatenate(found).round(12), axis=0)

    every = pairs(np.ones(len(sides), bool), lambda rows: pairs(rows, stump))
    return float(problem.error_of_none + every[np.abs(every[:, 1]) <= eps + 1e-9, 0].min())


@pytest.mark.parametrize("eps", [0.0, 0.02, 0.08])
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_depth_3_is_as_good_as_every_tree_of_depth_3(seed, eps):
    table = random_table(
        seed, n_rows=30, n_values=3, n_levels=2, missing=False, metric=TWO_RATES[seed % 3]
    )
    problem = problem_of(table)
    best = all_of_depth_3(problem, every_split(problem), eps)
    tree = fit_budget(table, GrowthOptions(parity=GapBudget(eps), max_depth=3))
    assert error(tree, table) <= best + 1e-9
    assert gap_of(decisions(tree, table), table) <= eps + ROUNDING


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12), st.floats(0, 0.5))
def test_the_best_pair_is_the_best_of_all_pairs(seed, n, m, eps):
    rng = np.random.default_rng(seed)
    left, right = (
        Points(rng.integers(-4, 5, k) / 4, rng.integers(-4, 5, k) / 4, np.arange(k)) for k in (n, m)
    )
    errors = left.errors[:, None] + right.errors
    gaps = left.gap[:, None] + right.gap
    fits = np.abs(gaps) <= eps
    pair = best_within(left, right, eps)
    assert (pair is None) == (not fits.any())
    if pair is not None:
        assert pair.errors == errors[fits].min() == errors[pair.places]
        assert pair.gap == gaps[pair.places]
    low = best_of_fronts(left.front(), right.front(), eps)
    assert (np.inf if low is None else low.errors) == errors[gaps <= eps].min(initial=np.inf)


def test_leaves_of_an_exact_tree_are_large_enough():
    problem = problem_of(random_table(11, n_rows=80))
    splits = every_split(problem)
    search = ExactSearch(
        splits,
        depth=2,
        eps=[0.1],
        fewest=[np.inf],
        prices=[0.0, 0.1],
        side=1.0,
        min_samples_leaf=9,
    )
    search.run()
    tree = search.tree(0, int(problem.n_codes.max()))
    sizes = leaf_cells(problem, tree.compact(leaf_cells(problem, tree))).sum(axis=1)
    assert sizes[sizes > 0].min() >= 9


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.floats(-0.3, 0.3))
def test_the_cheapest_tree_of_depth_2_is_the_cheapest_of_all(seed, price):
    problem = problem_of(random_table(seed, n_rows=50))
    splits = every_split(problem)
    cost = problem.cost(np.array([-price, price]))
    tree = cheapest_of_depth_2(problem, pairs_of(problem, splits), cost)
    found = np.minimum(leaf_cells(problem, tree) @ cost, 0).sum()
    tables = leaf_tables(problem, splits.sides[splits.where]) @ cost
    stumps = [np.minimum(tables[:, :, k : k + 2], 0).sum(axis=2).min(axis=1) for k in (0, 2)]
    assert found == pytest.approx((stumps[0] + stumps[1]).min(), abs=1e-9)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.floats(-0.3, 0.3), st.integers(1, 6))
def test_alternation_never_costs_more_and_keeps_leaf_sizes(seed, price, least):
    problem = problem_of(random_table(seed, n_rows=80))
    bins, cost = bins_of(problem), problem.cost(np.array([-price, price]))
    tree = grow(problem, bins, cost, max_depth=3, min_samples_leaf=least, impurity=gini)
    before = decided(tree, leaf_cells(problem, tree)) @ cost
    alternate(problem, bins, tree, cost, min_samples_leaf=least)
    cells = leaf_cells(problem, tree)
    assert decided(tree, cells) @ cost <= before + ROUNDING
    sizes = cells.sum(axis=1)
    assert sizes[sizes > 0].min() >= least


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 0.3), st.integers(2, 4))
def test_polishing_has_no_more_errors_and_keeps_the_budget(seed, eps, n_groups):
    problem = problem_of(random_table(seed, n_rows=80, n_groups=n_groups))
    bins = bins_of(problem)
    tree = grow(problem, bins, problem.error, max_depth=3, min_samples_leaf=1, impurity=gini)
    cells = leaf_cells(problem, tree)
    tree.label = best_labels(problem, cells, eps)
    before, _ = problem.measure(decided(tree, cells))
    prices = np.zeros((1, len(problem.rates)))
    polish(problem, bins, tree, eps, prices=prices, min_samples_leaf=1)
    after, rates = problem.measure(decided(tree, leaf_cells(problem, tree)))
    assert after <= before + ROUNDING
    assert problem.gap(rates) <= eps + ROUNDING
