"""Which rows, which outcome and which two groups: the gap that is to be explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, NotEstimableError
from arbitree._wording import listed, nearest
from arbitree.table.crossing import Crossing

METRICS = (
    "statistical_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
    "predictive_parity",
)
ALL_ROWS = "all rows"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Condition:
    """Rows that a metric looks at, and what it averages over them."""

    name: str
    rows: np.ndarray  # (n,) bool
    outcome: np.ndarray  # (n,) float64, finite where rows are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared:
    """Two groups under one condition; `rates` has a row for every group, highest rate first."""

    condition: Condition
    high: int  # numbers of groups in the crossing
    low: int
    gap: float
    rates: pd.DataFrame


def conditions(
    metric: str, decided: np.ndarray, labels: np.ndarray | None, known: np.ndarray
) -> list[Condition]:
    """The conditions of a metric.

    Parameters
    ----------
    metric : str
        One of METRICS.
    decided : (n,) float64
        1 favourable, 0 not; or a score. NaN where missing.
    labels : (n,) uint8, optional
        1 favourable, 0 not, 2 missing.
    known : (n,) bool
        Rows whose group is known.
    """
    if metric not in METRICS:
        raise InputError(f"metric is {metric!r}. {nearest(metric, METRICS)}")
    seen = known & ~np.isnan(decided)
    if metric == "statistical_parity":
        return [Condition(name=ALL_ROWS, rows=seen, outcome=decided)]
    if labels is None:
        raise InputError(f"The metric {metric!r} needs true labels. Pass y_true.")
    decisions = bool(np.isin(decided[seen], (0.0, 1.0)).all())
    of_label = {
        value: Condition(
            name=f"{rate} ({rows})" if decisions else rows,
            rows=seen & (labels == value),
            outcome=decided,
        )
        for value, rate, rows in (
            (1, "true positive rate", "rows with favourable label"),
            (0, "false positive rate", "rows with unfavourable label"),
        )
    }
    if metric == "equal_opportunity":
        return [of_label[1]]
    if metric == "predictive_equality":
        return [of_label[0]]
    if metric == "equalized_odds":
        return [of_label[1], of_label[0]]
    if not decisions:
        raise InputError("predictive_parity needs decisions, not scores. Pass score_threshold.")
    truth = np.where(labels == 2, np.nan, labels.astype(np.float64))
    seen &= labels != 2
    return [
        Condition(
            name="positive predictive value (rows with favourable decision)",
            rows=seen & (decided == 1),
            outcome=truth,
        ),
        Condition(
            name="false omission rate (rows with unfavourable decision)",
            rows=seen & (decided == 0),
            outcome=truth,
        ),
    ]


def compare(
    found: Sequence[Condition],
    crossing: Crossing,
    weights: np.ndarray | None,
    named: tuple[Any, Any] | None,
    among: np.ndarray,
) -> Compared:
    """The condition with the largest gap, and the groups at its ends.

    Parameters
    ----------
    found : sequence of Condition
    crossing : Crossing
    weights : (n,) float64, optional
    named : pair of groups, optional
        Compare these instead of the highest and the lowest.
    among : (n_groups,) bool
        Groups that may be compared.

    Raises
    ------
    NotEstimableError
        If no condition has two groups with rows.
    """
    numbers = None if named is None else tuple(group_number(one, crossing, among) for one in named)
    if numbers is not None and numbers[0] == numbers[1]:
        raise InputError(f"groups names {named[0]!r} twice. Pass two different groups.")  # type: ignore[index]
    compared = [
        one
        for condition in found
        if (one := _of_condition(condition, crossing, weights, numbers, among)) is not None
    ]
    if not compared:
        names = " or ".join(condition.name for condition in found)
        raise NotEstimableError(
            f"There are no two groups with rows, so there is no gap to explain: {names}."
        )
    return max(compared, key=lambda one: one.gap)


def _of_condition(
    condition: Condition,
    crossing: Crossing,
    weights: np.ndarray | None,
    numbers: tuple[int, ...] | None,
    among: np.ndarray,
) -> Compared | None:
    rows, size = condition.rows, crossing.n_groups
    codes = crossing.codes[rows]
    w = np.ones(len(codes)) if weights is None else weights[rows]
    n = np.bincount(codes, minlength=size)
    total = np.bincount(codes, w, minlength=size)
    sums = np.bincount(codes, w * condition.outcome[rows], minlength=size)
    rates = np.divide(sums, total, out=np.full(size, np.nan), where=total > 0)
    able = np.flatnonzero(among & (total > 0))
    if numbers is not None:
        able = np.array([g for g in numbers if total[g] > 0], np.int64)
    if len(able) < 2:
        return None
    high, low = int(able[np.argmax(rates[able])]), int(able[np.argmin(rates[able])])
    if high == low:
        high, low = int(able[0]), int(able[1])
    order = [g for g in np.lexsort([np.arange(size), -rates]) if among[g]]
    frame = pd.DataFrame(
        {
            "group": [crossing.label(int(g)) for g in order],
            "n": n[order],
            "rate": rates[order],
            "role": ["high" if g == high else "low" if g == low else "" for g in order],
        }
    )
    gap = float(rates[high] - rates[low])
    return Compared(condition=condition, high=high, low=low, gap=gap, rates=frame)


def group_number(named: Any, crossing: Crossing, among: np.ndarray) -> int:
    """The number of a group given by its text ("Female x Black"), or by its values."""
    values = named if isinstance(named, (tuple, list)) else (named,)
    texts = tuple(str(value) for value in values)
    for g in np.flatnonzero(among):
        label = crossing.label(int(g))
        if texts == (label,) or texts == crossing.level_texts(int(g)):
            return int(g)
    labels = [crossing.label(int(g)) for g in np.flatnonzero(among)]
    raise InputError(f"groups names {named!r}, which is no group. There are {listed(labels)}.")
