"""Counts by (level, class) of every column: what assertions are tested against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError
from arbitree.counts.accumulate import Inner, Table, accumulate, row_codes
from arbitree.counts.checks import at_least, codes_in_range, weights_of_rows


def level_counts(
    codes: Sequence[np.ndarray],
    y: ArrayLike,
    *,
    n_levels: Sequence[int],
    n_classes: int,
    weights: ArrayLike | None = None,
    rows: ArrayLike | None = None,
    n_threads: int | None = None,
) -> tuple[np.ndarray, ...]:
    """Count rows by level and class, in a table of its own size for each column.

    Parameters
    ----------
    codes : sequence of d arrays (n,) of integers
    y : (n,) whole numbers
        Class of each row.
    n_levels : sequence of d int
        Codes of column j run from 0 to ``n_levels[j] - 1``.
    n_classes : int
    weights : (n,) floats, optional
    rows : (m,) whole numbers, optional
        Count only these rows.
    n_threads : int, optional
        None takes every core. The result does not depend on it, to the last bit.

    Returns
    -------
    tuple of d arrays (n_levels[j], n_classes)
        int64; float64 with `weights`.

    Raises
    ------
    InputError
        If a code is out of range, a weight is not finite or negative, or lengths differ.

    Examples
    --------
    >>> level_counts([np.array([0, 1, 1], np.uint8)], [0, 1, 1], n_levels=[2], n_classes=2)
    (array([[1, 0],
           [0, 2]]),)
    """
    n_classes = at_least(n_classes, 1, "n_classes")
    n_rows = len(np.asarray(y))
    if len(n_levels) != len(codes):
        raise InputError(
            f"There are {len(codes)} columns, but n_levels has {len(n_levels)} numbers."
        )
    inner = Inner(parts=((row_codes(y, n_classes, "y", n_rows=n_rows), 1),))
    tables = [
        Table(
            codes=row_codes(
                column, at_least(size, 1, f"n_levels[{j}]"), f"column {j}", n_rows=n_rows
            ),
            stride=n_classes,
            inner=inner,
            size=size * n_classes,
        )
        for j, (column, size) in enumerate(zip(codes, n_levels))
    ]
    counted = None if rows is None else codes_in_range(rows, n_rows, "rows")
    amounts = [weights_of_rows(weights, n_rows)]
    found = accumulate(tables, amounts, n_rows=n_rows, rows=counted, n_threads=n_threads)
    return tuple(table.reshape(-1, n_classes) for (table,) in found)
