"""The verdicts on top of a page: what passed, what failed, what is not decided."""

from __future__ import annotations

from ..phrases import points_text, spelled
from ..story.result import Finding, Story
from .blocks import Card, Cards
from .widest import largest_gap

_NONE = ("none", "not in this report")


_STATES = {"passed": "good", "failed": "bad", "undecided": "open"}


def summary_cards(story: Story) -> Cards:
    """The story's verdicts, then its measures: what a reader comes for."""
    measures = (_largest_gap(story), _tree(story), _bound(story))
    return Cards(cards=(*map(_verdict, story.verdicts), *measures, *_cautions(story)))


def _verdict(found: Finding) -> Card:
    more = f" And {len(found.details) - 1:,} more." if len(found.details) > 1 else ""
    first = f" {spelled(found.details[0])}.{more}" if found.details else ""
    text = f"{found.sentence[:1].upper()}{found.sentence[1:]}.{first}"
    name = found.name[:1].upper() + found.name[1:]
    return Card(
        title=f"{name} (asked for)" if found.gate else name,
        state=_STATES[found.status],
        word=found.status,
        text=text,
        link=found.section,
    )


def _cautions(story: Story) -> tuple[Card, ...]:
    """What to know of the features, if anything."""
    if not story.cautions:
        return ()
    more = f" And {len(story.cautions) - 1:,} more." if len(story.cautions) > 1 else ""
    text = f"{story.cautions[0]}{more}"
    return (Card(title="Features to check", state="open", word="check", text=text, link="data"),)


def _missing(title: str, name: str) -> Card:
    state, word = _NONE
    return Card(title=title, state=state, word=word, text="", link=name)


def _largest_gap(story: Story) -> Card:
    title = "Largest gap in favourable decisions"
    if story.audit is None:
        return _missing(title, "audit")
    row = largest_gap(story.audit, "statistical_parity")
    if row is None:
        return Card(
            title=title, state="open", word="not estimable", text="Too few groups.", link="gaps"
        )
    value = points_text(row["value"], row["ci_low"], row["ci_high"])
    text = f"By {row['grouping']}: {row['group_high']} over {row['group_low']}."
    return Card(title=title, state="plain", word=value, text=text, link="gaps")


def _tree(story: Story) -> Card:
    title = "A fairer tree"
    if story.tree is None or story.tree.learned.held_out is None:
        return _missing(title, "tree")
    measured = story.tree.learned.held_out
    gap = measured.gap
    word = f"gap {points_text(gap.value, gap.low, gap.high)}"
    leaves = story.tree.learned.model.tree_.n_leaves
    text = (
        f"{leaves:,} leaves, accuracy {100 * measured.accuracy.value:.1f}% on "
        f"{measured.n_rows:,} unseen rows."
    )
    return Card(title=title, state="plain", word=word, text=text, link="tree")


def _bound(story: Story) -> Card:
    title = "Certificate of the gap"
    certificate = story.certificate
    if certificate is None:
        return _missing(title, "certificate")
    state = {True: "good", False: "bad", None: "plain"}[certificate.holds]
    word = {True: "certified", False: "not certified", None: "bound"}[certificate.holds]
    text = spelled(certificate.statement)
    return Card(title=title, state=state, word=word, text=text, link="certificate")
