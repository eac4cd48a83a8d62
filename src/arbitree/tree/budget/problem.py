"""What the whole-tree budget makes small and what it bounds: both are linear in the decisions.

Rows of one group and one class share a *cell*. Errors, and the favourable rate of every group that
is compared, are sums over rows decided favourably of a number that depends on the cell alone. So
a node is a vector of weights by cell, a candidate split is one, and a price on a rate is a price on
cells. To decide a row favourably is to decide 1, any other class is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree.table.codings import CategoryCoding
from arbitree.tree.budget.equal_rows import equal_rows
from arbitree.tree.favorable import favorable_mask
from arbitree.tree.populations import Population
from arbitree.tree.table import TrainingTable

ROUNDING = 1e-12  # how far a gap may be above its bound, by rounding of sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """Rows as codes and cells; errors and rates as linear functions of the weights decided 1.

    Equal rows of a table are one row here, of the sum of their weights.
    Rates of one family are compared with each other and lie side by side, from ``family[f]`` on.
    """

    codes: np.ndarray  # (n, d) uint8 or uint16
    n_codes: np.ndarray  # (d,) int64, the last code of a column is missing
    is_category: np.ndarray  # (d,) bool
    cell: np.ndarray  # (n,) uint32
    weights: np.ndarray  # (n,) float64
    sizes: np.ndarray  # (n,) float64, as how many rows a row counts
    total: np.ndarray  # (n_cells,) float64, weights of all rows
    error: np.ndarray  # (n_cells,) change of the error rate by a unit of weight decided 1, not 0
    error_of_none: float  # the error rate where nothing is decided 1
    rates: np.ndarray  # (n_rates, n_cells) change of each rate by a unit of weight decided 1
    family: np.ndarray  # (n_families,) int64, increasing from 0

    @property
    def n_cells(self) -> int:
        """Combinations of a group and a class."""
        return len(self.total)

    @property
    def first(self) -> np.ndarray:
        """Where the codes of each column begin when they lie end to end, (d + 1,) int64."""
        return np.concatenate([[0], np.cumsum(self.n_codes)])

    def gap(self, rates: np.ndarray) -> np.ndarray:
        """Largest difference of rates within a family.  (..., n_rates) -> (...)"""
        high = np.maximum.reduceat(rates, self.family, axis=-1)
        low = np.minimum.reduceat(rates, self.family, axis=-1)
        return (high - low).max(axis=-1)

    def cost(self, prices: np.ndarray) -> np.ndarray:
        """Cost of deciding a unit of weight 1, not 0.  (..., n_rates) -> (..., n_cells)"""
        return self.error + prices @ self.rates

    def measure(self, decided: np.ndarray) -> tuple[float, np.ndarray]:
        """Error rate and rates when these weights are decided 1.  (n_cells,) -> (), (n_rates,)"""
        return self.error_of_none + float(self.error @ decided), self.rates @ decided


def problem_of(table: TrainingTable) -> Problem:
    """The problem of a training table: its populations are the families.

    With more than two classes an error is a favourable decision for an unfavourable class, or the
    other way round.

    Raises
    ------
    InputError
        If the table has no populations to compare.
    """
    if table.group is None or not table.populations:
        raise InputError("GapBudget compares groups. Pass sensitive_features to fit.")
    weights = table.row_weights()
    cell = (table.group.astype(np.int64) * table.n_classes + table.y).astype(np.uint32)
    total = np.bincount(cell, weights, table.n_groups * table.n_classes)
    of_class = np.ones(table.n_classes) if table.class_weight is None else table.class_weight
    loss = np.tile(of_class, table.n_groups) / (total * np.tile(of_class, table.n_groups)).sum()
    favorable = np.tile(favorable_mask(table.favorable, table.n_classes), table.n_groups)
    rates, family = _rates(table.populations, total)
    n_codes = np.array([feature.coding.n_codes for feature in table.features], np.int64)
    alike = zip((cell, *table.codes), (len(total), *n_codes.tolist()))
    first, lot = equal_rows(alike, table.n_rows)
    weights = np.bincount(lot, weights)
    return Problem(
        codes=_stacked([codes[first] for codes in table.codes]),
        n_codes=n_codes,
        is_category=np.array([isinstance(f.coding, CategoryCoding) for f in table.features]),
        cell=cell[first],
        weights=weights,
        sizes=weights if table.counts_rows else np.bincount(lot).astype(float),
        total=total,
        error=np.where(favorable, -loss, loss),
        error_of_none=float((loss * total)[favorable].sum()),
        rates=rates,
        family=family,
    )


def _stacked(columns: Sequence[np.ndarray]) -> np.ndarray:
    widest = np.uint16 if any(column.dtype != np.uint8 for column in columns) else np.uint8
    return np.stack([column.astype(widest, copy=False) for column in columns], axis=1)


def _rates(populations: Sequence[Population], total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rates of groups that have rows, of populations with at least two such groups."""
    rates: list[np.ndarray] = []
    family: list[int] = []
    for population in populations:
        members = population.members.reshape(len(population.groups), -1)
        weight = members @ total
        seen = weight > 0
        if seen.sum() > 1:
            family.append(sum(len(part) for part in rates))
            rates.append(members[seen] / weight[seen, None])
    if not rates:
        return np.zeros((1, len(total))), np.zeros(1, np.int64)
    return np.concatenate(rates), np.array(family, np.int64)
