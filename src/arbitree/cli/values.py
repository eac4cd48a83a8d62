"""Texts that a user types as the values that they stand for."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from .._errors import InputError
from .._wording import nearest

_MEDIAN = "median"


def names(option: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Column names, each text a list separated by commas.

    A name that contains a comma, or begins or ends with a space, is written in double quotes
    within the text, as in a CSV file; a quote within such a name is doubled.

    >>> names("--sensitive", ["sex, race", '"distance, km"'])
    ('sex', 'race', 'distance, km')
    """
    found: list[str] = []
    for text in texts:
        try:
            # A name may hold a line break, as headers of spreadsheets do.
            lines = text.splitlines(keepends=True) or [text]
            record = next(csv.reader(lines, skipinitialspace=True, strict=True), [])
        except csv.Error:
            raise InputError(
                f"{option} {text!r} has a double quote that is not closed. Quote a name as in "
                f"""{option} '"distance, km"'."""
            ) from None
        bare = {part.lstrip(" ") for part in text.split(",")}
        found += [name.strip(" ") if name in bare else name for name in record]
    if not found or not all(found):
        raise InputError(f"{option} {','.join(texts)!r} has an empty name.")
    twice = [name for position, name in enumerate(found) if name in found[:position]]
    if twice:
        raise InputError(f"{option} names {twice[0]!r} twice.")
    return tuple(found)


def threshold(text: str | None) -> float | str | None:
    """A number, or the word that stands for the median.

    >>> threshold("0.5"), threshold("median")
    (0.5, 'median')
    """
    if text is None or text == _MEDIAN:
        return text
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"--score-threshold {text!r} is no number. Write a number, or {_MEDIAN}."
        ) from None


def bins(texts: Sequence[str]) -> dict[str, list[float]]:
    """Cut points by column.

    >>> bins(["age=25,40,65"])
    {'age': [25, 40, 65]}
    """
    found: dict[str, list[float]] = {}
    for text in texts:
        name, equals, points = text.rpartition("=")
        try:
            cuts = [_number(point) for point in points.split(",")]
        except ValueError:
            cuts = []
        if not (name and equals and cuts):
            raise InputError(
                f"--bins {text!r} is not a column with cut points. Write --bins age=25,40,65."
            )
        if name in found:
            raise InputError(f"--bins cuts {name!r} twice.")
        found[name] = cuts
    return found


_DIRECTIONS = {"1": 1, "+1": 1, "increasing": 1, "-1": -1, "decreasing": -1, "0": 0}


def directions(option: str, texts: Sequence[str]) -> dict[str, int]:
    """The direction of each column: 1, -1 or 0.

    >>> directions("--monotonic", ["income=1,age=-1", "tenure=increasing"])
    {'income': 1, 'age': -1, 'tenure': 1}
    """
    found: dict[str, int] = {}
    for text in names(option, texts) if texts else ():
        name, equals, direction = (part.strip() for part in text.rpartition("="))
        if not (name and equals and direction in _DIRECTIONS):
            raise InputError(
                f"{option} {text!r} is not a column with a direction. Write {option} income=1 "
                "(or increasing), age=-1 (or decreasing)."
            )
        if name in found:
            raise InputError(f"{option} gives {name!r} two directions.")
        found[name] = _DIRECTIONS[direction]
    return found


def _number(text: str) -> float:
    """An integer where the text is one, so that the bins are named by integers."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def reference(texts: Sequence[str], sensitive: Sequence[str]) -> str | dict[str, str]:
    """The group to compare with: best, largest, a group, or one for each column.

    >>> reference(["sex=male", "race=white"], ["sex", "race"])
    {'sex': 'male', 'race': 'white'}
    >>> reference(["largest"], ["sex"])
    'largest'
    """
    pairs = [_pair(text, sensitive) for text in texts]
    by_column = {pair[0]: pair[1] for pair in pairs if pair is not None}
    if len(texts) == 1 and not by_column:
        return texts[0]
    if len(by_column) < len(texts):
        raise InputError(
            f"--reference {' '.join(texts)!r}: more than one reference needs a column for each, "
            f"as in --reference {sensitive[0]}=GROUP. {nearest(texts[0], list(sensitive))}"
        )
    return by_column


def _pair(text: str, sensitive: Sequence[str]) -> tuple[str, str] | None:
    for name in sensitive:
        if text.startswith(f"{name}="):
            return name, text[len(name) + 1 :]
    return None


def check_share(option: str, value: float | None) -> None:
    """Refuse a share that is given and is none."""
    if value is not None and not 0 <= value <= 1:
        raise InputError(f"{option} is {value:g}. Give a number from 0 to 1.")


def separator(text: str | None) -> str | None:
    r"""A separator of cells; the word ``tab`` and ``\t`` mean a tab.

    >>> separator("tab")
    '\t'
    """
    return "\t" if text in ("tab", "\\t") else text
