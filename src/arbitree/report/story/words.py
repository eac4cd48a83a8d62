"""One plain sentence for each section of a story."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd

from ..._tables import visible
from ..._wording import counted
from ...groups.result import Audit
from ...influence.readings import is_much_unexplained
from ...influence.result import Influence
from ..influence_phrases import joined
from ..phrases import percent, spelled
from .large_groups import LargeGap, large_gap
from .result import SECTIONS, Story

NAMED = 3  # sets of features of a sentence


def sentences(story: Story) -> dict[str, str]:
    """A sentence for each section, also for those that are absent or failed."""
    told: dict[str, Callable[[Story], str]] = {
        "data": _data,
        "audit": _audit,
        "influence": _influence,
        "frontier": _frontier,
        "tree": _tree,
        "rules": _rules,
        "certificate": _certificate,
        "untested": lambda _: "What follows was not tested, and is not claimed.",
        "provenance": lambda _: (
            "The same file, command and versions give the same numbers, byte for byte."
        ),
    }
    return {name: _sentence(story, name, told[name]) for name in SECTIONS}


def _sentence(story: Story, name: str, words: Callable[[Story], str]) -> str:
    if name in story.absent:
        return story.absent[name]
    if name in story.failed and not (name == "influence" and story.influences):
        return f"This part failed: {story.failed[name]}"
    return words(story)


def _data(story: Story) -> str:
    data = story.data
    what = f"decisions of {data.decision}" if data.decision else f"labels of {data.label}"
    if data.decision and data.label:
        what += f" and labels of {data.label}"
    whole = data.n_read == data.n_rows
    rows = counted(data.n_rows, "row") if whole else f"{data.n_rows:,} of {data.n_read:,} rows"
    return visible(f"{rows} of {data.name}, with {what}, by {' and '.join(data.sensitive)}.")


def _audit(story: Story) -> str:
    assert story.audit is not None
    selected = "have the favourable label" if story.data.audits_labels else "are selected"
    return widest(large_gap(story.audit, story.settings), story.audit, selected)


def widest(found: LargeGap | None, audit: Audit, selected: str) -> str:
    """The gap of selection rates that stands out most among single columns, in a sentence."""
    if found is None:
        gaps = audit.gaps[audit.gaps["metric"] == "statistical_parity"]
        return f"No gap can be estimated: {spelled(str(gaps.iloc[0]['status']))}."
    rates = [percent(rate) for rate in (found.rate_low, found.rate_high)]
    if found.value == 0:
        return f"All groups {selected} equally often: {rates[1]}."
    points = f"{100 * found.value:.1f}{_interval(found.low, found.high)}"
    return (
        f"{_named(found.grouping, found.group_low)} {selected} {points} points less often than "
        f"{_named(found.grouping, found.group_high)} ({' against '.join(rates)})."
    )


def _named(grouping: str, group: str) -> str:
    """A group as a sentence names it: with its column where its name is only a code.

    >>> _named("sex", "Female"), _named("sex", "2")
    ('Female', 'sex = 2')
    """
    return visible(group if any(map(str.isalpha, group)) else f"{grouping} = {group}")


def _interval(low: float, high: float) -> str:
    if pd.isna(low) or pd.isna(high):
        return ""
    return f" [{100 * low:.1f}, {100 * high:.1f}]"


def _influence(story: Story) -> str:
    largest = max(story.influences, key=lambda one: one.gap)
    said = carried(largest)
    if story.data.n_rows > story.settings.influence_rows:
        said = f"On {story.settings.influence_rows:,} rows drawn at random: {said}"
    failed = story.failed.get("influence")
    return said if failed is None else f"{said} Not explained: {failed}"


def carried(one: Influence) -> str:
    """The gap, and the sets of features that carry most of it."""
    gap = f"{100 * one.gap:.1f} points"
    who = f"{visible(one.group_high)} over {visible(one.group_low)}"
    table = one.table[one.table["influence"].abs() >= 0.0005]
    if table.empty:
        return f"Of the {spelled(one.metric)} gap of {gap} ({who}) no feature carries a part."
    parts = [
        f"{100 * row['influence']:.1f}{_interval(row['ci_low'], row['ci_high'])} through "
        f"{joined(row['features'])}"
        for row in table.head(NAMED).to_dict("records")
    ]
    rest = f"{100 * one.unexplained:.1f} are unexplained"
    if is_much_unexplained(one) and not one.constant:
        rest += ", of decisions that these columns do not reproduce"
    return f"Of the {spelled(one.metric)} gap of {gap} ({who}), {', '.join(parts)}; {rest}."


def _frontier(story: Story) -> str:
    assert story.frontier is not None
    rows = story.frontier.table.to_dict("records")
    free = next((row for row in rows if math.isnan(row["bound"])), rows[0])
    chosen = None if story.tree is None else story.tree.budget
    other = next((row for row in rows if row["bound"] == chosen), None)
    said = "with the budget that was chosen"
    if other is None:
        bounded = [row for row in rows if not math.isnan(row["bound"])]
        other, said = min(bounded, key=lambda row: row["bound"]), "with the strictest budget"
    return (
        f"Over {story.frontier.n_splits} splits, a tree without a budget is right in "
        f"{percent(free['accuracy'])} of held-out cases with a gap of {100 * free['gap']:.1f} "
        f"points; {said}, {100 * other['bound']:g} points, {percent(other['accuracy'])} and "
        f"{100 * other['gap']:.1f}."
    )


def _tree(story: Story) -> str:
    assert story.tree is not None
    learned = story.tree.learned
    found = learned.held_out or learned.training
    leaves = counted(learned.model.tree_.n_leaves, "leaf").replace("leafs", "leaves")
    text = f"A tree of {leaves} is right in {percent(found.accuracy.value)} of cases"
    if learned.model.constant_reason_:
        text = (
            f"The tree decides alike for everybody, and is right in {percent(found.accuracy.value)}"
        )
    gap = found.gap
    points = f"{100 * gap.value:.1f}{_interval(gap.low, gap.high)}"
    return (
        f"{text}, with a {spelled(learned.metric)} gap of {points} points, on {found.n_rows:,} "
        f"rows that it has not seen{_decisions_for_comparison(story)}."
    )


def _decisions_for_comparison(story: Story) -> str:
    """How often the decisions themselves are right, where labels say it."""
    if story.audit is None or story.data.audits_labels or story.audit.control:
        return ""
    right = story.audit.overall.iloc[0].to_dict().get("accuracy", float("nan"))
    return (
        "" if math.isnan(right) else f"; the decisions of {story.data.decision}: {percent(right)}"
    )


def _rules(story: Story) -> str:
    assert story.rules is not None
    n = counted(len(story.rules.rules.rules), "rule")
    if not story.rules.check.consistent:
        return f"The {n} contradict each other, so that no tree could obey them."
    verified = story.rules.verified
    if verified is None:
        return f"The {n} do not contradict each other; there is no tree to hold against them."
    if verified.status == "holds":
        return f"The tree obeys the {n} on every row that can exist: proved, not sampled."
    broken = sum(one.status == verified.status for one in verified.verdicts)
    return f"Of {n}, {broken} {'is' if broken == 1 else 'are'} {verified.status}."


def _certificate(story: Story) -> str:
    assert story.certificate is not None
    return spelled(story.certificate.statement)
