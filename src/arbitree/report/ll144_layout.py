"""The Local Law 144 summary as text, for terminals and as Markdown."""

from __future__ import annotations

import re

import pandas as pd
from rich.text import Text

from .._tables import markdown_table, markdown_text, visible
from ..groups.status import OK
from .grid import Block, grid, rendered
from .ll144 import LL144
from .ll144_tables import display, headers, tables
from .phrases import is_small, starred
from .provenance import provenance
from .verdict import Verdict

NOT_LEGAL_ADVICE = (
    "Not legal advice. Whether a law applies, and what else it asks for, is for counsel to say."
)
_SHORT = {
    "selection rate": "rate",
    "scoring rate": "rate",
    "beyond the median": "beyond",
    "impact ratio": "ratio",
}
_BRIEF = {
    "small group: [^;]*(; )?": "",
    " of applicants": "",
    "most selected": "highest",
    "highest scoring rate": "highest",
    "impact ratio not estimable: nobody is beyond the median": "none beyond",
    "left out of the impact ratio": "left out",
    "impact ratio not estimable: nobody was selected": "none selected",
    "not estimable: 0 applicants": "no applicants",
}


def title_of(summary: LL144) -> str:
    """The title of the summary."""
    return f"Summary of {summary.rate}s and impact ratios"


def ll144_markdown(summary: LL144, *, verdict: Verdict | None = None) -> str:
    """The summary as GitHub-flavoured Markdown; names are escaped."""
    names = headers(scored=summary.scored)
    parts = [f"# {title_of(summary)}\n"]
    parts.append(
        "".join(f"- {markdown_text(line)}\n" for line in (*summary.facts, *summary.published_lines))
    )
    for title, rows in tables(summary.categories, summary.audit.control):
        shown = display(rows, scored=summary.scored)
        parts.append(f"## {markdown_text(title)}\n\n{markdown_table(shown, right=names[1:])}")
    if notices := summary.audit.notices:
        parts.append("".join(f"- {markdown_text(notice)}\n" for notice in notices))
    if verdict is not None:
        parts.append(f"{markdown_text(verdict.line)}\n")
    origin = pd.DataFrame(provenance(summary.audit), columns=["what", "value"])
    parts.append(f"## How to make these numbers again\n\n{markdown_table(origin)}")
    parts.append(f"{NOT_LEGAL_ADVICE}\n")
    return "\n".join(parts)


def ll144_text(
    summary: LL144, *, width: int = 80, color: bool = False, verdict: Verdict | None = None
) -> str:
    """The summary as text for a terminal or a pipe."""
    names = headers(scored=summary.scored)
    columns = [("category", "fold"), *((name, "right") for name in names[1:]), ("", "fold")]
    blocks: list[Block] = [
        Text(title_of(summary), style="bold"),
        *(Text(visible(line)) for line in (*summary.facts, *summary.published_lines)),
    ]
    for title, rows in tables(summary.categories, summary.audit.control):
        shown = display(rows, scored=summary.scored)
        shown["applicants"] = [
            starred(size, is_small(note)) for size, note in zip(shown["applicants"], shown["note"])
        ]
        table = grid(
            [(_SHORT.get(name, name), justify) for name, justify in columns],
            [
                [*map(visible, cells), _in_brief(note)]
                for *cells, note in shown.itertuples(index=False)
            ],
        )
        blocks += [Text(), Text(visible(title), style="bold"), table]
    blocks += [Text(), *(Text(f"note: {visible(notice)}") for notice in summary.audit.notices)]
    if verdict is not None:
        blocks.append(Text(verdict.line))
    return rendered([*blocks, Text(NOT_LEGAL_ADVICE)], width=width, color=color)


def ll144_csv(summary: LL144) -> pd.DataFrame:
    """The categories, and the applicants in none, a row each; `status` tells them apart."""
    categories = summary.categories.assign(status=OK)
    categories.loc[categories["impact_ratio"].isna(), "status"] = "not estimable"
    unknown = pd.DataFrame(
        {
            "grouping": summary.outside["grouping"],
            "n_applicants": summary.outside["n"],
            "share": summary.outside["n"] / max(summary.audit.n_rows, 1),
            "note": "unknown category, or no decision; share of all applicants",
            "status": "unknown",
        }
    )
    table = pd.concat([categories.astype(object), unknown.astype(object)], ignore_index=True)
    return table[[*categories.columns]]


def _in_brief(note: str) -> str:
    """A note without what its row shows otherwise."""
    for words, brief in _BRIEF.items():
        note = re.sub(words, brief, note)
    return note.strip("; ")
