"""Features that say the same as another: what they carry is shared between them arbitrarily."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding

NEARLY = 0.99  # rank correlation
MOST_ROWS = 20_000
REPEATED = 5  # rows of a value, on average: values of one row each always pair off
AT_MOST = 5  # told


def alike(features: Sequence[CodedColumn], rows: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of features of which one gives the other, or nearly.

    Parameters
    ----------
    features : sequence of CodedColumn
    rows : (n,) int64
        Of at most 20,000 evenly spread ones.

    Returns
    -------
    list of (i, j)
        Positions, each feature with the first that it is like. One value of each for every value
        of the other; or numbers whose ranks correlate by more than 0.99, either way.
    """
    rows = rows[:: max(-(-len(rows) // MOST_ROWS), 1)]
    first_of: dict[bytes, int] = {}
    found: dict[int, int] = {}
    varied = []
    for j, column in enumerate(features):
        codes = by_appearance(column.codes[rows])
        if not codes.any():
            continue
        varied.append(j)
        if codes.max() * REPEATED >= len(codes):
            continue
        first = first_of.setdefault(codes.tobytes(), j)
        if first != j:
            found[j] = first
    numbers = [j for j in varied if _is_number(features[j])]
    if len(numbers) > 1:
        ranks = np.stack([_ranks(features[j].codes[rows]) for j in numbers])
        near = np.abs(np.corrcoef(ranks)) > NEARLY
        for k, j in enumerate(numbers):
            first = numbers[int(np.argmax(near[k]))]
            if first < j:
                found.setdefault(j, first)
    return sorted((first, j) for j, first in found.items())


def by_appearance(codes: np.ndarray) -> np.ndarray:
    """Codes numbered in the order of their first rows.  (n,) -> (n,) int64

    >>> by_appearance(np.array([7, 2, 7, 5]))
    array([0, 1, 0, 2])
    """
    first = np.full(int(codes.max(initial=0)) + 1, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of rows of one code the last one written
    return np.asarray(np.argsort(np.argsort(first))[codes])


def _is_number(column: CodedColumn) -> bool:
    return isinstance(column.coding, NumericCoding)


def _ranks(codes: np.ndarray) -> np.ndarray:
    """Mean ranks.  (n,) -> (n,)"""
    n = np.bincount(codes)
    return np.asarray((np.cumsum(n) - n / 2)[codes])


def alike_notices(features: Sequence[CodedColumn], rows: np.ndarray) -> list[str]:
    """A sentence about features that cannot be told apart."""
    pairs = alike(features, rows)
    if not pairs:
        return []
    told = [f"{features[i].name!r} and {features[j].name!r}" for i, j in pairs[:AT_MOST]]
    more = f", and {len(pairs) - AT_MOST} more pairs" if len(pairs) > AT_MOST else ""
    return [
        f"{'; '.join(told)}{more} say the same, or nearly: how the influence is divided between "
        "them means nothing. Pass one of each, or read their sum."
    ]
