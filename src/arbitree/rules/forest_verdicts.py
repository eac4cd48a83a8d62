"""Rules held against a forest: a quick search for a row, then branch and bound."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from arbitree._wording import counted
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.forest_bounds import BoxSearch
from arbitree.rules.forest_rows import Scores, margins, rows_against
from arbitree.rules.leaf_table import LeafTable
from arbitree.rules.tree_verdicts import is_forbidden, verdict
from arbitree.rules.verification import Verdict
from arbitree.rules.witness import Decide, as_frame


def forest_verdict(
    bound: BoundRules,
    rule: BoundRule,
    table: LeafTable,
    decide: Decide,
    scores: Scores,
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
    table : LeafTable
    decide, scores : callable
        The model's own decision on a frame of one row, and its shares of classes on many.
    timeout : float
        Seconds.
    random_state : int
    """
    start = time.monotonic()
    forbids = rule.forbids & ((1 << table.value.shape[1]) - 1)
    if not forbids or not bound.touches(bound.space.whole, rule):
        return verdict(rule, "holds", "it forbids nothing of any row")
    rows = rows_against(bound, rule, table, scores, np.random.default_rng(random_state))
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

    search = BoxSearch(bound, rule, table, confirm)
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
