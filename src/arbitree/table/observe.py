"""The first pass over a column: its distinct values, or counts of numbers if there are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.table import units
from arbitree.table.bins import Bins
from arbitree.table.choose import MOST_LEVELS, too_many_levels, too_many_numbers
from arbitree.table.distinct import Distinct, distinct
from arbitree.table.edges import KeyCounts, has_more_than, to_float32, to_keys
from arbitree.table.frames import Column
from arbitree.table.measures import Kind, floats, has_time_zone, kind_of, microseconds, numbers
from arbitree.table.missing import is_missing
from arbitree.table.precision import Precision
from arbitree.table.provisional import KeyRegister, LevelRegister, ProvisionalCodes
from arbitree.table.seen import NUMBERS, TIMES, Request, Seen, measure, text_column

MANY = 128  # distinct among 256 keys: most of all keys are distinct too
_KIND_WORDS = {
    "number": "numbers",
    "integer": "numbers",
    "boolean": "truth values",
    "date": "dates",
    "duration": "durations",
    "category": "texts or categories",
}


class FirstPass:
    """Fed with every batch of a column; then `seen()`, or `counts` if that is not None."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.kind: Kind | None = None  # none yet: only missing values so far
        self.unit: str | None = None  # of many times
        self.n_rows = 0
        self.n_beyond = 0
        self.precision = Precision()
        self.has_missing = False
        self.counts: KeyCounts | None = None
        self._utc = False
        self._whole = True
        self._declared: tuple[Any, ...] | None = None
        self._ordered = False
        self._dtype_kind: Kind = "category"
        self._register: KeyRegister | LevelRegister = LevelRegister()
        self._codes = ProvisionalCodes()

    def add(self, column: Column) -> None:
        """Look at a batch of rows."""
        self.n_rows += len(column)
        if self.counts is not None:
            self._count(self.counts, column)
        elif kind_of(column) != self.kind and not self._meet(column):
            self._add_missing(column)
        elif (found := self._distinct(column)) is None:
            self._count(self._start_counting(), column)
        else:
            self._add_distinct(*found)

    def add_levels(self, where: np.ndarray, levels: Sequence[Any]) -> None:
        """As `add`, of texts given by their place among the distinct ones, -1 for missing."""
        self.n_rows += len(where)
        column = text_column(self.request.name, levels)
        if self.counts is not None:
            self._count_numbers(self.counts, *self.float32_at(where, levels))
        elif len(levels) == 0 or (self.kind != "category" and not self._meet(column)):
            self._add_distinct(np.full(len(where), -1), ())
        elif self.request.bins is None:
            self._add_distinct(where, levels)
        else:
            places, ranges = self._binned(column, self.request.bins)
            self._add_distinct(np.append(places, -1)[where], ranges)

    def _meet(self, column: Column) -> bool:
        """Note a kind of values not met before; False if the batch has no values at all."""
        kind = kind_of(column)
        if is_missing(column).all():
            return False
        if self.kind is None:
            self.kind = kind
            self._utc = has_time_zone(column)
            self._register = self._new_register(kind)
        elif {kind, self.kind} <= set(NUMBERS):
            self.kind = "number"
        elif self.request.role == "group":
            self.kind = "category"
        else:
            raise self._two_types(self.kind, kind)
        self._check_bins(kind)
        return True

    def _new_register(self, kind: Kind) -> KeyRegister | LevelRegister:
        measured = kind in NUMBERS or kind in TIMES
        return KeyRegister() if self.request.role == "feature" and measured else LevelRegister()

    def _check_bins(self, kind: Kind) -> None:
        textual = kind == "category" and self.request.typed is not None
        if self.request.bins is not None and kind not in NUMBERS and not textual:
            raise InputError(
                f"column {self.request.name!r} has bins, which need numbers, and holds "
                f"{_KIND_WORDS[kind]}. Leave out its bins, or convert it to numbers."
            )

    def _add_missing(self, column: Column) -> None:
        """Add rows without values: of a column that has none so far only its dtype is known."""
        if self.kind is None:
            self._dtype_kind = kind_of(column)
            self._register = self._new_register(self._dtype_kind)
            if self._dtype_kind == "category":
                self._levels(column)
        self._add_distinct(np.full(len(column), -1), ())

    def _add_distinct(self, where: np.ndarray, levels: Sequence[Any]) -> None:
        """Add rows by their place among the distinct values of their batch, -1 for missing."""
        self._codes.add(where, self._register.places(levels))
        if len(self._register) > MOST_LEVELS:
            self._start_counting()

    def _distinct(self, column: Column) -> tuple[np.ndarray, Sequence[Any]] | None:
        """Places of rows among the distinct values of a batch; None if there are too many."""
        if self.request.bins is not None:
            return self._binned(column, self.request.bins)
        if isinstance(self._register, LevelRegister):
            return self._levels(column)
        if self.kind in TIMES:
            times = microseconds(column)
            return _sorted_out(times, times == units.MISSING)
        values, n_beyond = self._narrow(floats(column))
        found = _sorted_out(to_keys(values), np.isnan(values))
        self.n_beyond += 0 if found is None else n_beyond
        return found

    def _binned(self, column: Column, edges: tuple[float, ...]) -> tuple[np.ndarray, Sequence[Any]]:
        if self.request.typed is not None and kind_of(column) == "category":
            column = self.request.typed(column)
            self._check_bins_of_text(column)
        values = floats(column)
        self._whole = self._whole and _all_whole(values)
        bins = Bins(edges=edges, whole=self._whole)
        return bins.place(values), range(len(edges) + 1)

    def _check_bins_of_text(self, column: Column) -> None:
        if kind_of(column) not in NUMBERS and not is_missing(column).all():
            raise InputError(
                f"column {self.request.name!r} has bins, which need numbers, and not all its "
                "texts are numbers. Leave out its bins, or name the texts that mean missing."
            )

    def _levels(self, column: Column) -> tuple[np.ndarray, Sequence[Any]]:
        found = _distinct_levels(column)
        declared = found.levels if found.declared else None
        if not len(self._register):
            self._declared, self._ordered = declared, found.ordered
        elif declared != self._declared:
            self._declared, self._ordered = None, False
        present = found.counts > 0
        places = np.append(np.cumsum(present) - 1, -1)
        levels = [
            0.0 if isinstance(level, float) and level == 0 else level  # not -0.0
            for level, there in zip(found.levels, present)
            if there
        ]
        return places[found.codes], levels

    def _start_counting(self) -> KeyCounts:
        """Go over from distinct values to counts of numbers."""
        if self.request.role == "group":
            n_levels = len(self._register)
            raise (
                too_many_numbers(self.request.name, n_levels)
                if self.kind in NUMBERS
                else too_many_levels(self.request.name)
            )
        seen = self.seen()
        measured = measure(self.request, seen, many=True)
        if measured is None:
            raise too_many_levels(self.request.name)
        known = ~np.isnan(measured.values)
        self.counts = KeyCounts(limit=MOST_LEVELS)
        self.counts.add(to_keys(measured.values[known]), seen.counts[1:][known])
        self.kind, self.unit = measured.kind, measured.unit
        self.n_beyond += measured.n_beyond
        self.precision.merge(measured.precision)
        self.has_missing = seen.admits_missing or not known.all()
        self._register, self._codes = KeyRegister(), ProvisionalCodes()
        return self.counts

    def _count(self, counts: KeyCounts, column: Column) -> None:
        self._count_numbers(counts, *self.float32(column))

    def _count_numbers(self, counts: KeyCounts, values: np.ndarray, n_beyond: int) -> None:
        missing = np.isnan(values)
        if missing.any():
            self.has_missing = True
            values = values[~missing]
        counts.add(to_keys(values))
        self.n_beyond += n_beyond

    def float32(self, column: Column) -> tuple[np.ndarray, int]:
        """A batch of a column with many numbers, and how many are beyond float32's range."""
        return self._narrow(self._numbers(column))

    def float32_at(self, where: np.ndarray, levels: Sequence[Any]) -> tuple[np.ndarray, int]:
        """As `float32`, of texts given by their place among the distinct ones, -1 for missing."""
        values = self._numbers(text_column(self.request.name, levels))
        return self._narrow(np.append(values, np.nan)[where])

    def _narrow(self, wide: np.ndarray) -> tuple[np.ndarray, int]:
        values, n_beyond = to_float32(wide)
        if self.kind not in TIMES:
            self.precision.add(wide, values)
        return values, n_beyond

    def _numbers(self, column: Column) -> np.ndarray:
        if self.request.typed is not None and kind_of(column) == "category":
            column = self.request.typed(column)
        if is_missing(column).all():
            return np.full(len(column), np.nan, dtype=np.float32)
        kind = kind_of(column)
        if kind in NUMBERS and self.kind in NUMBERS:
            self.kind = self.kind if kind == self.kind else "number"
        elif self.kind is not None and kind != self.kind:
            raise (
                self._two_types(self.kind, kind)
                if self.request.typed is None
                else too_many_levels(self.request.name)
            )
        return numbers(column, self.unit)

    def _two_types(self, kind: Kind, other: Kind) -> InputError:
        return InputError(
            f"column {self.request.name!r} holds {_KIND_WORDS[kind]} and further down "
            f"{_KIND_WORDS[other]}. Convert it to one type first."
        )

    def seen(self) -> Seen:
        """All that was seen, of a column that is not counted."""
        return Seen(
            kind=self._dtype_kind if self.kind is None else self.kind,
            utc=self._utc,
            levels=self._register.in_order(),
            counts=self._codes.counts(len(self._register)),
            declared=self._declared,
            ordered=self._ordered,
            whole=self._whole,
        )

    def looked_up(self, codes: np.ndarray) -> np.ndarray:
        """The codes of all rows, given those of missing and of each level seen."""
        return self._codes.looked_up(codes)


def _all_whole(values: np.ndarray) -> bool:
    """Whether all numbers that are not missing are whole; infinity is not."""
    whole = np.isfinite(values) & (np.floor(values) == values)
    return bool(np.all(np.isnan(values) | whole))


def _sorted_out(keys: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, Any] | None:
    """Places of keys among the distinct ones, -1 where missing; None if these are too many."""
    some = missing.any()
    known = keys[~missing] if some else keys
    if has_more_than(MOST_LEVELS, known):
        return None
    sort = len(known) <= MOST_LEVELS and has_more_than(MANY, known)
    places, found = _ranked(known) if sort else pd.factorize(known)
    if not some:
        return places, found
    where = np.full(len(keys), -1, dtype=places.dtype)
    where[~missing] = places
    return where, found


def _ranked(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place of each key among the distinct ones, which increase; as `factorize`.

    Sorting takes half the time of hashing 26,000 distinct keys, and spares others the sorting
    (normal columns of benchmarks/influence/speed.py); of more rows, or of few distinct keys,
    hashing is the faster.
    """
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(keys)]
    places = np.empty(len(keys), np.intp)
    places[order] = np.cumsum(new) - 1
    return places, ordered[new]


def _distinct_levels(column: Column) -> Distinct:
    """As `distinct`, with the row of a value that cannot be a level."""
    try:
        return distinct(column)
    except InputError as error:
        if column.values.dtype != nw.Object:
            raise
        for row, value in enumerate(column.values.to_list()):
            try:
                hash(value)
            except TypeError:
                raise InputError(
                    f"column {column.name!r} has a {type(value).__name__} at row {row}, which "
                    "cannot be a level of a category. Pass one plain value a row."
                ) from error
        raise
