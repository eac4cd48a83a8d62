"""All gaps of an audit as points with their intervals."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from ..phrases import gap_text, spelled
from .blocks import Chart
from .vega import BLUE, across, bars, by_name, interval_layer, number_layer, spec, ticks, told

MOST = 30


def gaps_chart(gaps: pd.DataFrame) -> Chart | None:
    """The gaps that are known, largest first.

    Parameters
    ----------
    gaps : DataFrame
        Of an audit: metric, grouping, group_high, group_low, value, ci_low, ci_high, status.
    """
    known = gaps[gaps["value"].notna()].sort_values("value", ascending=False, kind="stable")
    if known.empty:
        return None
    shown = known.head(MOST)
    names = [f"{spelled(str(row['metric']))}, {row['grouping']}" for _, row in shown.iterrows()]
    rows = [_row(at, row) for at, (_, row) in enumerate(shown.iterrows())]
    left = len(known) - len(shown)
    more = f" The {left:,} smallest are in the table only." if left else ""
    return Chart(
        title="Gaps, largest first",
        told=f"Each point is a gap in percentage points, its line the interval.{more}",
        spec=spec(
            rows,
            _layers(rows),
            told="Points: gaps with their intervals",
            **bars(names, step=26, narrow=22),
        ),
    )


def _row(at: int, row: pd.Series) -> dict[str, Any]:
    value, low, high = (100 * float(row[name]) for name in ("value", "ci_low", "ci_high"))
    return {
        "at": at,
        "value": value,
        "low": low if math.isfinite(low) else None,
        "high": high if math.isfinite(high) else None,
        "far": max(end for end in (value, high) if math.isfinite(end)),
        "text": f"{value:.1f}",
        "told": (
            f"{spelled(str(row['metric']))} by {row['grouping']}: {gap_text(row)}, "
            f"{row['group_high']} over {row['group_low']}; {spelled(str(row['status']))}"
        ),
    }


def _layers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    limit = max(row["far"] for row in rows) * 1.25 or 1.0
    x = across(
        "value",
        "gap in percentage points",
        scale={"domain": [0, limit], "nice": False},
        axis={"values": ticks(limit, 100.0)},
    )
    points = {
        "mark": {"type": "point", "filled": True, "size": 70, "color": BLUE, "opacity": 1},
        "encoding": {"x": x, "y": by_name(), **told()},
    }
    return [interval_layer("low", "high"), points, number_layer("far", "text")]
