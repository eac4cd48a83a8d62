"""Vega-Lite specifications that pages share: one look, in colours that the page's style sets.

Colours are CSS variables, so that light, dark and print need no second drawing. Rows carry `told`,
what a mark says to those who point at it, come to it by keyboard or have it read to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..plot_names import telling_names

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
INK, QUIET, LINE = "var(--ink)", "var(--quiet)", "var(--line)"
BLUE, VERMILLION, GREY = "var(--blue)", "var(--vermillion)", "var(--grey)"
SERIES = tuple(f"var(--series-{k})" for k in range(1, 8))

WIDE, NARROW = 34, 15  # columns of a name beside the bars, of a page and of a phone
_NARROW_BELOW = 380  # pixels of a drawing

Row = Mapping[str, Any]

_CONFIG: dict[str, Any] = {
    "background": None,
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "title": {"color": INK, "fontSize": 12},
    "axis": {
        "labelColor": INK,
        "titleColor": QUIET,
        "titleFontWeight": "normal",
        "domainColor": LINE,
        "tickColor": LINE,
        "gridColor": LINE,
        "labelFontSize": 12,
        "titleFontSize": 12,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": QUIET,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "orient": "bottom",
        "labelLimit": 260,
        "columns": 2,
    },
    "text": {"color": INK, "fontSize": 12},
    "rule": {"color": INK},
}

_TOLD = {"description": {"field": "told"}, "tooltip": {"field": "told"}}


def spec(rows: Sequence[Row], layers: Sequence[Row], *, told: str, **more: Any) -> dict[str, Any]:
    """A layered picture of these rows, as wide as its place on the page."""
    return {
        "$schema": SCHEMA,
        "description": told,
        "width": "container",
        "autosize": {"contains": "padding"},
        "data": {"values": list(rows)},
        "layer": list(layers),
        "config": _CONFIG,
        **more,
    }


def named(names: Sequence[str], narrow: int = NARROW) -> list[dict[str, Any]]:
    """Names beside bars: two lengths of each, told apart by their place."""
    pairs = zip(telling_names(names, width=WIDE), telling_names(names, width=narrow))
    return [{"at": at, "wide": wide, "narrow": narrow} for at, (wide, narrow) in enumerate(pairs)]


def bars(names: Sequence[str], *, step: int = 28, narrow: int = NARROW) -> dict[str, Any]:
    """What a picture with a row a name needs besides its layers."""
    labels = named(names, narrow)
    return {
        "params": [
            {"name": "wide", "value": [label["wide"] for label in labels]},
            {"name": "narrow", "value": [label["narrow"] for label in labels]},
        ],
        "height": step * len(labels),
    }


def by_name() -> dict[str, Any]:
    """The vertical place of a row, its name beside it."""
    return {
        "field": "at",
        "type": "ordinal",
        "title": None,
        "sort": None,
        "axis": {
            "labelExpr": f"(width < {_NARROW_BELOW} ? narrow : wide)[datum.value]",
            "labelLimit": 280,
            "labelPadding": 7,
            "ticks": False,
            "domain": False,
            "grid": False,
        },
    }


def across(field: str, title: str, **more: Any) -> dict[str, Any]:
    """A number along the horizontal axis."""
    axis = {"tickCount": 5, **more.pop("axis", {})}
    return {"field": field, "type": "quantitative", "title": title, "axis": axis, **more}


def ticks(limit: float, whole: float) -> list[float]:
    """From 0 to at most `whole`, so that the room for numbers beyond it has none.

    >>> ticks(0.62, 1.0)
    [0.0, 0.2, 0.4, 0.6]
    """
    steps = [whole * part for part in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25)]
    step = next((step for step in steps if limit / step <= 6), steps[-1])
    return [round(k * step, 6) for k in range(int(min(limit, whole) / step + 1e-9) + 1)]


def bar_layer(x: Row, color: Row, x2: str | None = None) -> dict[str, Any]:
    """Bars, which tell what they are."""
    ends = {"x": x} if x2 is None else {"x": x, "x2": {"field": x2}}
    return {
        "mark": {"type": "bar", "height": {"band": 0.62}, "cornerRadiusEnd": 1},
        "encoding": {**ends, "y": by_name(), "color": color, **_TOLD},
    }


def interval_layer(low: str, high: str) -> dict[str, Any]:
    """A line from limit to limit."""
    return {
        "transform": [{"filter": f"isValid(datum.{low})"}],
        "mark": {"type": "rule", "strokeWidth": 1.5, "aria": False},
        "encoding": {
            "x": {"field": low, "type": "quantitative"},
            "x2": {"field": high},
            "y": by_name(),
        },
    }


def number_layer(at: str, text: str) -> dict[str, Any]:
    """Numbers beside their bars."""
    return {
        "mark": {"type": "text", "align": "left", "dx": 5, "aria": False},
        "encoding": {
            "x": {"field": at, "type": "quantitative"},
            "y": by_name(),
            "text": {"field": text},
        },
    }


def colored(kinds: Mapping[str, str], *, title: str | None = None) -> dict[str, Any]:
    """A colour for each kind."""
    return {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": list(kinds), "range": list(kinds.values())},
        "legend": {"title": title} if len(kinds) > 1 else None,
    }


def told() -> dict[str, Any]:
    """The channels that say what a mark is."""
    return dict(_TOLD)
