"""Rules held against the leaves of one tree: exact, leaf by leaf."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.leaves import Leaf
from arbitree.rules.space import meet
from arbitree.rules.text import statement_text
from arbitree.rules.values import place_of, plain_value
from arbitree.rules.verification import Verdict
from arbitree.rules.witness import Decide, as_frame

METHOD = "every leaf"


def tree_verdict(
    bound: BoundRules, rule: BoundRule, leaves: Sequence[Leaf], decide: Decide
) -> Verdict:
    """Look for a leaf that decides a row, which a rule holds of, against the rule.

    Parameters
    ----------
    bound : BoundRules
        Classes are those of the model, in its order.
    rule : BoundRule
    leaves : sequence of Leaf
    decide : callable
        The model's own decision on a frame of one row.
    """
    unconfirmed = False
    for leaf in leaves:
        if not rule.forbids >> leaf.label & 1:
            continue
        for box in rule.boxes:
            met = meet(leaf.masks, box)
            cells = None if met is None else bound.rows.row(met)
            if cells is None:
                continue
            frame = as_frame(bound.row(cells, within=leaf.limits), bound.space)
            decision = decide(frame)
            if is_forbidden(bound, rule, decision):
                return verdict(rule, "violated", METHOD, decision=decision, counterexample=frame)
            unconfirmed = True
    return verdict(rule, "undecided" if unconfirmed else "holds", METHOD)


def is_forbidden(bound: BoundRules, rule: BoundRule, decision: object) -> bool:
    """Whether a rule forbids a label that a model gave."""
    place = place_of(plain_value(decision), bound.classes)
    return place is not None and bool(rule.forbids >> place & 1)


def verdict(rule: BoundRule, status: str, method: str, **found: object) -> Verdict:
    """A verdict with what is known of the rule."""
    return Verdict(
        rule=rule.name,
        text=statement_text(rule.rule),
        status=status,  # type: ignore[arg-type]
        method=method,
        severity=rule.rule.severity,
        reason=rule.rule.reason,
        **found,  # type: ignore[arg-type]
    )
