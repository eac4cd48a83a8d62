"""Which sets of features get a component: all small ones, or the most promising."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.counts.pairs import pair_cells
from arbitree.influence.axes import Axis
from arbitree.table.coded_column import CodedColumn

MOST_PAIRS = 120  # of "auto": all pairs of up to 16 features
MOST_TRIPLES = 40

Subset = tuple[int, ...]


def asked_pairs(pairs: Any, features: Sequence[CodedColumn]) -> list[Subset] | int:
    """Pairs by position, or how many of the most promising to take.

    Parameters
    ----------
    pairs : "auto", "all", int, or sequence of pairs of names
    features : sequence of CodedColumn
    """
    every: list[Subset] = list(combinations(range(len(features)), 2))
    if isinstance(pairs, str):
        if pairs not in ("auto", "all"):
            raise InputError(f"pairs is {pairs!r}. Pass 'auto', 'all', a number or pairs of names.")
        return every if pairs == "all" or len(every) <= MOST_PAIRS else MOST_PAIRS
    if isinstance(pairs, int | np.integer) and not isinstance(pairs, bool):
        if pairs < 0:
            raise InputError(f"pairs is {pairs}. Pass a number of at least 0.")
        return every if pairs >= len(every) else int(pairs)
    names = [column.name for column in features]
    found: set[Subset] = set()
    for pair in pairs:
        if len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"pairs has {pair!r}. A pair is two different features.")
        for name in pair:
            if name not in names:
                raise InputError(f"pairs names {name!r}. {nearest(name, names)}")
        a, b = sorted(names.index(name) for name in pair)
        found.add((a, b))
    return sorted(found)


def gains(
    axes: Sequence[Axis], codes: np.ndarray, residual: np.ndarray, pairs: Sequence[Subset]
) -> np.ndarray:
    """Sum of squares of a residual that each pair's cells explain, beyond chance and main effects.

    Parameters
    ----------
    axes : sequence of Axis
        Of few codes each.
    codes : (n_axes, n) uint8
    residual : (n,) float64
        What main effects leave.
    pairs : sequence of two axes

    Returns
    -------
    (n_pairs,) float64
    """
    cells = pair_cells(
        list(codes),
        [(a, b) for a, b in pairs],
        n_codes=[axis.n_codes for axis in axes],
        values=residual,
    )
    noise = float(residual @ residual) / max(len(residual), 1)
    found = np.zeros(len(pairs))
    for k, (n, total) in enumerate(zip(cells.counts, cells.sums or ())):
        whole = _explained(n, total)
        margins = _explained(n.sum(0), total.sum(0)) + _explained(n.sum(1), total.sum(1))
        seen = np.count_nonzero(n)
        free = int(seen - np.count_nonzero(n.sum(0)) - np.count_nonzero(n.sum(1)) + 1)
        found[k] = whole - margins - noise * max(free, 0)
    return found


def _explained(n: np.ndarray, total: np.ndarray) -> float:
    return float(np.divide(total**2, n, out=np.zeros(n.shape), where=n > 0).sum())


def strongest(pairs: Sequence[Subset], gain: np.ndarray, most: int) -> list[Subset]:
    """The `most` pairs of largest gain, in their own order."""
    kept = np.sort(np.argsort(-gain, kind="stable")[:most])
    return [pairs[k] for k in kept]


def triples(n_features: int, pairs: Sequence[Subset]) -> list[Subset]:
    """Triples all of whose pairs are in the model (strong heredity), the first 40."""
    known = set(pairs)
    found: list[Subset] = [
        triple
        for triple in combinations(range(n_features), 3)
        if all(pair in known for pair in combinations(triple, 2))
    ]
    return found[:MOST_TRIPLES]
