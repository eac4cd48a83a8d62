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

from arbitree.counts.component_cells import (
    ROWS_A_BLOCK,
    Components,
    cell_sums,
    components,
    fitted,
    product,
)
from arbitree.counts.component_tables import Bases, bases, coefficients, rows_and_back, tables
from arbitree.influence.axes import ROUGHEST, Axis, Functions, functions_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """One component: where its coefficients and cells are, and the functions of its axes."""

    place: slice  # of its coefficients
    cells: slice
    parts: tuple[Functions, ...]
    shape: tuple[int, ...]  # coefficients along each axis
    cell_shape: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """Rows of one group and functions of them, one block of coefficients for each component."""

    cells: Components
    functions: tuple[Functions, ...]  # of each axis
    subsets: tuple[tuple[int, ...], ...]  # axes of each component
    blocks: tuple[Block, ...]
    bases: Bases
    weights: np.ndarray | None  # (n_rows,) float64
    n_threads: int | None

    @property
    def n_rows(self) -> int:
        """Rows."""
        return self.cells.n_rows

    @property
    def n_coefficients(self) -> int:
        """Coefficients, the intercept included."""
        return (self.blocks[-1].place.stop if self.blocks else 0) + 1

    def roughness(self) -> np.ndarray:
        """Roughness of every coefficient, 0 for the intercept.  -> (n_coefficients,)"""
        found = np.zeros(self.n_coefficients)
        for block in self.blocks:
            rough = reduce(np.multiply.outer, [part.roughness for part in block.parts]).ravel()
            found[block.place] = np.minimum(rough, ROUGHEST)
        return found

    def per_coefficient(self, of_components: np.ndarray) -> np.ndarray:
        """A number for each component, repeated.  (r, n_components) -> (r, n_coefficients)"""
        sizes = [block.place.stop - block.place.start for block in self.blocks]
        found = np.zeros((len(of_components), self.n_coefficients))
        found[:, :-1] = np.repeat(of_components, sizes, axis=1)
        return found

    def per_component(self, of_coefficients: np.ndarray) -> np.ndarray:
        """Sums over each component.  (r, n_coefficients) -> (r, n_components)"""
        first = self.bases.first
        padded = np.concatenate([of_coefficients[:, :-1], np.zeros((len(of_coefficients), 1))], 1)
        sums = np.add.reduceat(padded, first[:-1], axis=1)
        return np.where(np.diff(first) > 0, sums, 0.0)

    def tables(self, theta: np.ndarray) -> np.ndarray:
        """Each component's function as a table.  (r, n_coefficients) -> (r, n_cells)"""
        found = tables(self.cells, self.bases, theta[:, :-1])
        if self.blocks:
            found[:, self.blocks[0].cells] += theta[:, -1:]
        return found

    def gathered(self, of_cells: np.ndarray) -> np.ndarray:
        """The transpose of `tables`.  (r, n_cells) -> (r, n_coefficients)"""
        found = np.empty((len(of_cells), self.n_coefficients))
        found[:, :-1] = coefficients(self.cells, self.bases, of_cells)
        found[:, -1] = of_cells[:, self.blocks[0].cells].sum(axis=1)
        return found

    def squared(self) -> Design:
        """The same design with every function squared: for sums of squares over coefficients."""
        return replace(self, bases=self.bases.squares())

    def fitted(self, theta: np.ndarray) -> np.ndarray:
        """X theta.  (r, n_coefficients) -> (r, n_rows)"""
        return fitted(self.cells, self.tables(theta), n_threads=self.n_threads)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums of values of rows in each cell.  (r, n_rows) -> (r, n_cells)"""
        return cell_sums(self.cells, values, n_threads=self.n_threads)

    def normal(
        self, theta: np.ndarray, weights: np.ndarray | None, fitted: np.ndarray | None = None
    ) -> np.ndarray:
        """X' W X theta.  (r, n_coefficients), (r or 1, n_rows) -> (r, n_coefficients)

        `fitted`, (r, n_rows), is filled with X theta if it is given.
        """
        if self.n_rows <= ROWS_A_BLOCK:
            weights = np.ones((1, self.n_rows)) if weights is None else weights
            values = np.empty((len(theta), self.n_rows)) if fitted is None else fitted
            values[:] = theta[:, -1:]
            found = np.empty_like(theta)
            found[:, :-1] = rows_and_back(self.cells, self.bases, theta[:, :-1], weights, values)
            found[:, -1] = np.einsum("rn,rn->r", np.broadcast_to(weights, values.shape), values)
            return found
        if fitted is not None:
            fitted[:] = self.fitted(theta)
            return self.gathered(self.sums(fitted if weights is None else weights * fitted))
        tables = self.tables(theta)
        return self.gathered(product(self.cells, tables, weights, n_threads=self.n_threads))

    def only(self, kept: np.ndarray) -> Design:
        """The model of some of the components.  (n_components,) bool"""
        subsets = tuple(subset for subset, keep in zip(self.subsets, kept) if keep)
        sizes = np.array([part.values.shape[0] for part in self.functions])
        cells = components(self.cells.codes, sizes.tolist(), subsets)
        return laid_out(self.functions, subsets, cells, self.weights, self.n_threads)

    def coefficients_of(self, kept: np.ndarray) -> np.ndarray:
        """Which coefficients `only` keeps.  (n_components,) bool -> (n_coefficients,) bool"""
        found = np.ones(self.n_coefficients, bool)
        for block, keep in zip(self.blocks, kept):
            found[block.place] = keep
        return found

    def take(self, rows: np.ndarray, weights: np.ndarray) -> Design:
        """The same functions of some of the rows, which count otherwise."""
        return replace(self, cells=self.cells.take(rows), weights=weights)


def spread_out(values: np.ndarray, parts: Sequence[Functions]) -> np.ndarray:
    """Coefficients -> cells, along each axis.  (r, k_1, k_2, ..) -> (r, n_1, n_2, ..)"""
    if len(parts) == 1:
        return np.asarray(values @ parts[0].values.T)
    if len(parts) == 2:
        return np.asarray(parts[0].values @ (values @ parts[1].values.T))
    for part in parts:  # the axis at hand is the last of k, and goes to the end
        values = np.moveaxis(values, 1, -1) @ part.values.T
    return values


def design(
    axes: Sequence[Axis],
    codes: np.ndarray,
    subsets: Sequence[tuple[int, ...]],
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
    return laid_out(functions, subsets, cells, weights, n_threads)


def laid_out(
    functions: tuple[Functions, ...],
    subsets: Sequence[tuple[int, ...]],
    cells: Components,
    weights: np.ndarray | None,
    n_threads: int | None,
) -> Design:
    """Coefficients of all components, end to end."""
    basis = bases(cells, [part.values for part in functions])
    blocks = []
    for c, subset in enumerate(subsets):
        parts = tuple(functions[a] for a in subset)
        blocks.append(
            Block(
                place=slice(int(basis.first[c]), int(basis.first[c + 1])),
                cells=slice(int(cells.start[c]), int(cells.start[c + 1])),
                parts=parts,
                shape=tuple(part.values.shape[1] for part in parts),
                cell_shape=tuple(len(part.values) for part in parts),
            )
        )
    return Design(
        cells=cells,
        functions=functions,
        subsets=tuple(subsets),
        blocks=tuple(blocks),
        bases=basis,
        weights=weights,
        n_threads=n_threads,
    )
