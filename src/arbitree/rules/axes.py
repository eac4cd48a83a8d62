"""The values of a feature, cut into cells that no rule tells apart.

Sets of cells are bits of whole numbers. The last cell of every axis is a missing value. A rule is
true or false of whole cells, so that what is shown of cells holds for every value.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.rules.values import Value, number_of, place_of, time_of
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.frames import Column
from arbitree.table.levels import MISSING_TEXT, level_texts
from arbitree.table.missing import is_missing
from arbitree.table.units import in_unit, time_text

OTHER_TEXT = "(other)"
_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberAxis:
    """Numbers by range: cell k holds ``edges[k - 1] < x <= edges[k]``, compared as float32.

    `edges` increase, and those of integers are whole. Cells that cannot occur are not in `whole`.
    """

    name: Hashable
    edges: np.ndarray  # (n_values - 1,) float32
    kind: str  # "number" | "integer" | "date" | "duration"
    unit: str | None = None  # of dates and durations
    whole: int  # bits of the cells that can occur

    @property
    def n_values(self) -> int:
        """Cells of values; missing not counted."""
        return len(self.edges) + 1

    @property
    def missing_cell(self) -> int:
        """The cell of a missing value, the last one."""
        return self.n_values

    @property
    def n_cells(self) -> int:
        """Cells of values and the one of missing."""
        return self.n_values + 1

    def limits(self, cell: int) -> tuple[float, float]:
        """The numbers x of a cell: ``low < x <= high``."""
        low = -np.inf if cell == 0 else float(self.edges[cell - 1])
        high = np.inf if cell == len(self.edges) else float(self.edges[cell])
        return low, high

    def between(self, low: float, high: float) -> int:
        """The cells that hold a number x with ``low < x <= high``, for float32 low and high.

        Examples
        --------
        >>> axis = NumberAxis(name="x", edges=np.float32([1, 2]), kind="number", whole=0b0111)
        >>> bin(axis.between(1.5, np.inf)), bin(axis.between(1, 2))
        ('0b110', '0b10')
        """
        if self.kind == "integer":
            low, high = float(np.floor(low)), float(np.floor(high))
        if not low < high:
            return 0
        first = int(np.searchsorted(self.edges, np.float32(low), side="right"))
        last = int(np.searchsorted(self.edges, np.float32(high), side="left"))
        return _bits(first, last) & self.whole

    def cuts(self, cells: int) -> list[float]:
        """The edges at which a set of cells begins or ends: where to split it off.

        Examples
        --------
        >>> axis = NumberAxis(name="x", edges=np.float32([1, 2, 3]), kind="number", whole=0b1111)
        >>> axis.cuts(0b0110)
        [1.0, 3.0]
        """
        changes = cells ^ cells >> 1
        return [float(self.edges[cell]) for cell in bits(changes) if cell < len(self.edges)]

    def encode(self, column: Column) -> np.ndarray:
        """The cell of each row.  (n_rows,) int"""
        coding = NumericCoding(
            edges=self.edges, exact=False, values=None, kind=self.kind, unit=self.unit
        )
        return coding.encode_column(column).astype(np.intp)

    def text(self, cell: int) -> str:
        """A cell for a reader."""
        if cell == self.missing_cell:
            return MISSING_TEXT
        coding = NumericCoding(
            edges=self.edges, exact=False, values=None, kind=self.kind, unit=self.unit
        )
        return coding.label(cell)

    def example(self, cell: int, low: float = -np.inf, high: float = np.inf) -> Any:
        """A value of a cell, such as a person would write, with ``low < x <= high``.

        Examples
        --------
        >>> edge = np.nextafter(np.float32(18), np.float32(0))
        >>> axis = NumberAxis(name="age", edges=np.array([edge]), kind="number", whole=0b011)
        >>> axis.example(0), axis.example(1)
        (17, 18)
        """
        if cell == self.missing_cell:
            return None
        least, most = self.limits(cell)
        return self._value(_plain_number(max(low, least), min(high, most)))

    def number(self, value: Value) -> float | None:
        """The float32 that a value of a rule is compared as; None if it is none."""
        if self.kind in ("date", "duration"):
            time = time_of(value, self.kind)
            found = None if time is None else float(in_unit(np.array([time]), str(self.unit))[0])
        else:
            found = number_of(value)
        return None if found is None or abs(found) >= _LARGEST else float(np.float32(found))

    def _value(self, number: float) -> Any:
        import pandas as pd

        if self.kind == "date":
            return pd.Timestamp(time_text(number, str(self.unit)))
        if self.kind == "duration":
            return pd.Timedelta(number, unit=str(self.unit))  # type: ignore[arg-type]
        return number


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategoryAxis:
    """Levels, each a cell; then a cell for any other level, then missing.

    Cells that cannot occur are not in `whole`.
    """

    name: Hashable
    levels: tuple[object, ...]
    ordered: bool = False
    whole: int

    @property
    def n_values(self) -> int:
        """Cells of levels and the one of any other level."""
        return len(self.levels) + 1

    @property
    def other_cell(self) -> int:
        """The cell of levels that are not listed."""
        return len(self.levels)

    @property
    def missing_cell(self) -> int:
        """The cell of a missing value, the last one."""
        return self.n_values

    @property
    def n_cells(self) -> int:
        """All cells."""
        return self.n_values + 1

    def encode(self, column: Column) -> np.ndarray:
        """The cell of each row.  (n_rows,) int"""
        coding = CategoryCoding(levels=self.levels)
        codes = coding.encode_column(column, unseen="missing").astype(np.intp)
        unlisted = codes == coding.missing_code
        codes[unlisted] = np.where(is_missing(column)[unlisted], self.missing_cell, self.other_cell)
        return codes

    def text(self, cell: int) -> str:
        """A cell for a reader."""
        if cell == self.missing_cell:
            return MISSING_TEXT
        return OTHER_TEXT if cell == self.other_cell else level_texts(self.levels)[cell]

    def example(self, cell: int) -> Any:
        """A value of a cell."""
        if cell == self.missing_cell:
            return None
        return self.levels[cell] if cell < len(self.levels) else self._unlisted()

    def place(self, value: Value) -> int | None:
        """The cell of a level, by its text; None if it is not listed."""
        return place_of(value, self.levels)

    def _unlisted(self) -> str:
        known, name = set(level_texts(self.levels)), OTHER_TEXT
        while name in known:
            name = f"({name})"
        return name


Axis = NumberAxis | CategoryAxis


def among(cells: np.ndarray, mask: int) -> np.ndarray:
    """Whether each of some cells is in a set of cells.

    >>> among(np.array([0, 2, 1, 2]), 0b100).tolist()
    [False, True, False, True]
    """
    held = np.zeros(max(mask.bit_length(), int(cells.max(initial=0)) + 1), bool)
    held[bits(mask)] = True
    return np.asarray(held[cells])


def bits(cells: int) -> list[int]:
    """The cells of a set.

    >>> bits(0b1011)
    [0, 1, 3]
    """
    found = []
    while cells:
        lowest = cells & -cells
        found.append(lowest.bit_length() - 1)
        cells ^= lowest
    return found


def below(number: float) -> float:
    """The largest float32 below a number: ``x < number`` is ``x <= below(number)``."""
    return float(np.nextafter(np.float32(number), np.float32(-np.inf)))


def _bits(first: int, last: int) -> int:
    """Cells from first to last, both included."""
    return ((1 << (last + 1)) - 1) & ~((1 << first) - 1)


def _plain_number(low: float, high: float) -> float:
    """A number with ``low < x <= high``: whole if one is there, next to the finite end."""
    if low == -np.inf and high == np.inf:
        return 0
    if high == np.inf:
        whole = np.floor(low) + 1
        above = np.nextafter(np.float32(low), np.float32(np.inf))
        return _short(whole if np.float32(whole) > low else above)
    if np.floor(high) > low:
        return int(np.floor(high))
    for digits in range(1, 7):
        short = float(np.floor(high * 10**digits) / 10**digits)
        if low < np.float32(short) <= high:
            return short
    return _short(high)


def _short(number: Any) -> float:
    """A float32 with the fewest digits."""
    written = float(str(np.float32(number)))
    return int(written) if written.is_integer() and abs(written) < 2**24 else written
