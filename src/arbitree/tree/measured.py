"""How well, and how evenly, a tree decides some rows; with intervals where it has not seen them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree._tables import plain
from arbitree.groups.intervals import effective_counts, wilson
from arbitree.groups.max_gap import max_gap_interval
from arbitree.groups.status import NOT_ESTIMABLE, OK
from arbitree.tree.favorable import Favorable, favorable_mask
from arbitree.tree.populations import Population

FEWEST_ROWS = 30  # of a group that is not called small, as in an audit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """A number and its interval, whose limits are NaN where there is none."""

    value: float
    low: float = float("nan")
    high: float = float("nan")

    def __format__(self, spec: str) -> str:
        """The number with its interval in brackets, both by the same format."""
        if np.isnan(self.value):
            return "n/a"
        text = format(self.value, spec)
        return text if np.isnan(self.low) else f"{text} [{self.low:{spec}}, {self.high:{spec}}]"


def ratio_text(ratio: float) -> str:
    """Two decimals, rounded down, so that 0.799 is not 0.80.

    >>> ratio_text(0.799), ratio_text(float("nan"))
    ('0.79', 'n/a')
    """
    return "n/a" if np.isnan(ratio) else f"{np.floor(100 * ratio + 1e-9) / 100:.2f}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Accuracy and parity of decisions on some rows.

    `gap` is the largest difference of two groups' rates over all conditions of the metric, NaN
    where no two groups have rows: ``gap.value`` is the rate of `group_high` minus that of
    `group_low` among rows with `condition`.
    """

    n_rows: int
    accuracy: Estimate
    balanced_accuracy: Estimate  # mean over classes of the share that is decided right
    gap: Estimate
    impact_ratio: float  # smallest ratio of two groups' shares of favourable decisions
    grouping: str  # the columns that make the two groups
    condition: str  # "" for all rows
    group_high: str
    group_low: str
    by_group: pd.DataFrame  # grouping, condition, group, n, rate, ci_low, ci_high, status

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        found: dict[str, Any] = {"n_rows": self.n_rows}
        for name in ("accuracy", "balanced_accuracy", "gap"):
            one = getattr(self, name)
            found |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
        for name in (
            "impact_ratio",
            "grouping",
            "condition",
            "group_high",
            "group_low",
            "by_group",
        ):
            found[name] = getattr(self, name)
        return dict(plain(found))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecidedRows:
    """What some rows are, and what was decided on them: arrays of one length."""

    y: np.ndarray  # (n,) index into classes
    decided: np.ndarray  # (n,) index into classes
    group: np.ndarray  # (n,) index into groups
    n_classes: int
    n_groups: int
    favorable: Favorable
    weights: np.ndarray | None = None  # (n,) float64

    @property
    def all_weights(self) -> np.ndarray:
        """A weight for each row."""
        return np.ones(len(self.y)) if self.weights is None else self.weights

    @property
    def favored(self) -> np.ndarray:
        """Whether each decision is favourable."""
        return favorable_mask(self.favorable, self.n_classes)[self.decided]

    @property
    def cell(self) -> np.ndarray:
        """Group and class of each row as one number, below `n_cells`."""
        return self.group.astype(np.int64) * self.n_classes + self.y

    @property
    def n_cells(self) -> int:
        """Groups times classes."""
        return self.n_groups * self.n_classes


def measured(
    rows: DecidedRows,
    populations: Sequence[Population],
    *,
    confidence: float | None,
    rng: np.random.Generator,
) -> Measured:
    """Measure decisions.

    Parameters
    ----------
    rows : DecidedRows
    populations : sequence of Population
        Whom the metric compares.
    confidence : float or None
        Of the intervals; None for rows that the tree was grown on, where none would hold.
    rng : Generator
        For the resamplings behind the interval of the gap.

    References
    ----------
    Wilson's intervals for rates; of the mean over classes, MOVER: Zou and Donner (2008),
    Statistics in Medicine 27:1693, equation 7; of the gap, see `groups.max_gap`.
    """
    counts = _counts_by_group(rows, populations)
    gap, at, high, low = _gap(counts, confidence, rng)
    return Measured(
        n_rows=len(rows.y),
        accuracy=_accuracy(rows, confidence),
        balanced_accuracy=_balanced_accuracy(rows, confidence),
        gap=gap,
        impact_ratio=_impact_ratio(rows, populations),
        grouping=populations[at].grouping if populations else "",
        condition=populations[at].condition if populations else "",
        group_high=populations[at].groups[high] if high >= 0 else "",
        group_low=populations[at].groups[low] if low >= 0 else "",
        by_group=_by_group(rows, populations, counts, confidence),
    )


def _impact_ratio(rows: DecidedRows, populations: Sequence[Population]) -> float:
    """Over all rows of the groups, whatever the metric; NaN where no decision is favourable."""
    hits, weight, *_ = _sums(rows, rows.favored, rows.group.astype(np.int64), rows.n_groups)
    found = []
    for population in populations:
        members = population.members.any(axis=2).astype(np.float64)
        k, n = members @ hits, members @ weight
        rates = k[n > 0] / n[n > 0]
        if len(rates) > 1 and rates.max() > 0:
            found.append(float(rates.min() / rates.max()))
    return min(found, default=float("nan"))


def _accuracy(rows: DecidedRows, confidence: float | None) -> Estimate:
    hit = rows.y == rows.decided
    k, n = _effective(rows, hit, np.zeros(len(hit), np.int64), 1)
    return _rates(k, n, confidence)[0]


def _balanced_accuracy(rows: DecidedRows, confidence: float | None) -> Estimate:
    k, n = _effective(rows, rows.y == rows.decided, rows.y, rows.n_classes)
    found = [one for one in _rates(k, n, confidence) if not np.isnan(one.value)]
    value, low, high = (np.array([getattr(one, end) for one in found]) for end in _ENDS)
    mean = float(value.mean())
    below = np.sqrt(np.sum((value - low) ** 2)) / len(found)
    above = np.sqrt(np.sum((high - value) ** 2)) / len(found)
    return Estimate(value=mean, low=float(mean - below), high=float(mean + above))


_ENDS = ("value", "low", "high")


def _effective(
    rows: DecidedRows, hit: np.ndarray, cell: np.ndarray, n_cells: int
) -> tuple[np.ndarray, np.ndarray]:
    """Hits and rows of each cell, as of a plain sample."""
    return effective_counts(*_sums(rows, hit, cell, n_cells))


def _sums(
    rows: DecidedRows, hit: np.ndarray, cell: np.ndarray, n_cells: int
) -> tuple[np.ndarray, ...]:
    """Sums of weights over hits and over rows of each cell, and of their squares."""
    w = rows.all_weights
    return tuple(
        np.bincount(cell[chosen], power[chosen], minlength=n_cells)
        for power in (w, w * w)
        for chosen in (hit, np.ones(len(hit), bool))
    )


def _rates(k: np.ndarray, n: np.ndarray, confidence: float | None) -> list[Estimate]:
    value = np.divide(k, n, out=np.full(n.shape, np.nan), where=n > 0)
    low = high = np.full(n.shape, np.nan)
    if confidence is not None:
        low, high = wilson(k, n, confidence)
    return [
        Estimate(value=float(v), low=float(lo), high=float(hi))
        for v, lo, hi in zip(value, low, high)
    ]


def _counts_by_group(
    rows: DecidedRows, populations: Sequence[Population]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Favourable decisions and rows of each compared group, for each population."""
    sums = _sums(rows, rows.favored, rows.cell, rows.n_cells)
    found = []
    for population in populations:
        members = population.members.reshape(len(population.groups), -1).astype(np.float64)
        found.append(effective_counts(*(members @ one for one in sums)))
    return found


def _gap(
    counts: Sequence[tuple[np.ndarray, np.ndarray]],
    confidence: float | None,
    rng: np.random.Generator,
) -> tuple[Estimate, int, int, int]:
    """The gap; the population that it is of, the higher and the lower group, -1 if none."""
    if not counts:
        return Estimate(value=float("nan")), 0, -1, -1
    most = max(len(n) for _, n in counts)
    k, n = (
        np.array([np.pad(one[side], (0, most - len(one[side]))) for one in counts])
        for side in (0, 1)
    )
    resamples = 0 if confidence is None else 2000
    found = max_gap_interval(k, n, confidence=confidence or 0.95, n_resamples=resamples, rng=rng)
    if confidence is None:
        gap = Estimate(value=found.value)
    else:
        gap = Estimate(value=found.value, low=found.low, high=found.high)
    at = found.condition
    if at < 0:
        return gap, 0, -1, -1
    present = np.flatnonzero(n[at] > 0)
    rate = k[at, present] / n[at, present]
    return gap, at, int(present[rate.argmax()]), int(present[rate.argmin()])


def _by_group(
    rows: DecidedRows,
    populations: Sequence[Population],
    counts: Sequence[tuple[np.ndarray, np.ndarray]],
    confidence: float | None,
) -> pd.DataFrame:
    in_cell = np.bincount(rows.cell, minlength=rows.n_cells)
    records = []
    for population, (k, n) in zip(populations, counts):
        sizes = population.members.reshape(len(population.groups), -1) @ in_cell
        for group, size, one in zip(population.groups, sizes, _rates(k, n, confidence)):
            records.append(
                {
                    "grouping": population.grouping,
                    "condition": population.condition or "all",
                    "group": group,
                    "n": int(size),
                    "rate": one.value,
                    "ci_low": one.low,
                    "ci_high": one.high,
                    "status": _status(int(size)),
                }
            )
    names = ["grouping", "condition", "group", "n", "rate", "ci_low", "ci_high", "status"]
    return pd.DataFrame(records, columns=names)


def _status(n: int) -> str:
    """As that of a rate in an audit."""
    if n == 0:
        return f"{NOT_ESTIMABLE}: no row"
    return OK if n >= FEWEST_ROWS else f"small group: n = {n} < {FEWEST_ROWS}"
