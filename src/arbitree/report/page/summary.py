"""The verdicts on top of a page: what passed, what failed, what is not decided."""

from __future__ import annotations

from ...groups.gate import Gate
from ..phrases import points_text, spelled, threshold_text
from ..story.result import Story
from .blocks import Card, Cards

_NONE = ("none", "not in this report")


def summary_cards(story: Story) -> Cards:
    """A verdict for each question that a reader comes with."""
    return Cards(
        cards=(_four_fifths(story), _largest_gap(story), _tree(story), _rules(story), _bound(story))
    )


def _four_fifths(story: Story) -> Card:
    limit = threshold_text(story.settings.four_fifths)
    title = f"Impact ratios at least {limit}"
    if story.audit is None:
        return _missing(title, "audit")
    gate = story.audit.check(fail_under=story.settings.four_fifths)
    state, word = _state(gate)
    told = [*gate.failures, *gate.undecided]
    n = len(story.audit.by_group)
    text = f"All {n:,} groups pass." if gate.passed else _first(told)
    return Card(title=title, state=state, word=word, text=text, link="audit")


def _state(gate: Gate) -> tuple[str, str]:
    if gate.passed:
        return "good", "passed"
    return ("bad", "failed") if gate.failures else ("open", "not decided")


def _first(told: list[str]) -> str:
    more = f" And {len(told) - 1:,} more." if len(told) > 1 else ""
    return f"{spelled(told[0])}.{more}"


def _missing(title: str, name: str) -> Card:
    state, word = _NONE
    return Card(title=title, state=state, word=word, text="", link=name)


def _largest_gap(story: Story) -> Card:
    title = "Largest gap in favourable decisions"
    if story.audit is None:
        return _missing(title, "audit")
    gaps = story.audit.gaps
    known = gaps[(gaps["metric"] == "statistical_parity") & gaps["value"].notna()]
    if known.empty:
        return Card(
            title=title, state="open", word="not estimable", text="Too few groups.", link="gaps"
        )
    row = known.loc[known["value"].idxmax()]
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


def _rules(story: Story) -> Card:
    title = "Rules never broken"
    if story.rules is None or story.rules.verified is None:
        return _missing(title, "rules")
    verified = story.rules.verified
    word = {"holds": "proved", "violated": "violated", "undecided": "not decided"}[verified.status]
    state = {"holds": "good", "violated": "bad", "undecided": "open"}[verified.status]
    held = sum(one.status == "holds" for one in verified.verdicts)
    text = f"{held:,} of {len(verified.verdicts):,} rules hold for every row that can exist."
    return Card(title=title, state=state, word=word, text=text, link="rules")


def _bound(story: Story) -> Card:
    title = "Certificate of the gap"
    certificate = story.certificate
    if certificate is None:
        return _missing(title, "certificate")
    state = {True: "good", False: "bad", None: "plain"}[certificate.holds]
    word = {True: "certified", False: "not certified", None: "bound"}[certificate.holds]
    text = spelled(certificate.statement)
    return Card(title=title, state=state, word=word, text=text, link="certificate")
