"""Failures reported of other tools: which value is favourable, and labels of every type."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import arbitree as ar
from tests.table.containers import every_text_container

from .audits import (
    DECISIONS,
    LABELS,
    SEX,
    audited,
    coded,
    expected_numbers,
    gap,
    group,
    numbers,
    rate,
    selected,
)

CODINGS = {  # unfavourable, favourable
    "numbers": (0, 1),
    "floats": (0.0, 1.0),
    "minus one": (-1, 1),
    "booleans": (False, True),
    "texts": ("no", "yes"),
    "favourable sorts first": ("deny", "approve"),
    "one and two": (1, 2),
    "two and one": (2, 1),
    "zero and two": (0, 2),
    "favourable is False": (True, False),
    "texts of numbers": ("1", "0"),
}
NEEDS_NO_NAME = ("numbers", "floats", "minus one", "booleans")
KEEPERS = {
    "list": list,
    "array": np.array,
    "objects": lambda values: np.array(values, dtype=object),
    "series": pd.Series,
    "category": lambda values: pd.Series(pd.Categorical(values)),
    "reversed category": lambda values: pd.Series(
        pd.Categorical(values, categories=list(dict.fromkeys(values))[::-1], ordered=True)
    ),
    "Polars": pl.Series,
    "PyArrow": pa.array,
}
every_keeper = pytest.mark.parametrize("put", KEEPERS.values(), ids=KEEPERS)


def said_as(pair: tuple, values: list[int]) -> list:
    return [pair[value] for value in values]


@every_keeper
def test_labels_of_every_type_are_the_same_decisions(put):  # dtreeviz#271
    for pair in CODINGS.values():
        decisions, labels = put(said_as(pair, DECISIONS)), put(said_as(pair, LABELS))
        table = coded(decisions, favorable_label=pair[1], y_true=labels)
        assert table.decisions.codes.tolist() == DECISIONS
        assert table.labels.codes.tolist() == LABELS


@pytest.mark.parametrize("pair", [(1, 2), ("deny", "approve"), (True, False)], ids=repr)
def test_labels_of_every_type_give_the_numbers_of_zero_and_one(pair):  # dtreeviz#272
    said = said_as(pair, LABELS)
    found = audited(said_as(pair, DECISIONS), y_true=said, favorable_label=pair[1])
    assert numbers(found) == expected_numbers(labels=True)


@pytest.mark.parametrize("pair", CODINGS.values(), ids=CODINGS)
def test_the_sentence_keeps_the_users_value(pair):  # fairlearn PR#410
    found = coded(
        pd.Series(said_as(pair, DECISIONS), name="approved"),
        y_true=pd.Series(said_as(pair, LABELS), name="repaid"),
        y_true_favorable=pair[1],
        favorable_label=pair[1],
    )
    assert found.decisions.how == f"favourable: approved = {pair[1]!r}"
    assert found.labels.how == f"favourable: repaid = {pair[1]!r}"


@pytest.mark.parametrize("role", ["decisions", "y_true"])
@pytest.mark.parametrize(
    "pair", [pair for name, pair in CODINGS.items() if name not in NEEDS_NO_NAME], ids=repr
)
def test_a_favourable_value_that_is_not_evident_is_never_guessed(pair, role):
    # fairlearn 0.15: {1, 2} takes 1, {'no', 'yes'} gives a gap of 0
    if pair == (True, False):
        return  # True is favourable unless it is said that False is
    said = said_as(pair, DECISIONS)
    inputs = {"decisions": said} if role == "decisions" else {"y_true": said}
    with pytest.raises(ar.LabelError, match=r"cannot be known.*favorable") as caught:
        coded(**inputs)
    assert all(repr(value) in str(caught.value) for value in pair)


@every_text_container
def test_yes_and_no_are_an_error_or_the_named_value_in_every_container(put):
    decisions = put(["yes", "no"] * 3)
    sex = {"sex": list("fffmmm")}
    with pytest.raises(ar.LabelError):
        coded(decisions, sex)
    assert coded(decisions, sex, favorable_label="yes").decisions.codes.tolist() == [1, 0] * 3


def test_the_gap_of_yes_and_no_is_the_right_one():  # fairlearn 0.15 says 0
    found = audited(["yes"] * 3 + ["no"] * 3, {"sex": list("fffmmm")}, favorable_label="yes")
    assert gap(found)["value"] == 1
    assert (gap(found)["group_high"], gap(found)["group_low"]) == ("f", "m")


def test_one_value_for_all_and_one_value_a_row_are_told_apart():  # fairlearn#1004
    weights = np.arange(1.0, 13.0)
    found = audited(favorable_label=1, sample_weight=weights)
    expected = (weights[:6] * DECISIONS[:6]).sum() / weights[:6].sum()
    assert group(found, "f")["selection_rate"] == pytest.approx(expected)
    with pytest.raises(ar.InputError, match="sample_weight"):
        audited(sample_weight=2.0)
    # As many favourable values as there are rows: still values, not one a row.
    assert coded(list("bab"), list("xyy"), favorable_label=list("bba")).decisions.favorable == (
        "a",
        "b",
    )


@pytest.mark.parametrize("size", [1, 2, 3])
def test_class_values_are_values_and_never_positions(size):  # dtreeviz#174
    classes = [1, 3, 5, 7]
    decisions = [classes[i % 4] for i in range(24)]
    groups = [7 if i % 3 else 5 for i in range(24)]
    for favorable in itertools.combinations(classes, size):
        table = coded(decisions, {"code": groups}, favorable_label=list(favorable))
        assert table.decisions.codes.tolist() == [value in favorable for value in decisions]
        assert [table.sensitive[0].coding.label(code) for code in (0, 1)] == ["5", "7"]


@pytest.mark.parametrize("function", [ar.audit, ar.read], ids=["audit", "read"])
def test_the_documentation_says_which_labels_are_understood(function):  # fairlearn#1476
    text = " ".join((function.__doc__ or "").split())
    for word in ("favorable_label", "score_threshold", "LabelError"):
        assert word in text
    if function is ar.audit:
        assert "booleans, 0/1 and -1/1" in text


TRUTHS = {
    "list": list,
    "NumPy objects": lambda values: np.array(values, dtype=object),
    "pandas objects": lambda values: pd.Series(values, dtype=object),
    "pandas boolean": lambda values: pd.Series(values, dtype="boolean"),
    "pandas boolean array": lambda values: pd.array(values, dtype="boolean"),
    "ArrowDtype": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.bool_())),
    "Polars": lambda values: pl.Series(values, dtype=pl.Boolean),
    "PyArrow": lambda values: pa.array(values, type=pa.bool_()),
}


@pytest.mark.parametrize("put", TRUTHS.values(), ids=TRUTHS)
def test_truth_values_are_labels_and_a_missing_one_is_missing(put):  # evidently PR#1603
    truths = put([*map(bool, DECISIONS[:-1]), None])
    with pytest.raises(ar.MissingValueError, match=r"1 missing value.*row 11"):
        coded(truths)
    for policy in ("drop", "group"):
        table = coded(truths, y_true=truths, missing=policy)
        for outcome in (table.decisions, table.labels):
            assert outcome.codes.tolist() == [*DECISIONS[:-1], 2]


@pytest.mark.parametrize("policy", ["drop", "group"])
def test_a_missing_label_is_in_no_rate(policy):  # evidently PR#1603
    truths = pd.array([*map(bool, DECISIONS[:-1]), None], dtype="boolean")
    known = audited(DECISIONS[:-1], {"sex": SEX[:-1]})
    assert selected(audited(truths, missing=policy)) == selected(known)
    labelled = audited(y_true=truths, missing=policy)
    assert rate(labelled, "accuracy", "m")["n"] == 5


@pytest.mark.parametrize("favorable", ["yes", "no"])
def test_the_other_favourable_value_turns_each_rate_into_its_counterpart(favorable):
    # kozodoi/fairness PR#5
    other = "no" if favorable == "yes" else "yes"
    decisions = ["yes" if value else "no" for value in DECISIONS]
    labels = ["yes" if value else "no" for value in LABELS]
    ours = audited(decisions, y_true=labels, favorable_label=favorable)
    turned = audited(decisions, y_true=labels, favorable_label=other)
    for metric, counterpart, mirrored in (
        ("selection_rate", "selection_rate", True),
        ("base_rate", "base_rate", True),
        ("true_positive_rate", "false_positive_rate", True),
        ("positive_predictive_value", "negative_predictive_value", False),
        ("accuracy", "accuracy", False),
    ):
        for name in ("f", "m"):
            expected = rate(turned, counterpart, name)["value"]
            expected = 1 - expected if mirrored else expected
            assert rate(ours, metric, name)["value"] == pytest.approx(expected)


@pytest.mark.parametrize(
    "words", [("approve", "deny"), ("deny", "approve"), ("1", "0"), ("Z", "a"), ("a", "Z")]
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_favourable_value_may_sort_first_or_last(words, order):  # immuneML PR#151
    favorable, unfavorable = words
    said = [favorable if value else unfavorable for value in DECISIONS]
    declared = pd.Categorical(said, categories=sorted(words)[::order])
    for decisions in (said, np.array(said), declared):
        assert coded(decisions, favorable_label=favorable).decisions.codes.tolist() == DECISIONS


@pytest.mark.parametrize("width", [1, 2, 3])
def test_texts_of_fixed_width_are_never_cut(width):  # scikit-learn PR#2674
    words = ["n" * width, "y" * width]
    decisions = np.array(words * 6)
    assert decisions.dtype == f"<U{width}"
    found = audited(decisions, favorable_label=words[1])
    assert selected(found) == {"f": (3, 6), "m": (3, 6)}
    with pytest.raises(ar.LabelError, match="never has the value"):
        audited(decisions, favorable_label=words[1] + "es")
    groups = np.ma.masked_array(np.array(words * 6), mask=[True] + [False] * 11)
    named = audited(sensitive_features={"g": groups}, missing="group")
    assert list(selected(named)) == [*words, "(missing)"]


NATURAL = {
    "integers": (list(range(1, 13)), None),
    "floats": ([i + 0.5 for i in range(12)], None),
    "texts of numbers": ([str(i) for i in range(1, 13)], None),
    "texts": ([f"g{i:02}" for i in range(12)], None),
    "ordered": ([f"level {i}" for i in (3, 1, 2, 11, 10)], True),
    "declared": ([f"level {i}" for i in (3, 1, 2, 11, 10)], False),
}


@pytest.mark.parametrize(("levels", "ordered"), NATURAL.values(), ids=NATURAL)
@pytest.mark.parametrize("seed", [0, 1])
def test_groups_stand_in_their_natural_order_whatever_the_rows(levels, ordered, seed):
    # mljar-supervised#245
    rows = list(np.random.default_rng(seed).permutation(len(levels) * 2) % len(levels))
    values = [levels[i] for i in rows]
    column = values if ordered is None else pd.Categorical(values, levels, ordered=ordered)
    coding = coded([0] * len(rows), {"g": column}).sensitive[0].coding
    assert list(coding.texts) == [str(level) for level in levels]


@pytest.mark.parametrize("n_groups", [2, 3, 4, 7])
def test_any_number_of_groups_is_compared_with_any_of_them(n_groups):  # veritastool#13
    groups = [f"band {i % n_groups}" for i in range(12 * n_groups)]
    decisions = [int(i % (i % n_groups + 2) == 0) for i in range(12 * n_groups)]
    rates = {}
    for reference in [*sorted(set(groups)), "best", "largest"]:
        found = audited(decisions, {"age": groups}, reference_group=reference)
        assert len(found.by_group) == n_groups
        assert found.by_group["reference"].sum() == 1
        rates[reference] = found.by_group.set_index("group")
    for one, other in itertools.combinations(sorted(set(groups)), 2):
        there, back = rates[one].loc[other], rates[other].loc[one]
        assert there["difference"] == pytest.approx(-back["difference"])
        assert there["difference"] == there["selection_rate"] - back["selection_rate"]
    best = rates["best"]
    assert best.loc[best["reference"], "selection_rate"].item() == best["selection_rate"].max()
