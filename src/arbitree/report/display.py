"""The groups and gaps of a section as frames of text, for layouts that draw tables."""

from __future__ import annotations

import pandas as pd

from ..groups.metrics import SELECTION_RATE
from .phrases import (
    Section,
    difference_text,
    gap_text,
    impact_text,
    is_small,
    ratio_text,
    score_texts,
    selection_text,
    share_text,
    smd_text,
    spelled,
    starred,
    verdict_word,
)

#: Columns whose texts are numbers.
NUMBERS = (
    *("n", "k", "selected", "selection rate", "impact ratio", "difference", "p"),
    *("value", "ratio", "mean score", "SMD"),
)


def groups_display(section: Section, threshold: float) -> pd.DataFrame:
    """One row a group, each number in one cell with its interval."""
    groups = section.groups
    rows = [row for _, row in groups.iterrows()]
    columns: dict[str, object] = {
        "group": groups["group"].astype(str).tolist(),
        "n": _sizes(groups),
        "selected": [f"{k:,}" for k in groups["n_selected"]],
        "selection rate": [selection_text(row) for row in rows],
        "impact ratio": [impact_text(row, threshold) for row in rows],
        "difference": [difference_text(row) for row in rows],
    }
    if "p_value" in groups:
        columns["p"] = groups["p_value"].tolist()
    columns["note"] = [verdict_word(row, threshold) for row in rows]
    columns["status"] = _statuses(groups)
    return pd.DataFrame(columns)


def rates_display(section: Section) -> pd.DataFrame:
    """One row a rate that needs labels and a group: its own n, interval and status."""
    rates = section.rates[section.rates["metric"] != SELECTION_RATE.name]
    rows = [row for _, row in rates.iterrows()]
    return pd.DataFrame(
        {
            "rate": [spelled(str(metric)) for metric in rates["metric"]],
            "group": rates["group"].astype(str).tolist(),
            "n": _sizes(rates),
            "k": [f"{k:,}" for k in rates["k"]],
            "value": [share_text(row["value"], row["ci_low"], row["ci_high"]) for row in rows],
            "difference": [difference_text(row) for row in rows],
            "ratio": [
                ratio_text(row["ratio"], row["ratio_low"], row["ratio_high"]) for row in rows
            ],
            "status": _statuses(rates),
        }
    )


def scores_display(section: Section) -> pd.DataFrame:
    """One row a group with its mean score; empty where there are no scores."""
    groups = section.groups
    if "mean_score" not in groups:
        return pd.DataFrame()
    return pd.DataFrame(
        {
            "group": groups["group"].astype(str).tolist(),
            "n": _sizes(groups),
            "mean score": score_texts(groups["mean_score"]),
            "SMD": [smd_text(row) for _, row in groups.iterrows()],
        }
    )


def gaps_display(section: Section) -> pd.DataFrame:
    """One row a gap."""
    gaps = section.gaps
    return pd.DataFrame(
        {
            "gap": [spelled(str(metric)) for metric in gaps["metric"]],
            "value": [
                starred(gap_text(row), is_small(row["status"])).strip()
                for _, row in gaps.iterrows()
            ],
            "highest": gaps["group_high"].tolist(),
            "lowest": gaps["group_low"].tolist(),
            "status": _statuses(gaps),
        }
    )


def _sizes(frame: pd.DataFrame) -> list[str]:
    return [
        starred(f"{n:,}", is_small(status)).strip()
        for n, status in zip(frame["n"], frame["status"])
    ]


def _statuses(frame: pd.DataFrame) -> list[str]:
    return [spelled(str(status)) for status in frame["status"]]


def tables(section: Section, threshold: float) -> list[pd.DataFrame]:
    """The tables of a section that have rows, in the order of a document."""
    found = [
        groups_display(section, threshold),
        rates_display(section),
        scores_display(section),
        gaps_display(section),
    ]
    return [table for table in found if not table.empty]
