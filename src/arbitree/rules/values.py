"""Values in rules, and which level, class or number each of them means.

A rule is written apart from the data: its bare values match by their text, so that ``18`` means
the number 18 as well as a level '18'.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence

import numpy as np

from arbitree._errors import InputError
from arbitree.table.levels import level_texts

Value = str | bool | int | float


def plain_value(value: object) -> Value:
    """A value as rules hold it: a text, truth or finite number; of anything else its text.

    Raises
    ------
    InputError
        If the value is missing or infinite.

    Examples
    --------
    >>> plain_value(np.int64(3)), plain_value(dt.date(2024, 5, 1))
    (3, '2024-05-01')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        raise InputError(f"A rule compares with {value!r}. Ask for missing values by missing(...).")
    if isinstance(value, float) and math.isinf(value):
        raise InputError("A rule compares with an infinite number. Leave that side open.")
    if isinstance(value, float):
        return value + 0.0  # no -0.0, which equals 0.0 and reads otherwise
    return value if isinstance(value, str | bool | int) else _text(value)


def plain_values(values: Iterable[object]) -> tuple[Value, ...]:
    """Values as rules hold them, those that repeat once.

    >>> plain_values([1, "1", 1])
    (1, '1')
    """
    plain = map(plain_value, values)
    return tuple({(type(value), value): value for value in plain}.values())


def value_text(value: Value) -> str:
    """The text that a bare value of a rule is matched by.

    >>> value_text(True), value_text(18), value_text("foul")
    ('true', '18', 'foul')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def place_of(value: Value, known: Sequence[object]) -> int | None:
    """Where a value is among levels or classes; None if it is not there.

    The same value of the same type comes before an equal number, and that before the same text.

    Raises
    ------
    InputError
        If several levels read as the value does.

    Examples
    --------
    >>> place_of(18, ["17", "18"]), place_of("1", [1, "1"]), place_of("x", ["y"])
    (1, 1, None)
    >>> place_of(True, ["False", "True"])
    1
    """
    for matches in (_same, _equal_number, _same_text, _same_truth):
        found = [place for place, level in enumerate(known) if matches(value, level)]
        if len(found) > 1:
            alike = " and ".join(repr(known[place]) for place in found)
            raise InputError(f"{value!r} could mean {alike}. Rename one of them.")
        if found:
            return found[0]
    return None


def number_of(value: Value) -> float | None:
    """The number that a value means; None if it means none.

    >>> number_of("007"), number_of(True), number_of("foul")
    (7.0, 1.0, None)
    """
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def time_of(value: Value, kind: str) -> int | None:
    """The moment or duration that a text means, in microseconds; None if it means none.

    >>> time_of("1970-01-02", "date")
    86400000000
    >>> time_of("1.5 hours", "duration")
    5400000000
    """
    import pandas as pd

    if not isinstance(value, str):
        return None
    try:
        if kind == "duration":
            return round(pd.Timedelta(value).total_seconds() * 1_000_000)
        moment = pd.Timestamp(value)
        moment = moment if moment.tz is None else moment.tz_convert("UTC").tz_localize(None)
        return int(moment.to_datetime64().astype("M8[us]").astype(np.int64))
    except (ValueError, OverflowError):
        return None


def _text(value: object) -> str:
    text = level_texts((value,))[0]
    return str(value) if text == repr(value) and not isinstance(value, dt.date) else text


def _same(value: Value, level: object) -> bool:
    return type(value) is type(level) and value == level


def _equal_number(value: Value, level: object) -> bool:
    numbers = (int, float)
    if isinstance(value, str | bool) or isinstance(level, str | bool):
        return False
    return (isinstance(level, numbers) or hasattr(level, "as_tuple")) and value == level


def _same_text(value: Value, level: object) -> bool:
    return value_text(value) == level_texts((level,))[0]


def _same_truth(value: Value, level: object) -> bool:
    words = ("true", "false")
    text = value_text(value).lower()
    if not (isinstance(value, bool) or isinstance(level, bool)) or text not in words:
        return False
    return str(level).lower() == text
