"""Reports, bounds and certificates of trees that were grown on rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree._errors import InputError
from arbitree.report.tree_numbers import tree_numbers
from arbitree.tree.bounds import parity_bounds
from arbitree.tree.fitted_report import reached_by

_TWO = {"disabled": "a", "immigrant": "b"}  # sensitive columns, and of what


def _rows(seed, n=400):
    """Features of three kinds, labels and two sensitive columns that have to do with each other."""
    rng = np.random.default_rng(seed)
    sex, race = rng.choice(["f", "m"], n), rng.choice(["a", "b", "c"], n)
    shift = (sex == "m") * rng.normal() + (race == "c") * rng.normal()
    X = pd.DataFrame(
        {
            "x": rng.normal(size=n) + shift,
            "level": pd.Categorical.from_codes(
                np.clip(rng.normal(2, 1, n) + shift, 0, 4).astype(int), list("pqrst")
            ),
            "whole": rng.integers(0, 5, n),
        }
    )
    X.loc[rng.random(n) < 0.1, "x"] = np.nan
    y = (X["x"].fillna(0) + 0.5 * X["level"].cat.codes + rng.normal(size=n) > 1.2).astype(int)
    return X, y, pd.DataFrame({"sex": sex, "race": race})


METRICS = ["statistical_parity", "equal_opportunity", "predictive_equality", "equalized_odds"]


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(METRICS),
    st.sampled_from(["threshold", "multiway", "logistic"]),
    st.booleans(),
)
def test_the_widest_pair_of_the_report_is_the_gap_that_an_audit_finds(seed, metric, split, joint):
    X, y, groups = _rows(seed)
    parity = ar.SplitGap(1.0, metric=metric, joint=joint)
    tree = ar.TreeClassifier(split=split, parity=parity, max_depth=4, min_samples_leaf=5)
    tree.fit(X, y, sensitive_features=groups)
    report = tree.parity_report_
    pairs = report.groupby(["condition", "group_high", "group_low"])["contribution"].sum()
    audit = ar.audit(tree.predict(X), sensitive_features=groups, y_true=y, min_group_size=1)
    gaps = audit.gaps[audit.gaps["metric"] == metric]
    measured = gaps[gaps["grouping"].isin(["sex x race"] if joint else ["sex", "race"])]
    assume(measured["value"].notna().all())  # where a group lacks labels, an audit has no gap
    assert pairs.max() == pytest.approx(measured["value"].max(), abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(METRICS), st.sampled_from([0.02, 0.05, 0.2]))
def test_bounded_splits_bound_the_gap_of_the_tree(seed, metric, eps):
    X, y, groups = _rows(seed)
    assume(pd.crosstab(groups["sex"], y).to_numpy().min() > 0)  # else there is nothing to compare
    tree = ar.TreeClassifier(parity=ar.SplitGap(eps, metric=metric), max_depth=4)
    tree.fit(X, y, sensitive_features=groups["sex"])
    report = tree.parity_report_
    assert report.empty or report["eps"].max() <= eps + 1e-12
    for population in tree.populations_:
        bounds = parity_bounds(
            tree.tree_, favorable=tree.favorable_, rows=reached_by(tree.tree_, population)
        )
        limit = 1 - (1 - eps) ** tree.get_depth()
        assert (bounds["gap"] <= bounds["depth"] + 1e-12).all()
        assert (bounds["depth"] <= limit + 1e-12).all()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(METRICS), st.booleans())
def test_a_report_of_other_rows_sums_to_their_gap(seed, metric, joint):
    X, y, groups = _rows(seed, n=800)
    grown, rest = slice(0, 400), slice(400, None)
    tree = ar.TreeClassifier(max_depth=4, min_samples_leaf=5).fit(X[grown], y[grown])
    options = {"sensitive_features": groups[rest], "metric": metric, "joint": joint}
    report = ar.parity_report(tree, X[rest], y[rest], **options)
    audit = ar.audit(tree.predict(X[rest]), sensitive_features=groups[rest].reset_index(drop=True),
                     y_true=y[rest].to_numpy(), min_group_size=1)  # fmt: skip
    gaps = audit.gaps[audit.gaps["metric"] == metric]
    value = gaps.loc[gaps["grouping"].isin(["sex x race"] if joint else ["sex", "race"]), "value"]
    assume(value.notna().all())  # where a group lacks labels, an audit has no gap
    pairs = report.groupby(["condition", "group_high", "group_low"])["contribution"].sum()
    assert pairs.max() == pytest.approx(value.max(), abs=1e-12)
    bounds = ar.parity_bounds(tree, X[rest], y[rest], **options)
    assert bounds["gap"].max() == pytest.approx(value.max(), abs=1e-12)


def test_training_rows_passed_again_give_the_training_report():
    X, y, groups = _rows(1)
    tree = ar.TreeClassifier(max_depth=4).fit(X, y, sensitive_features=groups["sex"])
    straight = ar.parity_report(tree)
    pd.testing.assert_frame_equal(straight, tree.parity_report_)
    order = np.random.default_rng(0).permutation(len(y))
    again = ar.parity_report(tree, X.iloc[order], y, sensitive_features=groups["sex"])
    pd.testing.assert_frame_equal(straight, again)
    tests = ar.local_parity(tree, X, y, sensitive_features=groups["sex"])
    pd.testing.assert_frame_equal(tests, ar.local_parity(tree))


def test_weights_count_as_repeated_rows_in_a_report():
    X, y, groups = _rows(2)
    tree = ar.TreeClassifier(max_depth=3).fit(X, y)
    times = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = ar.parity_report(
        tree, X, y, sensitive_features=groups["sex"], sample_weight=times.astype(float)
    )
    repeated = np.repeat(np.arange(len(y)), times)
    rows = X.iloc[repeated].reset_index(drop=True), y.iloc[repeated].reset_index(drop=True)
    sex = groups["sex"].iloc[repeated].reset_index(drop=True)
    pd.testing.assert_frame_equal(weighted, ar.parity_report(tree, *rows, sensitive_features=sex))


def test_a_control_makes_conditions_of_a_report():
    X, y, groups = _rows(3)
    tree = ar.TreeClassifier(max_depth=3).fit(X, y)
    found = ar.parity_report(
        tree, X, sensitive_features=groups["sex"], control_features=groups["race"],
        metric="conditional_statistical_parity",
    )  # fmt: skip
    assert found["condition"].unique().tolist() == ["race = a", "race = b", "race = c"]


def test_reports_say_what_they_lack():
    X, y, groups = _rows(4)
    tree = ar.TreeClassifier(max_depth=3).fit(X, y)
    with pytest.raises(InputError, match="grown without groups"):
        ar.parity_report(tree)
    with pytest.raises(InputError, match="Pass sensitive_features"):
        ar.parity_bounds(tree, X, y)
    with pytest.raises(InputError, match="Pass y"):
        ar.local_parity(tree, X, sensitive_features=groups, metric="equalized_odds")
    with pytest.raises(InputError, match="the tree knows the classes 0 and 1"):
        ar.parity_report(tree, X, y + 1, sensitive_features=groups)


def test_the_gap_of_adult_is_split_over_the_nodes(shared_data):
    rows = pd.read_csv(shared_data / "adult.csv.gz", na_values="?")
    X, y = rows.drop(columns=["income", "sex", "relationship", "fnlwgt"]), rows["income"]
    tree = ar.TreeClassifier(max_depth=4, favorable_label=">50K")
    tree.fit(X, y, sensitive_features=rows["sex"])
    report = tree.parity_report_
    audit = ar.audit(tree.predict(X), sensitive_features=rows["sex"], favorable_label=">50K")
    gap = audit.gaps["value"].iloc[0]
    assert report["contribution"].sum() == pytest.approx(gap, abs=1e-12)
    assert set(report["group_high"]) == {"Male"}
    # Being married is the first split, and the one that does most.
    assert report.loc[report["contribution"].idxmax(), "node"] == 0


def test_a_certificate_of_a_tree_covers_the_gap_on_the_remaining_rows(shared_data):
    rows = pd.read_csv(shared_data / "adult.csv.gz", na_values="?").sample(
        frac=1, random_state=0, ignore_index=True
    )
    X, y = rows.drop(columns=["income", "sex", "relationship"]), rows["income"]
    grown, calibration = slice(0, 12_000), slice(12_000, 24_000)
    tree = ar.TreeClassifier(max_depth=5, favorable_label=">50K", parity=ar.SplitGap(0.02))
    tree.fit(X[grown], y[grown], sensitive_features=rows["sex"][grown])
    found = ar.certify(
        tree, X[calibration], y[calibration], sensitive_features=rows["sex"][calibration],
        max_gap=0.2,
    )  # fmt: skip
    rest = slice(24_000, None)
    left = ar.audit(
        tree.predict(X[rest]), sensitive_features=rows["sex"][rest].to_numpy(),
        favorable_label=">50K",
    )  # fmt: skip
    assert found.holds
    assert found.favorable == "favourable: decision = '>50K'"
    assert abs(left.gaps["value"].iloc[0] - found.gap) < found.bound - found.gap + 0.02


def test_groups_of_one_name_in_two_columns_are_told_apart_by_the_grouping():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=400), "b": rng.normal(size=400)})
    A = pd.DataFrame({name: np.where(X[at] > 0, "no", "yes") for name, at in _TWO.items()})
    y = (X["a"] + 0.3 * X["b"] > 0).astype(int)
    model = ar.TreeClassifier(max_depth=3, parity=ar.GapBudget(0.5, joint=False))
    model.fit(X, y, sensitive_features=A)
    decided = pd.Series(model.predict(X))
    expected = {name: np.ptp(decided.groupby(A[name].to_numpy()).mean()) for name in _TWO}
    other = ar.parity_report(model, X, sensitive_features=A, joint=False)
    for report in (model.parity_report_, other):
        gaps = report.groupby("grouping", sort=False)["contribution"].sum()
        assert gaps.to_dict() == pytest.approx(expected)
    for frame in (ar.parity_bounds(model), ar.local_parity(model)):
        assert frame["grouping"].unique().tolist() == list(_TWO)
    numbers = tree_numbers(model)
    assert numbers.groups[numbers.compared.high] in ("disabled = no", "immigrant = no")
