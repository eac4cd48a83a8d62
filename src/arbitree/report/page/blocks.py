"""What a page is made of: sections of tables, charts, lists and trees, before any HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

MOST_ROWS = 300  # of a table; the files beside the page have all
LONG_TEXT = 24  # columns from which on a text wraps
MANY_ROWS = 12  # from which on a table can be searched


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table: what is shown, and what it is sorted by where that differs.

    ``len(order) == len(texts)`` unless it is empty; None sorts last.
    """

    name: str
    texts: tuple[str, ...]
    order: tuple[float | None, ...] = ()
    right: bool = False
    meaning: str | None = None

    @property
    def style(self) -> str:
        """How its cells are set: numbers to the right, sentences with room to wrap."""
        if self.right:
            return "right"
        return "long" if any(len(text) > LONG_TEXT for text in self.texts) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns of one length; the first one names its row."""

    template: ClassVar[str] = "table"
    caption: str
    columns: tuple[Column, ...]
    marks: tuple[str, ...] = ()  # "low" or "" of each row: what stands out
    fixed: bool = False  # whether its order is part of what it says
    left: int = 0  # rows that are not shown

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].texts) if self.columns else 0

    @property
    def searched(self) -> bool:
        """Whether it is long enough to be searched."""
        return self.n_rows >= MANY_ROWS and not self.fixed


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A Vega-Lite picture. `told` says what it shows; every number is in a table beside it too."""

    template: ClassVar[str] = "chart"
    title: str
    told: str
    spec: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A list of sentences."""

    template: ClassVar[str] = "lines"
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One sentence; `tone` is "" or "warning"."""

    template: ClassVar[str] = "paragraph"
    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A text to copy, such as a command."""

    template: ClassVar[str] = "verbatim"
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Blocks that are shown when asked for."""

    template: ClassVar[str] = "folded"
    title: str
    blocks: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Blocks under a heading of their own, within a section."""

    template: ClassVar[str] = "part"
    title: str
    blocks: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A verdict: its `state` is "good", "bad", "open" or "none", said in `word` too."""

    title: str
    state: str
    word: str
    text: str
    link: str  # name of the section it is of


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """Verdicts side by side."""

    template: ClassVar[str] = "cards"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the page; its sentence comes before everything else in it."""

    name: str
    title: str
    sentence: str
    blocks: Sequence[Any]
