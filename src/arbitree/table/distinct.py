"""The distinct values of a column, in an order that does not depend on its rows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.table.dtypes import unreadable
from arbitree.table.encoded import encoded, places, replaced
from arbitree.table.frames import Column
from arbitree.table.missing import is_missing

MOST_DIGITS = 4_000  # Python writes no whole number of more than 4,300
_NUMBERS = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distinct:
    """Values of a column and where they are.

    `levels[codes[i]]` is the value of row i; the code -1 is a missing value. Levels stand in
    their declared order, unused ones too, else in `natural_order`.
    """

    codes: np.ndarray  # (n_rows,) int32
    levels: tuple[object, ...]  # Python scalars
    counts: np.ndarray  # (n_levels,) int64
    declared: bool  # the dtype lists its levels
    ordered: bool  # and says that their order means something


def distinct(column: Column) -> Distinct:
    """Distinct values of a column.

    Parameters
    ----------
    column : Column

    Returns
    -------
    Distinct

    Raises
    ------
    InputError
        If a value cannot be compared with others, such as a list, or cannot be read, or if two
        different values read the same.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> found = distinct(column(["b", None, "a", "b"], what="x", default_name="x"))
    >>> found.levels, found.codes.tolist(), found.counts.tolist()
    (('a', 'b'), [1, -1, 0, 1], [1, 2])
    """
    dtype = column.values.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        declared = _declared(column.values)
        if declared is not None:
            codes, levels, ordered = declared
            return _counted(codes, levels, declared=True, ordered=ordered)
    if dtype == nw.Boolean or (dtype.is_numeric() and dtype != nw.Decimal):
        codes, seen = _numbers(column)
    elif column.values.implementation.is_pandas():
        codes, seen = _hashed(column)
    else:
        codes, seen = _encoded(column)
    if dtype in (nw.Object, nw.Decimal, nw.Unknown):
        seen = [_from_decimal(level) for level in seen]
        _refuse_endless(column, seen)
    levels = natural_order(seen)
    rank = {(type(level), level): i for i, level in enumerate(levels)}
    if len(rank) < len(levels):
        raise unreadable(f"column {column.name!r}", "two that differ would become the same value")
    ranks = np.array([rank[type(level), level] for level in seen] + [-1], dtype=np.int32)
    return _counted(ranks[codes], levels, declared=False, ordered=False)


def natural_order(levels: Iterable[object]) -> tuple[object, ...]:
    """Levels as a person would list them.

    Numbers by value, texts that are all numbers by number, other texts by code point, mixed
    types by the name of their type.

    Examples
    --------
    >>> natural_order(["10", "2", "1"]), natural_order(["b", 2, "a", 1])
    (('1', '2', '10'), (1, 2, 'a', 'b'))
    """
    kinds: dict[str, list[Any]] = {}
    for level in levels:
        kinds.setdefault(_kind(level), []).append(level)
    return tuple(level for kind in sorted(kinds) for level in _sorted(kinds[kind]))


def _kind(level: object) -> str:
    return "int" if isinstance(level, (int, float, Decimal)) else type(level).__name__


def _sorted(levels: list[Any]) -> list[Any]:
    if all(isinstance(level, str) for level in levels):
        numbers = [as_number(level) for level in levels]
        if None not in numbers:
            return [level for _, level in sorted(zip(cast(list[float], numbers), levels))]
    if any(isinstance(level, Decimal) for level in levels):
        return sorted(levels, key=lambda level: Decimal(str(level)))
    try:
        return sorted(levels)
    except TypeError:
        return sorted(levels, key=repr)


def as_number(value: object) -> float | None:
    """The finite number that a number or a text stands for, or None.

    Examples
    --------
    >>> as_number("1.0"), as_number(2), as_number("one")
    (1.0, 2.0, None)
    """
    if not isinstance(value, (str, int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _counted(
    codes: np.ndarray, levels: tuple[object, ...], *, declared: bool, ordered: bool
) -> Distinct:
    counts = np.bincount(codes + 1, minlength=len(levels) + 1)[1:]
    return Distinct(codes=codes, levels=levels, counts=counts, declared=declared, ordered=ordered)


def _declared(series: nw.Series[Any]) -> tuple[np.ndarray, tuple[object, ...], bool] | None:
    """Codes, levels and whether these are ordered; None where the dtype lists no levels."""
    native = series.to_native()
    if series.implementation.is_pandas():
        codes = native.cat.codes.to_numpy().astype(np.int32)
        return codes, tuple(native.cat.categories.tolist()), bool(native.cat.ordered)
    if series.implementation.is_pyarrow():
        whole = native.unify_dictionaries().combine_chunks()
        return places(whole.indices), tuple(whole.dictionary.to_pylist()), True
    if isinstance(series.dtype, nw.Enum):
        levels = series.dtype.categories
        codes = replaced(series, list(levels))
        return codes, tuple(levels), True
    return None


def _numbers(column: Column) -> tuple[np.ndarray, list[object]]:
    """Codes and values seen, of booleans, integers and floats."""
    series, missing = column.values, is_missing(column)
    values = np.asarray((series.drop_nulls() if missing.any() else series).to_numpy())
    if series.dtype == nw.Boolean:
        values = values.astype(bool)
    elif values.dtype.kind == "f":
        values = values[~np.isnan(values)]
    found, seen = pd.factorize(values)
    codes = np.full(len(missing), -1, dtype=np.int32)
    codes[~missing] = found
    return codes, list(np.asarray(seen).tolist())


def _hashed(column: Column) -> tuple[np.ndarray, list[object]]:
    """Codes and values seen, of a pandas column of texts, dates or anything hashable."""
    native = column.values.to_native()
    try:
        codes, seen = pd.factorize(native)
    except TypeError as error:
        raise InputError(
            f"column {column.name!r} holds values that cannot be compared: {error}."
        ) from error
    except (NotImplementedError, ValueError) as error:
        raise unreadable(f"column {column.name!r}", error) from error
    try:
        levels = [_scalar(level) for level in seen.tolist()]
    except (OverflowError, ValueError) as error:
        raise unreadable(f"column {column.name!r}", error) from error
    if column.values.dtype == nw.Object:
        levels = _canonical(levels, set(map(type, native.dropna())))
    return codes, levels


def _canonical(levels: list[object], types: set[type]) -> list[object]:
    """Of values that are equal, as 1, True and 1.0, the same one whichever row came first."""
    if len({_kind_of_number(type_) for type_ in types} - {None}) < 2:
        return levels
    return [
        int(level) if isinstance(level, float) and level.is_integer() else level
        for level in (int(level) if isinstance(level, bool) else level for level in levels)
    ]


def _from_decimal(level: object) -> object:
    """A decimal as the whole number or float that is written the same, if there is one."""
    if not isinstance(level, Decimal) or not level.is_finite() or level.adjusted() > MOST_DIGITS:
        return level
    if level == level.to_integral_value():
        return int(level)
    return float(level) if Decimal(repr(float(level))) == level else level


def _refuse_endless(column: Column, seen: list[object]) -> None:
    for level in seen:
        if isinstance(level, int) and level.bit_length() > 3.3 * MOST_DIGITS:
            raise unreadable(
                f"column {column.name!r}", f"a whole number has more than {MOST_DIGITS:,} digits"
            )


def _kind_of_number(type_: type) -> str | None:
    """Which of Python's number types a type is like; a bool is not an int here."""
    for name, types in _NUMBERS.items():
        if issubclass(type_, types):
            return name
    return None


def _encoded(column: Column) -> tuple[np.ndarray, list[object]]:
    """Codes and values seen, of a Polars or PyArrow column that is not numeric."""
    series = column.values
    if isinstance(series.dtype, nw.Categorical):
        series = series.cast(nw.String)
    if series.dtype == nw.Object:
        values = pd.Series(series.to_list(), dtype=object)
        return _hashed(Column(column.name, nw.from_native(values, series_only=True)))
    try:
        codes, seen = encoded(series)
    except (NotImplementedError, OverflowError, ValueError) as error:
        raise unreadable(f"column {column.name!r}", error) from error
    return codes, [_scalar(level) for level in seen]


def _scalar(level: Any) -> object:
    return level.item() if isinstance(level, np.generic) else level
