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
class Block:
    """One component: where its coefficients and cells are, and the functions of its axes."""

    place: slice  # of its coefficients
    cells: slice
    parts: tuple[Functions, ...]
    shape: tuple[int, ...]  # coefficients along each axis
    cell_shape: tuple[int, ...]

    def squares(self) -> Block:
        """The same block with every function squared."""
        parts = tuple(replace(part, values=part.values**2) for part in self.parts)
        return replace(self, parts=parts)

    def spread_out(self, theta: np.ndarray) -> np.ndarray:
        """Coefficients -> cells.  (r, k) -> (r, n_1, n_2, ..)"""
        return spread_out(theta.reshape(len(theta), *self.shape), self.parts)

    def drawn_in(self, tables: np.ndarray) -> np.ndarray:
        """The transpose of `spread_out`.  (r, cells) -> (r, k)"""
        values = tables.reshape(len(tables), *self.cell_shape)
        if len(self.parts) == 1:
            values = values @ self.parts[0].values
        elif len(self.parts) == 2:
            values = self.parts[0].values.T @ (values @ self.parts[1].values)
        else:
            for part in self.parts:
                values = np.moveaxis(values, 1, -1) @ part.values
        return np.asarray(values.reshape(len(tables), -1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """Rows of one group and functions of them, one block of coefficients for each component."""

    cells: Components
    functions: tuple[Functions, ...]  # of each axis
    subsets: tuple[tuple[int, ...], ...]  # axes of each component
    blocks: tuple[Block, ...]
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
        sums = [of_coefficients[:, block.place].sum(axis=1) for block in self.blocks]
        return np.stack(sums, axis=1)

    def tables(self, theta: np.ndarray) -> np.ndarray:
        """Each component's function as a table.  (r, n_coefficients) -> (r, n_cells)"""
        found = np.empty((len(theta), self.cells.n_cells))
        for block in self.blocks:
            table = block.spread_out(theta[:, block.place])
            found[:, block.cells] = table.reshape(len(theta), -1)
        if self.blocks:
            found[:, self.blocks[0].cells] += theta[:, -1:]
        return found

    def gathered(self, tables: np.ndarray) -> np.ndarray:
        """The transpose of `tables`.  (r, n_cells) -> (r, n_coefficients)"""
        found = np.empty((len(tables), self.n_coefficients))
        for block in self.blocks:
            found[:, block.place] = block.drawn_in(tables[:, block.cells])
        found[:, -1] = tables[:, self.blocks[0].cells].sum(axis=1)
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

    def only(self, kept: np.ndarray) -> Design:
        """The model of some of the components.  (n_components,) bool"""
        subsets = tuple(subset for subset, keep in zip(self.subsets, kept) if keep)
        sizes = np.array([part.values.shape[0] for part in self.functions])
        cells = components(self.cells.codes, sizes.tolist(), subsets)
        blocks = laid_out(self.functions, subsets, cells)
        return replace(self, cells=cells, subsets=subsets, blocks=blocks)

    def coefficients_of(self, kept: np.ndarray) -> np.ndarray:
        """Which coefficients `only` keeps.  (n_components,) bool -> (n_coefficients,) bool"""
        found = np.ones(self.n_coefficients, bool)
        for block, keep in zip(self.blocks, kept):
            found[block.place] = keep
        return found

    def take(self, rows: np.ndarray) -> Design:
        """The same model of some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
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
    return Design(
        cells=cells,
        functions=functions,
        subsets=tuple(subsets),
        blocks=laid_out(functions, subsets, cells),
        weights=weights,
        n_threads=n_threads,
    )


def laid_out(
    functions: Sequence[Functions], subsets: Sequence[tuple[int, ...]], cells: Components
) -> tuple[Block, ...]:
    """Coefficients of all components, end to end."""
    found, first = [], 0
    for c, subset in enumerate(subsets):
        parts = tuple(functions[a] for a in subset)
        shape = tuple(part.values.shape[1] for part in parts)
        size = int(np.prod(shape))
        found.append(
            Block(
                place=slice(first, first + size),
                cells=slice(int(cells.start[c]), int(cells.start[c + 1])),
                parts=parts,
                shape=shape,
                cell_shape=tuple(len(part.values) for part in parts),
            )
        )
        first += size
    return tuple(found)
