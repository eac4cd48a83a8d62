"""An audit as a Markdown document."""

from __future__ import annotations

import pandas as pd

from .._tables import markdown_table, markdown_text
from ..groups.result import Audit
from .definitions import definitions
from .display import NUMBERS, tables
from .legend import legend
from .phrases import FOUR_FIFTHS, Section, facts, headline, sections
from .provenance import provenance
from .verdict import Verdict


def markdown_document(
    audit: Audit, *, threshold: float = FOUR_FIFTHS, verdict: Verdict | None = None
) -> str:
    """Lay an audit out as GitHub-flavoured Markdown.

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
    title = "Audit" if name is None else f"Audit of {markdown_text(str(name))}"
    lines = [*facts(audit), *legend(audit, threshold, difference=True, short=False)]
    parts = [f"# {title}\n", f"{markdown_text(headline(audit))}\n"]
    parts.append("".join(f"- {markdown_text(line)}\n" for line in lines))
    if verdict is not None:
        parts.append(_gate(verdict))
    parts += [_section(section, threshold) for section in sections(audit)]
    if audit.unknown["n_missing"].any():
        parts.append(f"## Rows of unknown group\n\n{markdown_table(audit.unknown)}")
    if audit.notices:
        parts.append("## Notices\n")
        parts.append("".join(f"- {markdown_text(notice)}\n" for notice in audit.notices))
    parts.append(_pairs("Definitions", ("name", "meaning"), definitions(audit)))
    parts.append(_pairs("How to make these numbers again", ("what", "value"), provenance(audit)))
    return "\n".join(parts)


def _section(section: Section, threshold: float) -> str:
    reference = section.reference
    compared = "no reference group" if reference is None else f"compared with {reference}"
    drawn = [markdown_table(table, right=NUMBERS) for table in tables(section, threshold)]
    head = f"## {markdown_text(section.title)}\n\n{markdown_text(compared)}\n"
    return "\n".join([head, *drawn])


def _gate(verdict: Verdict) -> str:
    lines = [*verdict.gate.failures, *verdict.gate.undecided]
    return f"## Gate\n\n{markdown_text(verdict.line)}\n\n" + "".join(
        f"- {markdown_text(line)}\n" for line in lines
    )


def _pairs(title: str, names: tuple[str, str], pairs: list[tuple[str, str]]) -> str:
    return f"## {title}\n\n{markdown_table(pd.DataFrame(pairs, columns=list(names)))}"
