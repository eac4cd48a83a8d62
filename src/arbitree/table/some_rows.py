"""Some rows of a coded table; codings stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arbitree.table.coded import CodedTable
from arbitree.table.coded_column import CodedColumn
from arbitree.table.labels import Outcome


def some_rows(table: CodedTable, rows: np.ndarray) -> CodedTable:
    """The table of some rows, in the order given.

    Parameters
    ----------
    table : CodedTable
    rows : ndarray of int, shape (n_kept,)

    Returns
    -------
    CodedTable
        Values seen of an outcome are those of the whole table.
    """

    def kept(columns: Sequence[CodedColumn]) -> tuple[CodedColumn, ...]:
        return tuple(replace(column, codes=column.codes[rows]) for column in columns)

    return replace(
        table,
        n_rows=len(rows),
        features=kept(table.features),
        sensitive=kept(table.sensitive),
        control=kept(table.control),
        for_model=kept(table.for_model),
        decisions=_of(table.decisions, rows),
        labels=_of(table.labels, rows),
        scores=None if table.scores is None else table.scores[rows],
        weights=None if table.weights is None else table.weights[rows],
    )


def _of(outcome: Outcome | None, rows: np.ndarray) -> Outcome | None:
    if outcome is None:
        return None
    level = None if outcome.level is None else outcome.level[rows]
    return replace(outcome, codes=outcome.codes[rows], level=level)
