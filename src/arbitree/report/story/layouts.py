"""The layouts of a story, by who receives it, as blocks.

Everything; one page of summary; a validation memo in the order of a model-risk review; the section
on fairness of a model card (Mitchell et al. 2019, "Model Cards for Model Reporting").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..._tables import visible
from ..._wording import listed
from .blocks import Block, Heading, Table, Verbatim, bullets, paragraph
from .result import NOT_LEGAL_ADVICE, SECTIONS, Story
from .sections import headline_rows, section, thresholds


def whole(story: Story) -> Iterator[Block]:
    """Everything, in the order in which it is told."""
    yield from _opening(story)
    for name in SECTIONS:
        yield from section(story, name)
    yield paragraph(NOT_LEGAL_ADVICE)


def summary(story: Story) -> Iterator[Block]:
    """A page: the findings in a sentence each, and the numbers behind them."""
    yield from _opening(story)
    yield bullets([*_findings(story), *story.cautions])
    yield Table(frame=headline_rows(story), right=("value", "n"))
    for name in ("audit", "influence"):
        if name not in story.absent:
            yield from section(story, name, brief=True)
    yield from section(story, "untested", brief=True)
    yield Verbatim(text=story.command or "")
    yield paragraph(NOT_LEGAL_ADVICE)


_FINDINGS = ("audit", "influence", "frontier", "tree", "rules", "certificate")


def _findings(story: Story) -> list[str]:
    """A sentence each; parts that are absent for one reason share theirs."""
    return list(dict.fromkeys(story.sentences[name] for name in _FINDINGS))


def memo(story: Story) -> Iterator[Block]:
    """A validation memo: purpose, data, outcomes, causes, alternative, controls, limitations."""
    yield Heading(level=1, text=f"Validation memo: {story.title}")
    yield from _date(story)
    yield Heading(level=2, text="Purpose and scope")
    yield paragraph(
        f"This memo says how the outcomes in {visible(story.data.name)} differ between groups by "
        f"{listed(story.data.sensitive)}, what carries the differences, and what alternative there "
        "is. It gives no opinion on whether the outcomes are acceptable."
    )
    yield Heading(level=2, text="Findings")
    yield bullets(_findings(story))
    yield Table(frame=headline_rows(story), right=("value", "n"))
    for name in ("data", "audit", "influence", "frontier", "tree", "rules", "certificate"):
        yield from section(story, name)
    yield from section(story, "untested")
    yield Heading(level=2, text="Conclusion")
    yield paragraph("To be written by the validator.")
    yield from section(story, "provenance")
    yield paragraph(NOT_LEGAL_ADVICE)


def model_card(story: Story) -> Iterator[Block]:
    """The fairness section of a model card, to be pasted into one."""
    yield Heading(level=2, text="Fairness")
    yield from _date(story)
    yield Heading(level=3, text="Factors")
    yield paragraph(
        f"Groups by {listed(story.data.sensitive)}"
        f"{', and their combinations' if len(story.data.sensitive) > 1 else ''}."
    )
    yield Heading(level=3, text="Metrics")
    yield bullets([thresholds(story), _intervals(story)])
    yield Heading(level=3, text="Evaluation data")
    yield paragraph(story.sentences["data"])
    if story.data.sha256:
        yield paragraph(f"SHA-256 {story.data.sha256}.")
    yield Heading(level=3, text="Quantitative analyses")
    yield bullets([story.sentences[name] for name in _FINDINGS if name not in story.absent])
    yield Table(frame=headline_rows(story), right=("value", "n"))
    for block in section(story, "audit", brief=True):
        if isinstance(block, Table):
            yield block
    yield Heading(level=3, text="Caveats")
    yield bullets([*story.cautions, *story.untested, NOT_LEGAL_ADVICE])
    yield Verbatim(text=story.command or "")


def _intervals(story: Story) -> str:
    sure = f"{100 * story.settings.confidence:g}%"
    return f"Numbers in brackets are {sure} intervals; those of gaps hold over all pairs of groups."


def _opening(story: Story) -> Iterator[Block]:
    yield Heading(level=1, text=story.title)
    yield from _date(story)


def _date(story: Story) -> Iterator[Block]:
    if story.date is not None:
        yield paragraph(story.date)


LAYOUTS: dict[str, Callable[[Story], Iterator[Block]]] = {
    "full": whole,
    "summary": summary,
    "memo": memo,
    "model-card": model_card,
}
