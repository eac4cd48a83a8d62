"""Every kind of split with every bound, metric and grouping keeps its promise."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.tree.parity import METRICS

SPLITS = ["threshold", "logistic", "multiway"]
BOUNDS = [ar.Covariance, ar.SplitGap, ar.GapBudget]


def people(seed: int, n: int = 150, n_classes: int = 2) -> dict[str, object]:
    """Rows whose labels depend on features, and features on two sensitive columns."""
    rng = np.random.default_rng(seed)
    sex, race = rng.choice(["f", "m"], n), rng.choice(["a", "b", "c"], n)
    shift = (sex == "m") + 0.5 * (race == "c")
    X = pd.DataFrame(
        {
            "x": np.round(rng.normal(size=n) + shift, 1),
            "job": np.array(list("pqrs"))[np.clip(rng.normal(1.5, 1, n) + shift, 0, 3).astype(int)],
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 90, n), unit="D"),
            "ok": rng.random(n) < 0.5,
        }
    )
    X.loc[rng.random(n) < 0.1, "x"] = np.nan
    score = X["x"].fillna(0) + (X["job"] == "s") + rng.normal(size=n)
    y = np.clip(np.digitize(score, [0.7, 1.6]), 0, n_classes - 1)
    return {
        "X": X,
        "y": y,
        "groups": pd.DataFrame({"sex": sex, "race": race}),
        "control": pd.DataFrame({"branch": rng.choice(["n", "s"], n)}),
        "weights": rng.integers(1, 4, n).astype(float),
    }


def rates_apart(decided, label, groups, control, weights, metric, joint) -> float:
    """The largest gap, from its definition."""
    conditions = {
        "statistical_parity": [np.ones(len(label), bool)],
        "equal_opportunity": [label],
        "predictive_equality": [~label],
        "equalized_odds": [label, ~label],
        "conditional_statistical_parity": [control == level for level in np.unique(control)],
    }[metric]
    keys = [groups["sex"] + groups["race"]] if joint else [groups["sex"], groups["race"]]
    found = [0.0]
    for rows in conditions:
        for key in keys:
            rates = [
                np.average(decided[rows & (key == level)], weights=weights[rows & (key == level)])
                for level in np.unique(key[rows])
            ]
            found.append(max(rates) - min(rates) if len(rates) > 1 else 0.0)
    return max(found)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    split=st.sampled_from(SPLITS),
    bound=st.sampled_from(BOUNDS),
    metric=st.sampled_from(METRICS),
    joint=st.booleans(),
    size=st.sampled_from([0.0, 0.03, 0.2]),
    weighted=st.booleans(),
    n_classes=st.sampled_from([2, 3]),
)
def test_contributions_add_up_to_the_gap_and_bounds_hold(
    seed, split, bound, metric, joint, size, weighted, n_classes
):
    n_classes = 2 if split == "logistic" and bound is not ar.GapBudget else n_classes
    rows = people(seed, n_classes=n_classes)
    parity = bound(size, metric=metric, joint=joint)
    favorable = 1 if n_classes == 2 else [1, 2]
    tree = ar.TreeClassifier(
        split=split, parity=parity, favorable_label=favorable, max_depth=3, min_samples_leaf=4
    )
    control = rows["control"] if metric == "conditional_statistical_parity" else None
    weights = rows["weights"] if weighted else np.ones(len(rows["y"]))
    tree.fit(
        rows["X"], rows["y"], sensitive_features=rows["groups"], control_features=control,
        sample_weight=weights if weighted else None,
    )  # fmt: skip
    gap = rates_apart(
        np.isin(tree.predict(rows["X"]), favorable), np.isin(rows["y"], favorable), rows["groups"],
        rows["control"]["branch"].to_numpy(), weights, metric, joint,
    )  # fmt: skip
    report = tree.parity_report_
    pairs = report.groupby(["condition", "group_high", "group_low"])["contribution"].sum()
    assert (pairs.max() if len(pairs) else 0.0) == pytest.approx(gap, abs=1e-12)
    if bound is ar.GapBudget:
        assert gap <= size + 1e-11
    if bound is ar.SplitGap and len(report):
        assert report["eps"].max() <= size + 1e-11


@pytest.mark.parametrize("split", ["threshold", "multiway"])
def test_a_bound_on_the_covariance_holds_for_each_branch_of_other_splits(split):
    rows = people(3, n=600)
    tree = ar.TreeClassifier(split=split, parity=ar.Covariance(0.01), max_depth=1)
    tree.fit(rows["X"], rows["y"], sensitive_features=rows["groups"]["sex"])
    leaf, group = tree.apply(rows["X"]), rows["groups"]["sex"].to_numpy() == "m"
    assert tree.get_n_leaves() > 1
    for branch in np.unique(leaf):
        assert abs(np.cov(leaf == branch, group, ddof=0)[0, 1]) <= 0.01 + 1e-12
    free = ar.TreeClassifier(split=split, max_depth=1).fit(rows["X"], rows["y"])
    leaf = free.apply(rows["X"])
    apart = [abs(np.cov(leaf == branch, group, ddof=0)[0, 1]) for branch in np.unique(leaf)]
    assert max(apart) > 0.01


@pytest.mark.parametrize("split", ["logistic", "multiway"])
def test_a_wider_budget_makes_no_more_errors_whatever_the_splits(split):
    rows = people(4, n=500)
    scores = [
        ar.TreeClassifier(split=split, parity=ar.GapBudget(eps), max_depth=3)
        .fit(rows["X"], rows["y"], sensitive_features=rows["groups"]["sex"])
        .score(rows["X"], rows["y"])
        for eps in (0.0, 0.05, 0.1, 1.0)
    ]
    assert scores == sorted(scores)
    plain = ar.TreeClassifier(split=split, max_depth=3).fit(rows["X"], rows["y"])
    assert scores[-1] >= plain.score(rows["X"], rows["y"])


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    split=st.sampled_from(SPLITS),
    bound=st.sampled_from([None, *BOUNDS]),
)
def test_a_weight_is_as_many_rows_whatever_the_tree(seed, split, bound):
    rows = people(seed, n=60)
    parity = None if bound is None else bound(0.1)
    tree = ar.TreeClassifier(split=split, parity=parity, max_depth=3, min_samples_leaf=5)
    groups, weights = rows["groups"]["sex"], rows["weights"].astype(int)
    tree.fit(rows["X"], rows["y"], sensitive_features=groups, sample_weight=weights)
    at = np.repeat(np.arange(60), weights)
    again = ar.TreeClassifier(**tree.get_params())
    again.fit(
        rows["X"].iloc[at].reset_index(drop=True), rows["y"][at],
        sensitive_features=groups[at].reset_index(drop=True),
    )  # fmt: skip
    assert (tree.predict(rows["X"]) == again.predict(rows["X"])).all()
    np.testing.assert_allclose(tree.predict_proba(rows["X"]), again.predict_proba(rows["X"]))
