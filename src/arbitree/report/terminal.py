"""An audit as text for a terminal or a pipe."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .._tables import NOT_AVAILABLE, cell_text, visible
from ..groups.result import Audit
from .phrases import (
    FOUR_FIFTHS,
    Section,
    difference_text,
    facts,
    gap_text,
    headline,
    impact_text,
    rate_text,
    remarks,
    score_text,
    sections,
    selection_text,
    smd_text,
    spelled,
    verdict,
)

_WIDE = 110
_FOLDED = 12  # least width of a column that folds
_LABEL_RATES = {
    "base_rate": "base",
    "true_positive_rate": "TPR",
    "false_positive_rate": "FPR",
    "positive_predictive_value": "PPV",
    "accuracy": "accuracy",
}


def terminal_text(
    audit: Audit,
    *,
    width: int = 80,
    color: bool = False,
    threshold: float = FOUR_FIFTHS,
    elapsed: float | None = None,
) -> str:
    """Lay an audit out as text.

    Parameters
    ----------
    audit : Audit
    width : int
        Columns to fill; the difference to the reference is shown from 110 on.
    color : bool
        Whether to mark what matters with ANSI codes; plain text otherwise.
    threshold : float
        Impact ratios below it are called out.
    elapsed : float, optional
        Seconds that the audit took. Without it the same audit gives the same text.

    Returns
    -------
    str
        Names of groups and columns appear as they are; rich's markup in them is text.
    """
    blocks: list[Block] = [Text(headline(audit, elapsed), style="bold")]
    blocks += [Text(line) for line in facts(audit)]
    for section in sections(audit):
        blocks += [Text(), *_section(section, threshold, wide=width >= _WIDE)]
    if audit.notices:
        blocks += [Text(), *(Text(f"note: {visible(notice)}") for notice in audit.notices)]
    return rendered(blocks, width=width, color=color)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table without lines, indented. Narrower than `needed` it would have to cut numbers."""

    table: Padding
    needed: int


Block = Text | Grid


def rendered(blocks: Iterable[Block], *, width: int, color: bool) -> str:
    """Blocks one below the other, without spaces at the ends of lines.

    Only a table that does not fit without cutting numbers is wider than `width`.
    """
    blocks = list(blocks)
    needed = [block.needed if isinstance(block, Grid) else 0 for block in blocks]
    text = io.StringIO()
    console = Console(
        file=text,
        width=max(width, *needed, 1),
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        force_jupyter=False,
    )
    for block, least in zip(blocks, needed):
        console.print(block.table if isinstance(block, Grid) else block, width=max(width, least))
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().split("\n")[:-1])


def grid(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str | Text]]) -> Grid:
    """Lay rows of texts out in columns.

    Parameters
    ----------
    columns : sequence of (header, "left" | "right" | "fold")
        Only columns that fold give way where the width does not suffice.
    rows : iterable of sequences of texts
    """
    cells = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    needed = 2
    for position, (header, justify) in enumerate(columns):
        folds = justify == "fold"
        widest = max((row[position].cell_len for row in cells), default=0)
        least = max(min(widest, _FOLDED) if folds else widest, cell_len(header))
        needed += least + 2
        table.add_column(
            Text(header),
            justify="right" if justify == "right" else "left",
            no_wrap=not folds,
            overflow="fold",
            min_width=least,
        )
    for row in cells:
        table.add_row(*row)
    return Grid(table=Padding(table, (0, 0, 0, 2)), needed=needed)


def _section(section: Section, threshold: float, *, wide: bool) -> list[Block]:
    reference = section.reference
    compared = f"compared with {visible(reference)}" if reference is not None else "no reference"
    blocks: list[Block] = [
        Text.assemble((section.title, "bold"), f"  ({compared})"),
        _groups(section, threshold, wide=wide),
    ]
    if not {"true_positive_rate", "mean_score"}.isdisjoint(section.groups.columns):
        blocks += [Text(), _more(section)]
    if not section.gaps.empty:
        blocks += [Text(), _gaps(section)]
    return blocks + [Text(f"  {line}", style="yellow") for line in remarks(section, threshold)]


def _groups(section: Section, threshold: float, *, wide: bool) -> Grid:
    columns = [("group", "fold"), ("n", "right"), ("selected", "right"), ("impact ratio", "right")]
    if wide:
        columns.append(("difference", "right"))
    if "p_value" in section.groups:
        columns.append(("p", "right"))
    rows = []
    for _, row in section.groups.iterrows():
        cells: list[str | Text] = [
            visible(str(row["group"])),
            _size(row["n"], str(row["status"])),
            selection_text(row),
            impact_text(row, threshold),
        ]
        if wide:
            cells.append(difference_text(row))
        if "p_value" in section.groups:
            cells.append(cell_text(row["p_value"]))
        rows.append([*cells, _marked(verdict(row, threshold))])
    return grid([*columns, ("", "left")], rows)


def _size(n: int, status: str) -> str:
    return f"{n:,}{'*' if status.startswith('small group') else ' '}"


def _marked(word: str) -> Text:
    style = "bold red" if word.startswith("BELOW") else "dim" if word else ""
    return Text(word, style=style)


def _more(section: Section) -> Grid:
    """The rates that need labels, as plain percentages, and scores."""
    rates = {name: title for name, title in _LABEL_RATES.items() if name in section.groups.columns}
    columns = [("group", "fold"), *((title, "right") for title in rates.values())]
    scored = "mean_score" in section.groups.columns
    if scored:
        columns += [("mean score", "right"), ("SMD", "right")]
    rows = []
    for _, row in section.groups.iterrows():
        cells = [visible(str(row["group"])), *(rate_text(row[name]) for name in rates)]
        rows.append([*cells, score_text(row["mean_score"]), smd_text(row)] if scored else cells)
    return grid(columns, rows)


def _gaps(section: Section) -> Grid:
    rows = []
    for _, row in section.gaps.iterrows():
        gap = gap_text(row)
        told = (
            spelled(str(row["status"]))
            if gap == NOT_AVAILABLE
            else f"{row['group_high']} over {row['group_low']}"
        )
        rows.append([spelled(str(row["metric"])), gap, visible(told)])
    return grid([("gap", "left"), ("", "right"), ("", "fold")], rows)
