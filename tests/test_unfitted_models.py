"""Models that have learnt nothing, wherever a model may be passed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar

X = pd.DataFrame({"age": np.arange(40.0), "income": np.arange(40) % 7.0})
Y = np.where(X["age"] > 20, "yes", "no")
SEX = np.where(np.arange(40) % 2, "f", "m")
RULE = "age < 5 => no"

OURS = {
    "parity_report": lambda model: ar.parity_report(model, X, Y, sensitive_features=SEX),
    "local_parity": lambda model: ar.local_parity(model, X, Y, sensitive_features=SEX),
    "parity_bounds": lambda model: ar.parity_bounds(model),
    "certify rules": lambda model: ar.certify(model, rules=RULE),
    "plot_tree": ar.plot_tree,
}
TREES = {"repair": lambda model: ar.repair(model, RULE, X, Y)}
KNOWN = {"verify": lambda model: ar.verify(model, RULE)}
ANY = {
    "Shield": lambda model: ar.Shield(model, RULE).predict(X),
    "explain_gap": lambda model: ar.explain_gap(X, model, sensitive_features=SEX),
    "shapley_gap": lambda model: ar.shapley_gap(model, X, sensitive_features=SEX),
    "certify": lambda model: ar.certify(
        model, X, Y, sensitive_features=SEX, max_gap=0.5, favorable_label="yes"
    ),
}
FORESTS = (RandomForestClassifier, HistGradientBoostingClassifier)


def _pipeline():
    return make_pipeline(StandardScaler(), DecisionTreeClassifier())


def _search():
    return GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]})


def _boosters():
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    return xgboost.XGBClassifier(), lightgbm.LGBMClassifier()


def _cases():
    for make in (ar.TreeClassifier, DecisionTreeClassifier, *FORESTS, _pipeline, _search):
        calls = {**ANY, **KNOWN}
        calls |= TREES if make in (ar.TreeClassifier, DecisionTreeClassifier) else {}
        calls |= OURS if make is ar.TreeClassifier else {}
        for name, call in calls.items():
            yield pytest.param(make, call, name, id=f"{make.__name__}-{name}")


@pytest.mark.parametrize(("make", "call", "name"), list(_cases()))
def test_a_model_that_is_not_fitted_is_named_with_what_to_do(make, call, name):
    argument = {"Shield": "The estimator of the Shield", "explain_gap": "decisions"}
    with pytest.raises(ar.InputError) as told:
        call(make())
    assert isinstance(told.value, NotFittedError)
    kind = type(make()).__name__
    expected = (
        f"{argument.get(name, 'model')} is a {kind} that is not fitted. Call fit(X, y) first."
    )
    assert str(told.value) == expected


@pytest.mark.parametrize("place", [0, 1])
def test_boosters_of_other_libraries_that_are_not_fitted_are_named(place):
    for call in (*KNOWN.values(), *ANY.values()):
        with pytest.raises(NotFittedError, match="Classifier that is not fitted"):
            call(_boosters()[place])


@pytest.mark.parametrize("name", [*KNOWN, *TREES, *OURS])
def test_the_class_of_a_model_is_told_from_a_model(name):
    with pytest.raises(ar.InputError, match="model is the class TreeClassifier"):
        {**KNOWN, **TREES, **OURS}[name](ar.TreeClassifier)


def test_a_model_where_data_is_read_is_told_from_data():
    tree = ar.TreeClassifier().fit(X, Y)
    with pytest.raises(ar.InputError, match=r"pass decisions=model.predict\(X\)"):
        ar.audit(tree, sensitive_features=SEX)
    with pytest.raises(ar.InputError, match=r"X is a model, of type TreeClassifier"):
        ar.explain_gap(tree, Y, sensitive_features=SEX)


@pytest.mark.parametrize("other", [None, "loans.csv", X, ar.TreeClassifier()])
def test_what_is_no_coded_table_is_told_from_one(other):
    with pytest.raises(ar.InputError, match=r"Pass what arbitree.read returns"):
        ar.audit_table(other)


def test_splits_of_other_models_are_not_known():
    tree = DecisionTreeClassifier().fit(X, Y)
    for call in (ar.parity_report, ar.local_parity, ar.parity_bounds):
        with pytest.raises(ar.InputError, match="Pass a fitted TreeClassifier"):
            call(tree)
