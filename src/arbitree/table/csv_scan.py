"""One look at a whole CSV file before it is read: is every row as wide as the header?

Readers differ in what they do with a short or a long row, and mostly say nothing. So widths are
counted here, with NumPy over blocks of bytes, and the readers only see files that are rectangular.

Quotation marks are taken in pairs: whatever stands between the first and the second of a pair is
quoted, and a doubled one closes and opens at once. That holds as long as each pair surrounds a
whole value. Where it does not (``5" pipe``), `csv.reader` counts instead, row by row.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.table.csv_header import Header
from arbitree.table.csv_text import CsvText

_QUOTE, _LF, _CR = b'"\n\r'


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What holds for all rows. Every row has as many values as the header."""

    n_rows: int
    n_bytes: int  # of text, as UTF-8
    stray_quotes: bool  # some value holds a quotation mark without being quoted


class _StrayQuote(Exception):
    """A quotation mark in the middle of a value."""


def scan(text: CsvText, header: Header) -> Scan:
    """Count the rows below the header and check that all are as wide.

    Raises
    ------
    InputError
        At the first row that is not, or if there are no rows, or a quotation mark is never
        closed, or the text cannot be decoded.
    """
    counter = _Counter(header, text.raw.name)
    try:
        for block in _below(text.blocks(), len(header.text.encode())):
            counter.add(block)
        counter.end()
        found = counter.result()
    except _StrayQuote:
        found = _scan_slowly(text, header)
    if not found.n_rows:
        raise InputError(
            f"{text.raw.name} has a header and no rows. Give at least one row of data."
        )
    return found


def _below(blocks: Iterator[bytes], n_skipped: int) -> Iterator[bytes]:
    for block in blocks:
        rest = block[n_skipped:]
        n_skipped = max(0, n_skipped - len(block))
        if rest:
            yield rest if rest.endswith((b"\n", b"\r")) else rest + b"\n"


class _Counter:
    """Counts rows and their values, block by block; each block ends where a line ends."""

    def __init__(self, header: Header, name: str) -> None:
        self.width = len(header.columns)
        self.separator = ord(header.separator)
        self.name = name
        self.n_rows = self.n_bytes = 0
        self.n_lines = header.n_lines
        self.n_values = 0  # separators of the row that the last block left open
        self.quoted = False  # whether it left a quotation mark open
        self.opened_at = 0  # in which line
        self.after_blank_cr = False  # it ended with a blank line that a lone CR ends

    def add(self, block: bytes) -> None:
        text = np.frombuffer(block, np.uint8)
        if self.after_blank_cr and text[0] == self.separator:
            raise _blank_cr(self.name, self.n_lines)
        self.after_blank_cr = False
        left_open = self.quoted or self.n_values > 0
        has_quotes, has_cr = self.quoted or b'"' in block, b"\r" in block
        is_mark = (text == self.separator) | (text == _LF)
        if has_quotes:
            is_mark |= text == _QUOTE
        if has_cr:
            is_mark |= (text == _CR) & (np.append(text[1:], np.uint8(0)) != _LF)  # it ends a line
        marks = np.flatnonzero(is_mark)
        if has_quotes:
            marks = self._outside_quotes(block, text, marks)
        ends = np.flatnonzero(text[marks] != self.separator)
        self._count(block, marks, ends, left_open)
        self.n_bytes += len(block)
        self.n_lines += _n_lines(block) if has_quotes or has_cr else len(ends)

    def _outside_quotes(self, block: bytes, text: np.ndarray, marks: np.ndarray) -> np.ndarray:
        """The marks that are not quoted, once each pair of quotation marks surrounds a value."""
        is_quote = text[marks] == _QUOTE
        quotes = marks[is_quote]
        opens = (np.arange(len(quotes)) + self.quoted) % 2 == 0
        around = np.array([self.separator, _LF, _CR, _QUOTE], dtype=np.uint8)
        before, after = text[np.maximum(quotes - 1, 0)], text[np.minimum(quotes + 1, len(text) - 1)]
        stray_opening = opens & (quotes > 0) & ~np.isin(before, around)
        stray_closing = ~opens & ~np.isin(after, around)
        if stray_opening.any() or stray_closing.any():
            self._refuse_backslash(block, quotes[stray_closing])
            raise _StrayQuote
        inside = (np.cumsum(is_quote) + self.quoted) % 2 == 1
        if len(quotes):
            self.quoted = bool((len(quotes) + self.quoted) % 2)
            self.opened_at = self.n_lines + _n_lines(block[: quotes[-1]]) + 1
        return marks[~inside & ~is_quote]

    def _refuse_backslash(self, block: bytes, quotes: np.ndarray) -> None:
        for quote in quotes[:1]:
            if block[quote - 1 : quote] == b"\\":
                raise InputError(
                    f"{self.name} has a quotation mark after a backslash in line "
                    f"{self.n_lines + _n_lines(block[:quote]) + 1:,}. In CSV a quotation mark "
                    'within a value is doubled (""): write the file so.'
                )

    def _count(self, block: bytes, marks: np.ndarray, ends: np.ndarray, left_open: bool) -> None:
        """Add the rows that end at marks[ends]; all other marks are separators."""
        if not len(ends):
            self.n_values += len(marks)
            return
        widths = np.diff(ends, prepend=-1)
        widths[0] += self.n_values
        self.n_values = len(marks) - 1 - int(ends[-1])
        first = self.n_rows
        self.n_rows += len(ends)
        wrong = np.flatnonzero(widths != self.width)
        if len(wrong):
            stops = marks[ends[wrong]]
            starts = np.where(wrong > 0, marks[ends[wrong - 1]] + 1, 0)
            widths = widths[wrong]
            if wrong[0] == 0 and left_open:
                starts[0] = -1  # not blank
            self._check_wrong(block, first + wrong, starts, stops, widths)

    def _check_wrong(
        self,
        block: bytes,
        rows: np.ndarray,
        starts: np.ndarray,
        stops: np.ndarray,
        widths: np.ndarray,
    ) -> None:
        """Blank lines are no rows; any other row of the wrong width is an error."""
        lengths = stops - starts - (np.frombuffer(block, np.uint8)[stops - 1] == _CR)
        blank = (widths == 1) & (starts >= 0) & (lengths <= 0)
        for i in np.flatnonzero(~blank):
            content = block[max(0, starts[i]) : stops[i]]
            if starts[i] < 0 or widths[i] != 1 or content.strip(b" \t\r"):
                line = self.n_lines + _n_lines(block[: stops[i] + 1])
                row = int(rows[i]) - int(np.count_nonzero(blank[:i]))
                raise _ragged(self.name, row, line, int(widths[i]), self.width, chr(self.separator))
            blank[i] = True
        self.n_rows -= len(rows)
        self._refuse_blank_cr(block, stops)

    def _refuse_blank_cr(self, block: bytes, stops: np.ndarray) -> None:
        """pandas drops the separator that comes first after a blank line ended by a lone CR."""
        text = np.frombuffer(block + b"\0", np.uint8)
        stops = stops[text[stops] == _CR]
        before_separator = text[stops + 1] == self.separator
        if before_separator.any():
            line = self.n_lines + _n_lines(block[: stops[np.argmax(before_separator)] + 1])
            raise _blank_cr(self.name, line)
        self.after_blank_cr = bool(len(stops)) and int(stops[-1]) == len(block) - 1

    def end(self) -> None:
        if self.quoted:
            raise InputError(
                f"A quotation mark in line {self.opened_at:,} of {self.name} is never closed. "
                "Close it, or remove it."
            )

    def result(self) -> Scan:
        return Scan(n_rows=self.n_rows, n_bytes=self.n_bytes, stray_quotes=False)


def _scan_slowly(text: CsvText, header: Header) -> Scan:
    """The same for a file in which quotation marks do not always surround a value."""
    width, name = len(header.columns), text.raw.name
    n_rows = 0
    with text.open(len(header.text)) as lines:
        reader = csv.reader(lines, delimiter=header.separator)
        try:
            for row in reader:
                if len(row) == width or (width == 1 and not row):
                    n_rows += 1
                elif len(row) > 1 or (row and row[0].strip(" \t")):
                    line = header.n_lines + reader.line_num
                    raise _ragged(name, n_rows, line, len(row), width, header.separator)
        except csv.Error as error:
            line = header.n_lines + reader.line_num
            raise InputError(f"{name} cannot be read at line {line:,}: {error}.") from error
    n_bytes = 0
    for block in text.blocks():
        n_bytes += len(block)
        if block.count(b"\r") > block.count(b"\r\n"):
            raise InputError(
                f"{name} has quotation marks within values and lines that end in a carriage "
                "return. Save it with line feeds."
            )
    return Scan(n_rows=n_rows, n_bytes=n_bytes, stray_quotes=True)


def _n_lines(block: bytes) -> int:
    return block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")


def _blank_cr(name: str, line: int) -> InputError:
    return InputError(
        f"Line {line:,} of {name} is blank and ends in a carriage return, and the next has no "
        "first value. Remove the line, or save the file with line feeds."
    )


def _ragged(name: str, row: int, line: int, found: int, width: int, separator: str) -> InputError:
    return InputError(
        f"Row {row:,} of {name}, which ends in line {line:,}, has {counted(found, 'value')}, and "
        f"the header names {counted(width, 'column')}. Values with {separator!r} in them stand in "
        "quotation marks; if the separator is another, pass sep."
    )
