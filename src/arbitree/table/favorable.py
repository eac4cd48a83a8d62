"""Which of the values seen are favourable: self-evident, chosen by the user, or an error."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from arbitree._errors import LabelError
from arbitree._wording import ASSUMED, counted, nearest
from arbitree.table.distinct import as_number

Seen = Mapping[object, int]  # rows by value, in natural order

_SELF_EVIDENT = (frozenset({0.0, 1.0}), frozenset({-1.0, 1.0}))
_TRUTHS = {"true": 1.0, "false": 0.0}
_THRESHOLDS = {"favorable_label": "score_threshold", "--favorable": "--score-threshold"}
_CODE = re.compile(r"\s*[+-]?0\d")  # 007 is a code, not a number
_AT_MOST = 8


@dataclass(frozen=True, slots=True)
class Words:
    """How errors and results speak of an outcome and of the parameter that decides on it."""

    subject: str
    name: str
    parameter: str

    def option(self, value: str = "") -> str:
        """The parameter as a user would write it: ``favorable_label='yes'``."""
        between = " " if self.parameter.startswith("--") else "="
        return f"{self.parameter}{between}{value}".rstrip()

    @property
    def threshold(self) -> str | None:
        """The parameter for a threshold, if the outcome can have one."""
        return _THRESHOLDS.get(self.parameter)

    def how(self, favorable: Iterable[object], *, assumed: bool = False) -> str:
        """The sentence that says what counts as favourable, and whether nobody said so."""
        values = " or ".join(shown(value) for value in favorable)
        return f"favourable: {self.name} = {values}{ASSUMED if assumed else ''}"


def self_evident(
    seen: Seen, text: bool, words: Words
) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """The values that stand for 1 or True among 0/1, -1/1 or booleans, and as `words.how` says.

    Raises
    ------
    LabelError
        If the values are others; lists them and says what to pass.
    """
    numbers = {value: _stands_for(value, text) for value in seen}
    if not _is_self_evident(numbers.values()):
        raise LabelError(_unknown(seen, text, words))
    favorable = tuple(value for value, number in numbers.items() if number == 1)
    truths = all(isinstance(value, bool) for value in seen)
    return favorable, favorable or ((True,) if truths else (1,))


def chosen(
    favorable_label: object, seen: Seen, levels: Sequence[object], text: bool, words: Words
) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """The values seen that the user calls favourable, and those that `words.how` says.

    A value that was never seen is fine where it could have been: it is declared by the dtype,
    or belongs with the values seen to 0/1, -1/1 or booleans.

    Raises
    ------
    LabelError
        If a value asked for is missing or not there; suggests the nearest.
    """
    asked = asked_values(favorable_label, words.parameter)
    if not asked:
        raise LabelError(f"{words.option('[]')} names no value. Pass at least one.")
    wanted: list[object] = []
    for value in asked:
        wanted += _found(value, levels, text) or [_unseen(value, seen, text, words)]
    favorable = tuple(level for level in seen if level in wanted)
    return favorable, favorable or tuple(wanted)


def shown(value: object) -> str:
    """A value in a sentence: texts in quotes, others as they print."""
    return repr(value) if isinstance(value, str) else str(value)


def asked_values(favorable_label: object, parameter: str = "favorable_label") -> list[object]:
    """The values that the user calls favourable: one, or those of a collection.

    >>> asked_values("yes"), asked_values(pd.Series([1, 2]))
    (['yes'], [1, 2])

    Raises
    ------
    LabelError
        It is a frame, a dictionary or a table of values.
    """
    n_dimensions = getattr(favorable_label, "ndim", 1)
    if isinstance(favorable_label, Mapping) or n_dimensions not in (0, 1):
        raise LabelError(
            f"{parameter} is of type {type(favorable_label).__name__}. Pass the favourable value, "
            "or a list of values."
        )
    if isinstance(favorable_label, np.ndarray):
        return list(favorable_label.ravel())
    if isinstance(favorable_label, Collection) and not isinstance(favorable_label, (str, bytes)):
        return list(favorable_label)
    return [favorable_label]


def _found(value: object, levels: Sequence[object], text: bool) -> list[object]:
    """Levels equal to `value`; if there is none, those that read the same."""
    equal = [level for level in levels if _equal(level, value) or (text and _alike(level, value))]
    return equal or [level for level in levels if _alike(level, value)]


def _equal(level: object, value: object) -> bool:
    try:
        return bool(level == value)
    except (TypeError, ValueError):
        return False


def _alike(level: object, value: object) -> bool:
    if str(level) == str(value):
        return True
    left, right = _stands_for(level, text=True), _stands_for(value, text=True)
    return left is not None and left == right


def _unseen(value: object, seen: Seen, text: bool, words: Words) -> object:
    """`value` itself, if the values seen would have to be 0/1, -1/1 or booleans with it."""
    numbers = [_stands_for(known, text) for known in seen]
    if _is_self_evident([*numbers, _stands_for(value, text=True)]):
        return value
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(cast(Any, value))):
        raise LabelError(f"{words.option(shown(value))} is a missing value. Pass a value.")
    raise LabelError(
        f"{words.subject} never has the value {shown(value)} of {words.parameter}. "
        f"{nearest(cast(Any, value), cast(Any, list(seen)))}"
    )


def _stands_for(value: object, text: bool) -> float | None:
    """The number, or truth as a number, that a value is or (if `text`) that a text says."""
    if not isinstance(value, str):
        return as_number(value.item() if isinstance(value, np.generic) else value)
    if not text:
        return None
    truth = _TRUTHS.get(value.strip().lower())
    return as_number(value) if truth is None and not _CODE.match(value) else truth


def _is_self_evident(numbers: Iterable[float | None]) -> bool:
    distinct = set(numbers)
    return any(distinct <= pair for pair in _SELF_EVIDENT)


def _unknown(seen: Seen, text: bool, words: Words) -> str:
    scores = _range_of_scores(seen, text)
    if words.threshold and scores:
        return (
            f"{words.subject} holds numbers from {scores[0]:.6g} to {scores[1]:.6g}, which look "
            f"like scores. Pass {words.threshold} to say from which score on they are favourable."
        )
    if len(seen) == 2:
        either = " or ".join(words.option(shown(value)) for value in seen)
    else:
        either = f"{words.option()} with the favourable value, or several"
    return (
        f"{words.subject} has the values {_with_counts(seen)}: it cannot be known which is "
        f"favourable. Pass {either}."
    )


def _range_of_scores(seen: Seen, text: bool) -> tuple[float, float] | None:
    """Lowest and highest value, if these are numbers that look like scores: fractions or many."""
    numbers = [_stands_for(value, text) for value in seen]
    known = [number for number in numbers if number is not None]
    fractions = any(not number.is_integer() for number in known)
    if len(known) < len(numbers) or not (fractions or len(known) > _AT_MOST):
        return None
    return min(known), max(known)


def _with_counts(seen: Seen) -> str:
    parts = [f"{shown(value)} ({counted(n, 'row')})" for value, n in seen.items()]
    if len(parts) > _AT_MOST:
        return f"{', '.join(parts[:_AT_MOST])} and {len(parts) - _AT_MOST:,} more"
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
