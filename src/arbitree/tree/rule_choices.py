"""How a tree may learn under rules, checked."""

from __future__ import annotations

from arbitree._errors import InputError
from arbitree._wording import nearest

METHODS = ("integrated", "post-facto")


def check_rule_choices(method: object, rule_weight: object, contradictions: object) -> None:
    """Refuse what is no choice, with rules or without them."""
    from arbitree.rules.settle import CONTRADICTIONS
    from arbitree.tree.rule_counts import RULE_WEIGHTS

    choices = {
        "method": (method, METHODS),
        "rule_weight": (rule_weight, RULE_WEIGHTS),
        "contradictions": (contradictions, CONTRADICTIONS),
    }
    for name, (value, known) in choices.items():
        if not isinstance(value, str) or value not in known:
            raise InputError(f"{name} is {value!r}. {nearest(str(value), known)}")
