"""The Local Law 144 summary as text, for terminals and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd
from rich.text import Text

from .._tables import NOT_AVAILABLE, markdown_table, markdown_text, visible
from .._wording import counted
from .ll144 import LL144
from .phrases import percent, rate_text
from .terminal import Block, grid, rendered

NOT_LEGAL_ADVICE = (
    "Not legal advice. Whether a law applies, and what else it asks for, is for counsel to say."
)
_HEADERS = ["category", "applicants", "share", "selected", "selection rate", "impact ratio"]


def ll144_markdown(summary: LL144) -> str:
    """The summary as GitHub-flavoured Markdown; names are escaped."""
    parts = ["# Summary of selection rates and impact ratios\n"]
    parts.append("".join(f"- {markdown_text(line)}\n" for line in _facts(summary)))
    for title, rows in _tables(summary):
        parts.append(f"## {markdown_text(title)}\n\n{markdown_table(_display(rows))}")
    if notices := summary.audit.notices:
        parts.append("".join(f"- {markdown_text(notice)}\n" for notice in notices))
    parts.append(f"{NOT_LEGAL_ADVICE}\n")
    return "\n".join(parts)


def ll144_text(summary: LL144, *, width: int = 80, color: bool = False) -> str:
    """The summary as text for a terminal or a pipe."""
    columns = [("category", "fold"), *((name, "right") for name in _HEADERS[1:]), ("", "fold")]
    blocks: list[Block] = [
        Text("Summary of selection rates and impact ratios", style="bold"),
        *(Text(visible(line)) for line in _facts(summary)),
    ]
    for title, rows in _tables(summary):
        shown = _display(rows).itertuples(index=False)
        table = grid(
            [(name.replace("selection ", ""), justify) for name, justify in columns],
            [[*map(visible, cells), _in_brief(note)] for *cells, note in shown],
        )
        blocks += [Text(), Text(visible(title), style="bold"), table]
    blocks += [Text(), *(Text(f"note: {visible(notice)}") for notice in summary.audit.notices)]
    return rendered([*blocks, Text(NOT_LEGAL_ADVICE)], width=width, color=color)


def _in_brief(note: str) -> str:
    """A note without the numbers that its row shows."""
    return re.sub(r": n = [^;]*| of applicants", "", note)


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
    if "weight" in summary.audit.by_group:
        lines.append("selection rates are weighted; applicants and selected are counted")
    fate = "left out of" if summary.exclude_below_min_share else "kept in"
    lines.append(
        f"categories under {summary.min_share * 100:g}% of applicants are marked, "
        f"and {fate} the impact ratios"
    )
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
