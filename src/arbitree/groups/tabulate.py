"""Arrays over (segment, group) as the frames that a user reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from arbitree.groups.best_reference import confidence_against_best
from arbitree.groups.groupings import Grouping
from arbitree.groups.measure import Compared, GroupCounts, Trials, compare
from arbitree.groups.metrics import RATES, SELECTION_RATE, Rate
from arbitree.groups.options import AuditOptions
from arbitree.groups.reference import named_position, reference_positions
from arbitree.groups.segments import Segments
from arbitree.groups.status import OK, compared_status, rate_status

Block = dict[str, np.ndarray]  # columns of one length


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """All rates of one grouping. `reference` is -1 in a segment with nobody in that group."""

    grouping: Grouping
    counts: GroupCounts
    reference: np.ndarray  # (s,)
    rates: dict[str, Compared]

    @property
    def populated(self) -> np.ndarray:
        """Groups that have rows.  (s, g) bool"""
        return self.counts.n.sum(axis=(-2, -1)) > 0


def measure(
    grouping: Grouping, counts: GroupCounts, options: AuditOptions, *, has_labels: bool
) -> Measured:
    """Every rate of every group, compared with the grouping's reference group."""
    selection = counts.trials(SELECTION_RATE)
    reference = reference_positions(
        options.reference_group, grouping, selection.value, counts.size(SELECTION_RATE)
    )
    confidence = _compared_confidence(grouping, selection, options)
    rates = {
        rate.name: compare(
            counts.trials(rate), reference, options.confidence, compared_confidence=confidence
        )
        for rate in RATES
        if has_labels or not rate.needs_labels
    }
    return Measured(grouping=grouping, counts=counts, reference=reference, rates=rates)


def _compared_confidence(
    grouping: Grouping, selection: Trials, options: AuditOptions
) -> float | None:
    """What to ask of comparisons with the group whose rate was seen to be the highest."""
    n_groups = int((selection.n_effective > 0).sum(axis=1).max())
    wanted = options.reference_group
    by_rate = wanted == "best" or (wanted != "largest" and named_position(wanted, grouping) is None)
    return (
        confidence_against_best(options.confidence, n_groups) if by_rate and n_groups > 2 else None
    )


def rates_frame(
    measured: Sequence[Measured], segments: Segments, options: AuditOptions
) -> pd.DataFrame:
    """One row a segment, metric, grouping and group."""
    rates = [rate for rate in RATES if rate.name in measured[0].rates]
    return stacked(
        [_rate_block(one, rate, segments, options) for one in measured for rate in rates]
    )


def stacked(blocks: Sequence[Block]) -> pd.DataFrame:
    """Blocks of equal columns, one below the other.

    One frame is made, not one a block: 49 blocks of an audit of 112 groups then cost 20 ms
    instead of 120 (benchmarks/audit.py).
    """
    return pd.DataFrame(
        {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    )


def _rate_block(measured: Measured, rate: Rate, segments: Segments, options: AuditOptions) -> Block:
    grouping, found = measured.grouping, measured.rates[rate.name]
    n_groups = len(grouping.groups)
    names = np.array([*grouping.groups, ""], dtype=object)
    n_rows = n_groups * len(segments)
    return {
        **segments.columns_for(n_groups),
        "metric": np.full(n_rows, rate.name, dtype=object),
        "grouping": np.full(n_rows, grouping.name, dtype=object),
        "group": np.tile(names[:-1], len(segments)),
        "n": found.trials.n.ravel(),
        "k": found.trials.k.ravel(),
        "value": found.trials.value.ravel(),
        "ci_low": found.low.ravel(),
        "ci_high": found.high.ravel(),
        "difference": found.difference.ravel(),
        "difference_low": found.difference_low.ravel(),
        "difference_high": found.difference_high.ravel(),
        "ratio": found.ratio.ravel(),
        "ratio_low": found.ratio_low.ravel(),
        "ratio_high": found.ratio_high.ravel(),
        "reference": np.repeat(names[measured.reference], n_groups),
        "status": texts(_statuses(found, measured.reference, rate, options, "ratio")),
    }


def texts(values: Sequence[str]) -> np.ndarray:
    """Texts as a column."""
    return np.array(values, dtype=object)


def _statuses(
    found: Compared, reference: np.ndarray, rate: Rate, options: AuditOptions, ratio: str
) -> list[str]:
    own = own_statuses(found.trials, rate, options)
    return [
        compared_status(status, row[at] if at >= 0 else None, value, ratio)
        for row, at, values in zip(own, reference.tolist(), found.ratio.tolist())
        for status, value in zip(row, values)
    ]


def own_statuses(trials: Trials, rate: Rate, options: AuditOptions) -> list[list[str]]:
    """Status of each rate, comparisons left aside."""
    estimable = trials.n_effective > 0
    return [
        [rate_status(n, ok, rate, options.min_group_size) for n, ok in zip(sizes, oks)]
        for sizes, oks in zip(trials.n.tolist(), estimable.tolist())
    ]


def by_group_frame(
    measured: Sequence[Measured], segments: Segments, options: AuditOptions
) -> pd.DataFrame:
    """One row a segment, grouping and group: selection first, the other rates beside it."""
    return stacked([_group_block(one, segments, options) for one in measured])


def _group_block(measured: Measured, segments: Segments, options: AuditOptions) -> Block:
    grouping, found = measured.grouping, measured.rates[SELECTION_RATE.name]
    n_groups = len(grouping.groups)
    n = found.trials.n
    total = n.sum(axis=1, keepdims=True)
    columns = {
        **segments.columns_for(n_groups),
        "grouping": np.full(n.size, grouping.name, dtype=object),
        "group": np.tile(np.array(grouping.groups, dtype=object), len(segments)),
        "n": n.ravel(),
        "n_selected": found.trials.k.ravel(),
        "selection_rate": found.trials.value.ravel(),
        "ci_low": found.low.ravel(),
        "ci_high": found.high.ravel(),
        "impact_ratio": found.ratio.ravel(),
        "impact_ratio_low": found.ratio_low.ravel(),
        "impact_ratio_high": found.ratio_high.ravel(),
        "difference": found.difference.ravel(),
        "difference_low": found.difference_low.ravel(),
        "difference_high": found.difference_high.ravel(),
        "share": np.divide(n, total, out=np.zeros(n.shape), where=total > 0).ravel(),
    }
    if measured.counts.w is not None:
        columns["weight"] = measured.counts.size(SELECTION_RATE).ravel()
    for name, other in measured.rates.items():
        if name != SELECTION_RATE.name:
            columns[name] = other.trials.value.ravel()
    at = np.arange(n_groups)[None, :]
    columns["reference"] = (at == measured.reference[:, None]).ravel()
    selection = _statuses(found, measured.reference, SELECTION_RATE, options, "impact ratio")
    columns["status"] = texts(_with_label_rates(selection, measured))
    return columns


def _with_label_rates(statuses: list[str], measured: Measured) -> list[str]:
    """Add which of the rates that need labels a group lacks, and why."""
    lacking: list[list[str]] = [[] for _ in statuses]
    for rate in RATES:
        if rate.needs_labels and rate.name in measured.rates:
            trials = measured.rates[rate.name].trials
            for position in np.flatnonzero((trials.n_effective == 0) & measured.populated):
                lacking[position].append(f"{rate.name} not estimable: {rate.without}")
    return [
        "; ".join([*([status] if status != OK or not lacks else []), *lacks])
        for status, lacks in zip(statuses, lacking)
    ]
