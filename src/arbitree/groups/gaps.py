"""The gap between the best and the worst treated group, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree.groups.max_gap import MaxGap, max_gap_interval
from arbitree.groups.metrics import GAPS, Rate
from arbitree.groups.options import AuditOptions
from arbitree.groups.segments import Segments
from arbitree.groups.simultaneous import MOST_GROUPS_RESAMPLED, resampled_max_t
from arbitree.groups.status import NOT_ESTIMABLE, OK
from arbitree.groups.tabulate import Measured

NOBODY_KNOWN = "no row has a known group"
_SHOWN = 3  # small groups that a status names


def gaps_frame(
    measured: Sequence[Measured],
    segments: Segments,
    options: AuditOptions,
    *,
    empty: Sequence[str] = (),
) -> pd.DataFrame:
    """One row a segment, grouping and metric.

    A gap over groups of which one cannot be estimated is not estimable: what is left would
    answer another question. Groups without rows take no part. `empty` names groupings in which
    no row has a known group.
    """
    rows = []
    for position, one in enumerate(measured):
        for s, values in enumerate(segments.values):
            place = dict(zip(segments.columns, values))
            compared = _Compared(one, s, options, position)
            for metric, rates in GAPS.items():
                if all(rate.name in one.rates for rate in rates):
                    row = place | {"metric": metric, "grouping": one.grouping.name}
                    rows.append(row | compared.gap(rates))
    metrics = dict.fromkeys(row["metric"] for row in rows)
    nothing = _row(None, None, None, "", f"{NOT_ESTIMABLE}: {NOBODY_KNOWN}")
    for grouping in empty:
        for values in segments.values:
            place = dict(zip(segments.columns, values))
            rows += [place | {"metric": m, "grouping": grouping} | nothing for m in metrics]
    return pd.DataFrame(rows)


class _Compared:
    """The groups of one grouping and segment; each rate is resampled once for all metrics."""

    def __init__(self, one: Measured, segment: int, options: AuditOptions, position: int) -> None:
        self.one = one
        self.segment = segment
        self.options = options
        self.position = position
        self.groups = np.flatnonzero(one.populated[segment])
        self.resampled: dict[str, np.ndarray] = {}

    def gap(self, rates: Sequence[Rate]) -> dict[str, Any]:
        """The columns of one metric's row."""
        one, options, groups = self.one, self.options, self.groups
        counts = [self.counts(rate) for rate in rates]
        k, n = np.array([k for k, _ in counts]), np.array([n for _, n in counts])
        problem = self.problem(rates, n)
        if problem:
            return _row(None, None, None, "", f"{NOT_ESTIMABLE}: {problem}")
        found = max_gap_interval(
            k,
            n,
            confidence=options.confidence,
            n_resamples=options.n_resamples,
            rng=options.generator(),
            largest=np.maximum.reduce([self.largest(rate) for rate in rates]),
        )
        names = [one.grouping.groups[group] for group in groups]
        # Where all rates are equal any two groups will do, but not one against itself.
        low = found.index_low if found.index_low != found.index_high else found.index_high - 1
        statuses = [_small(one, rates, self.segment, groups, options)]
        if np.isnan(found.ratio):
            statuses.append(f"ratio {NOT_ESTIMABLE}: every rate is 0")
        status = "; ".join(filter(None, statuses)) or OK
        condition = rates[found.condition].name
        return _row(found, names[found.index_high], names[low], condition, status)

    def problem(self, rates: Sequence[Rate], n: np.ndarray) -> str:
        """Why the groups cannot be compared, empty if they can."""
        n_groups = len(self.groups)
        if n_groups < 2:
            return f"{n_groups} group{'' if n_groups == 1 else 's'} to compare"
        lacking = []
        for m, g in np.argwhere(n == 0):
            group = self.groups[g]
            rows = self.one.rates[rates[m].name].trials.n[self.segment, group]
            what = "weights that sum to 0" if rows else rates[m].without
            lacking.append(f"{self.one.grouping.groups[group]} has {what}")
        more = f" and {len(lacking) - _SHOWN} more" if len(lacking) > _SHOWN else ""
        return ", ".join(lacking[:_SHOWN]) + more

    def counts(self, rate: Rate) -> tuple[np.ndarray, np.ndarray]:
        """Hits and trials of each group."""
        trials = self.one.rates[rate.name].trials
        at = self.segment, self.groups
        return trials.k_effective[at], trials.n_effective[at]

    def largest(self, rate: Rate) -> np.ndarray:
        """The max-T statistic of a rate's resamplings."""
        if rate.name not in self.resampled:
            key = list(self.one.rates).index(rate.name), self.position, self.segment
            many = len(self.groups) > MOST_GROUPS_RESAMPLED
            self.resampled[rate.name] = resampled_max_t(
                *self.counts(rate),
                n_resamples=1 if many else self.options.n_resamples,
                rng=self.options.generator(*key),
            )
        return self.resampled[rate.name]


def _row(
    found: MaxGap | None, high: str | None, low: str | None, condition: str, status: str
) -> dict[str, Any]:
    nan = float("nan")
    return {
        "group_high": high,
        "group_low": low,
        "value": found.value if found else nan,
        "ci_low": found.low if found else nan,
        "ci_high": found.high if found else nan,
        "ratio": found.ratio if found else nan,
        "ratio_low": found.ratio_low if found else nan,
        "ratio_high": found.ratio_high if found else nan,
        "condition": condition,
        "status": status,
    }


def _small(
    one: Measured,
    rates: Sequence[Rate],
    segment: int,
    groups: np.ndarray,
    options: AuditOptions,
) -> str:
    """Which groups are small in the smallest of their conditions."""
    n = np.min([one.rates[rate.name].trials.n[segment, groups] for rate in rates], axis=0)
    small = np.flatnonzero(n < options.min_group_size)
    if not len(small):
        return ""
    named = [f"{one.grouping.groups[groups[g]]} (n = {n[g]})" for g in small[:_SHOWN]]
    more = f" and {len(small) - _SHOWN} more" if len(small) > _SHOWN else ""
    return f"small group{'s' if len(small) > 1 else ''}: {', '.join(named)}{more}"
