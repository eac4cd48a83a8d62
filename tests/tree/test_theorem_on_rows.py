"""Theorem 7 and its extensions on trees that were grown: groups that no feature tells apart.

Where the weight of the rows makes every feature independent of the group, so is each split that a
tree may find, and by the theorem the tree's decision. Labels may depend on the group at will.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar

SPLITS = ("threshold", "multiway", "logistic")
CONTROL = "conditional_statistical_parity"
LABELS = {"equal_opportunity": [1], "predictive_equality": [0], "equalized_odds": [0, 1]}
CONDITIONS = {"statistical_parity": {"all"}, CONTROL: {"control = 0", "control = 1"}} | {
    metric: {f"Y = {label}" for label in labels} for metric, labels in LABELS.items()
}
N_CELLS = 12  # combinations of the features' values


def _independent(rng, metric, n_groups):
    """Weights (cells, groups, levels of a control, labels), with cells independent of groups among
    the rows that the metric compares, and as it happens among others."""
    totals = rng.uniform(0.2, 1, (n_groups, 2, 2))
    if metric == "statistical_parity":
        cells = rng.dirichlet(np.ones(N_CELLS))[:, None, None, None]
        rest = rng.dirichlet(np.ones(4), (N_CELLS, n_groups)).reshape(-1, n_groups, 2, 2)
        return cells * totals.sum(axis=(1, 2), keepdims=True) * rest
    if metric == CONTROL:
        cells = rng.dirichlet(np.ones(N_CELLS), 2).T[:, None, :, None]
        labels = rng.dirichlet(np.ones(2), (N_CELLS, n_groups, 2))
        return cells * totals.sum(axis=2, keepdims=True) * labels
    cells = np.moveaxis(rng.dirichlet(np.ones(N_CELLS), totals.shape), -1, 0)
    for label in LABELS[metric]:
        cells[..., label] = cells[:, :1, :1, label]
    return cells * totals


def _rows(rng, weight):
    """One to three rows of each cell, which share its weight."""
    repeated = np.repeat(np.arange(weight.size), rng.integers(1, 4, weight.size))
    part = rng.uniform(0.1, 1, len(repeated))
    share = part / np.bincount(repeated, part)[repeated]
    cell, group, level, label = np.unravel_index(repeated, weight.shape)
    X = pd.DataFrame({"number": cell % 4 + 0.5, "level": np.array(list("pqr"))[cell // 4]})
    return X, label, group, level, weight.ravel()[repeated] * share


@settings(max_examples=50, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(sorted(CONDITIONS)),
    st.sampled_from(SPLITS),
    st.integers(2, 4),
)
def test_features_independent_of_the_groups_grow_a_tree_that_is(seed, metric, split, n_groups):
    rng = np.random.default_rng(seed)
    X, y, group, level, weights = _rows(rng, _independent(rng, metric, n_groups))
    tree = ar.TreeClassifier(split=split, parity=ar.SplitGap(1, metric=metric), max_depth=4)
    tree.fit(
        X,
        y,
        sensitive_features=group,
        control_features=pd.Series(level, name="control") if metric == CONTROL else None,
        sample_weight=weights,
    )
    report = tree.parity_report_
    if tree.get_n_leaves() > 1:
        assert set(report["condition"]) == CONDITIONS[metric]
    pairs = report.groupby(["condition", "group_high", "group_low"])["contribution"].sum()
    assert (report["eps"] < 1e-9).all()
    assert (pairs.abs() < 1e-9).all()


@pytest.mark.parametrize("split", SPLITS)
def test_it_is_the_weights_that_count_and_not_the_rows(split):
    rng = np.random.default_rng(0)
    X, y, group, _, weights = _rows(rng, _independent(rng, "statistical_parity", 2))
    tree = ar.TreeClassifier(split=split, max_depth=4)
    tree.fit(X, y, sensitive_features=group, sample_weight=weights)
    assert tree.get_n_leaves() > 2
    weighted, rows = (
        ar.parity_report(tree, X, y, sensitive_features=group, sample_weight=some)
        for some in (weights, None)
    )
    assert abs(weighted["contribution"].sum()) < 1e-9
    assert rows["contribution"].sum() > 0.01
