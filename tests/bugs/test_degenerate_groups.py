"""Failures reported of other tools: groups and rates of which nothing can be known."""

from __future__ import annotations

import io
import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import arbitree as ar
from arbitree.report.html import html_page
from arbitree.report.ll144 import ll144
from arbitree.report.ll144_layout import ll144_markdown, ll144_text
from arbitree.report.markdown import markdown_document
from arbitree.report.terminal import terminal_text

from .audits import DECISIONS, FRAMES, LABELS, RACE, SEX, audited, gap, group, rate

EMPTY = {  # decisions, labels, weights
    "nobody is selected": ([0] * 12, LABELS, None),
    "everybody is selected": ([1] * 12, LABELS, None),
    "no label is favourable": (DECISIONS, [0] * 12, None),
    "every label is favourable": (DECISIONS, [1] * 12, None),
    "nobody selected, none favourable": ([0] * 12, [0] * 12, None),
    "a group without favourable labels": (DECISIONS, [0] * 6 + LABELS[6:], None),
    "a group of one class only": (DECISIONS, [1] * 6 + LABELS[6:], None),
    "a group that nobody of is selected": ([0] * 6 + DECISIONS[6:], LABELS, None),
    "a group without weight": (DECISIONS, LABELS, [0.0] * 6 + [1.0] * 6),
    "one row a group": ([1, 0], [1, 0], None),
}
every_case = pytest.mark.parametrize("case", EMPTY)


@cache
def degenerate(case: str) -> ar.Audit:
    decisions, labels, weights = EMPTY[case]
    groups = {"sex": SEX} if len(decisions) == 12 else {"sex": ["f", "m"]}
    return audited(decisions, groups, y_true=labels, sample_weight=weights)


@every_case
def test_nothing_over_nothing_is_not_a_number_and_says_why(case):
    # fairlearn PR#1117, PR#1039
    found = degenerate(case)
    for name in FRAMES[:-1]:
        frame = getattr(found, name)
        unsaid = frame[~frame["status"].str.contains("not estimable")]
        assert not unsaid.drop(columns="status").isna().any(axis=None)
    for row in found.rates.itertuples():
        if row.n == 0:
            assert np.isnan(row.value)
            assert row.status.startswith("not estimable")


def _plotted(found: ar.Audit) -> str:
    figure = Figure(layout="constrained")
    for ax, metric in zip(figure.subplots(2), ("selection_rate", "true_positive_rate")):
        ar.plot_groups(found, metric=metric, ax=ax)
    figure.savefig(io.BytesIO(), format="svg")
    return "drawn"


WRITTEN = {
    "repr": repr,
    "JSON": lambda found: json.dumps(json.loads(found.to_json(), parse_constant=pytest.fail)),
    "Markdown": ar.Audit.to_markdown,
    "HTML": ar.Audit.to_html,
    "LaTeX": ar.Audit.to_latex,
    "terminal": lambda found: terminal_text(found, width=80, color=True),
    "page": html_page,
    "document": markdown_document,
    "Local Law 144": lambda found: ll144_text(ll144(found)) + ll144_markdown(ll144(found)),
}


@every_case
def test_every_renderer_takes_what_is_not_estimable(case):
    # fairlearn PR#1039
    found = degenerate(case)
    for name, written in WRITTEN.items():
        text = written(found)
        assert text
        assert "Infinity" not in text, name


def test_plots_take_what_is_not_estimable():  # DALEX#399
    assert _plotted(degenerate("a group of one class only"))


@pytest.mark.parametrize("minimum", [0, 1, 7, 1000])
def test_a_group_under_the_minimum_is_listed_and_counts(minimum):
    # fairness_pipeline_dev_toolkit#29
    groups = pd.Categorical([*["a"] * 30, *["b"] * 30, "c"], categories=["a", "b", "c", "none"])
    decisions = [0] * 60 + [1]
    found = audited(decisions, {"g": groups}, min_group_size=minimum)
    assert found.by_group["n"].tolist() == [30, 30, 1, 0]
    assert group(found, "none")["status"] == "not estimable: 0 rows"
    assert any("declared but never seen: 'none'" in notice for notice in found.notices)
    assert gap(found)["value"] == 1
    assert (gap(found)["ci_low"], gap(found)["ci_high"]) != (0, 0)
    flagged = {row.group: row.status.startswith("small") for row in found.by_group.itertuples()}
    assert flagged == {
        name: 0 < n < minimum for name, n in zip(("a", "b", "c", "none"), (30, 30, 1, 0))
    }


@pytest.mark.parametrize(
    ("metric", "decisions", "labels", "why"),
    [
        ("equal_opportunity", DECISIONS, [0] * 6 + LABELS[6:], "f has 0 favourable labels"),
        ("predictive_equality", DECISIONS, [1] * 6 + LABELS[6:], "f has 0 unfavourable labels"),
        ("equalized_odds", DECISIONS, [0] * 6 + LABELS[6:], "f has 0 favourable labels"),
        ("equalized_odds", DECISIONS, [1] * 6 + LABELS[6:], "f has 0 unfavourable labels"),
        ("predictive_parity", [0] * 6 + DECISIONS[6:], LABELS, "f has 0 favourable decisions"),
    ],
)
def test_a_gap_over_an_incomplete_comparison_is_never_a_number(metric, decisions, labels, why):
    # fairlearn 0.15: the true positive rate of a group without positives is 0
    found = audited(decisions, y_true=labels)
    row = gap(found, metric)
    assert np.isnan(row["value"])
    assert row["status"].startswith(f"not estimable: {why}")
    assert found.gaps["value"].isna().sum() <= 2
    assert found.gaps["value"].notna().sum() >= 4
    verdict = found.check(max_gap=0.9, metrics=(metric,))
    assert not verdict.passed
    assert verdict.exit_code == 3


def test_two_groups_that_lack_what_a_rate_needs_have_no_gap_of_zero():
    found = audited(y_true=[0] * 12)
    assert np.isnan(gap(found, "equal_opportunity")["value"])
    assert np.isnan(rate(found, "true_positive_rate", "f")["value"])


@pytest.mark.parametrize("copied", ["decision", "label"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_sensitive_column_that_copies_an_outcome_is_told(copied, turned):  # fairmodels#45
    outcome = DECISIONS if copied == "decision" else LABELS
    groups = [1 - value for value in outcome] if turned else outcome
    found = audited(sensitive_features={"copy": groups, "sex": SEX}, y_true=LABELS)
    told = [notice for notice in found.notices if "says the same as" in notice]
    assert len(told) == 1
    assert told[0].startswith(f"Every group of copy has only one {copied}")


@pytest.mark.parametrize("groups", [SEX, RACE, list(range(12))], ids=["sex", "race", "one each"])
def test_no_other_column_is_called_a_copy(groups):
    assert not audited(sensitive_features={"g": groups}, y_true=LABELS).notices


@pytest.mark.parametrize("reference", ["best", "largest"])
@pytest.mark.parametrize("decisions", [[0] * 12, [0] * 6 + [1] * 6], ids=["none", "one sex"])
def test_attributes_are_never_mixed(decisions, reference):  # aequitas#104
    age = ["18-25", "26-40", "41-65", "66+"] * 3
    columns = {"gender": SEX, "age": age}
    both = audited(decisions, columns, cross=False, reference_group=reference)
    for name, values in columns.items():
        alone = audited(decisions, {name: values}, reference_group=reference)
        for frame in ("by_group", "rates", "gaps", "summary"):
            rows = getattr(both, frame)
            ours = rows[rows["grouping"] == name].reset_index(drop=True)
            intervals = [c for c in ours if c in ("ci_low", "ci_high")] if frame == "gaps" else []
            pd.testing.assert_frame_equal(
                ours.drop(columns=intervals), getattr(alone, frame).drop(columns=intervals)
            )


@pytest.mark.parametrize("reference", ["best", "m"])
@pytest.mark.parametrize("n_selected", [0, 2])
def test_a_ratio_to_a_rate_of_zero_is_undefined_with_its_reason(reference, n_selected):
    # lale PR#861
    decisions = [1] * n_selected + [0] * (12 - n_selected)
    row = group(audited(decisions, reference_group=reference), "f")
    if reference == "best" and n_selected:
        assert row["impact_ratio"] == 1
    else:
        assert np.isnan(row["impact_ratio"])
        assert "not estimable: the reference group's rate is 0" in row["status"]


@pytest.mark.parametrize("n_selected", [1, 3, 6])
def test_a_rule_of_zero_is_a_number_and_the_worst(n_selected):  # lale PR#535
    decisions = [1] * n_selected + [0] * (12 - n_selected)
    found = audited(decisions)
    assert found.summary.loc[0, "p_rule"] == 0
    assert group(found, "m")["impact_ratio"] == 0
    verdict = found.check(fail_under=0.01)
    assert verdict.exit_code == 1
    assert len(verdict.failures) == 1
    assert verdict.failures[0].startswith("sex: impact ratio of m is 0.000, below 0.01")


@pytest.mark.parametrize("size", [1, 12, 29, 30, 31])
def test_tiny_groups_are_flagged_and_never_dropped(size):  # Fair-Code#101
    groups = {"g": ["tiny"] * size + ["a"] * 50 + ["b"] * 50}
    found = audited([1] + [0, 1] * 50 + [0] * (size - 1), groups)
    row = group(found, "tiny")
    assert row["n"] == size
    assert row["status"] == (f"small group: n = {size} < 30" if size < 30 else "estimated")
    assert row["ci_low"] <= row["selection_rate"] <= row["ci_high"]
    text = terminal_text(found, width=80)
    for name in ("tiny", "a", "b"):
        shown = next(x for x in text.splitlines() if x.strip().startswith(name + " "))
        assert str(group(found, name)["n"]) in shown
        assert "[" in shown
