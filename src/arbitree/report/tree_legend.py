"""What the marks in a picture of a tree mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .sheet import Sheet
from .text_width import Pen

_MARK, _AFTER, _APART = 0.2, 0.07, 0.28  # inches
_LINE = 0.195


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A text, behind a mark or alone."""

    mark: str  # "bar", "frame" or "" for none
    color: str
    text: str

    @property
    def indent(self) -> float:
        """Inches before the text."""
        return _MARK + _AFTER if self.mark else 0.0


class Legend:
    """Entries on as few lines as they need, no wider than `room` inches."""

    def __init__(self, entries: Sequence[Entry], pen: Pen, room: float) -> None:
        self._lines: list[list[tuple[float, Entry]]] = []
        self._pen = pen
        at = room
        for entry in entries:
            text = pen.fitted(entry.text, room - entry.indent)
            wide = entry.indent + pen.width(text)
            if not self._lines or at + wide > room:
                self._lines.append([])
                at = 0.0
            fitted = Entry(mark=entry.mark, color=entry.color, text=text)
            self._lines[-1].append((at, fitted))
            at += wide + _APART

    @property
    def height(self) -> float:
        """Inches of all lines."""
        return len(self._lines) * _LINE

    def draw(self, sheet: Sheet, left: float, top: float) -> None:
        """Draw the entries."""
        y = top + _LINE / 2
        for line in self._lines:
            for at, entry in line:
                x = left + at
                if entry.mark == "bar":
                    sheet.bar(x, y, _MARK, entry.color)
                elif entry.mark:
                    sheet.box(
                        x,
                        y - 0.05,
                        _MARK,
                        0.1,
                        linewidth=2,
                        facecolor="white",
                        edgecolor=entry.color,
                    )
                sheet.text(x + entry.indent, y, entry.text)
            y += _LINE
