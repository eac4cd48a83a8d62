"""The linear model of one group: a component for each set of features, none of them ever dense.

A component's function is a table over its cells, ``F_i theta F_j'`` for a pair of axes with
functions F_i and F_j; a row reads one cell of each component. So a product with the design
matrix X is a product of small matrices and one pass over the codes, and so is one with X'.
Coefficients of all components lie end to end, the intercept last; replicates come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from arbitree.counts.component_cells import Components, cell_sums, components, fitted, product
from arbitree.influence.axes import ROUGHEST, Axis, Functions, functions_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """Rows of one group and functions of them. `place[c]` is where component c's coefficients are."""

    cells: Components
    functions: tuple[Functions, ...]  # of each axis
    subsets: tuple[tuple[int, ...], ...]  # axes of each component
    place: tuple[slice, ...]
    weights: np.ndarray | None  # (n_rows,) float64
    n_threads: int | None

    @property
    def n_rows(self) -> int:
        """Rows."""
        return self.cells.n_rows

    @property
    def n_coefficients(self) -> int:
        """Coefficients, the intercept included."""
        return (self.place[-1].stop if self.place else 0) + 1

    def parts(self, c: int) -> list[Functions]:
        """Functions of the axes of component c."""
        return [self.functions[axis] for axis in self.subsets[c]]

    def shape(self, c: int) -> tuple[int, ...]:
        """Coefficients of component c along each of its axes."""
        return tuple(part.values.shape[1] for part in self.parts(c))

    def cell_shape(self, c: int) -> tuple[int, ...]:
        """Codes of component c's axes."""
        return tuple(part.values.shape[0] for part in self.parts(c))

    def cell_slice(self, c: int) -> slice:
        """Where component c's cells are."""
        return slice(int(self.cells.start[c]), int(self.cells.start[c + 1]))

    def roughness(self) -> np.ndarray:
        """Roughness of every coefficient, 0 for the intercept.  -> (n_coefficients,)"""
        found = np.zeros(self.n_coefficients)
        for c, at in enumerate(self.place):
            rough = reduce(np.multiply.outer, [p.roughness for p in self.parts(c)]).ravel()
            found[at] = np.minimum(rough, ROUGHEST)
        return found

    def per_coefficient(self, of_components: np.ndarray) -> np.ndarray:
        """A number for each component, repeated.  (r, n_components) -> (r, n_coefficients)"""
        sizes = [at.stop - at.start for at in self.place]
        found = np.zeros((len(of_components), self.n_coefficients))
        found[:, :-1] = np.repeat(of_components, sizes, axis=1)
        return found

    def tables(self, theta: np.ndarray) -> np.ndarray:
        """Each component's function as a table.  (r, n_coefficients) -> (r, n_cells)"""
        r = len(theta)
        found = np.empty((r, self.cells.n_cells))
        for c, at in enumerate(self.place):
            values = theta[:, at].reshape(r, *self.shape(c))
            found[:, self.cell_slice(c)] = spread_out(values, self.parts(c)).reshape(r, -1)
        if self.place:
            found[:, self.cell_slice(0)] += theta[:, -1:]
        return found

    def gathered(self, tables: np.ndarray) -> np.ndarray:
        """The transpose of `tables`.  (r, n_cells) -> (r, n_coefficients)"""
        r = len(tables)
        found = np.empty((r, self.n_coefficients))
        for c, at in enumerate(self.place):
            values = tables[:, self.cell_slice(c)].reshape(r, *self.cell_shape(c))
            found[:, at] = drawn_in(values, self.parts(c)).reshape(r, -1)
        found[:, -1] = tables[:, self.cell_slice(0)].sum(axis=1)
        return found

    def fitted(self, theta: np.ndarray) -> np.ndarray:
        """X theta.  (r, n_coefficients) -> (r, n_rows)"""
        return fitted(self.cells, self.tables(theta), n_threads=self.n_threads)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums of values of rows in each cell.  (r, n_rows) -> (r, n_cells)"""
        return cell_sums(self.cells, values, n_threads=self.n_threads)

    def normal(self, theta: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
        """X' W X theta.  (r, n_coefficients), (r or 1, n_rows) -> (r, n_coefficients)"""
        tables = self.tables(theta)
        return self.gathered(product(self.cells, tables, weights, n_threads=self.n_threads))

    def diagonal(self, counts: np.ndarray) -> np.ndarray:
        """The diagonal of X' W X, from sums of weights in cells.  (n_cells,) -> (n_coefficients,)"""
        found = np.empty(self.n_coefficients)
        for c, at in enumerate(self.place):
            squares = [replace(part, values=part.values**2) for part in self.parts(c)]
            values = counts[self.cell_slice(c)].reshape(1, *self.cell_shape(c))
            found[at] = drawn_in(values, squares).ravel()
        found[-1] = counts[self.cell_slice(0)].sum()
        return found

    def take(self, rows: np.ndarray) -> Design:
        """The same model of some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, cells=self.cells.take(rows), weights=weights)


def spread_out(values: np.ndarray, parts: Sequence[Functions]) -> np.ndarray:
    """Coefficients -> cells, along each axis.  (r, k_1, k_2, ..) -> (r, n_1, n_2, ..)"""
    for at, part in enumerate(parts):
        values = _along(values, part.values, at + 1)
    return values


def drawn_in(values: np.ndarray, parts: Sequence[Functions]) -> np.ndarray:
    """The transpose of `spread_out`.  (r, n_1, n_2, ..) -> (r, k_1, k_2, ..)"""
    for at, part in enumerate(parts):
        values = _along(values, part.values.T, at + 1)
    return values


def _along(values: np.ndarray, matrix: np.ndarray, at: int) -> np.ndarray:
    """Multiply one axis by a matrix."""
    before, size, after = values.shape[:at], values.shape[at], values.shape[at + 1 :]
    if not after:
        return np.asarray(values.reshape(-1, size) @ matrix.T).reshape(*before, -1)
    flat = values.reshape(int(np.prod(before)), size, int(np.prod(after)))
    return np.asarray(matrix @ flat).reshape(*before, len(matrix), *after)


def design(
    axes: Sequence[Axis],
    codes: np.ndarray,
    subsets: Sequence[tuple[int, ...]],
    *,
    weights: np.ndarray | None = None,
    n_threads: int | None = None,
) -> Design:
    """The model of one group's rows.

    Parameters
    ----------
    axes : sequence of Axis
    codes : (n_axes, n_rows) uint8
        Codes of the group's rows on each axis.
    subsets : sequence of tuples of axes
        The components; those whose axes have a single value are left out of the model by having
        no coefficients.
    weights : (n_rows,) floats, optional
    """
    functions = tuple(
        functions_of(axis, np.bincount(of_rows, weights, minlength=axis.n_codes).astype(float))
        for axis, of_rows in zip(axes, codes)
    )
    cells = components(codes, [axis.n_codes for axis in axes], subsets)
    place, first = [], 0
    for subset in subsets:
        size = int(np.prod([functions[a].values.shape[1] for a in subset]))
        place.append(slice(first, first + size))
        first += size
    return Design(
        cells=cells,
        functions=functions,
        subsets=tuple(subsets),
        place=tuple(place),
        weights=weights,
        n_threads=n_threads,
    )
