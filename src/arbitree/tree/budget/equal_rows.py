"""Rows that are alike in every column, found by one number a row."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

_MOST = 2**62


def equal_rows(columns: Iterable[tuple[np.ndarray, int]], n: int) -> tuple[np.ndarray, np.ndarray]:
    """The first of each lot of equal rows, and the lot of each row; lots in ascending order.

    Parameters
    ----------
    columns : iterable of (ndarray (n,), int)
        Whole numbers, and one that is above all of them.

    Returns
    -------
    first : (n_lots,) int64
    lot : (n,) int64
    """
    key, size = np.zeros(n, np.int64), 1
    for values, above in columns:
        if size * above > _MOST:
            key, size = _dense(key)
        key, size = key * above + values, size * above
    _, first, lot = np.unique(key, return_index=True, return_inverse=True)
    return first, lot.reshape(-1)


def _dense(key: np.ndarray) -> tuple[np.ndarray, int]:
    """The same order in the numbers from 0 on, and how many they are."""
    found, place = np.unique(key, return_inverse=True)
    return place.reshape(-1), len(found)
