"""The split that is found is the best of all that there are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import SplitGap, TreeClassifier
from arbitree.tree.impurity import impurity

from ..oracles.trees import best_gain_by_loops, gap_by_loops
from .frames import sample

SEEDS = st.integers(0, 2**32 - 1)


def root_gain(tree, criterion):
    """Decrease of impurity times weight by the first split; None without one."""
    if tree.n_nodes == 1:
        return None
    cost = tree.weight.sum(axis=1) * impurity(tree.weight, criterion)
    return cost[0] - cost[tree.children(0)].sum()


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, criterion=st.sampled_from(["gini", "entropy"]))
def test_the_first_split_is_the_best_of_all_thresholds_and_subsets(seed, criterion):
    rows = sample(seed, n_rows=20)
    tree = TreeClassifier(max_depth=1, criterion=criterion).fit(
        rows.X, rows.y, sample_weight=rows.weights
    )
    best = best_gain_by_loops(
        rows.columns(), rows.y, rows.weights, criterion=criterion, n_classes=2
    )
    if len(set(rows.y)) == 1 or best is None:
        assert tree.tree_.n_nodes == 1
    else:
        assert root_gain(tree.tree_, criterion) == pytest.approx(best, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_with_more_classes_thresholds_are_still_the_best_of_all(seed):
    rows = sample(seed, n_rows=25, n_classes=4, categories=False)
    tree = TreeClassifier(max_depth=1).fit(rows.X, rows.y)
    n_classes = int(rows.y.max()) + 1
    best = best_gain_by_loops(
        rows.columns(), rows.y, np.ones(len(rows.y)), criterion="gini", n_classes=n_classes
    )
    if len(set(rows.y)) > 1 and best is not None:
        assert root_gain(tree.tree_, "gini") == pytest.approx(best, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_with_more_classes_a_subset_of_levels_is_found_that_is_no_worse_than_one_level(seed):
    rows = sample(seed, n_rows=25, n_classes=3)
    levels = rows.X["level"].fillna("none").tolist()
    tree = TreeClassifier(max_depth=1).fit(pd.DataFrame({"level": levels}), rows.y)
    if len(set(rows.y)) == 1 or len(set(levels)) == 1:
        return
    single = max(
        best_gain_by_loops(
            [([value == level for value in levels], False)],
            rows.y,
            np.ones(len(levels)),
            criterion="gini",
            n_classes=3,
        )
        for level in set(levels)
    )
    every = best_gain_by_loops(
        [(levels, False)], rows.y, np.ones(len(levels)), criterion="gini", n_classes=3
    )
    assert root_gain(tree.tree_, "gini") <= every + 1e-9
    assert root_gain(tree.tree_, "gini") >= 0.6 * single - 1e-9


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, eps=st.sampled_from([0.0, 0.05, 0.2, 0.5]))
def test_of_thresholds_within_the_gap_the_best_is_found(seed, eps):
    rows = sample(seed, n_rows=20, categories=False)
    counted = np.ones(len(rows.y), bool)
    if len(set(rows.group)) < 2:
        return
    tree = TreeClassifier(max_depth=1, parity=SplitGap(eps)).fit(
        rows.X, rows.y, sensitive_features=rows.group, sample_weight=rows.weights
    )
    best = best_gain_by_loops(
        rows.columns(),
        rows.y,
        rows.weights,
        criterion="gini",
        n_classes=2,
        allowed=lambda left: gap_by_loops(left, rows.group, counted, rows.weights) <= eps + 1e-9,
    )
    if len(set(rows.y)) == 1 or best is None:
        assert tree.tree_.n_nodes == 1
    else:
        assert root_gain(tree.tree_, "gini") == pytest.approx(best, abs=1e-9)


def test_levels_are_told_apart_without_one_hot_coding():
    X = pd.DataFrame({"level": list("abcdabcd")})
    tree = TreeClassifier().fit(X, [1, 0, 1, 0, 1, 0, 1, 0])
    assert tree.get_n_leaves() == 2
    assert tree.predict(pd.DataFrame({"level": list("abcd")})).tolist() == [1, 0, 1, 0]


def test_missing_numbers_may_be_the_whole_difference():
    X = pd.DataFrame({"x": [1.0, None, 3.0, None]})
    tree = TreeClassifier().fit(X, [0, 1, 0, 1])
    assert tree.tree_.threshold[0] == np.inf
    assert tree.predict(pd.DataFrame({"x": [None, 1e30]})).tolist() == [1, 0]


@pytest.mark.parametrize("side", [0, 1])
def test_missing_numbers_go_to_the_side_with_the_larger_gain(side):
    X = pd.DataFrame({"x": [1.0, 1.0, 2.0, 2.0, None, None]})
    tree = TreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1, side, side])
    assert tree.tree_.threshold[0] == 1.5
    assert tree.predict(pd.DataFrame({"x": [None]})).tolist() == [side]


def test_a_missing_value_that_training_never_saw_goes_where_most_rows_go():
    X = pd.DataFrame({"x": [1.0, 2.0, 2.0], "level": ["a", "b", "b"]})
    for name in X:
        tree = TreeClassifier().fit(X[[name]], [0, 1, 1])
        assert tree.predict(pd.DataFrame({name: [None]})).tolist() == [1]


def test_of_equal_splits_the_first_feature_and_the_lowest_threshold_win():
    X = pd.DataFrame({"b": [0.0, 1, 2, 3], "a": [0.0, 1, 2, 3]})
    tree = TreeClassifier(max_depth=1).fit(X, [1, 0, 0, 1])
    assert tree.tree_.feature[0] == 0
    assert tree.tree_.threshold[0] == 0.5


def test_a_threshold_is_in_the_middle_of_the_values_of_its_node():
    X = pd.DataFrame({"x": [0.0, 1, 10, 20, *[5] * 9], "first": [0] * 4 + [1] * 9})
    tree = TreeClassifier().fit(X, [0, 0, 1, 1, *[2] * 9])
    assert tree.tree_.threshold[tree.tree_.feature == 0].tolist() == [5.5]


def test_a_branch_for_each_level_and_the_largest_for_those_not_seen():
    X = pd.DataFrame({"level": ["a", "b", "b", "c", None]})
    tree = TreeClassifier(split="multiway", criterion="entropy").fit(X, [0, 1, 1, 2, 3])
    assert len(tree.tree_.children(0)) == 4
    seen = tree.predict(pd.DataFrame({"level": ["a", "b", "c", None]}))
    assert seen.tolist() == [0, 1, 2, 3]
    tree = TreeClassifier(split="multiway").fit(X.iloc[:4], [0, 1, 1, 2])
    assert tree.predict(pd.DataFrame({"level": ["z", None]})).tolist() == [1, 1]


def test_a_multiway_tree_may_compare_numbers_and_prefers_the_larger_gain():
    X = pd.DataFrame({"level": list("aabb"), "x": [1.0, 2.0, 1.0, 2.0]})
    tree = TreeClassifier(split="multiway").fit(X, [0, 1, 0, 1])
    assert tree.tree_.feature[0] == 1
    assert tree.tree_.threshold[0] == 1.5
