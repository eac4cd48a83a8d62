"""Counts and sums over the two-dimensional cells of many pairs of columns.

All tables of a chunk of pairs are filled in one pass over the rows, block by block, with the codes
of a block in cache. Each table belongs to one thread unless rows are many more than cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError
from arbitree.counts.accumulate import Inner, Table, accumulate, row_codes
from arbitree.counts.checks import at_least, codes_in_range, finite_values, weights_of_rows

PAIRS_TOGETHER = 8
ROWS_WORTH_A_THREAD = 1 << 18  # over tables; fewer are done before a thread has started


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCells:
    """Tables of pairs of columns, one of each kind a pair, in the order the pairs were asked for.

    The rows of the table of pair (a, b) are the codes of a, its columns the codes of b.
    """

    pairs: tuple[tuple[int, int], ...]
    counts: tuple[np.ndarray, ...]  # (n_codes of a, n_codes of b) int64, or float64 of weights
    sums: tuple[np.ndarray, ...] | None  # the same shapes, float64, sums of weight * value


def pair_cells(
    codes: Sequence[np.ndarray],
    pairs: Sequence[tuple[int, int]],
    *,
    n_codes: Sequence[int],
    values: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    rows: ArrayLike | None = None,
    n_threads: int | None = None,
) -> PairCells:
    """Count rows, and sum a value, in the cells of pairs of columns.

    Parameters
    ----------
    codes : sequence of d arrays (n,) uint8 or uint16
    pairs : sequence of (a, b)
        Positions in `codes`. A column paired with itself has its own counts on the diagonal.
    n_codes : sequence of d int
        Codes of column j run from 0 to ``n_codes[j] - 1``.
    values : (n,) floats, optional
        What to sum.
    weights : (n,) floats, optional
    rows : (m,) whole numbers, optional
        Count only these rows.
    n_threads : int, optional
        None takes every core. The result does not depend on it, to the last bit.

    Returns
    -------
    PairCells

    Raises
    ------
    InputError
        If a code is out of range, a column does not exist, a number is not finite, or lengths
        differ.

    Examples
    --------
    >>> sex, age = np.array([0, 1, 1], np.uint8), np.array([2, 0, 2], np.uint8)
    >>> cells = pair_cells([sex, age], [(0, 1)], n_codes=[2, 3], values=[1.0, 0.0, 1.0])
    >>> cells.counts[0]
    array([[0, 0, 1],
           [1, 0, 1]])
    >>> cells.sums[0]
    array([[0., 0., 1.],
           [0., 0., 1.]])
    """
    n_rows = len(codes[0]) if len(codes) else 0
    if len(n_codes) != len(codes):
        raise InputError(f"There are {len(codes)} columns, but n_codes has {len(n_codes)} numbers.")
    columns = [
        row_codes(column, at_least(size, 1, f"n_codes[{j}]"), f"column {j}", n_rows=n_rows)
        for j, (column, size) in enumerate(zip(codes, n_codes))
    ]
    asked = tuple((_position(a, len(codes)), _position(b, len(codes))) for a, b in pairs)
    counted = None if rows is None else codes_in_range(rows, n_rows, "rows")
    inners = [Inner(parts=((column, 1),)) for column in columns]
    order = sorted(range(len(asked)), key=lambda p: asked[p][::-1])  # neighbours share an inner
    tables = [
        Table(
            codes=columns[a],
            stride=columns[b].n_codes,
            inner=inners[b],
            size=columns[a].n_codes * columns[b].n_codes,
        )
        for a, b in (asked[p] for p in order)
    ]
    amounts = _amounts(n_rows, values, weights)
    n_counted = n_rows if counted is None else len(counted)
    found = accumulate(
        tables,
        amounts,
        n_rows=n_rows,
        rows=counted,
        n_threads=n_threads,
        together=max(PAIRS_TOGETHER, ROWS_WORTH_A_THREAD // max(n_counted, 1)),
    )
    place = {p: at for at, p in enumerate(order)}

    def shaped(kind: int) -> tuple[np.ndarray, ...]:
        return tuple(
            found[place[p]][kind].reshape(columns[a].n_codes, columns[b].n_codes)
            for p, (a, b) in enumerate(asked)
        )

    return PairCells(pairs=asked, counts=shaped(0), sums=None if len(amounts) == 1 else shaped(1))


def _amounts(
    n_rows: int, values: ArrayLike | None, weights: ArrayLike | None
) -> list[np.ndarray | None]:
    w = weights_of_rows(weights, n_rows)
    if values is None:
        return [w]
    each = finite_values(values, "values", n_rows=n_rows)
    return [w, each if w is None else w * each]


def _position(column: int, n_columns: int) -> int:
    if not 0 <= column < n_columns:
        raise InputError(f"There is no column {column}: columns run from 0 to {n_columns - 1}.")
    return int(column)
