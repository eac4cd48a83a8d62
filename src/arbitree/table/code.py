"""Columns in memory, coded. One batch through the coder that files go through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from arbitree._errors import ColumnError
from arbitree._wording import nearest
from arbitree.table.coded_column import CodedColumn
from arbitree.table.coder import ColumnCoder
from arbitree.table.frames import Column
from arbitree.table.weighted_bins import cut_by_weight


def code_features(
    columns: Iterable[Column], *, max_bins: int = 255, weights: np.ndarray | None = None
) -> tuple[tuple[CodedColumn, ...], tuple[str, ...]]:
    """Code what a model reads: numbers by range, or one by one where they are few.

    Parameters
    ----------
    columns : iterable of Column
    max_bins : int
        Most codes for the numbers of a column; with at most as many distinct ones, each gets a
        code of its own.
    weights : ndarray of float64, shape (n_rows,), optional
        Of the rows, all positive: more numbers are cut at quantiles of the weights.

    Returns
    -------
    tuple of CodedColumn
    tuple of str
        What the user should know.

    Raises
    ------
    InputError
        If a text column has more than 65,535 levels.

    Examples
    --------
    >>> from arbitree.table.frames import columns
    >>> coded, notices = code_features(columns({"x": [0.5, None, 2]}, what="X", default_name="x"))
    >>> coded[0].codes
    array([0, 2, 1], dtype=uint8)
    """
    columns = list(columns)
    coded, notices = _coded((ColumnCoder(c.name, max_bins=max_bins), c) for c in columns)
    if weights is not None:
        coded = tuple(
            cut_by_weight(one, column, weights, max_bins=max_bins)
            for one, column in zip(coded, columns)
        )
    return coded, notices


def code_groups(
    columns: Iterable[Column], *, bins: Mapping[str, Sequence[float]] | None = None
) -> tuple[tuple[CodedColumn, ...], tuple[str, ...]]:
    """Code what makes groups: each value is a level, or each of the ranges in `bins`.

    Parameters
    ----------
    columns : iterable of Column
    bins : mapping of name to increasing numbers, optional
        Where ranges begin: ``{"age": [25, 40, 65]}``.

    Returns
    -------
    tuple of CodedColumn
    tuple of str
        What the user should know.

    Raises
    ------
    ColumnError
        If `bins` names none of the columns.
    InputError
        If a column of numbers has more than 50 distinct ones and no bins.

    Examples
    --------
    >>> from arbitree.table.frames import columns
    >>> ages = columns({"age": [17, 45, 70]}, what="sensitive_features", default_name="x")
    >>> coded, notices = code_groups(ages, bins={"age": [25, 40]})
    >>> coded[0].coding.levels, coded[0].coding.declared_unused
    (('< 25', '>= 40'), ('25-39',))
    """
    columns = list(columns)
    bins = bins or {}
    names = [column.name for column in columns]
    for name in bins:
        if name not in names:
            raise ColumnError(
                f"bins names {name!r}, which no group column is. {nearest(name, names)}"
            )
    return _coded(
        (ColumnCoder(column.name, role="group", bins=bins.get(column.name)), column)  # type: ignore[call-overload]
        for column in columns
    )


def _coded(
    coders: Iterable[tuple[ColumnCoder, Column]],
) -> tuple[tuple[CodedColumn, ...], tuple[str, ...]]:
    columns: list[CodedColumn] = []
    notices: list[str] = []
    for coder, column in coders:
        coder.add(column)
        while coder.end_pass():
            coder.add(column)
        columns.append(coder.finish())
        notices.extend(coder.notices)
    return tuple(columns), tuple(notices)
