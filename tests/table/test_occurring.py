"""What occurs in a column is what its codes say, without the codes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree import InputError
from arbitree.table.choose import MOST_LEVELS
from arbitree.table.code import code_features
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.frames import Column, column
from arbitree.table.occurring import occurring

TEXTS = st.lists(st.one_of(st.none(), st.sampled_from(["10", "9", "b", "", "a", "nan"])))
NUMBERS = st.lists(st.one_of(st.none(), st.integers(-3, 3), st.floats(width=32)), min_size=1)
TRUTHS = st.lists(st.one_of(st.none(), st.booleans()), min_size=1)


def _column(values: object) -> Column:
    return column(values, what="x", default_name="x")


def _same(read: Column) -> None:
    found, coded = occurring(read), code_features([read], max_bins=2)[0][0].coding
    assert type(found) is type(coded)
    assert found.kind == coded.kind
    assert found.admits_missing == coded.admits_missing
    if isinstance(found, CategoryCoding):
        assert isinstance(coded, CategoryCoding)
        assert found.levels == coded.levels
        assert found.declared_unused == coded.declared_unused
    else:
        assert isinstance(found, NumericCoding)
        assert isinstance(coded, NumericCoding)
        assert found.unit == coded.unit


@given(TEXTS, st.sampled_from(["str", "string", object]))
def test_texts_of_every_dtype_have_the_levels_that_coding_them_gives(
    values: list[str | None], dtype: object
) -> None:
    _same(_column(pd.Series(values, dtype=dtype)))


@given(NUMBERS)
def test_numbers_are_of_the_same_kind_and_missing_alike(values: list[float | None]) -> None:
    _same(_column(pd.Series(values, dtype=np.float64)))


@given(st.lists(st.integers(-5, 5), min_size=1), st.sampled_from(["int8", "uint16", "int64"]))
def test_whole_numbers_stay_whole(values: list[int], dtype: str) -> None:
    _same(_column(np.abs(np.array(values)).astype(dtype)))


@given(TRUTHS)
def test_truths_dates_and_categories_are_coded_as_ever(values: list[bool | None]) -> None:
    _same(_column(values))
    _same(_column(pd.Series(values).map({True: "2024-05-01", False: "2025-01-02"}).astype("M8[s]")))
    _same(_column(pd.Categorical(values, categories=[True, False])))


def test_too_many_texts_are_refused_as_in_coding() -> None:
    texts = _column(pd.Series(np.arange(MOST_LEVELS + 1)).astype(str).radd("v").astype("str"))
    with pytest.raises(InputError, match="more than 65,535") as found:
        occurring(texts)
    with pytest.raises(InputError) as coded:
        code_features([texts], max_bins=2)
    assert str(found.value) == str(coded.value)
