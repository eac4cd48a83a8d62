"""Boosted trees of other libraries are read as they decide, to the last bit of every threshold."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import arbitree as ar
from arbitree.rules.bind_to_model import bound_to_reading, forest_of
from arbitree.rules.histogram_splits import splits_of_histogram
from arbitree.rules.reading import read_model
from tests.rules.test_verify_pipelines import quiet, random_rows, table

TREES = {"n_estimators": 12, "n_jobs": 1, "random_state": 0}
LIGHT = {**TREES, "verbose": -1, "min_child_samples": 3}


def _hist(X, y):
    return HistGradientBoostingClassifier(max_iter=12, random_state=0).fit(X, y)


def _xgb(X, y):
    return xgboost.XGBClassifier(max_depth=4, enable_categorical=True, **TREES).fit(X, y)


def _light(X, y):
    return lightgbm.LGBMClassifier(**LIGHT).fit(X, y)


def _hist_codes(X, y):
    return HistGradientBoostingClassifier(max_iter=12, categorical_features=["code"]).fit(X, y)


def _xgb_dart(X, y):
    return xgboost.XGBClassifier(booster="dart", rate_drop=0.3, **TREES).fit(X, y)


def _xgb_stopped(X, y):
    model = xgboost.XGBClassifier(early_stopping_rounds=2, **TREES)
    return model.fit(X, y, eval_set=[(X[:90], y[:90])], verbose=0)


def _xgb_array(X, y):
    return xgboost.XGBClassifier(**TREES).fit(X.to_numpy(), y)


def _xgb_booster(X, y):
    options = {"objective": "multi:softmax", "num_class": 3, "nthread": 1}
    return xgboost.train(options, xgboost.DMatrix(X, y), 6)


def _light_array(X, y):
    return lightgbm.LGBMClassifier(**LIGHT).fit(X.to_numpy(), y)


def _light_zero(X, y):
    return lightgbm.LGBMClassifier(zero_as_missing=True, **LIGHT).fit(X, y)


def _light_codes(X, y):
    model = lightgbm.LGBMClassifier(**LIGHT)
    return quiet(lambda rows: model.fit(rows, y, categorical_feature=["code"]), X)


def _light_booster(X, y):
    options = {"objective": "multiclass", "num_class": 3, "verbose": -1, "num_threads": 1}
    return lightgbm.train(options, lightgbm.Dataset(X, y), 6)


def _scaled(X, y):
    return make_pipeline(StandardScaler(), _light(X, y)).fit(X, y)


WITH_LEVELS = {"hist": _hist, "xgb": _xgb, "light": _light, "light booster": _light_booster}
OF_NUMBERS = {
    "hist codes": _hist_codes,
    "xgb dart": _xgb_dart,
    "xgb stopped": _xgb_stopped,
    "xgb array": _xgb_array,
    "xgb booster": _xgb_booster,
    "light array": _light_array,
    "light zero": _light_zero,
    "light codes": _light_codes,
    "light scaled": _scaled,
}


def fitted(name, seed, n_classes=3) -> tuple[Any, pd.DataFrame]:
    """A model and its data."""
    X, y = table(seed, n_rows=200)
    if name in WITH_LEVELS:
        X["text"] = X["text"].astype("category")
        return WITH_LEVELS[name](X, y % n_classes), X
    X = X.drop(columns="text")
    return OF_NUMBERS[name](X, y % n_classes), X


CASES = [(name, k) for name in WITH_LEVELS | OF_NUMBERS for k in (2, 3)]


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_scores_of_cells_are_those_of_the_model_at_both_ends(name, n_classes):
    model, _ = fitted(name, n_classes, n_classes)
    reading = read_model(model)
    rules = ar.Rules.parse(f"'{reading.names[1]}' > 0.5 => not 1")
    _, trees = bound_to_reading(reading, rules)
    trees = forest_of(reading, trees, 0).trees
    codes, rows = random_rows(trees, 300, np.random.default_rng(0))
    rows = rows[reading.names]
    found = trees.scores(codes)
    wanted = np.asarray(quiet(reading.check, rows), float).reshape(len(rows), -1)
    if wanted.shape[1] == 1:
        wanted = np.concatenate([np.zeros_like(wanted), wanted], axis=1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=trees.tolerance)
    labels = np.asarray(reading.classes)[found.argmax(axis=1)]
    clear = np.diff(np.sort(found, axis=1)[:, -2:], axis=1)[:, 0] > trees.tolerance
    assert (quiet(reading.decide, rows)[clear] == labels[clear]).all()


@pytest.mark.parametrize("name", WITH_LEVELS | OF_NUMBERS)
def test_verdicts_are_those_of_many_rows(name):
    model, _ = fitted(name, 4)
    reading = read_model(model)
    first = reading.names[1]
    text = f"feature '{first}': number, never missing\n'{first}' > 0.5 => not 1\n"
    text += f"'{first}' > 1.5 and not missing('{reading.names[0]}') => {{0, 1, 2}}"
    found = ar.verify(model, ar.Rules.parse(text), timeout=20)
    assert [verdict.status for verdict in found.verdicts][1] == "holds"
    if found.verdicts[0].status == "violated":
        row = found.counterexample[reading.names]
        assert float(row[first].iloc[0]) > 0.5
        assert quiet(reading.decide, row)[0] == 1


def test_a_rule_that_the_labels_obey_by_far_is_proved():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 90, 300).astype(float), "x": rng.normal(size=300)})
    y = np.where(X["age"] < 18, 0, 1)
    for model in (_hist(X, y), _xgb(X, y), _light(X, y)):
        found = ar.verify(model, ar.Rules.parse("age < 17 and not missing(age) => 0"))
        assert found.status == "holds"
        assert ar.verify(model, ar.Rules.parse("age < 25 => 0")).status == "violated"


def test_levels_that_xgboost_refuses_are_said():
    model, _ = fitted("xgb", 2)
    found = ar.verify(model, ar.Rules.parse("text = a => not 1"))
    assert "refuses rows with other levels of 'text'" in found.notices[0]


def test_the_private_trees_of_histogram_boosting_are_where_they_were():
    model, X = fitted("hist", 3)
    splits = splits_of_histogram(model)
    assert len(splits.root) == 3 * model.n_iter_
    names = {"is_leaf", "feature_idx", "num_threshold", "missing_go_to_left", "bitset_idx"}
    assert names <= set(model._predictors[0][0].nodes.dtype.names)
    assert model._preprocessor.named_transformers_["encoder"].categories_ is not None
    assert set(splits.column.tolist()) <= {-1, *range(X.shape[1])}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (xgboost.XGBClassifier(booster="gblinear", **TREES), "no trees to verify"),
        (xgboost.XGBClassifier(missing=-1.0, **TREES), "takes -1.0 for a missing value"),
        (xgboost.XGBRegressor(**TREES), "XGBRegressor cannot be verified"),
        (lightgbm.LGBMClassifier(objective="multiclassova", **LIGHT), "multiclassova"),
        (lightgbm.LGBMClassifier(linear_tree=True, **LIGHT), "linear leaves"),
        (lightgbm.LGBMRegressor(**LIGHT), "LGBMRegressor cannot be verified"),
    ],
)
def test_what_is_not_read_says_so(model, message):
    X, y = table(2)
    quiet(lambda rows: model.fit(rows, y), X[["n", "code"]])
    with pytest.raises(ar.InputError, match=message):
        ar.verify(model, ar.Rules.parse("n > 0 => not 1"))


def test_a_model_that_scores_otherwise_than_its_trees_is_refused(monkeypatch):
    model, _ = fitted("hist codes", 2)
    score = type(model).decision_function
    monkeypatch.setattr(type(model), "decision_function", lambda self, X: score(self, X) ** 2)
    with pytest.raises(ar.InputError, match="scores rows otherwise than its trees say"):
        ar.verify(model, ar.Rules.parse("n > 0 => not 1"))
