"""ONNX models are asked by name, in the types that they read."""

from __future__ import annotations

import numpy as np
import pytest

import arbitree as ar
from tests.model.other_models import NUMBERS, people

pytest.importorskip("onnxruntime")
skl2onnx = pytest.importorskip("skl2onnx")


@pytest.fixture(scope="module")
def frame():
    return people()


def _write(path, model):
    path.write_bytes(model.SerializeToString())
    return path


def test_one_matrix_of_numbers_needs_names(frame, tmp_path):
    from sklearn.linear_model import LogisticRegression

    X = frame[NUMBERS].fillna(40).to_numpy(np.float32)
    model = LogisticRegression(max_iter=2000).fit(X, frame["hired"])
    path = _write(tmp_path / "matrix.onnx", skl2onnx.to_onnx(model, X[:1]))
    with pytest.raises(ar.InputError, match=r"reads 3 columns.*model_columns"):
        ar.read_model(path)
    found = ar.read_model(path, model_columns=NUMBERS).predict(frame.fillna({"income": 40}))
    assert found.tolist() == model.predict(X).tolist()


def test_an_input_a_column_is_found_by_name_texts_too(frame, tmp_path):
    from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    known = frame.fillna({"income": 40})
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["region"]), (StandardScaler(), ["income", "age"])
    )
    model = make_pipeline(columns, LogisticRegression())
    model.fit(known[["region", "income", "age"]], frame["hired"])
    types = [
        ("region", StringTensorType([None, 1])),
        ("income", FloatTensorType([None, 1])),
        ("age", Int64TensorType([None, 1])),
    ]
    path = _write(tmp_path / "columns.onnx", skl2onnx.convert_sklearn(model, initial_types=types))
    read = ar.read_model(path)
    assert set(read.columns) == {"region", "income", "age"}
    expected = model.predict(known[["region", "income", "age"]])
    agree = read.predict(known) == expected
    assert agree.all()
    renamed = ar.read_model(path, model_columns=["area", "income", "age"])
    assert (renamed.predict(known.rename(columns={"region": "area"})) == expected).all()
    with pytest.raises(ar.InputError, match="whole numbers, and its column has no value in row 4"):
        read.predict(known.assign(age=known["age"].where(known.index != 4)))


@pytest.mark.parametrize("columns", [NUMBERS, ["income", "region", "member"]])
def test_our_own_export_comes_back(frame, tmp_path, columns):
    tree = ar.TreeClassifier(max_leaf_nodes=8).fit(frame[columns], frame["hired"])
    path = _write(tmp_path / "tree.onnx", tree.to_onnx())
    options = {"model_columns": columns} if columns == NUMBERS else {}
    model = ar.read_model(path, **options)
    assert model.predict(frame).tolist() == tree.predict(frame[columns]).tolist()


@pytest.mark.parametrize(("width", "shares"), [(1, [[0.2], [0.7]]), (2, [[0.8, 0.2], [0.3, 0.7]])])
def test_without_labels_the_largest_share_decides(tmp_path, width, shares):
    from onnx import TensorProto, helper

    given = helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, width])
    told = helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, width])
    graph = helper.make_graph([helper.make_node("Identity", ["X"], ["Y"])], "g", [given], [told])
    opset = [helper.make_opsetid("", 17)]
    path = _write(
        tmp_path / "same.onnx", helper.make_model(graph, opset_imports=opset, ir_version=9)
    )
    names = [f"p{j}" for j in range(width)]
    model = ar.read_model(path, model_columns=names)
    assert model.predict(np.array(shares)).tolist() == [0, 1]
    with pytest.raises(ar.InputError, match="no shares from 0 to 1, and no labels"):
        model.predict(np.array(shares) * 3)
