"""The levels of a category: as text for people, as JSON for files."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal
from typing import Any, cast

import numpy as np
import pandas as pd

from arbitree._errors import InputError

MISSING_TEXT = "(missing)"


def level_texts(levels: Sequence[object]) -> tuple[str, ...]:
    """A text for each level, all different: where two levels read the same, their repr.

    Examples
    --------
    >>> level_texts(["f", 1.0, pd.Interval(18, 25)])
    ('f', '1', '(18, 25]')
    >>> level_texts([1, "1", "(missing)"])
    ('1', "'1'", "'(missing)'")
    """
    texts = [_text(level) for level in levels]
    seen = Counter([*texts, MISSING_TEXT])
    unlike = [text if seen[text] == 1 else repr(level) for text, level in zip(texts, levels)]
    return tuple(unlike)


def _text(level: object) -> str:
    if isinstance(level, float) and level.is_integer() and abs(level) < 2**53:
        return str(int(level))
    if isinstance(level, pd.Interval):
        left, right = _text(level.left), _text(level.right)
        start, end = "[" if level.closed_left else "(", "]" if level.closed_right else ")"
        return f"{start}{left}, {right}{end}"
    if isinstance(level, dt.datetime):
        return str(level).removesuffix(" 00:00:00")
    # Half a surrogate pair, as in the name of a file that is not UTF-8, is written out.
    return str(level).encode("utf-8", "backslashreplace").decode()


def level_to_json(level: object) -> Any:
    """A level as strict JSON: itself if text, whole number, finite number or truth, else tagged.

    Raises
    ------
    InputError
        If the level is of a type that cannot be written.

    Examples
    --------
    >>> level_to_json("f"), level_to_json(dt.date(2024, 5, 1))
    ('f', {'date': '2024-05-01'})
    """
    if isinstance(level, (str, bool, int)):
        return level
    if isinstance(level, float):
        return level if math.isfinite(level) else {"float": repr(level)}
    for name, (type_, write, _) in _TAGGED.items():
        if isinstance(level, type_):
            return {name: write(level)}
    raise InputError(
        f"The level {level!r} of type {type(level).__name__} cannot be written to JSON. "
        "Turn the column into text."
    )


def level_from_json(data: Any) -> Hashable:
    """The level that `level_to_json` wrote.

    Raises
    ------
    InputError
        If `data` is nothing that it writes.
    """
    if isinstance(data, (str, bool, int, float)):
        return data
    if isinstance(data, dict) and len(data) == 1:
        name, value = next(iter(data.items()))
        if name == "float":
            return float(value)
        if name in _TAGGED:
            return cast(Hashable, _TAGGED[name][2](value))
    raise InputError(f"{data!r} is not a level of a category.")


def _interval_to_json(level: Any) -> list[Any]:
    return [level_to_json(_plain(level.left)), level_to_json(_plain(level.right)), level.closed]


def _interval_from_json(data: Any) -> pd.Interval:
    left, right, closed = data
    return pd.Interval(cast(Any, level_from_json(left)), cast(Any, level_from_json(right)), closed)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _nanoseconds(value: Any) -> list[Any]:
    """A duration without loss: its count and the unit that pandas keeps it in."""
    return [value.to_timedelta64().astype(np.int64).item(), value.unit]


# name in JSON: type, to JSON, from JSON; of two types that apply, the first. pandas' own come
# before those of the standard library, which they inherit from.
_TAGGED: dict[str, tuple[type, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "interval": (pd.Interval, _interval_to_json, _interval_from_json),
    "timestamp": (
        pd.Timestamp,
        lambda t: [t.isoformat(), t.unit, _zone(t)],
        lambda d: _timestamp(*d),
    ),
    "timedelta": (pd.Timedelta, _nanoseconds, lambda d: pd.Timedelta(np.timedelta64(*d))),
    "period": (pd.Period, lambda p: [str(p), p.freqstr], lambda d: pd.Period(d[0], freq=d[1])),
    "datetime": (dt.datetime, dt.datetime.isoformat, dt.datetime.fromisoformat),
    "date": (dt.date, dt.date.isoformat, dt.date.fromisoformat),
    "time": (dt.time, dt.time.isoformat, dt.time.fromisoformat),
    "duration": (
        dt.timedelta,
        lambda t: [t.days, t.seconds, t.microseconds],
        lambda d: dt.timedelta(*d),
    ),
    "decimal": (Decimal, str, Decimal),
    "bytes": (bytes, bytes.hex, bytes.fromhex),
    "tuple": (
        tuple,
        lambda levels: [level_to_json(_plain(level)) for level in levels],
        lambda data: tuple(level_from_json(level) for level in data),
    ),
}


def _zone(moment: pd.Timestamp) -> str | None:
    return None if moment.tz is None else str(moment.tz)


def _timestamp(text: str, unit: Any, zone: str | None) -> pd.Timestamp:
    moment = pd.Timestamp(text).as_unit(unit)
    return moment if zone is None else moment.tz_convert(zone)
