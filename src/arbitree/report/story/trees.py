"""The second half of a story: frontier, chosen tree, rules, certificate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._errors import InputError
from ...certificate.fairness import certify
from ...certificate.result import Certificate
from ...rules.ruleset import Rules
from ...rules.verify import verify
from ...table.coded import CodedTable
from ...table.decoded import frame_of
from ...tree.frontier import frontier
from ...tree.frontier_result import Frontier
from .chosen import bound_of, budget, chosen_tree, template
from .making import Making
from .parts import Parts, parts
from .result import ChosenTree, RulesFound
from .screening import screened
from .settings import Settings

NO_LABELS = "No column of labels was given (--label), and a tree needs one to learn from."
NO_FEATURES = "No column is left for a tree to ask for: every column has another role."
NO_TREE = "There is no tree."
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
    table: CodedTable, settings: Settings, rules: Rules | None, model: Any, making: Making
) -> TreeSteps:
    """Make what the table allows, one part after the other.

    Parameters
    ----------
    table : CodedTable
    settings : Settings
    rules : Rules or None
    model : object or None
        Held against the rules.
    making : Making
        Keeps why a part is absent, or failed.
    """
    if rules is None:
        making.absent["rules"] = NO_RULES
    reason = _no_tree(table)
    drawn = (
        None if reason else making.made("tree", lambda: screened(parts(table, settings), settings))
    )
    if drawn is None:
        reasons = {"frontier": NO_TREE, "certificate": NO_TREE}
        making.absent.update(dict.fromkeys(("frontier", "tree"), reason) if reason else reasons)
        making.absent["certificate"] = NO_TREE
        made = None if rules is None else making.made("rules", lambda: _alone(rules, table, model))
        return TreeSteps(rules=made)
    return _steps(drawn, settings, rules, model, making)


def _drawn(table: CodedTable, settings: Settings, rules: Rules | None) -> Parts:
    named = "" if rules is None else rules.to_text()
    return screened(parts(table, settings), settings, named=named)


def _no_tree(table: CodedTable) -> str | None:
    if table.labels is None or table.labels.level is None:
        return NO_LABELS
    return None if table.features else NO_FEATURES


def _steps(
    drawn: Parts, settings: Settings, rules: Rules | None, model: Any, making: Making
) -> TreeSteps:
    weighted = drawn.training.table.weights is not None
    check = None
    if rules is not None:
        check = making.made("rules", lambda: _checked(rules, drawn, model, settings))
    obeyed = rules if check is not None and check.check.consistent else None
    curve = None
    if weighted:
        making.absent.update(dict.fromkeys(("frontier", "certificate"), WEIGHTED))
    else:
        curve = making.made("frontier", lambda: _frontier(drawn, settings, obeyed))
    choice = bound_of(curve, settings)
    tree = making.made("tree", lambda: chosen_tree(drawn, settings, choice, obeyed))
    if tree is None:
        making.absent["certificate"] = NO_TREE
        return TreeSteps(frontier=curve, rules=check)
    verified = None
    if check is not None and obeyed is not None:
        verified = making.made("rules", lambda: _verified(check, tree, settings))
    certificate = None
    if not weighted:
        certificate = making.made("certificate", lambda: _certificate(drawn, settings, tree))
    return TreeSteps(frontier=curve, tree=tree, rules=verified or check, certificate=certificate)


def _frontier(drawn: Parts, settings: Settings, rules: Rules | None) -> Frontier:
    rng = np.random.default_rng(settings.random_state)
    rows = drawn.training.drawn(settings.frontier_rows, rng)
    asked = () if settings.max_gap is None else (settings.max_gap,)
    budgets = sorted({*settings.bounds, *asked})
    bounds = [budget(eps, settings, rules) for eps in budgets]
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


def _alone(rules: Rules, table: CodedTable, model: Any) -> RulesFound:
    """Rules without a tree."""
    check = rules.check(frame_of(table.features) if table.features else None)
    return RulesFound(
        rules=rules,
        check=check,
        verified=None,
        learnt_under=False,
        of_model=None if model is None or not check.consistent else verify(model, rules),
    )


def _checked(rules: Rules, drawn: Parts, model: Any, settings: Settings) -> RulesFound:
    rows = drawn.training
    check = rules.check(rows.X, classes=np.unique(rows.y))
    of_model = None
    if model is not None and check.consistent:
        of_model = verify(model, rules, timeout=settings.timeout)
    return RulesFound(
        rules=rules, check=check, verified=None, learnt_under=False, of_model=of_model
    )


def _verified(found: RulesFound, tree: ChosenTree, settings: Settings) -> RulesFound:
    model = tree.learned.model
    return replace(
        found,
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
