"""Storage made plain: many dtypes for the same values become one.

A boolean column may arrive as NumPy booleans, as objects, as a nullable or an Arrow column.
Here every column becomes one of: boolean, integer, float, text, category, date or duration, or
an object column of mixed values, with missing values kept as such. Values are never changed:
decimals, and whole numbers that neither 64 bits nor a float hold, stay exact.
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
    "mixed-integer-float": lambda values: _exact_floats(values),
    "datetime64": pd.to_datetime,
    "datetime": pd.to_datetime,
    "date": pd.to_datetime,
    "timedelta64": pd.to_timedelta,
    "timedelta": pd.to_timedelta,
    "empty": lambda values: pd.Series(np.nan, index=values.index, name=values.name, dtype=float),
}

_WITHOUT_VIEWS = {"string_view": "large_string", "binary_view": "large_binary"}


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
        If the values are lists, records or complex numbers, or cannot be read.
    """
    series = nw.from_native(cast(Any, values), series_only=True)
    if _is_plain_already(values):
        return series
    if series.implementation.is_pandas():
        pandas = _plain_pandas(cast(Any, values), where)
        if pandas is not values:  # wrapping takes longer than looking at a column of 1,000 texts
            series = nw.from_native(cast(Any, pandas), series_only=True)
    elif series.implementation.is_pyarrow():
        series = nw.from_native(_plain_arrow(series.to_native()), series_only=True)
    if series.dtype.is_nested():
        raise InputError(
            f"{where} holds a list or a record in each row. "
            "Pass one value a row, for instance a column for each part."
        )
    if series.dtype in (nw.Int128, nw.UInt128):
        series = _narrow(series)
    if series.dtype == nw.Unknown and series.is_null().all():
        series = nw.from_native(pd.Series(np.full(len(series), np.nan)), series_only=True)
    return series


def _is_plain_already(values: object) -> bool:
    """Whether pandas holds numbers or truths in a NumPy array: most columns, and quick to tell."""
    if not isinstance(values, pd.Series) or not isinstance(values.dtype, np.dtype):
        return False
    return values.dtype.kind in "biuf" and values.dtype != np.float16


def _plain_pandas(values: pd.Series, where: str) -> pd.Series:
    dtype = values.dtype
    if dtype == np.dtype(object):
        return _from_objects(values, where)
    if isinstance(dtype, pd.SparseDtype):
        return _plain_pandas(cast(Any, values).sparse.to_dense(), where)
    if isinstance(dtype, pd.PeriodDtype):
        return _to_timestamps(values, where)
    if isinstance(dtype, pd.IntervalDtype):
        return values.astype("category")
    if isinstance(dtype, pd.ArrowDtype):
        return _plain_arrow_dtype(values)
    if dtype.kind == "c":
        raise _complex(where)
    return values.astype(np.float32) if dtype == np.float16 else values


def _to_timestamps(periods: pd.Series, where: str) -> pd.Series:
    try:
        return periods.dt.to_timestamp()
    except ValueError as error:
        raise unreadable(where, error) from error


def _from_objects(values: pd.Series, where: str) -> pd.Series:
    kind = infer_dtype(values, skipna=True)
    if kind == "complex":
        raise _complex(where)
    convert = _FROM_OBJECTS.get(kind)
    if convert is None:
        if kind != "string":
            _refuse_signals(values, where)
        return values
    try:
        return convert(values)
    except (OverflowError, TypeError, ValueError):  # integers beyond 64 bits, mixed time zones
        return values


def _nullable(values: Any, dtype: str, with_missing: str) -> Any:
    return values.astype(with_missing if values.hasnans else dtype)


def _floats(values: pd.Series) -> pd.Series:
    return values.where(values.notna(), np.nan).astype(np.float64)


def _exact_floats(values: pd.Series) -> pd.Series:
    """Whole numbers and floats as floats, unless one of the whole numbers would change."""
    floats = _floats(values)
    large = (floats.abs() >= 2**53).to_numpy()
    return floats if (floats[large] == values[large]).all() else values


def _refuse_signals(values: pd.Series, where: str) -> None:
    """A signalling NaN raises an error wherever it is compared."""
    try:
        values.isna()
    except ArithmeticError as error:
        raise InputError(f"{where} holds a signalling NaN. Replace it with None.") from error


def _narrow(series: nw.Series[Any]) -> nw.Series[Any]:
    """Integers of 128 bits in 64 bits if they fit, else as Python's."""
    lowest, highest = series.min() or 0, series.max() or 0
    for dtype, low, high in ((nw.Int64, -(2**63), 2**63), (nw.UInt64, 0, 2**64)):
        if low <= lowest and highest < high:
            return series.cast(dtype)
    whole = pd.Series(series.to_list(), name=series.name, dtype=np.dtype(object))
    return nw.from_native(whole, series_only=True)


def _plain_arrow_dtype(values: pd.Series) -> pd.Series:
    arrow = cast(Any, values.dtype).pyarrow_dtype
    if not hasattr(arrow, "value_type") or not hasattr(arrow, "index_type"):
        return values
    return values.astype("category" if arrow.ordered else pd.ArrowDtype(arrow.value_type))


def _plain_arrow(values: Any) -> Any:
    """Arrow dictionaries come in order of appearance: unless ordered, only their values count."""
    arrow, name = values.type, str(values.type)
    if hasattr(arrow, "index_type") and not arrow.ordered:
        return _plain_arrow(values.cast(arrow.value_type))
    if hasattr(arrow, "run_end_type"):
        return _plain_arrow(_decoded_runs(values))
    if hasattr(arrow, "storage_type"):
        return _plain_arrow(values.cast(arrow.storage_type))
    if name.startswith(("decimal32", "decimal64")):
        import pyarrow as pa

        return values.cast(pa.decimal128(arrow.precision, arrow.scale))
    wider = _WITHOUT_VIEWS.get(name)
    return values if wider is None else values.cast(wider)


def _decoded_runs(values: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pa.chunked_array(
        [pc.run_end_decode(chunk) for chunk in values.chunks], type=values.type.value_type
    )


def unreadable(where: str, reason: object) -> InputError:
    """The error for values that a library holds and Python, NumPy or pandas cannot."""
    text = str(reason).strip().splitlines()[0] if str(reason).strip() else type(reason).__name__
    return InputError(
        f"{where} holds values that cannot be read: {text.rstrip('.')}. "
        "Convert it to text, numbers or dates that pandas can hold."
    )


def _complex(where: str) -> InputError:
    return InputError(f"{where} holds complex numbers. Pass real and imaginary parts apart.")
