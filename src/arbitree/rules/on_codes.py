"""Of which coded rows a rule or a fact is true."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.rules.axes import bits
from arbitree.rules.space import Box, Space


class Membership:
    """Rows as cells, asked which of them are in boxes; sets of cells are looked up once.

    Parameters
    ----------
    space : Space
    codes : sequence of ndarray of int, shape (n_rows,)
        The cell of every row on every axis, as `Space.encode` gives them.
    """

    def __init__(self, space: Space, codes: Sequence[np.ndarray]) -> None:
        self._space = space
        self._codes = codes
        self._known: dict[tuple[int, int], np.ndarray] = {}
        self.n_rows = len(codes[0]) if codes else 0

    def in_one_of(self, boxes: Sequence[Box]) -> np.ndarray:
        """Rows that are in a box.  (n_rows,) bool"""
        found = np.zeros(self.n_rows, bool)
        for box in boxes:
            found |= self.in_box(box)
        return found

    def in_box(self, box: Box) -> np.ndarray:
        """Rows of one box.  (n_rows,) bool"""
        found = np.ones(self.n_rows, bool)
        for place, mask in box.items():
            found &= self._in_set(place, mask)
        return found

    def _in_set(self, place: int, mask: int) -> np.ndarray:
        key = (place, mask)
        if key not in self._known:
            inside = np.zeros(self._space.axes[place].n_cells, bool)
            inside[bits(mask)] = True
            self._known[key] = inside[self._codes[place]]
        return self._known[key]
