"""Rules held against an ensemble of trees: a quick search for a row, then branch and bound."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from arbitree._wording import counted
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.boxes_of_cells import RuleBox
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.forest_bounds import BoxSearch
from arbitree.rules.forest_rows import margins, rows_against
from arbitree.rules.leaf_table import LeafTable, Reach, SetWords, leaf_table
from arbitree.rules.tree_verdicts import METHOD, is_forbidden, verdict
from arbitree.rules.verification import Verdict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forest:
    """Trees over cells, and what the model itself says of rows of cells."""

    trees: CodedTrees
    frame: Callable[[np.ndarray], pd.DataFrame]  # a row of cells -> what `predict` takes
    decide: Callable[[pd.DataFrame], object]
    leaves: Callable[[], tuple[SetWords, LeafTable, np.ndarray]]  # of the first tree, and labels

    @staticmethod
    def of(
        trees: CodedTrees,
        frame: Callable[[np.ndarray], pd.DataFrame],
        decide: Callable[[pd.DataFrame], object],
    ) -> Forest:
        """The trees, whose leaves are listed when they are first needed."""
        return Forest(trees=trees, frame=frame, decide=decide, leaves=cache(lambda: _leaves(trees)))

    def against(self, bound: BoundRules, rule: BoundRule, row: np.ndarray) -> _Refuting | None:
        """The row and the decision, if the model itself decides it against the rule."""
        frame = self.frame(row)
        decision = self.decide(frame)
        return (frame, decision) if is_forbidden(bound, rule, decision) else None


_Refuting = tuple[pd.DataFrame, object]


def forest_verdict(
    bound: BoundRules,
    rule: BoundRule,
    forest: Forest,
    *,
    timeout: float,
    random_state: int,
) -> Verdict:
    """Prove a rule on a forest, or find a row that it decides otherwise.

    Parameters
    ----------
    bound : BoundRules
        Classes are those of the model, in its order.
    rule : BoundRule
    forest : Forest
    timeout : float
        Seconds.
    random_state : int
    """
    start = time.monotonic()
    trees = forest.trees
    forbids = rule.forbids & ((1 << len(trees.base)) - 1)
    if not forbids or not bound.touches(bound.space.whole, rule):
        return verdict(rule, "holds", "it forbids nothing of any row")
    if len(trees.root) == 1:
        return _by_leaves(bound, rule, forest)
    rows = rows_against(bound, rule, trees, np.random.default_rng(random_state))
    if len(rows) and margins(rule, trees.scores(rows[:1]))[0] >= -trees.tolerance:
        refuting = forest.against(bound, rule, rows[0])
        if refuting is not None:
            return _violated(rule, "search", refuting)
    return _by_bounds(bound, rule, forest, max(0.0, timeout - (time.monotonic() - start)))


def _by_bounds(bound: BoundRules, rule: BoundRule, forest: Forest, seconds: float) -> Verdict:
    found: list[_Refuting] = []

    def confirm(row: np.ndarray) -> bool:
        refuting = forest.against(bound, rule, row)
        found.extend([] if refuting is None else [refuting])
        return bool(found)

    search = BoxSearch(bound, rule, forest.trees, confirm)
    outcome, lead = search.run(seconds)
    method = f"branch and bound, {counted(search.n_parts, 'part')}"
    if search.n_ties:
        method += f", {counted(search.n_ties, 'tie')} as the model decides"
    if outcome is False:
        return _violated(rule, method, found[0])
    if outcome is None:
        return verdict(rule, "undecided", method, margin=lead)
    return verdict(rule, "holds", method)


def _by_leaves(bound: BoundRules, rule: BoundRule, forest: Forest) -> Verdict:
    """A single tree: every leaf that the rule's boxes reach."""
    trees = forest.trees
    sets, table, label = forest.leaves()
    forbidden = np.array([bool(rule.forbids >> place & 1) for place in range(len(trees.base))])
    wrong = np.flatnonzero(forbidden[label])
    unconfirmed = False
    for box in rule.boxes:
        within = RuleBox(trees, sets, box)
        whole = within.whole()
        if whole is None:
            continue
        parts = _met(table.reach[wrong], whole, within)
        for leaf in range(len(parts.low)):
            part = parts[np.array([leaf])]
            cells = None
            if all(within.tighten(part, place) for place in range(len(trees.grid))):
                cells = bound.rows.row(within.coarse(part))
            if cells is None:
                continue
            refuting = forest.against(bound, rule, within.row(part, cells))
            if refuting is not None:
                return _violated(rule, METHOD, refuting)
            unconfirmed = True
    return verdict(rule, "undecided" if unconfirmed else "holds", METHOD)


def _met(leaves: Reach, box: Reach, within: RuleBox) -> Reach:
    """What boxes of leaves have in common with a box, those that have something."""
    found = Reach(
        low=np.maximum(leaves.low, box.low),
        high=np.minimum(leaves.high, box.high),
        missing=leaves.missing & box.missing,
        words=leaves.words & box.words,
    )
    kept = ((found.low <= found.high) | found.missing).all(axis=1)
    for place in within.sets.axes:
        kept &= found.words[:, within.sets.of(place)].any(axis=1)
    return found[np.flatnonzero(kept)]


def _leaves(trees: CodedTrees) -> tuple[SetWords, LeafTable, np.ndarray]:
    sets = SetWords(trees)
    whole = RuleBox(trees, sets, {}).whole()
    assert whole is not None
    table = leaf_table(trees, sets, whole)
    return sets, table, (table.value + trees.base).argmax(axis=1)


def _violated(rule: BoundRule, method: str, refuting: _Refuting) -> Verdict:
    frame, decision = refuting
    return verdict(rule, "violated", method, decision=decision, counterexample=frame)
