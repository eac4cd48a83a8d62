"""The header of a CSV file: its separator, its names, and how long it is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from arbitree._errors import ColumnError, InputError
from arbitree._wording import listed

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_SPELT = {"\\t": "\t", "tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the first record says. `columns` are all different."""

    columns: tuple[str, ...]
    separator: str
    text: str  # the first record as it stands in the file, with whatever comes before it
    n_lines: int  # lines that `text` spans
    notices: tuple[str, ...]


def read_header(text: str, *, separator: str | None, name: str) -> Header:
    """The header at the start of a text.

    Parameters
    ----------
    text : str
        The beginning of the file, at least one line, line ends as they are.
    separator : str, optional
        One character; else the most frequent of comma, semicolon, tab and vertical bar.
    name : str
        What messages call the file.

    Raises
    ------
    InputError
        If there is nothing, or the whole header is one name that holds another separator.
    ColumnError
        If two columns have the same name.

    Examples
    --------
    >>> header = read_header("age;sex\\n31;f\\n", separator=None, name="loans.csv")
    >>> header.columns, header.separator, header.notices
    (('age', 'sex'), ';', ('loans.csv is separated by semicolons, as its header shows.',))
    """
    body = text.removeprefix("\ufeff")
    if not body.strip():
        raise InputError(f"{name} is empty. Give a file with a header and rows.")
    separator = None if separator is None else check_separator(separator)
    hint = re.match(r"sep=(.)\r?\n", body)
    n_before = len(text) - len(body) + (hint.end() if hint else 0)
    found = separator or (hint and hint[1]) or _most_frequent(_first_line(text[n_before:]))
    record, used, n_lines = _first_record(text[n_before:], found, name)
    header = text[: n_before + used]
    return Header(
        columns=_names(record, found, name),
        separator=found,
        text=header,
        n_lines=n_lines + (1 if hint else 0),
        notices=tuple(_notices(record, found, name, told=separator is not None)),
    )


def check_separator(separator: str) -> str:
    """One character that can separate values; ``"tab"`` and ``"\\\\t"`` are a tab.

    Raises
    ------
    InputError
        If it cannot.

    Examples
    --------
    >>> check_separator("tab")
    '\\t'
    """
    separator = _SPELT.get(separator, separator)
    if len(separator) != 1 or separator in '"\r\n\0\ufeff' or not separator.isascii():
        raise InputError(
            f"sep={separator!r} cannot separate values. Pass one character such as ',' or ';', "
            "or 'tab'."
        )
    return separator


def _first_line(text: str) -> str:
    return next(line for line in io.StringIO(text, newline="") if line.strip())


def _most_frequent(line: str) -> str:
    outside = re.sub(r'"[^"]*"', "", line)
    counts = Counter(outside)
    return max(_SEPARATORS, key=lambda separator: counts[separator])


def _first_record(text: str, separator: str, name: str) -> tuple[list[str], int, int]:
    """The first record that is not blank, and the characters and lines up to its end."""
    lengths: list[int] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            lengths.append(len(line))
            yield line

    reader = csv.reader(lines(), delimiter=separator)
    try:
        record = next(row for row in reader if any(row) or len(row) > 1)
    except (csv.Error, StopIteration) as error:
        raise InputError(f"The header of {name} cannot be read: {error}.") from error
    if sum(lengths) == len(text) and text.count('"') % 2:
        raise InputError(
            f"A quotation mark in the header of {name} is never closed. Close it or remove it."
        )
    return record, sum(lengths), len(lengths)


def _names(record: list[str], separator: str, name: str) -> tuple[str, ...]:
    """Names as they are written; a column without one is named by its place, as pandas does."""
    if len(record) == 1 and (other := next((s for s in ";\t|," if s in record[0]), None)):
        raise InputError(
            f"The header of {name} is a single name, {record[0]!r}, when separated by "
            f"{separator!r}. It looks separated by {other!r}: pass sep={other!r}."
        )
    names = tuple(text if text.strip() else f"Unnamed: {i}" for i, text in enumerate(record))
    twice = [text for text, count in Counter(names).items() if count > 1]
    if twice:
        places = [i + 1 for i, text in enumerate(names) if text == twice[0]]
        raise ColumnError(
            f"{name} has {len(places)} columns named {twice[0]!r}, columns {listed(places)}. "
            "Rename all but one."
        )
    return names


def _notices(record: list[str], separator: str, name: str, *, told: bool) -> Iterator[str]:
    if separator != "," and not told:
        word = _SEPARATORS.get(separator)
        by = f"{word}s" if word else repr(separator)
        yield f"{name} is separated by {by}, as its header shows."
    if all(_NUMBER.fullmatch(text.strip()) for text in record):
        yield (
            f"The first row of {name} is taken as names, and all of them are numbers: "
            f"{listed(record)}. If it is data, add a row of names."
        )
