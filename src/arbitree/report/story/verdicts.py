"""What passed, failed or could not be decided: the same in page, JSON and exit status."""

from __future__ import annotations

from collections.abc import Iterator

from ..._wording import counted
from ...rules.verification import Verification
from .result import Finding, Story

PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"
_OF_STATUS = {"holds": PASSED, "violated": FAILED, "undecided": UNDECIDED}


def verdicts(story: Story) -> tuple[Finding, ...]:
    """Every verdict of a story, in the order of its sections.

    Those that were asked for (`Finding.gate`) decide the exit status of the command.
    """
    return (*_impact_ratios(story), *_gap(story), *_rules(story), *_failures(story))


def _impact_ratios(story: Story) -> Iterator[Finding]:
    if story.audit is None:
        return
    asked = story.settings.fail_under is not None
    limit = story.settings.fail_under if asked else story.settings.four_fifths
    gate = story.audit.check(fail_under=limit)
    status = PASSED if gate.passed else FAILED if gate.failures else UNDECIDED
    words = {
        PASSED: f"every impact ratio is at least {limit:g}",
        FAILED: f"{counted(len(gate.failures), 'impact ratio')} below {limit:g}",
        UNDECIDED: f"{counted(len(gate.undecided), 'impact ratio')} not estimable",
    }
    yield Finding(
        section="audit",
        name="impact ratios",
        status=status,
        sentence=words[status],
        details=(*gate.failures, *gate.undecided),
        gate=asked,
    )


def _gap(story: Story) -> Iterator[Finding]:
    """Whether the budget that was asked for holds on test rows, but for chance."""
    limit = story.settings.max_gap
    if limit is None or story.tree is None or story.tree.learned.held_out is None:
        return
    gap = story.tree.learned.held_out.gap
    status = UNDECIDED if gap.value != gap.value else FAILED if gap.low > limit else PASSED
    found = f"the tree's gap on test rows is {100 * gap.value:.1f} points"
    words = {
        PASSED: f"{found}, not above {100 * limit:g} by more than chance",
        FAILED: f"{found}, above {100 * limit:g} by more than chance",
        UNDECIDED: "the tree's gap on test rows is not estimable",
    }
    yield Finding(
        section="tree", name="gap of the tree", status=status, sentence=words[status], gate=True
    )


def _rules(story: Story) -> Iterator[Finding]:
    found = story.rules
    if found is None:
        return
    if not found.check.consistent:
        said = "the rules contradict each other"
        yield Finding(section="rules", name="rules", status=FAILED, sentence=said, gate=True)
    for who, one in (("model", found.of_model), ("tree", found.verified)):
        if one is not None:
            yield _verified(who, one)


def _verified(who: str, one: Verification) -> Finding:
    words = {
        "holds": f"the {who} obeys every rule on every row that can exist",
        "violated": f"the {who} breaks a rule, and a row that shows it was made",
        "undecided": f"of the {who} not every rule could be decided",
    }
    return Finding(
        section="rules",
        name=f"rules of the {who}",
        status=_OF_STATUS[one.status],
        sentence=words[one.status],
        details=tuple(
            f"{verdict.rule}: {verdict.status}"
            for verdict in one.verdicts
            if verdict.status != "holds"
        ),
        gate=True,
    )


def _failures(story: Story) -> Iterator[Finding]:
    for name, error in story.failed.items():
        yield Finding(
            section=name, name=name, status=UNDECIDED, sentence=f"failed: {error}", gate=True
        )


def exit_status(found: tuple[Finding, ...]) -> int:
    """0 fine, 1 a gate or a rule failed, 3 something could not be estimated or decided."""
    status = {one.status for one in found if one.gate}
    return 1 if FAILED in status else 3 if UNDECIDED in status else 0
