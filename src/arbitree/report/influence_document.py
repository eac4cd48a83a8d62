"""An influence as a Markdown document and as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from .._tables import cell_text, html_table, html_text, markdown_table, markdown_text
from ..influence.result import Influence
from ..influence.words import r2_warning
from .html import page
from .influence_phrases import MAX_DISPLAY, caveats, facts, gap_of, other_notices, sentence
from .influence_tables import groups_display, influences_display, proxies_display
from .influence_text import PROXY_ADVICE

_Part = tuple[str, pd.DataFrame | None, list[str]]  # title, table, lines below it


def influence_markdown(infl: Influence, *, max_display: int = MAX_DISPLAY) -> str:
    """Lay an influence out as GitHub-flavoured Markdown.

    Parameters
    ----------
    infl : Influence
    max_display : int
        Rows of influences; the weakest are added up.

    Returns
    -------
    str
        Names from the data are escaped; the same influence gives the same text.
    """
    parts = [f"# {markdown_text(_title(infl))}\n", f"{markdown_text(sentence(infl))}\n"]
    parts += [f"{markdown_text(line)}\n" for line in caveats(infl)]
    for title, table, lines in _parts(infl, max_display):
        parts += [f"## {title}\n"] if title else []
        parts += [markdown_table(table)] if table is not None else []
        parts += ["".join(f"- {markdown_text(line)}\n" for line in lines)] if lines else []
    return "\n".join(parts)


def influence_page(infl: Influence, *, max_display: int = MAX_DISPLAY) -> str:
    """Lay an influence out as an HTML page that needs nothing else.

    Parameters and text are those of `influence_markdown`.
    """
    body = [f"<h1>{html_text(_title(infl))}</h1>", f"<p>{html_text(sentence(infl))}</p>"]
    body += [f"<p>{html_text(line)}</p>" for line in caveats(infl)]
    for title, table, lines in _parts(infl, max_display):
        body += [f"<h2>{title}</h2>"] if title else []
        body += [f'<div class="table">{html_table(table)}</div>'] if table is not None else []
        items = "".join(f"<li>{html_text(line)}</li>" for line in lines)
        body += [f"<ul>{items}</ul>"] if lines else []
    return page(html_text(_title(infl)), body)


def _title(infl: Influence) -> str:
    return f"What explains the gap: {gap_of(infl)}"


def _parts(infl: Influence, max_display: int) -> Iterator[_Part]:
    yield "", None, facts(infl)
    yield "Influences", influences_display(infl, max_display=max_display), []
    yield "How much the functions explain", groups_display(infl), r2_warning(infl.r2)
    if len(infl.proxies):
        told = proxies_display(infl).rename(columns={"": "note"})
        yield "Features that tell the two groups apart best", told, [PROXY_ADVICE]
    notices = other_notices(infl)
    if notices:
        yield "Notices", None, notices
    rows = pd.DataFrame(list(_provenance(infl)), columns=["what", "value"])
    yield "How to make these numbers again", rows, []


def _provenance(infl: Influence) -> Iterator[tuple[str, str]]:
    for name, value in infl.source.items():
        yield f"source {name}", cell_text(value)
    yield "rows", f"{infl.n_rows:,}"
    yield "metric", infl.metric
    yield "largest set of features", str(infl.max_order)
    yield "intervals of a spline", str(infl.n_intervals)
    yield "folds", str(infl.cross_fit)
    yield "resamplings", f"{infl.n_bootstrap:,}"
    yield "confidence", f"{infl.confidence:g}"
    yield "seed", str(infl.random_state)
    for name, number in infl.versions.items():
        yield f"version of {name}", number
