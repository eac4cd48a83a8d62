"""How wide a text will be, known before it is drawn, so that it can be made to fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .plot_names import columns, more, shortened, some_of

_INCH = 72.0  # points
_SAFE = 1.04  # renderers round each letter to whole pixels


class Pen:
    """Measures texts of one size and weight in inches.

    Fonts that stand in for characters which the first one lacks have no bold letters: where
    there are such, nothing is bold.
    """

    def __init__(self, families: Sequence[str], size: float, *, bold: bool = False) -> None:
        self._families, self._size = tuple(families), size
        self.weight = "bold" if bold and len(families) == 1 else "normal"

    def width(self, text: str) -> float:
        """Inches that a text takes."""
        return _SAFE * _points(text, self._families, self._size, self.weight) / _INCH

    def fitted(self, text: str, room: float) -> str:
        """The text, without its middle where it would be wider than `room`."""
        if self.width(text) <= room:
            return text
        low, high = 1, max(columns(text) - 1, 1)
        while low < high:
            middle = (low + high + 1) // 2
            fits = self.width(shortened(text, middle)) <= room
            low, high = (middle, high) if fits else (low, middle - 1)
        return shortened(text, low)

    def listed(self, items: Sequence[str], room: float) -> str:
        """As many of some texts as there is room for, and how many more: ``a, b +3``."""
        told = some_of(items, room, self.width)
        if told or not items:
            return told
        others = more(len(items) - 1)
        return self.fitted(items[0], room - self.width(others)) + others


@lru_cache(maxsize=20_000)
def _points(text: str, families: tuple[str, ...], size: float, weight: Any) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(families), size=size, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)
