"""Groups that are known as probabilities: rows count in each group by their share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pandas.testing import assert_frame_equal

import arbitree as ar

FRAMES = ("by_group", "rates", "gaps", "summary", "overall")


def _made(n=400, seed=0, k=3):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(k, 0.5), n)
    frame = pd.DataFrame(shares, columns=[f"g{j}" for j in range(k)])
    return frame, rng.integers(0, 2, n), rng.integers(0, 2, n), rng


def _rate_by_loops(shares, hit, trial):
    """The weighted rate as its definition has it."""
    top = bottom = 0.0
    for p, h, t in zip(shares, hit, trial):
        if t:
            bottom += p
            top += p * h
    return top / bottom


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(2, 5))
def test_rates_are_sums_of_shares_as_the_definition_says(seed, k):
    frame, decisions, labels, _ = _made(60, seed, k)
    found = ar.audit(decisions, group_probabilities=frame, y_true=labels, n_resamples=100)
    everybody = np.ones(60)
    masks = {
        "selection_rate": (decisions, everybody),
        "true_positive_rate": (decisions, labels == 1),
        "false_positive_rate": (decisions, labels == 0),
        "positive_predictive_value": (labels, decisions == 1),
        "accuracy": (decisions == labels, everybody),
    }
    for name, (hit, trial) in masks.items():
        rates = found.rates[found.rates["metric"] == name].set_index("group")["value"]
        for group in frame:
            assert rates[group] == pytest.approx(_rate_by_loops(frame[group], hit, trial))


@settings(max_examples=25, deadline=None)
@given(data=st.data(), weighted=st.booleans())
def test_certain_probabilities_are_the_plain_audit_exactly(data, weighted):
    n = data.draw(st.integers(10, 80))
    group = data.draw(arrays(np.int64, n, elements=st.integers(0, 2)))
    group[:3] = 0, 1, 2
    decisions = data.draw(arrays(np.int64, n, elements=st.integers(0, 1)))
    labels = data.draw(arrays(np.int64, n, elements=st.integers(0, 1)))
    options = {"y_true": labels, "n_resamples": 100}
    if weighted:
        options["sample_weight"] = data.draw(arrays(float, n, elements=st.floats(0.5, 4)))
    certain = pd.DataFrame({name: (group == j) * 1.0 for j, name in enumerate("abc")})
    plain = ar.audit(
        decisions, sensitive_features={"group": np.array(["a", "b", "c"])[group]}, **options
    )
    found = ar.audit(decisions, group_probabilities=certain, **options)
    for name in FRAMES:
        assert_frame_equal(getattr(found, name), getattr(plain, name))
    assert found.notices == plain.notices


def test_intervals_hold_for_what_the_estimate_tends_to():
    rng = np.random.default_rng(5)
    pool = rng.beta(0.6, 0.6, 200_000)
    chance = 0.3 + 0.4 * pool
    aim = {
        "a": (pool * chance).sum() / pool.sum(),
        "b": ((1 - pool) * chance).sum() / (1 - pool).sum(),
    }
    gap = abs(aim["a"] - aim["b"])
    covered, wide = [], []
    for _ in range(150):
        rows = rng.integers(0, len(pool), 400)
        frame = pd.DataFrame({"a": pool[rows], "b": 1 - pool[rows]})
        decided = (rng.random(400) < chance[rows]).astype(int)
        found = ar.audit(decided, group_probabilities=frame, n_resamples=100)
        for row in found.by_group.itertuples():
            covered.append(row.ci_low <= aim[row.group] <= row.ci_high)
        wide.append(found.gaps["ci_low"][0] <= gap <= found.gaps["ci_high"][0])
    assert np.mean(covered) > 0.91
    assert np.mean(wide) > 0.93


def test_the_bias_is_that_of_the_covariance_within_equal_probabilities():
    rng = np.random.default_rng(1)
    n = 200_000
    p = rng.random(n)
    member = rng.random(n) < p
    decided = rng.random(n) < np.where(member, 0.6, 0.4)
    frame = pd.DataFrame({"a": p, "b": 1 - p})
    found = ar.audit(decided, group_probabilities=frame, n_resamples=100)
    rates = found.by_group.set_index("group")["selection_rate"]
    # Within equal p, Cov(member, decision) = 0.2 p (1 - p), of mean 0.2 / 6.
    assert rates["a"] == pytest.approx(0.6 - (0.2 / 6) / 0.5, abs=0.01)
    assert rates["b"] == pytest.approx(0.4 + (0.2 / 6) / 0.5, abs=0.01)
    assert any("its rate is shown too high" in notice for notice in found.notices)
    assert any("wholly in its likeliest group" in notice for notice in found.notices)
    assert not any("mostly" in notice for notice in found.notices)  # of neither is that proven


def test_known_groups_stand_beside_probable_ones():
    frame, decisions, _, rng = _made()
    sex = {"sex": rng.choice(["f", "m"], len(frame))}
    both = ar.audit(decisions, sensitive_features=sex, group_probabilities=frame)
    plain = ar.audit(decisions, sensitive_features=sex)
    of_sex = both.gaps[both.gaps["grouping"] == "sex"].reset_index(drop=True)
    assert_frame_equal(of_sex, plain.gaps)
    assert set(both.by_group["grouping"]) == {"sex", "group"}


def test_segments_and_weights_are_taken_together_with_shares():
    frame, decisions, _, rng = _made()
    region = rng.choice(["n", "s"], len(frame))
    weight = rng.uniform(0.5, 3, len(frame))
    found = ar.audit(
        decisions,
        group_probabilities=frame,
        control_features={"region": region},
        sample_weight=weight,
    )
    for row in found.by_group.itertuples():
        here = region == row.region
        expected = np.average(decisions[here], weights=(frame[row.group] * weight)[here])
        assert row.selection_rate == pytest.approx(expected)
        assert row.n == pytest.approx(frame[row.group][here].sum(), abs=2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"g0": -0.1}, r"'g0' has -0\.1 at row 7; 1 row have|has -0.1 at row 7"),
        ({"g0": 1.5}, r"'g0' has 1\.5 at row 7"),
        ({"g0": 0.9, "g1": 0.9, "g2": 0.0}, r"row 7 in group_probabilities sum to 1\.8, not to 1"),
        ({"g0": np.nan}, r"'g0' has no value at row 7; 1 row"),
        ({"g0": np.inf}, r"g0"),
    ],
)
def test_bad_probabilities_are_named_with_their_row(change, words):
    frame, decisions, _, _ = _made()
    for name, value in change.items():
        frame.loc[7, name] = value
    with pytest.raises(ar.InputError, match=words):
        ar.audit(decisions, group_probabilities=frame)


def test_rows_without_probabilities_are_left_out_where_that_is_asked():
    frame, decisions, _, _ = _made()
    frame.loc[7] = np.nan
    found = ar.audit(decisions, group_probabilities=frame, missing="drop")
    kept = ar.audit(np.delete(decisions, 7), group_probabilities=frame.drop(index=7))
    assert_frame_equal(found.by_group, kept.by_group)
    assert any("1 row without group probabilities left out" in note for note in found.notices)


def test_rounded_probabilities_are_scaled_and_that_is_said():
    frame, decisions, _, _ = _made()
    found = ar.audit(decisions, group_probabilities=frame.round(4))
    assert any("scaled" in note for note in found.notices)
    exact = ar.audit(decisions, group_probabilities=frame)
    assert np.allclose(
        found.by_group["selection_rate"], exact.by_group["selection_rate"], atol=1e-3
    )


def test_what_does_not_go_together_is_refused():
    frame, decisions, _, _ = _made()
    for options, words in (
        ({"p_values": True}, "p_values and group_probabilities"),
        ({"score_threshold": 0.5}, "scores and group_probabilities"),
    ):
        with pytest.raises(ar.InputError, match=words):
            ar.audit(decisions, group_probabilities=frame, **options)
    with pytest.raises(ar.InputError, match="There are no groups"):
        ar.audit(decisions)
    with pytest.raises(ar.InputError, match="at least two"):
        ar.audit(decisions, group_probabilities=frame[["g0"]])
    with pytest.raises(ar.InputError, match="one of them"):
        ar.explain_gap({"x": decisions}, decisions)


def test_an_explanation_by_certain_probabilities_is_the_plain_one():
    _, decisions, _, rng = _made(300)
    X = pd.DataFrame({"x": rng.normal(size=300) + decisions, "z": rng.normal(size=300)})
    group = np.array(["g0", "g1"])[rng.integers(0, 2, 300)]
    certain = pd.DataFrame({name: (group == name) * 1.0 for name in ("g0", "g1")})
    options = {"n_bootstrap": 10, "max_order": 1}
    plain = ar.explain_gap(X, decisions, sensitive_features={"group": group}, **options)
    found = ar.explain_gap(X, decisions, group_probabilities=certain, **options)
    assert_frame_equal(found.table, plain.table)
    assert_frame_equal(found.proxies, plain.proxies)
    assert found.notices == plain.notices


def test_an_explanation_adds_up_to_the_weighted_gap():
    frame, decisions, _, rng = _made(400, k=2)
    X = pd.DataFrame({"x": frame["g0"] + rng.normal(0, 0.1, 400), "z": rng.normal(size=400)})
    found = ar.explain_gap(
        X, decisions, group_probabilities=frame, n_bootstrap=0, cross_fit=0, max_order=1
    )
    audit = ar.audit(decisions, group_probabilities=frame)
    assert found.gap == pytest.approx(audit.gaps["value"][0])
    assert found.table["influence"].sum() + found.unexplained == pytest.approx(found.gap)
    auc = found.proxies.set_index("feature")["auc"]
    assert auc["x"] > 0.75
    assert auc["z"] < 0.6
