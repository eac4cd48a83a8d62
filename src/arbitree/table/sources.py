"""Where rows come from: one small interface for every kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import narwhals as nw

from arbitree._errors import ColumnError
from arbitree._wording import counted, listed, nearest


class Source(Protocol):
    """A table that is read in batches, as often as needed, always the same rows in one order."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All different."""

    @property
    def is_text(self) -> bool:
        """Whether every value is a text, whatever it stands for."""

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences that the user should read."""

    @property
    def n_rows(self) -> int | None:
        """None where it is not known before reading."""

    def batches(self, columns: Sequence[str]) -> Iterator[nw.DataFrame[Any]]:
        """The rows of these columns, in this order of columns; texts may be categories."""

    def describe(self) -> dict[str, Any]:
        """``name``, ``size`` in bytes and ``sha256`` of what is on disk, for a report."""

    def close(self) -> None:
        """Delete temporary files."""


def check_columns(wanted: Sequence[str], known: Sequence[str], *, where: str) -> None:
    """Raise ColumnError unless every wanted column is known; suggests the nearest name.

    Examples
    --------
    >>> check_columns(["sex"], ["age", "\\ufeffsex"], where="loans.csv")
    Traceback (most recent call last):
    arbitree._errors.ColumnError: loans.csv has no column 'sex'. Did you mean '\\ufeffsex'?
    """
    for column in wanted:
        if column not in known:
            raise ColumnError(f"{where} has no column {column!r}. {nearest(column, known)}")


def check_there(wanted: Sequence[str], known: Sequence[Any], *, where: str) -> None:
    """Refuse a table without the columns that a model reads.

    Raises
    ------
    ColumnError
        Names all that are missing, and what is near to each.
    """
    missing = [name for name in wanted if name not in known]
    if not missing:
        return
    if len(missing) == 1:
        hint = nearest(missing[0], known)
        raise ColumnError(f"{where} has no column {missing[0]!r}, which the model reads. {hint}")
    hints = [(name, nearest(name, known)) for name in missing[:8]]
    close = " ".join(
        f"For {name!r}: {hint[0].lower()}{hint[1:]}" for name, hint in hints if "mean" in hint
    )
    there = "" if close else f" There are {listed(known)}."
    raise ColumnError(
        f"{where} lacks {counted(len(missing), 'column')} that the model reads: "
        f"{listed(missing)}.{there} {close}".rstrip()
    )
