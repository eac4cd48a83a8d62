"""Accuracy against fairness on held-out rows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree._errors import AlignmentError, InputError, LabelError
from arbitree.tree import scores
from arbitree.tree.scores import corrected_interval

N = 300


@pytest.fixture(scope="module")
def people() -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    rng = np.random.default_rng(0)
    sex = pd.Series(rng.choice(["f", "m"], N), name="sex")
    X = pd.DataFrame({"x": rng.normal(size=N) + (sex == "m"), "z": rng.normal(size=N)})
    y = (X["x"] + rng.normal(size=N) > 0.5).map({True: "yes", False: "no"})
    return X, y, sex


def _frontier(people, parity=(None,), **options):
    X, y, sex = people
    options = {"favorable_label": "yes", "n_splits": 3, **options}
    return ar.frontier(X, y, sensitive_features=sex, parity=parity, **options)


def test_a_row_of_the_table_is_the_mean_of_its_runs(people):
    found = _frontier(people, [None, ar.SplitGap(0.05)], estimators={"dummy": DummyClassifier()})
    assert len(found.runs) == 9
    assert found.table["method"].tolist() == ["tree", "tree", "dummy"]
    for _, row in found.table.iterrows():
        runs = found.runs[
            (found.runs["method"] == row["method"]) & (found.runs["parity"] == row["parity"])
        ]
        for name in ("accuracy", "balanced_accuracy", "gap", "train_accuracy", "train_gap"):
            assert row[name] == pytest.approx(runs[name].mean())
        assert row["accuracy_low"] <= row["accuracy"] <= row["accuracy_high"]
        assert 0 <= row["gap_low"] <= row["gap"] <= row["gap_high"] <= 1
        assert (row["n_runs"], row["n_constant"]) == (3, runs["constant"].sum())


def test_numbers_are_those_of_scikit_learn_and_of_the_audit(people):
    X, y, sex = people
    found = _frontier(people, [], estimators={"logit": LogisticRegression()}, n_splits=2)
    order = np.random.default_rng(0).permutation(N)
    train, test = np.sort(order[90:]), np.sort(order[:90])
    predicted = LogisticRegression().fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
    run = found.runs.iloc[0]
    assert run["accuracy"] == pytest.approx(accuracy_score(y.iloc[test], predicted))
    balanced = balanced_accuracy_score(y.iloc[test], predicted)
    assert run["balanced_accuracy"] == pytest.approx(balanced)
    audit = ar.audit(predicted, sensitive_features=sex.iloc[test].to_numpy(), favorable_label="yes")
    assert run["gap"] == pytest.approx(audit.gaps["value"].iloc[0])


def test_all_metrics_are_those_of_the_audit():
    rng = np.random.default_rng(1)
    label, decided, group = (rng.integers(0, top, 400) for top in (2, 2, 3))
    truth = scores.Truth(
        labels=label, n_classes=2, favorable=label.astype(np.uint8), groups=(group,)
    )
    audit = ar.audit(decided, sensitive_features=group, y_true=label).gaps
    for metric, value in zip(audit["metric"], audit["value"]):
        assert scores.gap(truth, decided.astype(np.uint8), metric) == pytest.approx(value)


def test_the_same_seed_gives_the_same_bytes(people):
    estimators = {"tree of sklearn": DecisionTreeClassifier(max_features=1, splitter="random")}
    one, other = (
        _frontier(people, [ar.SplitGap(0.1)], estimators=estimators, random_state=5).to_json()
        for _ in range(2)
    )
    assert one == other
    assert one != _frontier(people, [ar.SplitGap(0.1)], estimators=estimators).to_json()


def test_constant_trees_are_counted_and_told_apart(people):
    found = _frontier(people, estimators={"constant": DummyClassifier()})
    free, constant = found.table.iloc[0], found.table.iloc[1]
    assert constant["n_constant"] == 3
    assert (constant["gap"], constant["gap_high"]) == (0, 0)
    assert np.isnan(constant["gap_not_constant"])
    assert free["n_constant"] == 0
    assert free["gap_not_constant"] == free["gap"]
    assert any("3 runs of 6 decided alike" in notice for notice in found.notices)


def test_groups_are_passed_to_those_that_take_them(people):
    class Asking(DecisionTreeClassifier):
        def fit(self, X, y, sensitive_features):
            assert len(sensitive_features) == len(y)
            return super().fit(X, y)

        def predict(self, X, *, sensitive_features):
            return np.where(np.asarray(sensitive_features) == "m", "yes", "no")

    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    found = _frontier(people, [], estimators={"asking": Asking(), "pipeline": pipeline})
    table = found.table.set_index("method")
    assert table["needs_groups"].tolist() == [True, False]
    assert table.loc["asking", "gap"] == 1
    assert "'asking' needs the groups" in found.notices[-1]


@pytest.mark.filterwarnings("ignore")  # fairlearn uses what pandas deprecates
def test_reductions_of_fairlearn_take_groups_by_any_name(people):
    from fairlearn.reductions import DemographicParity, ExponentiatedGradient

    X, y, sex = people
    reduction = ExponentiatedGradient(
        DecisionTreeClassifier(max_depth=2), DemographicParity(), max_iter=3
    )
    found = ar.frontier(
        X, (y == "yes").astype(int), sensitive_features=sex, parity=[], n_splits=2,
        estimators={"reduction": {0.01: reduction, 0.1: reduction}},
    )  # fmt: skip
    assert found.table["parity"].tolist() == ["0.01", "0.1"]
    assert found.table["bound"].tolist() == [0.01, 0.1]


def test_trees_of_several_budgets_keep_each_its_own(people):
    X, y, sex = people
    budgets = [ar.GapBudget(eps) for eps in (0.2, 0.0, 0.05)]
    tree = ar.TreeClassifier(max_depth=3)
    # Whole numbers have few splits, over which the exact search of depth 3 takes no time.
    found = _frontier((X.round(), y, sex), [None, *budgets], tree=tree, n_splits=2)
    for budget in budgets:
        runs = found.runs[found.runs["bound"] == budget.eps]
        assert (runs["train_gap"] <= budget.eps + 1e-9).all()
    table = found.table.set_index("parity")
    accuracies = table.loc[[f"GapBudget({eps:g})" for eps in (0, 0.05, 0.2)], "train_accuracy"]
    assert accuracies.is_monotonic_increasing


def test_the_metric_is_that_of_the_bounds(people):
    found = _frontier(people, [ar.SplitGap(0.2, metric="equalized_odds")], n_splits=2)
    assert found.metric == "equalized_odds"
    assert found.table["parity"].tolist() == ["SplitGap(0.2, metric='equalized_odds')"]
    mixed = [ar.SplitGap(0.2), ar.SplitGap(0.2, metric="equal_opportunity")]
    with pytest.raises(InputError, match="Pass metric"):
        _frontier(people, mixed)


def test_marginal_groups_are_compared_column_by_column(people):
    X, y, sex = people
    rng = np.random.default_rng(3)
    groups = pd.DataFrame({"sex": sex, "race": rng.choice(["a", "b"], N)})
    rule = {"logit": LogisticRegression()}
    by_column, joint = (
        ar.frontier(
            X, y, sensitive_features=groups, parity=[], estimators=rule, joint=joint,
            favorable_label="yes", n_splits=2,
        ).runs["gap"]
        for joint in (False, True)
    )  # fmt: skip
    assert (by_column <= joint + 1e-12).all()


def test_other_frames_give_the_same_numbers(people):
    import polars as pl

    X, y, sex = people
    straight = _frontier(people)
    as_polars = _frontier((pl.DataFrame(X.to_dict("list")), y.tolist(), {"sex": sex.tolist()}))
    assert as_polars.runs.equals(straight.runs)
    as_array = _frontier((X.to_numpy(), y.to_numpy(), sex.to_numpy()))
    assert as_array.runs["accuracy"].tolist() == straight.runs["accuracy"].tolist()


def test_more_classes_have_accuracies_and_the_gap_of_the_favourable_one(people):
    X, _, sex = people
    grade = pd.Series(np.digitize(X["x"], [0, 1])).map({0: "low", 1: "mid", 2: "high"})
    tree = ar.TreeClassifier(max_depth=3)
    found = _frontier((X, grade, sex), tree=tree, favorable_label="high")
    assert found.table["accuracy"].iloc[0] > 0.9
    assert found.favorable == "favourable: y = 'high'"


def test_corrected_intervals_are_wider_than_naive_ones():
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.01, 10)
    mean, low, high = corrected_interval(values, share_of_test=3 / 7, confidence=0.95)
    error = np.sqrt(values.var(ddof=1) * (0.1 + 3 / 7))
    assert mean == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(2.2622 * error, rel=1e-4)


def test_a_frontier_says_the_same_in_every_format(people):
    found = _frontier(people)
    read = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert read["schema"] == "arbitree/frontier"
    assert len(read["runs"]) == 3
    assert "statistical_parity gap" in found.to_markdown()
    assert "statistical_parity gap" in repr(found)


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"n_splits": 1}, "at least 2"),
        ({"test_size": 1.0}, "between 0 and 1"),
        ({"metric": "statistical_party"}, "Did you mean 'statistical_parity'"),
        ({"estimators": {"tree": DummyClassifier()}}, "Rename"),
        ({"confidence": 2}, "confidence"),
    ],
)
def test_errors_say_what_to_do(people, options, advice):
    with pytest.raises(InputError, match=advice):
        _frontier(people, **options)


def test_rows_must_be_in_one_order_and_of_two_groups(people):
    X, y, sex = people
    with pytest.raises(AlignmentError, match="different orders"):
        _frontier((X, y.iloc[::-1], sex))
    with pytest.raises(InputError, match="one group only"):
        _frontier((X, y, ["all"] * N))
    with pytest.raises(LabelError, match="cannot be known which is favourable"):
        _frontier(people, favorable_label=None)


def test_groups_are_compared_within_the_levels_of_a_control(people):
    X, y, sex = people
    branch = pd.DataFrame({"branch": np.where(X["z"] > 0, "north", "south")})
    parity = [None, ar.GapBudget(0.05, metric="conditional_statistical_parity")]
    model = LogisticRegression()
    found = ar.frontier(
        X, y, sensitive_features=sex, control_features=branch, parity=parity, n_splits=2,
        favorable_label="yes", estimators={"logit": model},
    )  # fmt: skip
    assert found.metric == "conditional_statistical_parity"
    order = np.random.default_rng(0).permutation(N)
    train, test = np.sort(order[90:]), np.sort(order[:90])
    decided = model.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test]) == "yes"
    table = pd.DataFrame(
        {"decided": decided, "sex": sex.iloc[test], "branch": branch["branch"].iloc[test]}
    )
    rates = table.groupby(["branch", "sex"])["decided"].mean().unstack()
    run = found.runs[found.runs["method"] == "logit"].iloc[0]
    assert run["gap"] == pytest.approx((rates["f"] - rates["m"]).abs().max())
    bounded = found.runs[found.runs["bound"] == 0.05]
    assert (bounded["train_gap"] <= 0.05 + 1e-9).all()
    for wrong in ({"metric": "equal_opportunity"}, {"metric": "statistical_parity"}):
        with pytest.raises(InputError, match="do not go together"):
            ar.frontier(
                X, y, sensitive_features=sex, control_features=branch, parity=[None],
                favorable_label="yes", **wrong,
            )  # fmt: skip
    with pytest.raises(InputError, match="no control_features"):
        _frontier(people, parity[1:])


def test_the_tree_of_a_point_is_the_one_that_a_fit_with_its_parameters_grows(people):
    X, y, sex = people
    bound = ar.GapBudget(0.05)
    template = ar.TreeClassifier(max_depth=3, favorable_label="yes")
    found = _frontier(people, [None, bound], tree=template, n_splits=2)
    tree = found.refit(bound, X, y, sensitive_features=sex)
    alone = ar.TreeClassifier(max_depth=3, favorable_label="yes", parity=bound, random_state=0)
    assert tree.export_text() == alone.fit(X, y, sensitive_features=sex).export_text()
    assert int(tree.tree_.n[0]) == N
    again = found.refit(1, X, y, sensitive_features=sex)
    assert again is not tree
    assert again.export_text() == tree.export_text()
    decided = pd.Series(tree.predict(X) == "yes").groupby(sex).mean()
    assert abs(decided["f"] - decided["m"]) <= 0.05 + 1e-9


def test_points_of_other_estimators_and_of_one_name_have_their_own_row(people):
    X, y, sex = people
    twice = [None, ar.SplitGap(0.05), ar.SplitGap(0.05)]
    others = {"dummy": DummyClassifier(), "logit": LogisticRegression(C=0.5)}
    found = _frontier(people, twice, estimators=others, n_splits=2)
    assert len(found.estimators) == len(found.table)
    row = found.table["method"].tolist().index("logit")
    model = found.refit(row, X, y, sensitive_features=sex)
    assert (type(model), model.C) == (LogisticRegression, 0.5)
    assert found.refit(None, X, y).parity is None
    assert found.estimators[row] is not model
    assert not hasattr(found.estimators[row], "classes_")


def test_the_tree_of_a_point_keeps_the_controls_of_its_bound(people):
    X, y, sex = people
    job = pd.Series(np.where(X["z"] > 0, "a", "b"), name="job")
    bound = ar.SplitGap(0.1, metric="conditional_statistical_parity")
    found = _frontier(people, [None, bound], control_features=job, n_splits=2)
    tree = found.refit(bound, X, y, sensitive_features=sex, control_features=job)
    assert set(tree.parity_report_["condition"]) == {"job = a", "job = b"}
    assert found.refit(None, X, y, sensitive_features=sex, control_features=job).parity is None


@pytest.mark.parametrize(
    ("point", "advice"),
    [
        (2, "There is no point 2. Pass a row of table, 0 to 1"),
        (-1, "0 to 1"),
        (ar.GapBudget(0.2), r"of these: None; GapBudget\(eps=0.05"),
        (True, "There is no tree of True"),
        ("tree", "There is no tree of 'tree'"),
    ],
)
def test_a_point_that_is_not_there_is_an_error_that_names_those_there_are(people, point, advice):
    X, y, sex = people
    found = _frontier(people, [None, ar.GapBudget(0.05)], n_splits=2)
    with pytest.raises(InputError, match=advice):
        found.refit(point, X, y, sensitive_features=sex)


def test_a_tree_with_a_bound_is_not_refitted_without_groups(people):
    X, y, _ = people
    found = _frontier(people, [ar.GapBudget(0.05)], n_splits=2)
    with pytest.raises(InputError, match="sensitive_features"):
        found.refit(0, X, y)
