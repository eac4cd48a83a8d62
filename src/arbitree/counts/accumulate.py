"""The one loop over rows: many tables filled in one pass, block by block.

A cell of a table is ``inner + stride * code``, where `code` is the row's code in one column and
`inner` says where in the table the row belongs apart from that: its class, group and node for a
histogram, its code in the second column for a pair. An inner index is made once a block and
used by every table that shares it, while the block is in cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree.counts.checks import first_outside, whole_numbers
from arbitree.counts.spread import ROWS_A_LANE, added, blocks, lanes, spread

Rows = slice | np.ndarray

ROWS_A_BLOCK = 1 << 16
ROWS_A_CELL = 16  # a lane has this many rows for each cell of its tables, so that tables stay small
MOST_CELLS = 1 << 32
KERNEL_TYPES = (
    "uint8",
    "uint16",
)  # other integers become uint32: three compiled kernels, not eight


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Codes:
    """One code a row, each below `n_codes`; whether they are is tested block by block."""

    values: np.ndarray  # (n,) of any type of integer
    n_codes: int
    what: str  # its name in an error

    def at(self, rows: Rows) -> np.ndarray:
        """The codes of these rows, contiguous and read-only."""
        found = np.ascontiguousarray(self.values[rows])
        place = first_outside(found, self.n_codes)
        if place is not None:
            row = rows.start + place if isinstance(rows, slice) else rows[place]
            raise InputError(
                f"{self.what} has code {found[place]} at row {row}, "
                f"but its codes run from 0 to {self.n_codes - 1}."
            )
        return _frozen(found if found.dtype in KERNEL_TYPES else found.astype(np.uint32))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inner:
    """A sum of codes, each times its stride."""

    parts: tuple[tuple[Codes, int], ...]

    def at(self, rows: Rows, n_rows: int) -> np.ndarray:
        """(n_rows,) uint32"""
        total = np.zeros(n_rows, np.uint32)
        for codes, stride in self.parts:
            part = codes.at(rows).astype(np.uint32)
            part *= np.uint32(stride)
            total += part
        return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """What to count: rows by ``inner + stride * code``, which is below `size`."""

    codes: Codes
    stride: int
    inner: Inner
    size: int

    def __post_init__(self) -> None:
        if self.size > MOST_CELLS:
            raise InputError(
                f"The table of {self.codes.what} would have {self.size:,} cells. "
                "Use fewer bins, groups or nodes."
            )


def row_codes(codes: object, n_codes: int, what: str, *, n_rows: int) -> Codes:
    """Codes whose shape and type are right; their range is tested when they are read."""
    return Codes(values=whole_numbers(codes, what, n_rows=n_rows), n_codes=n_codes, what=what)


def accumulate(
    tables: Sequence[Table],
    amounts: Sequence[np.ndarray | None],
    *,
    n_rows: int,
    rows: np.ndarray | None = None,
    n_threads: int | None = None,
    together: int = 32,
) -> list[list[np.ndarray]]:
    """Fill every table once for each amount: a sum over the rows of each cell.

    Parameters
    ----------
    tables : sequence of Table
    amounts : sequence of (n,) float64 or None
        What each row adds; None adds 1.
    n_rows : int
    rows : (m,) int64, optional
        Count only these rows, in this order.
    n_threads : int, optional
    together : int
        Tables that one thread fills in one pass over its rows. Fewer make more work for threads
        where tables are too large for lanes; more share what they have in common.

    Returns
    -------
    list of list of ndarray (size,)
        One list a table, in it one array an amount: int64 for None, else float64.
    """
    n_counted = n_rows if rows is None else len(rows)
    chunks = [tables[start : start + together] for start in range(0, len(tables), together)]
    cut: list[tuple[int, slice]] = []
    for chunk, filled in enumerate(chunks):
        enough = max(ROWS_A_LANE, ROWS_A_CELL * sum(table.size for table in filled))
        cut += [(chunk, lane) for lane in lanes(n_counted, rows_at_least=enough)]

    def fill(part: tuple[int, slice]) -> list[np.ndarray]:
        chunk, lane = part
        return _fill(chunks[chunk], amounts, lane, rows)

    parts = spread(fill, cut, n_threads)
    found: list[np.ndarray] = []
    for chunk in range(len(chunks)):
        of_chunk = [part for (owner, _), part in zip(cut, parts) if owner == chunk]
        found += [added(of_lanes) for of_lanes in zip(*of_chunk)]
    k = len(amounts)
    return [found[first : first + k] for first in range(0, len(found), k)]


def _fill(
    tables: Sequence[Table],
    amounts: Sequence[np.ndarray | None],
    lane: slice,
    rows: np.ndarray | None,
) -> list[np.ndarray]:
    """The tables of one lane, block by block; all amounts of the first table come first."""
    from arbitree.counts._kernels import add_counts, add_weights

    found = [
        np.zeros(table.size, np.int64 if amount is None else np.float64)
        for table in tables
        for amount in amounts
    ]
    for block in blocks(lane, ROWS_A_BLOCK):
        at: Rows = block if rows is None else rows[block]
        values = [
            None if amount is None else _frozen(np.ascontiguousarray(amount[at]))
            for amount in amounts
        ]
        inners: dict[Inner, np.ndarray] = {}
        cells = iter(found)
        for table in tables:
            if table.inner not in inners:
                inners[table.inner] = table.inner.at(at, block.stop - block.start)
            codes, inner = table.codes.at(at), inners[table.inner]
            for value in values:
                if value is None:
                    add_counts(codes, inner, table.stride, next(cells))
                else:
                    add_weights(codes, inner, table.stride, value, next(cells))
    return found


def _frozen(array: np.ndarray) -> np.ndarray:
    """Read-only, as a column of a CodedTable is: one compiled kernel then serves both."""
    array.flags.writeable = False
    return array
