"""Distinct values: complete, and in an order that the rows do not decide."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
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


# Values that a float, a microsecond or a calendar cannot hold

BIG = 2**53
NEAR: dict[str, tuple[Any, tuple[object, ...]]] = {
    "decimals": (
        [Decimal("0.10000000000000000001"), Decimal("0.1"), Decimal("0.10")],
        (0.1, Decimal("0.10000000000000000001")),
    ),
    "whole decimals": ([Decimal(BIG + 1), Decimal(BIG)], (BIG, BIG + 1)),
    "decimals of Polars": (pl.Series([Decimal(BIG + 1), Decimal(BIG)]), (BIG, BIG + 1)),
    "decimals of PyArrow": (
        pa.array([Decimal(BIG + 1), Decimal(BIG)], pa.decimal128(38, 2)),
        (BIG, BIG + 1),
    ),
    "long decimals of PyArrow": (
        pa.array([Decimal(BIG + 1), Decimal(BIG)], pa.decimal256(60, 2)),
        (BIG, BIG + 1),
    ),
    "short decimals of PyArrow": (
        pa.array([Decimal("2.50"), Decimal("1.00")], pa.decimal64(5, 2)),
        (1, 2.5),
    ),
    "decimals of ArrowDtype": (
        pd.Series([Decimal(BIG + 1), Decimal(BIG)], dtype=pd.ArrowDtype(pa.decimal128(38, 0))),
        (BIG, BIG + 1),
    ),
    "whole numbers among floats": ([BIG + 1, 1.5, BIG], (1.5, BIG, BIG + 1)),
    "integers beyond 64 bits": ([2**100 + 1, 2**100], (2**100, 2**100 + 1)),
    "unsigned integers": ([2**63 + 1, 2**63, None], (2**63, 2**63 + 1)),
    "128 bits": (pl.Series([2**100 + 1, 2**100], dtype=pl.Int128), (2**100, 2**100 + 1)),
    "128 bits not needed": (pl.Series([2, None, 1], dtype=pl.Int128), (1, 2)),
    "unsigned 64 of 128 bits": (pl.Series([2**64 - 1, 1], dtype=pl.Int128), (1, 2**64 - 1)),
    "nanoseconds of PyArrow": (
        pa.array([2, 1, None], pa.timestamp("ns")),
        (pd.Timestamp(1), pd.Timestamp(2)),
    ),
    "nanoseconds of Polars": (
        pl.Series([2, 1, None]).cast(pl.Datetime("ns")),
        (pd.Timestamp(1), pd.Timestamp(2)),
    ),
    "zoned nanoseconds of Polars": (
        pl.Series([2, 1]).cast(pl.Datetime("ns", "Europe/Zurich")),
        (pd.Timestamp(1, tz="Europe/Zurich"), pd.Timestamp(2, tz="Europe/Zurich")),
    ),
    "nanoseconds between, of PyArrow": (
        pa.array([2, 1], pa.duration("ns")),
        (pd.Timedelta(1), pd.Timedelta(2)),
    ),
    "nanoseconds between, of Polars": (
        pl.Series([2, None, 1]).cast(pl.Duration("ns")),
        (pd.Timedelta(1), pd.Timedelta(2)),
    ),
    "halves of surrogate pairs": (["\ud801", "\ud800"], ("\ud800", "\ud801")),
    "runs": (pa.RunEndEncodedArray.from_arrays([2, 3], ["b", "a"]), ("a", "b")),
    "views of bytes": (pa.array([b"b", b"a"], pa.binary_view()), (b"a", b"b")),
    "an extension type": (
        pa.array([b"b" * 16, b"a" * 16], pa.uuid()),
        (b"a" * 16, b"b" * 16),
    ),
}


@pytest.mark.parametrize(("data", "levels"), NEAR.values(), ids=NEAR)
def test_values_that_are_near_or_odd_stay_apart(data, levels):
    found = distinct(read(data))
    assert [(type(level), level) for level in found.levels] == [
        (type(level), level) for level in levels
    ]
    assert found.counts.sum() == (found.codes >= 0).sum()
    assert found.counts.min() > 0


OUT_OF_RANGE: dict[str, Any] = {
    "seconds of PyArrow": pa.array([2**60, 2], pa.timestamp("s")),
    "days of PyArrow": pa.array([2**31 - 1, 2], pa.date32()),
    "durations of PyArrow": pa.array([2**62, 2], pa.duration("s")),
    "microseconds of Polars": pl.Series([2**60, 2]).cast(pl.Datetime("us")),
    "days of Polars": pl.Series([2**31 - 1, 2], dtype=pl.Int32).cast(pl.Date),
    "times of PyArrow that differ by nanoseconds": pa.array([1, 2], pa.time64("ns")),
    "times of Polars that differ by nanoseconds": pl.Series([1, 2]).cast(pl.Time),
    "texts that are not UTF-8": pa.array([b"\xff", b"a"]).view(pa.string()),
    "unions": pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, 2])]),
    "numbers too long to write": [10**5000, 1],
    "a decimal and a float that read the same": [Decimal("0.1"), 0.1, "a"],
}


@pytest.mark.parametrize("data", OUT_OF_RANGE.values(), ids=OUT_OF_RANGE)
def test_values_that_cannot_be_read_or_told_apart_are_refused(data):
    with pytest.raises(InputError, match="column 'x' holds values that cannot be read: "):
        distinct(read(data))


@pytest.mark.parametrize(
    "data",
    [
        pl.Series([dt.date(2024, 5, 1), None, dt.date(2023, 5, 1)]),
        pl.Series([dt.datetime(2024, 5, 1), None, dt.datetime(2023, 5, 1)]),
        pl.Series([dt.timedelta(1), None, dt.timedelta(-1)]),
        pl.Series([dt.time(2), None, dt.time(1)]),
        pl.Series([b"b", None, b"a"]),
        pl.Series([Decimal("2.5"), None, Decimal("-2.5")]),
        pl.Series([None, None, None], dtype=pl.Datetime("ns")),
    ],
    ids=lambda series: str(series.dtype),
)
def test_polars_and_pyarrow_hold_the_same_values(data):
    ours, theirs = distinct(read(data)), distinct(read(data.to_arrow()))
    assert ours.levels == theirs.levels == tuple(sorted(data.drop_nulls().to_list()))
    assert ours.codes.tolist() == theirs.codes.tolist()


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=25), min_size=1))
def test_decimals_are_one_level_if_and_only_if_they_are_equal(rows):
    found = distinct(read(rows))
    assert len(found.levels) == len(set(rows))
    assert [Decimal(str(found.levels[code])) for code in found.codes] == rows


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
