"""The gap of a tree, split over its nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree._errors import InputError
from arbitree.tree.bounds import parity_bounds
from arbitree.tree.parity_report import parity_report
from arbitree.tree.reached import CONDITIONS, Reached, reached
from tests.tree.populations import gap_by_leaves, populated_trees, tree_of

METRICS = st.sampled_from(sorted(CONDITIONS))
KEYS = ["condition", "group_high", "group_low"]


def _measured(tree, metric):
    """Gap of every pair with rows, by condition and names of the two groups."""
    rows, found = reached(tree, favorable=1, metric=metric), {}
    for condition, weight in zip(rows.conditions, rows.weight):
        for high, high_name in enumerate(rows.groups):
            for low, low_name in enumerate(rows.groups):
                if high != low and weight[0, high] > 0 and weight[0, low] > 0:
                    gap = gap_by_leaves(tree, weight, high, low)
                    found[condition, high_name, low_name] = gap
    return found


@settings(max_examples=50, deadline=None)
@given(populated_trees(), METRICS, st.booleans())
def test_contributions_sum_to_the_gap_of_every_pair(tree, metric, symmetric):
    report = parity_report(tree, favorable=1, metric=metric, symmetric=symmetric)
    measured = _measured(tree, metric)
    sums = report.groupby(KEYS)["contribution"].sum()
    if len(tree.label) > 1:
        assert len(sums) == len(measured) // 2
    for key, total in sums.items():
        assert total == pytest.approx(measured[key], abs=1e-12)
        assert total >= -1e-12


@settings(max_examples=50, deadline=None)
@given(populated_trees(), METRICS)
def test_no_split_contributes_more_than_its_reach_times_its_gap(tree, metric):
    report = parity_report(tree, favorable=1, metric=metric)
    assert (report["contribution"].abs() <= report["reach"] * report["eps"] + 1e-12).all()
    assert report["eps"].between(0, 1 + 1e-12).all()


@settings(max_examples=50, deadline=None)
@given(populated_trees(), METRICS)
def test_the_widest_pair_comes_first_and_is_the_gap_of_the_tree(tree, metric):
    bounds = parity_bounds(tree, favorable=1, metric=metric)
    widest = parity_bounds(tree, favorable=1, metric=metric, widest=True)
    largest = bounds.groupby("condition", sort=False)["gap"].max()
    assert widest["gap"].tolist() == pytest.approx(largest.tolist())
    first = bounds.groupby("condition", sort=False).head(1).reset_index(drop=True)
    pd.testing.assert_frame_equal(first, widest)


@settings(max_examples=50, deadline=None)
@given(populated_trees(), METRICS)
def test_bounds_come_in_the_order_of_the_theory(tree, metric):
    bounds, slack = parity_bounds(tree, favorable=1, metric=metric), 1e-12
    order = [
        ("gap", "value_weighted"),
        ("value_weighted", "reach_weighted"),
        ("reach_weighted", "largest_split"),
        ("gap", "total_variation"),
        ("total_variation", "coupling"),
        ("coupling", "reach_weighted"),
        ("coupling", "depth"),
    ]
    for smaller, larger in order:
        assert (bounds[smaller] <= bounds[larger] + slack).all(), (smaller, larger)


@settings(max_examples=50, deadline=None)
@given(populated_trees())
def test_bounds_that_do_not_know_the_labels_hold_for_all_labels(tree):
    before = parity_bounds(tree, favorable=1)
    tree = replace(tree, label=1 - tree.label)
    after = parity_bounds(tree, favorable=1)
    for bound in ("total_variation", "coupling", "reach_weighted", "depth"):
        assert sorted(before[bound].round(12)) == sorted(after[bound].round(12))


@settings(max_examples=50, deadline=None)
@given(populated_trees(max_groups=2), st.floats(0.001, 1000))
def test_the_scale_of_weights_does_not_matter(tree, scale):
    before = parity_report(tree, favorable=1)
    tree = replace(tree, reach=tree.reach * scale)
    after = parity_report(tree, favorable=1)
    np.testing.assert_allclose(before["contribution"], after["contribution"], atol=1e-12)


def test_a_tree_of_two_splits_by_hand():
    #     0: a 60|40, b 20|80; then 2: a 20|20, b 60|20
    below = [[1, 2], [], [3, 4], [], []]
    counts = {0: (100, 100), 1: (60, 20), 2: (40, 80), 3: (20, 60), 4: (20, 20)}
    reach = np.array([[[n, 0] for n in counts[node]] for node in range(5)])
    report = parity_report(tree_of(below, np.array([0, 1, 0, 0, 1]), reach), favorable=1)
    assert report["node"].tolist() == [0, 2]
    assert report["group_high"].tolist() == ["g0", "g0"]
    assert report["eps"].tolist() == pytest.approx([0.4, 0.25])
    assert report["reach"].tolist() == [1.0, 0.4]
    assert report["contribution"].tolist() == pytest.approx([0.4 * (1 - 0.25), 0.4 * 0.25])


def test_the_attribution_depends_on_which_group_walks_and_the_symmetric_one_does_not():
    below = [[1, 2], [], [3, 4], [], []]
    counts = {0: (100, 100), 1: (60, 20), 2: (40, 80), 3: (20, 60), 4: (20, 20)}
    reach = np.array([[[n, 0] for n in counts[node]] for node in range(5)])
    tree = tree_of(below, np.array([0, 1, 0, 0, 1]), reach)
    symmetric = parity_report(tree, favorable=1, symmetric=True)["contribution"]
    # With b walking: 1 * 0.4 * (1 - 0.5), and 0.8 * 0.25.
    assert symmetric.tolist() == pytest.approx([(0.3 + 0.2) / 2, (0.1 + 0.2) / 2])


def test_a_group_that_does_not_reach_a_node_owes_nothing_to_the_splits_below_it():
    below = [[1, 2], [], [3, 4], [], []]
    counts = {0: (10, 10), 1: (0, 10), 2: (10, 0), 3: (5, 0), 4: (5, 0)}
    reach = np.array([[[n, 0] for n in counts[node]] for node in range(5)])
    report = parity_report(tree_of(below, np.array([0, 0, 0, 0, 1]), reach), favorable=1)
    assert report["eps"].tolist() == [1.0, 0.0]
    assert report["contribution"].tolist() == [0.5, 0.0]


def test_rows_of_levels_of_a_control_are_reported_in_their_name():
    tree = tree_of([[1, 2], [], []], np.array([0, 0, 1]), np.zeros((3, 2, 2)))
    weight = np.array([[[4, 4], [2, 1], [2, 3]], [[5, 5], [5, 5], [0, 0]]], dtype=float)
    rows = Reached(conditions=("job = a", "job = b"), groups=("f", "m"), weight=weight)
    report = parity_report(tree, favorable=1, rows=rows)
    assert report["condition"].tolist() == ["job = a", "job = b"]
    assert report["contribution"].tolist() == [0.25, 0.0]


def test_a_constant_tree_has_no_splits_to_report():
    tree = tree_of([[]], np.array([1]), np.ones((1, 2, 2)))
    assert parity_report(tree, favorable=1).empty
    assert parity_bounds(tree, favorable=1)["gap"].tolist() == [0.0]


def test_a_single_group_has_no_pairs():
    tree = tree_of([[1, 2], [], []], np.array([0, 0, 1]), np.ones((3, 1, 2)))
    assert parity_report(tree, favorable=1).empty


def test_errors_say_what_to_do():
    tree = tree_of([[]], np.array([1]), np.ones((1, 2, 2)))
    with pytest.raises(InputError, match="Did you mean 'equalized_odds'"):
        parity_report(tree, favorable=1, metric="equalised_odds")
    tree = replace(tree, reach=None)
    with pytest.raises(InputError, match="Pass sensitive_features to fit"):
        parity_report(tree, favorable=1)
