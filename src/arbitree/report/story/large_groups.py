"""Groups large enough to be told of first; small ones are in every table, flagged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ...groups.max_gap import max_gap_interval
from ...groups.metrics import GAPS
from ...groups.result import Audit
from .settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeGap:
    """The largest difference of two large groups' selection rates, by one sensitive column."""

    grouping: str
    group_high: str
    group_low: str
    rate_high: float
    rate_low: float
    value: float
    low: float
    high: float


def large_gap(audit: Audit, settings: Settings) -> LargeGap | None:
    """The gap that stands out most, None where no two groups can be compared.

    Its interval is simultaneous over all pairs of the groups that are considered.
    """
    found = [
        one
        for groups in _by_column(audit)
        if (one := _gap(_large(groups, settings), settings)) is not None
    ]
    return _as_audited(max(found, key=lambda one: one.value), audit) if found else None


def _as_audited(gap: LargeGap, audit: Audit) -> LargeGap:
    """With the audit's own interval, where the gap over all groups is between the same two."""
    gaps = audit.gaps
    same = gaps["metric"].eq("statistical_parity") & gaps["grouping"].eq(gap.grouping)
    same &= gaps["group_high"].eq(gap.group_high) & gaps["group_low"].eq(gap.group_low)
    if audit.control or not same.any():
        return gap
    row = gaps[same].iloc[0].to_dict()
    return replace(gap, value=row["value"], low=row["ci_low"], high=row["ci_high"])


def large_pair(
    audit: Audit | None, column: str, metric: str, settings: Settings
) -> tuple[str, str] | None:
    """Of a column's large groups the ones of highest and lowest rate, to be explained.

    None leaves the choice to the explanation: where all groups are large, or the metric is of two
    rates.
    """
    rates = GAPS.get(metric, ())
    if audit is None or audit.control or len(rates) != 1:
        return None
    groups = audit.by_group[audit.by_group["grouping"] == column]
    large = _large(groups, settings)
    name = rates[0].name
    large = large[large[name].notna()]
    if len(large) == len(groups) or len(large) < 2:
        return None
    names = large["group"].astype(str).tolist()
    rate = large[name].to_numpy(dtype=float)
    high, low = int(rate.argmax()), int(rate.argmin())
    return None if high == low else (names[high], names[low])


def _by_column(audit: Audit) -> Iterator[pd.DataFrame]:
    """The groups of each sensitive column, in each segment."""
    single = audit.by_group[audit.by_group["grouping"].isin(audit.sensitive)]
    for _, groups in single.groupby([*audit.control, "grouping"], sort=False, dropna=False):
        yield groups


def _large(groups: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Those with rows enough; all that have any where these are fewer than two."""
    known = groups[groups["n"] > 0]
    least = max(settings.pool_share * known["n"].sum(), settings.min_group_size)
    large = known[known["n"] >= least]
    return large if len(large) >= 2 else known


def _gap(groups: pd.DataFrame, settings: Settings) -> LargeGap | None:
    if len(groups) < 2:
        return None
    rate = groups["selection_rate"].to_numpy(dtype=float)
    n = groups["n"].to_numpy(dtype=float)
    found = max_gap_interval(
        rate * n,
        n,
        confidence=settings.confidence,
        n_resamples=settings.n_resamples,
        rng=np.random.default_rng(settings.random_state),
    )
    names = groups["group"].astype(str).tolist()
    high, low = found.index_high, found.index_low
    return LargeGap(
        grouping=str(groups["grouping"].iloc[0]),
        group_high=names[high],
        group_low=names[low],
        rate_high=float(rate[high]),
        rate_low=float(rate[low]),
        value=float(found.value),
        low=float(found.low),
        high=float(found.high),
    )
