"""What is known of a column once every row has been looked at, and the coding that follows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._wording import counted
from arbitree.table import units
from arbitree.table.bins import Bins
from arbitree.table.choose import (
    MOST_NUMBERS,
    binned_coding,
    boolean_coding,
    category_coding,
    numeric_coding,
    too_many_numbers,
    too_many_times,
)
from arbitree.table.codings import CategoryCoding, Coding
from arbitree.table.edges import KeyCounts, bin_codes, from_keys, to_float32, to_keys
from arbitree.table.frames import Column
from arbitree.table.measures import Kind, floats, has_time_zone, kind_of, microseconds
from arbitree.table.precision import Precision

NUMBERS = ("number", "integer")
TIMES = ("date", "duration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is wanted of a column."""

    name: Hashable
    role: Literal["feature", "group"]
    max_bins: int
    bins: tuple[float, ...] | None
    typed: Callable[[Column], Column] | None  # texts as the values they stand for


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The distinct values of a column, `levels`, in any order, and how many rows have each.

    For a feature of numbers they are keys of float32; of times, microseconds; for ranges named
    by the user, places of ranges; else the values as they are.
    """

    kind: Kind
    utc: bool
    levels: Any  # (n_levels,) int64, or list
    counts: np.ndarray  # (1 + n_levels,) int64, missing first
    declared: tuple[Any, ...] | None = None  # levels that the dtype lists
    ordered: bool = False
    whole: bool = False  # all numbers are whole

    @property
    def admits_missing(self) -> bool:
        """Whether a row is missing."""
        return bool(self.counts[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The levels of a column as numbers; NaN for a text that stands for a missing value."""

    values: np.ndarray  # (n_levels,) float32
    kind: Kind
    unit: str | None
    n_beyond: int  # rows with a finite number that float32 cannot hold
    n_merged: int  # distinct times that become the same number
    precision: Precision


def settle(request: Request, seen: Seen) -> tuple[Coding, np.ndarray, tuple[str, ...]]:
    """The coding of a column, the codes of missing and of each level, and what to tell the user.

    Raises
    ------
    InputError
        If groups would be made of many single numbers or dates.
    """
    if request.bins is not None:
        bins = Bins(edges=request.bins, whole=seen.whole)
        places = set(np.flatnonzero(seen.counts[1:]).tolist())
        coding = binned_coding(places, bins, admits_missing=seen.admits_missing)
        return _with_lookup(coding, list(bins.labels))
    if request.role == "group":
        return _with_lookup(_group_coding(request, seen), seen.levels)
    return _settle_feature(request, seen)


def _group_coding(request: Request, seen: Seen) -> CategoryCoding:
    n_levels = len(seen.levels)
    if n_levels > MOST_NUMBERS:
        typed = _typed_levels(request, seen)
        kind = seen.kind if typed is None else kind_of(typed)
        if kind in NUMBERS:
            raise too_many_numbers(request.name, n_levels)
        if kind in TIMES:
            raise too_many_times(request.name, n_levels)
    if seen.kind == "boolean":
        return boolean_coding(seen=set(seen.levels), admits_missing=seen.admits_missing)
    return _category(seen)


def _category(seen: Seen) -> CategoryCoding:
    return category_coding(
        seen.levels,
        declared=seen.declared,
        ordered=seen.ordered,
        admits_missing=seen.admits_missing,
    )


def _settle_feature(request: Request, seen: Seen) -> tuple[Coding, np.ndarray, tuple[str, ...]]:
    typed = _typed_levels(request, seen)
    measured = measure(request, seen, typed)
    if measured is not None:
        return _settle_numbers(request, seen, measured)
    if typed is not None and kind_of(typed) == "boolean":
        coding = boolean_coding(seen=None, admits_missing=seen.admits_missing)
        return _with_lookup(coding, typed.values.to_list())
    if seen.kind == "boolean":
        coding = boolean_coding(seen=None, admits_missing=seen.admits_missing)
        return _with_lookup(coding, seen.levels)
    return _with_lookup(_category(seen), seen.levels)


def _settle_numbers(
    request: Request, seen: Seen, measured: Measured
) -> tuple[Coding, np.ndarray, tuple[str, ...]]:
    known = ~np.isnan(measured.values)
    counts = KeyCounts()
    counts.add(to_keys(measured.values[known]), seen.counts[1:][known])
    coding = numeric_coding(
        counts,
        max_bins=request.max_bins,
        kind=measured.kind,
        unit=measured.unit,
        admits_missing=seen.admits_missing or bool(seen.counts[1:][~known].any()),
    )
    codes = bin_codes(measured.values, coding.edges)
    lookup = np.append(coding.missing_code, codes).astype(coding.dtype)
    return (
        coding,
        lookup,
        notices(
            request.name,
            measured.n_beyond,
            n_merged=measured.n_merged,
            squeezed=measured.precision.squeezed,
        ),
    )


def _with_lookup(
    coding: CategoryCoding, levels: list[Any]
) -> tuple[Coding, np.ndarray, tuple[str, ...]]:
    place = {level: code for code, level in enumerate(coding.levels)}
    codes = [place.get(level, coding.missing_code) for level in levels]
    return coding, np.array([coding.missing_code, *codes], dtype=coding.dtype), ()


def _typed_levels(request: Request, seen: Seen) -> Column | None:
    """The texts of a text file as what they stand for, None if the values came typed."""
    if request.typed is None or seen.kind != "category":
        return None
    return request.typed(text_column(request.name, seen.levels))


def text_column(name: Hashable, texts: Sequence[Any]) -> Column:
    """Texts from a text file as a column."""
    values = pd.Series(list(texts), dtype="str" if len(texts) else object)
    return Column(name, nw.from_native(values, series_only=True), None, True)


def measure(
    request: Request, seen: Seen, typed: Column | None = None, *, many: bool = False
) -> Measured | None:
    """The levels of a feature as numbers, None if they are none; `many`: there are more of them."""
    if many:
        typed = _typed_levels(request, seen)
    kind = seen.kind if typed is None else kind_of(typed)
    if kind in NUMBERS:
        return _measure_numbers(seen, typed, kind)
    if kind not in TIMES:
        return None
    times = seen.levels if typed is None else microseconds(typed)
    utc = seen.utc if typed is None else has_time_zone(typed)
    known = times[times != units.MISSING]
    unit = units.widest_unit(kind, utc=utc) if many else units.finest_unit(kind, known, utc=utc)
    values, _ = to_float32(units.in_unit(times, unit))
    n_merged = len(known) - len(np.unique(values[~np.isnan(values)]))
    return Measured(
        values=values, kind=kind, unit=unit, n_beyond=0, n_merged=n_merged, precision=Precision()
    )


def _measure_numbers(seen: Seen, typed: Column | None, kind: Kind) -> Measured:
    precision = Precision()
    if typed is None:
        values, n_beyond = from_keys(seen.levels.astype(np.uint32)), 0
    else:
        wide = floats(typed)
        values, _ = to_float32(wide)
        precision.add(wide, values)
        n_beyond = int(seen.counts[1:][np.isinf(values) & np.isfinite(wide)].sum())
    return Measured(
        values=values, kind=kind, unit=None, n_beyond=n_beyond, n_merged=0, precision=precision
    )


def notices(
    name: Hashable, n_beyond: int, *, n_merged: int = 0, squeezed: bool = False
) -> tuple[str, ...]:
    """What a user should know of how a column became float32 numbers.

    Examples
    --------
    >>> notices("x", 3)
    ("column 'x' has 3 numbers beyond the range of float32 (3.4e38); they count as infinite",)
    """
    out = []
    if n_beyond:
        out.append(
            f"column {name!r} has {counted(n_beyond, 'number')} beyond the range of float32 "
            f"(3.4e38); {'it counts' if n_beyond == 1 else 'they count'} as infinite"
        )
    if n_merged:
        out.append(
            f"column {name!r} has {counted(n_merged, 'time')} so near to another that "
            f"{'it counts' if n_merged == 1 else 'they count'} as the same"
        )
    if squeezed:
        out.append(
            f"column {name!r} has numbers so near to each other, in 32 bits, that they count as a "
            "few; subtract their smallest, or rescale them"
        )
    return tuple(out)
