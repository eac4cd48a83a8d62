"""Rows with the same codes, taken together: a fit needs sums over them and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

WORTH_IT = 0.8  # distinct rows, of all, beyond which taking together saves nothing
LARGEST = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Together:
    """Which place each row has; every place has a row."""

    place: np.ndarray | None  # (n_rows,) int64, None for each row on its own
    first: np.ndarray  # (n_places,) int64, a row of each place

    def places(self) -> np.ndarray:
        """The place of each row.  -> (n_rows,)"""
        return self.first if self.place is None else self.place

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums over the rows of each place.  (r, n_rows) -> (r, n_places)"""
        if self.place is None:
            return np.ascontiguousarray(values, np.float64)
        return np.stack([np.bincount(self.place, row, len(self.first)) for row in values])

    def of(self, rows: np.ndarray) -> tuple[Together, np.ndarray]:
        """Some of the rows, and the places that these have.  (m,) -> .., (n_places,)"""
        if self.place is None:
            return Together(place=None, first=np.arange(len(rows))), rows
        places, first, place = np.unique(self.place[rows], return_index=True, return_inverse=True)
        return Together(place=place, first=first), places


def together(codes: np.ndarray) -> Together:
    """Find equal rows.

    Parameters
    ----------
    codes : (n_columns, n_rows) uint8

    Examples
    --------
    >>> found = together(np.array([[0, 1, 0, 0], [2, 2, 2, 2]], np.uint8))
    >>> found.place, found.first
    (array([0, 1, 0, 0]), array([0, 1]))
    """
    n = codes.shape[1]
    place, size = np.zeros(n, np.int64), 1
    for column in codes:
        n_codes = int(column.max(initial=0)) + 1
        if size * n_codes >= LARGEST:
            place, distinct = pd.factorize(place)
            size = len(distinct)
        place = place * n_codes + column
        size *= n_codes
    place, distinct = pd.factorize(place)
    if len(distinct) > WORTH_IT * n:
        return Together(place=None, first=np.arange(n))
    first = np.empty(len(distinct), np.int64)
    first[place[::-1]] = np.arange(n)[::-1]
    return Together(place=place, first=first)
