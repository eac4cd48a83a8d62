"""Failures reported of other tools: scores, thresholds and ties."""

from __future__ import annotations

import numpy as np
import pytest

import arbitree as ar

from .audits import audited, coded, group, selected

SEX = ["f", "m", "m", "f", "f"] * 8
SCORES = [i * 7 % 10 / 10 for i in range(40)]  # many ties


@pytest.mark.parametrize("excess", [1e-8, 1e-6, 0.5, 700])
@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_a_score_is_compared_as_it_is_whatever_its_scale(excess, threshold):
    # onnx#25932: "probabilities" of -1e-8
    scores = np.array(SCORES)
    scores[:4] = [-excess, 1 + excess, 0.0, 1.0]
    table = coded(scores, {"sex": SEX}, score_threshold=threshold)
    assert table.decisions.codes.tolist() == (scores >= threshold).astype(int).tolist()
    assert table.scores.tolist() == scores.tolist()


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan, "high", None], ids=repr)
def test_what_is_no_score_is_refused_with_its_row(bad):
    scores = np.array(SCORES, dtype=object)
    scores[7] = bad
    with pytest.raises(ar.InputError, match=r"row 7|texts|numbers"):
        coded(scores, {"sex": SEX}, score_threshold=0.5)


@pytest.mark.parametrize("decile", [0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("lower", [False, True])
def test_impact_ratios_at_a_cut_off_of_all_rows_are_those_of_loops(decile, lower):
    # solas-ai-disparity#3: cut over all rows, ties on the favourable side, either direction
    cut = float(np.quantile(SCORES, decile, method="inverted_cdf"))
    found = audited(SCORES, {"sex": SEX}, score_threshold=cut, lower_score_favorable=lower)
    passed = [score <= cut if lower else score >= cut for score in SCORES]
    rates = {
        name: sum(p for p, sex in zip(passed, SEX) if sex == name) / SEX.count(name)
        for name in ("f", "m")
    }
    best = max(rates.values())
    for name, value in rates.items():
        assert group(found, name)["selection_rate"] == pytest.approx(value)
        assert group(found, name)["impact_ratio"] == pytest.approx(value / best)
    assert f"decision {'<=' if lower else '>='} {cut:g}" in found.favorable


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_score_at_the_threshold_is_favourable(lower, dtype):
    scores = np.array([0.3, 0.1, 0.7, 0.3], dtype)
    found = audited(scores, {"g": list("abab")}, score_threshold=0.3, lower_score_favorable=lower)
    expected = {"a": (1, 2), "b": (2, 2)} if lower else {"a": (2, 2), "b": (1, 2)}
    assert selected(found) == expected


def test_the_documentation_says_what_a_tie_is():
    text = " ".join((ar.audit.__doc__ or "").split())
    assert "score >= score_threshold" in text
    assert "score <= score_threshold" in text
