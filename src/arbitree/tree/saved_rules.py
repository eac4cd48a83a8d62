"""What ``tree.json`` keeps of the rules that a tree was learnt with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree.model.tree import LEAF

if TYPE_CHECKING:
    from arbitree.rules.ruleset import Rules

_NUMBERS = (
    *("n_nodes_grown", "n_nodes", "weight_changed", "errors_grown", "errors"),
    *("gap_grown", "gap", "budget", "least_gap"),
)
_ROWS = ("contradicting", "impossible")


def rules_of(estimator: Any) -> Rules:
    """The rules of a tree that was learnt with some."""
    from arbitree.rules.ruleset import Rules

    given = estimator.rules
    return Rules.parse(given) if isinstance(given, str) else given


def features_of_rules(estimator: Any) -> set[Hashable]:
    """Names of the features that rules speak of."""
    from arbitree.rules.bind import atoms_of
    from arbitree.rules.conditions import feature_text

    named = {atom.feature for atom in atoms_of(rules_of(estimator).statements)}
    return {one.name for one in estimator.tree_.features if feature_text(one.name) in named}


def rules_to_dict(estimator: Any) -> dict[str, Any]:
    """Rules, the domain on which the tree obeys them, and what they changed."""
    rules, effect = rules_of(estimator), estimator.rule_effect_
    return {
        "rules": rules.to_dict(),
        "domain": _domain(estimator, rules),
        "rule_effect": {
            **{name: _plain(getattr(effect, name)) for name in _NUMBERS},
            **{name: getattr(effect, name).tolist() for name in _ROWS},
            "unsafe_leaves": list(effect.unsafe_leaves),
        },
    }


def restore_rules(estimator: Any, data: Mapping[str, Any]) -> None:
    """Give an estimator what `rules_to_dict` wrote of another."""
    from arbitree.rules.bind import atoms_of
    from arbitree.rules.domain_json import domain_from_dict
    from arbitree.rules.ruleset import Rules
    from arbitree.tree.rule_effect import RuleEffect

    rules = Rules.from_dict(data["rules"])
    effect = data["rule_effect"]
    estimator.rules = rules
    estimator.domain_ = domain_from_dict(data["domain"], atoms_of(rules.statements))
    rows: dict[str, Any] = {name: np.array(effect[name], np.int64) for name in _ROWS}
    estimator.rule_effect_ = RuleEffect(
        **{name: effect[name] for name in _NUMBERS},
        **rows,
        unsafe_leaves=tuple(effect["unsafe_leaves"]),
    )


def _domain(estimator: Any, rules: Rules) -> list[dict[str, Any]]:
    """Levels of the training rows only where a split or a rule reads them, or no others may be."""
    from arbitree.rules.bind import atoms_of
    from arbitree.rules.conditions import feature_text
    from arbitree.rules.domain_json import domain_to_dict

    tree, space = estimator.tree_, estimator.domain_
    read = {feature_text(tree.features[j].name) for j in set(tree.feature.tolist()) - {LEAF}}
    read |= {atom.feature for atom in atoms_of(rules.statements)}
    return [
        entry
        if feature_text(axis.name) in read or not entry.get("other")
        else {**entry, "levels": []}
        for axis, entry in zip(space.axes, domain_to_dict(space))
    ]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
