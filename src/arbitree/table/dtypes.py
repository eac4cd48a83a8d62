"""Storage made plain: many dtypes for the same values become one.

A boolean column may arrive as NumPy booleans, as objects, as a nullable or an Arrow column.
Here every column becomes one of: boolean, integer, float, text, category, date or duration, or
an object column of mixed values, with missing values kept as such. Values are never changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import narwhals as nw
import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from arbitree._errors import InputError

_FROM_OBJECTS: dict[str, Callable[[Any], Any]] = {
    "boolean": lambda values: _nullable(values, "bool", "boolean"),
    "integer": lambda values: _nullable(values, "int64", "Int64"),
    "floating": lambda values: _floats(values),
    "mixed-integer-float": lambda values: _floats(values),
    "decimal": lambda values: _floats(values),
    "datetime64": pd.to_datetime,
    "datetime": pd.to_datetime,
    "date": pd.to_datetime,
    "timedelta64": pd.to_timedelta,
    "timedelta": pd.to_timedelta,
    "empty": lambda values: pd.Series(np.nan, index=values.index, name=values.name, dtype=float),
}


def plain(values: object, *, where: str) -> nw.Series[Any]:
    """A native one-dimensional column as a narwhals Series of a plain dtype.

    Parameters
    ----------
    values : Series of pandas or Polars, or ChunkedArray of PyArrow
    where : str
        What an error calls the column, such as ``"X column 'age'"``.

    Returns
    -------
    narwhals.Series
        Backed by pandas, Polars or PyArrow.

    Raises
    ------
    InputError
        If the values are lists, records or complex numbers.
    """
    series = nw.from_native(cast(Any, values), series_only=True)
    if series.implementation.is_pandas():
        pandas = _plain_pandas(series.to_native(), where)
        series = nw.from_native(cast(Any, pandas), series_only=True)
    elif series.implementation.is_pyarrow():
        series = nw.from_native(_plain_arrow(series.to_native()), series_only=True)
    if series.dtype.is_nested():
        raise InputError(
            f"{where} holds a list or a record in each row. "
            "Pass one value a row, for instance a column for each part."
        )
    if series.dtype == nw.Decimal:
        series = series.cast(nw.Float64)
    if series.dtype == nw.Unknown and series.is_null().all():
        series = nw.from_native(pd.Series(np.full(len(series), np.nan)), series_only=True)
    return series


def _plain_pandas(values: pd.Series, where: str) -> pd.Series:
    dtype = values.dtype
    if dtype == np.dtype(object):
        return _from_objects(values, where)
    if isinstance(dtype, pd.SparseDtype):
        return _plain_pandas(cast(Any, values).sparse.to_dense(), where)
    if isinstance(dtype, pd.PeriodDtype):
        return values.dt.to_timestamp()
    if isinstance(dtype, pd.IntervalDtype):
        return values.astype("category")
    if isinstance(dtype, pd.ArrowDtype):
        return _plain_arrow_dtype(values)
    if dtype.kind == "c":
        raise _complex(where)
    return values.astype(np.float32) if dtype == np.float16 else values


def _from_objects(values: pd.Series, where: str) -> pd.Series:
    kind = infer_dtype(values, skipna=True)
    if kind == "complex":
        raise _complex(where)
    convert = _FROM_OBJECTS.get(kind)
    if convert is None:
        return values
    try:
        return convert(values)
    except (OverflowError, TypeError, ValueError):  # integers beyond 64 bits, mixed time zones
        return values


def _nullable(values: Any, dtype: str, with_missing: str) -> Any:
    return values.astype(with_missing if values.hasnans else dtype)


def _floats(values: pd.Series) -> pd.Series:
    return values.where(values.notna(), np.nan).astype(np.float64)


def _plain_arrow_dtype(values: pd.Series) -> pd.Series:
    arrow = cast(Any, values.dtype).pyarrow_dtype
    if not hasattr(arrow, "value_type") or not hasattr(arrow, "index_type"):
        return values
    return values.astype("category" if arrow.ordered else pd.ArrowDtype(arrow.value_type))


def _plain_arrow(values: Any) -> Any:
    """Arrow dictionaries come in order of appearance: unless ordered, only their values count."""
    arrow = values.type
    if hasattr(arrow, "index_type") and not arrow.ordered:
        return _plain_arrow(values.cast(arrow.value_type))
    return values.cast("large_string") if str(arrow) == "string_view" else values


def _complex(where: str) -> InputError:
    return InputError(f"{where} holds complex numbers. Pass real and imaginary parts apart.")
