"""A coding gives the same code to the same value, now, later and after a trip through JSON."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from arbitree import _errors as errors
from arbitree.table.bins import Bins, check_bins
from arbitree.table.code import code_features, code_groups
from arbitree.table.codings import (
    CategoryCoding,
    Coding,
    NumericCoding,
    coding_from_dict,
)
from arbitree.table.frames import columns
from arbitree.table.levels import level_from_json, level_texts, level_to_json
from arbitree.table.units import MISSING, finest_unit, in_unit, time_text
from tests.oracles.codings import codes_by_loops

floats = hnp.arrays(np.float64, st.integers(1, 60), elements=st.floats())
texts = st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=30)


def feature(values: object, **options: int) -> Coding:
    return _only(code_features(columns({"x": values}, what="X", default_name="x"), **options))


def group(values: object, **options: object) -> Coding:
    return _only(code_groups(columns({"x": values}, what="A", default_name="x"), **options))


def _only(coded) -> Coding:
    (column,), _ = coded
    return column.coding


def through_json(coding: Coding) -> Coding:
    return coding_from_dict(json.loads(json.dumps(coding.to_dict(), allow_nan=False)))


@given(floats, st.integers(2, 70))
def test_larger_numbers_never_get_smaller_codes(values, max_bins):
    codes = feature(values, max_bins=max_bins).encode(np.sort(values))
    assert np.all(np.diff(codes.astype(int)) >= 0)


@given(floats)
def test_exact_codes_part_all_distinct_float32_numbers(values):
    coding = feature(values)
    with np.errstate(over="ignore"):
        narrow = np.maximum(np.float32(values[~np.isnan(values)]), np.finfo(np.float32).min)
    assert coding.n_values == max(len(np.unique(narrow + np.float32(0))), 1)
    assert coding.exact == (len(narrow) > 0)


@given(floats)
def test_the_values_of_an_exact_coding_have_their_codes(values):
    coding = feature(values)
    if coding.values is not None:
        assert coding.encode(coding.values).tolist() == list(range(coding.n_values))


@given(floats, floats, st.integers(2, 9))
def test_new_numbers_are_coded_by_edges_below(values, new, max_bins):
    coding = feature(values, max_bins=max_bins)
    assert coding.encode(new).tolist() == codes_by_loops(new.tolist(), coding.edges.tolist())


@given(floats, floats, st.integers(2, 9))
def test_a_numeric_coding_survives_json(values, new, max_bins):
    coding = feature(values, max_bins=max_bins)
    again = through_json(coding)
    assert again == coding
    assert hash(again) == hash(coding)
    np.testing.assert_array_equal(again.encode(new), coding.encode(new))


@given(texts)
def test_a_category_coding_survives_json(values):
    coding = group(values)
    again = through_json(coding)
    assert again == coding
    np.testing.assert_array_equal(again.encode(values), coding.encode(values))


@given(texts)
def test_levels_have_different_labels(values):
    coding = group(values)
    labels = [coding.label(code) for code in range(coding.n_codes)]
    assert len(set(labels)) == len(labels)
    assert labels[-1] == "(missing)"


@pytest.mark.parametrize(
    "level",
    [
        "f", 1, True, 0.1, float("inf"), dt.date(2024, 5, 1), dt.datetime(2024, 5, 1, 12),
        dt.time(1, 2), dt.timedelta(days=-1, microseconds=3), Decimal("1.10"), b"\x00a", ("a", 1),
        pd.Timestamp("2024-05-01 12:00", tz="Europe/Paris"), pd.Timestamp(1, unit="ns"),
        pd.Timedelta(5, unit="ns"), pd.Interval(0, 18, closed="left"), pd.Period("2024-05", "M"),
        pd.Interval(pd.Timestamp("2024"), pd.Timestamp("2025")),
    ],
    ids=repr,
)  # fmt: skip
def test_levels_survive_json(level):
    again = level_from_json(json.loads(json.dumps(level_to_json(level), allow_nan=False)))
    assert again == level
    assert type(again) is type(level)


def test_a_level_that_json_cannot_hold_says_what_to_do():
    with pytest.raises(errors.InputError, match="Turn the column into text"):
        level_to_json(object())
    with pytest.raises(errors.InputError, match="not a level"):
        level_from_json([1])


def test_a_dictionary_of_no_coding_is_an_error():
    with pytest.raises(errors.InputError, match="'numeric' or 'category'"):
        coding_from_dict({"type": "spline"})


def test_float32_edges_are_written_exactly():
    edge = np.float32(0.1)
    coding = NumericCoding(edges=np.array([edge]), exact=False, values=None, kind="number")
    assert coding.to_dict()["edges"] == [float(edge)]
    assert through_json(coding).edges[0] == edge


def test_values_read_as_people_write_them():
    assert feature([0.1, 2.0, 1e-7]).values.tolist() == [1e-7, 0.1, 2.0]
    assert feature([2**24 + 2, 1]).values.tolist() == [1, 2**24 + 2]


def test_infinite_numbers_have_codes_and_labels():
    coding = feature([-np.inf, 0.0, np.inf, np.nan])
    assert [coding.label(code) for code in range(4)] == ["-inf", "0", "inf", "(missing)"]
    assert np.isfinite(coding.edges).all()


def test_a_code_that_is_none_is_an_error():
    for coding in (feature([1, 2]), group(["a"])):
        with pytest.raises(errors.InputError, match="is not a code"):
            coding.label(coding.n_codes)
        with pytest.raises(errors.InputError, match="is not a code"):
            coding.label(-1)


def test_texts_where_numbers_are_coded_are_an_error():
    with pytest.raises(errors.InputError, match="column 'column' holds texts"):
        feature([1, 2]).encode(["1", "2"])


def test_dates_where_numbers_are_coded_are_an_error():
    with pytest.raises(errors.InputError, match="holds dates, where numbers"):
        feature([1, 2]).encode(pd.Series(pd.to_datetime(["2024-05-01"]), name="age"))


def test_a_column_of_missing_values_can_always_be_encoded():
    assert feature([1, 2]).encode([None, None]).tolist() == [2, 2]
    assert feature(pd.to_datetime(["2024-05-01"])).encode([None]).tolist() == [1]


def test_truths_where_numbers_are_coded_are_one_and_zero():
    assert feature([0, 1]).encode([True, False, None]).tolist() == [1, 0, 2]


def test_an_unseen_level_names_the_column_and_the_row():
    coding = group(["f", "m"])
    column = pd.Series(["f", "x"], name="sex")
    with pytest.raises(errors.InputError, match=r"'sex' has 'x' at row 1.*'f' and 'm'"):
        coding.encode(column)
    assert coding.encode(column, unseen="missing").tolist() == [0, 2]


def test_whole_numbers_are_the_same_level_as_floats_and_as_integers():
    coding = group([1, 2, 3])
    assert coding.encode([1.0, None, 3.0]).tolist() == [0, 3, 2]


def test_two_hundred_and_fifty_five_values_and_missing_fit_in_one_byte():
    assert feature(np.arange(255.0)).dtype == np.uint8
    assert feature(np.arange(256.0), max_bins=256).dtype == np.uint16


def test_levels_that_read_the_same_are_told_apart():
    assert level_texts([1, "1"]) == ("1", "'1'")
    assert level_texts([1.5, 2.0]) == ("1.5", "2")
    assert level_texts(["(missing)"]) == ("'(missing)'",)


def test_dates_are_numbers_with_a_unit_and_read_as_dates():
    coding = feature([dt.date(2024, 5, 1), None, dt.date(1969, 12, 31)])
    assert coding.kind == "date"
    assert coding.unit == "days since 1970-01-01"
    assert [coding.label(code) for code in range(3)] == ["1969-12-31", "2024-05-01", "(missing)"]


@pytest.mark.parametrize(
    ("first", "unit", "label"),
    [
        ("2024-05-01", "days since 1970-01-01", "2024-05-01"),
        ("2024-05-01T05:00", "hours since 1970-01-01", "2024-05-01 05:00"),
        ("2024-05-01T05:01", "minutes since 2024-05-01", "2024-05-01 05:01"),
        ("2024-05-01T05:01:02", "seconds since 2024-05-01", "2024-05-01 05:01:02"),
        ("2024-05-01T05:01:02.5", "seconds since 2024-05-01", "2024-05-01 05:01:02.500000"),
    ],
)
def test_times_count_the_largest_unit_that_divides_them(first, unit, label):
    coding = feature(pd.to_datetime(pd.Series([first, "2024-05-03"]), format="ISO8601"))
    assert coding.unit == unit
    assert [coding.label(code) for code in range(2)] == [label, "2024-05-03"]


def test_seconds_of_half_a_year_are_told_apart():
    start = pd.Timestamp("2024-01-01 00:00:01")
    later = start + pd.Timedelta(days=190)
    assert feature(pd.Series([start, later, later + pd.Timedelta(seconds=1)])).n_values == 3


def test_times_that_float32_cannot_tell_apart_are_counted():
    start = pd.Timestamp("1990-01-01 00:00:01")
    later = start + pd.Timedelta(days=9_000)
    moments = pd.Series([start, later, later + pd.Timedelta(seconds=1)])
    (column,), notices = code_features(columns({"t": moments}, what="X", default_name="x"))
    assert column.coding.n_values == 2
    assert notices == ("column 't' has 1 time so near to another that it counts as the same",)


def test_the_same_instant_in_another_time_zone_has_the_same_code():
    here = pd.Series(pd.to_datetime(["2024-05-01 12:00", "2024-06-01 12:00"])).dt.tz_localize("UTC")
    coding = feature(here)
    assert coding.encode(here.dt.tz_convert("Asia/Tokyo")).tolist() == [0, 1]
    assert coding.label(0) == "2024-05-01 12:00 UTC"
    with pytest.raises(errors.InputError, match="no time zone"):
        coding.encode(here.dt.tz_localize(None))


def test_durations_keep_their_unit():
    coding = feature([dt.timedelta(hours=36), dt.timedelta(days=1), None])
    assert coding.unit == "hours"
    assert [coding.label(code) for code in range(3)] == ["24 hours", "36 hours", "(missing)"]


@given(st.lists(st.integers(-(10**15), 10**15), min_size=1, max_size=5))
def test_times_in_their_unit_keep_their_order(microseconds):
    times = np.sort(np.array([*microseconds, MISSING]))
    numbers = in_unit(times, finest_unit("date", times[1:], utc=False))
    assert np.isnan(numbers[0])
    assert np.all(np.diff(numbers[1:]) >= 0)


def test_infinite_and_single_times_have_a_text():
    assert time_text(np.inf, "days") == "inf"
    assert time_text(1.0, "days") == "1 day"


def test_ranges_of_whole_numbers_read_as_people_say_them():
    assert Bins(edges=(-10, 0, 1, 18), whole=True).labels == (
        "< -10", "-10 to -1", "0", "1-17", ">= 18",
    )  # fmt: skip
    assert Bins(edges=(0.5, 2), whole=False).labels == ("< 0.5", "[0.5, 2)", ">= 2")


def test_ranges_of_fractions_are_half_open_even_where_values_are_whole():
    assert Bins(edges=(17.5, 30), whole=True).labels == ("< 17.5", "[17.5, 30)", ">= 30")


@pytest.mark.parametrize(
    "edges", [[], [2, 1], [1, 1], [0, float("inf")], [float("nan")], ["a"], 3, None, [None]]
)
def test_bins_must_be_increasing_finite_numbers(edges):
    with pytest.raises(errors.InputError, match=r"bins of column 'age'.*\[25, 40, 65\]"):
        check_bins("age", edges)


def test_bins_are_coded_again_after_json():
    coding = through_json(group([17, 25, None, 70], bins={"x": [25, 40, 65]}))
    assert isinstance(coding, CategoryCoding)
    assert coding.levels == ("< 25", "25-39", ">= 65")
    assert coding.declared_unused == ("40-64",)
    assert coding.encode([24.9, 25, 39, 65, None]).tolist() == [0, 1, 1, 2, 3]
    with pytest.raises(errors.InputError, match="'40-64' at row 0"):
        coding.encode([40])
    with pytest.raises(errors.InputError, match="must hold numbers"):
        coding.encode(["young"])


def test_both_truth_values_of_a_feature_have_codes():
    assert feature([True, True]).levels == (False, True)


def test_of_a_group_only_truth_values_that_occur_are_levels():
    coding = group([True, None, True])
    assert coding.levels == (True,)
    assert coding.declared_unused == (False,)


def test_half_a_surrogate_pair_is_written_out():
    assert level_texts(["caf\udce9", "b"]) == ("caf\\udce9", "b")
    assert level_texts(["\ud800", "\\ud800"]) == ("'\\ud800'", "'\\\\ud800'")
    assert level_from_json(json.loads(json.dumps(level_to_json("\ud800")))) == "\ud800"


@pytest.mark.parametrize("edges", [[10**400], [1, 10**400]], ids=["one", "two"])
def test_bins_beyond_all_floats_are_refused(edges):
    with pytest.raises(errors.InputError, match="Pass increasing finite numbers"):
        check_bins("age", edges)
