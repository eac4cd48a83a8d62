"""Rows are paired for certain, or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree._errors import AlignmentError
from arbitree.table.align import aligned, alignment_notices
from arbitree.table.frames import Column, columns


def named(**data: Any) -> dict[str, list[Column]]:
    return {what: columns(one, what=what, default_name=what) for what, one in data.items()}


def rows(**data: Any) -> dict[str, list[Any]]:
    """Aligned values of the first column of each input."""
    return {what: found[0].values.to_list() for what, found in aligned(named(**data)).items()}


def refusal(**data: Any) -> str:
    with pytest.raises(AlignmentError) as error:
        aligned(named(**data))
    return str(error.value)


def test_identical_indexes_pass():
    index = pd.Index([5, 3, 9])
    assert rows(a=pd.Series([1, 2, 3], index), b=pd.Series([4, 5, 6], index.copy())) == {
        "a": [1, 2, 3],
        "b": [4, 5, 6],
    }


def test_default_indexes_pass():
    assert rows(a=pd.Series([1, 2]), b=pd.DataFrame({"x": [3, 4]}))["b"] == [3, 4]


def test_identical_indexes_pass_even_if_labels_repeat():
    index = ["p", "p", "q"]
    assert rows(a=pd.Series([1, 2, 3], index), b=pd.Series([4, 5, 6], index))["b"] == [4, 5, 6]


def test_labels_in_another_order_are_paired_by_label():  # fairness_pipeline_dev_toolkit#30
    found = rows(
        decisions=pd.Series([1, 1, 0, 0], index=[0, 1, 2, 3]),
        groups=pd.Series(["f", "f", "m", "m"], index=[3, 2, 1, 0]),
    )
    assert found == {"decisions": [1, 1, 0, 0], "groups": ["m", "m", "f", "f"]}


BANDS = pd.IntervalIndex.from_tuples([(0, 2), (1, 3), (2, 4)])
REORDERED: dict[str, tuple[pd.Index, pd.Index]] = {
    "overlapping intervals": (BANDS, BANDS[::-1]),
    "intervals and objects": (BANDS, BANDS[::-1].astype(object)),
    "categories": (pd.CategoricalIndex(list("abc")), pd.CategoricalIndex(list("cba"))),
    "levels": (
        pd.MultiIndex.from_tuples([(1, 1), (1, 2), (2, 1)]),
        pd.MultiIndex.from_tuples([(2, 1), (1, 2), (1, 1)]),
    ),
    "tuples and levels": (
        pd.Index([(1, 1), (1, 2), (2, 1)], tupleize_cols=False),
        pd.MultiIndex.from_tuples([(2, 1), (1, 2), (1, 1)]),
    ),
    "a missing label": (pd.Index(["a", None, 1]), pd.Index([1, None, "a"])),
}


@pytest.mark.parametrize(("index", "other"), REORDERED.values(), ids=REORDERED)
def test_every_kind_of_index_is_paired_by_label(index, other):
    assert rows(a=pd.Series([1, 2, 3], index), b=pd.Series([3, 2, 1], other))["b"] == [1, 2, 3]


STRANGERS: dict[str, tuple[pd.Index, pd.Index]] = {
    "intervals and numbers": (BANDS, pd.RangeIndex(3)),
    "categories": (pd.CategoricalIndex(list("abc")), pd.CategoricalIndex(list("xyz"))),
    "levels and numbers": (pd.MultiIndex.from_tuples([(1, 1), (1, 2), (2, 1)]), pd.RangeIndex(3)),
    "two and three levels": (
        pd.MultiIndex.from_tuples([(1, 1), (1, 2), (2, 1)]),
        pd.MultiIndex.from_tuples([(1, 1, 1), (1, 2, 1), (2, 1, 1)]),
    ),
    "lists": (pd.Index([[1], [2], [3]], dtype=object), pd.RangeIndex(3)),
    "zoned and local times": (
        pd.date_range("2024", periods=3, tz="UTC"),
        pd.date_range("2024", periods=3),
    ),
    "months and days": (
        pd.period_range("2024", periods=3, freq="M"),
        pd.period_range("2024", periods=3, freq="D"),
    ),
    "NA and numbers": (pd.Index([pd.NA, 1, 2], dtype=object), pd.RangeIndex(3)),
}


@pytest.mark.parametrize(("index", "other"), STRANGERS.values(), ids=STRANGERS)
@pytest.mark.parametrize("swap", [False, True])
def test_every_kind_of_index_with_other_labels_is_refused(index, other, swap):
    if swap:
        index, other = other, index
    said = refusal(a=pd.Series([1, 2, 3], index), b=pd.Series([1, 2, 3], other))
    assert said.startswith("a and b have different indexes: at row 0 the label is ")


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_pairing_by_label_agrees_with_a_dictionary(left, right):
    a = pd.Series([f"a{label}" for label in left], index=left)
    b = pd.DataFrame({"x": [f"b{label}" for label in right], "y": right}, index=right)
    found = aligned(named(a=a, b=b))
    by_label = dict(zip(right, b["x"]))
    assert found["b"][0].values.to_list() == [by_label[label] for label in left]
    assert found["b"][1].values.to_list() == list(left)
    assert all(one.index.equals(a.index) for column in found.values() for one in column)


@pytest.mark.parametrize(
    "labels",
    [
        ["p", "q", "r"],
        [1.5, 2.5, np.nan],
        [("a", 1), ("a", 2), ("b", 1)],
        list(pd.date_range("2024", periods=3, tz="UTC")),
        [200_003, 200_001, 250_000],
    ],
    ids=["texts", "floats with NaN", "two levels", "moments", "numbers far from positions"],
)
def test_any_labels_can_pair_rows(labels):
    index = pd.MultiIndex.from_tuples(labels) if isinstance(labels[0], tuple) else pd.Index(labels)
    found = rows(a=pd.Series([1, 2, 3], index), b=pd.Series([30, 10, 20], index.take([2, 0, 1])))
    assert found == {"a": [1, 2, 3], "b": [10, 20, 30]}


@pytest.mark.parametrize("dtype", ["category", "Int64", "string", "datetime64[us, UTC]", "boolean"])
def test_columns_of_any_dtype_can_be_reordered(dtype):
    values = pd.Series([1, 0, 1], index=["p", "q", "r"])
    typed = values.astype("str" if dtype == "string" else values.dtype).astype(dtype)
    moved = typed.loc[["r", "p", "q"]]
    assert aligned(named(a=values, b=moved))["b"][0].values.to_native().equals(typed)


def test_the_columns_of_one_dictionary_are_paired_too():
    found = aligned(
        named(a={"x": pd.Series([1, 2], ["p", "q"]), "y": pd.Series([4, 3], ["q", "p"])})
    )
    assert [one.values.to_list() for one in found["a"]] == [[1, 2], [3, 4]]


def test_inputs_without_an_index_are_paired_by_position():
    found = rows(a=np.array([1, 2]), b=pl.Series(["f", "m"]), c=["x", "y"])
    assert found == {"a": [1, 2], "b": ["f", "m"], "c": ["x", "y"]}


def test_an_array_is_paired_with_an_index_by_position():  # pycaret#2469
    found = rows(a=np.array([1, 2]), b=pd.Series(["f", "m"], index=[200_007, 200_003]))
    assert found["b"] == ["f", "m"]


def test_an_array_beside_two_orders_is_refused():
    said = refusal(
        decisions=[1, 0],
        groups=pd.Series(["f", "m"], index=["p", "q"]),
        sample_weight=pd.Series([1, 2], index=["q", "p"]),
    )
    assert "decisions has no index, so it cannot be known which order it follows" in said
    assert "groups and sample_weight have their rows in different orders" in said


def test_different_lengths_are_refused_with_both():
    said = refusal(decisions=[1, 0, 1], groups=pd.DataFrame({"sex": ["f"], "race": ["x"]}))
    assert said.startswith("decisions has 3 rows and groups column 'sex' has 1 row.")


def test_columns_of_different_lengths_in_one_dictionary_are_refused():
    said = refusal(groups={"sex": ["f", "m"], "race": ["x"]})
    assert said.startswith("groups column 'sex' has 2 rows and groups column 'race' has 1 row.")


def test_other_labels_are_refused_with_the_first_row_that_differs():
    said = refusal(
        decisions=pd.Series([1, 0, 1], index=[10, 11, 12]),
        groups=pd.Series(["f", "m", "f"], index=[10, 12, 14]),
    )
    assert "at row 1 the label is 11 in decisions and 12 in groups" in said
    assert "1 label of decisions, such as 11, cannot be found in groups" in said
    assert ".reset_index(drop=True)" in said
    assert ".loc" in said


def test_a_default_index_beside_other_labels_is_refused():
    said = refusal(decisions=pd.Series([1, 0]), groups=pd.Series(["f", "m"], index=[7, 3]))
    assert "at row 0 the label is 0 in decisions and 7 in groups" in said


def test_labels_of_another_type_are_refused():
    said = refusal(a=pd.Series([1, 0], index=[1, 2]), b=pd.Series([1, 0], index=["1", "2"]))
    assert "the label is 1 in a and '1' in b" in said


def test_labels_that_repeat_in_another_order_are_refused():
    said = refusal(
        a=pd.Series([1, 2, 3], index=["p", "p", "q"]), b=pd.Series([1, 2, 3], index=["p", "q", "p"])
    )
    assert "at row 1 the label is 'p' in a and 'q' in b" in said
    assert "labels repeat" in said


def test_a_reordering_is_told_and_nothing_else_is():
    moved = named(a=pd.Series([1, 2], index=[0, 1]), b=pd.Series([1, 2], index=[1, 0]))
    (said,) = alignment_notices(moved)
    assert said.startswith("The rows of b were paired with those of a by the labels")
    assert alignment_notices(named(a=[1, 2], b=pd.Series([1, 2]))) == ()


def test_aligning_changes_nothing_that_was_given():
    moved = pd.Series([1, 2], index=["q", "p"])
    aligned(named(a=pd.Series([1, 2], index=["p", "q"]), b=moved))
    assert moved.to_dict() == {"q": 1, "p": 2}
