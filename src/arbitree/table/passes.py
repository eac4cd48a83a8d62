"""The only loop over the batches of a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Protocol

import narwhals as nw
import numpy as np

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.table.frames import Column
from arbitree.table.gather import Part, typed_column
from arbitree.table.missing import is_missing
from arbitree.table.open_source import Opened
from arbitree.table.text_codes import TextCodes, is_textual, text_codes
from arbitree.table.where import Selected

Progress = Callable[[int, int | None], object]


class Gatherer(Protocol):
    """Takes a column's part of each batch."""

    name: str

    def add(self, part: Any) -> None:
        """Take the next rows."""

    def end_pass(self) -> bool:
        """Whether another pass is needed."""


class Passes:
    """Feeds gatherers with batches, as often as the neediest of them wants.

    Attributes
    ----------
    n_read, n_selected, n_kept : int
        Rows of the file, those that the condition selects, and those that are left when rows
        with a missing value in any column are dropped.
    """

    def __init__(
        self,
        opened: Opened,
        *,
        missing: Collection[str],
        complete_rows: bool,
        progress: Progress | None,
    ) -> None:
        self.source = opened.source
        self.n_read = self.n_selected = self.n_kept = 0
        self._missing = frozenset(missing)
        self._complete = complete_rows
        self._n_rows = opened.n_rows
        self._progress = progress or (lambda done, total: None)

    def feed(self, gatherers: Sequence[Gatherer]) -> None:
        """Read the file until no gatherer needs it again.

        Raises
        ------
        InputError
            If no rows are left.
        """
        waiting = list(gatherers)
        while waiting:
            self.n_read = self.n_selected = self.n_kept = 0
            names = list(dict.fromkeys(gatherer.name for gatherer in waiting))
            for parts in self._parts(names):
                for gatherer in waiting:
                    gatherer.add(parts[gatherer.name])
            self._check_rows()
            waiting = [gatherer for gatherer in waiting if gatherer.end_pass()]

    def _parts(self, names: Sequence[str]) -> Iterator[dict[str, Part]]:
        columns = list(self.source.columns) if self._complete else list(names)
        for n_read, batch in _batches(self.source, columns):
            parts = {name: self._part(batch[name]) for name in columns}
            n_kept = len(batch)
            if self._complete:
                rows = ~np.logical_or.reduce([_missing(parts[name], name) for name in columns])
                parts = {name: _kept(parts[name], rows) for name in names}
                n_kept = int(rows.sum())
            self.n_read += n_read
            self.n_selected += len(batch)
            self.n_kept += n_kept
            self._progress(self.n_read, self._n_rows)
            if n_kept:
                yield parts

    def _part(self, series: nw.Series[Any]) -> Part:
        return text_codes(series, self._missing) if is_textual(series) else series

    def _check_rows(self) -> None:
        if not self.n_selected:
            raise InputError(
                f"where selects none of the {counted(self.n_read, 'row')} of {self.source.name}. "
                "Check its values, and that texts are spelt as in the file."
            )
        if not self.n_kept:
            raise InputError(
                f"Each of {counted(self.n_selected, 'row')} of {self.source.name} has a missing "
                "value in some column, so no complete row is left."
            )

    def notices(self) -> Iterator[str]:
        """What became of the rows that are left out."""
        if isinstance(self.source, Selected):
            yield f"where selects {self.n_selected:,} of {counted(self.n_read, 'row')}."
        if self._complete and self.n_kept < self.n_selected:
            n_dropped = self.n_selected - self.n_kept
            verb = "has" if n_dropped == 1 else "have"
            yield (
                f"{n_dropped:,} of {counted(self.n_selected, 'row')} {verb} a missing value in "
                "some column and are left out."
            )


def _batches(source: Any, columns: list[str]) -> Iterator[tuple[int, nw.DataFrame[Any]]]:
    """Batches, each with how many rows of the file it stands for."""
    if isinstance(source, Selected):
        yield from source.batches_of_all(columns)
    else:
        for batch in source.batches(columns):
            yield len(batch), batch


def _missing(part: Part, name: str) -> np.ndarray:
    if isinstance(part, TextCodes):
        return part.missing
    column: Column = typed_column(name, part)
    return is_missing(column)


def _kept(part: Part, rows: np.ndarray) -> Part:
    return part.keep(rows) if isinstance(part, TextCodes) else part.filter(rows.tolist())
