"""Which groups are compared: each sensitive column, each pair of them, and all together.

The table is counted once, by the full crossing of the sensitive columns; every grouping is a
sum over that crossing's cells, so singles and crossings always agree with each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from arbitree.table.crossing import Crossing

SEPARATOR = " x "


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grouping:
    """Groups that partition the rows whose membership is known; their texts are all different."""

    name: str
    columns: tuple[str, ...]
    groups: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]  # the level of each column, one tuple a group
    members: np.ndarray  # (cells of the full crossing,) position in `groups`, -1: unknown

    def collapse(self, counts: np.ndarray) -> np.ndarray:
        """Sum counts of the full crossing.  (s, cells, ...) -> (s, groups, ...)"""
        summed = np.zeros((counts.shape[0], len(self.groups), *counts.shape[2:]), counts.dtype)
        known = self.members >= 0
        by_group = np.moveaxis(summed, 1, 0)
        np.add.at(by_group, self.members[known], np.moveaxis(counts[:, known], 1, 0))
        return summed


def groupings(crossing: Crossing, *, cross: bool, missing_is_a_group: bool) -> list[Grouping]:
    """Singles, then pairs, then the full crossing, each once.

    Beyond three columns the crossings in between are left out: they would be many, and thin.
    """
    positions = range(len(crossing.columns))
    chosen: list[tuple[int, ...]] = [(position,) for position in positions]
    if cross:
        chosen += [*combinations(positions, 2), tuple(positions)]
    chosen = list(dict.fromkeys(chosen))
    names = joined([tuple(str(crossing.columns[i][0]) for i in selected) for selected in chosen])
    return [
        _grouping(crossing, selected, name, missing_is_a_group)
        for selected, name in zip(chosen, names)
    ]


def joined(parts: Sequence[tuple[str, ...]]) -> list[str]:
    """Each tuple as one text, all different: parts that could be two are quoted where need be.

    >>> joined([("f", "a"), ("m", "a")])
    ['f x a', 'm x a']
    >>> joined([("a x b", "c"), ("a", "b x c")])
    ["'a x b' x c", "a x 'b x c'"]
    """
    texts = [SEPARATOR.join(row) for row in parts]
    if len(set(texts)) == len(texts):
        return texts
    count = Counter(texts)
    return [
        SEPARATOR.join(repr(part) if SEPARATOR in part else part for part in row)
        if count[text] > 1
        else text
        for text, row in zip(texts, parts)
    ]


def _grouping(
    crossing: Crossing, selected: tuple[int, ...], name: str, keep_missing: bool
) -> Grouping:
    columns = [crossing.columns[position] for position in selected]
    codes = crossing.cells[:, selected]
    missing = np.array([coding.missing_code for _, coding in columns])
    known = np.ones(len(codes), dtype=bool) if keep_missing else (codes != missing).all(axis=1)
    observed, position = np.unique(codes[known], axis=0, return_inverse=True)
    members = np.full(len(codes), -1)
    members[known] = position.ravel()
    levels = [
        tuple(coding.label(code) for (_, coding), code in zip(columns, row))
        for row in observed.tolist()
    ]
    if len(columns) == 1:
        levels += [(str(level),) for level in getattr(columns[0][1], "declared_unused", ())]
    return Grouping(
        name=name,
        columns=tuple(str(name) for name, _ in columns),
        groups=tuple(joined(levels)),
        levels=tuple(levels),
        members=members,
    )
