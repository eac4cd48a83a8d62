"""Sets of features that are asked for, and those that rank highest."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.table.coded_column import CodedColumn

MOST_PAIRS = 120  # of "auto": all pairs of up to 16 features

Subset = tuple[int, ...]


def asked_pairs(pairs: Any, features: Sequence[CodedColumn]) -> list[Subset] | int:
    """Pairs by position, or how many of the most promising to take.

    Parameters
    ----------
    pairs : "auto", "all", int, or sequence of pairs of names
    features : sequence of CodedColumn
    """
    n_pairs = comb(len(features), 2)
    if isinstance(pairs, str):
        if pairs not in ("auto", "all"):
            raise InputError(f"pairs is {pairs!r}. Pass 'auto', 'all', a number or pairs of names.")
        return n_pairs if pairs == "all" else min(n_pairs, MOST_PAIRS)
    if isinstance(pairs, int | np.integer) and not isinstance(pairs, bool):
        if pairs < 0:
            raise InputError(f"pairs is {pairs}. Pass a number of at least 0.")
        return min(n_pairs, int(pairs))
    if pairs is None or isinstance(pairs, bool | float):
        raise InputError(f"pairs is {pairs!r}. Pass 'auto', 'all', a number or pairs of names.")
    names = [column.name for column in features]
    found: set[Subset] = set()
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"pairs has {pair!r}. A pair is two different features.")
        for name in pair:
            if name not in names:
                raise InputError(f"pairs names {name!r}. {nearest(name, names)}")
        a, b = sorted(names.index(name) for name in pair)
        found.add((a, b))
    return sorted(found)


def strongest(sets: Sequence[Subset], gain: np.ndarray, most: int) -> list[Subset]:
    """The `most` sets of largest gain, in their own order."""
    kept = np.sort(np.argsort(-gain, kind="stable")[:most])
    return [sets[k] for k in kept]
