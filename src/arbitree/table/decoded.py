"""Codes back to values: the frame that a coded table was made of, as far as its codes tell."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.units import has_time_zone, moments


def frame_of(columns: Iterable[CodedColumn]) -> pd.DataFrame:
    """Coded columns as columns of values.

    Parameters
    ----------
    columns : iterable of CodedColumn

    Returns
    -------
    DataFrame
        Numbers as they were where each has a code of its own, else the middle of their bin;
        categories of the levels; dates and durations. Missing values are missing.

    Examples
    --------
    >>> from arbitree.table.codings import CategoryCoding
    >>> sex = CategoryCoding(levels=("f", "m"))
    >>> frame_of([CodedColumn(name="sex", coding=sex, codes=np.uint8([1, 2, 0]))])["sex"].tolist()
    ['m', nan, 'f']
    """
    return pd.DataFrame({column.name: _values(column) for column in columns})


def inexact(columns: Iterable[CodedColumn]) -> list[CodedColumn]:
    """Columns with more distinct numbers than codes."""
    return [c for c in columns if isinstance(c.coding, NumericCoding) and not c.coding.exact]


def _values(column: CodedColumn) -> pd.Series:
    coding, codes = column.coding, column.codes
    if isinstance(coding, CategoryCoding):
        return _categories(coding, codes)
    of_code = np.append(_numbers(coding), np.nan)
    if coding.unit is not None:
        times = pd.Series(moments(of_code, coding.unit)[codes])
        return times.dt.tz_localize("UTC") if has_time_zone(coding.unit) else times
    values = of_code[codes]
    if coding.kind == "integer" and np.isfinite(values).all():
        return pd.Series(np.rint(values).astype(np.int64))
    return pd.Series(values)


def _categories(coding: CategoryCoding, codes: np.ndarray) -> pd.Series:
    where = codes.astype(np.int32)
    where[where == coding.missing_code] = -1
    if coding.kind == "boolean":
        return pd.Series(pd.array([False, True, None], dtype="boolean")[where])
    levels = pd.Index([*coding.levels, *coding.declared_unused])
    kept = pd.Categorical.from_codes(where, categories=levels, ordered=coding.kind == "ordered")
    return pd.Series(kept)


def _numbers(coding: NumericCoding) -> np.ndarray:
    """The value of each code, or the middle of its bin.  -> (n_values,) float64"""
    if coding.exact and coding.values is not None:
        return coding.values
    edges = coding.edges.astype(np.float64)
    if not len(edges):
        return np.zeros(1)
    step = np.maximum(np.abs(edges[[0, -1]]), 1.0) * 1e-3
    bounds = np.concatenate([edges[:1] - step[0], edges, edges[-1:] + step[1]])
    return (bounds[:-1] + bounds[1:]) / 2
