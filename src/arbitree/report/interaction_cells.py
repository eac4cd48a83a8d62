"""The cells of a pair's picture: no more of them than the rows of the smaller group can fill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..influence.component import Component
from .ticks import RANGE

FEWEST = 4  # codes a side, however few the rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """What each group's function is in every cell, NaN where the group has no rows."""

    labels: tuple[list[str], list[str]]
    high: np.ndarray  # (n_1, n_2)
    low: np.ndarray


def cells(component: Component, *, at_most: int | None = None) -> Cells:
    """Values that occur, neighbouring ranges merged to about the root of the rows a side.

    Values of a merged cell are averaged over its rows. `at_most` bounds the values of a side: of
    levels those of the most rows are left.
    """
    both = component.rows_high + component.rows_low
    fewest = min(float(rows.sum()) for rows in (component.rows_high, component.rows_low))
    side = max(FEWEST, int(np.sqrt(fewest)))
    side = side if at_most is None else min(side, at_most)
    parts, labels = [], []
    for axis, texts in enumerate(component.labels):
        seen = np.flatnonzero(both.sum(axis=1 - axis) > 0)
        into, names = merged([texts[k] for k in seen], side)
        if at_most is not None and len(names) > at_most:
            seen = _most_rows(seen, both.sum(axis=1 - axis), at_most)
            into, names = merged([texts[k] for k in seen], side)
        part = np.zeros((len(names), len(texts)))
        part[into, seen] = 1
        parts.append(part)
        labels.append(names)

    def averaged(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
        total = parts[0] @ rows @ parts[1].T
        sums = parts[0] @ (rows * np.where(rows > 0, values, 0.0)) @ parts[1].T
        return np.divide(sums, total, out=np.full(total.shape, np.nan), where=total > 0)

    return Cells(
        labels=(labels[0], labels[1]),
        high=averaged(component.values_high, component.rows_high),
        low=averaged(component.values_low, component.rows_low),
    )


def _most_rows(seen: np.ndarray, rows: np.ndarray, at_most: int) -> np.ndarray:
    """The codes of the most rows, in their order."""
    strongest = np.argsort(-rows[seen], kind="stable")[:at_most]
    return np.asarray(seen[np.sort(strongest)])


def merged(texts: Sequence[str], at_most: int) -> tuple[np.ndarray, list[str]]:
    """Where each code goes, and the labels after it. Only ranges of numbers have neighbours.

    >>> into, labels = merged(["1", "2", "3 to 4", "5", "(missing)"], 3)
    >>> into.tolist(), labels
    ([0, 0, 1, 1, 2], ['1 to 2', '3 to 5', '(missing)'])
    """
    ranges = [k for k, text in enumerate(texts) if RANGE.fullmatch(text)]
    room = max(at_most - (len(texts) - len(ranges)), 2)
    if len(texts) <= at_most or len(ranges) <= room:
        return np.arange(len(texts)), list(texts)
    place = {k: position * room // len(ranges) for position, k in enumerate(ranges)}
    keys: list[tuple[str, int]] = [
        ("range", place[k]) if k in place else ("level", k) for k in range(len(texts))
    ]
    order = {key: position for position, key in enumerate(dict.fromkeys(keys))}
    labels = []
    for key in order:
        of_key = [text for text, one in zip(texts, keys) if one == key]
        labels.append(spanned(of_key[0], of_key[-1]))
    return np.array([order[key] for key in keys]), labels


def spanned(first: str, last: str) -> str:
    """One range from the first to the last.

    >>> spanned("<= 3.5", "(4, 5.5]"), spanned("(1, 2]", "> 7"), spanned("1 to 2", "7")
    ('<= 5.5', '> 1', '1 to 7')
    """
    if first == last:
        return first
    low, high = _ends(first)[0], _ends(last)[1]
    if first[0] not in "<([" and last[0] not in "<>([":
        return f"{low} to {high}"
    if first[0] == "<":
        return "(any)" if last[0] == ">" else f"<= {high}"
    return f"> {low}" if last[0] == ">" else f"({low}, {high}]"


def _ends(text: str) -> tuple[str, str]:
    bare = re.sub(r"[\[(\])]|[<>]=? ", "", text)
    first, *others = re.split(r", | to ", bare)
    return first, (others or [first])[-1]
