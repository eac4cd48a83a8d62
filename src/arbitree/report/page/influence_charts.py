"""What carries a gap as a waterfall, and what a pair of features adds as a grid of cells."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from ...influence.result import Influence
from ..influence_phrases import amount, compared, gap_of, interval, printed, unit
from ..interaction_cells import Cells, cells
from ..plot_names import telling_names
from ..ticks import tick_texts
from ..waterfall import Step, waterfall_steps
from .blocks import Chart
from .vega import (
    BLUE,
    GREY,
    VERMILLION,
    across,
    bar_layer,
    bars,
    colored,
    interval_layer,
    number_layer,
    spec,
    told,
)

_COLORS = {
    "widens the gap": VERMILLION,
    "narrows the gap": BLUE,
    "unexplained": "var(--pale)",
    "the gap": GREY,
}
BARS = 10
SIDE = 16  # ranges a side of a grid
_SHORT = 14  # columns of a text beside a grid
# A colour between two is computed, so these are no variables of the style; readable on both papers.
_DIVERGING = ["#0072B2", "#f4f4f4", "#D55E00"]


def waterfall_chart(infl: Influence) -> Chart:
    """The sum: from nothing, feature by feature, to the gap."""
    steps = waterfall_steps(infl, BARS)
    rows = [_bar(infl, at, step) for at, step in enumerate(steps)]
    words = f"How the {gap_of(infl)} gap adds up"
    seen = {row["kind"] for row in rows}
    ends = [row[end] for row in rows for end in ("start", "end", "low", "high")]
    low, high = (f(end for end in ends if end is not None) for f in (min, max))
    room = (high - low) or 1.0
    scale = {"domain": [min(low - 0.03 * room, 0), high + 0.22 * room], "nice": False}
    x = across("start", "score" if infl.scores else "percentage points", scale=scale)
    color = colored({kind: color for kind, color in _COLORS.items() if kind in seen})
    layers = [bar_layer(x, color, "end"), interval_layer("low", "high")]
    return Chart(
        title=f"{words}: {compared(infl)}",
        told=(
            "Bars follow one another from 0 to the gap, the strongest first; lines are intervals "
            "of the bars' ends."
        ),
        spec=spec(
            rows,
            [*layers, number_layer("far", "text")],
            told=words,
            **bars([step.label.replace("\n", " ") for step in steps]),
        ),
    )


def _bar(infl: Influence, at: int, step: Step) -> dict[str, Any]:
    known = math.isfinite(step.value)
    end = step.start + step.value if known else step.start
    low, high = (x if math.isfinite(x) and known else None for x in (step.low, step.high))
    scale = unit(infl)[0]
    value = printed(infl, step.value, sign=step.kind != "the gap")
    limits = ""
    if low is not None and high is not None:
        limits = interval(infl, (low - step.start) / scale, (high - step.start) / scale)
    n = " and ".join(f"{n:,}" for n in infl.r2["n"])
    return {
        "at": at,
        "kind": step.kind,
        "start": step.start,
        "end": end,
        "low": low,
        "high": high,
        "far": max(x for x in (step.start, end, high) if x is not None),
        "text": value.removesuffix(" pp"),
        "told": f"{step.label.replace(chr(10), ' ')}: {value} {limits}; n = {n} rows".replace(
            "  ", " "
        ),
    }


def pair_chart(infl: Influence) -> Chart | None:
    """The pair that carries most, in the group whose rate is higher less that of the other."""
    key = _strongest_pair(infl)
    if key is None:
        return None
    drawn = cells(infl.components[key], at_most=SIDE)
    first, second = telling_names([str(name) for name in key], width=40)
    value = _influence_of(infl, key)
    title = f"What {first} and {second} add together: {amount(infl, value)}"
    return Chart(
        title=title,
        told=(
            "Each cell is what the pair adds to the rate there, beyond either feature alone; "
            "one grid for each group. Cells without rows are left empty."
        ),
        spec=_grids(infl, drawn, (first, second), title),
    )


def _strongest_pair(infl: Influence) -> tuple[Hashable, ...] | None:
    for features in infl.table["features"]:
        if len(features) == 2 and features in infl.components:
            return tuple(features)
    return None


def _influence_of(infl: Influence, key: tuple[Hashable, ...]) -> float:
    rows = infl.table[[features == key for features in infl.table["features"]]]
    return float(rows["influence"].iloc[0])


def _grids(infl: Influence, drawn: Cells, names: tuple[str, str], title: str) -> dict[str, Any]:
    scale = unit(infl)[0]
    pieces = []
    groups = telling_names([infl.group_high, infl.group_low], width=30)
    largest = max((abs(v) for row in _values(infl, drawn) for v in row), default=0.0) or 1.0
    for group, values in zip(groups, (drawn.high, drawn.low)):
        rows = [
            {
                "y": i,
                "x": j,
                "value": value * scale,
                "told": f"{group}: {names[0]} {drawn.labels[0][i]}, {names[1]} "
                f"{drawn.labels[1][j]}: {amount(infl, value)}",
            }
            for i, line in enumerate(values.tolist())
            for j, value in enumerate(line)
            if math.isfinite(value)
        ]
        pieces.append({"title": group, "data": {"values": rows}, **_grid(drawn, names, largest)})
    whole = spec([], [], told=title)
    whole.pop("layer")
    whole.pop("width")
    return {
        **whole,
        "autosize": {"type": "pad"},
        "params": [
            {"name": f"{field}_texts", "value": tick_texts(texts, width=_SHORT)}
            for field, texts in zip("yx", drawn.labels)
        ],
        "concat": pieces,
        "columns": 2,
        "resolve": {"scale": {"color": "shared"}},
    }


def _values(infl: Influence, drawn: Cells) -> list[list[float]]:
    scale = unit(infl)[0]
    both = [*drawn.high.tolist(), *drawn.low.tolist()]
    return [[value * scale for value in line if math.isfinite(value)] for line in both]


def _grid(drawn: Cells, names: tuple[str, str], largest: float) -> dict[str, Any]:
    return {
        "width": 260,  # the page's script makes it what there is room for
        "height": min(max(14 * len(drawn.labels[0]), 90), 280),
        "mark": {"type": "rect"},
        "encoding": {
            "x": _side("x", names[1], "ascending"),
            "y": _side("y", names[0], "descending"),
            "color": {
                "field": "value",
                "type": "quantitative",
                "scale": {"domain": [-largest, 0, largest], "range": _DIVERGING},
                "legend": {"title": "percentage points", "gradientLength": 160},
            },
            **told(),
        },
    }


def _side(field: str, name: str, sort: str) -> dict[str, Any]:
    """A side of a grid: cells by their place, texts beside them."""
    return {
        "field": field,
        "type": "ordinal",
        "sort": sort,
        "title": name,
        "axis": {
            "labelExpr": f"{field}_texts[datum.value]",
            "labelLimit": 120,
            "labelOverlap": True,
            "grid": False,
        },
    }
