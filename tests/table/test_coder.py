"""A column in batches gets the coding and the codes of the same column in one piece."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import pairwise

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import _errors as errors
from arbitree.table.code import code_features, code_groups
from arbitree.table.coded_column import CodedColumn
from arbitree.table.coder import ColumnCoder
from arbitree.table.frames import Column, columns
from arbitree.table.provisional import KeyRegister, LevelRegister, ProvisionalCodes
from tests.oracles.codings import codes_by_loops, edges_by_loops

DAY = np.datetime64("2024-05-01", "us")
COLUMNS: dict[str, st.SearchStrategy] = {
    "numbers": st.floats(),
    "few numbers": st.sampled_from([0.1, 2.0, -0.0, 0.0, np.nan, np.inf, -np.inf]),
    "whole numbers": st.integers(-5, 5),
    "truths": st.booleans(),
    "texts": st.one_of(st.none(), st.text("ab1", max_size=2)),
    "moments": st.integers(0, 10**13).map(lambda us: DAY + np.timedelta64(us, "us")),
    "days": st.integers(0, 1000).map(lambda day: DAY + np.timedelta64(day, "D")),
}


def series(values: object) -> nw.Series:
    return nw.from_native(pd.Series(values), series_only=True)


def passes(coder: ColumnCoder, batches: list) -> int:
    """Feed the batches as often as they are wanted."""
    n_passes, wanted = 0, True
    while wanted:
        for batch in batches:
            coder.add(batch)
        wanted = coder.end_pass()
        n_passes += 1
    return n_passes


def in_pieces(values: pd.Series, cuts: list[int], **options) -> CodedColumn:
    coder = ColumnCoder("x", **options)
    edges = [0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]
    passes(coder, [series(values[a:b]) for a, b in pairwise(edges)])
    return coder.finish()


@pytest.mark.parametrize("role", ["feature", "group"])
@pytest.mark.parametrize("kind", list(COLUMNS))
@settings(max_examples=30)
@given(data=st.data())
def test_batches_do_not_matter(kind, role, data):
    values = pd.Series(data.draw(st.lists(COLUMNS[kind], min_size=1, max_size=40)))
    cuts = data.draw(st.lists(st.integers(0, 40), max_size=4))
    one, other = in_pieces(values, [], role=role), in_pieces(values, cuts, role=role)
    assert one.coding == other.coding
    np.testing.assert_array_equal(one.codes, other.codes)


@pytest.mark.parametrize("role", ["feature", "group"])
@pytest.mark.parametrize("kind", list(COLUMNS))
@settings(max_examples=30)
@given(data=st.data())
def test_the_order_of_rows_does_not_matter(kind, role, data):
    values = pd.Series(data.draw(st.lists(COLUMNS[kind], min_size=1, max_size=40)))
    order = data.draw(st.permutations(range(len(values))))
    one = in_pieces(values, [], role=role)
    other = in_pieces(values.iloc[list(order)].reset_index(drop=True), [], role=role)
    assert one.coding == other.coding
    np.testing.assert_array_equal(one.codes[list(order)], other.codes)


@pytest.mark.parametrize("kind", list(COLUMNS))
@settings(max_examples=30)
@given(data=st.data())
def test_encoding_the_same_column_later_gives_the_same_codes(kind, data):
    values = pd.Series(data.draw(st.lists(COLUMNS[kind], min_size=1, max_size=40)))
    coded = in_pieces(values, [3])
    np.testing.assert_array_equal(coded.coding.encode(values), coded.codes)


@settings(max_examples=60)
@given(
    values=st.lists(st.floats(width=32), min_size=1, max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=4),
    max_bins=st.integers(2, 10),
)
def test_many_numbers_take_three_passes_to_the_same_edges(values, cuts, max_bins):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arbitree.table.observe.MOST_LEVELS", 10)
        coded = in_pieces(pd.Series(values), cuts, max_bins=max_bins)
    edges = edges_by_loops(values, max_bins)
    assert coded.coding.edges.tolist() == edges
    assert coded.codes.tolist() == codes_by_loops(values, edges)
    assert coded.coding == in_pieces(pd.Series(values), [], max_bins=max_bins).coding


def test_a_million_numbers_in_batches_are_those_in_one_piece():
    values = pd.Series(np.random.default_rng(5).normal(size=200_000))
    values[7] = np.nan
    coder = ColumnCoder("x")
    assert (
        passes(coder, [series(values[:3]), series(values[3:150_000]), series(values[150_000:])])
        == 3
    )
    (one,), _ = code_features(columns({"x": values}, what="X", default_name="x"))
    assert one.coding == coder.finish().coding
    np.testing.assert_array_equal(one.codes, coder.finish().codes)
    assert one.codes[7] == one.coding.missing_code
    assert one.coding.admits_missing
    assert not one.coding.exact
    sizes = np.bincount(one.codes)[:-1]
    assert sizes.max() - sizes.min() <= 2


@pytest.mark.parametrize(
    "values", [np.arange(60_000) % 50_000, np.arange(300) / 7, ["a", "b", None], [True, False]]
)
def test_up_to_65_535_distinct_values_take_one_pass(values):
    coder = ColumnCoder("x")
    assert passes(coder, [series(values)]) == 1


def test_codes_are_read_only_and_contiguous():
    codes = in_pieces(pd.Series([1.5, None]), []).codes
    assert codes.flags.c_contiguous
    assert not codes.flags.writeable
    assert codes.dtype == np.uint8


def test_more_than_255_levels_take_two_bytes():
    coded = in_pieces(pd.Series([f"level {i}" for i in range(300)]), [100])
    assert coded.codes.dtype == np.uint16
    assert coded.coding.n_codes == 301


def test_many_texts_are_an_error_that_says_what_to_do():
    texts = pd.Series([f"id {i}" for i in range(65_536)])
    with pytest.raises(errors.InputError, match=r"'x' has more than 65,535.*Drop it, or bin it"):
        in_pieces(texts, [])
    with pytest.raises(errors.InputError, match=r"'x' has more than 65,535"):
        in_pieces(texts, [30_000], role="group")


def test_many_numbers_as_groups_are_an_error_that_says_what_to_do():
    with pytest.raises(errors.InputError, match=r"'x' has 51 different numbers.*bins=\{'x'"):
        in_pieces(pd.Series(range(51)), [20], role="group")
    assert in_pieces(pd.Series(range(50)), [20], role="group").coding.n_values == 50
    with pytest.raises(errors.InputError, match="more than 65,535 different numbers"):
        in_pieces(pd.Series(np.arange(70_000.0)), [20], role="group")


def test_many_dates_as_groups_are_an_error_that_says_what_to_do():
    with pytest.raises(errors.InputError, match="Pass the year"):
        in_pieces(pd.Series(pd.date_range("2024", periods=51)), [], role="group")


def test_bins_make_ranges_of_many_numbers_in_one_pass():
    ages = pd.Series(np.random.default_rng(0).uniform(16, 90, 100_000))
    coder = ColumnCoder("age", role="group", bins=[25, 65])
    assert passes(coder, [series(ages[:10]), series(ages[10:])]) == 1
    coded = coder.finish()
    assert coded.coding.levels == ("< 25", "[25, 65)", ">= 65")
    expected = np.digitize(ages, [25, 65])
    np.testing.assert_array_equal(coded.codes, expected)


def test_bins_of_whole_numbers_stay_whole_with_missing_values():
    coded = in_pieces(pd.Series([17.0, np.nan, 30.0]), [1], role="group", bins=[25, 40])
    assert coded.coding.levels == ("< 25", "25-39")
    assert coded.codes.tolist() == [0, 2, 1]


def test_bins_need_numbers():
    with pytest.raises(errors.InputError, match="bins, which need numbers, and holds texts"):
        in_pieces(pd.Series(["young"]), [], role="group", bins=[25])


def test_a_feature_that_changes_type_is_an_error():
    coder = ColumnCoder("x")
    coder.add(series([1, 2]))
    with pytest.raises(errors.InputError, match="holds numbers and further down texts"):
        coder.add(series(["a"]))


def test_batches_without_values_have_no_type():
    coder = ColumnCoder("x")
    empty = nw.from_native(pa.chunked_array([pa.array([None, None])]), series_only=True)
    passes(coder, [empty, series(["b", "a"]), empty])
    coded = coder.finish()
    assert coded.codes.tolist() == [2, 2, 1, 0, 2, 2]
    assert coded.coding.admits_missing


def test_a_group_column_may_mix_types_over_batches():
    coder = ColumnCoder("x", role="group")
    passes(coder, [series([1, 2]), series(["1"]), series([1.0])])
    assert coder.finish().coding.levels == (1, 2, "1")
    assert coder.finish().codes.tolist() == [0, 1, 2, 0]


def test_categories_declared_alike_in_every_batch_keep_their_order():
    values = pd.Series(
        pd.Categorical(["lo", "hi", None], categories=["lo", "mid", "hi"], ordered=True)
    )
    coded = in_pieces(values, [1])
    assert coded.coding.levels == ("lo", "hi")
    assert coded.coding.declared_unused == ("mid",)
    assert coded.coding.kind == "ordered"


def test_categories_declared_otherwise_in_a_batch_have_natural_order():
    coder = ColumnCoder("x")
    passes(coder, [series(pd.Categorical(["b"], ["b", "a"])), series(pd.Categorical(["a"], ["a"]))])
    assert coder.finish().coding.levels == ("a", "b")


def test_declared_categories_that_no_row_has_are_kept_for_the_record():
    values = pd.Series(pd.Categorical([None, None], categories=["b", "a"]))
    coding = in_pieces(values, [], role="group").coding
    assert coding.levels == ()
    assert coding.declared_unused == ("b", "a")


def test_rows_that_change_between_passes_are_an_error():
    values = np.random.default_rng(0).normal(size=140_000)
    coder = ColumnCoder("x")
    coder.add(series(values))
    assert coder.end_pass()
    coder.add(series(values[:-1]))
    with pytest.raises(errors.InputError, match="must not change"):
        coder.end_pass()


def test_a_column_that_is_not_done_says_so():
    with pytest.raises(errors.InputError, match="another pass"):
        ColumnCoder("x").finish()


@pytest.mark.parametrize("max_bins", [1, 65_536, 2.5, True, "many"])
def test_max_bins_must_be_a_number_of_bins(max_bins):
    with pytest.raises(errors.InputError, match="from 2 to 65,535"):
        ColumnCoder("x", max_bins=max_bins)


def test_numbers_beyond_float32_are_told_with_their_column():
    values = pd.Series([7.9e25, -1.6e71, 1.0, np.inf])
    (column,), notices = code_features(columns({"big": values}, what="X", default_name="x"))
    assert column.codes.tolist() == [2, 0, 1, 3]
    assert len(notices) == 1
    assert "'big' has 1 number beyond the range of float32" in notices[0]


def test_many_numbers_beyond_float32_are_told_too():
    values = np.append(np.random.default_rng(0).normal(size=200_000), [1e300, -1e300])
    (column,), notices = code_features(columns({"big": values}, what="X", default_name="x"))
    assert "2 numbers beyond" in notices[0]
    assert column.codes[-2] == 254
    assert column.codes[-1] == 0


def test_many_moments_count_days():
    moments = pd.Series(pd.date_range("2020-01-01", periods=200_000, freq="7min"))
    coder = ColumnCoder("t", max_bins=16)
    assert passes(coder, [series(moments[:90_000]), series(moments[90_000:])]) == 3
    coding = coder.finish().coding
    assert coding.unit == "days since 1970-01-01"
    assert coding.kind == "date"
    np.testing.assert_array_equal(np.bincount(coder.finish().codes), [12_500] * 16)
    assert coding.label(0).startswith("<= 2020-03-01")


# Texts from a file.


def typed(convert: Callable) -> Callable[[Column], Column]:
    def of_column(column: Column) -> Column:
        values = column.values.to_list()
        try:
            native = pd.Series([None if v is None else convert(v) for v in values])
        except ValueError:
            return column
        return Column(column.name, nw.from_native(native, series_only=True))

    return of_column


def read_texts(values: list, cuts: list[int], convert: Callable = float, **options) -> ColumnCoder:
    texts = pd.Series(values, dtype=object)
    coder = ColumnCoder("x", typed=typed(convert), **options)
    edges = [0, *cuts, len(texts)]
    coder.n_passes = passes(coder, [series(texts[a:b]) for a, b in pairwise(edges)])
    return coder


def test_texts_that_are_all_numbers_are_numbers_after_one_pass():
    coder = read_texts(["1", "10", None, "2", "2.0"], [2])
    assert coder.n_passes == 1
    assert coder.finish().coding.values.tolist() == [1, 2, 10]
    assert coder.finish().codes.tolist() == [0, 2, 3, 1, 1]


def test_one_text_anywhere_makes_texts_of_all():
    coded = read_texts(["1", "10", "2", "x"], [3]).finish()
    assert coded.coding.levels == ("1", "10", "2", "x")


def test_texts_of_groups_stay_as_they_are():
    coded = read_texts(["02", "1", "10"], [1], role="group").finish()
    assert coded.coding.levels == ("1", "02", "10")


def test_many_numbers_as_texts_are_too_many_groups():
    with pytest.raises(errors.InputError, match="51 different numbers"):
        read_texts([str(i) for i in range(51)], [10], role="group")


def test_ranges_of_numbers_given_as_texts():
    coded = read_texts(["17", "41", None], [1], role="group", bins=[25, 40]).finish()
    assert coded.coding.levels == ("< 25", ">= 40")
    assert coded.codes.tolist() == [0, 1, 2]
    with pytest.raises(errors.InputError, match="not all its texts are numbers"):
        read_texts(["17", "old"], [1], role="group", bins=[25, 40])


def test_texts_of_dates_become_dates():
    coded = read_texts(["2024-05-02", "2024-05-01"], [1], convert=pd.Timestamp).finish()
    assert coded.coding.unit == "days since 1970-01-01"
    assert coded.codes.tolist() == [1, 0]


def test_texts_of_truths_become_truths():
    coded = read_texts(["true", "false", None], [], convert={"true": True, "false": False}.get)
    assert coded.finish().coding.kind == "boolean"
    assert coded.finish().codes.tolist() == [1, 0, 2]


def test_many_texts_of_numbers_take_three_passes_to_the_codes_of_the_numbers():
    numbers = np.random.default_rng(2).normal(size=140_000).round(6)
    numbers[:2] = [np.nan, 1e300]
    texts = [None if np.isnan(x) else repr(float(x)) for x in numbers]
    coder = read_texts(texts, [10_000, 100_000])
    assert coder.n_passes == 3
    assert "1 number beyond" in coder.notices[0]
    (one,), _ = code_features(columns({"x": numbers}, what="X", default_name="x"))
    assert coder.finish().coding == one.coding
    np.testing.assert_array_equal(coder.finish().codes, one.codes)


def test_many_texts_of_numbers_with_a_word_further_down_are_too_many_levels():
    texts = [*map(str, range(70_000)), "unknown"]
    with pytest.raises(errors.InputError, match="more than 65,535 different values"):
        read_texts(texts, [70_000])


# The parts.


@given(st.lists(st.lists(st.integers(0, 20), unique=True), max_size=6))
def test_registers_give_the_next_places_to_what_is_new(batches):
    keys, levels = KeyRegister(), LevelRegister()
    for batch in map(sorted, batches):  # keys get their places in increasing order
        np.testing.assert_array_equal(
            keys.places(np.array(batch, dtype=np.int64)), levels.places(batch)
        )
        np.testing.assert_array_equal(
            keys.places(np.array(batch[::-1], dtype=np.int64)), levels.places(batch[::-1])
        )
    assert sorted(keys.in_order().tolist()) == sorted(levels.in_order())
    for register in (keys, levels):
        in_order = register.in_order()
        np.testing.assert_array_equal(register.places(in_order), np.arange(len(register)))


def test_of_equal_levels_the_whole_number_is_kept():
    register = LevelRegister()
    register.places([True])
    register.places([1])
    register.places([1.0])
    assert [type(level) for level in register.in_order()] == [int]


def test_provisional_codes_are_looked_up_over_all_batches():
    codes = ProvisionalCodes()
    codes.add(np.array([0, -1]), np.array([1]))
    codes.add(np.array([1, 0]), np.array([0, 300]))
    np.testing.assert_array_equal(codes.counts(301)[[0, 1, 2, 301]], [1, 1, 1, 1])
    final = np.arange(302, dtype=np.uint16)
    assert codes.looked_up(final).tolist() == [2, 0, 301, 1]


def test_batches_of_every_library_are_the_same_column():
    values = [dt.date(2024, 5, 1), None, dt.date(2023, 5, 1)]
    coded = []
    for native in (pd.Series(values), pl.Series(values), pa.chunked_array([values])):
        (column,), _ = code_features(columns({"x": native}, what="X", default_name="x"))
        coded.append((column.coding, column.codes.tolist()))
    assert coded[0] == coded[1] == coded[2]


def test_bins_of_a_column_that_is_not_there_suggest_the_nearest():
    found = columns({"age": [1]}, what="A", default_name="x")
    with pytest.raises(errors.ColumnError, match="Did you mean 'age'"):
        code_groups(found, bins={"agee": [1]})


# Texts that come as codes.


def as_codes(values: list, random) -> tuple[np.ndarray, list[str]]:
    """A batch with its own dictionary, in any order and with a text that no row has."""
    levels = [*{v for v in values if v is not None}, "unused"]
    random.shuffle(levels)
    return np.array([-1 if v is None else levels.index(v) for v in values], dtype=np.int32), levels


@settings(max_examples=60)
@given(
    values=st.lists(st.sampled_from([None, "1", "2", "2.0", "10", "x"]), max_size=30),
    cut=st.integers(0, 30),
    random=st.randoms(use_true_random=False),
    options=st.sampled_from([{}, {"role": "group"}, {"role": "group", "bins": [2, 5]}]),
)
def test_texts_as_codes_are_the_texts(values, cut, random, options):
    if "bins" in options:
        values = [None if v == "x" else v for v in values]
    values = ["1", *values]
    expected = read_texts(values, [min(cut, len(values))], **options).finish()
    coder = ColumnCoder("x", typed=typed(float), **options)
    for part in (values[:cut], values[cut:]):
        coder.add_codes(*as_codes(part, random))
    assert not coder.end_pass()
    assert coder.finish().coding == expected.coding
    np.testing.assert_array_equal(coder.finish().codes, expected.codes)


def test_codes_of_one_byte_may_use_all_of_it():
    levels = [f"level {i:03}" for i in range(128)]
    coder = ColumnCoder("x")
    coder.add_codes(np.arange(-1, 128, dtype=np.int8), levels)
    coder.end_pass()
    assert coder.finish().codes.tolist() == [128, *range(128)]


def test_many_numbers_as_codes_of_texts_take_three_passes():
    numbers = np.random.default_rng(2).integers(0, 100_000, 300_000) / 8
    expected = feature_of(numbers)
    coder = ColumnCoder("x", typed=typed(float))
    batches = [pd.factorize(part.astype(str)) for part in np.array_split(numbers, 3)]
    n_passes, wanted = 0, True
    while wanted:
        for codes, levels in batches:
            coder.add_codes(np.append(codes, -1), [*levels, "unused"])
        wanted = coder.end_pass()
        n_passes += 1
    assert n_passes == 3
    assert coder.finish().coding.edges.tolist() == expected.coding.edges.tolist()
    known = coder.finish().codes != coder.finish().coding.missing_code
    np.testing.assert_array_equal(coder.finish().codes[known], expected.codes)
    assert np.count_nonzero(~known) == 3


def feature_of(values: np.ndarray) -> CodedColumn:
    (column,), _ = code_features(columns({"x": values}, what="X", default_name="x"))
    return column
