"""Trees of scikit-learn in skops files are read without trust, and never followed unchecked."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

pytest.importorskip("skops")

import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

NUMBERS, COLUMNS = ["age", "income"], ["age", "income", "edu"]
FEW = {"n_estimators": 3, "random_state": 0}
KINDS = {
    "tree": (DecisionTreeClassifier(max_depth=4), NUMBERS),
    "extra tree": (ExtraTreeClassifier(max_depth=4, random_state=0), NUMBERS),
    "forest": (RandomForestClassifier(**FEW), NUMBERS),
    "extra trees": (ExtraTreesClassifier(**FEW), NUMBERS),
    "boosting": (GradientBoostingClassifier(**FEW), NUMBERS),
    "histogram": (HistGradientBoostingClassifier(max_iter=3), NUMBERS),
    "categories": (
        HistGradientBoostingClassifier(max_iter=3, categorical_features=[1]),
        ["age", "codes"],
    ),
    "pipeline": (
        make_pipeline(
            make_column_transformer(
                (SimpleImputer(), NUMBERS),
                (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), ["edu"]),
            ),
            RandomForestClassifier(**FEW),
        ),
        COLUMNS,
    ),
}


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 300
    age, income = rng.normal(40, 15, n), rng.normal(0, 1, n)
    codes = rng.integers(0, 5, n).astype(float)
    answer = np.where(age + 10 * income + 20 * (codes % 2) > 35, "yes", "no")
    edu = rng.choice(["low", "high"], n)
    return pd.DataFrame({"age": age, "income": income, "codes": codes, "edu": edu, "hired": answer})


@pytest.fixture
def fitted(rows):
    from sklearn.base import clone

    def fit(kind):
        model, columns = KINDS[kind]
        return clone(model).fit(rows[columns], rows["hired"]), columns

    return fit


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_without_trust_and_decides_alike(rows, fitted, tmp_path, kind):
    model, columns = fitted(kind)
    assert skops.io.get_untrusted_types(data=skops.io.dumps(model))
    skops.io.dump(model, tmp_path / "model.skops")
    found = ar.read_model(tmp_path / "model.skops").predict(rows[columns])
    assert found.tolist() == model.predict(rows[columns]).tolist()


def _forge_tree(tree, field, node, value):
    """Overwrite a field of a node; building a tree does not check it."""
    state = tree.__getstate__()
    nodes = state["nodes"].copy()
    nodes[field][node] = value
    tree.__setstate__({**state, "nodes": nodes})


TREE = {
    "left child out of range": ("left_child", 0, 10**9, "tree 0, node 0, has the left child 10"),
    "right child out of range": ("right_child", 0, 10**9, "tree 0, node 0, has the right child"),
    "negative child": ("right_child", 0, -7, "tree 0, node 0, has the right child -7"),
    "cycle": ("right_child", 1, 0, "tree 0, node 1, has the right child 0, which stands before"),
    "itself": ("left_child", 0, 0, "tree 0, node 0, has the left child 0, which stands before"),
    "column": ("feature", 0, 10**6, "tree 0, node 0, asks for column 1000000"),
    "negative column": ("feature", 0, -2, "tree 0, node 0, asks for column -2"),
    "half a leaf": ("left_child", 0, -1, "tree 0, node 0, has a right child and no left one"),
    "no threshold": ("threshold", 0, np.nan, "tree 0, node 0, has no threshold"),
}
PREDICTOR = {
    "h left": ("left", 0, 10**6, "tree 0, node 0, has the left child 1000000"),
    "h cycle": ("right", 0, 0, "tree 0, node 0, has the right child 0, which stands before"),
    "h column": ("feature_idx", 0, 10**6, "tree 0, node 0, asks for column 1000000"),
    "h category": ("is_categorical", 0, 1, "tree 0, node 0, asks for a category of a column"),
    "h value": ("value", -1, np.nan, "has a value that is no finite number"),
}


def _forged(fitted):
    """Models that would crash or hang when they are asked, and what is said of each."""
    for name, (field, node, value, words) in TREE.items():
        model, _ = fitted("tree")
        _forge_tree(model.tree_, field, node, value)
        yield name, model, words
    for kind in ("forest", "boosting"):
        model, _ = fitted(kind)
        _forge_tree(np.ravel(model.estimators_)[1].tree_, "feature", 0, 999)
        yield kind, model, "tree 1, node 0, asks for column 999"
    for name, (field, node, value, words) in PREDICTOR.items():
        model, _ = fitted("histogram")
        model._predictors[0][0].nodes[field][node] = value
        yield name, model, words
    yield from _otherwise(fitted)


def _otherwise(fitted):
    """Arrays that are right on their own, and do not fit what stands around them."""
    model, _ = fitted("tree")
    model.n_features_in_ = 1
    yield "narrow rows", model, "is of 2 columns, and what holds it of 1"
    model, _ = fitted("tree")
    model.classes_ = model.classes_[:1]
    yield "classes", model, "shares of 2 classes, and not of 1"
    model, _ = fitted("tree")
    model._validate_X_predict = np.negative
    yield "own method", model, "overwrites '_validate_X_predict'"
    model, _ = fitted("boosting")
    model.estimators_ = np.repeat(model.estimators_, 2, axis=1)
    yield "more scores", model, "has 2 trees a round, and starts with 1 scores"
    model, _ = fitted("categories")
    for predictor in (of for round_ in model._predictors for of in round_):
        predictor.nodes["bitset_idx"] = 10**6
    yield "bitset", model, "names a set of categories out of range"
    model, _ = fitted("categories")
    for predictor in (of for round_ in model._predictors for of in round_):
        predictor.raw_left_cat_bitsets = predictor.raw_left_cat_bitsets[:, :2].copy()
    yield "short sets", model, "sets of 64 categories"
    model, _ = fitted("categories")
    model._bin_mapper.is_categorical_ = np.zeros(9, np.uint8)
    yield "other columns", model, "encodes another number"
    model, _ = fitted("tree")
    yield (
        "partial",
        make_pipeline(FunctionTransformer(partial(np.add, 1)), model),
        "functools.partial",
    )


READ_ALL = """
import json, sys
import arbitree as ar
told = {}
for path in json.loads(sys.argv[1]):
    try:
        model = ar.read_model(path)
        told[path] = str(model.predict({"age": [1.0, 2.0], "income": [3.0, 4.0]}).tolist())
    except ar.ArbitreeError as error:
        told[path] = f"refused: {error}"
print(json.dumps(told))
"""


def test_forged_trees_are_refused_in_words_and_crash_nothing(fitted, tmp_path):
    said = {}
    for place, (name, model, words) in enumerate(_forged(fitted)):
        path = tmp_path / f"{place} {name}.skops"
        skops.io.dump(model, path)
        said[str(path)] = words
    command = [sys.executable, "-c", READ_ALL, json.dumps(list(said))]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    for path, words in said.items():
        assert found[path].startswith("refused: "), path
        assert words in found[path]


def test_a_tree_where_nothing_makes_sure_of_its_rows_needs_trust(fitted, tmp_path):
    model, columns = fitted("tree")
    other, _ = fitted("forest")
    model.kept = other.estimators_[0].tree_
    path = tmp_path / "model.skops"
    skops.io.dump(model, path)
    name = "sklearn.tree._tree.Tree"
    with pytest.raises(ar.InputError, match="where arbitree does not know what asks it"):
        ar.read_model(path)
    assert ar.read_model(path, trust=[name]).columns == tuple(columns)
