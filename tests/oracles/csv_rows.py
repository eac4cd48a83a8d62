"""Rows of a CSV file by Python's own reader, one after another."""

from __future__ import annotations

import csv
import io


def rows_of(text: str, separator: str = ",") -> list[dict[str, str]]:
    """Every row below the header; blank lines are none, but in a file of one column."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    header = next(reader)
    if len(header) == 1:
        return [{header[0]: row[0] if row else ""} for row in reader]
    return [dict(zip(header, row)) for row in reader if len(row) > 1 or any(map(str.strip, row))]
