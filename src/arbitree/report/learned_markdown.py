"""A tree that was learnt, as a Markdown document."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas as pd
from rich.text import Text

from .._tables import markdown_table, markdown_text, visible
from ..tree.learned import Learned
from .few_rows import few_rows_notes
from .grid import Grid, rendered
from .learned_text import facts, group_blocks, headline, legend, measures_grid, tree_grid
from .tree_numbers import tree_numbers

_WIDTH = 100  # columns of the tree


def learned_markdown(found: Learned) -> str:
    """Lay a learnt tree out as GitHub-flavoured Markdown.

    Parameters
    ----------
    found : Learned

    Returns
    -------
    str
        What the text for a terminal says, and the training gap of each pair of groups. Names
        from the data are escaped; the same tree gives the same text.
    """
    numbers = tree_numbers(found.model)
    tree = rendered([tree_grid(numbers, _WIDTH)], width=_WIDTH, color=False)
    parts = [
        f"# Tree for {markdown_text(found.label)}\n",
        f"{markdown_text(headline(found))}\n",
        _bullets(facts(found)),
        f"## Tree\n\n{_verbatim(tree)}",
        _bullets(" ".join(lines) for lines in legend(numbers, _WIDTH)),
        f"## Measures\n\n{_table(measures_grid(found))}",
        *(_block(block) for block in group_blocks(found)),
    ]
    pairs = gaps_of_pairs(found.splits)
    if len(pairs):
        parts.append(f"## Gaps on training rows\n\n{markdown_table(pairs, right=['gap'])}")
    notes = [*found.notices, *few_rows_notes(found)]
    if notes:
        parts += ["## Notices\n", _bullets(notes)]
    return "\n".join(parts)


def gaps_of_pairs(splits: pd.DataFrame) -> pd.DataFrame:
    """A row for each pair of groups: the gap between them, which is what all splits add.

    Parameters
    ----------
    splits : DataFrame
        As of `arbitree.parity_report`.
    """
    keys = ["grouping", "condition", "group_high", "group_low"]
    names = [*keys[:2], "higher", "lower", "gap"]
    gaps = splits.groupby(keys, sort=False)["contribution"].sum().reset_index()
    gaps.columns = pd.Index(names)
    # Of rounding, -1e-17 is no gap.
    gaps["gap"] = [f"{round(100 * gap, 1) + 0.0:.1f} pp" for gap in gaps["gap"]]
    return gaps.loc[:, [name for name in names if _varies(gaps, name)]]


def _varies(gaps: pd.DataFrame, name: str) -> bool:
    return name not in ("grouping", "condition") or gaps[name].nunique() > 1


def _bullets(lines: Iterable[str]) -> str:
    return "".join(f"- {markdown_text(line)}\n" for line in lines)


def _verbatim(text: str) -> str:
    """Text as it is, between fences that are longer than any in it."""
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def _block(block: Text | Grid) -> str:
    if isinstance(block, Grid):
        return _table(block)
    line = markdown_text(visible(block.plain.strip()))
    return f"## {line[:1].upper()}{line[1:]}\n" if block.style == "bold" else f"{line}\n"


def _table(grid: Grid) -> str:
    names = [header or " " for header, _ in grid.columns]
    frame = pd.DataFrame([[str(cell).strip() for cell in row] for row in grid.rows], columns=names)
    right = [name for name, (_, side) in zip(names, grid.columns) if side == "right"]
    return markdown_table(frame, right=right)
