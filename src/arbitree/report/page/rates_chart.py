"""The rates of a grouping as bars, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..phrases import Section, is_small, percent, share_text, spelled, threshold_text
from .blocks import Chart
from .vega import (
    BLUE,
    GREY,
    INK,
    VERMILLION,
    across,
    bar_layer,
    bars,
    colored,
    interval_layer,
    number_layer,
    spec,
    ticks,
)

MOST = 40  # bars; a table has them all
_ROOM = 1.22  # for the number beside the longest bar


def rates_chart(section: Section, threshold: float) -> Chart | None:
    """Selection rates of the groups of a section, None where none is known."""
    groups = section.groups[section.groups["selection_rate"].notna()]
    if groups.empty:
        return None
    shown = _most_telling(groups)
    rows = [_row(at, row, threshold) for at, (_, row) in enumerate(shown.iterrows())]
    return Chart(
        title=f"Selection rate by {section.title}",
        told=_told(section, groups, shown),
        spec=spec(
            rows,
            _layers(shown, rows, threshold),
            told=f"Bars: selection rate by {section.title}",
            **bars(shown["group"].astype(str).tolist()),
        ),
    )


def _most_telling(groups: pd.DataFrame) -> pd.DataFrame:
    """The groups that fit: those of the most rows, in the table's order."""
    if len(groups) <= MOST:
        return groups
    return groups.loc[sorted(groups["n"].nlargest(MOST).index)]


def _row(at: int, row: pd.Series, threshold: float) -> dict[str, Any]:
    value, low, high = (float(row[name]) for name in ("selection_rate", "ci_low", "ci_high"))
    ends = [end for end in (value, high) if math.isfinite(end)]
    return {
        "at": at,
        "kind": _kind(row, threshold),
        "value": value,
        "low": low if math.isfinite(low) else None,
        "high": high if math.isfinite(high) else None,
        "far": max(ends),
        "text": f"{percent(value)}{'*' if is_small(row['status']) else ''}",
        "told": (
            f"{row['group']}: {share_text(value, low, high)} selected, "
            f"{row['n_selected']:,} of {row['n']:,} rows; {spelled(str(row['status']))}"
        ),
    }


def _kind(row: pd.Series, threshold: float) -> str:
    if row["reference"]:
        return "reference"
    return _below(threshold) if row["impact_ratio"] < threshold else "other groups"


def _below(threshold: float) -> str:
    return f"impact ratio below {threshold_text(threshold)}"


def _layers(
    groups: pd.DataFrame, rows: Sequence[dict[str, Any]], threshold: float
) -> list[dict[str, Any]]:
    colors = {"reference": GREY, "other groups": BLUE, _below(threshold): VERMILLION}
    seen = {row["kind"] for row in rows}
    limit = min(max(row["far"] for row in rows) * _ROOM, _ROOM) or 1.0
    x = across(
        "value",
        "selection rate",
        scale={"domain": [0, limit], "nice": False},
        axis={"format": ".0%", "values": ticks(limit, 1.0)},
    )
    layers = [bar_layer(x, colored({k: c for k, c in colors.items() if k in seen}))]
    best = groups.loc[groups["reference"].astype(bool), "selection_rate"]
    if len(best) and float(best.iloc[0]) > 0:
        layers.append(_threshold_layer(float(best.iloc[0]) * threshold, threshold))
    return [*layers, interval_layer("low", "high"), number_layer("far", "text")]


def _threshold_layer(rate: float, threshold: float) -> dict[str, Any]:
    words = f"{threshold_text(threshold)} x the rate of the reference group: {percent(rate)}"
    return {
        "data": {"values": [{"limit": rate, "told": words}]},
        "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "color": INK},
        "encoding": {
            "x": {"field": "limit", "type": "quantitative"},
            "description": {"field": "told"},
            "tooltip": {"field": "told"},
        },
    }


def _told(section: Section, groups: pd.DataFrame, shown: pd.DataFrame) -> str:
    rates = groups["selection_rate"].to_numpy()
    high, low = groups.iloc[int(rates.argmax())], groups.iloc[int(rates.argmin())]
    text = (
        f"From {percent(low['selection_rate'])} of {low['group']} to "
        f"{percent(high['selection_rate'])} of {high['group']}. "
        "Lines are intervals; the dashed line is the threshold of the impact ratio."
    )
    left = len(groups) - len(shown)
    return f"{text} The {left:,} smallest groups are in the table only." if left else text
