"""An influence as text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from rich.text import Text

from .._tables import visible
from ..influence.result import Influence
from ..influence.words import r2_warning
from .influence_phrases import MAX_DISPLAY, caveats, facts, other_notices, sentence
from .influence_tables import groups_display, influences_display, proxies_display
from .terminal import Block, Grid, grid, rendered


def influence_text(
    infl: Influence, *, width: int = 80, color: bool = False, max_display: int = MAX_DISPLAY
) -> str:
    """Lay an influence out as text.

    Parameters
    ----------
    infl : Influence
    width : int
        Columns to fill; shares of the variance are shown from 72 on.
    color : bool
        Whether to mark what matters with ANSI codes; plain text otherwise.
    max_display : int
        Rows of influences; the weakest are added up.

    Returns
    -------
    str
        The first line is the sum; the same influence gives the same text.
    """
    shown = influences_display(infl, max_display=max_display)
    if width < _WIDE:
        shown = shown.iloc[:, :_NUMBERS]
    groups = groups_display(infl)
    proxies = proxies_display(infl)
    blocks: list[Block] = [Text(sentence(infl), style="bold")]
    blocks += [Text(f"caution: {visible(line)}", style="yellow") for line in caveats(infl)]
    blocks += [Text(), *(Text(line) for line in facts(infl))]
    blocks += [Text(), _grid(shown, fold="features")]
    blocks += [Text(), Text("how much the functions explain", style="bold")]
    blocks.append(_grid(groups, fold="group"))
    blocks += [Text(f"  warning: {line}", style="yellow") for line in r2_warning(infl.r2)]
    if len(proxies):
        blocks += [Text(), Text("features that tell the two groups apart best", style="bold")]
        blocks += [_grid(proxies, fold="feature"), Text(f"  {PROXY_ADVICE}", style="yellow")]
    notices = other_notices(infl)
    if notices:
        blocks += [Text(), *(Text(f"note: {visible(notice)}") for notice in notices)]
    return rendered(blocks, width=width, color=color)


PROXY_ADVICE = (
    "A feature that stands in for the group varies little within a group: a small influence "
    "does not clear it."
)
_WIDE = 72
_NUMBERS = 3  # columns of a table without shares
_LEFT = {"features", "group", "feature", ""}


def _grid(frame: pd.DataFrame, *, fold: str) -> Grid:
    columns: Sequence[tuple[str, str]] = [
        (name, "fold" if name == fold else "left" if name in _LEFT else "right")
        for name in frame.columns
    ]
    return grid(columns, frame.itertuples(index=False, name=None))
