"""The codes of Polars and PyArrow columns that are no plain numbers, and the values behind them.

A value goes through Python once for each level, and never through a type that cannot tell it
from another: nanoseconds and decimals stay what they are.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

_FIRST_DAY, _LAST_DAY = np.datetime64("0001-01-01"), np.datetime64("9999-12-31")


def encoded(series: nw.Series[Any]) -> tuple[np.ndarray, list[object]]:
    """Codes, -1 for missing, and the values seen.

    Parameters
    ----------
    series : narwhals.Series
        Of Polars or PyArrow.

    Returns
    -------
    ndarray of int32, shape (n_rows,)
    list
        Python values, or pandas' for times in nanoseconds; in no particular order.

    Raises
    ------
    OverflowError, ValueError
        If Python has no such value, for instance for dates after the year 9999.
    NotImplementedError
        If PyArrow cannot tell values of the type apart.

    Examples
    --------
    >>> import pyarrow as pa
    >>> encoded(nw.from_native(pa.chunked_array([["b", None, "b"]]), series_only=True))
    (array([ 0, -1,  0], dtype=int32), ['b'])
    """
    if series.implementation.is_pyarrow():
        return _of_arrow(series.to_native())
    if series.dtype == nw.Decimal:
        codes, texts = _of_texts(series.cast(nw.String))
        return codes, [Decimal(text) for text in texts]
    if series.dtype.is_temporal():
        return _of_times(series)
    return _of_texts(series)


def _of_arrow(values: Any) -> tuple[np.ndarray, list[object]]:
    whole = values.dictionary_encode().combine_chunks()
    if not hasattr(whole, "indices"):
        whole = whole.unify_dictionaries().combine_chunks()
    return places(whole.indices), whole.dictionary.to_pylist()


def places(indices: Any) -> np.ndarray:
    """Indices of an Arrow dictionary, (n_rows,) int32, with -1 where missing."""
    return np.asarray(indices.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int32)


def _of_texts(series: nw.Series[Any]) -> tuple[np.ndarray, list[Any]]:
    seen = series.unique().drop_nulls().to_list()
    return replaced(series, seen), seen


def replaced(series: nw.Series[Any], seen: list[Any]) -> np.ndarray:
    """The place in `seen` of each row's value, (n_rows,) int32, with -1 where missing."""
    if not seen:
        return np.full(len(series), -1, dtype=np.int32)
    codes = series.replace_strict(seen, list(range(len(seen))), return_dtype=nw.Int32)
    return np.asarray(codes.fill_null(-1).to_numpy(), dtype=np.int32)


def _of_times(series: nw.Series[Any]) -> tuple[np.ndarray, list[object]]:
    """Times of Polars, told apart by the integers they are kept as."""
    native = series.to_native()
    known = ~np.asarray(native.is_null().to_numpy(), dtype=bool)
    found, seen = pd.factorize(native.drop_nulls().to_physical().to_numpy())
    codes = np.full(len(known), -1, dtype=np.int32)
    codes[known] = found
    return codes, _times(np.asarray(seen), series.dtype, native.dtype)


def _times(physical: np.ndarray, dtype: Any, native_dtype: Any) -> list[object]:
    unit = getattr(dtype, "time_unit", "D" if dtype == nw.Date else "ns")
    if dtype == nw.Duration and unit == "ns":
        return list(pd.to_timedelta(physical.astype("m8[ns]")))
    if dtype in (nw.Date, nw.Datetime):
        days = physical.astype(f"M8[{unit}]").astype("M8[D]")
        if len(days) and (days.min() < _FIRST_DAY or days.max() > _LAST_DAY):
            raise ValueError("a date is not in the years 1 to 9999")
    if dtype == nw.Datetime and unit == "ns":
        moments, zone = pd.to_datetime(physical.astype("M8[ns]")), getattr(dtype, "time_zone", None)
        return list(moments if zone is None else moments.tz_localize("UTC").tz_convert(zone))
    return _as_polars(physical, native_dtype)


def _as_polars(physical: np.ndarray, native_dtype: Any) -> list[object]:
    import polars as pl

    return pl.Series(physical).cast(native_dtype).to_list()
