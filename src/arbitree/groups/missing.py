"""Rows whose group is not known: refused, or counted and listed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arbitree._errors import MissingValueError
from arbitree._wording import counted, listed
from arbitree.table.coded import CodedColumn, CodedTable
from arbitree.table.missing import check_policy


def check_missing(table: CodedTable, policy: str) -> None:
    """Refuse unknown groups, if that is the policy."""
    for column, what in _columns(table):
        check_known(column, what, policy)


def check_known(column: CodedColumn, what: str, policy: str) -> None:
    """Refuse missing values in a column that makes groups, if that is the policy."""
    if check_policy(policy) != "error":
        return
    missing = _is_missing(column)
    if missing.any():
        raise MissingValueError(
            f"The {what} column {str(column.name)!r} has "
            f"{counted(int(missing.sum()), 'missing value')}, the first at row "
            f"{int(missing.argmax())}. Pass missing='drop' to leave such rows out and list "
            "them, or missing='group' to make them a group of their own."
        )


def unknown_frame(table: CodedTable) -> pd.DataFrame:
    """How many rows have no known group, by sensitive column."""
    missing = [int(_is_missing(column).sum()) for column in table.sensitive]
    return pd.DataFrame(
        {
            "column": [str(column.name) for column in table.sensitive],
            "n_missing": missing,
            "share": [n / table.n_rows for n in missing],
        }
    )


def missing_notices(table: CodedTable, policy: str) -> tuple[str, ...]:
    """What became of the rows with something missing."""
    notices = []
    for column, what in _columns(table):
        n = int(_is_missing(column).sum())
        if n and policy == "drop":
            notices.append(
                f"{counted(n, 'row')} of unknown {column.name} ({n / table.n_rows:.1%}) left out "
                f"of everything that is split by this {what} column."
            )
        unused = getattr(column.coding, "declared_unused", ())
        if unused:
            notices.append(f"{column.name}: declared but never seen: {listed(unused)}.")
    for outcome, words in ((table.decisions, "decision"), (table.labels, "label")):
        n = 0 if outcome is None else int(np.count_nonzero(outcome.codes == 2))
        if n:
            notices.append(f"{counted(n, 'row')} without a {words} left out where it is needed.")
    return tuple(notices)


def value_notices(table: CodedTable) -> tuple[str, ...]:
    """Which values count as unfavourable, where that is more than one: one may be a slip."""
    notices = []
    for outcome in (table.decisions, table.labels):
        if outcome is not None and len(outcome.unfavorable) > 1:
            notices.append(f"{outcome.name}: unfavourable are {listed(outcome.unfavorable)}.")
    return tuple(notices)


def _columns(table: CodedTable) -> list[tuple[CodedColumn, str]]:
    return [
        *((column, "sensitive") for column in table.sensitive),
        *((column, "control") for column in table.control),
    ]


def _is_missing(column: CodedColumn) -> np.ndarray:
    return column.codes == column.coding.missing_code
