"""Laws of trees with a budget on the gap of all their decisions."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from arbitree._errors import InputError
from arbitree.model.tree_json import to_json
from arbitree.tree.budget.search import budget_path, fit_budget
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget, SplitGap
from arbitree.tree.table import take

from .budgets import decisions, error, gap_of, random_table, tables

ROUNDING = 1e-12


@settings(max_examples=8, deadline=None)
@given(tables(), st.floats(0, 0.4), st.integers(1, 4))
def test_the_training_gap_is_at_most_eps(table, eps, depth):
    options = GrowthOptions(parity=GapBudget(eps), max_depth=depth)
    tree = fit_budget(table, options)
    assert gap_of(decisions(tree, table), table) <= eps + ROUNDING


@settings(max_examples=8, deadline=None)
@given(tables(), st.lists(st.floats(0, 0.5), min_size=2, max_size=5), st.integers(1, 4))
def test_a_larger_budget_never_has_more_training_errors(table, eps_values, depth):
    trees = budget_path(table, eps_values, GrowthOptions(max_depth=depth))
    order = np.argsort(eps_values, kind="stable")
    errors = np.array([error(trees[i], table) for i in order])
    assert (np.diff(errors) <= ROUNDING).all()
    for eps, tree in zip(eps_values, trees):
        assert gap_of(decisions(tree, table), table) <= eps + ROUNDING


@settings(max_examples=12, deadline=None)
@given(tables(), st.integers(2, 12), st.integers(1, 4), st.integers(2, 8))
def test_depth_leaves_and_their_sizes_are_kept(table, least, depth, leaves):
    options = GrowthOptions(
        parity=GapBudget(0.1), max_depth=depth, max_leaf_nodes=leaves, min_samples_leaf=least
    )
    tree = fit_budget(table, options)
    assert tree.depth.max() <= depth
    assert tree.n_leaves <= leaves
    assert tree.n_nodes == 1 or tree.n[tree.is_leaf].min() >= least
    assert gap_of(decisions(tree, table), table) <= 0.1 + ROUNDING


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 3))
def test_whole_weights_are_repeated_rows(seed, depth, n_groups):
    weights = np.random.default_rng(seed).integers(1, 4, 50).astype(float)
    table = random_table(seed, n_rows=50, n_groups=n_groups, weights=weights)
    repeated = take(
        dataclasses.replace(table, weights=None), np.repeat(np.arange(50), weights.astype(int))
    )
    options = GrowthOptions(parity=GapBudget(0.1), max_depth=depth, min_samples_leaf=3)
    assert to_json(fit_budget(table, options)) == to_json(fit_budget(repeated, options))


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_the_same_table_gives_the_same_bytes(depth):
    table = random_table(3, n_rows=200)
    options = GrowthOptions(parity=GapBudget(0.05), max_depth=depth)
    assert to_json(fit_budget(table, options)) == to_json(fit_budget(table, options))


def test_a_budget_of_everything_is_a_tree_without_a_budget():
    table = random_table(1, n_rows=150)
    loose, tight = budget_path(table, [1.0, 0.0], GrowthOptions(max_depth=3))
    assert error(loose, table) < error(tight, table)
    assert gap_of(decisions(tight, table), table) <= ROUNDING


def test_no_two_sibling_leaves_decide_alike():
    table = random_table(5, n_rows=200)
    tree = fit_budget(table, GrowthOptions(parity=GapBudget(0.2), max_depth=4))
    for node in np.flatnonzero(~tree.is_leaf):
        children = tree.children(node)
        if tree.is_leaf[children].all():
            assert len(set(tree.label[children])) == 2


def test_leaves_that_are_not_favourable_decide_their_heaviest_class():
    table = random_table(2, n_rows=150, n_classes=3)
    tree = fit_budget(table, GrowthOptions(parity=GapBudget(0.3), max_depth=3))
    for leaf in np.flatnonzero(tree.is_leaf & (tree.label != 1)):
        assert tree.label[leaf] == (0 if tree.weight[leaf, 0] >= tree.weight[leaf, 2] else 2)


def test_the_order_of_budgets_does_not_matter():
    table = random_table(8, n_rows=120)
    options = GrowthOptions(max_depth=4)
    there = budget_path(table, [0.02, 0.1, 0.3], options)
    back = budget_path(table, [0.3, 0.1, 0.02], options)
    assert [to_json(tree) for tree in there] == [to_json(tree) for tree in back[::-1]]


def test_reach_and_counts_are_those_of_the_training_rows():
    table = random_table(4, n_rows=90)
    tree = fit_budget(table, GrowthOptions(parity=GapBudget(0.1), max_depth=3))
    assert tree.n[0] == 90
    assert_array_equal(tree.reach[0].sum(axis=0), np.bincount(table.y))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ccp_alpha": 0.1}, "max_leaf_nodes"),
        ({"min_impurity_decrease": 0.1}, "max_leaf_nodes"),
        ({"parity": SplitGap(0.1)}, "not a GapBudget"),
    ],
)
def test_options_without_a_meaning_are_refused(change, words):
    options = dataclasses.replace(GrowthOptions(parity=GapBudget(0.1)), **change)
    with pytest.raises(InputError, match=words):
        fit_budget(random_table(0), options)


def test_a_table_without_groups_is_refused():
    table = dataclasses.replace(random_table(0), group=None, populations=())
    with pytest.raises(InputError, match="sensitive_features"):
        fit_budget(table, GrowthOptions(parity=GapBudget(0.1)))
