"""``monotonic_cst``: no row of the whole domain is decided the wrong way along a feature."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.tree.isotonic import isotonic

BOUNDS = (None, ar.SplitGap(0.3), ar.Covariance(0.1), ar.GapBudget(0.1))


def _rows(seed, n=120):
    """Numbers on a few values, so that leaves are many and small; some missing; groups."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    score = np.nan_to_num(X @ rng.normal(size=3)) + rng.normal(0, 2, n)
    group = rng.integers(0, 2, n)
    return X, (score + group > np.median(score)).astype(int), group


def _everything():
    """Every kind of row: values in each range, beyond them, and missing."""
    levels = [-9.0, *np.arange(6.0), 99.0, np.nan]
    return np.array(list(product(levels, repeat=3)))


def _violations(told, X, signs):
    """How often what is told goes the wrong way, over all pairs that differ in one column."""
    frame = pd.DataFrame(X, columns=list("abc")).assign(told=told)
    worst = 0.0
    for name, sign in zip("abc", signs):
        if sign:
            others = [other for other in "abc" if other != name]
            known = frame.dropna(subset=[name]).sort_values(name)
            steps = known.groupby(others, dropna=False)["told"].diff().dropna()
            worst = max(worst, -(sign * steps).min())
    return worst


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    signs=st.tuples(*[st.sampled_from([-1, 0, 1])] * 3),
    parity=st.sampled_from(BOUNDS),
    simplify=st.booleans(),
    criterion=st.sampled_from(["gini", "entropy"]),
)
def test_decisions_and_shares_are_monotone_over_the_whole_domain(
    seed, signs, parity, simplify, criterion
):
    X, y, group = _rows(seed)
    tree = ar.TreeClassifier(
        max_leaf_nodes=9,
        parity=parity,
        simplify=simplify,
        criterion=criterion,
        monotonic_cst=list(signs),
    ).fit(X, y, sensitive_features=group)
    everything = _everything()
    assert _violations(tree.predict(everything), everything, signs) <= 0
    assert _violations(tree.predict_proba(everything)[:, 1], everything, signs) < 1e-9
    if isinstance(parity, ar.GapBudget):
        rates = [tree.predict(X[group == one]).mean() for one in (0, 1)]
        assert abs(rates[0] - rates[1]) <= parity.eps + 1e-9


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), parity=st.sampled_from(BOUNDS[:3]))
def test_where_the_constraint_does_not_bind_the_tree_is_the_plain_one(seed, parity):
    X, y, group = _rows(seed)
    options = {"max_leaf_nodes": 4, "parity": parity}
    plain = ar.TreeClassifier(**options).fit(X, y, sensitive_features=group)
    everything = _everything()
    shares = plain.predict_proba(everything)[:, 1]
    for signs in ([1, 0, 0], [0, -1, 0], [0, 1, 1], [0, 0, 0]):
        if _violations(shares, everything, signs) > 0:
            continue
        tree = ar.TreeClassifier(monotonic_cst=signs, **options)
        tree.fit(X, y, sensitive_features=group)
        for name in ("feature", "threshold", "label", "weight"):
            np.testing.assert_array_equal(getattr(tree.tree_, name), getattr(plain.tree_, name))


def _isotonic_by_sets(values, weights, low, high):
    """The largest over upper sets of the least over lower sets of the mean of what both hold."""
    n = len(values)
    masks = [np.array(mask, bool) for mask in product([0, 1], repeat=n)]
    upper = [m for m in masks if not (m[low] & ~m[high]).any()]
    lower = [~m for m in upper]

    def mean(both):
        return np.average(values[both], weights=weights[both])

    return np.array(
        [max(min(mean(u & v) for v in lower if v[i]) for u in upper if u[i]) for i in range(n)]
    )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 6))
def test_isotonic_numbers_are_those_of_the_formula_over_all_sets(seed, n):
    rng = np.random.default_rng(seed)
    values, weights = rng.integers(0, 5, n) / 4, rng.integers(1, 4, n).astype(float)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.5]
    names = rng.permutation(n)
    low = names[[i for i, _ in pairs]] if pairs else np.empty(0, int)
    high = names[[j for _, j in pairs]] if pairs else np.empty(0, int)
    found = isotonic(values, weights, low, high)
    np.testing.assert_allclose(found, _isotonic_by_sets(values, weights, low, high), atol=1e-9)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.sampled_from([None, 0.05, 0.3]))
def test_no_monotone_labelling_of_the_leaves_has_fewer_errors(seed, budget):
    X, y, group = _rows(seed, 80)
    signs = [1, 0, -1]
    parity = None if budget is None else ar.GapBudget(budget)
    options = {"max_leaf_nodes": 7, "parity": parity}
    plain = ar.TreeClassifier(**options).fit(X, y, sensitive_features=group)
    tree = ar.TreeClassifier(monotonic_cst=signs, **options).fit(X, y, sensitive_features=group)
    everything = _everything()
    at, of_all = plain.apply(X), plain.apply(everything)
    leaves = np.unique(of_all)
    fewest = len(y)
    for labels in product([0, 1], repeat=len(leaves)):
        of_leaf = dict(zip(leaves, labels))
        decided = np.array([of_leaf[leaf] for leaf in at])
        gap = abs(decided[group == 0].mean() - decided[group == 1].mean())
        told = np.array([of_leaf[leaf] for leaf in of_all])
        allowed = budget is None or gap <= budget + 1e-12
        if allowed and _violations(told, everything, signs) <= 0:
            fewest = min(fewest, int((decided != y).sum()))
    assert int((tree.predict(X) != y).sum()) == fewest


def test_directions_are_given_by_name_or_in_order():
    X, y, _ = _rows(1)
    frame = pd.DataFrame(X, columns=["age", "pay", "tenure"])
    by_name = ar.TreeClassifier(max_leaf_nodes=9, monotonic_cst={"pay": 1}).fit(frame, y)
    in_order = ar.TreeClassifier(max_leaf_nodes=9, monotonic_cst=np.array([0, 1, 0])).fit(frame, y)
    assert by_name.tree_.label.tolist() == in_order.tree_.label.tolist()
    plain = ar.TreeClassifier(max_leaf_nodes=9).fit(frame, y)
    assert by_name.predict_proba(frame).tolist() != plain.predict_proba(frame).tolist()


def test_weights_and_class_weights_count():
    X, y, _ = _rows(4)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    options = {"max_leaf_nodes": 9, "monotonic_cst": [1, -1, 0], "class_weight": {0: 2, 1: 1}}
    weighted = ar.TreeClassifier(**options).fit(X, y, sample_weight=weight)
    repeated = ar.TreeClassifier(**options).fit(np.repeat(X, weight, 0), np.repeat(y, weight))
    everything = _everything()
    np.testing.assert_allclose(
        weighted.predict_proba(everything), repeated.predict_proba(everything)
    )
    assert _violations(weighted.predict(everything), everything, [1, -1, 0]) <= 0


def test_every_export_decides_as_the_tree(tmp_path):
    X, y, group = _rows(2)
    frame = pd.DataFrame(X, columns=["age", "pay", "tenure"])
    tree = ar.TreeClassifier(max_leaf_nodes=9, monotonic_cst={"age": 1, "pay": -1})
    tree.fit(frame, y, sensitive_features=group)
    everything = pd.DataFrame(_everything(), columns=frame.columns)
    tree.save(tmp_path / "tree.json")
    again = ar.read_tree(tmp_path / "tree.json")
    assert again.monotonic_cst == {"age": 1, "pay": -1}
    np.testing.assert_array_equal(again.predict(everything), tree.predict(everything))
    np.testing.assert_allclose(again.predict_proba(everything), tree.predict_proba(everything))
    of_sklearn = tree.to_sklearn()
    np.testing.assert_array_equal(of_sklearn.predict(everything), tree.predict(everything))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"monotonic_cst": {"income": 1}}, "names 'income'"),
        ({"monotonic_cst": [1, 0]}, "has 2 directions, and X 3 columns"),
        ({"monotonic_cst": {"age": 2}}, "is 2 for 'age'"),
        ({"monotonic_cst": {"age": True}}, "is True for 'age'"),
        ({"monotonic_cst": {"job": 1}}, "'job' a direction, and its levels have no order"),
        ({"monotonic_cst": {"age": 1}, "split": "logistic"}, "for split='threshold'"),
        ({"monotonic_cst": {"age": 1}, "split": "multiway"}, "for split='threshold'"),
        ({"monotonic_cst": {"age": 1}, "rules": "age < -5 => 1"}, "rules do not go together"),
    ],
)
def test_what_does_not_go_with_a_direction_is_said(options, words):
    X, y, _ = _rows(1)
    frame = pd.DataFrame(X, columns=["age", "pay", "job"])
    frame["job"] = frame["job"].astype(str)
    with pytest.raises(ar.InputError, match=words):
        ar.TreeClassifier(**options).fit(frame, y)


def test_more_than_two_classes_have_no_direction():
    X, y, _ = _rows(1)
    with pytest.raises(ar.InputError, match="for two classes, and y has 3"):
        ar.TreeClassifier(monotonic_cst=[1, 0, 0]).fit(X, np.where(X[:, 1] > 3, 2, y))
