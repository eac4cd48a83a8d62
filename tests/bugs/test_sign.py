"""Failures reported of other tools: whose advantage a number is."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

from arbitree.report.html import html_page
from arbitree.report.markdown import markdown_document
from arbitree.report.terminal import terminal_text

from .audits import DECISIONS, LABELS, RACE, SEX, audited, expected_numbers, gap, numbers, rate

WORDS = ["no" if value == 0 else "yes" for value in DECISIONS]


@pytest.mark.parametrize("favorable", ["yes", "no"])
def test_every_output_says_which_outcome_is_favourable(favorable):  # shap#1252, shap#851
    found = audited(pd.Series(WORDS, name="approved"), favorable_label=favorable)
    sentence = f"approved = '{favorable}'"
    for text in (repr(found), terminal_text(found, width=100), markdown_document(found)):
        assert sentence in text.replace("\\", "")
    assert sentence in html_page(found).replace("&#x27;", "'").replace("&#39;", "'")
    assert sentence in json.loads(found.to_json())["favorable"]


@pytest.mark.parametrize("values", [*itertools.permutations(["yes", "no", "zz"], 2)], ids=str)
@pytest.mark.parametrize("order", [1, -1])
def test_signs_do_not_depend_on_how_labels_are_coded_or_ordered(values, order):  # h2o-3#15722
    favorable, unfavorable = values
    said = [favorable if value else unfavorable for value in DECISIONS]
    column = pd.Categorical(said, sorted(values)[::order], ordered=True)
    found = audited(column, favorable_label=favorable)
    assert numbers(found) == expected_numbers()


@pytest.mark.parametrize("reference", ["best", "largest", "f", "m"])
def test_a_difference_is_group_minus_reference_and_a_gap_high_minus_low(reference):
    found = audited(sensitive_features={"sex": SEX, "race": RACE}, reference_group=reference)
    for _, rows in found.by_group.groupby("grouping"):
        own = rows.loc[rows["reference"], "selection_rate"].item()
        np.testing.assert_allclose(rows["difference"], rows["selection_rate"] - own)
        np.testing.assert_allclose(rows["impact_ratio"], rows["selection_rate"] / own)
    rates = found.by_group.set_index(["grouping", "group"])["selection_rate"]
    for row in found.gaps.itertuples():
        high, low = rates[row.grouping, row.group_high], rates[row.grouping, row.group_low]
        assert row.value == pytest.approx(high - low)
        assert row.value >= 0


@pytest.mark.parametrize("epsilon", [0.02, 0.1])
def test_the_gate_compares_the_very_gap_that_is_reported(epsilon):  # fairlearn#444, #460
    n = 1000
    a, b = int(n * (0.5 - epsilon)), int(n * (0.5 + epsilon))
    decisions = [1] * a + [0] * (n - a) + [1] * b + [0] * (n - b)
    found = audited(decisions, {"g": ["a"] * n + ["b"] * n})
    assert gap(found)["value"] == pytest.approx(2 * epsilon)  # not each against the mean of all
    assert found.check(max_gap=2 * epsilon + 1e-9).passed
    assert not found.check(max_gap=epsilon).passed


@pytest.mark.parametrize("favored", [0, 1, 2])
@pytest.mark.parametrize("lower", [False, True])
def test_the_largest_gap_is_found_in_either_direction(favored, lower):  # gabarit PR#95
    counts = [5, 5, 5]
    counts[favored] = 0 if lower else 10
    decisions = [int(i < count) for count in counts for i in range(10)]
    found = audited(decisions, {"g": [name for name in "abc" for _ in range(10)]})
    row = gap(found)
    assert row["value"] == pytest.approx(0.5)
    assert row["group_low" if lower else "group_high"] == "abc"[favored]
    assert len(found.by_group) == 3


@pytest.mark.parametrize("size", [0.1, 0.5])
@pytest.mark.parametrize("turned", [1, -1])
def test_opposite_gaps_never_cancel(size, turned):  # error-parity PR#8
    n, k = 20, round(20 * size)
    first = [1] * (10 + turned * k // 2) + [0] * (10 - turned * k // 2)
    second = [1] * (10 - turned * k // 2) + [0] * (10 + turned * k // 2)
    labels = [1] * n + [0] * n
    found = audited(
        first + second + second + first, {"g": ["a"] * 40 + ["b"] * 40}, y_true=labels * 2
    )
    differences = {
        metric: rate(found, metric, "a")["value"] - rate(found, metric, "b")["value"]
        for metric in ("true_positive_rate", "false_positive_rate")
    }
    assert sum(differences.values()) == pytest.approx(0)
    for metric in ("equal_opportunity", "predictive_equality", "equalized_odds"):
        assert gap(found, metric)["value"] == pytest.approx(size, abs=0.051)
        assert gap(found, metric)["value"] > 0
    assert not found.check(max_gap=size / 2, metrics=("equalized_odds",)).passed


def test_equalized_odds_names_the_rate_with_the_larger_gap():
    found = audited(y_true=LABELS)
    parts = {gap(found, metric)["value"] for metric in ("equal_opportunity", "predictive_equality")}
    assert gap(found, "equalized_odds")["value"] == max(parts)
    assert gap(found, "equalized_odds")["condition"] in (
        "true_positive_rate",
        "false_positive_rate",
    )
