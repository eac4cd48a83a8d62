"""Audits of a small table whose numbers are known, and ways to read them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd

import arbitree as ar
from arbitree.table.coded import CodedTable
from arbitree.table.decisions import code_decisions

FRAMES = ("by_group", "rates", "gaps", "summary", "overall", "unknown")

#: 12 people: 4 of 6 women and 2 of 6 men are approved; every third one is Black.
SEX = ["f"] * 6 + ["m"] * 6
RACE = ["a", "b", "c"] * 4
DECISIONS = [1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0]
LABELS = [1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1]


def audited(decisions: Any = DECISIONS, sensitive_features: Any = None, **options: Any) -> ar.Audit:
    """An audit with few resamplings; by sex unless said otherwise."""
    groups = {"sex": SEX} if sensitive_features is None else sensitive_features
    return ar.audit(decisions, sensitive_features=groups, **({"n_resamples": 100} | options))


def coded(decisions: Any = DECISIONS, sensitive_features: Any = None, **options: Any) -> CodedTable:
    """What such an audit counts: the rows, coded."""
    groups = {"sex": SEX} if sensitive_features is None else sensitive_features
    return code_decisions(decisions, sensitive_features=groups, **options)


def selected(found: ar.Audit, grouping: str | None = None) -> dict[str, tuple[int, int]]:
    """Of each group: how many are selected, of how many."""
    rows = found.by_group
    rows = rows if grouping is None else rows[rows["grouping"] == grouping]
    return {row.group: (row.n_selected, row.n) for row in rows.itertuples()}


def group(found: ar.Audit, name: str) -> pd.Series:
    return found.by_group[found.by_group["group"] == name].iloc[0]


def gap(found: ar.Audit, metric: str = "statistical_parity") -> pd.Series:
    return found.gaps[found.gaps["metric"] == metric].iloc[0]


def rate(found: ar.Audit, metric: str, name: str) -> pd.Series:
    rows = found.rates[(found.rates["metric"] == metric) & (found.rates["group"] == name)]
    return rows.iloc[0]


def numbers(found: ar.Audit) -> dict[str, list[dict[str, Any]]]:
    """Everything measured, without the sentences about it."""
    content = found.to_dict()
    return {frame: content[frame] for frame in FRAMES}


@cache
def expected_numbers(*, labels: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Those of the table above, by sex."""
    return numbers(audited(y_true=LABELS if labels else None))


def relabelled(found: ar.Audit, names: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Everything measured, with other texts for groups, statuses included."""
    content = numbers(found)
    for rows in content.values():
        for row in rows:
            for key, value in row.items():
                row[key] = names.get(value, value) if isinstance(value, str) else value
    return content
