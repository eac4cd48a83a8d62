"""Results in the format and the layout that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from .._tables import csv_table, json_text, strict_json
from .output import Format, Output

if TYPE_CHECKING:
    from ..groups.result import Audit
    from ..report.ll144 import LL144
    from ..report.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How an audit is to be laid out."""

    layout: str = "full"
    table: str | None = None
    min_share: float | None = None
    exclude_below_min_share: bool = False
    threshold: float | None = None  # impact ratios below it are called out; None: four fifths
    published: Mapping[str, str] = field(default_factory=dict)  # arguments of `ll144`

    def check(self, format: Format) -> None:
        """Refuse options that this layout or format would ignore."""
        if self.table is not None and (format is not Format.CSV or self.layout != "full"):
            raise InputError("--table chooses the table that --csv writes in the full layout.")
        if self.layout == "full":
            if self.min_share is not None or self.exclude_below_min_share:
                raise InputError("--min-share and --exclude-below-min-share need --layout ll144.")
        elif format is Format.LATEX:
            raise InputError(
                f"The layout {self.layout} is written as text, Markdown, HTML, JSON or CSV, "
                f"not as {format.value}."
            )


def rendered(
    found: Audit,
    target: Output,
    rendering: Rendering,
    verdict: Verdict | None = None,
    *,
    elapsed: float | None = None,
) -> str:
    """An audit, and the verdict on it where a gate was asked for, as the text to write.

    The time it took is shown on a terminal only, so that files and pipes get the same bytes for
    the same audit.
    """
    if rendering.layout == "ll144":
        return _ll144(found, target, rendering, verdict)
    return _full(found, target, rendering, verdict, elapsed if target.on_terminal else None)


def judged(found: Audit, rendering: Rendering) -> Audit:
    """What a gate is held against: the impact ratios that the layout shows."""
    return _summary(found, rendering).judged if rendering.layout == "ll144" else found


def _full(
    found: Audit,
    target: Output,
    rendering: Rendering,
    verdict: Verdict | None,
    elapsed: float | None,
) -> str:
    from ..report.html import html_page
    from ..report.markdown import markdown_document
    from ..report.phrases import FOUR_FIFTHS
    from ..report.terminal import terminal_text

    threshold = FOUR_FIFTHS if rendering.threshold is None else rendering.threshold
    text: Callable[[], str] = {
        Format.TEXT: lambda: terminal_text(
            found,
            width=target.width,
            color=target.color,
            threshold=threshold,
            verdict=verdict,
            elapsed=elapsed,
        ),
        Format.MARKDOWN: lambda: markdown_document(found, threshold=threshold, verdict=verdict),
        Format.JSON: lambda: json_text(found.to_dict() | _gate(verdict)),
        Format.CSV: lambda: csv_table(getattr(found, rendering.table or "by_group")),
        Format.HTML: lambda: html_page(found, threshold=threshold, verdict=verdict),
        Format.LATEX: found.to_latex,
    }[target.format]
    return text()


def _gate(verdict: Verdict | None) -> dict[str, Any]:
    return {"gate": None if verdict is None else verdict.to_dict()}


def _summary(found: Audit, rendering: Rendering) -> LL144:
    from ..report.ll144 import MIN_SHARE, ll144

    return ll144(
        found,
        min_share=MIN_SHARE if rendering.min_share is None else rendering.min_share,
        exclude_below_min_share=rendering.exclude_below_min_share,
        **rendering.published,
    )


def _ll144(found: Audit, target: Output, rendering: Rendering, verdict: Verdict | None) -> str:
    from ..report.ll144_layout import ll144_csv, ll144_markdown, ll144_text

    summary = _summary(found, rendering)
    if target.format is Format.JSON:
        return strict_json(summary.to_dict() | _gate(verdict))
    if target.format is Format.CSV:
        return csv_table(ll144_csv(summary))
    if target.format is Format.MARKDOWN:
        return ll144_markdown(summary, verdict=verdict)
    if target.format is Format.HTML:
        from ..report.ll144_html import ll144_html

        return ll144_html(summary, verdict=verdict)
    return ll144_text(summary, width=target.width, color=target.color, verdict=verdict)
