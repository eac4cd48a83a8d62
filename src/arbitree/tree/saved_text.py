"""A fitted estimator as the text of ``tree.json``: its tree, and what its methods need besides."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from arbitree.model.tree_json import WITH_RULES, to_dict
from arbitree.table.levels import level_to_json
from arbitree.tree.favorable import labels_of
from arbitree.tree.parity import Covariance, GapBudget, SplitGap
from arbitree.tree.populations import Population
from arbitree.tree.saved_rules import features_of_rules, rules_to_dict

PARITIES = {kind.__name__: kind for kind in (Covariance, SplitGap, GapBudget)}


def saved_text(estimator: Any) -> str:
    """The text of ``tree.json``; the same fitted estimator gives the same text.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.

    Raises
    ------
    InputError
        If a class or a level is of a type that cannot be written.
    """
    also = features_of_rules(estimator) if estimator.domain_ is not None else ()
    tree = to_dict(estimator.tree_, also)
    nodes = tree.pop("nodes")
    under_rules = rules_to_dict(estimator) if estimator.domain_ is not None else {}
    if under_rules:
        tree["version"] = WITH_RULES
    saved = {
        **tree,
        "named": hasattr(estimator, "feature_names_in_"),
        "favorable": labels_of(estimator.favorable_, tree["classes"]),
        **({"favorable_assumed": True} if estimator.favorable_assumed_ else {}),
        "populations": [_population(one) for one in estimator.populations_],
        "constant_reason": estimator.constant_reason_,
        "parameters": _parameters(estimator),
        **under_rules,
        "nodes": nodes,
    }
    return json.dumps(saved, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def _population(one: Population) -> dict[str, Any]:
    return {
        "grouping": one.grouping,
        "condition": one.condition,
        "groups": list(one.groups),
        "members": one.members.astype(int).tolist(),
    }


def _parameters(estimator: Any) -> dict[str, Any]:
    """Parameters that are not the default; those that only live in memory are left out."""
    defaults = type(estimator)().get_params(deep=False)
    found = {}
    for name, value in estimator.get_params(deep=False).items():
        written = _value(value)
        in_full = name == "rules" and estimator.domain_ is not None
        if written is not None and not in_full and written != _value(defaults[name]):
            found[name] = written
    return found


def _value(value: Any) -> Any:
    """A parameter as strict JSON; None for what cannot be written."""
    if type(value) in PARITIES.values():
        return {"type": type(value).__name__, **{k: _value(v) for k, v in asdict(value).items()}}
    if isinstance(value, list | tuple | set | np.ndarray):
        return {"labels": [_value(label) for label in value]}
    if isinstance(value, dict):
        return {"pairs": [[_value(label), _value(weight)] for label, weight in value.items()]}
    plain = value.item() if isinstance(value, np.generic) else value
    return level_to_json(plain) if isinstance(plain, str | bool | int | float) else None
