"""TreeClassifier is a scikit-learn estimator, and takes frames as they are."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import arbitree as ar
from arbitree import ArbitreeError, InputError, LabelError, TreeClassifier
from arbitree.model.tree_json import to_json

from .frames import sample

ESTIMATORS = [
    TreeClassifier(),
    TreeClassifier(max_leaf_nodes=8),
    TreeClassifier(split="multiway", criterion="entropy"),
    TreeClassifier(split="logistic"),
]

MIXED = pd.DataFrame(
    {
        "age": [25, 30, None, 41, 52, 60],
        "job": ["a", "b", "a", None, "c", "b"],
        "ok": [True, False, True, True, False, False],
    }
)
LABELS = ["no", "yes", "no", "yes", "yes", "yes"]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_every_check_of_the_scikit_learn_contract_passes(estimator):
    found = check_estimator(estimator, on_fail=None, on_skip=None)
    assert [check["check_name"] for check in found if check["status"] == "failed"] == []
    skipped = [check["check_name"] for check in found if check["status"] == "skipped"]
    assert set(skipped) <= {"check_array_api_input"}  # it is off unless SciPy is told


def test_a_clone_has_the_same_parameters_and_is_not_fitted():
    tree = TreeClassifier(parity=ar.SplitGap(0.1), max_depth=3, favorable_label="yes")
    assert clone(tree).get_params() == tree.get_params()


def test_parameters_are_left_as_they_were():
    tree = TreeClassifier(parity=ar.SplitGap(0.5), max_depth=2)
    before = tree.get_params()
    tree.fit(MIXED, LABELS, sensitive_features=list("abaabb"))
    assert tree.get_params() == before


@pytest.mark.parametrize(
    "make",
    [
        lambda frame: frame,
        pl.from_pandas,
        lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
        lambda frame: frame.convert_dtypes(),
        lambda frame: frame.astype({"job": "category"}),
        lambda frame: {name: frame[name].tolist() for name in frame},
    ],
    ids=["pandas", "polars", "pyarrow", "nullable", "categories", "dictionary"],
)
def test_frames_of_every_library_give_the_same_tree_and_decisions(make):
    tree = TreeClassifier().fit(make(MIXED), LABELS)
    again = TreeClassifier().fit(MIXED, LABELS)
    assert tree.predict(make(MIXED)).tolist() == again.predict(MIXED).tolist() == LABELS
    assert tree.tree_.n_nodes == again.tree_.n_nodes
    assert tree.feature_names_in_.tolist() == ["age", "job", "ok"]


@pytest.mark.parametrize(
    "make",
    [list, np.array, pd.Series, pl.Series, lambda y: pd.Series(y, dtype="category")],
    ids=["list", "array", "pandas", "polars", "categories"],
)
def test_labels_of_every_container_are_the_same_classes(make):
    tree = TreeClassifier().fit(MIXED, make(LABELS))
    assert tree.classes_.tolist() == ["no", "yes"]
    assert tree.predict(MIXED).tolist() == LABELS


@pytest.mark.parametrize("labels", [[0, 1], [True, False], ["b", "a"], [-1, 1], [2.0, 3.0]])
def test_labels_of_every_type_come_back_as_they_were(labels):
    y = np.array(labels)[[0, 1, 0, 1, 1, 1]]
    predicted = TreeClassifier().fit(MIXED, y).predict(MIXED)
    assert predicted.dtype == y.dtype
    assert (predicted == y).all()


def test_shares_paths_and_leaves_fit_together():
    rows = sample(4, n_rows=200, n_classes=3)
    tree = TreeClassifier(max_depth=3).fit(rows.X, rows.y)
    shares, leaf = tree.predict_proba(rows.X), tree.apply(rows.X)
    assert (tree.classes_[shares.argmax(axis=1)] == tree.predict(rows.X)).all()
    for node in np.unique(leaf):
        expected = [np.mean(rows.y[leaf == node] == label) for label in tree.classes_]
        np.testing.assert_allclose(shares[leaf == node][0], expected)
    path = tree.decision_path(rows.X)
    assert path.shape == (len(rows.y), tree.tree_.n_nodes)
    assert (np.asarray(path.sum(axis=1)).ravel() == tree.tree_.depth[leaf] + 1).all()
    assert (path[np.arange(len(leaf)), leaf] == 1).all()


def test_importances_add_up_to_one_and_are_zero_for_a_constant_tree():
    tree = TreeClassifier().fit(MIXED, LABELS)
    assert tree.feature_importances_.sum() == pytest.approx(1)
    assert TreeClassifier().fit(MIXED, ["no"] * 6).feature_importances_.tolist() == [0, 0, 0]


def test_what_a_tree_without_groups_cannot_say_it_does_not_have():
    tree = TreeClassifier(max_depth=1)
    assert not hasattr(tree, "parity_report_")
    assert not hasattr(tree.fit(MIXED, LABELS), "parity_report_")
    with pytest.raises(ar.NoGroupsError, match="Pass sensitive_features to fit"):
        _ = tree.parity_report_
    assert hasattr(tree.fit(MIXED, LABELS, sensitive_features=list("xyxyxy")), "parity_report_")


def test_it_works_in_pipelines_and_grids():
    rows = sample(7, n_rows=200, categories=False, missing=False)
    pipeline = make_pipeline(StandardScaler(), TreeClassifier())
    grid = GridSearchCV(pipeline, {"treeclassifier__max_depth": [1, 2, 3]}, cv=3)
    assert grid.fit(rows.X, rows.y).best_params_["treeclassifier__max_depth"] in (1, 2, 3)


def test_groups_are_routed_to_fit_by_name():
    rows = sample(9, n_rows=300, categories=False)
    seen = []

    def gap(y_true, y_pred, *, sensitive_features):
        seen.append(len(sensitive_features))
        return accuracy_score(y_true, y_pred)

    with config_context(enable_metadata_routing=True):
        tree = TreeClassifier(max_depth=2, parity=ar.SplitGap(0.2))
        tree.set_fit_request(sensitive_features=True, sample_weight=False)
        scorer = make_scorer(gap).set_score_request(sensitive_features=True)
        found = cross_validate(
            tree,
            rows.X,
            rows.y,
            cv=3,
            scoring=scorer,
            params={"sensitive_features": pd.Series(rows.group)},
        )
        grid = GridSearchCV(tree, {"parity": [None, ar.SplitGap(0.1)]}, cv=3)
        grid.fit(rows.X, rows.y, sensitive_features=rows.group)
    assert np.isfinite(found["test_score"]).all()
    assert sum(seen) == len(rows.y)
    assert hasattr(grid.best_estimator_, "tree_")


def test_pickles_predict_the_same():
    tree = TreeClassifier().fit(MIXED, LABELS)
    again = pickle.loads(pickle.dumps(tree))
    assert again.predict(MIXED).tolist() == LABELS
    assert to_json(again.tree_) == to_json(tree.tree_)


def test_rows_are_paired_by_the_labels_of_their_indexes():
    groups = pd.Series(list("xyxyxy"), index=range(6))
    straight = TreeClassifier(parity=ar.SplitGap(0.4)).fit(
        MIXED, pd.Series(LABELS), sensitive_features=groups
    )
    shuffled = TreeClassifier(parity=ar.SplitGap(0.4)).fit(
        MIXED, pd.Series(LABELS).iloc[::-1], sensitive_features=groups.iloc[[3, 1, 5, 0, 4, 2]]
    )
    assert to_json(straight.tree_) == to_json(shuffled.tree_)
    with pytest.raises(InputError, match="different indexes"):
        TreeClassifier().fit(MIXED, pd.Series(LABELS, index=range(10, 16)))


def test_a_sensitive_column_is_no_feature_unless_asked():
    X = MIXED.assign(sex=list("fmfmfm"))
    with pytest.raises(InputError, match=r"'sex' is sensitive and a column of X too.*Drop it"):
        TreeClassifier().fit(X, LABELS, sensitive_features=X["sex"])
    tree = TreeClassifier(allow_sensitive_splits=True)
    assert tree.fit(X, LABELS, sensitive_features=X["sex"]).n_features_in_ == 4


def test_several_columns_are_compared_together_or_each_alone():
    rows = sample(12, n_rows=400, missing=False)
    A = pd.DataFrame({"sex": rows.group, "old": rows.X["count"].to_numpy() > 1})
    X = rows.X[["number"]]
    joint = TreeClassifier(parity=ar.SplitGap(0.1), max_depth=3)
    joint.fit(X, rows.y, sensitive_features=A)
    assert [len(p.groups) for p in joint.populations_] == [4]
    marginal = TreeClassifier(parity=ar.SplitGap(0.1, joint=False), max_depth=3)
    marginal.fit(X, rows.y, sensitive_features=A)
    assert [p.groups for p in marginal.populations_] == [("g0", "g1"), ("False", "True")]


def test_a_control_is_kept_apart_and_asked_for():
    rows = sample(13, n_rows=400, missing=False)
    parity = ar.SplitGap(0.05, metric="conditional_statistical_parity")
    tree = TreeClassifier(parity=parity, max_depth=3)
    with pytest.raises(InputError, match="Pass control_features"):
        tree.fit(rows.X, rows.y, sensitive_features=rows.group)
    control = pd.DataFrame({"branch": rows.X["count"].to_numpy() > 1})
    tree.fit(rows.X[["number"]], rows.y, sensitive_features=rows.group, control_features=control)
    assert [p.condition for p in tree.populations_] == ["branch = False", "branch = True"]
    with pytest.raises(InputError, match="no use for them"):
        TreeClassifier(parity=ar.SplitGap(0.1)).fit(
            rows.X, rows.y, sensitive_features=rows.group, control_features=control
        )


def test_the_favourable_class_must_be_known_where_it_matters():
    groups = list("xyyyxy")
    parity = ar.SplitGap(0.1, metric="equal_opportunity")
    with pytest.raises(LabelError, match="Pass favorable_label"):
        TreeClassifier(parity=parity).fit(MIXED, LABELS, sensitive_features=groups)
    tree = TreeClassifier(parity=parity, favorable_label="no")
    assert tree.fit(MIXED, LABELS, sensitive_features=groups).favorable_label_ == "no"
    with pytest.raises(LabelError, match="3 classes"):
        TreeClassifier().fit(MIXED, [0, 1, 2, 0, 1, 2], sensitive_features=groups)
    with pytest.raises(LabelError, match="never has the value 'maybe'"):
        TreeClassifier(favorable_label="maybe").fit(MIXED, LABELS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"split": "best"}, "split is 'best'"),
        ({"criterion": "giny"}, "Did you mean 'gini'"),
        ({"parity": 0.1}, "Pass None, Covariance"),
        ({"max_depth": 0}, "max_depth is 0"),
        ({"max_leaf_nodes": 1}, "at least 2"),
        ({"min_samples_leaf": 0}, "min_samples_leaf is 0"),
        ({"min_samples_split": 1.5}, "a share of all rows"),
        ({"ccp_alpha": -1}, "ccp_alpha is -1"),
        ({"max_bins": 1}, "max_bins=1"),
        ({"rules": 3}, "Pass Rules.parse"),
        ({"min_weight_fraction_leaf": 0.7}, "from 0 to 0.5"),
    ],
)
def test_parameters_that_make_no_sense_say_what_to_pass(options, words):
    with pytest.raises(InputError, match=words):
        TreeClassifier(**options).fit(MIXED, LABELS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            {"sensitive_features": ["a", None, "b", "a", "b", "a"]},
            "missing value, the first at row 1",
        ),
        ({"sensitive_features": ["a"] * 5}, "6 rows and .* 5 rows"),
        ({"sample_weight": [1, -1, 1, 1, 1, 1]}, "negative"),
        ({"sample_weight": [1, None, 1, 1, 1, 1]}, "missing"),
    ],
)
def test_inputs_that_make_no_sense_say_where(arguments, words):
    with pytest.raises(InputError, match=words):
        TreeClassifier().fit(MIXED, LABELS, **arguments)


def test_labels_that_make_no_sense_are_refused():
    for empty in (MIXED.iloc[:0], MIXED.iloc[:0].to_numpy()):
        with pytest.raises(ValueError, match=r"no rows|0 sample"):
            TreeClassifier().fit(empty, [])
    with pytest.raises(InputError, match="y has 1 missing value, the first at row 1"):
        TreeClassifier().fit(MIXED, ["a", None, "b", "a", "b", "a"])
    with pytest.raises(InputError, match="types that cannot be compared"):
        TreeClassifier().fit(MIXED, ["a", 1, "b", "a", "b", "a"])
    with pytest.raises(ArbitreeError, match="missing"):
        TreeClassifier().fit(MIXED, pd.Series(["a", None, "b", "a", "b", "a"]))
    with pytest.raises(ArbitreeError, match="needs groups"):
        TreeClassifier(parity=ar.SplitGap(0.1)).fit(MIXED, LABELS)
    one = TreeClassifier(parity=ar.SplitGap(0.1))
    with pytest.raises(ArbitreeError, match="no two groups to compare"):
        one.fit(MIXED, LABELS, sensitive_features=["a"] * 6)


@pytest.mark.parametrize(
    ("options", "y", "reason"),
    [
        ({}, ["no"] * 6, "Every row has the class 'no'"),
        ({"min_samples_split": 10}, LABELS, "6 rows, and min_samples_split is 10"),
        ({"min_samples_leaf": 4}, LABELS, "min_samples_leaf=4"),
        ({"min_impurity_decrease": 0.9}, LABELS, "min_impurity_decrease=0.9"),
        ({"ccp_alpha": 0.9}, LABELS, "ccp_alpha=0.9"),
    ],
)
def test_a_tree_of_one_leaf_says_why(options, y, reason):
    tree = TreeClassifier(**options).fit(MIXED, y)
    assert tree.get_n_leaves() == 1
    assert reason in tree.constant_reason_
    assert TreeClassifier().fit(MIXED, LABELS).constant_reason_ is None


def test_no_feature_that_tells_rows_apart_is_a_reason_too():
    tree = TreeClassifier().fit([[1.0], [1.0]], [0, 1])
    assert tree.constant_reason_ == "No feature tells any two rows apart."
    X = pd.DataFrame({"x": [0.0, 0, 1, 1]})
    tree = TreeClassifier(parity=ar.SplitGap(0.1))
    tree.fit(X, [0, 0, 1, 1], sensitive_features=[0, 0, 1, 1])
    assert "parity=SplitGap" in tree.constant_reason_
