"""The largest gap of an audit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ...groups.max_gap import max_gap_interval
from ...groups.result import Audit
from ...groups.status import OK

SELECTED = "statistical_parity"


def largest_gap(audit: Audit, metric: str | None = None) -> pd.Series | None:
    """The row of the largest gap that is known, of one metric or of all.

    One between groups of few rows only where there is no other: in its place stands the gap in
    selection rates among the groups of enough rows.
    """
    gaps = audit.gaps[audit.gaps["value"].notna()]
    if metric is not None:
        gaps = gaps[gaps["metric"] == metric]
    steady = [row for _, row in gaps[gaps["status"] == OK].iterrows()]
    steady += _among_large_groups(audit, gaps[gaps["status"] != OK])
    rows = steady or [row for _, row in gaps.iterrows()]
    return max(rows, key=lambda row: float(row["value"]), default=None)


def _among_large_groups(audit: Audit, gaps: pd.DataFrame) -> Iterator[pd.Series]:
    """Gaps in selection rates again, without the groups of few rows."""
    for _, row in gaps[gaps["metric"] == SELECTED].iterrows():
        groups = audit.by_group
        groups = groups[(groups["grouping"] == row["grouping"]) & (groups["status"] == OK)]
        k, n = (groups[name].to_numpy(float) for name in ("n_selected", "n"))
        if len(n) < 2 or not np.allclose(k / n, groups["selection_rate"].to_numpy(float)):
            continue  # rates of weighted rows are no such counts
        found = max_gap_interval(k, n, confidence=audit.confidence, rng=np.random.default_rng(0))
        names = groups["group"].tolist()
        yield pd.Series(
            {
                **row.to_dict(),
                "group_high": names[found.index_high],
                "group_low": names[found.index_low],
                "value": found.value,
                "ci_low": found.low,
                "ci_high": found.high,
                "status": OK,
            }
        )
