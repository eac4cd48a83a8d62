"""A CSV file, read as text in batches by pandas."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import pandas as pd

from arbitree._errors import InputError
from arbitree.table.csv_header import read_header
from arbitree.table.csv_scan import scan
from arbitree.table.csv_text import CsvText
from arbitree.table.raw_file import COMPRESSED, RawFile
from arbitree.table.sources import check_columns

_BATCH_BYTES = 16 << 20
_MOST_ROWS = 1 << 18


class CsvFile:
    """A CSV file whose values are texts, exactly as they are written.

    Parameters
    ----------
    path : str or path
        May be compressed (.gz, .bz2, .xz, .zst); ``"-"`` is standard input, which is kept in a
        temporary file until `close`.
    sep : str, optional
        One character; else what the header is separated by: comma, semicolon, tab or ``|``.
    encoding : str, optional
        Else what a byte order mark says, or UTF-8.

    Raises
    ------
    InputError
        If the file is missing, empty, without rows, not text in this encoding, or a row is not
        as wide as the header.
    ColumnError
        If two columns have the same name.
    """

    is_text = True

    def __init__(
        self,
        path: str | os.PathLike[str] | RawFile,
        *,
        sep: str | None = None,
        encoding: str | None = None,
    ) -> None:
        self.raw = path if isinstance(path, RawFile) else RawFile(path)
        self.name = self.raw.name
        self.raw.start_sha256()
        _refuse_other_kinds(self.raw)
        self.text = CsvText(self.raw, encoding)
        head = next(self.text.blocks(), b"").decode()
        self.header = read_header(head, separator=sep, name=self.name)
        self.scan = scan(self.text, self.header)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.header.columns

    @property
    def n_rows(self) -> int:
        return self.scan.n_rows

    @property
    def notices(self) -> tuple[str, ...]:
        stray = (
            f"{self.name} has quotation marks within values that are not quoted; they are taken "
            "as part of the value.",
        )
        return (*self.header.notices, *(stray if self.scan.stray_quotes else ()))

    def batches(self, columns: Sequence[str]) -> Iterator[nw.DataFrame[Any]]:
        """The rows of these columns, as pandas frames of texts.

        Raises
        ------
        ColumnError
            If there is no such column.
        InputError
            If the file has changed since it was first looked at.
        """
        check_columns(columns, self.columns, where=self.name)
        n_rows = 0
        with self.text.open(len(self.header.text)) as lines:
            try:
                for frame in self._reader(lines, columns):
                    n_rows += len(frame)
                    yield nw.from_native(_named(frame, self.columns, columns), eager_only=True)
            except pd.errors.ParserError as error:
                if isinstance(error.__context__, KeyboardInterrupt):  # Ctrl-C while it parses
                    raise KeyboardInterrupt from error
                raise InputError(f"{self.name} cannot be read: {error}.") from error
        check_n_rows(self.name, n_rows, self.n_rows)

    def _reader(self, lines: Any, columns: Sequence[str]) -> Any:
        """Texts stay what they are: nothing is a number, nothing is missing, no index."""
        return pd.read_csv(
            lines,
            sep=self.header.separator,
            header=None,
            names=range(len(self.columns)),
            usecols=[self.columns.index(column) for column in columns],
            index_col=False,
            dtype=object,
            keep_default_na=False,
            na_filter=False,
            skip_blank_lines=len(self.columns) > 1,
            engine="c",
            chunksize=self._rows_a_batch(),
        )

    def _rows_a_batch(self) -> int:
        bytes_a_row = max(1, self.scan.n_bytes // self.n_rows)
        return max(1, min(_MOST_ROWS, _BATCH_BYTES // bytes_a_row))

    def describe(self) -> dict[str, Any]:
        """``name``, ``size`` and ``sha256`` of the file on disk."""
        return self.raw.describe()

    def close(self) -> None:
        """Delete the copy of standard input."""
        self.raw.close()


def check_n_rows(name: str, found: int, expected: int) -> None:
    """Raise InputError if a file has another number of rows than when it was first looked at."""
    if found != expected:
        raise InputError(
            f"{name} had {expected:,} rows at first and now has {found:,}. It must not change "
            "while it is read."
        )


def _named(frame: pd.DataFrame, known: tuple[str, ...], columns: Sequence[str]) -> pd.DataFrame:
    frame.columns = [known[int(str(i))] for i in frame.columns]
    return frame[list(columns)]


def _refuse_other_kinds(raw: RawFile) -> None:
    if raw.kind == "excel":
        raise InputError(
            f"{raw.name} is an Excel workbook or a zip archive, not a CSV file. Save it as "
            "'CSV UTF-8', or unpack it."
        )
    if raw.kind is not None and raw.kind not in COMPRESSED:
        raise InputError(f"{raw.name} is a Parquet file, not a CSV file.")
