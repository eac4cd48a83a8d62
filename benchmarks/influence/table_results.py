"""All results by instance: what each method gave, read from the files the runs left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import table_ours
from instances import Instance, Problem, all_instances, explained_condition, explained_problem
from table_lines import Line, results


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explained:
    """One gap, and the lines of every run that explained it."""

    instance: Instance
    metric: str  # "sp", "eo" or "pp"
    problem: Problem
    ours: dict[tuple[int, str], Line]  # by order and setting
    reference: dict[int, Line]  # by order
    held_out: dict[int, Line]  # the reference's, by order
    shap: Line

    @property
    def cell(self) -> tuple[str, str]:
        return self.instance.dataset, self.instance.classifier

    @property
    def smaller(self) -> int:
        """Rows of the smaller group."""
        groups = self.problem.groups
        return int(min((groups == one).sum() for one in (self.problem.high, self.problem.low)))


def everything() -> list[Explained]:
    """Every gap of every instance: 480 of each metric."""
    ours, by_shap = results("ours"), results("shap")
    reference = {order: results(f"reference-{order}") for order in (1, 2)}
    held_out = {order: results(f"held-out-{order}") for order in (1, 2)}
    return [
        Explained(
            instance=one,
            metric=metric,
            problem=explained_problem(one, metric),
            ours=_ours(ours, one, metric),
            reference=_by_order(reference, f"{one.key}/{explained_condition(one, metric)}"),
            held_out=_by_order(held_out, f"{one.key}/{explained_condition(one, metric)}"),
            shap=by_shap.get(f"{one.key}/{metric}", {}),
        )
        for metric in table_ours.METRICS
        for one in all_instances()
    ]


def _ours(lines: dict[str, Line], one: Instance, metric: str) -> dict[tuple[int, str], Line]:
    keys = {
        (order, setting): table_ours.run_key(one, metric, order, setting)
        for order in (1, 2)
        for setting in table_ours.SETTINGS
    }
    return {key: lines[text] for key, text in keys.items() if text in lines}


def _by_order(lines: dict[int, dict[str, Line]], key: str) -> dict[int, Line]:
    return {order: found[key] for order, found in lines.items() if key in found}


def error(line: Line | None, gap: float) -> float:
    """Distance of the sum from the gap; NaN where there is no sum."""
    if not line or line.get("sum") is None:
        return np.nan
    return abs(line["sum"] - gap)


def errors(cases: list[Explained], method: str, order: int = 1) -> np.ndarray:
    """Of "default", "in-sample", "reference" or "shap"; NaN where it has no answer."""
    return np.array([error(_line(case, method, order), case.problem.gap) for case in cases])


def _line(case: Explained, method: str, order: int) -> Line | None:
    if method == "shap":
        return case.shap
    if method == "reference":
        return case.reference.get(order)
    return case.ours.get((order, method))


def times(cases: list[Explained], method: str, order: int = 1) -> np.ndarray:
    """CPU seconds of those that have an answer."""
    lines = [_line(case, method, order) for case in cases]
    return np.array([line["cpu"] for line in lines if line and line.get("sum") is not None])


def shares(line: Line | None) -> tuple[float, float, float]:
    """Of the variance explained in a fit and outside it, and R2 outside; mean of both groups."""
    if not line or "r2" not in line:
        return np.nan, np.nan, np.nan
    sides = [line["r2"]["high"], line["r2"]["low"]]
    if any(side[part] is None for side in sides for part in ("fitted", "held_out")):
        return np.nan, np.nan, np.nan
    return (
        float(np.mean([side["fitted"]["share"] for side in sides])),
        float(np.mean([side["held_out"]["share"] for side in sides])),
        float(np.mean([side["held_out"]["r2"] for side in sides])),
    )


def our_shares(case: Explained, order: int) -> tuple[float, float, float]:
    """The same of ours: explained in-sample, and fitted to one half and evaluated in the other."""
    inside, halves = case.ours.get((order, "in-sample")), case.ours.get((order, "halves"))
    if not inside or not halves or "error" in inside or "error" in halves:
        return np.nan, np.nan, np.nan
    outside = [np.nan if value is None else value for value in halves["out_of_fold"]]
    return (
        float(np.mean(inside["shares"])),
        float(np.mean(halves["shares"])),
        float(np.mean(outside)),
    )
