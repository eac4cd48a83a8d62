"""A story in the layout and the format that were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._errors import InputError
from .._tables import strict_json
from .output import Format, Output

if TYPE_CHECKING:
    from ..report.ll144 import LL144
    from ..report.story.result import Story

_DOCUMENT = (Format.MARKDOWN, Format.LATEX, Format.HTML, Format.JSON)
#: Formats of each layout; the first is that of standard output.
FORMATS = {
    "full": (Format.HTML, Format.MARKDOWN, Format.LATEX, Format.JSON),
    "summary": (Format.HTML, Format.MARKDOWN, Format.LATEX, Format.JSON),
    "memo": _DOCUMENT,
    "model-card": _DOCUMENT,
    "ll144": (Format.TEXT, Format.MARKDOWN, Format.HTML, Format.JSON, Format.CSV),
}


def rendered(story: Story, layout: str, target: Output) -> str:
    """The text to write.

    Raises
    ------
    InputError
        The layout needs an audit, and there is none.
    """
    if layout == "ll144":
        return _ll144(story, target)
    if layout == "full" and target.format is Format.HTML:
        from ..report.page.document import html_of

        return html_of(story)
    from ..report.story.blocks import to_html, to_latex, to_markdown
    from ..report.story.layouts import LAYOUTS

    if target.format is Format.JSON:
        return story.to_json()
    blocks = list(LAYOUTS[layout](story))
    if target.format is Format.MARKDOWN:
        return to_markdown(blocks)
    if target.format is Format.LATEX:
        return to_latex(blocks)
    return to_html(blocks, story.title)


def _ll144(story: Story, target: Output) -> str:
    from .._tables import csv_table
    from ..report.ll144_layout import ll144_csv, ll144_markdown, ll144_text

    summary = _summary(story)
    if target.format is Format.JSON:
        return strict_json(summary.to_dict())
    if target.format is Format.CSV:
        return csv_table(ll144_csv(summary))
    if target.format is Format.MARKDOWN:
        return ll144_markdown(summary)
    if target.format is Format.HTML:
        from ..report.ll144_html import ll144_html

        return ll144_html(summary)
    return ll144_text(summary, width=target.width, color=target.color)


def _summary(story: Story) -> LL144:
    from ..report.ll144 import ll144

    if story.audit is None:
        raise InputError(f"There is no audit to summarise: {story.failed.get('audit')}")
    return ll144(story.audit, min_share=story.settings.min_share)
