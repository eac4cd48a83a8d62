"""The tree of a story: chosen on training rows, grown on them, measured on others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._errors import ArbitreeWarning
from ..._versions import versions
from ..._wording import listed
from ...groups.audit import audit_table
from ...groups.result import Audit
from ...rules.ruleset import Rules
from ...table.labels import MISSING, Outcome
from ...tree.estimator import TreeClassifier
from ...tree.favorable import favorable_mask
from ...tree.frontier_result import Frontier
from ...tree.learned import Learned
from ...tree.measured import DecidedRows, Measured, measured
from ...tree.parity import GapBudget
from ...tree.populations import grouping
from .parts import Parts, Rows
from .result import ChosenTree
from .settings import Settings

LEFT_TO_RULES = 0.2  # of a budget
PACKAGES = ("arbitree", "numpy", "scipy", "pandas")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A budget, None for a tree without one, and a sentence on why this one."""

    budget: float | None
    how: str


def bound_of(curve: Frontier | None, settings: Settings) -> Choice:
    """The budget that was asked for, else the strictest that costs little accuracy."""
    if settings.max_gap is not None:
        how = f"The tree has the budget that was asked for, {_points(settings.max_gap)}."
        return Choice(budget=settings.max_gap, how=how)
    if curve is None:
        budget = float(np.median(settings.bounds))
        how = f"There is no frontier to choose from: the tree's budget is {_points(budget)}."
        return Choice(budget=budget, how=how)
    table = curve.table.sort_values("bound", na_position="first")
    accuracy, bounds = table["accuracy"].tolist(), table["bound"].tolist()
    least = accuracy[0] - settings.accuracy_cost
    cost = f"{_points(settings.accuracy_cost)} of accuracy"
    over = f"over {curve.n_splits} splits of the training rows"
    for right, budget in zip(accuracy[1:], bounds[1:]):
        if right >= least:
            given = f"A budget of {_points(budget)}"
            how = f"{given} is the strictest that costs at most {cost}, {over}."
            return Choice(budget=budget, how=how)
    how = f"The tree has no budget: each that was tried costs more than {cost}, {over}."
    return Choice(budget=None, how=how)


def _points(share: float) -> str:
    return "1 point" if share == 0.01 else f"{100 * share:g} points"


def template(settings: Settings, rules: Rules | None, favorable: Any) -> TreeClassifier:
    """How trees of a story grow."""
    return TreeClassifier(
        rules=rules,
        contradictions="drop" if rules is not None else "error",
        max_leaf_nodes=settings.max_leaves,
        max_depth=settings.max_depth,
        min_samples_leaf=settings.min_samples_leaf,
        favorable_label=favorable,
        random_state=settings.random_state,
    )


def budget(eps: float, settings: Settings, rules: Rules | None) -> GapBudget:
    """A budget of the gap; with rules the tree is grown within less, so as to leave them room.

    A tree that spends all of its budget is above it as soon as rules change any decision, and then
    whole leaves are decided anew.
    """
    margin = 0.0 if rules is None else round(LEFT_TO_RULES * eps, 6)
    return GapBudget(eps, metric=settings.metric, joint=settings.joint, margin=margin)


def chosen_tree(
    drawn: Parts, settings: Settings, choice: Choice, rules: Rules | None
) -> ChosenTree:
    """Grow the tree on training rows; measure and audit it on test rows."""
    rng = np.random.default_rng(settings.random_state)
    rows = drawn.training.drawn(settings.tree_rows, rng)
    tree = template(settings, rules, rows.favorable)
    if choice.budget is not None:
        tree.parity = budget(choice.budget, settings, rules)
    tree, notices = _noting(
        lambda: tree.fit(
            rows.X, rows.y, sensitive_features=rows.groups, sample_weight=rows.table.weights
        )
    )
    learned = Learned(
        model=tree,
        label=rows.labels.name,
        favorable=rows.labels.how,
        metric=settings.metric,
        training=_measured(tree, rows, settings, None, rng),
        held_out=_measured(tree, drawn.test, settings, settings.confidence, rng),
        splits=tree.parity_report_,
        confidence=settings.confidence,
        random_state=settings.random_state,
        notices=notices,
        source=dict(rows.table.source or {}),
        versions=versions(*PACKAGES),
    )
    return ChosenTree(
        learned=learned,
        budget=choice.budget,
        how=choice.how,
        audit=_audit(tree, drawn.test, settings),
        n_calibration=drawn.calibration.table.n_rows,
        pooled=drawn.pooled,
        n_left_aside=drawn.n_left_aside,
    )


def _noting(fit: Callable[[], TreeClassifier]) -> tuple[TreeClassifier, tuple[str, ...]]:
    """A fitted tree, and what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tree = fit()
    for one in caught:
        if not issubclass(one.category, ArbitreeWarning):
            warnings.warn(one.message, one.category, stacklevel=2)
    ours = [str(one.message) for one in caught if issubclass(one.category, ArbitreeWarning)]
    return tree, tuple(dict.fromkeys(ours))


def _places(tree: TreeClassifier, labels: np.ndarray) -> np.ndarray:
    """The place of each label among the tree's classes; -1 of one it never saw."""
    known = {label: place for place, label in enumerate(tree.classes_.tolist())}
    return np.array([known.get(label, -1) for label in labels.tolist()])


def _measured(
    tree: TreeClassifier,
    rows: Rows,
    settings: Settings,
    confidence: float | None,
    rng: np.random.Generator,
) -> Measured:
    classes = tree.classes_.tolist()
    y = _places(tree, rows.y)
    compared = grouping(
        rows.compared,
        (),
        metric=settings.metric,
        joint=settings.joint,
        classes=classes,
        favorable=tree.favorable_,
    )
    known = y >= 0
    decided = DecidedRows(
        y=y[known],
        decided=_places(tree, tree.predict(rows.X))[known],
        group=compared.group[known],
        n_classes=len(classes),
        n_groups=len(compared.groups),
        favorable=tree.favorable_,
        weights=None if rows.table.weights is None else rows.table.weights[known],
    )
    return measured(decided, compared.populations, confidence=confidence, rng=rng)


def _audit(tree: TreeClassifier, rows: Rows, settings: Settings) -> Audit:
    """The tree's decisions on rows that it has not seen, audited as any others."""
    classes = tree.classes_.tolist()
    favored = favorable_mask(tree.favorable_, len(classes))
    codes = favored[_places(tree, tree.predict(rows.X))].astype(np.uint8)
    favorable = [label for label, is_favorable in zip(classes, favored) if is_favorable]
    decided = Outcome(
        name="the tree's decision",
        codes=codes,
        favorable=tuple(favorable),
        unfavorable=tuple(label for label in classes if label not in favorable),
        how=f"favourable: the tree's decision = {listed(favorable)}",
    )
    assert not (codes == MISSING).any()
    return audit_table(
        replace(rows.table, decisions=decided, scores=None, control=(), notices=()),
        cross=settings.cross,
        reference_group="best",
        confidence=settings.confidence,
        min_group_size=settings.min_group_size,
        n_resamples=settings.n_resamples,
        random_state=settings.random_state,
        missing=settings.missing,
    )
