"""Laws of growing: what must change nothing changes nothing, and limits are kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree import SplitGap, TreeClassifier
from arbitree.model.tree_json import to_json
from arbitree.tree.impurity import impurity

from .frames import sample

SEEDS = st.integers(0, 2**32 - 1)
SPLITS = st.sampled_from(["threshold", "logistic", "multiway"])


def fitted(rows, *, weights=None, **options):
    """A tree with groups where the options compare some, on the rows' features."""
    return TreeClassifier(**options).fit(
        rows.X, rows.y, sensitive_features=rows.group, sample_weight=weights
    )


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, split=SPLITS, least=st.integers(1, 5))
def test_a_row_of_weight_three_is_three_rows(seed, split, least):
    rows = sample(seed)
    repeated = rows.rows(np.repeat(np.arange(len(rows.y)), rows.weights.astype(int)))
    options = {"split": split, "min_samples_leaf": least, "ccp_alpha": 0.01}
    weighted = fitted(rows, weights=rows.weights, **options)
    assert to_json(weighted.tree_) == to_json(fitted(repeated, **options).tree_)


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, split=SPLITS)
def test_a_row_of_weight_zero_is_no_row(seed, split):
    rows = sample(seed)
    weights = np.where(np.arange(len(rows.y)) % 3 == 1, 0.0, 1.0)
    kept = rows.rows(np.flatnonzero(weights))
    if len(set(kept.y)) < len(set(rows.y)) or kept.X.isna().all().any():
        return  # a class, or the type of a column, would be known from the other rows alone
    assert to_json(fitted(rows, weights=weights, split=split).tree_) == to_json(
        fitted(kept, split=split).tree_
    )


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, split=SPLITS, n_classes=st.integers(2, 3))
def test_the_order_of_rows_does_not_matter(seed, split, n_classes):
    if split == "logistic":
        n_classes = 2
    rows = sample(seed, n_classes=n_classes)
    moved = rows.rows(np.random.default_rng(seed).permutation(len(rows.y)))
    options = {"split": split, "favorable_label": int(rows.y[0])}
    assert to_json(fitted(rows, **options).tree_) == to_json(fitted(moved, **options).tree_)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_names_of_levels_do_not_matter(seed):
    rows = sample(seed)
    tree = TreeClassifier(max_depth=3).fit(rows.X, rows.y)
    renamed = rows.X.assign(level=rows.X["level"].map(dict(zip("abcde", "edcba"))))
    other = TreeClassifier(max_depth=3).fit(renamed, rows.y)
    cost = [t.tree_.weight.sum(1) * impurity(t.tree_.weight, "gini") for t in (tree, other)]
    first = [c[0] - c[t.tree_.children(0)].sum() for c, t in zip(cost, (tree, other))]
    assert first[0] == pytest.approx(first[1])


@settings(max_examples=60, deadline=None)
@given(
    seed=SEEDS,
    eps=st.sampled_from([0.0, 0.1, 0.3]),
    metric=st.sampled_from(
        ["statistical_parity", "equal_opportunity", "predictive_equality", "equalized_odds"]
    ),
    split=SPLITS,
    n_groups=st.integers(2, 3),
)
def test_every_split_keeps_its_gap_in_every_node(seed, eps, metric, split, n_groups):
    rows = sample(seed, n_groups=n_groups)
    conditions = {
        "statistical_parity": [[0, 1]],
        "equal_opportunity": [[1]],
        "predictive_equality": [[0]],
        "equalized_odds": [[0], [1]],
    }[metric]
    there = rows.weights > 0
    of_class = [rows.group[there & np.isin(rows.y, classes)] for classes in conditions]
    if len(set(rows.y)) < 2 or any(len(set(groups)) < 2 for groups in of_class):
        return
    tree = fitted(
        rows, weights=rows.weights, split=split, parity=SplitGap(eps, metric=metric)
    ).tree_
    for node in np.flatnonzero(~tree.is_leaf):
        for classes in conditions:
            whole = tree.reach[node][:, classes].sum(axis=1)
            for child in tree.children(node):
                here = whole > 0
                shares = tree.reach[child][:, classes].sum(axis=1)[here] / whole[here]
                assert not len(shares) or np.ptp(shares) <= eps + 1e-9


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, eps=st.sampled_from([0.0, 0.1, 0.3]))
def test_splits_within_eps_make_a_gap_of_at_most_what_their_depth_allows(seed, eps):
    rows = sample(seed, n_rows=80, n_groups=3)
    if len(set(rows.group)) < 2:
        return
    tree = fitted(rows, parity=SplitGap(eps), max_depth=4)
    rates = pd.Series(tree.predict(rows.X)).groupby(rows.group).mean()
    assert np.ptp(rates) <= 1 - (1 - eps) ** tree.get_depth() + 1e-9


@pytest.mark.parametrize("split", ["threshold", "multiway", "logistic"])
def test_limits_of_depth_rows_and_leaves_are_kept(split):
    rows = sample(3, n_rows=400, n_classes=2)
    rows = rows.rows(np.arange(len(rows.y)))
    assert fitted(rows, split=split, max_depth=2).get_depth() <= 2
    tree = fitted(rows, split=split, min_samples_leaf=7).tree_
    assert tree.n[tree.is_leaf].min() >= 7
    tree = fitted(rows, split=split, min_samples_split=40).tree_
    assert tree.n[~tree.is_leaf].min() >= 40
    assert fitted(rows, split=split, max_leaf_nodes=5).get_n_leaves() <= 5
    tree = fitted(rows, split=split, min_weight_fraction_leaf=0.1).tree_
    assert tree.weight[tree.is_leaf].sum(axis=1).min() >= 0.1 * tree.weight[0].sum()


def test_the_best_split_comes_first_where_leaves_are_limited():
    rows = sample(11, n_rows=300)
    full = fitted(rows).tree_
    costs = []
    for n_leaves in range(2, 12):
        tree = fitted(rows, max_leaf_nodes=n_leaves).tree_
        leaf = tree.is_leaf
        costs.append(np.sum(tree.weight[leaf].sum(1) * impurity(tree.weight[leaf], "gini")))
        assert tree.n_leaves == min(n_leaves, full.n_leaves)
    assert costs == sorted(costs, reverse=True)


def test_a_decrease_of_impurity_below_the_least_is_no_split():
    X = pd.DataFrame({"x": [0.0, 0, 1, 1]})
    assert TreeClassifier(min_impurity_decrease=0.5).fit(X, [0, 0, 1, 1]).get_n_leaves() == 2
    assert TreeClassifier(min_impurity_decrease=0.51).fit(X, [0, 0, 1, 1]).get_n_leaves() == 1


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_simplifying_changes_no_decision_and_leaves_no_equal_siblings(seed):
    rows = sample(seed)
    tree, simple = TreeClassifier().fit(rows.X, rows.y), TreeClassifier(simplify=True)
    simple.fit(rows.X, rows.y)
    assert (simple.predict(rows.X) == tree.predict(rows.X)).all()
    for node in np.flatnonzero(~simple.tree_.is_leaf):
        children = simple.tree_.children(node)
        if simple.tree_.is_leaf[children].all():
            assert len(set(simple.tree_.label[children])) > 1


def test_the_same_rows_give_the_same_bytes():
    rows = sample(5, n_rows=200)
    texts = {to_json(fitted(rows, parity=SplitGap(0.2)).tree_) for _ in range(3)}
    assert len(texts) == 1


def test_class_weights_are_as_weights_of_rows():
    rows = sample(8, n_rows=100)
    weights = np.where(rows.y == 1, 3.0, 1.0)
    by_class = TreeClassifier(class_weight={0: 1, 1: 3}, max_depth=3).fit(rows.X, rows.y)
    by_row = TreeClassifier(max_depth=3).fit(rows.X, rows.y, sample_weight=weights)
    assert (by_class.predict_proba(rows.X) == by_row.predict_proba(rows.X)).all()


def test_groups_in_many_batches_and_one_give_the_same_tree(monkeypatch):
    rows = sample(21, n_rows=2000)
    whole = to_json(fitted(rows, parity=SplitGap(0.3)).tree_)
    monkeypatch.setattr("arbitree.tree.grow.CELLS_A_BATCH", 64)
    assert to_json(fitted(rows, parity=SplitGap(0.3)).tree_) == whole


def test_fractional_weights_grow_what_their_multiples_grow():
    rows = sample(30, n_rows=150)
    halves = fitted(rows, weights=rows.weights / 2, max_depth=4)
    whole = fitted(rows, weights=rows.weights, max_depth=4)
    assert (halves.predict(rows.X) == whole.predict(rows.X)).all()
    assert halves.tree_.n[0] == len(rows.y)
    assert whole.tree_.n[0] == rows.weights.sum()


def test_the_parity_report_adds_up_to_the_gap(shared_data):
    data = pd.read_csv(shared_data / "compas.csv.gz").head(2000)
    X = data[["age", "priors_count"]]
    tree = TreeClassifier(max_depth=3, favorable_label=0).fit(
        X, data["two_year_recid"], sensitive_features=data[["race"]]
    )
    report = tree.parity_report_
    audit = ar.audit(
        tree.predict(X), sensitive_features=data[["race"]], favorable_label=0, min_group_size=1
    )
    gap = audit.gaps.query("metric == 'statistical_parity'")["value"].iloc[0]
    widest = report.groupby(["group_high", "group_low"])["contribution"].sum().max()
    assert widest == pytest.approx(gap)
