"""Tests of independence at every node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from arbitree.tree.local_parity import holm, local_parity
from tests.tree.populations import populated_trees, tree_of


def _tree(first, second):
    """One split of two groups."""
    leaves = np.array([[[n, 0] for n in first], [[n, 0] for n in second]])
    return tree_of([[1, 2], [], []], np.array([0, 0, 1]), np.stack([leaves.sum(0), *leaves]))


def test_a_split_is_tested_within_its_node():
    found = local_parity(_tree([60, 30], [40, 70]), favorable=1)
    split = found[found["hypothesis"] == "split"].iloc[0]
    expected = chi2_contingency([[60, 30], [40, 70]], correction=False)
    assert split["p_value"] == pytest.approx(expected.pvalue)
    assert (split["node"], split["dof"], split["n"], split["status"]) == (0, 1, 200, "ok")


def test_reaching_a_node_is_tested_among_all_rows():
    found = local_parity(_tree([60, 30], [40, 70]), favorable=1)
    nodes = found[found["hypothesis"] == "node"]
    assert nodes["node"].tolist() == [1, 2]
    assert nodes["p_value"].nunique() == 1
    assert nodes["p_holm"].tolist() == pytest.approx([2 * p for p in nodes["p_value"]])


def test_what_cannot_depend_on_the_group_says_so():
    one_group = local_parity(_tree([5, 0], [5, 0]), favorable=1)
    assert set(one_group["status"]) == {"one group"}
    one_way = local_parity(_tree([5, 5], [0, 0]), favorable=1)
    assert set(one_way["status"]) == {"one way only"}
    assert set(one_way["p_value"]) == {1.0}


def test_few_rows_are_marked():
    found = local_parity(_tree([3, 1], [1, 3]), favorable=1)
    assert set(found["status"]) == {"expected counts below 5"}


@settings(deadline=None, max_examples=30)
@given(populated_trees(), st.sampled_from(["statistical_parity", "equalized_odds"]))
def test_every_split_and_every_node_is_tested_once(tree, metric):
    found = local_parity(tree, favorable=1, metric=metric)
    conditions = 2 if metric == "equalized_odds" else 1
    counts = found["hypothesis"].value_counts()
    assert counts.get("split", 0) == conditions * (tree.n_nodes - tree.n_leaves)
    assert counts.get("node", 0) == conditions * (tree.n_nodes - 1)
    assert not found.isna().any().any()
    assert (found["p_holm"] >= found["p_value"]).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_as_the_step_down_procedure_does(p_values):
    adjusted = holm(np.array(p_values))
    for level in (0.01, 0.05, 0.3):
        rejected = 0
        for step, p in enumerate(sorted(p_values)):
            if p > level / (len(p_values) - step):
                break
            rejected += 1
        # Products and quotients round differently where a p-value is right at its limit.
        near = np.isclose(adjusted, level, rtol=1e-12).sum()
        assert abs((adjusted <= level).sum() - rejected) <= near


def test_equal_branches_are_never_rejected_more_often_than_promised():
    rng, rejected = np.random.default_rng(0), 0
    for _ in range(400):
        left = rng.binomial([200, 300], 0.4)
        found = local_parity(_tree(left, np.array([200, 300]) - left), favorable=1)
        rejected += found.loc[found["hypothesis"] == "split", "p_holm"].iloc[0] <= 0.05
    assert rejected <= 32  # 5 % of 400 is 20, with a standard deviation of 4.4
