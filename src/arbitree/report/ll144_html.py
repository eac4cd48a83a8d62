"""The Local Law 144 summary as one HTML page that needs nothing else, to be published."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from .._tables import html_table, html_text
from .._wording import counted
from .html import page
from .ll144 import LL144
from .ll144_layout import NOT_LEGAL_ADVICE, title_of
from .ll144_tables import headers, tables
from .phrases import percent, rate_text
from .provenance import provenance
from .verdict import Verdict

NOT_GIVEN = "not given (6 RCNY 5-303 asks for it)"


def ll144_html(summary: LL144, *, verdict: Verdict | None = None) -> str:
    """Lay the summary out as an HTML page, its tables as 6 RCNY 5-301 shows them.

    Parameters
    ----------
    summary : LL144
    verdict : Verdict, optional
        Of the gate that the audit was held against.

    Returns
    -------
    str
        Names from the data are escaped; the same summary gives the same text, without a clock.
    """
    title = title_of(summary)
    body = [f"<h1>{title}</h1>", _about(summary), _list(list(summary.facts))]
    for (heading, shown), (_, rows) in zip(
        summary._sections(), tables(summary.categories, summary.audit.control)
    ):
        crossed = rows["grouping"].iloc[0] not in summary.columns
        body.append(f"<h2>{html_text(heading)}{' (intersectional)' if crossed else ''}</h2>")
        caption = f"{summary.rate} and impact ratio by {heading}"
        body += [_table(shown, caption, right=headers(scored=summary.scored)[1:])]
        body += [f"<p>{html_text(note)}</p>" for note in _below(summary, rows)]
    if summary.audit.notices:
        body += ["<h2>Notices</h2>", _list(list(summary.audit.notices))]
    if verdict is not None:
        body += ["<h2>Gate</h2>", f"<p>{html_text(verdict.line)}</p>"]
        body.append(_list([*verdict.gate.failures, *verdict.gate.undecided]))
    origin = pd.DataFrame(provenance(summary.audit), columns=["what", "value"])
    body += ["<h2>How to make these numbers again</h2>", _table(origin, "origin of the numbers")]
    return page(title, [*body, f"<p>{NOT_LEGAL_ADVICE}</p>"])


def _about(summary: LL144) -> str:
    rows = [(name, text or NOT_GIVEN) for name, text in summary.published]
    return _table(pd.DataFrame(rows, columns=["what", "value"]), "about this audit")


def _below(summary: LL144, rows: pd.DataFrame) -> Iterator[str]:
    """Who is in no category of a table, and who was left out of its impact ratios."""
    grouping = rows["grouping"].iloc[0]
    n = int(summary.outside.loc[summary.outside["grouping"] == grouping, "n"].iloc[0])
    if n and not summary.audit.control:
        yield (
            f"{counted(n, 'applicant')} of unknown {' or '.join(_parts(summary, grouping))}, or "
            "without a decision: not included in the calculations above."
        )
    if not summary.exclude_below_min_share:
        return
    for _, row in rows[rows["share"] < summary.min_share].iterrows():
        yield (
            f"{row['category']}: {counted(int(row['n_applicants']), 'applicant')} "
            f"({percent(row['share'])}), {summary.rate} {rate_text(row['selection_rate'])}. Left "
            f"out of the impact ratios, being under {100 * summary.min_share:g}% of applicants."
        )


def _parts(summary: LL144, grouping: str) -> tuple[str, ...]:
    return (grouping,) if grouping in summary.columns else summary.columns


def _table(frame: pd.DataFrame, caption: str, right: list[str] | None = None) -> str:
    return f'<div class="table">{html_table(frame, caption=caption, right=right or ())}</div>'


def _list(lines: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{html_text(line)}</li>' for line in lines)}</ul>"
