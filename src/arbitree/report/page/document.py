"""A story as one HTML file: it opens offline, asks nobody for anything, and holds no row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..story.result import NOT_LEGAL_ADVICE, Story
from .assets import environment, file_text, library, own_script, policy
from .blocks import Chart, Section, Table
from .frontier_view import FrontierView
from .glossary import glossary
from .sections import sections_of
from .summary import summary_cards
from .tree_view import TreeView


def html_of(story: Story) -> str:
    """Lay a story out as an HTML page.

    Parameters
    ----------
    story : Story

    Returns
    -------
    str
        Below 5 MB; names from the data are escaped; the same story gives the same text.

    Raises
    ------
    MissingDependencyError
        jinja2 or vl-convert-python is not installed.
    """
    sections = sections_of(story)
    return page_of(
        title=story.title,
        summary=summary_cards(story),
        sections=sections,
        note=NOT_LEGAL_ADVICE,
        date=story.date,
    )


def page_of(
    *, title: str, summary: Any, sections: list[Section], note: str, date: str | None = None
) -> str:
    """A page of these sections."""
    found = [block for section in sections for block in _all_blocks(section.blocks)]
    charts = [_chart_of(block) for block in found if isinstance(block, Chart | FrontierView)]
    drawing = library() if charts else ""
    script = own_script()
    words = glossary({column.name for table in _tables(found) for column in table.columns})
    text: str = (
        environment()
        .get_template("page.html")
        .render(
            title=title,
            summary=summary,
            sections=sections,
            note=note,
            date=date,
            words=words,
            word_at={name: place for place, (name, _) in enumerate(words, 1)},
            specs=[chart.spec for chart in charts],
            trees=[block.walk for block in found if isinstance(block, TreeView)],
            style=file_text("style.css"),
            scripts=[drawing, script],
            policy=policy([drawing, script]),
            numbers=_Numbers(),
        )
    )
    return text


class _Numbers:
    """Counts what the page draws, in its order: charts and trees find their data by number."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def next(self, kind: str) -> int:
        """The number of the next one of this kind, from 0."""
        number = self._next.get(kind, 0)
        self._next[kind] = number + 1
        return number


def _all_blocks(blocks: Iterable[Any]) -> Iterator[Any]:
    """Blocks and those within them, in the order of the page."""
    for block in blocks:
        yield block
        yield from _all_blocks(getattr(block, "blocks", ()))


def _chart_of(block: Chart | FrontierView) -> Chart:
    return block.chart if isinstance(block, FrontierView) else block


def _tables(blocks: Iterable[Any]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, FrontierView):
            yield block.table
