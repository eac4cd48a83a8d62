"""One line a grouping, in the terms of the fair-tree papers: p-rule, n-rule, BA, BPA, BNPA."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree.groups.balanced import balanced_accuracy_interval
from arbitree.groups.max_gap import max_gap_interval
from arbitree.groups.measure import GroupCounts
from arbitree.groups.metrics import (
    FALSE_POSITIVE_RATE,
    SELECTION_RATE,
    TRUE_POSITIVE_RATE,
)
from arbitree.groups.options import AuditOptions
from arbitree.groups.segments import Segments
from arbitree.groups.status import NOT_ESTIMABLE, OK
from arbitree.groups.tabulate import Measured

#: value, lower and upper limit, and what is wrong (empty if nothing)
_Found = tuple[float, float, float, str]
_NAN = float("nan")


def summary_frame(
    measured: Sequence[Measured], gaps: pd.DataFrame, segments: Segments, options: AuditOptions
) -> pd.DataFrame:
    """One row a segment and grouping.

    p_rule is the smallest ratio of two groups' rates of favourable decisions, n_rule that of
    unfavourable ones. With labels: BA is the balanced accuracy over all rows of known group,
    BNPA that of the reference group, BPA that of everybody else; with two groups these are the
    papers' non-protected and protected group.
    """
    rows = []
    parities = iter(gaps[gaps["metric"] == "statistical_parity"].to_dict("records"))
    for one in measured:
        for s, values in enumerate(segments.values):
            row: dict[str, object] = dict(zip(segments.columns, values))
            row["grouping"] = one.grouping.name
            found = {"p_rule": _p_rule(next(parities)), "n_rule": _n_rule(one, s, options)}
            if TRUE_POSITIVE_RATE.name in one.rates:
                found |= _balanced_accuracies(one, s, options)
            for name, (value, low, high, _) in found.items():
                row |= {name: value, f"{name}_low": low, f"{name}_high": high}
            problems = _small(one, s, options)
            problems += [f"{name} {NOT_ESTIMABLE}: {f[3]}" for name, f in found.items() if f[3]]
            rows.append(row | {"status": "; ".join(problems) or OK})
    return pd.DataFrame(rows)


def _small(one: Measured, segment: int, options: AuditOptions) -> list[str]:
    n = one.rates[SELECTION_RATE.name].trials.n[segment]
    smallest = n[one.populated[segment]].min(initial=options.min_group_size)
    if smallest >= options.min_group_size:
        return []
    return [f"small group: n = {smallest} < {options.min_group_size}"]


def _p_rule(parity: dict[Hashable, Any]) -> _Found:
    words = "no decision is favourable" if pd.isna(parity["ratio"]) else ""
    if pd.isna(parity["value"]):
        words = "fewer than two groups to compare"
    return parity["ratio"], parity["ratio_low"], parity["ratio_high"], words


def _n_rule(one: Measured, segment: int, options: AuditOptions) -> _Found:
    trials = one.rates[SELECTION_RATE.name].trials
    n, k = trials.n_effective[segment], trials.k_effective[segment]
    if np.count_nonzero(n) < 2:
        return _NAN, _NAN, _NAN, "fewer than two groups to compare"
    # The limits of a ratio do not rest on resampling.
    found = max_gap_interval(
        np.maximum(n - k, 0.0),
        n,
        confidence=options.confidence,
        n_resamples=0,
        rng=options.generator(),
    )
    words = "every decision is favourable" if np.isnan(found.ratio) else ""
    return found.ratio, found.ratio_low, found.ratio_high, words


def _balanced_accuracies(one: Measured, segment: int, options: AuditOptions) -> dict[str, _Found]:
    groups = np.arange(len(one.grouping.groups))
    reference = one.reference[segment]
    return {
        "BA": _balanced(one.counts, segment, groups, options),
        "BPA": _balanced(one.counts, segment, groups[groups != reference], options),
        "BNPA": _balanced(one.counts, segment, groups[groups == reference], options),
    }


def _balanced(
    counts: GroupCounts, segment: int, groups: np.ndarray, options: AuditOptions
) -> _Found:
    pooled = counts.pooled(segment, groups)
    positives, negatives = pooled.trials(TRUE_POSITIVE_RATE), pooled.trials(FALSE_POSITIVE_RATE)
    for rate, trials in ((TRUE_POSITIVE_RATE, positives), (FALSE_POSITIVE_RATE, negatives)):
        if trials.n_effective.item() == 0:
            return _NAN, _NAN, _NAN, rate.without
    true_negatives = np.maximum(negatives.n_effective - negatives.k_effective, 0.0)
    low, high = balanced_accuracy_interval(
        positives.k_effective,
        positives.n_effective,
        true_negatives,
        negatives.n_effective,
        options.confidence,
    )
    value = (positives.value + 1 - negatives.value) / 2
    return value.item(), low.item(), high.item(), ""
