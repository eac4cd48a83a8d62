"""A tree that was saved and read is the same estimator, and nothing in a file is run."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import Covariance, GapBudget, InputError, SplitGap, TreeClassifier, read_tree
from arbitree.model.tree_json import to_json

from .frames import sample


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3]))
def test_a_tree_that_was_saved_and_read_is_the_same(tmp_path_factory, seed, n_classes):
    rows = sample(seed, n_classes=n_classes)
    tree = TreeClassifier(max_depth=4).fit(rows.X, rows.y, sample_weight=rows.weights)
    path = tmp_path_factory.mktemp("saved") / "tree.json"
    tree.save(path)
    again = read_tree(path)
    assert again.to_json() == tree.to_json()
    for name in ("predict", "predict_proba", "apply"):
        np.testing.assert_array_equal(getattr(again, name)(rows.X), getattr(tree, name)(rows.X))
    assert again.n_features_in_ == tree.n_features_in_
    assert again.favorable_label_ == tree.favorable_label_


def fair(parity, **parameters) -> tuple[TreeClassifier, pd.DataFrame]:
    rng = np.random.default_rng(0)
    group = rng.choice(["f", "m"], 400)
    X = pd.DataFrame({"x": rng.normal(size=400) + (group == "m"), "z": rng.normal(size=400)})
    y = (X["x"] + X["z"] > 0).map({True: "yes", False: "no"})
    tree = TreeClassifier(parity=parity, **parameters)
    return tree.fit(X, y, sensitive_features={"sex": group}), X


@pytest.mark.parametrize(
    ("parity", "parameters"),
    [
        (SplitGap(0.2, metric="equal_opportunity"), {"favorable_label": "yes"}),
        (GapBudget(0.05), {"max_leaf_nodes": np.int64(6), "random_state": 3}),
        (Covariance(float("inf")), {"split": "logistic", "max_depth": 3}),
        (None, {"class_weight": {"no": 1.0, "yes": 2.5}, "max_depth": 2}),
    ],
)
def test_parameters_and_the_parity_report_come_back(parity, parameters, tmp_path):
    tree, X = fair(parity, **parameters)
    tree.save(tmp_path / "tree.json")
    again = read_tree(tmp_path / "tree.json")
    assert again.get_params() == tree.get_params()
    pd.testing.assert_frame_equal(again.parity_report_, tree.parity_report_)
    np.testing.assert_array_equal(again.feature_importances_, tree.feature_importances_)
    with pytest.raises(ValueError, match="feature names"):
        again.predict(X[["z", "x"]])


def test_several_favourable_labels_come_back(tmp_path):
    group = ["f", "m"] * 30
    X = pd.DataFrame({"x": np.arange(60) % 7})
    tree = TreeClassifier(favorable_label=["a", "b"], max_depth=2)
    tree.fit(X, np.array(list("abc") * 20), sensitive_features=group)
    tree.save(tmp_path / "tree.json")
    again = read_tree(tmp_path / "tree.json")
    assert again.favorable_label == ["a", "b"]
    assert again.favorable_ == tree.favorable_ == (0, 1)
    assert again.favorable_label_ == tree.favorable_label_
    pd.testing.assert_frame_equal(again.parity_report_, tree.parity_report_)


def test_what_only_lives_in_memory_is_left_out(tmp_path):
    tree = TreeClassifier(random_state=np.random.RandomState(0)).fit([[1], [2]], [0, 1])
    tree.save(tmp_path / "tree.json")
    assert read_tree(tmp_path / "tree.json").random_state is None


def test_the_reason_of_a_constant_tree_comes_back(tmp_path):
    tree = TreeClassifier().fit([[1], [1]], [0, 1])
    tree.save(tmp_path / "tree.json")
    assert read_tree(tmp_path / "tree.json").constant_reason_ == tree.constant_reason_ != ""


@pytest.mark.parametrize("classes", [["a", "b"], [0, 1], [False, True], [0.0, 1.0]])
def test_classes_keep_their_type(classes, tmp_path):
    tree = TreeClassifier().fit([[1], [2]], classes)
    tree.save(tmp_path / "tree.json")
    again = read_tree(tmp_path / "tree.json")
    assert again.classes_.dtype == tree.classes_.dtype
    assert again.predict([[1], [2]]).tolist() == classes


def test_a_file_of_the_tree_alone_is_read_too(tmp_path):
    tree = TreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    (tmp_path / "tree.json").write_text(to_json(tree.tree_), encoding="utf-8")
    again = read_tree(tmp_path / "tree.json")
    assert again.predict([[1.0], [2.0]]).tolist() == ["no", "yes"]
    assert again.favorable_label_ == "yes"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 3}, "version 3, and versions 1 and 2 can be read"),
        ({"version": 2}, "cannot be read: 'rules'"),
        ({"favorable": "maybe"}, "'maybe' of this tree.json is none of its classes"),
        (
            {
                "populations": [
                    {"grouping": "sex", "condition": "", "groups": ["f"], "members": [[[1]]]}
                ]
            },
            "do not fit",
        ),
        ({"populations": [{}]}, "cannot be read: 'groups'"),
        ({"parameters": {"no_such": 1}}, "cannot be read: .*no_such"),
        ({"parameters": {"parity": {"type": "System"}}}, "cannot be read: 'System'"),
        ({"parameters": {"parity": {"type": "SplitGap", "eps": 7}}}, "eps"),
        ({"parameters": []}, "cannot be read"),
        ({"format": "other"}, "its format is not 'arbitree-tree'"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_path(change, words, tmp_path):
    tree, _ = fair(SplitGap(0.2))
    data = {**json.loads(tree.to_json()), **change}
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match=words) as caught:
        read_tree(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[NaN]", b"\xff\xfe", b"\x80\x04pickle", b"[" * 100_000])
def test_other_files_are_refused(content, tmp_path):
    path = tmp_path / "model.pkl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"This is no tree\.json"):
        read_tree(path)


def test_a_file_that_is_not_there_is_an_error_with_its_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_tree(tmp_path / "nowhere.json")


def test_saving_replaces_a_file_as_a_whole(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text("x" * 100_000, encoding="utf-8")
    tree = TreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    tree.save(path)
    assert path.read_text(encoding="utf-8") == tree.to_json()
    assert [one.name for one in tmp_path.iterdir()] == ["tree.json"]
