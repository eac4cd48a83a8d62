"""Rows of texts in columns that fit the width: long names wrap at spaces or lose their middle.

A sign between names, as in ``a x b``, stays on the line of the name before it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .plot_names import telling_names

_INDENT, _APART = 2, 2
_LEAST = 13  # least width of a column of names
_SIGN = "x"  # between the names of what is crossed

Cell = str | Text
Column = tuple[str, str]  # header, and "left", "right" or "fold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table without lines, indented; only its columns that fold give way."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def widths(self, width: int) -> list[int]:
        """Width of each column. Numbers are never cut, however narrow it is."""
        cells = list(zip(*self.rows)) or [()] * len(self.columns)
        headers = [header for header, _ in self.columns]
        folds = [at for at, (_, justify) in enumerate(self.columns) if justify == "fold"]
        widest = [_widest((header, *column)) for header, column in zip(headers, cells)]
        free = width - _INDENT - _APART * (len(self.columns) - 1)
        if sum(widest) > free:  # then headers wrap
            widest = [
                wide if at in folds else max(_widest(column), _longest_word([header]))
                for at, (wide, header, column) in enumerate(zip(widest, headers, cells))
            ]
        free -= sum(wide for at, wide in enumerate(widest) if at not in folds)
        found = list(widest)
        for at in folds:
            later = sum(_longest_word(cells[other]) for other in folds if other > at)
            found[at] = min(widest[at], max(free - later, _LEAST))
            free -= found[at]
        return found

    def table(self, width: int) -> tuple[Padding, int]:
        """The table and the width that it takes."""
        widths = self.widths(width)
        table = Table(box=None, pad_edge=False, padding=(0, _APART, 0, 0), header_style="bold")
        for (header, justify), wide in zip(self.columns, widths):
            table.add_column(
                Text(header, no_wrap=False),
                justify="right" if justify == "right" else "left",
                no_wrap=justify != "fold",
                overflow="fold",
                min_width=wide,
                max_width=wide,
            )
        columns = [
            _fitting(column, wide) if justify == "fold" else column
            for (_, justify), wide, column in zip(self.columns, widths, zip(*self.rows))
        ]
        for row in zip(*columns):
            table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
        needed = _INDENT + sum(widths) + _APART * len(widths)
        return Padding(table, (0, 0, 0, _INDENT)), needed


Block = Text | Grid


def grid(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Grid:
    """Lay rows of texts out in columns.

    Parameters
    ----------
    columns : sequence of (header, "left" | "right" | "fold")
        Only columns that fold give way where the width does not suffice.
    rows : iterable of sequences of texts
    """
    return Grid(columns=tuple(columns), rows=tuple(tuple(row) for row in rows))


def rendered(blocks: Iterable[Block], *, width: int, color: bool) -> str:
    """Blocks one below the other, without spaces at the ends of lines.

    Only a table that does not fit without cutting numbers is wider than `width`.
    """
    text = io.StringIO()
    console = Console(
        file=text,
        width=max(width, 1),
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        force_jupyter=False,
    )
    for block in blocks:
        if isinstance(block, Grid):
            table, needed = block.table(width)
            console.width = max(width, needed)
            console.print(table)
        else:
            console.width = max(width, 1)
            console.print(block)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().split("\n")[:-1])


def _wide(cell: Cell) -> int:
    return cell_len(cell.plain if isinstance(cell, Text) else cell)


def _widest(cells: Iterable[Cell]) -> int:
    return max(map(_wide, cells), default=0)


def _longest_word(cells: Iterable[Cell]) -> int:
    return max((_wide(word) for cell in cells for word in str(cell).split(" ")), default=0)


def _fitting(cells: Sequence[Cell], width: int) -> list[Cell]:
    """Texts whose every word fits the width, told from each other as before."""
    room: dict[str, int] = {}
    for cell in cells:
        words = str(cell).split(" ")
        for word, after in zip(words, [*words[1:], ""]):
            fits = width - 1 - len(_SIGN) if after == _SIGN else width
            room[word] = min(room.get(word, width), fits)
    short = {word: word for word in room}
    for wide in set(room.values()):
        long = [word for word, fits in room.items() if fits == wide and _wide(word) > wide]
        short |= dict(zip(long, telling_names(long, width=wide)))
    texts = [" ".join(short[word] for word in str(cell).split(" ")).rstrip() for cell in cells]
    return [cell if text == str(cell) else text for cell, text in zip(cells, texts)]
