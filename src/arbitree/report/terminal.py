"""An audit as text for a terminal or a pipe."""

from __future__ import annotations

from rich.text import Text

from .._tables import NOT_AVAILABLE, cell_text, visible
from ..groups.result import Audit
from .grid import Block, Grid, grid, rendered
from .legend import SHORT_NAMES, legend
from .phrases import (
    FOUR_FIFTHS,
    Section,
    difference_text,
    facts,
    gap_text,
    headline,
    impact_text,
    is_small,
    rate_text,
    remarks,
    score_texts,
    sections,
    selection_text,
    smd_text,
    spelled,
    starred,
    verdict_word,
)
from .plot_names import shortened
from .verdict import Verdict

_WIDE = 110
_TITLE = 40  # columns of a reference group's name


def terminal_text(
    audit: Audit,
    *,
    width: int = 80,
    color: bool = False,
    threshold: float = FOUR_FIFTHS,
    verdict: Verdict | None = None,
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
    verdict : Verdict, optional
        Of the gate that the audit was held against.
    elapsed : float, optional
        Seconds that the audit took. Without it the same audit gives the same text.

    Returns
    -------
    str
        Names of groups and columns appear as they are; rich's markup in them is text.
    """
    blocks: list[Block] = [Text(headline(audit, elapsed), style="bold")]
    wide = width >= _WIDE
    lines = [*facts(audit), *legend(audit, threshold, difference=wide, short=True)]
    blocks += [Text(line) for line in lines]
    for section in sections(audit):
        blocks += [Text(), *_section(section, threshold, wide=wide)]
    if audit.notices:
        blocks += [Text(), *(Text(f"note: {visible(notice)}") for notice in audit.notices)]
    if verdict is not None:
        blocks += [Text(), Text(verdict.line, style="bold" if verdict.gate.passed else "bold red")]
    return rendered(blocks, width=width, color=color)


def _section(section: Section, threshold: float, *, wide: bool) -> list[Block]:
    reference = section.reference
    compared = "no reference"
    if reference is not None:
        compared = f"compared with {shortened(visible(reference), _TITLE)}"
    blocks: list[Block] = [
        Text.assemble((section.title, "bold"), f"  ({compared})"),
        _groups(section, threshold, wide=wide),
    ]
    if "true_positive_rate" in section.groups:
        blocks += [Text(), _label_rates(section)]
    if "mean_score" in section.groups:
        blocks += [Text(), _scores(section)]
    blocks += [Text(f"  {line}", style="yellow") for line in remarks(section)]
    return blocks if section.gaps.empty else [*blocks, Text(), _gaps(section)]


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
            starred(f"{row['n']:,}", is_small(row["status"])),
            selection_text(row),
            impact_text(row, threshold),
        ]
        if wide:
            cells.append(difference_text(row))
        if "p_value" in section.groups:
            cells.append(cell_text(row["p_value"]))
        rows.append([*cells, _marked(verdict_word(row, threshold))])
    return grid([*columns, ("", "left")], rows)


def _marked(word: str) -> Text:
    style = "bold red" if word.startswith("BELOW") else "dim" if word else ""
    return Text(word, style=style)


def _label_rates(section: Section) -> Grid:
    """The rates that need labels, as plain percentages; * where few rows are behind one."""
    names = [name for name in SHORT_NAMES if name in section.groups]
    status = section.rates.set_index(["metric", "group"])["status"].to_dict()
    rows = [
        [
            visible(str(row["group"])),
            *(
                starred(rate_text(row[name]), is_small(status.get((name, row["group"]))))
                for name in names
            ),
        ]
        for _, row in section.groups.iterrows()
    ]
    return grid([("group", "fold"), *((f"{SHORT_NAMES[name]} ", "right") for name in names)], rows)


def _scores(section: Section) -> Grid:
    groups = section.groups
    rows = [
        [visible(str(row["group"])), starred(mean, is_small(row["status"])), smd_text(row)]
        for mean, (_, row) in zip(score_texts(groups["mean_score"]), groups.iterrows())
    ]
    return grid([("group", "fold"), ("mean score ", "right"), ("SMD", "right")], rows)


def _gaps(section: Section) -> Grid:
    rows = []
    for _, row in section.gaps.iterrows():
        gap = gap_text(row)
        told = (
            spelled(str(row["status"]))
            if gap == NOT_AVAILABLE
            else f"{row['group_high']} over {row['group_low']}"
        )
        gap = starred(gap, is_small(row["status"]))
        rows.append([spelled(str(row["metric"])), gap, visible(told)])
    return grid([("gap", "left"), ("", "right"), ("", "fold")], rows)
