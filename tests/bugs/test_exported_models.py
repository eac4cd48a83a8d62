"""Failures reported of models in other formats than the one they were trained in, on ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from arbitree import Rules, TreeClassifier, audit, certify, explain_gap, plot_tree, read

from ..tree.export.formats import FORMATS, by_onnx, by_sklearn, on_thresholds


def with_missing(seed: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 6)).astype(np.float32)
    y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < share] = np.nan
    return X, y


@pytest.mark.parametrize("digits", [1, 3, 7])
def test_values_on_a_threshold_are_decided_alike_in_every_format(digits):
    rng = np.random.default_rng(digits)
    X = pd.DataFrame({"x": np.round(rng.normal(100, 30, 500), digits)})
    tree = TreeClassifier(max_depth=6).fit(X, (X["x"] * 7 % 2 > 1).astype(int))
    near = pd.DataFrame({"x": on_thresholds(tree, "x").astype(float)})
    expected = tree.predict(near)
    assert len(near) > 15
    for name, decide in FORMATS.items():
        assert [str(label) for label in decide(tree, near)] == expected.astype(str).tolist(), name


@pytest.mark.parametrize("seed", range(3))
def test_missing_values_keep_their_branch_in_onnx(seed):
    X, y = with_missing(seed, 0.15)
    tree = TreeClassifier(max_depth=5).fit(X, y)
    assert set(tree.tree_.route.tolist()) == {0, 1}  # some missing values go left, some right
    assert by_onnx(tree, X) == tree.predict(X).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_missing_values_keep_their_branch_in_scikit_learn(seed):
    X, y = with_missing(seed, 0.15)
    tree = TreeClassifier(max_depth=5).fit(X, y)
    found = tree.to_sklearn()
    assert 0 < found.tree_.missing_go_to_left[found.tree_.children_left >= 0].mean() < 1
    assert found.predict(X).tolist() == tree.predict(X).tolist()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3, 1e9])
def test_large_and_small_doubles_are_decided_alike_in_onnx(scale):
    rng = np.random.default_rng(4)
    X = rng.random((1000, 4)) * scale
    y = np.floor(X.sum(axis=1) / scale).astype(int)
    tree = TreeClassifier(max_leaf_nodes=200).fit(X, y)
    for rows in (X, rng.random((20_000, 4)) * scale):
        assert by_onnx(tree, rows) == tree.predict(rows).tolist() == by_sklearn(tree, rows)


def test_an_audit_of_the_onnx_model_is_of_what_it_decides():
    X, y = with_missing(0, 0.15)
    sex = np.where(np.arange(600) % 3 == 0, "f", "m")
    tree = TreeClassifier(max_depth=5).fit(X, y)
    options = {"sensitive_features": {"sex": sex}, "favorable_label": 1}
    exported, ours = audit(by_onnx(tree, X), **options), audit(tree.predict(X), **options)
    pd.testing.assert_frame_equal(exported.by_group, ours.by_group)


@pytest.mark.parametrize("form", [list, tuple, np.array, pd.Index, pd.Series], ids=repr)
def test_names_may_stand_in_any_list_of_texts(form, tmp_path):  # scikit-learn#26265
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 4, 400), "z": rng.integers(0, 4, 400)})
    frame["sex"] = ["f", "m"] * 200
    frame["hired"] = np.where(frame["x"] + (frame["sex"] == "f") > 2, "yes", "no")
    frame.to_csv(tmp_path / "people.csv", index=False)
    table = read(
        tmp_path / "people.csv",
        features=form(["x", "z"]),
        sensitive=form(["sex"]),
        decision="hired",
        favorable_label=form(["yes"]),
    )
    assert repr([feature.name for feature in table.features]) == "['x', 'z']"
    tree = TreeClassifier(max_depth=2).fit(frame[["x", "z"]], frame["hired"])
    plot_tree(tree.tree_, favorable_label=form(["yes"]))
    found = explain_gap(
        frame[["x", "z"]],
        frame["hired"],
        sensitive_features=frame["sex"],
        favorable_label="yes",
        groups=form(["f", "m"]),
        max_order=1,
        n_bootstrap=0,
    )
    assert (found.group_high, found.group_low) == ("f", "m")


@pytest.mark.parametrize("classes", [[0, 1], [1, 0], ["no", "yes"], ["a", "b"]], ids=str)
def test_a_rule_of_a_tree_names_the_class_that_is_decided_where_it_holds(classes):
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
    y = [classes[0], classes[0], classes[1], classes[1]]
    tree = TreeClassifier().fit(X, y)
    rules = Rules.parse(tree.to_rules(), missing="certain").coverage(X, tree.predict(X))
    assert rules.by_rule["n_matching"].tolist() == [2, 2]
    assert rules.by_rule["n_overruled"].tolist() == [0, 0]
    swapped = [classes[1], classes[1], classes[0], classes[0]]
    told = Rules.parse(tree.to_rules(), missing="certain").coverage(X, swapped)
    assert told.by_rule["n_overruled"].tolist() == [2, 2]


def test_a_tree_of_one_leaf_is_told_drawn_explained_and_certified():  # hummingbird#435
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=60)})
    sex = np.array(["f", "m"] * 30)
    tree = TreeClassifier(favorable_label="yes").fit(X, ["yes"] * 60, sensitive_features=sex)
    assert tree.predict(X).tolist() == ["yes"] * 60
    assert "yes" in tree.export_text()
    assert len(tree.parity_report_) == 0
    plot_tree(tree)
    found = explain_gap(X, tree.predict(X), sensitive_features=sex, favorable_label="yes")
    assert found.table["influence"].abs().max() == 0
    assert found.gap == 0
    assert certify(tree, X, sensitive_features=sex).statement.startswith("The statistical_parity")
    assert certify(tree, rules="x < 0 => yes").statement
