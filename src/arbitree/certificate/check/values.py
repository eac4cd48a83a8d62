"""Numbers as float32, and which level or class a value of a rule means: as docs/rules.md says."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from arbitree.certificate.check.shape import Wrong

INFINITE = {"inf": math.inf, "-inf": -math.inf}
_LARGEST = (2 - 2**-23) * 2.0**127  # of float32
_MICROSECONDS = {"days": 86_400 * 10**6, "hours": 3_600 * 10**6, "minutes": 60 * 10**6}
_MICROSECONDS["seconds"] = 10**6
UNIT = re.compile(r"(days|hours|minutes|seconds)( since \d{4}-\d\d-\d\d( UTC)?)?")
_DURATION = re.compile(r"(\d+(?:\.\d+)?) (day|hour|minute|second)s?")


def float32(number: float) -> float:
    """The nearest float32, ties to even."""
    if math.isinf(number):
        return number
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError as error:
        raise Wrong(f"{number!r} is beyond float32") from error


def shortest(number: float) -> float:
    """The float64 with fewest digits that rounds to a float32, as certificates have it.

    >>> shortest(float32(0.1)), shortest(below(18.0))
    (0.1, 17.999998)
    """
    for digits in range(1, 10):
        short = float(f"{number:.{digits}g}")
        if abs(short) <= _LARGEST and float32(short) == number:
            return short
    return number


def below(number: float) -> float:
    """The largest float32 below one.

    >>> below(0.0) < 0 < -below(0.0) < 1e-44, below(1.0)
    (True, 0.9999999403953552)
    """
    (bits,) = struct.unpack("<i", struct.pack("<f", number))
    if number == 0:
        bits = -(2**31) + 1
    else:
        bits += 1 if number < 0 else -1
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])


def number_of(value: Any) -> float:
    """The float32 that a value of a rule is compared as."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise Wrong(f"{value!r} is compared with numbers, and is none") from error
    if not abs(number) < _LARGEST:
        raise Wrong(f"{value!r} is beyond float32")
    return float32(number)


def time_number(value: str, unit: str) -> float | None:
    """The float32 of a date or duration, in its unit; None if it is written in another way.

    >>> time_number("2024-05-01", "days since 1970-01-01"), time_number("36 hours", "days")
    (19844.0, 1.5)
    """
    name, _, start = unit.removesuffix(" UTC").partition(" since ")
    if name not in _MICROSECONDS:
        raise Wrong(f"there is no unit {unit!r}")
    if not start:
        found = _DURATION.fullmatch(value)
        if found is None:
            return None
        amount = float(found[1]) * _MICROSECONDS[f"{found[2]}s"]
        return float32(round(amount) / _MICROSECONDS[name])
    try:
        since, moment = datetime.fromisoformat(start), datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return float32((moment - since) // timedelta(microseconds=1) / _MICROSECONDS[name])


def level_text(level: Any) -> str:
    """A level or class as text; None of those that are written as objects."""
    if isinstance(level, float) and level.is_integer() and abs(level) < 2**53:
        return str(int(level))
    if isinstance(level, dict | list) or level is None:
        raise Wrong(f"the level {level!r} has no text")
    text = str(level).encode("utf-8", "backslashreplace").decode()
    return repr(level) if text == "(missing)" else text


def value_text(value: Any) -> str:
    """The text that a value of a rule is matched by."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def place_of(value: Any, levels: Sequence[Any], texts: Sequence[str]) -> int | None:
    """Where a value is among levels: the same, else an equal number, text or truth.

    >>> place_of(18, ["17", "18"], ["17", "18"]), place_of("true", [False, True], ["False", "True"])
    (1, 1)
    """
    for alike in (_same, _equal_number, _same_text, _same_truth):
        found = [i for i, (level, t) in enumerate(zip(levels, texts)) if alike(value, level, t)]
        if len(found) > 1:
            raise Wrong(f"{value!r} could mean several levels")
        if found:
            return found[0]
    return None


def _same(value: Any, level: Any, _: str) -> bool:
    return type(value) is type(level) and bool(value == level)


def _equal_number(value: Any, level: Any, _: str) -> bool:
    numbers = (int, float)
    return type(value) in numbers and type(level) in numbers and bool(value == level)


def _same_text(value: Any, _: Any, text: str) -> bool:
    return value_text(value) == text


def _same_truth(value: Any, level: Any, text: str) -> bool:
    word = value_text(value).lower()
    if word not in ("true", "false") or not (isinstance(value, bool) or isinstance(level, bool)):
        return False
    return text.lower() == word
