"""An audit as a Markdown document."""

from __future__ import annotations

import pandas as pd

from .._tables import markdown_table, markdown_text
from ..groups.result import Audit
from .definitions import definitions
from .display import gaps_display, groups_display
from .phrases import FOUR_FIFTHS, Section, facts, headline, sections
from .provenance import provenance


def markdown_document(audit: Audit, *, threshold: float = FOUR_FIFTHS) -> str:
    """Lay an audit out as GitHub-flavoured Markdown.

    Parameters
    ----------
    audit : Audit
    threshold : float
        Impact ratios below it are called out.

    Returns
    -------
    str
        Names from the data are escaped; the same audit gives the same text.
    """
    name = audit.source.get("name")
    title = "Audit" if name is None else f"Audit of {markdown_text(str(name))}"
    parts = [f"# {title}\n", f"{markdown_text(headline(audit))}\n"]
    parts.append("".join(f"- {markdown_text(line)}\n" for line in facts(audit)))
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
    text = (
        f"## {markdown_text(section.title)}\n\n{markdown_text(compared)}\n\n"
        f"{markdown_table(groups_display(section, threshold))}"
    )
    return text if section.gaps.empty else f"{text}\n{markdown_table(gaps_display(section))}"


def _pairs(title: str, names: tuple[str, str], pairs: list[tuple[str, str]]) -> str:
    return f"## {title}\n\n{markdown_table(pd.DataFrame(pairs, columns=list(names)))}"
