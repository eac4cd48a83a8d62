"""An audit as one HTML page that needs nothing else: no script, no request, no raw rows."""

from __future__ import annotations

import pandas as pd

from .._tables import html_table, html_text
from ..groups.result import Audit
from .definitions import definitions
from .display import NUMBERS, tables
from .legend import legend
from .phrases import FOUR_FIFTHS, Section, facts, headline, sections
from .provenance import provenance
from .verdict import Verdict

_STYLE = """
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #8886; padding: 0.25rem 0.75rem; text-align: left; }
caption { text-align: left; font-weight: bold; }
"""


def html_page(
    audit: Audit, *, threshold: float = FOUR_FIFTHS, verdict: Verdict | None = None
) -> str:
    """Lay an audit out as an HTML page.

    Parameters
    ----------
    audit : Audit
    threshold : float
        Impact ratios below it are called out.
    verdict : Verdict, optional
        Of the gate that the audit was held against.

    Returns
    -------
    str
        Names from the data are escaped; the same audit gives the same text.
    """
    name = audit.source.get("name")
    title = html_text("Audit" if name is None else f"Audit of {name}")
    lines = [*facts(audit), *legend(audit, threshold, difference=True, short=False)]
    body = [f"<h1>{title}</h1>", f"<p>{html_text(headline(audit))}</p>", _list(lines)]
    if verdict is not None:
        body += ["<h2>Gate</h2>", f"<p>{html_text(verdict.line)}</p>"]
        body.append(_list([*verdict.gate.failures, *verdict.gate.undecided]))
    for section in sections(audit):
        body += _section(section, threshold)
    if audit.unknown["n_missing"].any():
        body += ["<h2>Rows of unknown group</h2>", _table(audit.unknown)]
    if audit.notices:
        body += ["<h2>Notices</h2>", _list(list(audit.notices))]
    body += ["<h2>Definitions</h2>", _pairs(("name", "meaning"), definitions(audit))]
    body += ["<h2>How to make these numbers again</h2>"]
    body += [_pairs(("what", "value"), provenance(audit))]
    return page(title, body)


def page(title: str, body: list[str]) -> str:
    """A whole page of this body; both are HTML already."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style></head>",
            "<body>",
            *body,
            "</body>",
            "</html>\n",
        ]
    )


def _section(section: Section, threshold: float) -> list[str]:
    reference = section.reference
    compared = "no reference group" if reference is None else f"compared with {reference}"
    parts = [f"<h2>{html_text(section.title)}</h2>"]
    drawn = tables(section, threshold)
    parts += [_table(table, caption=None if at else compared) for at, table in enumerate(drawn)]
    return parts


def _table(frame: pd.DataFrame, caption: str | None = None) -> str:
    return f'<div class="table">{html_table(frame, caption=caption, right=NUMBERS)}</div>'


def _pairs(names: tuple[str, str], pairs: list[tuple[str, str]]) -> str:
    return _table(pd.DataFrame(pairs, columns=list(names)))


def _list(lines: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{html_text(line)}</li>' for line in lines)}</ul>"
