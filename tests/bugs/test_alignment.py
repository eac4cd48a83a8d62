"""Failures reported of other tools: which rows belong together."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

from .audits import (
    DECISIONS,
    LABELS,
    RACE,
    SEX,
    audited,
    coded,
    expected_numbers,
    numbers,
    selected,
)

ROLES = ("decisions", "sensitive_features", "y_true", "control_features", "sample_weight")
INDEXES = {
    "numbers from elsewhere": np.random.default_rng(0).permutation(np.arange(200_000, 200_012)),
    "a shuffled default": np.random.default_rng(1).permutation(12),
    "negative numbers": np.arange(-12, 0),
    "texts": [f"person {i}" for i in range(12)],
    "dates": pd.date_range("2024-01-01", periods=12),
    "fractions": np.arange(12) / 2,
    "two levels": pd.MultiIndex.from_product([["a", "b"], range(6)]),
    "labels that repeat": [0, 1] * 6,
    "a missing label": [None, *"abcdefghijk"],
}
every_index = pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)


def indexed(index: object) -> dict[str, pd.Series]:
    columns = {
        "decisions": DECISIONS,
        "sensitive_features": SEX,
        "y_true": LABELS,
        "control_features": RACE,
        "sample_weight": np.arange(1.0, 13.0),
    }
    return {role: pd.Series(values, index=index, name=role) for role, values in columns.items()}


def rows(table: ar.CodedTable) -> list[tuple[float, ...]]:
    """Every row as its codes, in the order of their weights, which tell the rows apart."""
    columns = (
        table.decisions.codes,
        table.sensitive[0].codes,
        table.labels.codes,
        table.control[0].codes,
        table.weights,
    )
    return sorted(zip(*(column.tolist() for column in columns)), key=lambda row: row[-1])


@every_index
def test_labels_of_an_index_are_never_positions(index):  # pycaret#2469
    assert rows(coded(**indexed(index))) == rows(coded(**indexed(None)))


@every_index
def test_rows_that_were_sampled_are_audited_as_themselves(index):  # pycaret PR#2055
    frame = pd.DataFrame(indexed(index)).sample(8, random_state=0)
    plain = frame.reset_index(drop=True)
    assert rows(coded(**frame)) == rows(coded(**plain))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ["a shuffled default", "two levels", "a missing label"])
def test_the_same_labels_in_another_order_pair_by_label_and_it_is_said(role, name):
    # fairness_pipeline_dev_toolkit#30
    inputs = indexed(INDEXES[name])
    turned = inputs | {role: inputs[role].iloc[::-1]}
    table = coded(**turned)
    assert rows(table) == rows(coded(**inputs))
    assert any("paired" in notice for notice in table.notices)
    assert not coded(**inputs).notices


def test_the_gap_is_of_the_rows_that_belong_together():  # fairness_pipeline_dev_toolkit#30
    decisions = pd.Series([1, 1, 0, 0], index=[0, 1, 2, 3])
    sex = pd.Series(list("ffmm"), index=[3, 2, 1, 0], name="sex")
    found = audited(decisions, sex)
    assert selected(found) == {"f": (0, 2), "m": (2, 2)}
    by_position = audited(decisions, sex.reset_index(drop=True))
    assert selected(by_position) == {"f": (2, 2), "m": (0, 2)}


@pytest.mark.parametrize("role", ROLES)
def test_labels_that_cannot_be_paired_are_an_error_that_says_what_to_do(role):
    inputs = indexed(INDEXES["texts"])
    others = inputs[role].set_axis([f"other {i}" for i in range(12)])
    with pytest.raises(ar.AlignmentError, match=r"row 0.*reset_index") as caught:
        coded(**inputs | {role: others})
    assert role in str(caught.value)
    repeated = indexed(INDEXES["labels that repeat"])
    with pytest.raises(ar.AlignmentError, match="labels repeat"):
        coded(**repeated | {role: repeated[role].iloc[::-1]})


@pytest.mark.parametrize("role", ROLES[1:])
@pytest.mark.parametrize("put", [list, pd.Series], ids=["list", "series"])
@pytest.mark.parametrize("n_rows", [0, 1, 24])
def test_other_lengths_are_an_error_with_both(role, put, n_rows):
    # fairness_pipeline_dev_toolkit#30
    inputs = {name: put(column.tolist()) for name, column in indexed(None).items()}
    inputs[role] = put((indexed(None)[role].tolist() * 2)[:n_rows])
    with pytest.raises(ar.AlignmentError, match=rf"12 rows.*\b{n_rows} row") as caught:
        coded(**inputs)
    assert role in str(caught.value)


@pytest.mark.parametrize("order", list(itertools.permutations(["sex", "race", "region"])))
def test_columns_are_known_by_name_and_never_by_place(order, tmp_path):  # imodels PR#290
    frame = pd.DataFrame({"sex": SEX, "race": RACE, "region": ["n", "s"] * 6, "ok": DECISIONS})
    found = audited(frame["ok"], frame[list(order)], cross=False)
    by_sex = {name: numbers(found)[name] for name in ("by_group", "summary")}
    expected = expected_numbers()
    for name, ours in by_sex.items():
        assert [row for row in ours if row["grouping"] == "sex"] == expected[name]
    path = tmp_path / "a.csv"
    frame[["ok", *order]].to_csv(path, index=False)
    table = ar.read(path, decision="ok", sensitive="sex", control="race")
    assert table.sensitive[0].codes.tolist() == [int(sex == "m") for sex in SEX]
    assert table.control[0].codes.tolist() == ["abc".index(race) for race in RACE]


@pytest.mark.parametrize("wrong", ["Sex", "sex ", "se", "gender"])
def test_a_column_that_is_not_there_is_an_error_with_the_nearest(wrong, tmp_path):
    path = tmp_path / "a.csv"
    pd.DataFrame({"sex": SEX, "ok": DECISIONS}).to_csv(path, index=False)
    hint = "There are" if wrong == "gender" else "Did you mean 'sex'"
    with pytest.raises(ar.ColumnError, match=hint):
        ar.read(path, decision="ok", sensitive=wrong)
