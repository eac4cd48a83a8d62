"""Which coding a column gets, once its distinct values and their counts are known."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.table.bins import Bins
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.distinct import natural_order
from arbitree.table.edges import KeyCounts, from_keys

MOST_LEVELS = 65_535  # with the code for missing, what uint16 holds
MOST_NUMBERS = 50  # groups by single numbers


def numeric_coding(
    counts: KeyCounts, *, max_bins: int, kind: str, unit: str | None, admits_missing: bool
) -> NumericCoding:
    """The coding of numbers of which every distinct one is known: exact up to `max_bins`.

    Examples
    --------
    >>> from arbitree.table.edges import to_keys
    >>> counts = KeyCounts()
    >>> counts.add(to_keys(np.float32([3, 1, 3])))
    >>> coding = numeric_coding(
    ...     counts, max_bins=255, kind="integer", unit=None, admits_missing=False
    ... )
    >>> coding.values, coding.edges
    (array([1., 3.]), array([2.], dtype=float32))
    """
    exact = 0 < len(counts.keys) <= max_bins
    return NumericCoding(
        edges=counts.edges(max_bins=max_bins),
        exact=exact,
        values=_shortest(from_keys(counts.keys)) if exact else None,
        kind=kind,
        unit=unit,
        admits_missing=admits_missing,
    )


def _shortest(values: np.ndarray) -> np.ndarray:
    """float32 numbers as the float64 that people write: 0.1 rather than 0.10000000149.

    Whole numbers beyond 2**24 stay what they are. The lowest float32 stands for -inf.
    """
    written = np.array([float(str(value)) for value in values], dtype=np.float64)
    written = np.where(np.abs(values) < 2**24, written, values)
    return np.where(values == np.finfo(np.float32).min, -np.inf, written)


def category_coding(
    levels: Sequence[Any],
    *,
    declared: tuple[Any, ...] | None,
    ordered: bool,
    admits_missing: bool,
) -> CategoryCoding:
    """The coding of levels that were seen, in declared order or else in natural order.

    Examples
    --------
    >>> coding = category_coding(["10", "9"], declared=None, ordered=False, admits_missing=False)
    >>> coding.levels
    ('9', '10')
    """
    unused: tuple[Any, ...] = ()
    if declared is None:
        found = natural_order(levels)
    else:
        seen = set(levels)
        found = tuple(level for level in declared if level in seen)
        unused = tuple(level for level in declared if level not in seen)
    return CategoryCoding(
        levels=found,
        kind="ordered" if ordered else "category",
        declared_unused=unused,
        admits_missing=admits_missing,
    )


def boolean_coding(*, seen: set[Any] | None, admits_missing: bool) -> CategoryCoding:
    """The coding of truth values: both, or only those `seen`.

    Examples
    --------
    >>> boolean_coding(seen=None, admits_missing=False).levels
    (False, True)
    """
    both = (False, True)
    return CategoryCoding(
        levels=tuple(value for value in both if seen is None or value in seen),
        kind="boolean",
        declared_unused=tuple(value for value in both if seen is not None and value not in seen),
        admits_missing=admits_missing,
    )


def binned_coding(places: set[int], bins: Bins, *, admits_missing: bool) -> CategoryCoding:
    """The coding of ranges that the user named, of which those at `places` were seen.

    Examples
    --------
    >>> binned_coding({0, 1}, Bins(edges=(25, 40), whole=True), admits_missing=False).levels
    ('< 25', '25-39')
    """
    labels = bins.labels
    return CategoryCoding(
        levels=tuple(label for i, label in enumerate(labels) if i in places),
        kind="ordered",
        declared_unused=tuple(label for i, label in enumerate(labels) if i not in places),
        bins=bins,
        admits_missing=admits_missing,
    )


def too_many_levels(name: Hashable) -> InputError:
    """The error for a category with more levels than there are codes."""
    return InputError(
        f"column {name!r} has more than {MOST_LEVELS:,} different values that are not numbers. "
        "Drop it, or bin it into fewer levels."
    )


def too_many_numbers(name: Hashable, n_levels: int) -> InputError:
    """The error for groups by a number with many values."""
    more = "more than " if n_levels > MOST_LEVELS else ""
    n_shown = min(n_levels, MOST_LEVELS)
    return InputError(
        f"column {name!r} has {more}{counted(n_shown, 'different number')}, and groups can be "
        f"made of at most {MOST_NUMBERS}. Give ranges, such as bins={{{name!r}: [25, 40, 65]}}. "
        "Where there is no bins, cut it beforehand with pandas.cut."
    )


def too_many_times(name: Hashable, n_levels: int) -> InputError:
    """The error for groups by a date or duration with many values."""
    return InputError(
        f"column {name!r} has {counted(n_levels, 'different date')} or durations, and groups can "
        f"be made of at most {MOST_NUMBERS}. Pass the year, the month or a range instead."
    )
