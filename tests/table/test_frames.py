"""The one door for data in memory: the same columns whatever they came in."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from arbitree._errors import ColumnError, InputError
from arbitree.table.distinct import distinct
from arbitree.table.frames import Column, column, columns, select
from tests.table.containers import every_container, every_text_container


def only(data: Any) -> Column:
    return column(data, what="X", default_name="x")


def names(data: Any) -> list[Any]:
    return [found.name for found in columns(data, what="X", default_name="x")]


def values(found: Column) -> list[object]:
    """Row by row, None where missing."""
    levels = distinct(found)
    return [None if code < 0 else levels.levels[code] for code in levels.codes]


# The same values


@every_text_container
def test_texts_are_the_same_from_every_container(put):
    given = ["b", None, "a", "ä", "b"]
    assert values(only(put(given))) == given


@every_container
@pytest.mark.parametrize(
    "given",
    [[3, None, 1, 3], [0.5, None, -1.5, 0.5], [True, None, False, True]],
    ids=["integers", "floats", "booleans"],
)
def test_numbers_and_truths_are_the_same_from_every_container(put, given):
    assert values(only(put(given))) == given


@every_container
def test_a_number_of_rows_is_kept_without_any(put):
    assert len(only(put([]))) == 0


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT], ids=repr)
@pytest.mark.parametrize("value", ["a", 1, 1.5, True], ids=repr)
def test_every_way_to_say_missing_is_missing(missing, value):
    assert values(only([value, missing])) == [value, None]


def test_a_text_that_says_nan_or_none_is_a_text():
    assert values(only(["nan", "None", "NA", "", None])) == ["nan", "None", "NA", "", None]


def test_a_float_nan_is_missing_in_polars_and_pyarrow_too():
    given = [1.0, float("nan"), None]
    for data in (pl.Series("x", given), pa.array(given), pd.Series(given, dtype="Float64")):
        assert values(only(data)) == [1.0, None, None]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint64", "float16", "float32", "longdouble", ">i4", ">f8", "bool"]
)
def test_numpy_dtypes_and_byte_orders(dtype):
    assert values(only(np.array([1, 0, 1], dtype=dtype))) == [1, 0, 1]


def test_masked_entries_are_missing():
    table = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    assert [values(found) for found in columns(table, what="X", default_name="x")] == [
        [1, 3],
        [None, 4],
    ]


def test_fixed_width_texts_and_utf8_bytes_are_texts():
    assert values(only(np.array(["yes", "no"]))) == ["yes", "no"]
    assert values(only(np.array(["ä".encode(), b"b"]))) == ["ä", "b"]


def test_integers_beyond_64_bits_are_kept():
    assert values(only([2**70, 1, 2**70])) == [2**70, 1, 2**70]


def test_decimals_are_numbers():
    given = [Decimal("1.5"), None]
    for data in (given, pl.Series(given), pa.array(given)):
        assert values(only(data)) == [1.5, None]


def test_sparse_columns_are_as_dense_ones():
    assert values(only(pd.Series(pd.arrays.SparseArray([0, 1, 0])))) == [0, 1, 0]


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Zurich"])
def test_moments_keep_their_time_zone(zone):
    stamps = pd.to_datetime(["2024-05-01 10:00", None, "2023-01-01 09:30"])
    moments = pd.Series(stamps).dt.tz_localize(zone)
    for data in (moments, moments.astype(object), pl.from_pandas(moments)):
        found = only(data)
        assert found.values.dtype == nw.Datetime
        assert values(found) == [moments[0], None, moments[2]]


def test_dates_periods_and_durations_are_times_not_texts():
    assert only([dt.date(2024, 5, 1), None]).values.dtype == nw.Datetime
    assert only(pl.Series([dt.date(2024, 5, 1)])).values.dtype == nw.Date
    assert only(pd.Series(pd.period_range("2024", periods=2, freq="M"))).values.dtype == nw.Datetime
    assert only([dt.timedelta(days=1)]).values.dtype == nw.Duration


def test_dates_of_numpy_days_are_read():
    assert only(np.array(["2024-05-01"], dtype="M8[D]")).values.dtype == nw.Datetime


def test_intervals_of_pandas_cut_are_ordered_categories():
    bands = pd.cut(pd.Series([70, 20, np.nan, 30]), [0, 18, 25, 65, 99])
    found = distinct(only(bands))
    assert found.ordered
    assert [level.right for level in found.levels] == [18, 25, 65, 99]
    assert found.counts.tolist() == [0, 1, 1, 1]
    assert values(only(bands.astype(object))) == [bands[0], bands[1], None, bands[3]]
    assert values(only(pd.Series(pd.arrays.IntervalArray.from_breaks([0, 1, 2])))) == [
        pd.Interval(0, 1),
        pd.Interval(1, 2),
    ]


def test_declared_levels_stay_in_their_order_even_if_unused():
    levels = ["low", "mid", "high"]
    for data in (
        pd.Categorical(["high", "low"], categories=levels),
        pl.Series(["high", "low"], dtype=pl.Enum(levels)),
        pa.DictionaryArray.from_arrays([2, 0], levels, ordered=True),
    ):
        assert distinct(only(data)).levels == tuple(levels)
        assert distinct(only(data)).counts.tolist() == [1, 0, 1]


def test_an_unused_category_does_not_mix_up_levels_when_the_first_row_is_missing():
    # pandas#21151
    data = pd.Categorical([np.nan, "a", np.nan, "a"], categories=["a", "b"])
    assert values(only(data)) == [None, "a", None, "a"]


def test_a_nullable_column_alone_in_its_frame_is_read():  # scikit-learn 1.9.1 refuses it
    frame = pd.DataFrame({"a": pd.array([1, pd.NA, 3], dtype="Int64")})
    assert values(only(frame)) == [1, None, 3]


def test_read_only_data_are_read_and_no_data_are_changed():
    data = np.array(["b", None, "a"], dtype=object)
    data.flags.writeable = False
    before = data.copy()
    assert values(only(data)) == ["b", None, "a"]
    assert data.tolist() == before.tolist()


def test_a_query_of_duckdb_is_read():
    query = duckdb.sql("select * from (values ('f', 1), ('m', 2)) as t(sex, n) order by n")
    found = columns(query, what="X", default_name="x")
    assert [(one.name, values(one)) for one in found] == [("sex", ["f", "m"]), ("n", [1, 2])]


def test_a_narwhals_frame_is_the_frame_it_wraps():
    frame = pd.DataFrame({"a": [1, 2]}, index=[7, 8])
    assert columns(nw.from_native(frame), what="X", default_name="x")[0].index is not None


def test_what_looks_like_an_array_is_read_as_one():
    class Tensor:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
            return np.array([1, 2, 1])

    assert values(only(Tensor())) == [1, 2, 1]


# Names


def test_names_are_kept_in_every_frame():
    data = {"sex": ["f"], "age (years)": [1], "age-years": [2], "[a], {b}: Возраст": [3]}
    for frame in (pd.DataFrame(data), pl.DataFrame(data), pa.table(data), data):
        assert names(frame) == list(data)


def test_names_of_series_are_kept():
    assert names(pd.Series([1], name="sex")) == ["sex"]
    assert names(pl.Series("sex", [1])) == ["sex"]
    assert names([pd.Series([1], name="sex"), pl.Series("race", [1])]) == ["sex", "race"]


@pytest.mark.parametrize(
    "name", [0, ("a", "b"), pd.Timestamp("2024-05-01"), "y_pred", 1.5], ids=str
)
def test_any_hashable_name_is_kept(name):
    assert names(pd.Series([1, 2], name=name)) == [name]
    assert names({name: [1, 2]}) == [name]


def test_integer_names_are_plain_integers():
    found = names(pd.DataFrame(np.ones((2, 3))))
    assert found == [0, 1, 2]
    assert [type(name) for name in found] == [int, int, int]


def test_columns_without_names_are_numbered():
    assert names([[1, 2], [3, 4]]) == ["x_0", "x_1"]
    assert names(np.ones((5, 2))) == ["x_0", "x_1"]
    assert names(pd.Series([1])) == names(pl.Series([1])) == names([1]) == ["x_0"]
    assert only([1]).name == "x"


def test_levels_of_names_become_tuples():
    frame = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert names(frame) == [("a", 1), ("a", 2)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "'a'"),
        ([pd.Series([1], name="a"), pd.Series([1], name="a")], "'a'"),
        ({0: [1], "0": [1]}, "0 and '0'"),
    ],
    ids=["pandas", "PyArrow", "list of series", "names that read the same"],
)
def test_two_columns_of_one_name_are_refused(data, said):
    with pytest.raises(ColumnError, match=f"X has two columns named {said}. Rename"):
        columns(data, what="X", default_name="x")


def test_a_wrong_name_suggests_the_nearest():
    found = columns({"income": [1], "age": [2]}, what="the file", default_name="x")
    assert select(found, "age", what="the file").name == "age"
    with pytest.raises(ColumnError, match=r"no column 'incme'\. Did you mean 'income'\?"):
        select(found, "incme", what="the file")


@pytest.mark.parametrize("hidden", ["\ufeffincome", "income ", "inc\u200bome", "income\xa0"])
def test_an_error_spells_out_invisible_characters_of_a_name(hidden):
    found = columns({hidden: [1], "age": [2]}, what="X", default_name="x")
    with pytest.raises(ColumnError) as error:
        select(found, "income", what="X")
    assert f"Did you mean {hidden!r}?" in str(error.value)


# What is refused


class Odd:
    pass


REFUSED: dict[str, tuple[Any, str]] = {
    "nothing": (None, "X is None"),
    "a name": ("sex", "X is the text 'sex'. Pass the values, for instance frame['sex']"),
    "a set": ({"f", "m"}, "X is of type set"),
    "an object": (Odd(), "X is of type Odd"),
    "a number": (7, "X is of type int"),
    "a cube": (np.ones((2, 2, 2)), "array of 3 dimensions"),
    "a scalar array": (np.array(3.0), "array of 0 dimensions"),
    "a sparse matrix": (sparse.eye_array(3), "sparse matrix. Pass X.toarray()"),
    "a ragged table": ([[1, 2], [3]], "row 1 does not have 2 values"),
    "rows and values": ([[1, 2], 3], "row 1 does not have 2 values"),
    "records": ([{"a": 1}], "list of records. Pass pandas.DataFrame(X)"),
    "a text for a column": ({"a": "f"}, "X column 'a' is not a column"),
    "a number for a column": ({"a": 3}, "X column 'a' is of type int"),
    "a dictionary for a column": ({"a": {"b": [1]}}, "X column 'a' is not a column"),
    "a table for a column": ({"a": np.ones((2, 2))}, "X column 'a' is not a column"),
    "no columns": ({}, "X has no columns"),
    "a frame without columns": (pd.DataFrame(), "X has no columns"),
    "complex numbers": ([1j], "X column 'x_0' holds complex numbers"),
    "a complex array": (np.array([1j]), "X column 'x_0' holds complex numbers"),
    "lists": (pl.Series([[1], [2, 3]]), "holds a list or a record in each row"),
    "structs": (pa.array([{"a": 1}]), "holds a list or a record in each row"),
    "bytes": (np.array([b"\xff"]), "bytes that are not UTF-8"),
    "a scalar of PyArrow": (pa.scalar(1), "X is of type Int64Scalar. Pass a frame"),
    "a schema of PyArrow": (pa.schema([]), "X is of type Schema. Pass a frame"),
    "raw bytes": (np.array([b"a"], dtype="V1"), "column 'x_0' holds values that cannot be read"),
    "times without a unit": (np.array([1], dtype="m8"), "must have a unit"),
    "periods beyond all dates": (
        pd.Series(pd.PeriodIndex.from_ordinals([10**7], freq="Y")),
        "X column 'x_0' holds values that cannot be read: Out of bounds",
    ),
    "a signalling NaN": ([Decimal("sNaN")], "X column 'x_0' holds a signalling NaN"),
    "a signalling NaN among texts": (["a", Decimal("sNaN")], "holds a signalling NaN"),
}


@pytest.mark.parametrize(("data", "advice"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_is_refused_with_advice(data, advice):
    with pytest.raises(InputError, match=re.escape(advice)):
        columns(data, what="X", default_name="x")


def test_several_columns_where_one_is_needed_are_refused():
    with pytest.raises(InputError, match=r"decisions has 2 columns\. Pass a single one"):
        column(np.ones((3, 2)), what="decisions", default_name="decision")


@pytest.mark.parametrize("name", ["\ud800", "caf\udce9"], ids=ascii)
def test_a_name_that_no_encoding_can_write_is_refused(name):
    with pytest.raises(ColumnError, match="which is not valid Unicode") as error:
        columns({name: [1]}, what="X", default_name="x")
    str(error.value).encode()


def test_values_that_cannot_be_compared_are_refused_with_the_columns_name():
    with pytest.raises(InputError, match="'x' holds values that cannot be compared"):
        distinct(only(pd.Series([[1], [2]])))
