"""The values of raw columns, in cells so fine that no rule and no model tells them apart.

A cell of a number holds ``cuts[k - 1] < x <= cuts[k]``, compared as float64; the last one is a
missing value. A cell of a category is one of its levels, any other level, or missing. So
rules and the trees of a model are true or false of whole cells.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree.rules.axes import Axis, CategoryAxis, NumberAxis, bits
from arbitree.rules.number_order import LARGEST, short_number
from arbitree.rules.splits import doubles_below


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GridAxis:
    """The cells of a column. `coarse` is the cell of the rules that each is in."""

    axis: Axis
    cuts: np.ndarray  # (n_cells - 2,) float64, increasing; of a category empty
    coarse: np.ndarray  # (n_cells,) int
    occurs: np.ndarray  # (n_cells,) bool: in the domain, and the model decides it

    @property
    def n_cells(self) -> int:
        """Cells of values and the one of missing."""
        return len(self.coarse)

    @property
    def missing_cell(self) -> int:
        """The last cell."""
        return self.n_cells - 1

    @property
    def whole(self) -> int:
        """The cells of the rules that have a cell which occurs, as bits."""
        return sum(1 << cell for cell in np.unique(self.coarse[self.occurs]).tolist())

    def within(self, cells: int) -> np.ndarray:
        """Which cells occur in a set of cells of the rules.  (n_cells,) bool"""
        chosen = np.zeros(self.axis.n_cells, bool)
        chosen[bits(cells)] = True
        return np.asarray(chosen[self.coarse] & self.occurs)

    def cut(self, thresholds: np.ndarray) -> np.ndarray:
        """The last cell that is not above each threshold, -1 if there is none.  (n,) int32"""
        found = np.searchsorted(self.cuts, thresholds, side="left")
        return np.where(thresholds < -LARGEST, -1, found).astype(np.int32)

    def value(self, cell: int) -> Any:
        """A value of a cell; None: missing."""
        if cell == self.missing_cell:
            return None
        if isinstance(self.axis, CategoryAxis):
            return (
                other_level(self.axis) if cell == self.axis.other_cell else self.axis.levels[cell]
            )
        low = -np.inf if cell == 0 else float(self.cuts[cell - 1])
        high = np.inf if cell == len(self.cuts) else float(self.cuts[cell])
        return short_number(low, high)

    def column(self, cells: Sequence[int]) -> pd.Series:
        """Values of cells as a column; missing ones are NaN."""
        values = [np.nan if x is None else x for x in map(self.value, cells)]
        if isinstance(self.axis, NumberAxis):
            return pd.Series(values, dtype=np.float64)
        boolean = set(map(type, values)) == {bool}
        return pd.Series(values, dtype=bool if boolean else object)


def other_level(axis: CategoryAxis) -> Any:
    """A level that is not listed, of the same type as those that are."""
    numbers = [level for level in axis.levels if isinstance(level, int | float)]
    if len(numbers) == len(axis.levels) and numbers and bool not in set(map(type, numbers)):
        return max(numbers) + 1
    return axis.example(axis.other_cell)


def axis_cuts(axis: NumberAxis) -> np.ndarray:
    """The float64 numbers up to which the cells of the rules reach."""
    found = doubles_below(axis.edges)
    return np.floor(found) if axis.kind == "integer" else found


def number_grid(axis: NumberAxis, cuts: np.ndarray) -> GridAxis:
    """The cells between the edges of the rules and the cuts of a model."""
    edges = axis_cuts(axis)
    if axis.kind == "integer":
        cuts = np.floor(cuts)
    every = np.unique(np.concatenate([edges, cuts]))
    every = every[(every >= -LARGEST) & (every < LARGEST)]
    coarse = np.searchsorted(edges, np.append(every, np.inf), side="left")
    coarse = np.append(coarse, axis.missing_cell)
    return GridAxis(axis=axis, cuts=every, coarse=coarse, occurs=_occurring(axis, coarse))


def level_grid(axis: CategoryAxis) -> GridAxis:
    """The cells of a category: those of the rules."""
    coarse = np.arange(axis.n_cells)
    return GridAxis(axis=axis, cuts=np.empty(0), coarse=coarse, occurs=_occurring(axis, coarse))


def frame_of(
    grid: Sequence[GridAxis], codes: np.ndarray, order: Sequence[int], names: Sequence[Hashable]
) -> pd.DataFrame:
    """Rows of cells as a frame.

    Parameters
    ----------
    grid : sequence of GridAxis
    codes : ndarray of int, shape (n_rows, n_axes)
    order : sequence of int
        The axis of each column.
    names : sequence
        Of the columns.
    """
    columns = [grid[place].column(codes[:, place].tolist()) for place in order]
    found = pd.DataFrame(dict(enumerate(columns)), index=range(len(codes)))
    found.columns = pd.Index(names, dtype=object)
    return found


def coarse_cells(grid: Sequence[GridAxis], codes: np.ndarray) -> list[np.ndarray]:
    """The rules' cells of rows of cells, axis by axis."""
    return [axis.coarse[codes[:, place]] for place, axis in enumerate(grid)]


def _occurring(axis: Axis, coarse: np.ndarray) -> np.ndarray:
    occurs = np.zeros(axis.n_cells, bool)
    occurs[bits(axis.whole)] = True
    return np.asarray(occurs[coarse])
