"""What one-feature logistic regressions of a node regress on.

A number enters as its value (a wide range of numbers as its mean), a category whose levels have
an order as the rank of its level, any other category as one indicator a level: one regression
each. Missing values are left out of the regression and then sent to the side with fewer errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree.table.codings import NumericCoding
from arbitree.tree.cells import Layout
from arbitree.tree.table import TrainingTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictors:
    """Predictors in the order of their features; entries of each are contiguous.

    An entry is a value of a predictor and the cell that is counted for it. The entry of the rest
    of an indicator's levels counts all cells of the feature but one.
    """

    feature: np.ndarray  # (n_predictors,) int64
    level: np.ndarray  # (n_predictors,) int64, code of an indicator's level; -1 of no indicator
    of_entry: np.ndarray  # (n_entries,) int64, predictor
    cell: np.ndarray  # (n_entries,) int64
    is_rest: np.ndarray  # (n_entries,) bool
    value: np.ndarray  # (n_entries,) float64, increasing in a predictor

    def entries(self, sums: np.ndarray, layout: Layout) -> np.ndarray:
        """Weights of entries from those of cells.  (n_nodes, n_cells, k) -> (n_nodes, m, k)"""
        found = sums[:, self.cell]
        rest = np.flatnonzero(self.is_rest)
        if len(rest):
            of_feature = np.add.reduceat(sums, layout.start[:-1], axis=1) - sums[:, layout.missing]
            found[:, rest] = of_feature[:, layout.feature[self.cell[rest]]] - found[:, rest]
        return found


def predictors(table: TrainingTable, layout: Layout) -> Predictors:
    """The predictors of a table's features.

    Raises
    ------
    InputError
        If the table does not say what its numbers' codes stand for.
    """
    feature: list[int] = []
    level: list[int] = []
    entries: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # cells, rests, values
    for j in range(len(table.features)):
        first = int(layout.start[j])
        for of_level, codes, is_rest, values in _of_feature(table, j):
            feature.append(j)
            level.append(of_level)
            entries.append((first + codes, is_rest, values))
    cells, rests, values = (np.concatenate(parts) for parts in zip(*entries))
    return Predictors(
        feature=np.array(feature, np.int64),
        level=np.array(level, np.int64),
        of_entry=np.repeat(np.arange(len(entries)), [len(part[0]) for part in entries]),
        cell=cells.astype(np.int64),
        is_rest=rests.astype(bool),
        value=values.astype(np.float64),
    )


def _of_feature(
    table: TrainingTable, j: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """Of each predictor the level, and of its entries the code, whether it is a rest, the value."""
    coding = table.features[j].coding
    codes = np.arange(coding.n_values)
    none = np.zeros(len(codes), bool)
    if isinstance(coding, NumericCoding):
        values = None if table.values is None else table.values[j]
        if values is None:
            raise InputError(f"The values of feature {table.features[j].name!r} are not known.")
        yield -1, codes, none, values
    elif coding.kind == "ordered":
        yield -1, codes, none, codes.astype(np.float64)
    else:
        both = np.array([True, False])
        for code in codes[-1:] if len(codes) == 2 else codes:
            yield int(code), np.array([code, code]), both, np.array([0.0, 1.0])
