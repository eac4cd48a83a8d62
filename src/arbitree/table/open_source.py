"""Which reader a path needs."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from arbitree._errors import InputError
from arbitree.table.csv_file import CsvFile
from arbitree.table.parquet_file import ParquetFiles
from arbitree.table.raw_file import STANDARD_INPUT, RawFile
from arbitree.table.sources import Source
from arbitree.table.text import NumberStyle
from arbitree.table.where import Selected


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A source and how it writes numbers. Close it after use."""

    source: Source
    style: NumberStyle
    n_rows: int | None  # before a condition selects some


def open_source(
    path: str | os.PathLike[str],
    *,
    where: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    missing_values: Collection[str] = ("",),
) -> Opened:
    """A CSV file, a Parquet file or a folder of Parquet files; ``"-"`` is standard input.

    What a file is, its first bytes say, not its name. Parameters are those of `read`.

    Raises
    ------
    InputError
        If the file cannot be read, or an option is not for its kind.
    ColumnError, MissingDependencyError
        As the readers.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"The path is {path!r}. Pass the name of a file, as text.")
    if not str(path):
        raise InputError("The path is empty. Name a file, or '-' for standard input.")
    options = {"sep": sep, "encoding": encoding, "decimal": decimal, "thousands": thousands}
    for option, value in {**options, "where": where}.items():
        if value is not None and not isinstance(value, str):
            raise InputError(f"{option} is {value!r}. Pass a text, or leave it out.")
    if str(path) != STANDARD_INPUT and Path(path).is_dir():
        _refuse_options(options, str(path))
        source: Source = ParquetFiles(path)
        style = NumberStyle()
    else:
        source, style = _of_file(path, options)
    n_rows = source.n_rows
    if where is not None:
        source = Selected(source, where, style=style, missing=missing_values)
    return Opened(source=source, style=style, n_rows=n_rows)


def _of_file(
    path: str | os.PathLike[str], options: dict[str, str | None]
) -> tuple[Source, NumberStyle]:
    raw = RawFile(path)
    try:
        return _of_raw(raw, options)
    except BaseException:
        raw.close()
        raise


def _of_raw(raw: RawFile, options: dict[str, str | None]) -> tuple[Source, NumberStyle]:
    if raw.kind == "parquet":
        _refuse_options(options, raw.name)
        return ParquetFiles(raw.path, raw=raw), NumberStyle()
    source = CsvFile(raw, sep=options["sep"], encoding=options["encoding"])
    style = NumberStyle(
        decimal=options["decimal"],
        thousands=options["thousands"],
        guess_comma=source.header.separator == ";",
    )
    return source, style


def _refuse_options(options: dict[str, str | None], name: str) -> None:
    for option, value in options.items():
        if value is not None:
            raise InputError(f"{option} is for CSV files, and {name} is Parquet. Leave it out.")
