"""Failures reported of other tools: several sensitive columns, and numeric ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

from .audits import audited, coded, numbers, relabelled

N = 60
COLUMNS = {
    "sex": ["f", "m"] * (N // 2),
    "race": ["a", "b", "c"] * (N // 3),
    "age": [i // 7 % 3 for i in range(N)],
}
OUTCOME = [int(i % 7 in (0, 2, 3)) for i in range(N)]
LABEL = [int(i % 5 in (0, 2)) for i in range(N)]
FRAMES = ("by_group", "rates", "summary")


@pytest.mark.parametrize(
    "names", [["sex", "race"], ["sex", "age"], ["sex", "race", "age"]], ids=str
)
@pytest.mark.parametrize("weighted", [False, True])
def test_several_columns_are_the_same_as_their_joint_column(names, weighted):  # fairlearn#728
    options = {"y_true": LABEL, "sample_weight": [1, 2, 0.5] * (N // 3) if weighted else None}
    columns = {name: COLUMNS[name] for name in names}
    joint = [", ".join(str(value) for value in row) for row in zip(*columns.values())]
    crossed = numbers(audited(OUTCOME, columns, **options))
    texts = {text: text.replace(", ", " x ") for text in joint} | {"joint": " x ".join(names)}
    single = relabelled(audited(OUTCOME, {"joint": joint}, **options), texts)
    for frame in FRAMES:
        ours = [row for row in crossed[frame] if row["grouping"] == " x ".join(names)]
        assert ours == single[frame]
    values = ("metric", "group_high", "group_low", "value", "ratio")
    gaps = [row for row in crossed["gaps"] if row["grouping"] == " x ".join(names)]
    assert [[row[v] for v in values] for row in gaps] == [
        [row[v] for v in values] for row in single["gaps"]
    ]


@pytest.mark.parametrize("n_values", [3, 50])
def test_a_numeric_column_is_never_cut_without_being_asked(n_values):  # mljar-supervised#612
    ages = [18 + i % n_values for i in range(120)]
    coding = coded([0] * 120, {"age": ages}).sensitive[0].coding
    assert coding.texts == tuple(str(18 + i) for i in range(n_values))


@pytest.mark.parametrize("put", [list, np.array, lambda v: pd.Series(v, dtype="Int64")])
@pytest.mark.parametrize(
    ("cuts", "groups"),
    [
        ([40], ["< 40", ">= 40"]),
        ([25, 40, 65], ["< 25", "25-39", "40-64", ">= 65"]),
        ([18, 19], ["< 18", "18", ">= 19"]),
        ([40.5], ["< 40.5", ">= 40.5"]),
    ],
)
def test_ranges_are_those_asked_for_with_names_a_person_reads(put, cuts, groups):
    # mljar-supervised#612
    ages = [17 + i for i in range(60)]
    with pytest.raises(ar.InputError, match=r"'age' has 60 different numbers.*bins="):
        coded([0] * 60, {"age": put(ages)})
    column = coded([0] * 60, {"age": put(ages)}, bins={"age": cuts}).sensitive[0]
    shown = [column.coding.label(int(code)) for code in column.codes]
    assert list(dict.fromkeys(shown)) == [g for g in groups if g in shown]
    assert column.coding.texts[0] in groups
    for age, text in zip(ages, shown):
        assert text == groups[sum(age >= cut for cut in cuts)]


@pytest.mark.parametrize("cuts", [[], [40, 25], [40, 40], [float("nan")], ["a"], 40])
def test_ranges_that_make_no_sense_are_refused(cuts):
    with pytest.raises(ar.InputError, match=r"bins|cut|increasing"):
        coded([0] * 60, {"age": list(range(60))}, bins={"age": cuts})
