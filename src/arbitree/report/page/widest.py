"""The largest gap of an audit."""

from __future__ import annotations

import pandas as pd

from ...groups.result import Audit


def largest_gap(audit: Audit, metric: str | None = None) -> pd.Series | None:
    """The row of the largest gap that is known, of one metric or of all.

    One between groups of few rows only where there is no other.
    """
    gaps = audit.gaps[audit.gaps["value"].notna()]
    if metric is not None:
        gaps = gaps[gaps["metric"] == metric]
    steady = gaps[gaps["status"] == "ok"]
    gaps = gaps if steady.empty else steady
    return None if gaps.empty else gaps.iloc[int(gaps["value"].to_numpy().argmax())]
