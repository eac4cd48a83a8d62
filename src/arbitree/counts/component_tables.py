"""Tables over cells from few coefficients, and the transpose.

A component's table is spanned by products of functions of its columns:
``table[i, j] = sum of theta[k, l] f_k(i) g_l(j)``. Only the functions of single columns are held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.counts.component_cells import Components


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bases:
    """Functions of each column, and where the coefficients of each component are."""

    values: np.ndarray  # flat float64, (n_codes, k) of each column
    place: np.ndarray  # (n_columns + 1,) int64, where they are
    widths: np.ndarray  # (n_columns,) int64, functions of each column
    first: np.ndarray  # (n_components + 1,) int64, first coefficient of each component

    def squares(self) -> Bases:
        """The same with every function squared."""
        return Bases(values=self.values**2, place=self.place, widths=self.widths, first=self.first)


def bases(of: Components, functions: Sequence[np.ndarray]) -> Bases:
    """Lay out functions of columns.

    Parameters
    ----------
    of : Components
    functions : sequence of (n_codes, k) float64, one a column

    Examples
    --------
    >>> from arbitree.counts.component_cells import components
    >>> one = components(np.array([[0, 1, 1]], np.uint8), [2], [(0,)])
    >>> steps = bases(one, [np.array([[0.0], [1.0]])])
    >>> tables(one, steps, np.array([[5.0]]))
    array([[0., 5.]])
    >>> coefficients(one, steps, np.array([[3.0, 4.0]]))
    array([[4.]])
    """
    widths = np.array([values.shape[1] for values in functions], np.int64)
    sizes = np.where(of.axes >= 0, widths[of.axes], 1).prod(axis=1)
    return Bases(
        values=np.concatenate([np.ravel(values) for values in functions]).astype(np.float64),
        place=np.cumsum([0, *(values.size for values in functions)]),
        widths=widths,
        first=np.concatenate([[0], np.cumsum(sizes)]),
    )


def tables(of: Components, basis: Bases, theta: np.ndarray) -> np.ndarray:
    """Each component's table.  (r, n_coefficients) -> (r, n_cells)"""
    from arbitree.counts._kernels import tables_from

    theta = np.ascontiguousarray(theta, np.float64)
    found = np.empty((len(theta), of.n_cells))
    tables_from(
        of.axes,
        of.sizes,
        of.start,
        basis.values,
        basis.place,
        basis.widths,
        basis.first,
        theta,
        found,
    )
    return found


def coefficients(of: Components, basis: Bases, of_cells: np.ndarray) -> np.ndarray:
    """The transpose of `tables`.  (r, n_cells) -> (r, n_coefficients)"""
    from arbitree.counts._kernels import coefficients_from

    of_cells = np.ascontiguousarray(of_cells, np.float64)
    found = np.empty((len(of_cells), int(basis.first[-1])))
    coefficients_from(
        of.axes,
        of.sizes,
        of.start,
        basis.values,
        basis.place,
        basis.widths,
        basis.first,
        of_cells,
        found,
    )
    return found


def rows_and_back(
    of: Components, basis: Bases, theta: np.ndarray, weights: np.ndarray, fitted: np.ndarray
) -> np.ndarray:
    """Add what rows read in ``tables(theta)`` to `fitted`; coefficients of the weighted sums of it.

    For rows of one block: no table outlives its turn, which takes a third off the time of 13,000
    rows x 66 components of 207,438 cells (benchmarks/influence/speed.py, normal, 6 intervals).

    Parameters
    ----------
    of : Components
    basis : Bases
    theta : (r, n_coefficients)
    weights : (r, n_rows) or (1, n_rows) float64
    fitted : (r, n_rows) float64
        Is changed.

    Returns
    -------
    (r, n_coefficients) float64
    """
    from arbitree.counts import _kernels

    found = np.zeros(theta.shape)
    _kernels.rows_and_back(
        of.codes,
        of.axes,
        of.sizes,
        basis.values,
        basis.place,
        basis.widths,
        basis.first,
        np.ascontiguousarray(theta, np.float64),
        np.ascontiguousarray(weights, np.float64),
        found,
        fitted,
    )
    return found
