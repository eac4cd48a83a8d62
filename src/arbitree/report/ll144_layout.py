"""The Local Law 144 summary as text, for terminals and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd
from rich.text import Text

from .._tables import NOT_AVAILABLE, markdown_table, markdown_text, visible
from .._wording import counted
from ..groups.status import OK
from .grid import Block, grid, rendered
from .ll144 import LL144
from .phrases import is_small, percent, rate_text, starred
from .provenance import provenance
from .verdict import Verdict

NOT_LEGAL_ADVICE = (
    "Not legal advice. Whether a law applies, and what else it asks for, is for counsel to say."
)
_SHORT = {"selection rate": "rate", "impact ratio": "ratio"}
_BRIEF = {
    "small group: [^;]*(; )?": "",
    " of applicants": "",
    "most selected": "highest",
    "left out of the impact ratio": "left out",
    "impact ratio not estimable: nobody was selected": "none selected",
    "not estimable: 0 applicants": "no applicants",
}
_HEADERS = ["category", "applicants", "share", "selected", "selection rate", "impact ratio"]


def ll144_markdown(summary: LL144, *, verdict: Verdict | None = None) -> str:
    """The summary as GitHub-flavoured Markdown; names are escaped."""
    parts = ["# Summary of selection rates and impact ratios\n"]
    parts.append("".join(f"- {markdown_text(line)}\n" for line in _facts(summary)))
    for title, rows in _tables(summary):
        parts.append(
            f"## {markdown_text(title)}\n\n{markdown_table(_display(rows), right=_HEADERS[1:])}"
        )
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
    columns = [("category", "fold"), *((name, "right") for name in _HEADERS[1:]), ("", "fold")]
    blocks: list[Block] = [
        Text("Summary of selection rates and impact ratios", style="bold"),
        *(Text(visible(line)) for line in _facts(summary)),
    ]
    for title, rows in _tables(summary):
        shown = _display(rows)
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


def _facts(summary: LL144) -> list[str]:
    lines = [
        f"{counted(summary.audit.n_rows, 'applicant')}; {summary.audit.favorable}",
        "impact ratio: selection rate of the category / that of the most selected category",
    ]
    for column, n, share in summary.unknown[["column", "n_missing", "share"]].itertuples(
        index=False
    ):
        lines.append(f"unknown {column}: {n:,} ({percent(share)}), in no table that is split by it")
    lines += [
        f"in no category of {grouping}: {n:,} (unknown category, or no decision)"
        for grouping, n in summary.outside.itertuples(index=False)
        if n
    ]
    if summary.outside["n"].any():
        lines.append("share: of the applicants whose category is known")
    if "weight" in summary.audit.by_group:
        lines.append("selection rates are weighted; applicants and selected are counted")
    fate = "left out of" if summary.exclude_below_min_share else "kept in"
    lines.append(
        f"categories under {summary.min_share * 100:g}% of applicants are marked, "
        f"and {fate} the impact ratios"
    )
    if summary.categories["note"].map(is_small).any():
        smallest = counted(summary.audit.min_group_size, "applicant")
        lines.append(f"*, small group: fewer than {smallest}")
    return lines


def _tables(summary: LL144) -> Iterator[tuple[str, pd.DataFrame]]:
    keys = [*summary.audit.control, "grouping"]
    for (*segment, grouping), rows in summary.categories.groupby(keys, sort=False):
        where = ", ".join(f"{name}={value}" for name, value in zip(summary.audit.control, segment))
        yield (f"{grouping} ({where})" if where else str(grouping)), rows


def _display(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "category": rows["category"].astype(str),
            "applicants": [f"{n:,}" for n in rows["n_applicants"]],
            "share": [percent(share) for share in rows["share"]],
            "selected": [f"{n:,}" for n in rows["n_selected"]],
            "selection rate": [rate_text(rate) for rate in rows["selection_rate"]],
            "impact ratio": [
                NOT_AVAILABLE if pd.isna(ratio) else f"{ratio:.3f}"
                for ratio in rows["impact_ratio"]
            ],
            "note": rows["note"],
        }
    )
