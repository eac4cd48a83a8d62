"""Models of other libraries decide from their files as they did in memory."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from tests.model.other_models import COLUMNS, NUMBERS, people, write_all

KINDS = ("model.skops", "model.joblib", "xgboost.json", "xgboost.ubj", "lightgbm.txt")


@pytest.fixture(scope="module")
def frame():
    return people()


@pytest.fixture(scope="module")
def written(frame, tmp_path_factory):
    for package in ("skops", "xgboost", "lightgbm"):
        pytest.importorskip(package)
    return write_all(frame, tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("name", KINDS)
def test_a_model_decides_from_its_file_as_in_memory(frame, written, name):
    one = written[name]
    model = ar.read_model(one.path, **one.options)
    assert model.columns == tuple(COLUMNS if name.startswith("model") else NUMBERS)
    found = model.predict(frame)
    assert found.tolist() == one.decisions.tolist()
    assert set(found) == set(model.classes)


@pytest.mark.parametrize("name", KINDS)
def test_the_order_of_a_frames_columns_and_further_ones_do_not_matter(frame, written, name):
    one = written[name]
    model = ar.read_model(one.path, **one.options)
    mixed = frame[list(reversed(frame.columns))].sample(frac=1, random_state=0)
    found = pd.Series(model.predict(mixed), mixed.index).sort_index()
    assert found.tolist() == one.decisions.tolist()


def test_frames_of_other_libraries_are_read(frame, written):
    import polars

    for name in ("model.skops", "xgboost.json"):
        one = written[name]
        found = ar.read_model(one.path, **one.options).predict(polars.from_pandas(frame))
        assert found.tolist() == one.decisions.tolist()


@pytest.mark.parametrize("name", KINDS)
def test_a_column_that_is_not_there_is_named_with_the_nearest(frame, written, name):
    one = written[name]
    model = ar.read_model(one.path, **one.options)
    with pytest.raises(ar.ColumnError, match=r"no column 'income'.*Did you mean 'incom'"):
        model.predict(frame.rename(columns={"income": "incom"}))
    with pytest.raises(ar.ColumnError, match=r"lacks 2 columns that the model reads: .*'age'"):
        model.predict(frame.drop(columns=["income", "age"]))


def test_a_pickle_is_not_opened_unless_it_is_allowed(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (Path.write_text, (tmp_path / "ran", "it did"))

    for name in ("bomb.pkl", "bomb.joblib", "bomb.model"):
        (tmp_path / name).write_bytes(pickle.dumps(Bomb()))
        with pytest.raises(ar.InputError, match=r"can run any program.*skops.*allow_pickle=True"):
            ar.read_model(tmp_path / name)
    assert not (tmp_path / "ran").exists()


def test_types_of_a_skops_file_are_refused_by_name_and_nothing_is_built(frame, tmp_path):
    skops = pytest.importorskip("skops.io")
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    first = FunctionTransformer(np.asarray)
    model = make_pipeline(first, HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5))
    model.fit(frame[NUMBERS], frame["hired"])
    path = tmp_path / "model.skops"
    skops.dump(model, path)
    strange = ["numpy.asarray"]
    assert set(strange) < set(skops.get_untrusted_types(file=path))
    with pytest.raises(ar.InputError) as error:
        ar.read_model(path)
    assert all(name in str(error.value) for name in strange)
    with pytest.raises(ar.InputError, match="not known to be harmless"):
        ar.read_model(path, trust=["some.other.Type"])
    read = ar.read_model(path, trust=strange, model_columns=NUMBERS)
    found = read.predict(frame)
    assert found.tolist() == model.predict(frame[NUMBERS]).tolist()


def test_a_function_that_bears_our_name_is_not_trusted():
    from arbitree.model.readers.skops_file import _is_ours

    assert _is_ours("arbitree.tree.estimator.TreeClassifier")
    for name in (
        "arbitree.table.whole_file.write_whole",
        "arbitree.table.whole_file.os.system",
        "arbitree.tree.estimator.nowhere",
        "arbitree_evil.Thing",
        "os.system",
    ):
        assert not _is_ours(name)


def test_our_own_tree_may_be_a_skops_file(frame, tmp_path):
    skops = pytest.importorskip("skops.io")
    tree = ar.TreeClassifier(max_leaf_nodes=5).fit(frame[COLUMNS], frame["hired"])
    skops.dump(tree, tmp_path / "tree.skops")
    model = ar.read_model(tmp_path / "tree.skops")
    assert model.predict(frame).tolist() == tree.predict(frame[COLUMNS]).tolist()


def test_a_model_without_names_asks_for_them(frame, tmp_path):
    skops = pytest.importorskip("skops.io")
    from sklearn.tree import DecisionTreeClassifier

    numbers = frame[NUMBERS].to_numpy(np.float64)
    model = DecisionTreeClassifier(max_depth=3).fit(numbers, frame["hired"])
    path = tmp_path / "array.skops"
    skops.dump(model, path)
    with pytest.raises(ar.InputError, match=r"reads 3 columns and has no names.*model_columns"):
        ar.read_model(path)
    with pytest.raises(ar.InputError, match="reads 3 columns, and model_columns names 1"):
        ar.read_model(path, model_columns=["age"])
    found = ar.read_model(path, model_columns=NUMBERS)
    assert found.predict(frame).tolist() == model.predict(numbers).tolist()
    assert found.predict(numbers).tolist() == model.predict(numbers).tolist()


def test_what_predicts_numbers_decides_nothing(frame, tmp_path):
    skops, xgboost = pytest.importorskip("skops.io"), pytest.importorskip("xgboost")
    lightgbm = pytest.importorskip("lightgbm")
    from sklearn.linear_model import LinearRegression
    from sklearn.preprocessing import StandardScaler

    X, y = frame[["age"]], frame["years employed"]
    skops.dump(LinearRegression().fit(X, y), tmp_path / "line.skops")
    skops.dump(StandardScaler().fit(X), tmp_path / "scaler.skops")
    xgboost.XGBRegressor(n_estimators=1).fit(X, y).save_model(tmp_path / "number.json")
    light = lightgbm.LGBMRegressor(n_estimators=1, verbose=-1).fit(X, y)
    light.booster_.save_model(tmp_path / "number.txt")
    for name, words in (
        ("line.skops", "predicts a number and decides nothing"),
        ("scaler.skops", "which does not predict"),
        ("number.json", "has the objective 'reg:squarederror', which decides nothing"),
        ("number.txt", "has the objective 'regression', which decides nothing"),
    ):
        with pytest.raises(ar.InputError, match=words):
            ar.read_model(tmp_path / name)


@pytest.mark.parametrize("suffix", [".skops", ".onnx", ".json", ".ubj", ".txt", ".csv", ""])
@pytest.mark.parametrize("content", [b"", b"nonsense", b'{"a": 1}', b"PK\x03\x04broken"])
def test_other_files_are_refused_in_a_sentence_with_their_name(tmp_path, suffix, content):
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    with pytest.raises(ar.InputError) as error:
        ar.read_model(path)
    assert str(path) in str(error.value)


def test_several_classes_are_decided(frame, tmp_path):
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    X = frame[["age", "income"]]
    y = pd.Categorical(frame["region"]).codes
    boosted = xgboost.XGBClassifier(n_estimators=3).fit(X, y)
    boosted.save_model(tmp_path / "three.json")
    light = lightgbm.LGBMClassifier(n_estimators=3, verbose=-1).fit(X, y)
    light.booster_.save_model(tmp_path / "three.txt")
    for name, model in (("three.json", boosted), ("three.txt", light)):
        found = ar.read_model(tmp_path / name)
        assert found.classes == (0, 1, 2)
        assert found.predict(frame).tolist() == model.predict(X).tolist()


def test_codes_of_categories_are_refused(frame, tmp_path):
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    X = frame[["region"]].astype("category")
    y = (frame["hired"] == "yes").astype(int)
    model = xgboost.XGBClassifier(n_estimators=1, enable_categorical=True, tree_method="hist")
    model.fit(X, y).save_model(tmp_path / "levels.json")
    light = lightgbm.LGBMClassifier(n_estimators=1, verbose=-1).fit(X, y)
    light.booster_.save_model(tmp_path / "levels.txt")
    for name in ("levels.json", "levels.txt"):
        with pytest.raises(ar.InputError, match="codes of categories"):
            ar.read_model(tmp_path / name)


def test_numbers_are_asked_for_where_the_model_reads_numbers(frame, written):
    model = ar.read_model(written["xgboost.json"].path)
    with pytest.raises(ar.InputError, match="reads column 'age' as numbers"):
        model.predict(frame.assign(age="old"))
