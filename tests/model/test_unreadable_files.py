"""Model files that are cut off, empty, something else, folders, or not there."""

from __future__ import annotations

import json
import os
import struct

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.model.readers.ubjson import parse_ubjson

X = pd.DataFrame({"age": np.arange(60.0), "income": np.arange(60) % 7.0})
Y = (X["age"] + X["income"] > 30).astype(int)
ENDINGS = (".json", ".xgboost.json", ".ubj", ".txt", ".skops", ".onnx")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A whole model file of each kind."""
    lightgbm, xgboost = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    skops = pytest.importorskip("skops.io")
    pytest.importorskip("onnx")
    folder = tmp_path_factory.mktemp("models")
    tree = ar.TreeClassifier(max_depth=3).fit(X, Y)
    tree.save(folder / "model.json")
    (folder / "model.onnx").write_bytes(tree.to_onnx().SerializeToString())
    skops.dump(tree.to_sklearn(), folder / "model.skops")
    booster = xgboost.XGBClassifier(n_estimators=3).fit(X, Y)
    booster.save_model(folder / "model.xgboost.json")
    booster.save_model(folder / "model.ubj")
    learner = lightgbm.LGBMClassifier(n_estimators=3, min_child_samples=2, verbose=-1).fit(X, Y)
    learner.booster_.save_model(folder / "model.txt")
    return folder


def _refused(path, *, match):
    with pytest.raises(ar.InputError, match=match) as told:
        ar.read_model(path)
    words = str(told.value)
    assert os.fspath(path) in words
    for inner in ("[bt]", "Stack trace", ".so(", "site-packages", "src/", "Errno", "0x"):
        assert inner not in words
    return words


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.97])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_model_that_was_cut_off_is_told_in_words(models, tmp_path, ending, share):
    data = (models / f"model{ending}").read_bytes()
    path = tmp_path / f"cut{ending}"
    path.write_bytes(data[: int(len(data) * share)])
    _refused(path, match=r"no .*(model|tree\.json|skops)")


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_no_model_is_told_in_words(tmp_path, ending):
    path = tmp_path / f"model{ending}"
    path.write_text("age,income\n1,2\n")
    _refused(path, match=r"no .*(model|tree\.json|skops)")
    path.write_bytes(b"")
    _refused(path, match=r"is empty")


@pytest.mark.parametrize(
    ("ending", "other", "kind"),
    [
        (".json", ".txt", "a tree.json"),
        (".xgboost.json", ".onnx", "a model of XGBoost"),
        (".ubj", ".skops", "a model of XGBoost"),
        (".txt", ".json", "a model of LightGBM"),
        (".txt", ".model", "a model of LightGBM"),
        (".skops", ".ubj", "a skops file"),
        (".onnx", ".txt", "an ONNX model"),
    ],
)
def test_a_file_of_another_ending_is_recognised(models, tmp_path, ending, other, kind):
    path = tmp_path / f"model{other}"
    path.write_bytes((models / f"model{ending}").read_bytes())
    assert "Rename it" in _refused(path, match=f"looks like {kind}, whose files end in")


def test_a_whole_model_of_each_kind_is_read(models):
    for ending in ENDINGS:
        columns = ["age", "income"] if ending == ".onnx" else None
        assert len(ar.read_model(models / f"model{ending}", model_columns=columns).predict(X)) == 60


def test_a_lightgbm_file_with_the_line_ends_of_windows_is_read(models, tmp_path):
    path = tmp_path / "windows.txt"
    path.write_bytes((models / "model.txt").read_bytes().replace(b"\n", b"\r\n"))
    found = ar.read_model(path).predict(X)
    assert found.tolist() == ar.read_model(models / "model.txt").predict(X).tolist()


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("left_child", lambda numbers: ["99", *numbers[1:]], "the children of tree 0"),
        ("left_child", lambda numbers: ["0", *numbers[1:]], "of tree 0 are not those"),
        ("split_feature", lambda numbers: ["77", *numbers[1:]], "tree 0 splits a feature"),
        ("threshold", lambda numbers: numbers[1:], "not one threshold for each"),
        ("leaf_value", lambda numbers: numbers[1:], "not one value for each"),
        ("num_leaves", lambda numbers: ["many"], "line num_leaves= of tree 0 has a word"),
        ("internal_weight", lambda numbers: ["2p5", *numbers[1:]], "a word that is no number"),
        ("tree_sizes", lambda numbers: ["12", *numbers[1:]], "tree_sizes says"),
        ("tree_sizes", lambda numbers: numbers[1:], "says that it has 2 trees, and has 3"),
    ],
)
def test_a_lightgbm_file_that_would_end_the_program_is_refused(models, tmp_path, name, make, words):
    lines = (models / "model.txt").read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith(f"{name}="))
    changed = f"{name}={' '.join(make(lines[at].partition('=')[2].split()))}"
    if name != "tree_sizes":  # LightGBM finds trees by their sizes
        sizes = next(i for i, line in enumerate(lines) if line.startswith("tree_sizes="))
        first, *rest = lines[sizes].partition("=")[2].split()
        first = str(int(first) + len(changed) - len(lines[at]))
        lines[sizes] = f"tree_sizes={' '.join([first, *rest])}"
    lines[at] = changed
    path = tmp_path / "model.txt"
    path.write_text("\n".join(lines))
    _refused(path, match=words)


@pytest.mark.parametrize("line", ["[num_class^ 1]", "[]", "x"])
def test_a_lightgbm_file_with_a_broken_parameter_is_refused(models, tmp_path, line):
    text = (models / "model.txt").read_text()
    assert "[num_class: 1]" in text
    path = tmp_path / "model.txt"
    path.write_text(text.replace("[num_class: 1]", line))
    _refused(path, match=r"is no '\[name: value\]'")


def _first_tree(learner):
    return learner["gradient_booster"]["model"]["trees"][0]


def _in_tree(name, place, value):
    return lambda learner: _first_tree(learner)[name].__setitem__(place, value)


def _in_model(name, place, value):
    model = lambda learner: learner["gradient_booster"]["model"]  # noqa: E731
    return lambda learner: model(learner)[name].__setitem__(place, value)


BROKEN_XGBOOST = {
    "no such child": (_in_tree("left_children", 0, 99_999_999), "the children of tree 0"),
    "its own child": (_in_tree("right_children", 0, 0), "the children of tree 0"),
    "a child below 0": (_in_tree("left_children", 0, -5), "the children of tree 0"),
    "one child": (_in_tree("left_children", 0, -1), "the children of tree 0"),
    "no such parent": (_in_tree("parents", 1, 99_999_999), "the children of tree 0"),
    "no such feature": (_in_tree("split_indices", 0, 77), "tree 0 splits a feature that is none"),
    "a split by categories": (_in_tree("split_type", 0, 1), "tree 0 splits by categories"),
    "leaves of vectors": (_in_tree("tree_param", "size_leaf_vector", "3"), "not a value for each"),
    "more nodes": (_in_tree("tree_param", "num_nodes", "9999"), "not one number in left_children"),
    "no such class": (_in_model("tree_info", 0, 77), "tree_info names a class"),
    "more trees": (_in_model("gbtree_model_param", "num_trees", "9"), "9 trees, and has 3"),
    "rounds": (_in_model("iteration_indptr", -1, 9), "its iteration_indptr does not run"),
    "few names": (lambda learner: learner["feature_names"].pop(), "its feature_names are not"),
    "no booster": (lambda learner: learner.pop("gradient_booster"), "'gradient_booster' is miss"),
}


def _as_ubjson(value):
    """In the format's plainest way."""
    length = lambda n: b"L" + n.to_bytes(8, "big")  # noqa: E731
    if isinstance(value, dict):
        named = [(name.encode(), _as_ubjson(inner)) for name, inner in value.items()]
        return b"{" + b"".join(length(len(name)) + name + inner for name, inner in named) + b"}"
    if isinstance(value, list):
        return b"[#" + length(len(value)) + b"".join(map(_as_ubjson, value))
    if isinstance(value, str):
        return b"S" + length(len(value.encode())) + value.encode()
    if isinstance(value, float):
        return b"d" + struct.pack(">f", value)
    return length(value) if value >= 0 else b"L" + value.to_bytes(8, "big", signed=True)


@pytest.mark.parametrize("ending", [".xgboost.json", ".ubj"])
@pytest.mark.parametrize("broken", BROKEN_XGBOOST)
def test_an_xgboost_file_that_would_end_the_program_is_refused(models, tmp_path, broken, ending):
    change, words = BROKEN_XGBOOST[broken]
    found = json.loads((models / "model.xgboost.json").read_text())
    change(found["learner"])
    path = tmp_path / f"model{ending}"
    path.write_bytes(_as_ubjson(found) if ending == ".ubj" else json.dumps(found).encode())
    _refused(path, match=words)


@pytest.mark.parametrize(
    "options",
    [
        {"booster": "dart"},
        {"booster": "gblinear"},
        {"multi_strategy": "multi_output_tree"},
        {"gamma": 5.0, "tree_method": "exact"},  # prunes, so that nodes are left over
        {"num_parallel_tree": 2, "subsample": 0.5},
    ],
    ids=str,
)
@pytest.mark.parametrize("ending", [".json", ".ubj"])
def test_xgboost_files_of_every_kind_are_read(tmp_path, options, ending):
    xgboost = pytest.importorskip("xgboost")
    y = Y + (X["income"] > 5)
    model = xgboost.XGBClassifier(n_estimators=2, **options).fit(X, y)
    model.save_model(tmp_path / f"model{ending}")
    found = ar.read_model(tmp_path / f"model{ending}", model_columns=["age", "income"]).predict(X)
    assert found.tolist() == model.predict(X).tolist()


@pytest.mark.parametrize(
    "data",
    [
        b"{U\x01n",
        b"{U\x01n[$U#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"{U\x01n[#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"{U\x01nSi\xff",
        b"{U\x01n" * 1000,
        b"{U\x01n?}",
        b"{U\x01\xffT}",
        b"{}T",
    ],
)
def test_binary_json_that_is_not_whole_is_refused(tmp_path, data):
    path = tmp_path / "model.ubj"
    path.write_bytes(data)
    _refused(path, match="is no model of XGBoost")


def test_both_formats_of_xgboost_say_the_same(models):
    whole = json.loads((models / "model.xgboost.json").read_text())
    found = parse_ubjson((models / "model.ubj").read_bytes())
    again = parse_ubjson(_as_ubjson(whole))
    models_of = (one["learner"]["gradient_booster"]["model"] for one in (found, again, whole))
    for trees in zip(*(model["trees"] for model in models_of)):
        for name in ("left_children", "parents", "split_indices"):
            assert list(trees[0][name]) == list(trees[1][name]) == trees[2][name]
        np.testing.assert_allclose(trees[0]["split_conditions"], trees[2]["split_conditions"])


def test_a_file_that_is_not_there_is_told_with_its_like(models):
    with pytest.raises(FileNotFoundError, match=r"Did you mean 'model\.json'") as told:
        ar.read_model(models / "modle.json")
    assert told.value.filename == str(models / "modle.json")
    with pytest.raises(FileNotFoundError, match="there is no such file in"):
        ar.read_model(models / "zzz")
    with pytest.raises(FileNotFoundError, match="nor a folder"):
        ar.read_model(models / "nowhere" / "model.json")
    for read in (ar.read_tree, ar.read_model):
        with pytest.raises(FileNotFoundError, match="Did you mean"):
            read(models / "modle.json")


def test_a_folder_is_told_from_a_file(models):
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        ar.read_model(models)


def test_a_file_that_may_not_be_read_is_told(models, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes((models / "model.json").read_bytes())
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(PermissionError, match="may not be read"):
        ar.read_model(path)
