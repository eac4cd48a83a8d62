"""Distinct values: complete, and in an order that the rows do not decide."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree._errors import InputError, MissingValueError
from arbitree.table.distinct import distinct, natural_order
from arbitree.table.frames import Column, column
from arbitree.table.missing import check_policy, is_missing, refuse_missing
from tests.table.containers import every_container, every_text_container

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, 0.5]),
    st.text(max_size=2),
)


def read(data: Any) -> Column:
    return column(data, what="X", default_name="x")


@given(st.lists(anything, min_size=1))
def test_counts_agree_with_a_dictionary(rows):
    found = distinct(read(rows))
    assert dict(zip(found.levels, found.counts.tolist())) == Counter(
        row for row in rows if row is not None
    )
    assert [None if c < 0 else found.levels[c] for c in found.codes] == rows


@given(st.lists(anything, min_size=1), st.randoms())
def test_the_order_of_rows_does_not_change_the_levels(rows, shuffle: random.Random):
    moved = shuffle.sample(rows, len(rows))
    before, after = distinct(read(rows)), distinct(read(moved))
    assert [(type(level), level) for level in before.levels] == [
        (type(level), level) for level in after.levels
    ]
    assert before.counts.tolist() == after.counts.tolist()


@given(st.lists(st.one_of(st.none(), st.text(max_size=2)), min_size=1))
def test_pandas_polars_and_pyarrow_agree(rows):
    expected = distinct(read(rows))
    series = pl.Series("x", rows, dtype=pl.String)
    for data in (series, series.cast(pl.Categorical), series.to_arrow()):
        found = distinct(read(data))
        assert found.levels == expected.levels
        assert found.codes.tolist() == expected.codes.tolist()


@pytest.mark.parametrize(
    ("levels", "ordered"),
    [
        (["10", "9", "1", "2"], ("1", "2", "9", "10")),
        (["b", "B", "a", "10"], ("10", "B", "a", "b")),
        ([10, 2.5, 1], (1, 2.5, 10)),
        ([True, False], (False, True)),
        (["-1", "1"], ("-1", "1")),
        (["b", 2, "a", 1], (1, 2, "a", "b")),
        (["1", 1], (1, "1")),
        ([pd.Interval(18, 25), pd.Interval(0, 18)], (pd.Interval(0, 18), pd.Interval(18, 25))),
        ([(2, "b"), (2, 1)], ((2, "b"), (2, 1))),
    ],
    ids=str,
)
def test_natural_order(levels, ordered):
    assert natural_order(levels) == natural_order(levels[::-1]) == ordered


@pytest.mark.parametrize("kind", [int, str])
def test_twelve_numbered_groups_stand_in_the_order_of_their_numbers(kind):
    rows = [kind(i) for i in range(12, 0, -1)]
    assert distinct(read(rows)).levels == tuple(kind(i) for i in range(1, 13))


def test_equal_values_of_several_types_are_one_level_whichever_comes_first():
    for rows in (["a", 1, True, 1.0], ["a", True, 1, 1.0], ["a", 1.0, 1, True]):
        levels = distinct(read(rows)).levels
        assert levels == (1, "a")
        assert type(levels[0]) is int


def test_a_truth_among_texts_stays_a_truth():
    for missing in (None, float("nan")):
        assert distinct(read([True, "a", missing])).levels == (True, "a")


def test_levels_are_python_values():
    for rows in (np.array([1, 2]), np.array([0.5]), np.array([True]), np.array(["a"])):
        assert {type(level) for level in distinct(read(rows)).levels} <= {int, float, bool, str}


# Missing values


@every_text_container
def test_missing_texts_are_found_in_every_container(put):
    assert is_missing(read(put(["a", None, "b", None]))).tolist() == [False, True, False, True]


@every_container
@pytest.mark.parametrize("value", [1, 1.5, True], ids=repr)
def test_missing_numbers_are_found_in_every_container(put, value):
    assert is_missing(read(put([value, None, value]))).tolist() == [False, True, False]


@every_text_container
def test_the_refusal_of_missing_values_is_the_same_for_every_container(put):  # fairlearn#1155
    found = column(
        put(["a", "b", "a", None, "b", None]), what="sensitive_features", default_name="x"
    )
    with pytest.raises(MissingValueError) as error:
        refuse_missing(found, is_missing(found), what="sensitive_features")
    assert str(error.value) == (
        "sensitive_features column 'x' has 2 missing values, the first at row 3. Fill or drop "
        "such rows, or pass missing='drop' to leave them out or missing='group' to keep them apart."
    )


def test_nothing_missing_is_nothing_to_refuse():
    refuse_missing(read([1, 2]), np.array([False, False]), what="X")


@pytest.mark.parametrize("policy", ["ignore", None, True, "Drop"])
def test_a_wrong_policy_lists_the_policies(policy):
    with pytest.raises(InputError, match="Pass 'error', 'drop' or 'group'"):
        check_policy(policy)
