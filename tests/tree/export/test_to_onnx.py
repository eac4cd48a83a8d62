"""The ONNX model is valid, says what it reads, and keeps what other converters lose."""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
import pytest

from arbitree import GapBudget, TreeClassifier
from arbitree._errors import InputError, MissingDependencyError

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def run(tree: TreeClassifier, feeds: dict) -> tuple[np.ndarray, np.ndarray]:
    model = tree.to_onnx()
    onnx.checker.check_model(model, full_check=True)
    return tuple(runtime.InferenceSession(model.SerializeToString()).run(None, feeds))


def declared(tree: TreeClassifier) -> dict[str, tuple[int, int]]:
    """Type and width of each input."""
    return {
        one.name: (one.type.tensor_type.elem_type, one.type.tensor_type.shape.dim[1].dim_value)
        for one in tree.to_onnx().graph.input
    }


def test_numbers_are_one_matrix_as_they_stand():
    X = np.array([[1, 5], [2, 5], [np.nan, 5]], np.float32)
    tree = TreeClassifier().fit(X, ["a", "b", "c"])
    assert declared(tree) == {"X": (onnx.TensorProto.FLOAT, 2)}
    label, shares = run(tree, {"X": X})
    assert label.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(shares, np.eye(3))


def test_columns_of_other_kinds_are_an_input_each_and_only_those_that_the_tree_reads():
    X = pd.DataFrame(
        {
            "job": ["a", "b", "a", "b"] * 3,
            "size": pd.Categorical([1, 1, 2, 2] * 3),
            "unused": ["k"] * 12,
        }
    )
    tree = TreeClassifier().fit(X, [0, 1, 2, 3] * 3)
    kinds = declared(tree)
    assert kinds == {"job": (onnx.TensorProto.STRING, 1), "size": (onnx.TensorProto.INT64, 1)}
    job = np.array([["a"], ["b"], ["never seen"]], dtype=object)
    size = np.array([[1], [2], [1]], np.int64)
    label, _ = run(tree, {"job": job, "size": size})
    asked = pd.DataFrame({"job": job[:, 0], "size": size[:, 0], "unused": "k"})
    assert label.tolist() == tree.predict(asked).tolist()


def test_dates_are_numbers_of_a_unit_that_the_file_names():
    X = pd.DataFrame({"day": pd.to_datetime(["2024-01-01", "2024-02-01"])})
    tree = TreeClassifier().fit(X, ["early", "late"])
    model = tree.to_onnx()
    described = {one.key: json.loads(one.value) for one in model.metadata_props}
    assert described == {
        "classes": ["early", "late"],
        "units": {"day": "days since 1970-01-01"},
    }
    label, _ = run(tree, tree.onnx_inputs(X))
    assert label.tolist() == ["early", "late"]


def test_probabilities_are_shares_where_parity_moved_the_decision_too():
    rng = np.random.default_rng(3)
    group = rng.integers(0, 2, 600)
    X = rng.normal(size=(600, 1)).astype(np.float32) + group[:, None].astype(np.float32)
    y = (X[:, 0] + rng.normal(size=600) > 0.5).astype(int)
    tree = TreeClassifier(parity=GapBudget(0.01), max_leaf_nodes=12)
    tree.fit(X, y, sensitive_features=group)
    label, shares = run(tree, {"X": X})
    assert (label == tree.predict(X)).all()
    assert (shares.argmax(axis=1) != label).any()
    np.testing.assert_allclose(shares, tree.predict_proba(X), atol=1e-7)


def test_inputs_and_outputs_have_names_of_their_own():
    X = pd.DataFrame({"label": ["a", "b"] * 2, "probabilities": ["c", "c", "d", "d"]})
    tree = TreeClassifier().fit(X, [0, 1, 2, 3])
    assert set(declared(tree)) == {"x0_label", "x1_probabilities"}
    assert run(tree, tree.onnx_inputs(X))[0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "levels",
    [
        [0.5, 1.5, 2.5],
        list(pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"])),
        ["", "?", "??"],
        [-(10**12), 0, 10**12],
    ],
)
def test_levels_of_every_type_are_told_from_missing_and_unknown_ones(levels):
    X = pd.DataFrame({"x": pd.Categorical(levels * 2), "y": ["k"] * 6})
    tree = TreeClassifier(split="multiway").fit(X, [0, 1, 2] * 2)
    asked = pd.concat([X, pd.DataFrame({"x": [None], "y": ["k"]})], ignore_index=True)
    label, _ = run(tree, tree.onnx_inputs(asked))
    assert label.tolist() == tree.predict(asked).tolist()


def test_levels_that_float32_does_not_tell_apart_are_refused():
    X = pd.DataFrame({"x": pd.Categorical([1.0, 1.0 + 1e-12]), "y": ["k"] * 2})
    with pytest.raises(InputError, match="Two levels of 'x' are the same number as float32"):
        TreeClassifier().fit(X, [0, 1]).to_onnx()


def test_without_onnx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"arbitree\[onnx\]"):
        TreeClassifier().fit([[1], [2]], [0, 1]).to_onnx()


def test_skl2onnx_agrees_on_rows_without_missing_values():
    convert = pytest.importorskip("skl2onnx")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    tree = TreeClassifier(max_depth=5).fit(X, y)
    theirs = convert.to_onnx(tree.to_sklearn(), X[:1], options={"zipmap": False})
    label = runtime.InferenceSession(theirs.SerializeToString()).run(["label"], {"X": X})[0]
    assert (label == run(tree, {"X": X})[0]).all()
