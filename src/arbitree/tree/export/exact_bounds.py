"""Thresholds of float32 comparisons, as bounds on values that are never rounded to float32."""

from __future__ import annotations

import datetime as dt

import numpy as np

from arbitree.table import units
from arbitree.table.edges import to_float32

_BEYOND = 2.0**128  # what follows the largest float32 if exponents went on
_MICROSECOND = dt.timedelta(microseconds=1)
_EPOCH = dt.datetime(1970, 1, 1)
_MOMENTS = tuple((end - _EPOCH) // _MICROSECOND for end in (dt.datetime.min, dt.datetime.max))
_DURATIONS = (-(2**61), 2**61)


def largest_float64(threshold: np.floating | float) -> float:
    """The largest float64 that, rounded to float32, is at most a float32 threshold.

    Halfway between two float32 numbers rounds to the one whose last bit is 0.

    Examples
    --------
    >>> largest_float64(40.5)
    40.50000190734863
    >>> bool(np.float32(40.50000190734863) <= 40.5)
    True
    >>> bool(np.float32(np.nextafter(40.50000190734863, 41)) <= 40.5)
    False
    """
    limit = np.float32(threshold)
    if np.isposinf(limit):
        return float(np.inf)
    with np.errstate(over="ignore", under="ignore"):
        above = float(np.nextafter(limit, np.float32(np.inf)))
    at = float(limit) if np.isfinite(limit) else -_BEYOND
    halfway = (at + (above if np.isfinite(above) else _BEYOND)) / 2
    stays = int(limit.view(np.int32)) % 2 == 0
    return halfway if stays else float(np.nextafter(halfway, -np.inf))


def last_microsecond(threshold: np.floating | float, unit: str) -> int | None:
    """The last moment or the longest duration, in microseconds, that is at most a threshold.

    Parameters
    ----------
    threshold : float32
        In `unit`, as a coding compares it.
    unit : str
        Of a coding of dates or durations.

    Returns
    -------
    int or None
        Microseconds since 1970, or of a duration; None where every one is at most the threshold.
        Below the first moment that Python knows where none is.

    Examples
    --------
    >>> last_microsecond(1, "days")  # float32 tells days apart to about 10 milliseconds
    86400005149
    """
    low, high = _MOMENTS if " since " in unit else _DURATIONS
    if _at_most(high, threshold, unit):
        return None
    low -= 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _at_most(middle, threshold, unit) else (low, middle)
    return low


def moment(microseconds: int) -> dt.datetime:
    """The moment so many microseconds after the start of 1970; the first one there is if before.

    Examples
    --------
    >>> moment(86_400_000_000).isoformat()
    '1970-01-02T00:00:00'
    """
    return _EPOCH + max(microseconds, _MOMENTS[0]) * _MICROSECOND


def _at_most(microseconds: int, threshold: np.floating | float, unit: str) -> bool:
    values, _ = to_float32(units.in_unit(np.array([microseconds]), unit))
    return bool(values[0] <= np.float32(threshold))
