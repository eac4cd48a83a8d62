"""Which models Shapley values can be had of, and what the others are told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

pytest.importorskip("shap", reason="needs the extra shapley")

N = 120
SMALL = {"n_samples": 15, "n_background": 10, "n_permutations": 2}
OTHER_BATCH = "decides differently when the same rows come in another batch"


@pytest.fixture(scope="module")
def X() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame({"x": rng.normal(size=N), "z": rng.normal(size=N)})


@pytest.fixture(scope="module")
def sex(X) -> np.ndarray:
    rng = np.random.default_rng(2)
    return np.where(rng.random(N) < np.where(X["x"] > 0, 0.7, 0.3), "m", "f")


def _number(X):
    return (X["x"] > 0).to_numpy().astype(int)


def _found(X, sex, model=_number, **options):
    return ar.shapley_gap(model, X, sensitive_features=sex, **(SMALL | options))


@pytest.mark.parametrize("of_bool", [False, True])
@pytest.mark.parametrize(
    "label", ["1", "True", 1, True, pd.Series([1]), np.array(1), [1]], ids=lambda one: repr(one)
)
def test_a_favourable_label_that_reads_the_same_gives_the_same_values(X, sex, label, of_bool):
    def decide(X):
        return _number(X) == 1 if of_bool else _number(X)

    found = _found(X, sex, decide, favorable_label=label)
    assert found.gap > 0.1
    assert found.table["value"].tolist() == _found(X, sex).table["value"].tolist()


def test_a_favourable_0_turns_the_values(X, sex):
    turned = _found(X, sex, favorable_label="0", groups=("m", "f"))
    assert turned.table["value"].sum() == pytest.approx(turned.gap, abs=1e-9)
    assert turned.group_high == "f"


def test_a_model_that_selects_nobody_has_values_0(X, sex):
    found = _found(X, sex, lambda X: np.zeros(len(X)), groups=("m", "f"))
    assert (found.gap, found.table["value"].abs().max()) == (0, 0)


def test_a_model_that_compares_rows_with_their_batch_is_refused(X, sex):
    with pytest.raises(ar.InputError, match=OTHER_BATCH):
        _found(X, sex, lambda X: X["x"] > X["x"].mean())


def test_a_model_that_draws_is_refused(X, sex):
    rng = np.random.default_rng(0)
    with pytest.raises(ar.InputError, match=OTHER_BATCH):
        _found(X, sex, lambda X: rng.random(len(X)) < 0.5)


def test_a_model_that_draws_for_made_up_rows_only_is_refused(X, sex):
    rng = np.random.default_rng(0)
    real = set(zip(X["x"], X["z"]))

    def decide(X):
        known = np.array([row in real for row in zip(X["x"], X["z"])])
        own = known.all() and X["x"].is_unique
        return _number(X) if own else rng.random(len(X)) < 0.5

    with pytest.raises(ar.InputError, match=OTHER_BATCH):
        _found(X, sex, decide)


@pytest.mark.parametrize(
    "model",
    [
        lambda X: 1 / (1 + np.exp(-X["x"])),
        lambda X: np.arange(len(X)),
        lambda X: np.array([str(value) for value in X["x"]], dtype=object),
    ],
    ids=["fractions", "many numbers", "texts of fractions"],
)
def test_scores_are_to_be_made_decisions_by_the_model(X, sex, model):
    with pytest.raises(ar.InputError, match=r"lambda X: f\(X\) >= 0.5") as caught:
        _found(X, sex, model)
    assert "score_threshold" not in str(caught.value)


def test_two_columns_of_probabilities_are_no_decision(X, sex):
    with pytest.raises(ar.InputError, match=r"2 columns.*f\(X\)\[:, 1\] >= 0.5"):
        _found(X, sex, lambda X: np.stack([X["x"], X["z"]], axis=1))


def test_a_model_that_returns_nothing_is_refused(X, sex):
    with pytest.raises(ar.InputError, match="returns NoneType"):
        _found(X, sex, lambda X: None)


@pytest.mark.parametrize("model", [np.ones(N), [1] * N, None, object()])
def test_decisions_in_place_of_a_model_belong_in_explain_gap(X, sex, model):
    with pytest.raises(ar.InputError, match=r"explain_gap"):
        _found(X, sex, model)


@pytest.mark.parametrize("n", [N, 5])
def test_a_model_with_one_answer_for_all_questions_is_refused(X, sex, n):
    with pytest.raises(ar.InputError, match=r"rows where it is asked about.*explain_gap"):
        _found(X, sex, lambda Z: _number(X)[:n])


@pytest.mark.parametrize("seed", [-1, "x", 1.5])
def test_a_seed_is_a_whole_number(X, sex, seed):
    with pytest.raises(ar.InputError, match="random_state is"):
        _found(X, sex, random_state=seed)


@pytest.mark.parametrize("groups", ["mf", {"m", "f"}, ("m",)])
def test_groups_are_a_pair(X, sex, groups):
    with pytest.raises(ar.InputError, match="Pass the two groups"):
        _found(X, sex, groups=groups)
