"""Rules held against an ensemble of trees: a quick search for a row, then branch and bound."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from arbitree._wording import counted
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.forest_bounds import BoxSearch
from arbitree.rules.forest_rows import margins, rows_against
from arbitree.rules.leaf_table import LeafTable, leaf_table
from arbitree.rules.sums_of_trees import SumOfTrees
from arbitree.rules.tree_verdicts import is_forbidden, verdict
from arbitree.rules.verification import Verdict
from arbitree.rules.witness import Decide, as_frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """An ensemble of trees as the search reads it."""

    sums: SumOfTrees
    places: tuple[int, ...]  # the axis of each column
    table: Callable[[], LeafTable]  # made when it is first needed
    decide: Decide  # the model's own

    @staticmethod
    def of(sums: SumOfTrees, places: Sequence[int], n_axes: int, decide: Decide) -> Forest:
        """What a fitted ensemble decides by, and its own decision."""
        return Forest(
            sums=sums,
            places=tuple(places),
            table=cache(lambda: leaf_table(sums, places, n_axes)),
            decide=decide,
        )

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Scores of rows of numbers in the order of the axes."""
        return self.sums.scores(rows[:, self.places])


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
    forbids = rule.forbids & ((1 << len(forest.sums.base)) - 1)
    if not forbids or not bound.touches(bound.space.whole, rule):
        return verdict(rule, "holds", "it forbids nothing of any row")
    decide, scores = forest.decide, forest.scores
    cuts = forest.sums.thresholds(forest.places, len(bound.space.axes))
    rows = rows_against(bound, rule, cuts, scores, np.random.default_rng(random_state))
    if len(rows) and margins(bound, rule, scores(rows[:1]))[0] >= 0:
        frame = as_frame(_as_row(bound, rows[0]), bound.space)
        decision = decide(frame)
        if is_forbidden(bound, rule, decision):
            return verdict(rule, "violated", "search", decision=decision, counterexample=frame)
    found: list[tuple[pd.DataFrame, object]] = []

    def confirm(cells: tuple[int, ...], limits: dict[int, tuple[float, float]]) -> bool:
        frame = as_frame(bound.row(cells, within=limits), bound.space)
        decision = decide(frame)
        if is_forbidden(bound, rule, decision):
            found.append((frame, decision))
        return bool(found)

    search = BoxSearch(bound, rule, forest.table(), confirm)
    outcome, lead = search.run(max(0.0, timeout - (time.monotonic() - start)))
    method = f"branch and bound, {counted(search.n_parts, 'part')}"
    if search.n_ties:
        method += f", {counted(search.n_ties, 'tie')} as the model decides"
    if outcome is False:
        frame, decision = found[0]
        return verdict(rule, "violated", method, decision=decision, counterexample=frame)
    if outcome is None:
        return verdict(rule, "undecided", method, margin=lead)
    return verdict(rule, "holds", method)


def _as_row(bound: BoundRules, numbers: np.ndarray) -> dict[Any, Any]:
    return {
        axis.name: None if np.isnan(x) else float(x)
        for axis, x in zip(bound.space.axes, numbers.tolist())
    }
