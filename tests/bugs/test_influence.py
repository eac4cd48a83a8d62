"""Failures that explanations have had: sums, numerics, categories, interactions, units, weights."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.report.influence_text import influence_text

QUICK = {"n_bootstrap": 0, "cross_fit": 0, "n_threads": 1}
METRICS = (
    "statistical_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
    "predictive_parity",
)
pytestmark = pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")


def _people(seed=0, n=120):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"pay": rng.normal(size=n).round(1), "job": rng.choice(list("abc"), n)})
    group = np.array(["f", "m"])[np.arange(n) % 2]
    truth = (frame["pay"] + rng.normal(size=n) > 0).astype(int).to_numpy()
    decided = ((frame["pay"] > 0.2) ^ (frame["job"] == "a") ^ (rng.random(n) < 0.1)).astype(int)
    return frame, decided.to_numpy(), group, truth


def _influences(found):
    return dict(zip(found.table["features"], found.table["influence"]))


def _explained(X, decided, group, **options):
    return ar.explain_gap(X, decided, sensitive_features={"sex": group}, **(QUICK | options))


# additivity


@settings(max_examples=10)
@given(st.sampled_from(METRICS), st.integers(0, 10_000))
def test_influences_add_up_to_the_gap_that_was_measured_whatever_it_is(metric, seed):
    X, decided, group, truth = _people(seed)
    found = _explained(X, decided, group, metric=metric, y_true=truth, pairs=1)
    assert found.table["influence"].sum() + found.unexplained == pytest.approx(found.gap, abs=1e-9)
    if metric == "statistical_parity":
        rates = pd.Series(decided).groupby(group).mean()
        assert found.gap == pytest.approx(rates.max() - rates.min())


@pytest.mark.parametrize("size", [1e-10, 1.0, 1e10, 1e100])
def test_scores_of_any_size_have_the_same_shares(size):
    X, _, group, _ = _people(1)
    scores = 3.0 + X["pay"].to_numpy() + (group == "m")
    one = _explained(X, scores, group, scores=True, max_order=1)
    other = _explained(X, scores * size, group, scores=True, max_order=1)
    assert other.gap == pytest.approx(one.gap * size)
    assert other.table["influence"].to_numpy() / size == pytest.approx(
        one.table["influence"].to_numpy(), rel=1e-3, abs=1e-4
    )
    left = other.gap - other.table["influence"].sum() - other.unexplained
    assert abs(left) <= 1e-9 * size


# numerics


@pytest.mark.parametrize("value", [0.0, 192.53, 1e-8, 1e100])
def test_a_constant_score_has_nothing_to_explain(value):
    X, _, group, _ = _people(2)
    found = _explained(X, np.full(len(X), value), group, scores=True)
    assert found.gap == 0
    assert (found.table["influence"] == 0).all()
    assert any("constant" in notice for notice in found.notices)


@pytest.mark.parametrize("n", [4, 8, 12])
def test_few_rows_of_equal_values_have_one_answer_and_no_error(n):
    rng = np.random.default_rng(n)
    X = rng.integers(0, 2, (n, 3)).astype(float)
    decided, group = np.arange(n) // 2 % 2, np.arange(n) % 2
    found = [_explained(X, decided, group) for _ in range(2)]
    assert found[0].to_json() == found[1].to_json()
    assert np.isfinite(found[0].table["influence"]).all()


@pytest.mark.parametrize("column", [np.ones(120), 1 + 1e-16 * np.arange(120), np.full(120, np.nan)])
def test_a_constant_feature_carries_exactly_nothing(column):
    X, decided, group, _ = _people(3)
    found = _influences(_explained(X.assign(flat=column), decided, group))
    assert all(value == 0 for names, value in found.items() if "flat" in names)


def test_a_feature_of_few_values_has_a_function_of_each():
    group = np.array(["f", "m"])[np.arange(120) % 2]
    few = np.arange(120) // 2 % 3
    decided = (few == 1).astype(int) * (group == "m")
    found = _explained(pd.DataFrame({"few": few}), decided, group, penalty=1e-6)
    assert found.table["share_high"][0] == pytest.approx(1.0, abs=1e-4)
    assert found.components[("few",)].labels == (("0", "1", "2", "(missing)"),)


@pytest.mark.parametrize("size", [1e-30, 1e30])
def test_numbers_of_any_size_are_features(size):
    X, decided, group, _ = _people(5)
    plain = _influences(_explained(X[["pay"]], decided, group))
    found = _influences(_explained(X[["pay"]] * size, decided, group))
    assert found == pytest.approx(plain, abs=1e-6)


def test_numbers_beyond_the_range_are_told_with_their_column():
    X, decided, group, _ = _people(5)
    sizes = np.sign(X["pay"]) * 10.0 ** (60 + X["pay"].abs())
    found = _explained(X.assign(pay=sizes), decided, group)
    assert any("'pay'" in notice and "float32" in notice for notice in found.notices)
    assert np.isfinite(found.table["influence"]).all()


@pytest.mark.parametrize(
    "second",
    [
        lambda pay: -pay,
        lambda pay: np.exp(pay),
        lambda pay: pay + 1e-3 * np.arange(len(pay)) / len(pay),
    ],
    ids=["its negative", "its exponential", "nearly it"],
)
def test_features_that_say_the_same_are_told_and_share_one_total(second):
    X, decided, group, _ = _people(7)
    both = X.assign(copy=second(X["pay"]))
    options = {"max_order": 1, "penalty": 1.0}
    found = _explained(both, decided, group, **options)
    assert any("'pay' and 'copy'" in notice for notice in found.notices)
    turned = _influences(_explained(both[["copy", "job", "pay"]], decided, group, **options))
    influence = _influences(found)
    total = influence[("pay",)] + influence[("copy",)]
    assert turned[("pay",)] + turned[("copy",)] == pytest.approx(total, abs=2e-3)


def test_categories_that_say_the_same_are_told_and_no_others_are():
    X, decided, group, _ = _people(8)
    X["code"] = X["job"].map({"a": "q", "b": "p", "c": "r"})
    X["coarse"] = X["job"].replace({"b": "c"})
    X["noise"] = np.random.default_rng(0).normal(size=len(X))
    told = [n for n in _explained(X, decided, group, max_order=1).notices if "say the same" in n]
    assert len(told) == 1
    assert told[0].startswith("'job' and 'code' say the same")


# categories


class _OneHot:
    """A model that makes dummy columns of its own, as a pipeline does."""

    def __init__(self, names):
        self.names = names

    def predict(self, X):
        dummies = pd.get_dummies(X["job"]).reindex(columns=self.names, fill_value=False)
        return ((X["pay"] > 0.5) | dummies["a"]).astype(int).to_numpy()


def test_a_category_is_one_feature_whatever_a_model_makes_of_it():
    X, _, group, _ = _people(9)
    model = _OneHot(["a", "b", "c"])
    found = _explained(X, model, group)
    assert set(found.table["features"]) == {("pay",), ("job",), ("pay", "job")}
    assert found.to_json() == _explained(X, model.predict(X), group).to_json()


def test_a_pipeline_is_explained_in_the_columns_of_its_frame():
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    X, decided, group, _ = _people(10)
    coder = make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough")
    model = make_pipeline(coder, LogisticRegression()).fit(X, decided)
    found = _explained(X, model, group)
    assert set(found.table["features"]) == {("pay",), ("job",), ("pay", "job")}


def test_levels_that_nobody_in_a_group_has_carry_nothing_there():
    X, decided, group, _ = _people(11)
    X["job"] = pd.Categorical(X["job"], categories=[*"abcdefgh"])
    plain = _explained(X.assign(job=X["job"].astype(str)), decided, group)
    found = _explained(X, decided, group)
    assert _influences(found) == pytest.approx(_influences(plain), abs=1e-6)


# interactions


@pytest.mark.parametrize("kind", ["function", "estimator"])
def test_pairs_have_influences_of_any_model(kind):
    class Either:
        def predict(self, X):
            return X[:, 0] ^ X[:, 1]

    bits = np.array([[i & 1, i >> 1 & 1] for i in range(4)] * 50)
    group = np.repeat(["f", "m"], 100)
    bits[:100, 1] = bits[:100, 0] ^ (np.arange(100) % 10 == 0)
    model = Either() if kind == "estimator" else Either().predict
    found = _explained(bits, model, group, penalty=1e-6)
    assert found.table["features"][0] == ("x_0", "x_1")


# units


def test_numbers_have_the_unit_of_the_rate_and_scores_their_own():
    X, decided, group, _ = _people(12)
    text = influence_text(_explained(X, decided, group))
    assert "pp (" in text.splitlines()[0]
    assert " pp " in text
    scores = influence_text(_explained(X, X["pay"] * 1000, group, scores=True))
    assert " pp" not in scores


def test_a_probability_and_its_logit_are_explained_as_they_are():
    """Never one in the unit of the other."""
    X, _, group, _ = _people(13)
    logit = X["pay"].to_numpy() + (group == "m")
    for values in (1 / (1 + np.exp(-logit)), logit):
        found = _explained(X, values, group, scores=True)
        means = pd.Series(values).groupby(group).mean()
        assert found.gap == pytest.approx(means.max() - means.min())


# weights


def test_a_weight_of_0_is_no_row():
    X, decided, group, _ = _people(14)
    weight = np.tile([1.0, 1.0, 1.0, 1.0, 0.0, 0.0], 20)
    kept = weight > 0
    options = {"penalty": 2.0}
    found = _explained(X, decided, group, sample_weight=weight, **options)
    plain = _explained(X[kept], decided[kept], group[kept], **options)
    assert found.gap == pytest.approx(plain.gap)
    assert found.table["influence"].sum() == pytest.approx(plain.table["influence"].sum(), abs=0.02)


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf])
def test_what_is_no_weight_is_refused(wrong):
    X, decided, group, _ = _people(15)
    weight = np.ones(len(X))
    weight[7] = wrong
    with pytest.raises(ar.InputError, match="row 7"):
        _explained(X, decided, group, sample_weight=weight)


def test_a_group_without_weight_is_not_compared():
    X, decided, group, _ = _people(16)
    with pytest.raises(ar.NotEstimableError, match="no two groups"):
        _explained(X, decided, group, sample_weight=(group == "m").astype(float))
