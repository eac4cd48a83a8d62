"""How a tree may learn under rules, checked."""

from __future__ import annotations

from arbitree.tree.options import one_of

METHODS = ("integrated", "post-facto")


def check_rule_choices(method: object, rule_weight: object, contradictions: object) -> None:
    """Refuse what is no choice, with rules or without them."""
    from arbitree.rules.settle import CONTRADICTIONS
    from arbitree.tree.rule_counts import RULE_WEIGHTS

    one_of("method", method, METHODS)
    one_of("rule_weight", rule_weight, RULE_WEIGHTS)
    one_of("contradictions", contradictions, CONTRADICTIONS)
