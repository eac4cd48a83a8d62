"""The columns of calibration rows, from a CSV file or from what a user holds in memory."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arbitree.certificate.check.canonical import cell_text, column_digest
from arbitree.certificate.check.shape import Wrong

_SEPARATORS = (",", ";", "\t", "|")


def column_texts(data: Any) -> dict[str, list[str]]:
    """Every column by its name, each value as the text that digests are made of.

    Parameters
    ----------
    data : str, path, mapping of columns or frame
        Of a file: CSV in UTF-8 with a header, separated by commas, semicolons, tabs or bars; or
        Parquet, by its name, which pandas reads.

    Raises
    ------
    OSError
        If a file cannot be read.
    Wrong
        If it is no table.
    """
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        if path.suffix.lower() not in (".parquet", ".pq"):
            return _of_csv(path)
        import pandas

        data = pandas.read_parquet(path)
    names = data.keys() if isinstance(data, Mapping) else getattr(data, "columns", None)
    if names is None:
        raise Wrong(f"a {type(data).__name__} has no columns to hold the certificate against")
    return {str(name): [cell_text(_plain(value)) for value in data[name]] for name in names}


def digests(columns: Mapping[str, list[str]], names: list[str]) -> list[dict[str, str]]:
    """Name and digest of some columns."""
    for name in names:
        if name not in columns:
            raise Wrong(f"the data has no column {name!r}")
    return [{"name": name, "sha256": column_digest(columns[name])} for name in names]


def _of_csv(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = file.readline()
        file.seek(0)
        separator = max(_SEPARATORS, key=header.count)
        rows = [row for row in csv.reader(file, delimiter=separator) if row]
    if not rows:
        raise Wrong(f"{path} is empty")
    names = rows[0]
    if len(set(names)) < len(names):
        raise Wrong(f"{path} has two columns of one name")
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            raise Wrong(f"{path} has {len(row)} cells in row {line}, and {len(names)} columns")
    return {name: [cell_text(row[place]) for row in rows[1:]] for place, name in enumerate(names)}


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
