"""What texts stand for: numbers, dates, truth values, or just texts.

A column has the kinds that *all* its texts have. Kinds of two parts of a column are combined by
intersection, so a column's kind depends neither on the order of its rows nor on how they come in
batches; nothing is ever decided from a sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.table.frames import Column

TextKind = Literal["integer", "number", "decimal comma", "boolean", "date", "instant", "text"]
KINDS: tuple[TextKind, ...] = (  # the first of those that all texts have is the column's
    "boolean",
    "integer",
    "number",
    "decimal comma",
    "date",
    "instant",
    "text",
)
_TRUTHS = {"true": True, "false": False}
_NUMBER_BYTES = b"0123456789.eE+- \n"
# Neither quantities nor all exact as floats: +4930123, 01234, and 16 digits or more.
_NOT_A_NUMBER = re.compile(r"\n *(?:\+|-?0\d|-?\d{16,} *(?=\n|\Z))")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?")
_ZONE = re.compile(r"Z|[+-]\d\d(?::?\d\d)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberStyle:
    """How a file writes numbers.

    `decimal` None means a point, and a comma too for columns where every text fits that and
    `guess_comma` is True, as in files separated by semicolons.
    """

    decimal: str | None = None
    thousands: str | None = None
    guess_comma: bool = False

    def __post_init__(self) -> None:
        if self.decimal not in (None, ".", ","):
            raise InputError(f"decimal={self.decimal!r} is not '.' or ','.")
        mark = self.thousands
        if mark is not None and (len(mark) != 1 or mark.isalnum() or mark in "+-\n"):
            raise InputError(f"thousands={mark!r} is not a mark such as '.', ',' or \"'\".")
        if mark is not None and mark == (self.decimal or "."):
            raise InputError(
                f"thousands={mark!r} is the decimal mark too. Pass decimal=',' with thousands='.'."
            )


def possible_kinds(
    texts: Sequence[str], style: NumberStyle, among: Iterable[TextKind] = KINDS
) -> frozenset[TextKind]:
    """Of some kinds, those that all of these texts have; "text" is one always.

    Examples
    --------
    >>> sorted(possible_kinds(["1", "2.5"], NumberStyle()))
    ['number', 'text']
    >>> sorted(possible_kinds(["01234", "10115"], NumberStyle()))
    ['text']
    """
    kinds: set[TextKind] = {"text"}
    for kind in among:
        if kind != "text" and (kind in kinds or _READERS[kind](texts, style) is not None):
            kinds.update(("number", "integer") if kind == "integer" else (kind,))
    return frozenset(kinds)


def kind_from(possible: Iterable[TextKind]) -> TextKind:
    """The kind of a column, given the kinds that all its texts have."""
    return next(kind for kind in KINDS if kind in possible)


def read_texts(texts: Sequence[str], kind: TextKind, style: NumberStyle) -> Any | None:
    """The values of texts of this kind: float64, bool or datetime64; None if some have another.

    Examples
    --------
    >>> read_texts(["1,5", "2"], "decimal comma", NumberStyle(decimal=","))
    array([1.5, 2. ])
    """
    return _READERS[kind](texts, style)


class Typing:
    """Turns columns of texts into the values they stand for; the texts if not all stand for one.

    The first column decides; later ones, more rows of the same file, are taken as of that kind.

    Examples
    --------
    >>> texts = Column("age", nw.new_series("age", ["31", "7"], backend="pandas"))
    >>> Typing(NumberStyle())(texts).values.to_list()
    [31, 7]
    """

    def __init__(self, style: NumberStyle) -> None:
        self.style = style
        self.kind: TextKind | None = None

    def __call__(self, column: Column) -> Column:
        known = column.values.drop_nulls()
        texts = known.to_list()
        if not texts:
            return column
        possible = possible_kinds(texts, self.style)
        if self.kind is None:
            self.kind = kind_from(possible)
        kind = self._kind_now(possible)
        if kind == "text":
            return column
        values = pd.Series(read_texts(texts, kind, self.style))
        if kind == "integer":
            values = values.astype(np.int64)
        return _with_missing(column, values)

    def _kind_now(self, possible: frozenset[TextKind]) -> TextKind:
        """Whole numbers may be met by other numbers further down."""
        assert self.kind is not None
        if self.kind in possible:
            return self.kind
        if self.kind == "integer":
            self.kind = next((k for k in ("number", "decimal comma") if k in possible), self.kind)
        return self.kind if self.kind in possible else "text"


def _with_missing(column: Column, values: pd.Series) -> Column:
    missing = np.asarray(column.values.is_null().to_numpy(), dtype=bool)
    if missing.any():
        values = values.astype("boolean" if values.dtype == bool else values.dtype)
        values = values.astype("Int64" if values.dtype == np.int64 else values.dtype)
        values.index = pd.Index(np.flatnonzero(~missing))
        values = values.reindex(range(len(missing)))
    series = nw.from_native(cast(Any, values), series_only=True).alias(str(column.name))
    return Column(column.name, series)


def _read_booleans(texts: Sequence[str], style: NumberStyle) -> np.ndarray | None:
    if not all(text.strip().casefold() in _TRUTHS for text in texts):
        return None
    return np.array([_TRUTHS[text.strip().casefold()] for text in texts], dtype=bool)


def _read_integers(texts: Sequence[str], style: NumberStyle) -> np.ndarray | None:
    if _any_holds(texts, style.decimal or ".") or _any_holds(texts, "e"):
        return None
    return _read_numbers(texts, style)


def _any_holds(texts: Sequence[str], mark: str) -> bool:
    joined = "\n".join(texts)
    return mark in joined or mark.upper() in joined


def _read_numbers(texts: Sequence[str], style: NumberStyle) -> np.ndarray | None:
    texts = _without_thousands(texts, style) if style.thousands else texts
    if style.decimal == ",":
        return _read_decimal_commas(texts, style)
    return _floats(texts)


def _read_decimal_commas(texts: Sequence[str], style: NumberStyle) -> np.ndarray | None:
    if style.decimal == "." or (style.decimal is None and not style.guess_comma):
        return None
    if _any_holds(texts, "."):
        return None
    return _floats([text.replace(",", ".") for text in texts])


def _without_thousands(texts: Sequence[str], style: NumberStyle) -> Sequence[str]:
    """Texts without marks between groups of three digits; others stay, and are no numbers."""
    mark = re.escape(cast(str, style.thousands))
    grouped = re.compile(rf" *-?\d{{1,3}}(?:{mark}\d\d\d)+(?!\d|{mark}).*")
    return [
        text.replace(cast(str, style.thousands), "") if grouped.fullmatch(text) else text
        for text in texts
    ]


def _floats(texts: Sequence[str]) -> np.ndarray | None:
    """All texts as finite float64, or None. Each step is one call over all of them."""
    joined = "\n".join(texts)
    if not joined.isascii() or joined.encode().translate(None, _NUMBER_BYTES):
        return None
    if joined.count("\n") >= max(1, len(texts)):
        return None
    if _NOT_A_NUMBER.search("\n" + joined):
        return None
    try:
        values = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _read_dates(texts: Sequence[str], style: NumberStyle) -> np.ndarray | None:
    if not all(map(_DATE.fullmatch, texts)):
        return None
    return _moments(texts, utc=False)


def _read_instants(texts: Sequence[str], style: NumberStyle) -> np.ndarray | None:
    """Dates with a time zone, in UTC."""
    for text in texts:
        date = _DATE.match(text)
        if date is None or not _ZONE.fullmatch(text, date.end()):
            return None
    return _moments(texts, utc=True)


def _moments(texts: Sequence[str], *, utc: bool) -> Any | None:
    try:
        moments = pd.to_datetime(list(texts), format="ISO8601", utc=utc)
    except (ValueError, OverflowError):
        return None
    return pd.Series(moments)


_READERS: dict[str, Callable[[Sequence[str], NumberStyle], Any | None]] = {
    "boolean": _read_booleans,
    "integer": _read_integers,
    "number": _read_numbers,
    "decimal comma": _read_decimal_commas,
    "date": _read_dates,
    "instant": _read_instants,
    "text": lambda texts, style: np.array(texts, dtype=object),
}
