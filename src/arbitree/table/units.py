"""Moments and durations as numbers that keep their unit.

Codes compare float32 numbers, which tell 2**24 whole numbers apart. So a column of dates counts
days, a column of times counts the largest unit of which all its values are whole multiples, and
units below an hour count from the earliest day of the column. What may still be lost: parts of a
microsecond, and seconds where a column of times spans more than 194 days (its times are then
told apart to within 2**-24 of the span). A column of times with very many distinct values counts
days since 1970, which tells times of today apart to about 3 minutes.
"""

from __future__ import annotations

import numpy as np

MISSING = np.iinfo(np.int64).min  # NumPy's "not a time"
_MICROSECONDS = {
    "days": 86_400_000_000,
    "hours": 3_600_000_000,
    "minutes": 60_000_000,
    "seconds": 1_000_000,
}
_EPOCH = "1970-01-01"
_UTC = " UTC"


def widest_unit(kind: str, *, utc: bool) -> str:
    """The unit for moments or durations of any number and span."""
    return f"days since {_EPOCH}{_UTC if utc else ''}" if kind == "date" else "days"


def finest_unit(kind: str, times: np.ndarray, *, utc: bool) -> str:
    """The unit that tells these times apart best.

    Parameters
    ----------
    kind : {"date", "duration"}
    times : ndarray of int64, shape (n_times,)
        Microseconds; for dates since 1970, for moments with a time zone in UTC.
    utc : bool
        Whether the moments have a time zone.

    Examples
    --------
    >>> noon = np.array(["2024-05-01T12:00", "2024-05-02T12:30"], "datetime64[us]").view(np.int64)
    >>> finest_unit("date", noon, utc=True)
    'minutes since 2024-05-01 UTC'
    """
    unit = next((u for u, size in _MICROSECONDS.items() if not np.any(times % size)), "seconds")
    if kind == "duration":
        return unit
    first = times.min() if len(times) else 0
    start = _EPOCH if unit in ("days", "hours") else str(np.datetime64(int(first), "us"))[:10]
    return f"{unit} since {start}{_UTC if utc else ''}"


def in_unit(times: np.ndarray, unit: str) -> np.ndarray:
    """Microseconds as float64 numbers of a unit; NaN where MISSING.

    Examples
    --------
    >>> in_unit(np.array([86_400_000_000, MISSING]), "days since 1970-01-01")
    array([ 1., nan])
    """
    size, start = _size_and_start(unit)
    missing = times == MISSING
    numbers = (np.where(missing, start, times) - start) / size
    numbers[missing] = np.nan
    return numbers


def time_text(number: float, unit: str) -> str:
    """A number of a unit as a person writes the date or the duration.

    Examples
    --------
    >>> time_text(19844, "days since 1970-01-01"), time_text(1.5, "hours")
    ('2024-05-01', '1.5 hours')
    >>> time_text(750, "minutes since 2024-05-01 UTC")
    '2024-05-01 12:30 UTC'
    """
    if not np.isfinite(number):
        return f"{number:g}"
    if " since " not in unit:
        return f"{_number_text(number)} {unit.removesuffix('s') if number == 1 else unit}"
    size, start = _size_and_start(unit)
    moment = np.datetime64(start + round(float(number) * size), "us")
    day, clock = str(moment).split("T")
    return f"{day}{_clock_text(clock)}{_UTC if unit.endswith(_UTC) else ''}"


def moments(numbers: np.ndarray, unit: str) -> np.ndarray:
    """Numbers of a unit as moments or durations of microseconds; local times have no zone.

    Examples
    --------
    >>> moments(np.array([1.0, np.nan]), "days since 1970-01-01").tolist()
    [datetime.datetime(1970, 1, 2, 0, 0), None]
    """
    size, start = _size_and_start(unit)
    known = np.isfinite(numbers)
    times = np.rint(np.where(known, numbers, 0.0) * size).astype(np.int64)
    since = " since " in unit
    times = np.where(known, times + (start if since else 0), MISSING)
    return times.view("datetime64[us]" if since else "timedelta64[us]")


def has_time_zone(unit: str | None) -> bool:
    """Whether moments in this unit are instants, in UTC, rather than local clock times."""
    return unit is not None and unit.endswith(_UTC)


def _size_and_start(unit: str) -> tuple[int, int]:
    """Microseconds in one unit, and where it counts from."""
    name, _, start = unit.removesuffix(_UTC).partition(" since ")
    return _MICROSECONDS[name], int(np.datetime64(start or _EPOCH, "us").astype(np.int64))


def _clock_text(clock: str) -> str:
    if clock == "00:00:00.000000":
        return ""
    short = clock.removesuffix(".000000")
    return f" {short.removesuffix(':00') if short.count(':') == 2 else short}"


def _number_text(number: float) -> str:
    return str(np.float32(number)).removesuffix(".0")
