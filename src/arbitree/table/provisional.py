"""Codes given out before all levels are known, to be looked up once they are.

A level gets the next number when it is first met, so a column whose levels fit in memory is
coded in the same pass that finds them. Each batch keeps the narrowest integers it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arbitree.table.edges import code_dtype


class KeyRegister:
    """Places of integers, new ones in their order. For keys of numbers and for microseconds."""

    def __init__(self) -> None:
        self._keys = np.empty(0, dtype=np.int64)  # increasing
        self._places = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._keys)

    def places(self, levels: Any) -> np.ndarray:
        """The place of each of these distinct keys; new ones get the next places."""
        # In order: searching 26,000 keys among as many takes 0.4 ms in order and 1.5 ms out of it,
        # and whoever gets these keys searches them again (normal columns of
        # benchmarks/influence/speed.py).
        keys = np.asarray(levels, dtype=np.int64)
        order = None if (keys[1:] > keys[:-1]).all() else np.argsort(keys)
        ordered = keys if order is None else keys[order]
        if not len(self):
            self._keys, self._places = ordered, np.arange(len(ordered))
        elif len(new := ordered[~np.isin(ordered, self._keys)]):
            fresh = np.arange(len(self), len(self) + len(new))
            everything = np.concatenate([self._keys, new])
            place = np.argsort(everything)
            self._keys = everything[place]
            self._places = np.concatenate([self._places, fresh])[place]
        sorted_places = self._places[np.searchsorted(self._keys, ordered)]
        if order is None:
            return sorted_places
        found = np.empty_like(sorted_places)
        found[order] = sorted_places
        return found

    def in_order(self) -> np.ndarray:
        """The keys by their place, int64."""
        keys = np.empty_like(self._keys)
        keys[self._places] = self._keys
        return keys


class LevelRegister:
    """Places of hashable values, in order of appearance; of equal ones, 1 and True, 1 is kept."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}
        self._levels: list[Any] = []

    def __len__(self) -> int:
        return len(self._levels)

    def places(self, levels: Sequence[Any]) -> np.ndarray:
        """The place of each of these distinct levels; new ones get the next places."""
        places = np.empty(len(levels), dtype=np.int64)
        for i, level in enumerate(levels):
            place = self._places.setdefault(level, len(self._levels))
            places[i] = place
            if place == len(self._levels):
                self._levels.append(level)
            elif type(level) is int and type(self._levels[place]) is not int:
                self._levels[place] = level
        return places

    def in_order(self) -> list[Any]:
        """The levels by their place."""
        return list(self._levels)


class ProvisionalCodes:
    """Codes of the rows so far: 0 for missing, else 1 + the place of a level in a register."""

    def __init__(self) -> None:
        self._chunks: list[np.ndarray] = []

    def add(self, where: np.ndarray, places: np.ndarray) -> None:
        """Add a batch: row i has level `places[where[i]]`, or none where ``where[i] == -1``."""
        codes = np.append(places + 1, 0)
        dtype = code_dtype(int(codes.max()) + 1)
        self._chunks.append(codes.astype(dtype)[where])

    def counts(self, n_levels: int) -> np.ndarray:
        """Rows that are missing, then rows of each level: (1 + n_levels,) int64."""
        total = np.zeros(1 + n_levels, dtype=np.int64)
        for chunk in self._chunks:
            total += np.bincount(chunk, minlength=1 + n_levels)
        return total

    def looked_up(self, codes: np.ndarray) -> np.ndarray:
        """The final codes of all rows, given those of missing and of each level. Frees the rest."""
        out = np.empty(sum(map(len, self._chunks)), dtype=codes.dtype)
        stop = len(out)
        while self._chunks:
            chunk = self._chunks.pop()
            codes.take(chunk, out=out[stop - len(chunk) : stop])
            stop -= len(chunk)
        return out
