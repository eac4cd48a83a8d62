"""Columns that must hold finite numbers: scores and weights."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.table.dtypes import unreadable
from arbitree.table.frames import Column
from arbitree.table.measures import floats, kind_of
from arbitree.table.missing import is_missing


def quantities(column: Column, *, what: str) -> np.ndarray:
    """A numeric column as it is, float64 or float32; NaN where missing.

    Texts count as numbers only if they come from a text file.

    Returns
    -------
    ndarray of float64 or float32, shape (n_rows,)

    Raises
    ------
    InputError
        If a value is no number, or infinite; names the first such row.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> quantities(column([1, None, 3], what="x", default_name="x"), what="x")
    array([ 1., nan,  3.])
    """
    here = subject(column, what)
    kind = kind_of(column)
    if kind in ("number", "integer"):
        values = floats(column)
    elif kind == "category" and column.text:
        values = _from_texts(column, here)
    elif kind == "category":
        raise _not_numbers(column, here)
    else:
        raise InputError(f"{here} holds {_MANY[kind]}, not numbers. Pass a numeric column.")
    infinite = np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise InputError(
            f"{here} has {counted(int(infinite.sum()), 'infinite value')}, the first at row "
            f"{row}: {values[row]}. Pass finite numbers."
        )
    return values


def subject(column: Column, what: str) -> str:
    """What an error calls a column."""
    return what if what == column.name else f"{what} column {column.name!r}"


_MANY = {"boolean": "truth values", "date": "dates", "duration": "durations"}


def _from_texts(column: Column, here: str) -> np.ndarray:
    texts = pd.Series(column.values.cast(nw.String).to_list(), dtype=object)
    values = np.array(pd.to_numeric(texts, errors="coerce"), dtype=np.float64)
    strange = np.isnan(values) & ~is_missing(column)
    if strange.any():
        raise _not_a_number(here, int(np.argmax(strange)), texts[int(np.argmax(strange))])
    return values


def _not_numbers(column: Column, here: str) -> InputError:
    try:
        values = pd.Series(column.values.to_list(), dtype=np.dtype(object))
    except (NotImplementedError, OverflowError, ValueError) as error:
        return unreadable(here, error)
    strange = np.array([not isinstance(value, (int, float)) for value in values])
    strange &= ~is_missing(column)
    if not strange.any():
        return InputError(f"{here} holds categories, not numbers. Pass a numeric column.")
    row = int(np.argmax(strange))
    return _not_a_number(here, row, values[row])


def _not_a_number(here: str, row: int, value: object) -> InputError:
    return InputError(
        f"{here} holds {value!r} at row {row}, which is not a number. Pass a numeric column."
    )
