"""Functions that exported Python source reads a row's values with; None stands for missing."""

from __future__ import annotations

from collections.abc import Set

_MISSING = """

def _is_missing(value):
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA says neither
        return True
"""

_LEVEL = """

def _level(value):
    return None if _is_missing(value) else value
"""

_NUMBER = '''

def _number(value):
    """A number rounded to 32 bits, as the tree compares it."""
    if _is_missing(value):
        return None
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{value!r} is a text, where a number is compared")
    value = float(value)
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
'''

_MOMENT = '''

def _moment(value):
    """A date or a time; one with a time zone in UTC."""
    if _is_missing(value):
        return None
    if not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc)
    return datetime.datetime(
        value.year, value.month, value.day,
        value.hour, value.minute, value.second, value.microsecond,
    )
'''

_DURATION = """

def _duration(value):
    return None if _is_missing(value) else datetime.timedelta(
        days=value.days, seconds=value.seconds, microseconds=value.microseconds
    )
"""

_SOURCE = {"_level": _LEVEL, "_number": _NUMBER, "_moment": _MOMENT, "_duration": _DURATION}


def needed_readers(names: Set[str]) -> str:
    """Source of the functions with these names, and of what they call.

    Examples
    --------
    >>> print(needed_readers(set()))
    <BLANKLINE>
    """
    found = "".join(source for name, source in _SOURCE.items() if name in names)
    return f"{_MISSING}{found}" if found else ""
