"""Shapley values of decisions, beside the influences."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.influence.recombine import first_rows, recombined

pytest.importorskip("shap", reason="needs the extra shapley")

N = 120
SMALL = {"n_samples": 15, "n_background": 10, "n_permutations": 2}


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    sex = np.where(np.arange(N) % 2 == 0, "f", "m")
    return pd.DataFrame(
        {
            "job": np.where(rng.random(N) < np.where(sex == "m", 0.7, 0.3), "clerk", "cook"),
            "pay": rng.normal(size=N),
            "noise": rng.integers(0, 3, N),
            "sex": sex,
        }
    )


def _decide(X):
    """A clerk with pay above -1."""
    return ((X["job"] == "clerk") & (X["pay"] > -1)).to_numpy().astype(int)


def _found(people, decide=_decide, **options):
    X = people[["job", "pay", "noise"]]
    return ar.shapley_gap(decide, X, sensitive_features=people["sex"], **(SMALL | options))


def test_values_add_up_to_the_gap_of_all_rows_though_few_are_explained(people):
    found = _found(people)
    rates = pd.Series(_decide(people)).groupby(people["sex"]).mean()
    assert found.gap == pytest.approx(rates["m"] - rates["f"])
    assert found.table["value"].sum() == pytest.approx(found.gap, abs=1e-9)
    assert found.n_explained == (15, 15)


def test_every_row_is_explained_where_there_are_few(people):
    assert _found(people, n_samples=N).n_explained == (60, 60)


def test_a_feature_that_the_model_does_not_read_has_value_0(people):
    values = _found(people).table.set_index("features")["value"]
    assert values[("noise",)] == 0
    assert abs(values[("job",)]) > abs(values[("pay",)])


def test_of_an_additive_decision_the_values_are_the_means_themselves():
    """With one feature its value is the whole gap."""
    X = pd.DataFrame({"x": [0, 1] * 20, "z": [1.0] * 40})
    group = ["a"] * 10 + ["b"] * 30
    found = ar.shapley_gap(lambda X: X["x"] == 1, X, sensitive_features=group, groups=("a", "b"))
    assert found.table["value"].tolist() == pytest.approx([found.gap, 0], abs=1e-12)


def test_the_same_seed_gives_the_same_values_and_leaves_numpy_as_it_was(people):
    np.random.seed(5)  # noqa: NPY002
    expected = np.random.random(3)  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    first = _found(people)
    assert np.random.random(3).tolist() == expected.tolist()  # noqa: NPY002
    assert first.to_json() == _found(people).to_json()


def test_a_model_of_text_labels_needs_the_favourable_one(people):
    def told(X):
        return np.where(_decide(X) == 1, "yes", "no")

    with pytest.raises(ar.LabelError, match="favorable_label"):
        _found(people, told)
    found = _found(people, told, favorable_label="yes")
    assert found.table["value"].tolist() == _found(people).table["value"].tolist()
    assert found.favorable.endswith("'yes'")


def test_it_stands_beside_the_influence_of_the_same_gap(people):
    X, sex = people[["job", "pay", "noise"]], people["sex"]
    infl = ar.explain_gap(X, _decide, sensitive_features=sex, n_bootstrap=0, cross_fit=0)
    found = _found(people)
    both = found.beside(infl)
    assert both.columns.tolist() == ["features", "influence", "shapley"]
    assert both["shapley"].sum() == pytest.approx(found.gap)
    assert both["influence"].sum() == pytest.approx(found.gap, abs=1e-9)
    assert both.iloc[-1]["features"] == "unexplained"
    assert both.iloc[-1]["influence"] == infl.unexplained
    assert both.loc[both["features"].map(len) > 1, "shapley"].isna().all()


def test_it_does_not_stand_beside_another_gap(people):
    X = people[["job", "pay"]]
    infl = ar.explain_gap(
        X, X["pay"] > 0, sensitive_features=people["sex"], n_bootstrap=0, cross_fit=0
    )
    with pytest.raises(ar.InputError, match="same decisions and groups"):
        _found(people).beside(infl)


@pytest.mark.parametrize("name", ["n_samples", "n_background", "n_permutations"])
def test_numbers_of_rows_are_at_least_1(people, name):
    with pytest.raises(ar.InputError, match=name):
        _found(people, **{name: 0})


def test_rows_of_unknown_group_are_an_error_or_left_out(people):
    torn = people.assign(sex=people["sex"].where(people.index != 7))
    with pytest.raises(ar.MissingValueError, match="row 7"):
        _found(torn)
    found = _found(torn, missing="drop")
    assert found.notices[-1].startswith("1 row of unknown group")
    assert found.table["value"].sum() == pytest.approx(found.gap, abs=1e-9)


def test_it_is_written_as_strict_json_and_as_tables(people):
    found = _found(people)
    told = json.loads(found.to_json())
    assert (told["schema"], told["schema_version"]) == ("arbitree/shapley-gap", 1)
    assert "| job |" in found.to_markdown()
    assert "<td>job</td>" in found._repr_html_()
    assert "job" in found.to_latex()
    assert repr(found).startswith("Shapley values of decisions: m minus f")


def _frames():
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": [1.5, None, 1.5]})
    yield "pandas", frame
    yield "array", np.array([[1, 2], [3, 4], [1, 2]])
    polars = pytest.importorskip("polars")
    yield "polars", polars.DataFrame({"a": ["x", "y", "x"], "b": [1.5, None, 1.5]})


@pytest.mark.parametrize("X", [pytest.param(X, id=name) for name, X in _frames()])
def test_rows_put_together_of_themselves_are_the_rows(X):
    values = [X[:, 0], X[:, 1]] if isinstance(X, np.ndarray) else [X["a"], X["b"]]
    codes = first_rows(values)
    assert codes[2].tolist() == [0, 0]
    again = recombined(X)(codes)
    assert type(again) is type(X)
    assert str(again) == str(X)


def test_rows_keep_the_types_of_their_columns():
    X = pd.DataFrame({"c": pd.Categorical(["u", "v"]), "d": pd.to_datetime(["2020", "2021"])})
    mixed = recombined(X)(np.array([[0, 1], [1, 0], [1, 1]]))
    assert mixed.dtypes.equals(X.dtypes)
    assert mixed["c"].tolist() == ["u", "v", "v"]


def test_lists_are_not_what_a_model_reads():
    with pytest.raises(ar.InputError, match="frame or an array"):
        recombined([[1, 2]])
