"""A table's rows in three parts that share none: to train, to calibrate, to test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from ..._errors import InputError, NotEstimableError
from ..._wording import counted, listed
from ...table.coded import CodedTable
from ...table.coded_column import CodedColumn
from ...table.decoded import frame_of
from ...table.labels import MISSING, Outcome
from ...table.pooled import pooled
from ...table.some_rows import some_rows
from ...tree.from_table import typed_levels
from .settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Rows of one part, all of the same order, as estimators take them."""

    table: CodedTable
    labels: Outcome = field(repr=False)
    compared: tuple[CodedColumn, ...]  # the sensitive columns with small groups taken as one

    @property
    def X(self) -> pd.DataFrame:
        """Features, as values."""
        return frame_of(self.table.features)

    @property
    def y(self) -> np.ndarray:
        """Labels: numbers where all are, else texts."""
        assert self.labels.level is not None
        return np.array(typed_levels(self.labels.levels))[self.labels.level]

    @property
    def groups(self) -> pd.DataFrame:
        """Sensitive columns, as tree and certificate compare them."""
        return frame_of(self.compared)

    @property
    def favorable(self) -> list[Any]:
        """The favourable labels."""
        typed = dict(zip(self.labels.levels, typed_levels(self.labels.levels)))
        return [typed[level] for level in self.labels.favorable]

    def drawn(self, at_most: int, rng: np.random.Generator) -> Rows:
        """These rows, or as many of them drawn at random."""
        n = self.table.n_rows
        if n <= at_most:
            return self
        at = np.sort(rng.choice(n, at_most, replace=False))
        return rows_at(self.table, self.compared, at)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Every usable row is in one part."""

    training: Rows
    calibration: Rows
    test: Rows
    pooled: tuple[str, ...] = ()  # groups that tree and certificate take as one
    n_left_aside: int = 0  # features that the tree is not offered


def rows_at(table: CodedTable, compared: Sequence[CodedColumn], at: np.ndarray) -> Rows:
    """Some rows of a table with labels."""
    taken = some_rows(table, at)
    assert taken.labels is not None
    columns = tuple(replace(column, codes=column.codes[at]) for column in compared)
    return Rows(table=taken, labels=taken.labels, compared=columns)


def parts(table: CodedTable, settings: Settings) -> Parts:
    """Draw the parts.

    Raises
    ------
    NotEstimableError
        All training rows have one label.
    InputError
        Too few rows have a known label and known groups.
    """
    at = np.random.default_rng(settings.random_state).permutation(_usable(table, settings.missing))
    n_test = round(settings.test_share * len(at))
    n_calibration = round(settings.calibration_share * len(at))
    training = at[n_test + n_calibration :]
    if len(training) < 2 * settings.min_samples_leaf or not n_test or not n_calibration:
        raise InputError(
            f"Of {len(at):,} rows with a known label and known groups, {len(training):,} are left "
            f"for training, {n_calibration:,} for the certificate and {n_test:,} for the test. "
            "That is too few for a tree."
        )
    ends = (training, at[n_test : n_test + n_calibration], at[:n_test])
    taken = [pooled(column, settings.pool_share) for column in table.sensitive]
    compared = [column for column, _ in taken]
    found = [rows_at(table, compared, np.sort(part)) for part in ends]
    _refuse_one_class(found[0])
    names = tuple(name for _, small in taken for name in small)
    return Parts(training=found[0], calibration=found[1], test=found[2], pooled=names)


def _refuse_one_class(rows: Rows) -> None:
    if len(np.unique(rows.y)) < 2:
        raise NotEstimableError(
            f"{rows.labels.name} is {listed([rows.y[0]])} in each of "
            f"{counted(len(rows.y), 'training row')}: nothing can be learnt."
        )


def _usable(table: CodedTable, missing: str) -> np.ndarray:
    """Rows whose label and groups are known, and whose weight counts."""
    assert table.labels is not None
    keep = table.labels.codes != MISSING
    if missing != "group":
        for column in table.sensitive:
            keep &= column.codes != column.coding.missing_code
    if table.weights is not None:
        keep &= table.weights > 0
    return np.flatnonzero(keep)


def drawn_table(table: CodedTable, at_most: int, seed: int) -> CodedTable:
    """The table, or as many of its rows drawn at random."""
    if table.n_rows <= at_most:
        return table
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.choice(table.n_rows, at_most, replace=False))
    return replace(some_rows(table, drawn), notices=table.notices)
