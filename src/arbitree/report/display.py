"""The groups and gaps of a section as frames of text, for layouts that draw tables."""

from __future__ import annotations

import pandas as pd

from ..groups.metrics import RATES
from .phrases import (
    Section,
    difference_text,
    gap_text,
    impact_text,
    rate_text,
    score_text,
    selection_text,
    smd_text,
    spelled,
    verdict,
)


def groups_display(section: Section, threshold: float) -> pd.DataFrame:
    """One row a group, each number in one cell with its interval."""
    groups = section.groups
    rows = [row for _, row in groups.iterrows()]
    columns: dict[str, object] = {
        "group": groups["group"].astype(str).tolist(),
        "n": groups["n"].tolist(),
        "selected": groups["n_selected"].tolist(),
        "selection rate": [selection_text(row) for row in rows],
        "impact ratio": [impact_text(row, threshold) for row in rows],
        "difference": [difference_text(row) for row in rows],
    }
    if "p_value" in groups:
        columns["p"] = groups["p_value"].tolist()
    for rate in RATES:
        if rate.needs_labels and rate.name in groups:
            columns[spelled(rate.name)] = [rate_text(value) for value in groups[rate.name]]
    if "mean_score" in groups:
        columns["mean score"] = [score_text(value) for value in groups["mean_score"]]
        columns["SMD"] = [smd_text(row) for row in rows]
    columns["note"] = [verdict(row, threshold) for row in rows]
    columns["status"] = [spelled(str(status)) for status in groups["status"]]
    return pd.DataFrame(columns)


def gaps_display(section: Section) -> pd.DataFrame:
    """One row a gap."""
    gaps = section.gaps
    return pd.DataFrame(
        {
            "gap": [spelled(str(metric)) for metric in gaps["metric"]],
            "value": [gap_text(row) for _, row in gaps.iterrows()],
            "highest": gaps["group_high"].tolist(),
            "lowest": gaps["group_low"].tolist(),
            "status": [spelled(str(status)) for status in gaps["status"]],
        }
    )
