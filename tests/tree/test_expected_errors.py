"""Laws of budgets whose trees have few expected errors, instead of few training errors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from arbitree._errors import InputError
from arbitree.model.tree_json import to_json
from arbitree.tree.budget import expected as expecting
from arbitree.tree.budget.problem import problem_of
from arbitree.tree.budget.search import FEWEST_ROWS, budget_path, fit_budget
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.table import take

from .budgets import decisions, error, gap_of, random_table, tables

ROUNDING = 1e-12


def options(eps=0.1, errors="expected", **others):
    return GrowthOptions(parity=GapBudget(eps, errors=errors), **others)


@settings(max_examples=8, deadline=None)
@given(tables(), st.lists(st.floats(0, 0.5), min_size=1, max_size=4), st.integers(1, 5))
def test_budgets_are_kept_and_larger_ones_have_no_more_training_errors(table, eps, depth):
    eps = sorted(eps)
    trees = budget_path(table, eps, options(max_depth=depth))
    errors = [error(tree, table) for tree in trees]
    assert (np.diff(errors) <= ROUNDING).all()
    for bound, tree in zip(eps, trees):
        assert gap_of(decisions(tree, table), table) <= bound + ROUNDING


@settings(max_examples=8, deadline=None)
@given(tables())
def test_no_tree_has_more_training_errors_than_one_decision_for_everybody(table):
    tree = fit_budget(table, options(max_depth=4))
    share = np.average(table.y == table.favorable, weights=table.row_weights())
    assert error(tree, table) <= min(share, 1 - share) + ROUNDING


@settings(max_examples=10, deadline=None)
@given(tables(), st.integers(0, 10**6))
def test_rates_are_those_of_the_rows_and_errors_those_of_the_probabilities(table, seed):
    given_rows = problem_of(table)
    found = expecting.expected(given_rows)
    decide = np.random.default_rng(seed).integers(0, 2, (given_rows.codes.shape[1], 16))

    def decided(problem):
        yes = decide[np.arange(len(decide)), problem.codes].sum(axis=1) % 2
        return yes, np.bincount(problem.cell, problem.weights * yes, problem.n_cells)

    yes, before = decided(given_rows)
    _, after = decided(found)
    assert_allclose(found.measure(after)[1], given_rows.measure(before)[1], atol=1e-12)
    assert_allclose(found.total.sum(), given_rows.total.sum())
    assert_allclose(found.sizes.sum(), given_rows.sizes.sum())
    favorable = (given_rows.error < 0)[given_rows.cell]
    costs = given_rows.weights * np.abs(given_rows.error)[given_rows.cell]
    share = expecting._probabilities(given_rows, favorable, costs)
    wanted = float(costs @ np.where(yes == 1, 1 - share, share))
    assert abs(found.measure(after)[0] - wanted) <= 0.5 / expecting.PARTS


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3))
def test_whole_weights_are_repeated_rows_in_any_order(seed, n_groups):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, 80).astype(float)
    table = random_table(seed, n_rows=80, n_groups=n_groups, weights=weights)
    rows = rng.permutation(np.repeat(np.arange(80), weights.astype(int)))
    repeated = take(dataclasses.replace(table, weights=None), rows)
    asked = options(max_depth=4, min_samples_leaf=3)
    assert to_json(fit_budget(table, asked)) == to_json(fit_budget(repeated, asked))


@settings(max_examples=8, deadline=None)
@given(tables(), st.integers(2, 12), st.integers(2, 8))
def test_depth_leaves_and_their_sizes_are_kept(table, least, leaves):
    asked = options(max_depth=4, max_leaf_nodes=leaves, min_samples_leaf=least)
    tree = fit_budget(table, asked)
    assert tree.depth.max() <= 4
    assert tree.n_leaves <= leaves
    assert tree.n_nodes == 1 or tree.n[tree.is_leaf].min() >= least


def test_less_noise_is_fitted():
    table = random_table(0, n_rows=600, n_values=30)
    coins = dataclasses.replace(table, y=np.random.default_rng(0).integers(0, 2, 600).astype("u1"))
    expects, counts = (
        error(fit_budget(coins, options(1.0, errors, max_depth=5)), coins)
        for errors in ("expected", "training")
    )
    assert expects > counts


@pytest.mark.parametrize(
    ("n_rows", "depth", "same_as"),
    [
        (FEWEST_ROWS, 4, "expected"),
        (FEWEST_ROWS - 1, 4, "training"),
        (FEWEST_ROWS, 3, "training"),
    ],
)
def test_auto_expects_errors_of_deep_trees_on_enough_rows(n_rows, depth, same_as):
    table = random_table(7, n_rows=n_rows, n_values=20)
    found = {
        errors: to_json(fit_budget(table, options(0.1, errors, max_depth=depth)))
        for errors in ("auto", "training", "expected")
    }
    assert found["training"] != found["expected"]
    assert found["auto"] == found[same_as]


@pytest.mark.parametrize("depth", [4, 5])
def test_auto_counts_rows_of_whole_weight_as_often_as_they_are_there(depth):
    n_rows = FEWEST_ROWS // 2 + 20  # fewer than enough, and with their weights enough
    weights = np.full(n_rows, 2.0)
    table = random_table(7, n_rows=n_rows, n_values=20, weights=weights)
    repeated = take(dataclasses.replace(table, weights=None), np.repeat(np.arange(n_rows), 2))
    found, expects, again = (
        to_json(fit_budget(one, options(0.1, errors, max_depth=depth)))
        for one, errors in ((table, "auto"), (table, "expected"), (repeated, "auto"))
    )
    assert found == expects == again


def test_rows_of_one_class_are_one_leaf():
    table = random_table(1)
    alike = dataclasses.replace(table, y=np.ones_like(table.y))
    assert fit_budget(alike, options(max_depth=4)).n_nodes == 1


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="errors is 'few'"):
        GapBudget(0.1, errors="few")
    with pytest.raises(InputError, match="split is 'logistic'"):
        fit_budget(random_table(1), options(split="logistic"))
