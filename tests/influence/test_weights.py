"""Weights, conditions, classes and groups of an explanation, against rows written out and loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar

QUICK = {"n_bootstrap": 0, "cross_fit": 0, "n_threads": 1}
pytestmark = pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")


def _people(seed, n=90):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(0, 4, n),
            "job": rng.choice(["a", "b", None], n),
            "pay": rng.integers(0, 60, n).astype(float),
        }
    )
    X.loc[::7, "pay"] = np.nan
    group = rng.choice(["f", "m"], n)
    group[:2] = ["f", "m"]
    decided = (X["age"] + (X["job"] == "a") + rng.integers(0, 3, n) > 3).astype(int).to_numpy()
    return X, decided, group, rng


def _influences(found):
    return dict(zip(found.table["features"], found.table["influence"]))


@settings(max_examples=8)
@given(st.integers(0, 10_000), st.sampled_from(["rank", "value"]))
def test_whole_weights_are_repeated_rows_to_an_explanation(seed, knots):
    X, decided, group, rng = _people(seed)
    weight = rng.integers(1, 4, len(X))
    options = QUICK | {"penalty": 3.0, "knots": knots, "n_intervals": 6}
    rows = np.repeat(np.arange(len(X)), weight)
    # X of few values a column, so that knots, which are spread over values, are the same.
    found = ar.explain_gap(X, decided, sensitive_features=group, sample_weight=weight, **options)
    repeated = ar.explain_gap(
        X.iloc[rows], decided[rows], sensitive_features=group[rows], **options
    )
    assert found.gap == pytest.approx(repeated.gap)
    assert _influences(found) == pytest.approx(_influences(repeated), abs=1e-3)


def test_any_scale_of_weights_changes_no_gap():
    X, decided, group, rng = _people(1)
    weight = rng.random(len(X)) + 0.5
    found = [
        ar.explain_gap(X, decided, sensitive_features=group, sample_weight=weight * k, **QUICK)
        for k in (1, 1000)
    ]
    assert found[1].gap == pytest.approx(found[0].gap)
    assert found[1].rates["rate"].tolist() == pytest.approx(found[0].rates["rate"].tolist())


def test_missing_values_are_a_level_like_any_other():
    X, _, group, _ = _people(2, n=400)
    decided = (X["job"].isna() & (group == "m")).astype(int)
    options = QUICK | {"max_order": 1, "penalty": 1e-6}
    found = ar.explain_gap(X[["job"]], decided, sensitive_features=group, **options)
    named = ar.explain_gap(X[["job"]].fillna("none"), decided, sensitive_features=group, **options)
    assert found.table["share_high"][0] == pytest.approx(1.0, abs=1e-4)
    assert _influences(found) == pytest.approx(_influences(named), abs=1e-4)


def test_one_class_of_many_is_explained_against_the_rest():
    X, _, group, _ = _people(3)
    classes = np.where(X["age"] == 0, "none", np.where(X["age"] == 3, "full", "part"))
    found = ar.explain_gap(X, classes, sensitive_features=group, favorable_label="part", **QUICK)
    plain = ar.explain_gap(X, (classes == "part").astype(int), sensitive_features=group, **QUICK)
    assert _influences(found) == _influences(plain)
    assert "'part'" in found.favorable
    both = ar.explain_gap(
        X, classes, sensitive_features=group, favorable_label=["part", "full"], **QUICK
    )
    assert both.gap == pytest.approx(
        pd.Series(classes != "none").groupby(group).mean().diff().abs().iloc[-1]
    )


def test_scores_are_explained_by_their_means():
    X, _, group, _ = _people(4)
    scores = X["age"] * 10.0 + (group == "m")
    found = ar.explain_gap(X, scores, sensitive_features=group, scores=True, **QUICK)
    means = scores.groupby(group).mean()
    assert found.gap == pytest.approx(means.max() - means.min())
    assert found.table["influence"].sum() + found.unexplained == pytest.approx(found.gap)
    lower = ar.explain_gap(
        X, scores, sensitive_features=group, scores=True, lower_score_favorable=True, **QUICK
    )
    assert (lower.group_high, lower.group_low) == (found.group_low, found.group_high)


def test_groups_of_several_columns_are_those_of_one_joint_column():
    X, decided, group, rng = _people(5)
    race = rng.choice(["p", "q"], len(X))
    found = ar.explain_gap(X, decided, sensitive_features={"sex": group, "race": race}, **QUICK)
    joint = np.char.add(np.char.add(group, " x "), race)
    one = ar.explain_gap(X, decided, sensitive_features=joint, **QUICK)
    assert (found.group_high, found.group_low) == (one.group_high, one.group_low)
    assert found.to_dict()["table"] == one.to_dict()["table"]
    named = ar.explain_gap(
        X, decided, sensitive_features={"sex": group, "race": race},
        groups=("f x p", ("m", "q")), **QUICK
    )  # fmt: skip
    assert {named.group_high, named.group_low} == {"f x p", "m x q"}
