"""A column as NumPy numbers."""

from __future__ import annotations

from typing import Any, Literal

import narwhals as nw
import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from arbitree._errors import InputError
from arbitree.table import units
from arbitree.table.frames import Column

Kind = Literal["number", "integer", "boolean", "date", "duration", "category"]
# Objects that no dtype holds exactly.
_OBJECTS: dict[str, Kind] = {
    "integer": "integer",
    "mixed-integer-float": "number",
    "decimal": "number",
}

_OF_NUMPY: dict[str, Kind] = {"b": "boolean", "i": "integer", "u": "integer", "f": "number"}


def kind_of(column: Column) -> Kind:
    """What the values of a column are, by its dtype.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> [kind_of(column(v, what="x", default_name="x")) for v in ([1, 2], [1.5], [True], ["1"])]
    ['integer', 'number', 'boolean', 'category']
    """
    numbers = column.numpy_numbers
    if numbers is not None:
        return _OF_NUMPY[numbers.dtype.kind]
    dtype = column.values.dtype
    if dtype.is_integer():
        return "integer"
    if dtype.is_numeric():
        return "number"
    if dtype == nw.Boolean:
        return "boolean"
    if dtype in (nw.Date, nw.Datetime):
        return "date"
    if dtype == nw.Object and column.values.implementation.is_pandas():
        return _OBJECTS.get(infer_dtype(column.values.to_native(), skipna=True), "category")
    return "duration" if dtype == nw.Duration else "category"


def has_time_zone(column: Column) -> bool:
    """Whether the values are instants rather than local clock times."""
    return getattr(column.values.dtype, "time_zone", None) is not None


def floats(column: Column) -> np.ndarray:
    """A column of numbers or truths as float64, or float32 if it is; NaN where missing.

    Raises
    ------
    InputError
        If a whole number is beyond the range of float64.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> floats(column([1, None, 3], what="x", default_name="x"))
    array([ 1., nan,  3.])
    """
    plain = column.numpy_numbers
    if plain is not None:
        return plain if plain.dtype == np.float32 else plain.astype(np.float64, copy=False)
    series = column.values
    if series.dtype == nw.Decimal:
        series = series.cast(nw.Float64)
    native = series.to_native()
    if isinstance(native, pd.Series) and native.dtype == np.dtype(object):
        return _from_objects(native, column)
    if isinstance(native, pd.Series) and not isinstance(native.dtype, np.dtype):
        return np.asarray(native.to_numpy(dtype=np.float64, na_value=np.nan))
    values = np.ascontiguousarray(series.to_numpy())  # a column of a table may be strided
    return values if values.dtype == np.float32 else values.astype(np.float64, copy=False)


def _from_objects(native: pd.Series, column: Column) -> np.ndarray:
    known = native.where(native.notna(), np.nan)
    try:
        return known.to_numpy(dtype=np.float64)
    except OverflowError as error:
        raise InputError(
            f"column {column.name!r} holds a whole number beyond 1.8e308. Pass smaller numbers."
        ) from error


def microseconds(column: Column) -> np.ndarray:
    """A column of moments or durations as int64 microseconds; `units.MISSING` where missing."""
    dtype = np.dtype("m8[us]" if column.values.dtype == nw.Duration else "M8[us]")
    values = _without_zone(column.values)
    native = values.to_native()
    if isinstance(native, pd.Series) and not isinstance(native.dtype, np.dtype):
        native = native.astype(dtype)
    plain = native.to_numpy() if isinstance(native, pd.Series) else values.to_numpy()
    return np.asarray(plain).astype(dtype, copy=False).view(np.int64)


def _without_zone(values: nw.Series[Any]) -> nw.Series[Any]:
    if getattr(values.dtype, "time_zone", None) is None:
        return values
    return values.dt.convert_time_zone("UTC").dt.replace_time_zone(None)


def numbers(column: Column, unit: str | None) -> np.ndarray:
    """A column of numbers, or of times in `unit`, as floats with NaN where missing."""
    return floats(column) if unit is None else units.in_unit(microseconds(column), unit)
