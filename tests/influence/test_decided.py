"""Models in place of decisions: what is said of those that fail, and of what is no model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

N = 60


class NotFittedError(Exception):
    """Named as that of scikit-learn."""


class Model:
    """Decides by x, once it is fitted, where x is known."""

    def __init__(self, fitted: bool = True) -> None:
        self.fitted = fitted

    def predict(self, X):
        if not self.fitted:
            raise NotFittedError("This Model instance is not fitted yet.")
        if X["x"].isna().any():
            raise ValueError("Input X contains NaN.")
        return (X["x"] > 0).astype(int)


class Transformer:
    """An estimator that does not predict, with a length, as a pipeline of steps."""

    def fit(self, X):
        return self

    def __len__(self) -> int:
        return 2


@pytest.fixture
def X() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.normal(size=N), "z": rng.normal(size=N)})


SEX = np.where(np.arange(N) % 2 == 0, "f", "m")


def _explained(X, model, sensitive_features=SEX, **options):
    return ar.explain_gap(
        X, model, sensitive_features=sensitive_features, n_bootstrap=0, cross_fit=0, **options
    )


def _shapley(X, model, sensitive_features=SEX):
    pytest.importorskip("shap", reason="needs the extra shapley")
    return ar.shapley_gap(model, X, sensitive_features=sensitive_features, n_samples=5)


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (Model(fitted=False), "is a Model that is not fitted"),
        (Model, "is the class Model. Pass a model"),
    ],
)
def test_a_model_that_cannot_predict_is_told_why(X, model, advice):
    with pytest.raises(ar.InputError, match=f"^decisions.*{advice}") as caught:
        _explained(X, model)
    assert caught.value.__cause__ is not None


def test_missing_values_that_the_model_refuses_are_named_with_advice(X):
    X.loc[3, "x"] = np.nan
    with pytest.raises(ar.InputError, match=r"contains NaN\. Put an imputer") as caught:
        _explained(X, Model())
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_column_that_the_model_misses_is_named(X):
    with pytest.raises(ar.InputError, match=r"failed: KeyError: 'x'\. X must have the columns"):
        _explained(X[["z"]], Model())
    with pytest.raises(ar.InputError, match=r"^decisions\(X\) failed: KeyError: 'x'"):
        _explained(X[["z"]], lambda X: X["x"] > 0)


def test_shapley_values_name_their_own_parameter(X):
    with pytest.raises(ar.InputError, match=r"^model is a Model that is not fitted"):
        _shapley(X, Model(fitted=False))


def test_an_error_of_arbitree_inside_a_model_stays_as_it_is(X):
    def decide(X):
        raise ar.LabelError("as it is")

    with pytest.raises(ar.LabelError, match=r"^as it is$"):
        _explained(X, decide)


@pytest.mark.parametrize("neither", [object(), 5, Transformer()])
def test_what_is_neither_data_nor_a_model_is_told_what_could_be(X, neither):
    with pytest.raises(ar.InputError, match="a model with predict, or a function of X"):
        _explained(X, neither)


@pytest.mark.parametrize("data", [list, tuple, np.array, pd.Series, pd.Index])
def test_decisions_of_all_kinds_are_data(X, data):
    assert _explained(X, data((X["x"] > 0).tolist())).gap == _explained(X, Model()).gap


@pytest.mark.parametrize("explain", [_explained, _shapley])
@pytest.mark.parametrize("names", [["sex"], ("sex",), np.array(["sex"]), "sex"], ids=repr)
def test_the_name_of_the_sensitive_column_is_not_its_values(X, names, explain):
    with pytest.raises(ar.InputError, match=r"is the text 'sex'. Pass the values.*\['sex'\]"):
        explain(X.assign(sex=SEX), Model(), names)


def test_several_names_are_not_values_either(X):
    with pytest.raises(ar.InputError, match=r"frame\[\['sex', 'z'\]\]"):
        _explained(X.assign(sex=SEX), Model(), ["sex", "z"])


def test_as_many_values_as_rows_are_values_though_they_are_names():
    X = pd.DataFrame({"f": [0.0, 1, 2, 3] * 5, "m": [1.0, 0, 0, 1] * 5})
    assert _explained(X, X["f"] > 1, ["f", "m", "m", "f"] * 5, min_group_size=0).gap == 0


@pytest.mark.parametrize("table", [pd.DataFrame({"a": [1]}), {1: 2}, np.array([[1]])])
def test_a_favourable_label_is_a_value_or_several_and_no_table(X, table):
    with pytest.raises(ar.LabelError, match="favorable_label is of type"):
        _explained(X, Model(), favorable_label=table)
    with pytest.raises(ar.LabelError, match="favorable_label is of type"):
        ar.audit(SEX == "f", sensitive_features=SEX, favorable_label=table)


def test_a_favourable_word_in_a_series_says_nothing_of_numbers():
    told = np.where(SEX == "f", "yes", "no")
    found = [
        ar.audit(told, sensitive_features=SEX, y_true=[0, 1] * 30, favorable_label=label)
        for label in ("yes", pd.Series(["yes"]), np.array("yes"))
    ]
    assert found[0].to_json() == found[1].to_json() == found[2].to_json()
