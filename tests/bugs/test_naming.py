"""Failures reported of other tools: one word for several quantities."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arbitree.report.definitions import definitions
from arbitree.report.terminal import terminal_text

from .audits import DECISIONS, LABELS, SEX, audited, gap, group

GLOSSARY = Path(__file__).parents[2] / "docs" / "metrics.md"


def test_the_glossary_has_a_formula_for_every_rate_and_gap():  # aequitas#89
    found = audited(y_true=LABELS)
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", GLOSSARY.read_text("utf-8"), re.M))
    rates = {*found.rates["metric"], *found.gaps["metric"], "impact_ratio", "difference"}
    rules = {name for name in found.summary if f"{name}_low" in found.summary}
    for name in rates | rules:
        assert re.search("/|rate|value|accuracy|−", rows[name]), name
    shown = dict(definitions(found))
    assert rates == set(shown)
    assert len(set(shown.values())) == len(shown)


FAIRLEARN = {  # by its own names, from its documentation
    "selection_rate": lambda tp, fp, fn, tn: (tp + fp) / (tp + fp + fn + tn),
    "true_positive_rate": lambda tp, fp, fn, tn: tp / (tp + fn),
    "false_positive_rate": lambda tp, fp, fn, tn: fp / (fp + tn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
}


@pytest.mark.parametrize("metric", FAIRLEARN)
def test_a_name_that_fairlearn_has_means_the_same(metric):  # aequitas#89
    found = audited(y_true=LABELS)
    for name in ("f", "m"):
        pairs = [pair for *pair, sex in zip(LABELS, DECISIONS, SEX) if sex == name]
        counts = [pairs.count(pair) for pair in ([1, 1], [0, 1], [1, 0], [0, 0])]
        assert group(found, name)[metric] == pytest.approx(FAIRLEARN[metric](*counts))


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_rate_is_within_its_group_and_never_a_share_of_all(share):  # aequitas#89
    small = int(100 * share)
    decisions = [1] * (small // 2) + [0] * (small - small // 2) + [1, 0] * 50
    found = audited(decisions, {"g": ["small"] * small + ["large"] * 100})
    assert gap(found)["value"] == pytest.approx(0)
    assert group(found, "small")["selection_rate"] == 0.5
    assert group(found, "small")["share"] == pytest.approx(small / (small + 100))


@pytest.mark.parametrize("reference", ["best", "largest", "m"])
def test_every_table_says_who_is_compared_with_whom_and_which_way(reference):  # veritastool#29
    found = audited(reference_group=reference)
    text = " ".join(terminal_text(found, width=110).split())
    name = "m" if reference == "m" else "f"
    assert f"sex (compared with {name})" in text
    assert "impact ratio: rate of the group / rate of the reference" in text
    assert "difference: group minus reference" in text
