"""What texts stand for, and that it depends on the whole column and on nothing else."""

from __future__ import annotations

import re

import narwhals as nw
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree._errors import InputError
from arbitree.table.frames import Column
from arbitree.table.measures import kind_of
from arbitree.table.number_advice import nearly_numeric, number_advice
from arbitree.table.text import (
    KINDS,
    NumberStyle,
    Typing,
    kind_from,
    possible_kinds,
    read_texts,
)

POINT = NumberStyle()
GUESS = NumberStyle(guess_comma=True)
COMMA = NumberStyle(decimal=",", thousands=".")

ODD = (
    *("0", "1", "-7", "01234", "+49301", "1.5", ".5", "2.", "1e3", "1,5", "1.234,5", "1_000"),
    *("True", "false", "2024-02-29", "2024-02-30", "2024-05-01T10:00Z", "nan", "inf", "NA", "?"),
    *(" 3", "0x1f", "\u0663", "1\n2", "12345678901234567890", "1e400", "-0", "e", "None"),
)
texts = st.one_of(
    st.sampled_from(ODD),
    st.text(max_size=4),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers().map(str),
)


def kind(values: list[str], style: NumberStyle = POINT) -> str:
    return kind_from(possible_kinds(values, style))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "-2", "0"], "integer"),
        (["1", "2.5", "1e3", ".5", " 7 "], "number"),
        (["True", "false"], "boolean"),
        (["0", "1"], "integer"),
        (["2024-02-29", "2024-03-01 10:30:00"], "date"),
        (["2024-02-29T10:00Z", "2024-02-29 10:00:00.5+01:00"], "instant"),
        (["2024-02-29", "2024-02-29T10:00Z"], "text"),
        (["2024-02-30"], "text"),
        (["01234", "10115"], "text"),
        (["-01", "1"], "text"),
        (["+4930123", "123"], "text"),
        (["12345678901234567", "1"], "text"),
        (["1", "2", "x"], "text"),
        (["1", "NA"], "text"),
        (["1", "None"], "text"),
        (["1", "?"], "text"),
        (["1", "nan"], "text"),
        (["1", "inf"], "text"),
        (["1e999"], "text"),
        (["1_000"], "text"),
        (["\u0661\u0662"], "text"),
        (["1,5", "2,5"], "text"),
        (["1\n2", "3"], "text"),
        (["yes", "no"], "text"),
    ],
)
def test_a_column_has_the_kind_that_all_its_texts_have(values, expected):
    assert kind(values) == expected
    assert kind(values[::-1]) == expected


@pytest.mark.parametrize(
    ("values", "style", "expected", "numbers"),
    [
        (["1,5", "2", "-3,25"], GUESS, "decimal comma", [1.5, 2, -3.25]),
        (["1,5", "2.5"], GUESS, "text", None),
        (["1.5", "2"], GUESS, "number", [1.5, 2]),
        (["1.234,56", "7", "-1.000.000"], COMMA, "number", [1234.56, 7, -1e6]),
        (["1.5", "2,5"], COMMA, "text", None),
        (["1,234.5", "12"], NumberStyle(thousands=","), "number", [1234.5, 12]),
        (["1,234", "12"], NumberStyle(thousands=","), "integer", [1234, 12]),
        (["12,34"], NumberStyle(thousands=","), "text", None),
        (["1'234.5"], NumberStyle(thousands="'"), "number", [1234.5]),
    ],
)
def test_numbers_are_read_in_the_style_of_the_file(values, style, expected, numbers):
    assert kind(values, style) == expected
    if numbers is not None:
        np.testing.assert_array_equal(read_texts(values, expected, style), numbers)


@given(st.lists(texts), st.lists(texts), st.sampled_from([POINT, GUESS, COMMA]))
def test_kinds_of_two_parts_combine_by_intersection(left, right, style):
    assert possible_kinds(left + right, style) == possible_kinds(left, style) & possible_kinds(
        right, style
    )


@given(st.lists(texts), st.sampled_from([POINT, GUESS, COMMA]))
def test_looking_for_some_kinds_only_changes_nothing(values, style):
    every = possible_kinds(values, style)
    assert possible_kinds(values, style, among=every) == every
    assert ("integer" in every) <= ("number" in every)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_are_read_exactly(values):
    written = [repr(value) for value in values]
    np.testing.assert_array_equal(read_texts(written, "number", POINT), values)


@given(st.lists(texts, min_size=1))
def test_what_is_taken_as_a_number_is_what_python_takes(values):
    found = read_texts(values, "number", POINT)
    if found is not None:
        assert found.tolist() == [float(value) for value in values]


def test_no_texts_could_be_anything():
    assert possible_kinds([], POINT) | {"decimal comma"} == set(KINDS)


@pytest.mark.parametrize(
    "options",
    [{"decimal": ";"}, {"thousands": "."}, {"thousands": ",", "decimal": ","}, {"thousands": "1"}],
)
def test_impossible_styles_are_refused(options):
    with pytest.raises(InputError, match=r"decimal|thousands"):
        NumberStyle(**options)


def typed(values: list[str | None], style: NumberStyle = POINT) -> Column:
    return Typing(style)(
        Column("x", nw.from_native(pd.Series(values, dtype=object), series_only=True))
    )


@pytest.mark.parametrize(
    ("values", "expected", "out"),
    [
        (["1", None, "3"], "integer", [1, None, 3]),
        (["1.5", None], "number", [1.5, None]),
        (["true", "false"], "boolean", [True, False]),
        (["true", None], "boolean", [True, None]),
        (["a", None], "category", ["a", None]),
        ([None, None], "category", [None, None]),
    ],
)
def test_columns_of_texts_become_columns_of_values(values, expected, out):
    column = typed(values)
    found = [None if pd.isna(value) else value for value in column.values.to_list()]
    assert found == out
    if any(value is not None for value in values):
        assert kind_of(column) == expected


def test_dates_become_dates():
    column = typed(["2024-01-31", None])
    assert kind_of(column) == "date"
    assert column.values.to_list()[0] == pd.Timestamp("2024-01-31")


def test_later_batches_have_the_kind_of_the_first():
    typing = Typing(POINT)

    def kind_of_batch(values: list[str]) -> str:
        return kind_of(typing(Column("x", nw.new_series("x", values, backend="pandas"))))

    assert [kind_of_batch(["1"]), kind_of_batch(["2.5"]), kind_of_batch(["3"])] == [
        "integer",
        "number",
        "number",
    ]
    assert kind_of_batch(["x"]) == "category"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("1.234,56", "decimal=',' and thousands='.'"),
        ("27,03", "decimal=','"),
        ("1,234,567", "thousands=','"),
        ("1,234.5", "thousands=','"),
        ("1,234", "whichever it means"),
        ("1'234.50", "thousands"),
        ("?", r"missing_values=\['\?'\]"),
        ("unknown", r"missing_values=\['unknown'\]"),
        ("01234", "codes"),
    ],
)
def test_advice_says_what_to_pass(text, advice):
    assert re.search(advice, number_advice(text))


def test_a_column_that_is_nearly_all_numbers_is_noticed_with_its_first_other_row():
    # pandas 59299: 'an error naming another row'
    levels = ["1.234,56", *(f"{i}" for i in range(99))]
    codes = np.array([5, 7, 0, *range(1, 100)])
    notice = nearly_numeric("income", levels, codes, POINT)
    assert notice is not None
    assert "'income'" in notice
    assert "row 2: '1.234,56'" in notice
    assert "decimal=',' and thousands='.'" in notice


@pytest.mark.parametrize(
    "levels", [["1", "2"], ["a", "b"], ["1", "x"], ["18-24", "25-39"], ["<25", ">=25"], []]
)
def test_other_columns_are_not_noticed(levels):
    codes = np.array([0, 1, 0, 1][: 2 * len(levels)], dtype=np.uint8)
    assert nearly_numeric("x", levels, codes, POINT) is None
