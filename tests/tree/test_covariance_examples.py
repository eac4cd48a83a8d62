"""What a bound on the covariance does not bound: two populations, worked out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import expit, ndtri

import arbitree as ar
from arbitree.tree.local_parity import local_parity


def _gap(tree):
    """The training gap: what the splits add up to, 0 without any."""
    return float(tree.parity_report_["contribution"].sum())


@pytest.fixture(scope="module")
def two_points():
    """The review's example: P(x = 1) is 0.6 and 0.4, and both means are 0."""
    x = np.repeat([1.0, -1.5, 1.0, -2 / 3], [300, 200, 200, 300])
    group = np.repeat(["a", "b"], 500)
    # Of those at 1 nine in ten are favourable, of the others two in ten, in either group.
    y = np.concatenate(
        [np.arange(n) < share * n for n, share in [(300, 0.9), (200, 0.2), (200, 0.9), (300, 0.2)]]
    )
    return pd.DataFrame({"x": x}), y.astype(int), group


def test_a_covariance_of_zero_leaves_a_gap_of_a_fifth(two_points):
    X, y, group = two_points
    assert abs(np.cov(X["x"], group == "a")[0, 1]) < 1e-12
    for c in (1.0, 1e-3, 1e-6):
        tree = ar.TreeClassifier(split="logistic", parity=ar.Covariance(c), max_depth=1)
        tree.fit(X, y, sensitive_features=group)
        assert tree.tree_.n_leaves == 2
        assert _gap(tree) == pytest.approx(0.2)


def test_a_bound_on_the_gap_of_the_split_sees_it(two_points):
    X, y, group = two_points
    leaves = [
        ar.TreeClassifier(parity=ar.SplitGap(eps))
        .fit(X, y, sensitive_features=group)
        .get_n_leaves()
        for eps in (0.19, 0.21)
    ]
    assert leaves == [1, 2]


def test_the_chi_square_of_the_split_within_its_node_sees_it(two_points):
    X, y, group = two_points
    tree = ar.TreeClassifier(split="logistic", parity=ar.Covariance(1e-6), max_depth=1)
    tree.fit(X, y, sensitive_features=group)
    found = local_parity(tree.tree_, favorable=1)
    assert found.loc[found["hypothesis"] == "split", "p_holm"].iloc[0] < 1e-8


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 99), st.integers(1, 99), st.floats(1e-4, 1))
def test_a_covariance_of_zero_goes_with_any_gap(high, low, c):
    # x is 1 for `high` of 100 in one group and `low` of 100 in the other, and both means are 0.
    assume(high > low)
    n = 100 * np.array([high, 100 - high, low, 100 - low])
    x = np.repeat([1.0, -high / (100 - high), 1.0, -low / (100 - low)], n)
    shares = zip(n, [0.9, 0.1, 0.9, 0.1])
    y = np.concatenate([np.arange(rows) < share * rows for rows, share in shares]).astype(int)
    tree = ar.TreeClassifier(split="logistic", parity=ar.Covariance(c), max_depth=1)
    tree.fit(pd.DataFrame({"x": x}), y, sensitive_features=np.repeat(["a", "b"], 10_000))
    assert _gap(tree) == pytest.approx((high - low) / 100)


@pytest.mark.parametrize("d", [0.25, 0.05, 0.01])
def test_mirrored_groups_have_no_covariance_and_all_the_gap_there_is(d):
    # 1 with probability 1 - d, else -(1 - d) / d; the other group is the mirror image.
    rare = round(1000 * d)
    x = np.repeat([1.0, -(1 - d) / d], [1000 - rare, rare])
    x, group = np.concatenate([x, -x]), np.repeat(["a", "b"], 1000)
    for c in (1.0, 1e-6):
        tree = ar.TreeClassifier(split="logistic", parity=ar.Covariance(c), max_depth=1)
        tree.fit(pd.DataFrame({"x": x}), (x > 0).astype(int), sensitive_features=group)
        assert _gap(tree) == pytest.approx(1 - 2 * d)


def _normal(share, n=2000):
    """Groups N(0, 1) and N(0.8, 1) whose favourable labels, likelier for larger x, make `share`."""
    points = ndtri((np.arange(n) + 0.5) / n)
    x = np.concatenate([points, points + 0.8])
    noise = np.random.default_rng(0).random(2 * n)
    # The threshold of the probability is moved until exactly that share is favourable.
    score = expit(x - 0.4) - noise
    y = np.zeros(2 * n, dtype=int)
    y[np.argsort(-score)[: round(2 * n * share)]] = 1
    return pd.DataFrame({"x": x}), y, np.repeat(["a", "b"], n)


def _clrt_gap(rows, c):
    X, y, group = rows
    tree = ar.TreeClassifier(split="logistic", parity=ar.Covariance(c), max_depth=1)
    tree.fit(X, y, sensitive_features=group)
    return _gap(tree), tree.get_n_leaves()


def test_the_gap_does_not_shrink_with_c_where_labels_are_balanced():
    rows = _normal(0.499)
    for c in (1.0, 0.1, 0.01):
        gap, n_leaves = _clrt_gap(rows, c)
        assert n_leaves == 2
        assert gap == pytest.approx(0.311, abs=0.01)


def test_the_split_leaves_the_data_as_c_falls_where_labels_are_not_balanced():
    rows = _normal(0.3)
    found = [_clrt_gap(rows, c) for c in (1.0, 0.1, 0.03, 0.001)]
    gaps, leaves = zip(*found)
    assert gaps[0] > 0.2
    assert sorted(gaps, reverse=True) == list(gaps)
    assert (gaps[-1], leaves[-1]) == (0, 1)  # a constant tree
