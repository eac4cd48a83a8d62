"""What `explain_gap` promises: the exact sum, the paper's figures and laws, and words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.datasets import make_health_insurance

TPR = "true positive rate (rows with favourable label)"
FPR = "false positive rate (rows with unfavourable label)"
QUICK = {"n_bootstrap": 0, "cross_fit": 0}


def _influences(found):
    return dict(zip(found.table.features, found.table.influence))


def _sums(found):
    return found.table.influence.sum() + found.unexplained == pytest.approx(found.gap, abs=1e-9)


def _small(seed, n=80):
    """A table with a number, a category with missing values, and rates of any size."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 60, n),
            "job": rng.choice(["a", "b", None], n),
            "pay": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(size=n)),
        }
    )
    group = np.array(["f", "m"])[np.arange(n) % 2]
    chance = rng.choice([0.0, 0.3, 0.7, 1.0], 2)
    decided = rng.random(n) < chance[np.arange(n) % 2]
    return X, decided.astype(int), group


@pytest.mark.parametrize(
    ("threshold", "rates", "expected"),
    [
        (0.69, (0.695, 0.165), {"fitness": 0.355, "income": 0.098, "both": 0.055}),
        (0.55, (0.707, 0.706), {"fitness": 0.322, "income": -0.388, "both": 0.070}),
    ],
)
def test_example_of_the_paper(threshold, rates, expected):
    people = make_health_insurance(income_if_unfit=threshold)
    found = ar.explain_gap(
        people.frame[["fitness", "income"]],
        people.frame["eligible"],
        sensitive_features=people.frame["age"],
        favorable_label="yes",
        penalty=0,
        knots="value",
        **QUICK,
    )
    assert found.rates["rate"].tolist() == pytest.approx(rates)
    assert (found.group_high, found.group_low) == ("young", "elderly")
    influence = _influences(found)
    assert influence[("fitness",)] == pytest.approx(expected["fitness"], abs=0.005)
    assert influence[("income",)] == pytest.approx(expected["income"], abs=0.005)
    assert influence[("fitness", "income")] == pytest.approx(expected["both"], abs=0.005)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0, 3]), st.sampled_from([1, 2]))
@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_influences_and_the_unexplained_add_up_to_the_gap(seed, cross_fit, max_order):
    X, decided, group = _small(seed)
    found = ar.explain_gap(
        X,
        decided,
        sensitive_features=group,
        n_bootstrap=0,
        cross_fit=cross_fit,
        max_order=max_order,
    )
    assert _sums(found)
    assert found.gap >= 0
    assert np.isfinite(found.table.influence).all()


@settings(max_examples=15)
@given(st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_signs_follow_the_variances(seed):
    """Propositions 3 and 4: V_S = S_S p (1 - p)."""
    X, decided, group = _small(seed)
    found = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    high, low = found.rates["rate"].iloc[0], found.rates["rate"].iloc[-1]
    of_high = found.table["share_high"] * high * (1 - high)
    of_low = found.table["share_low"] * low * (1 - low)
    positive = (of_high > 0) & (of_low > 0)
    negative = found.table["influence"] < -1e-9
    assert (of_high < of_low)[negative & positive].all()
    assert (found.table["influence"] > -1e-9)[(of_high > of_low) & positive].all()


@settings(max_examples=10)
@given(st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_order_of_columns_does_not_matter(seed):
    X, decided, group = _small(seed)
    one = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    other = ar.explain_gap(X[["pay", "job", "age"]], decided, sensitive_features=group, **QUICK)
    a = {frozenset(s): w for s, w in _influences(one).items()}
    b = {frozenset(s): w for s, w in _influences(other).items()}
    assert a.keys() == b.keys()
    assert max(abs(a[s] - b[s]) for s in a) < 2e-3


def test_a_feature_that_is_not_used_has_no_influence():
    """The null property of Theorem 2."""
    bits = np.random.default_rng(0).integers(0, 2, (4000, 3))
    group = np.arange(4000) % 2
    decided = np.where(group == 1, bits[:, 0] & bits[:, 1], bits[:, 0] & (bits[:, 1] == 5))
    found = _influences(
        ar.explain_gap(bits, decided, sensitive_features=group, penalty=1e-6, **QUICK)
    )
    assert sum(abs(w) for s, w in found.items() if "x_2" in s) < 2e-3


def test_features_that_work_alike_have_equal_influence():
    """The symmetry property of Theorem 2, on a table with every combination equally often."""
    bits = np.array([[i & 1, i >> 1 & 1] for i in range(4)] * 200)
    group = np.repeat([0, 1], 400)
    decided = np.where(group == 1, bits.any(axis=1), bits.all(axis=1))
    found = _influences(
        ar.explain_gap(bits, decided, sensitive_features=group, penalty=1e-6, **QUICK)
    )
    assert found[("x_0",)] == pytest.approx(found[("x_1",)], abs=1e-6)


@pytest.mark.parametrize("rate", [0, 1])
def test_equal_constant_decisions_leave_nothing_to_explain(rate):
    """Proposition 5."""
    X, _, group = _small(0)
    found = ar.explain_gap(X, np.full(80, rate), sensitive_features=group, **QUICK)
    assert found.gap == 0
    assert (found.table["influence"] == 0).all()
    assert found.unexplained == 0
    assert any("there is no gap to explain" in sentence for sentence in found.notices)
    assert not any("group alone" in sentence for sentence in found.notices)


def test_a_gap_of_one_is_due_to_the_group_alone():
    """Proposition 6."""
    X, _, group = _small(0)
    found = ar.explain_gap(X, (group == "m").astype(int), sensitive_features=group)
    assert (found.gap, found.unexplained, found.constant) == (1, 1, 1)
    assert (found.table["influence"] == 0).all()
    assert found.r2["in_sample"].isna().all()
    assert any("the group alone decides" in sentence for sentence in found.notices)


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_a_proxy_is_named_although_its_influence_is_0():
    X, decided, group = _small(3, n=400)
    X["proxy"] = np.where(group == "m", 7, 3)
    decided = (np.random.default_rng(0).random(400) < np.where(group == "m", 0.7, 0.3)).astype(int)
    found = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    assert _influences(found)[("proxy",)] == 0
    first = found.proxies.iloc[0]
    assert (first["feature"], first["auc"], first["constant"]) == ("proxy", 1.0, True)
    assert any("'proxy' nearly tells" in sentence for sentence in found.notices)


def test_sensitive_columns_are_left_out_of_the_features():
    X, decided, group = _small(4)
    X["sex"] = group
    found = ar.explain_gap(X, decided, sensitive_features={"sex": group}, **QUICK)
    assert not any("sex" in names for names in found.table.features)
    assert any("'sex' is sensitive" in sentence for sentence in found.notices)


def test_a_model_is_called_once():
    X, decided, group = _small(1)
    calls = []

    def model(given):
        calls.append(given)
        return decided

    found = ar.explain_gap(X, model, sensitive_features=group, **QUICK)
    same = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    assert len(calls) == 1
    assert calls[0] is X
    assert found.to_json() == same.to_json()


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        ("equal_opportunity", {TPR}),
        ("predictive_equality", {FPR}),
        ("equalized_odds", {TPR, FPR}),
        (
            "predictive_parity",
            {
                "positive predictive value (rows with favourable decision)",
                "false omission rate (rows with unfavourable decision)",
            },
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_metrics_agree_with_the_audit(metric, names):
    rng = np.random.default_rng(8)
    X = pd.DataFrame({"a": rng.normal(size=500), "b": rng.integers(0, 3, 500)})
    group = rng.choice(["f", "m"], 500)
    truth = (X["a"] + rng.normal(size=500) > 0).astype(int)
    decided = (X["a"] + (group == "m") > 0.3).astype(int)
    found = ar.explain_gap(
        X, decided, sensitive_features={"sex": group}, y_true=truth, metric=metric, **QUICK
    )
    assert found.condition in names
    assert _sums(found)
    if metric != "predictive_parity":
        gaps = ar.audit(decided, sensitive_features={"sex": group}, y_true=truth).gaps
        row = gaps[gaps.metric == metric].iloc[0]
        assert found.gap == pytest.approx(row["value"])
        assert (found.group_high, found.group_low) == (row["group_high"], row["group_low"])


def test_named_groups_are_compared():
    rng = np.random.default_rng(1)
    group = rng.choice(["a", "b", "c"], 900)
    rate = pd.Series(group).map({"a": 0.2, "b": 0.5, "c": 0.8})
    decided = (rng.random(900) < rate).astype(int)
    X = rng.normal(size=(900, 1))
    found = ar.explain_gap(X, decided, sensitive_features=group, groups=("a", "b"), **QUICK)
    assert (found.group_high, found.group_low) == ("b", "a")
    with pytest.raises(ar.InputError, match="names 'z'"):
        ar.explain_gap(X, decided, sensitive_features=group, groups=("a", "z"))


def test_intervals_hold_the_influence_and_a_seed_gives_the_same_bytes():
    X, decided, group = _small(5, n=200)
    decided = (X["age"] > np.where(group == "m", 30, 45)).astype(int)
    found = [
        ar.explain_gap(
            X[["age"]],
            decided,
            sensitive_features=group,
            n_bootstrap=20,
            random_state=3,
            n_threads=threads,
        )
        for threads in (1, 2)
    ]
    table = found[0].table
    assert (table.ci_low < table.influence).all()
    assert (table.influence < table.ci_high).all()
    assert found[0].to_json() == found[1].to_json()


def test_overfitting_is_said_aloud():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 6))
    decided, group = rng.integers(0, 2, 120), np.arange(120) % 2
    with pytest.warns(ar.ArbitreeWarning, match="functions explain"):
        found = ar.explain_gap(X, decided, sensitive_features=group, penalty=1e-3, n_bootstrap=0)
    assert any("functions explain" in notice for notice in found.notices)


def test_pairs_are_screened_where_there_are_many():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 2, (3000, 20))
    group = np.arange(3000) % 2
    decided = np.where(group == 1, X[:, 4] ^ X[:, 17], rng.random(3000) < 0.1).astype(int)
    found = ar.explain_gap(X, decided, sensitive_features=group, pairs=5, **QUICK)
    assert (found.table.order == 2).sum() == 5
    assert found.table.features[0] == ("x_4", "x_17")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"metric": "parity"}, "statistical_parity"),
        ({"max_order": 4}, "from 1 to 3"),
        ({"cross_fit": 1}, "at least 2 folds"),
        ({"penalty": "cv"}, "'reml'"),
        ({"pairs": [("age", "jbo")]}, "'job'"),
        ({"metric": "equal_opportunity"}, "Pass y_true"),
        ({"groups": "f"}, "two groups"),
    ],
)
def test_errors_say_what_to_do(wrong, says):
    X, decided, group = _small(1)
    with pytest.raises(ar.InputError, match=says):
        ar.explain_gap(X, decided, sensitive_features=group, **wrong)


def test_components_are_the_functions_of_both_groups():
    bits = np.random.default_rng(0).integers(0, 2, (2000, 2))
    group = np.arange(2000) % 2
    decided = np.where(group == 1, bits[:, 0] ^ bits[:, 1], bits[:, 0] & bits[:, 1])
    found = ar.explain_gap(bits, decided, sensitive_features=group, **QUICK)
    pair = found.components[("x_0", "x_1")]
    assert pair.labels == (("0", "1", "(missing)"),) * 2
    assert pair.values_high[:2, :2] == pytest.approx(np.array([[-0.5, 0.5], [0.5, -0.5]]), abs=0.05)
    assert pair.rows_high.sum() == 1000
    assert "components" not in found.to_dict()


def test_rows_that_cannot_be_used_are_counted():
    X, decided, _ = _small(2)
    group = np.array(["f", "m"] * 39 + [None, None], dtype=object)
    found = ar.explain_gap(X, decided, sensitive_features=group, missing="drop", **QUICK)
    assert found.n_rows == 78
    assert any("2 rows of unknown group are left out" in words for words in found.notices)


def test_what_is_unexplained_follows_from_rates_and_explained_shares():
    X, decided, group = _small(3, n=200)
    found = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    rate = found.rates.set_index("group")["rate"]
    r2 = found.r2.set_index("group")["explained"]
    parts = [rate[name] * (1 - r2[name]) for name in (found.group_high, found.group_low)]
    assert found.unexplained == pytest.approx(parts[0] - parts[1], abs=1e-12)


def test_survey_weights_are_told_that_each_counts_as_many_rows():
    X, decided, group = _small(4, n=200)
    heavy = np.full(200, 1800.0)
    found = ar.explain_gap(X, decided, sensitive_features=group, sample_weight=heavy, **QUICK)
    assert any("divide sample_weight by its mean" in sentence for sentence in found.notices)


def test_one_group_twice_is_no_gap():
    X, decided, group = _small(5, n=100)
    with pytest.raises(ar.InputError, match="'f' twice"):
        ar.explain_gap(X, decided, sensitive_features=group, groups=("f", "f"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"penalty": None}, "penalty is None"),
        ({"groups": {"f", "m"}}, "groups is"),
        ({"groups": 5}, "groups is 5"),
        ({"pairs": None}, "pairs is None"),
        ({"pairs": True}, "pairs is True"),
        ({"pairs": ["age"]}, "pairs has 'age'"),
    ],
)
def test_options_of_a_wrong_kind_are_named(wrong, said):
    X, decided, group = _small(5, n=100)
    with pytest.raises(ar.InputError, match=said):
        ar.explain_gap(X, decided, sensitive_features=group, **wrong)


def test_unknown_groups_are_refused_unless_a_policy_is_given():
    X, decided, group = _small(6, n=100)
    group = np.where(np.arange(100) == 7, None, group)
    with pytest.raises(ar.MissingValueError, match="the first at row 7"):
        ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    found = ar.explain_gap(X, decided, sensitive_features=group, missing="drop", **QUICK)
    assert "1 row of unknown group is left out." in found.notices


def test_missing_decisions_are_told_whatever_becomes_of_unknown_groups():
    X, decided, group = _small(6, n=100)
    decided = np.where(np.arange(100) == 3, np.nan, decided)
    found = ar.explain_gap(X, decided, sensitive_features=group, missing="group", **QUICK)
    assert "1 row of unknown decision is left out." in found.notices


def test_values_at_equal_steps_do_not_mind_infinity():
    X, decided, group = _small(7, n=100)
    X = X[["pay"]].fillna(1.0)
    X.loc[3, "pay"] = np.inf
    found = ar.explain_gap(X, decided, sensitive_features=group, knots="value", **QUICK)
    assert found.table.influence.notna().all()


def test_scores_far_from_0_still_vary_and_immense_ones_are_refused():
    X, _, group = _small(8, n=200)
    score = X.age.to_numpy(float) + 1e9
    found = ar.explain_gap(X, score, sensitive_features=group, scores=True, **QUICK)
    assert found.constant == 0
    with pytest.raises(ar.InputError, match="Rescale"):
        ar.explain_gap(X, score * 1e150, sensitive_features=group, scores=True, **QUICK)


def test_the_unit_of_weights_that_are_no_counts_does_not_matter():
    X, decided, group = _small(9, n=200)
    weights = np.random.default_rng(0).exponential(size=200)
    found = [
        ar.explain_gap(X, decided, sensitive_features=group, sample_weight=w, **QUICK)
        for w in (weights, weights * 1e-9, weights * 1234.5)
    ]
    for other in found[1:]:
        assert _influences(other) == pytest.approx(_influences(found[0]), abs=1e-6)


def test_rows_of_weight_0_are_not_there():
    X, decided, group = _small(10, n=300)
    there = np.arange(300) % 3 > 0
    weighed = ar.explain_gap(
        X, decided, sensitive_features=group, sample_weight=there.astype(float), **QUICK
    )
    dropped = ar.explain_gap(X[there], decided[there], sensitive_features=group[there], **QUICK)
    assert weighed.rates.equals(dropped.rates)
    assert weighed.r2["n"].tolist() == dropped.r2["n"].tolist()
    assert weighed.gap == dropped.gap


def test_a_category_of_which_nothing_is_known_has_no_influence():
    X, decided, group = _small(11, n=100)
    X = X[["age"]].assign(empty=pd.array([pd.NA] * 100, dtype="string"))
    found = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    assert _influences(found)[("empty",)] == 0


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_pairs_that_noise_chose_explain_nothing_out_of_fold():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"c{j}": rng.choice(list("abcd"), 1000) for j in range(40)})
    found = ar.explain_gap(
        X,
        rng.integers(0, 2, 1000),
        sensitive_features=rng.choice(["f", "m"], 1000),
        n_bootstrap=0,
        n_threads=1,
    )
    assert (found.r2["explained"] < 0.02).all()


@pytest.mark.parametrize(
    "change", [lambda x: x + 1e9, lambda x: x * 1e-50], ids=["far from 0", "tiny"]
)
def test_numbers_that_32_bits_cannot_tell_apart_are_told(change):
    X, decided, group = _small(12, n=100)
    X = X[["pay"]].fillna(1.0)
    found = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    assert not any("so near" in sentence for sentence in found.notices)
    found = ar.explain_gap(change(X), decided, sensitive_features=group, **QUICK)
    assert any("'pay' has numbers so near" in sentence for sentence in found.notices)
