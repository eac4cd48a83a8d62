"""A story as the sections of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from ..._tables import cell_text
from ..phrases import value_of
from ..story.result import SECTIONS, Story
from .audit_blocks import audit_blocks, gaps_blocks, gaps_sentence
from .blocks import Lines, Paragraph, Section, Table, Verbatim
from .columns import table_of
from .frontier_view import frontier_view
from .influence_blocks import influence_blocks
from .proof_blocks import certificate_blocks, rules_blocks
from .tree_blocks import tree_blocks

GAPS = "gaps"


def sections_of(story: Story) -> list[Section]:
    """The sections, in their order; the sentence of one without blocks says why it has none."""
    return list(_sections(story))


def _sections(story: Story) -> Iterator[Section]:
    for name, title in SECTIONS.items():
        blocks = _BLOCKS[name](story)
        if blocks and name in story.failed:
            blocks = [Paragraph(text=story.failed[name], tone="warning"), *blocks]
        yield Section(name=name, title=title, sentence=story.sentences[name], blocks=blocks)
        if name == "audit" and story.audit is not None:
            yield Section(
                name=GAPS,
                title="Gaps between groups",
                sentence=gaps_sentence(story.audit),
                blocks=gaps_blocks(story.audit),
            )


def _data(story: Story) -> list[Any]:
    data = story.data
    facts = [
        ("file", data.name),
        ("SHA-256", data.sha256),
        ("rows read", data.n_read),
        ("rows used", data.n_rows),
        ("condition on rows", data.where),
        ("decision", data.decision),
        ("favourable decision", value_of(data.favorable)),
        ("label", data.label),
        ("favourable label", value_of(data.label_favorable)),
        ("sensitive columns", data.sensitive),
        ("control columns", data.control),
        ("rows weighted", data.weighted),
        ("features", data.features),
        ("columns left out", data.left_out),
    ]
    blocks: list[Any] = [Paragraph(text=line, tone="warning") for line in story.cautions]
    blocks.append(_pairs("What the numbers are of", _said(facts)))
    if data.notices:
        blocks.append(Lines(items=data.notices))
    return blocks


_MOST_NAMES = 40


def _said(facts: list[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Facts that there are; of very many names the first, and how many more."""
    found = []
    for name, value in facts:
        if value is None or value == () or value is False:
            continue
        if isinstance(value, tuple):
            more = f" and {len(value) - _MOST_NAMES:,} more" if len(value) > _MOST_NAMES else ""
            text = f"{cell_text(value[:_MOST_NAMES])}{more}"
            found.append((f"{name} ({len(value):,})", text))
        else:
            found.append((name, cell_text(value)))
    return found


def _setting(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(_setting, value))
    return f"{value:,.10g}" if type(value) in (int, float) else cell_text(value)


def _pairs(caption: str, pairs: list[tuple[str, str]]) -> Table:
    frame = pd.DataFrame(pairs, columns=["what", "value"])
    return table_of(frame, caption=caption, fixed=True)


def _audit(story: Story) -> list[Any]:
    if story.audit is None:
        return []
    told = set(story.data.notices)
    notices = tuple(one for one in story.audit.notices if one not in told)
    blocks = audit_blocks(story.audit, story.settings.four_fifths)
    return [*blocks, *([Lines(items=notices)] if notices else [])]


def _influence(story: Story) -> list[Any]:
    return [influence_blocks(infl) for infl in story.influences]


def _frontier(story: Story) -> list[Any]:
    if story.frontier is None:
        return []
    chosen = None if story.tree is None else story.tree.budget
    blocks: list[Any] = [frontier_view(story.frontier, chosen, went_on=story.tree is not None)]
    notices = story.frontier.notices
    return [*blocks, *([Lines(items=notices)] if notices else [])]


def _tree(story: Story) -> list[Any]:
    if story.tree is None:
        return []
    return [Paragraph(text=story.tree.how), *tree_blocks(story.tree.learned)]


def _rules(story: Story) -> list[Any]:
    found = story.rules
    if found is None:
        return []
    text = Verbatim(name="The rules", text=found.rules.to_text())
    verified = {"model": found.of_model, "tree": found.verified}
    return [text, *rules_blocks(found.check, verified)]


def _certificate(story: Story) -> list[Any]:
    return [] if story.certificate is None else certificate_blocks(story.certificate)


def _untested(story: Story) -> list[Any]:
    return [Lines(items=story.untested)] if story.untested else []


def _provenance(story: Story) -> list[Any]:
    settings = [
        (name.replace("_", " "), _setting(value))
        for name, value in story.settings.to_dict().items()
        if value is not None
    ]
    source = [(f"source {name}", cell_text(value)) for name, value in story.data.source.items()]
    versions = [(f"version of {name}", number) for name, number in story.versions.items()]
    blocks: list[Any] = []
    if story.command:
        blocks.append(Verbatim(name="The command", text=story.command))
    return [*blocks, _pairs("Settings, source and versions", [*settings, *source, *versions])]


_BLOCKS: dict[str, Callable[[Story], list[Any]]] = {
    "data": _data,
    "audit": _audit,
    "influence": _influence,
    "frontier": _frontier,
    "tree": _tree,
    "rules": _rules,
    "certificate": _certificate,
    "untested": _untested,
    "provenance": _provenance,
}
