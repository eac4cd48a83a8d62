"""The second half of a story: frontier, chosen tree, rules, certificate."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._errors import ArbitreeWarning, InputError
from ...certificate.fairness import certify
from ...certificate.result import Certificate
from ...rules.ruleset import Rules
from ...rules.verify import verify
from ...table.coded import CodedTable
from ...tree.frontier import frontier
from ...tree.frontier_result import Frontier
from ...tree.parity import GapBudget
from .chosen import bound_of, chosen_tree, template
from .parts import Parts, parts
from .result import ChosenTree, RulesFound
from .settings import Settings

Made = Callable[[str, Callable[[], Any]], Any]

NO_LABELS = "No column of labels was given (--label), and a tree needs one to learn from."
NO_FEATURES = "No column is left for a tree to ask for: every column has another role."
NO_TREE = "There is no tree to certify."
NO_RULES = "No rules were given (--rules): nothing was checked, and nothing is claimed, of them."
WEIGHTED = "Rows have weights, and this part counts independent rows."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TreeSteps:
    """What was made; None where a part is absent or failed."""

    frontier: Frontier | None = None
    tree: ChosenTree | None = None
    rules: RulesFound | None = None
    certificate: Certificate | None = None


def tree_steps(
    table: CodedTable,
    settings: Settings,
    rules: Rules | None,
    made: Made,
    absent: dict[str, str],
) -> TreeSteps:
    """Make what the table allows, one part after the other.

    Parameters
    ----------
    table : CodedTable
    settings : Settings
    rules : Rules or None
    made : callable
        Makes a part, or keeps the words of its error.
    absent : dict
        Takes the reason of each part that the input does not allow.
    """
    if rules is None:
        absent["rules"] = NO_RULES
    reason = _no_tree(table)
    if reason is not None:
        absent |= dict.fromkeys(("frontier", "tree"), reason) | {"certificate": NO_TREE}
        found = None if rules is None else made("rules", lambda: _rules_alone(rules))
        return TreeSteps(rules=found)
    drawn = made("tree", lambda: parts(table, settings))
    if drawn is None:
        absent |= {"frontier": "There is no tree.", "certificate": NO_TREE}
        return TreeSteps()
    return _steps(drawn, settings, rules, made, absent)


def _no_tree(table: CodedTable) -> str | None:
    if table.labels is None or table.labels.level is None:
        return NO_LABELS
    return None if table.features else NO_FEATURES


def _steps(
    drawn: Parts, settings: Settings, rules: Rules | None, made: Made, absent: dict[str, str]
) -> TreeSteps:
    weighted = drawn.training.table.weights is not None
    check = None if rules is None else made("rules", lambda: _checked(rules, drawn))
    obeyed = rules if check is not None and check.check.consistent else None
    curve = None
    if weighted:
        absent["frontier"] = absent["certificate"] = WEIGHTED
    else:
        curve = made("frontier", lambda: _frontier(drawn, settings, obeyed))
    choice = bound_of(curve, settings)
    tree = made("tree", lambda: chosen_tree(drawn, settings, choice, obeyed))
    if tree is None:
        absent.setdefault("certificate", NO_TREE)
        return TreeSteps(frontier=curve, rules=check)
    verified = made("rules", lambda: _verified(check, tree, settings)) if check else None
    certificate = None
    if not weighted:
        certificate = made("certificate", lambda: _certificate(drawn, settings, tree))
    return TreeSteps(frontier=curve, tree=tree, rules=verified or check, certificate=certificate)


def _frontier(drawn: Parts, settings: Settings, rules: Rules | None) -> Frontier:
    rng = np.random.default_rng(settings.random_state)
    rows = drawn.training.drawn(settings.frontier_rows, rng)
    asked = () if settings.max_gap is None else (settings.max_gap,)
    budgets = sorted({*settings.bounds, *asked})
    bounds = [GapBudget(eps, metric=settings.metric, joint=settings.joint) for eps in budgets]
    with warnings.catch_warnings():  # each tree would say the same as the chosen one
        warnings.simplefilter("ignore", ArbitreeWarning)
        return frontier(
            rows.X,
            rows.y,
            sensitive_features=rows.groups,
            parity=[None, *bounds],
            tree=template(settings, rules, rows.favorable),
            metric=settings.metric,
            joint=settings.joint,
            favorable_label=rows.favorable,
            n_splits=settings.n_splits,
            confidence=settings.confidence,
            random_state=settings.random_state,
        )


def _rules_alone(rules: Rules) -> RulesFound:
    return RulesFound(rules=rules, check=rules.check(), verified=None, learnt_under=False)


def _checked(rules: Rules, drawn: Parts) -> RulesFound:
    rows = drawn.training
    return RulesFound(
        rules=rules,
        check=rules.check(rows.X, classes=np.unique(rows.y)),
        verified=None,
        learnt_under=False,
    )


def _verified(found: RulesFound, tree: ChosenTree, settings: Settings) -> RulesFound:
    if not found.check.consistent:
        return found
    model = tree.learned.model
    return RulesFound(
        rules=found.rules,
        check=found.check,
        verified=verify(model, found.rules, timeout=settings.timeout),
        learnt_under=model.rules is not None,
    )


def _certificate(drawn: Parts, settings: Settings, tree: ChosenTree) -> Certificate:
    rows, model = drawn.calibration, tree.learned.model
    if not rows.table.n_rows:
        raise InputError("No rows were kept for the certificate. Pass a calibration_share.")
    return certify(
        model,
        rows.X,
        rows.y,
        sensitive_features=rows.groups,
        metric=settings.metric,
        joint=settings.joint,
        confidence=settings.confidence,
        favorable_label=rows.favorable,
        missing=settings.missing,
    )
