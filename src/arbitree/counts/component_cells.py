"""Sums over rows of functions that are tables over cells of one, two or three columns.

A *component* is such a set of columns. All components are read, and written, in one pass over the
rows, block by block: `fitted` adds up what the tables hold for each row, `cell_sums` adds up
rows in each cell, `product` does one after the other while the block is in cache. Several
replicates of everything (folds, resamplings) share the pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree.counts.spread import added, blocks, lanes, spread

ROWS_A_BLOCK = 1 << 15
ROWS_A_LANE = 1 << 16
MOST_CELLS = 1 << 31


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Components:
    """Cells of each component lie together, in the order of the components, last column fastest.

    Every code of a column is below the size that `sizes` gives for it.
    """

    codes: np.ndarray  # (n_columns, n_rows) uint8, rows contiguous
    axes: np.ndarray  # (n_components, 3) int64, columns of each component, -1 for none
    sizes: np.ndarray  # (n_components, 3) int64, codes of these columns, 1 for none
    start: np.ndarray  # (n_components + 1,) int64, first cell of each

    @property
    def n_rows(self) -> int:
        """Rows."""
        return self.codes.shape[1]

    @property
    def n_cells(self) -> int:
        """Cells of all components."""
        return int(self.start[-1])

    def take(self, rows: np.ndarray) -> Components:
        """The same components of some rows."""
        codes = np.ascontiguousarray(self.codes[:, rows])
        return Components(codes=codes, axes=self.axes, sizes=self.sizes, start=self.start)


def components(
    codes: np.ndarray, n_codes: Sequence[int], subsets: Sequence[tuple[int, ...]]
) -> Components:
    """Lay out the cells of sets of one to three columns.

    Parameters
    ----------
    codes : (n_columns, n_rows) uint8
    n_codes : sequence of int
        Codes of column j run from 0 to ``n_codes[j] - 1``.
    subsets : sequence of tuples of one to three columns

    Returns
    -------
    Components

    Raises
    ------
    InputError
        If a code is out of range, or there are too many cells.

    Examples
    --------
    >>> codes = np.array([[0, 1, 1], [2, 0, 2]], np.uint8)
    >>> both = components(codes, [2, 3], [(0,), (0, 1)])
    >>> both.n_cells
    8
    """
    codes = np.ascontiguousarray(codes, np.uint8)
    for column, size in zip(codes, n_codes):
        if column.size and column.max() >= size:
            raise InputError(f"A code is {column.max()}, but they run from 0 to {size - 1}.")
    axes = np.array([(*subset, -1, -1)[:3] for subset in subsets], np.int64).reshape(-1, 3)
    sizes = np.where(axes >= 0, np.asarray(n_codes, np.int64)[axes], 1)
    start = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))])
    if start[-1] > MOST_CELLS:
        raise InputError(f"The components have {start[-1]:,} cells. Use fewer of them.")
    return Components(codes=codes, axes=axes, sizes=sizes, start=start)


def fitted(of: Components, tables: np.ndarray, *, n_threads: int | None = None) -> np.ndarray:
    """For each row the sum of its cells' entries.

    Parameters
    ----------
    of : Components
    tables : (r, n_cells) float64
    n_threads : int, optional
        None takes every core. The result does not depend on it, to the last bit.

    Returns
    -------
    (r, n_rows) float64

    Examples
    --------
    >>> one = components(np.array([[0, 1, 1]], np.uint8), [2], [(0,)])
    >>> fitted(one, np.array([[10.0, 20.0]])).ravel()
    array([10., 20., 20.])
    """
    found = np.zeros((len(tables), of.n_rows))

    def fill(lane: slice) -> None:
        for block in blocks(lane, ROWS_A_BLOCK):
            sums = np.zeros((len(tables), block.stop - block.start))
            _gather(of, tables, block, sums)
            found[:, block] = sums

    spread(fill, _lanes(of.n_rows), n_threads)
    return found


def cell_sums(of: Components, values: np.ndarray, *, n_threads: int | None = None) -> np.ndarray:
    """Sums over the rows of each cell.

    Parameters
    ----------
    of : Components
    values : (r, n_rows) float64
    n_threads : int, optional
        None takes every core. The result does not depend on it, to the last bit.

    Returns
    -------
    (r, n_cells) float64

    Examples
    --------
    >>> one = components(np.array([[0, 1, 1]], np.uint8), [2], [(0,)])
    >>> cell_sums(one, np.array([[1.0, 2.0, 3.0]])).ravel()
    array([1., 5.])
    """

    def fill(lane: slice) -> np.ndarray:
        sums = np.zeros((len(values), of.n_cells))
        for block in blocks(lane, ROWS_A_BLOCK):
            _scatter(of, np.ascontiguousarray(values[:, block], np.float64), block, sums)
        return sums

    return added(spread(fill, _lanes(of.n_rows), n_threads))


def product(
    of: Components,
    tables: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    n_threads: int | None = None,
) -> np.ndarray:
    """``cell_sums(weights * fitted(tables))`` in one pass.

    Parameters
    ----------
    of : Components
    tables : (r, n_cells) float64
    weights : (r, n_rows) or (1, n_rows) floats, optional
    n_threads : int, optional
        None takes every core. The result does not depend on it, to the last bit.

    Returns
    -------
    (r, n_cells) float64
    """

    def fill(lane: slice) -> np.ndarray:
        sums = np.zeros_like(tables)
        for block in blocks(lane, ROWS_A_BLOCK):
            values = np.zeros((len(tables), block.stop - block.start))
            _gather(of, tables, block, values)
            if weights is not None:
                values *= weights[:, block]
            _scatter(of, values, block, sums)
        return sums

    return added(spread(fill, _lanes(of.n_rows), n_threads))


def _lanes(n_rows: int) -> list[slice]:
    return lanes(n_rows, rows_at_least=ROWS_A_LANE)


def _gather(of: Components, tables: np.ndarray, block: slice, found: np.ndarray) -> None:
    from arbitree.counts._kernels import gather

    gather(of.codes, of.axes, of.sizes, of.start, tables, block.start, found)


def _scatter(of: Components, values: np.ndarray, block: slice, sums: np.ndarray) -> None:
    from arbitree.counts._kernels import scatter

    scatter(of.codes, of.axes, of.sizes, of.start, values, block.start, sums)
