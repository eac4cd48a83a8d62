"""Theorem 7 and what follows from it, on random trees and populations.

"Local Statistical Parity for the Estimation of Fair Decision Trees": if the split of every node is
independent of the group among those who reach the node, the tree's decision is independent of the
group. The proof is about any probability measure, hence also about those given a label or a level
of a control, and about any number of groups.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.tree.bounds import parity_bounds
from arbitree.tree.parity_report import parity_report
from arbitree.tree.reached import Reached
from tests.tree.populations import shape, tree_of

SEEDS = st.integers(0, 2**32 - 1)


def _walk(below, totals, split):
    """Weights at each node: `split(n_children)` gives shares of each way, (n_children, ...)."""
    reach = np.zeros((len(below), *totals.shape))
    reach[0] = totals
    for node, to in enumerate(below):
        if to:
            reach[to] = reach[node] * split(len(to))
    return reach


def _population(seed, split):
    """A tree, with totals of up to four groups and two classes, on which splits act."""
    rng = np.random.default_rng(seed)
    below = shape(rng, max_depth=4, max_children=3)
    totals = rng.uniform(0.1, 1000, (int(rng.integers(2, 5)), 2))  # weights, not only counts
    reach = _walk(below, totals, lambda n: split(rng, n))
    return tree_of(below, rng.integers(0, 2, len(below)), reach)


def _gap(tree, metric):
    return parity_bounds(tree, favorable=1, metric=metric)["gap"].max()


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_splits_independent_of_the_group_make_a_tree_independent_of_it(seed):
    def split(rng, n):
        return rng.dirichlet(np.ones(n))[:, None, None]

    tree = _population(seed, split)
    for metric in ("statistical_parity", "equalized_odds"):
        # Rows of either label split alike here, so that parity holds given the label too ...
        assert _gap(tree, metric) < 1e-12
    shares = tree.reach.sum(axis=2) / tree.reach[0].sum(axis=1)
    # ... and every node, inner ones included, is reached by all groups alike (Lemma 6).
    assert np.ptp(shares, axis=1).max() < 1e-12


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_splits_independent_given_the_label_make_odds_equal(seed):
    def split(rng, n):
        return np.moveaxis(rng.dirichlet(np.ones(n), (1, 2)), -1, 0)

    assert _gap(_population(seed, split), "equalized_odds") < 1e-12


@pytest.mark.parametrize(
    ("metric", "label"), [("predictive_equality", 0), ("equal_opportunity", 1)]
)
@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_splits_independent_given_one_label_make_its_rates_equal(metric, label, seed):
    def split(rng, n):
        shares = rng.dirichlet(np.ones(n), (4, 2))
        shares[:, label] = shares[0, label]
        return np.moveaxis(shares, -1, 0)

    rng = np.random.default_rng(seed)
    below = shape(rng, max_depth=4, max_children=3)
    reach = _walk(below, rng.uniform(0.1, 1000, (4, 2)), lambda n: split(rng, n))
    tree = tree_of(below, rng.integers(0, 2, len(below)), reach)
    assert _gap(tree, metric) < 1e-12
    report = parity_report(tree, favorable=1, metric=metric)
    assert report.empty or report["eps"].max() < 1e-12


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_splits_independent_given_a_control_make_conditional_parity(seed):
    def split(rng, n):
        return np.moveaxis(rng.dirichlet(np.ones(n), (1, 2)), -1, 0)

    tree = _population(seed, split)  # the second axis of its rows now stands for a control
    rows = Reached(conditions=("a", "b"), groups=tree.groups, weight=np.moveaxis(tree.reach, 2, 0))
    assert parity_bounds(tree, favorable=1, rows=rows)["gap"].max() < 1e-12


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.floats(0, 0.3))
def test_splits_that_are_nearly_independent_make_a_tree_that_nearly_is(seed, eps):
    def split(rng, n):
        shares = rng.dirichlet(np.ones(n))
        other = rng.dirichlet(np.ones(n), 4)[:, :, None]
        mixed = (1 - eps) * shares[None, :, None] + eps * other
        return np.moveaxis(mixed, 1, 0)

    rng = np.random.default_rng(seed)
    below = shape(rng, max_depth=4, max_children=3)
    totals = rng.integers(1, 1000, (4, 1)).astype(float)
    reach = _walk(below, totals, lambda n: split(rng, n))
    tree = tree_of(below, rng.integers(0, 2, len(below)), np.concatenate([reach, reach], axis=2))
    depth = tree.depth.max()
    assert _gap(tree, "statistical_parity") <= 1 - (1 - eps) ** depth + 1e-12


def test_marginal_parity_of_each_attribute_is_not_parity_of_their_crossing():
    # I = A1 xor A2, each a fair coin: of A1 = 0 one half goes left, of A1 = 1 too; same for A2.
    below, label = [[1, 2], [], []], np.array([0, 1, 0])
    joint = np.array([[25, 25, 25, 25], [25, 0, 0, 25], [0, 25, 25, 0]])[:, :, None]
    joint = np.concatenate([joint, joint], axis=2)
    crossed = tree_of(below, label, joint)  # groups 00, 01, 10, 11
    first = tree_of(below, label, joint.reshape(3, 2, 2, 2).sum(axis=2))
    second = tree_of(below, label, joint.reshape(3, 2, 2, 2).sum(axis=1))
    assert _gap(first, "statistical_parity") == 0
    assert _gap(second, "statistical_parity") == 0
    assert _gap(crossed, "statistical_parity") == 1


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_joint_parity_is_marginal_parity_too(seed):
    rng = np.random.default_rng(seed)
    below = shape(rng, max_depth=4, max_children=3)
    totals = rng.integers(1, 100, (4, 2)).astype(float)
    reach = _walk(below, totals, lambda n: rng.dirichlet(np.ones(n), (4, 2)).transpose(2, 0, 1))
    label = rng.integers(0, 2, len(below))
    joint = _gap(tree_of(below, label, reach), "statistical_parity")
    for axis in (1, 2):
        marginal = reach.reshape(len(below), 2, 2, 2).sum(axis=axis)
        assert _gap(tree_of(below, label, marginal), "statistical_parity") <= joint + 1e-12


def test_predictive_parity_does_not_carry_from_leaves_to_the_tree():
    # Within each of two favourable leaves the label is independent of the group: 90 % and 60 %.
    below, label = [[1, 2], [], []], np.array([0, 1, 1])
    leaves = np.array([[[8, 72], [2, 18]], [[8, 12], [32, 48]]], dtype=float)
    tree = tree_of(below, label, np.concatenate([leaves.sum(axis=0)[None], leaves]))
    correct = tree.reach[0, :, 1] / tree.reach[0].sum(axis=1)  # all are decided favourably
    for leaf in leaves:
        assert np.ptp(leaf[:, 1] / leaf.sum(axis=1)) == 0
    assert correct == pytest.approx([0.84, 0.66])


def test_the_condition_is_sufficient_and_not_necessary():
    # A group-dependent split at the root is undone below, on both sides.
    below = [[1, 4], [2, 3], [], [], [5, 6], [], []]
    counts = {1: (60, 40), 2: (30, 30), 3: (30, 10), 4: (40, 60), 5: (20, 20), 6: (20, 40)}
    reach = np.array([[[n, 0] for n in {0: (100, 100), **counts}[node]] for node in range(7)])
    tree = tree_of(below, np.array([0, 0, 1, 0, 0, 1, 0]), reach)
    report = parity_report(tree, favorable=1)
    assert report["eps"].min() > 0.1
    assert report["contribution"].sum() == pytest.approx(0)
