"""Leaf sizes and margins that are chosen by cross-validation, on the training rows only."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree._errors import InputError
from arbitree.model.tree_json import to_json
from arbitree.tree.budget.search import budget_path, fit_budget
from arbitree.tree.budget.tuning import LEAF_SIZES, tuned
from arbitree.tree.options import CHOSEN, GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.path import fit_path

from .budgets import decisions, error, gap_of, random_table, tables

ROUNDING = 1e-12


@settings(max_examples=2, deadline=None)
@given(tables(), st.floats(0, 0.3))
def test_what_is_chosen_keeps_the_budget_on_training_rows(table, eps):
    options = GrowthOptions(
        parity=GapBudget(eps, margin="auto"), max_depth=2, min_samples_leaf=CHOSEN
    )
    assert gap_of(decisions(fit_budget(table, options), table), table) <= eps + ROUNDING


@pytest.mark.parametrize("margin", [0.04, "auto"])
def test_a_larger_budget_never_has_more_training_errors(margin):
    table = random_table(3, n_rows=100, missing=False)
    options = GrowthOptions(
        parity=GapBudget(0.1, margin=margin), max_depth=2, min_samples_leaf=CHOSEN
    )
    eps_values = [0.2, 0.02, 0.08]
    trees = budget_path(table, eps_values, options)
    for eps, tree in zip(eps_values, trees):
        assert gap_of(decisions(tree, table), table) <= eps + ROUNDING
        if margin == 0.04:
            assert gap_of(decisions(tree, table), table) <= max(eps - 0.04, 0) + ROUNDING
    errors = [error(trees[k], table) for k in (1, 2, 0)]
    assert (np.diff(errors) <= ROUNDING).all()


def test_a_size_of_leaves_is_one_of_those_tried_and_is_kept():
    table = random_table(5, n_rows=150, missing=False)
    options = GrowthOptions(parity=GapBudget(0.05), max_depth=3, min_samples_leaf=CHOSEN)
    own, chosen = tuned(table, [0.05], options, budget_path)
    assert own == [0.05]
    assert chosen.min_samples_leaf in LEAF_SIZES
    tree = fit_budget(table, options)
    assert tree.n_nodes == 1 or tree.n[tree.is_leaf].min() >= chosen.min_samples_leaf
    assert to_json(tree) == to_json(fit_budget(table, options))


def test_noise_makes_leaves_large():
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], 400)
    X = pd.DataFrame(rng.normal(size=(400, 2)))
    y = (rng.random(400) < 0.4).astype(int)
    tree = ar.TreeClassifier(parity=ar.GapBudget(0.1), min_samples_leaf="auto", max_depth=4)
    tree.fit(X, y, sensitive_features=sex)
    assert tree.tree_.n[tree.tree_.is_leaf].min() >= 20


def test_few_rows_are_not_divided():
    table = random_table(1, n_rows=5)
    options = GrowthOptions(
        parity=GapBudget(0.2, margin="auto"), max_depth=2, min_samples_leaf=CHOSEN
    )
    assert gap_of(decisions(fit_budget(table, options), table), table) <= 0.2 + ROUNDING


def test_a_path_takes_them_too():
    rng = np.random.default_rng(1)
    sex = rng.choice(["f", "m"], 200)
    X = pd.DataFrame({"x": rng.normal(size=200) + (sex == "m")})
    y = np.where(X["x"] + rng.normal(size=200) > 0.5, 1, 0)
    template = ar.TreeClassifier(
        parity=ar.GapBudget(0.1, margin="auto"), min_samples_leaf="auto", max_depth=2
    )
    for tree in fit_path(template, [0.05, 0.2], X, y, sensitive_features=sex):
        decided = tree.predict(X)
        gap = abs(decided[sex == "f"].mean() - decided[sex == "m"].mean())
        assert gap <= tree.parity.eps + ROUNDING


@pytest.mark.parametrize("margin", ["cv", -0.1, 2, True, None])
def test_a_margin_that_makes_no_sense_is_refused(margin):
    with pytest.raises(InputError, match="margin"):
        GapBudget(0.1, margin=margin)


@pytest.mark.parametrize("parity", [None, ar.SplitGap(0.1)])
def test_other_trees_have_no_size_of_leaves_to_choose(parity):
    tree = ar.TreeClassifier(min_samples_leaf="auto", parity=parity)
    with pytest.raises(InputError, match="GapBudget"):
        tree.fit([[0.0], [1.0]], [0, 1], sensitive_features=["a", "b"])
