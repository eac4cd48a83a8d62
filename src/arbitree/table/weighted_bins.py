"""Bins of numbers that hold equal weights of rows rather than equal numbers of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding
from arbitree.table.edges import bin_codes, quantile_edges, to_float32, to_keys
from arbitree.table.frames import Column
from arbitree.table.measures import kind_of, numbers


def cut_by_weight(
    coded: CodedColumn, column: Column, weights: np.ndarray, *, max_bins: int
) -> CodedColumn:
    """Cut a column at quantiles of the weights, if it was cut at quantiles of the rows.

    With whole weights the bins are those of each row repeated as often as it weighs.

    Parameters
    ----------
    coded : CodedColumn
        What `column` was coded to.
    column : Column
    weights : ndarray of float64, shape (n_rows,)
        All positive.
    max_bins : int

    Examples
    --------
    >>> from arbitree.table.code import code_features
    >>> from arbitree.table.frames import column
    >>> x = column([1, 2, 3, 4], what="X", default_name="x")
    >>> coded = code_features([x], max_bins=2)[0][0]
    >>> by_weight = cut_by_weight(coded, x, np.array([1.0, 1.0, 1.0, 9.0]), max_bins=2)
    >>> coded.coding.edges, by_weight.coding.edges
    (array([2.5], dtype=float32), array([3.5], dtype=float32))
    """
    coding = coded.coding
    if not isinstance(coding, NumericCoding) or coding.exact or kind_of(column) == "category":
        return coded
    values, _ = to_float32(numbers(column, coding.unit))
    known = ~np.isnan(values)
    keys, place = np.unique(to_keys(values[known]), return_inverse=True)
    if not len(keys):
        return coded
    amounts = _amounts(weights, most=2**62 / max_bins)
    totals = np.bincount(place, weights=amounts[known], minlength=len(keys))
    edges = quantile_edges(keys, totals.astype(amounts.dtype), max_bins)
    again = replace(coding, edges=edges)
    return replace(coded, coding=again, codes=bin_codes(values, edges))


def _amounts(weights: np.ndarray, *, most: float) -> np.ndarray:
    """Weights as numbers of rows if they are, or are once divided by the least; else as shares."""
    with np.errstate(over="ignore"):
        relative = weights / weights.min()
    for amounts in (weights, relative):
        if amounts.sum() < min(most, 2**53) and (amounts == np.floor(amounts)).all():
            return amounts.astype(np.int64)
    return np.asarray(weights / weights.sum())
