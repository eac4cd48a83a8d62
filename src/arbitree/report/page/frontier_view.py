"""Accuracy against the gap: a picture of points to pick from, and the table that has them too."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

from ..._tables import visible
from ...groups.status import OK
from ...tree.frontier_result import Frontier
from ..phrases import points_text, share_text, spelled
from .blocks import Chart, Table
from .columns import table_of
from .vega import QUIET, SERIES, spec, told

_BOUNDS = {
    "GapBudget": "gap at most {:g} pp",
    "SplitGap": "gap of each split at most {:g} pp",
}
_X, _Y = "gap in percentage points, lower is fairer", "accuracy"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierView:
    """Points to pick from: the picture's and the table's are the same, in the same order."""

    template: ClassVar[str] = "frontier"
    chart: Chart
    table: Table
    told: tuple[str, ...]  # a sentence on each point
    chosen: int  # the point that the report went on with, -1 for none


def frontier_view(
    frontier: Frontier, chosen: float | None, *, went_on: bool = True
) -> FrontierView:
    """The points of a frontier.

    Parameters
    ----------
    frontier : Frontier
    chosen : float or None
        The bound of the tree that the report goes on with; None for a tree without one.
    went_on : bool
        Whether there is such a tree.
    """
    points = [row for _, row in frontier.table.iterrows()]
    n = round(frontier.n_rows * frontier.test_size)
    sentences = [_sentence(row, n) for row in points]
    picked = _chosen(frontier.table, chosen) if went_on else -1
    return FrontierView(
        chart=Chart(
            title=f"Accuracy against the {spelled(frontier.metric)} gap",
            told=(
                f"Up and to the left is better. Each point is the mean over {frontier.n_splits} "
                f"splits of about {n:,} rows that the tree has not seen; lines are intervals, cut "
                "at the edge where they are longer than the picture."
            ),
            spec=_spec(points, sentences, picked),
        ),
        table=_table(frontier, n),
        told=tuple(sentences),
        chosen=picked,
    )


def _chosen(table: pd.DataFrame, bound: float | None) -> int:
    ours = (table["method"] == "tree").to_numpy()
    bounds = table["bound"].to_numpy(dtype=float)
    for at, (mine, value) in enumerate(zip(ours, bounds)):
        if mine and (math.isnan(value) if bound is None else value == bound):
            return at
    return -1


def _name(row: pd.Series) -> str:
    method = visible(str(row["method"]))
    return f"{method}, {_bound(row)}"


def _bound(row: pd.Series) -> str:
    """What is asked of a tree, or an estimator's own bound, in words."""
    parity = visible(str(row["parity"]))
    if not parity:
        return "no bound"
    for name, words in _BOUNDS.items():
        if parity.startswith(f"{name}("):
            return words.format(100 * row["bound"])
    return parity


def _accuracy(row: pd.Series) -> str:
    return share_text(row["accuracy"], row["accuracy_low"], row["accuracy_high"])


def _gap(row: pd.Series) -> str:
    return points_text(row["gap"], row["gap_low"], row["gap_high"])


def _leaves(row: pd.Series) -> str:
    value = row["n_leaves"]
    return "n/a" if pd.isna(value) else f"{value:.1f}"


def _sentence(row: pd.Series, n: int) -> str:
    leaves = "" if pd.isna(row["n_leaves"]) else f", {_leaves(row)} leaves on average"
    alike = row["n_constant"]
    constant = f"; decided alike for everybody in {alike:,} of {row['n_runs']:,} splits"
    return (
        f"{_name(row)}: accuracy {_accuracy(row)}, gap {_gap(row)}{leaves}; "
        f"{row['n_runs']:,} splits of about {n:,} unseen rows{constant if alike else ''}."
    )


def _table(frontier: Frontier, n: int) -> Table:
    table = frontier.table
    rows = [row for _, row in table.iterrows()]
    frame = pd.DataFrame(
        {
            "method and bound": [_name(row) for row in rows],
            "accuracy": [_accuracy(row) for row in rows],
            "balanced accuracy": [
                share_text(
                    row["balanced_accuracy"],
                    row["balanced_accuracy_low"],
                    row["balanced_accuracy_high"],
                )
                for row in rows
            ],
            "gap": [_gap(row) for row in rows],
            "leaves": [_leaves(row) for row in rows],
            "n": [f"{n:,} x {row['n_runs']:,}" for row in rows],
            "status": [_status(row) for row in rows],
        }
    )
    order = {name.replace("_", " "): table[name] for name in ("accuracy", "balanced_accuracy")}
    order |= {"gap": table["gap"], "leaves": table["n_leaves"], "n": table["n_runs"]}
    caption = f"Points of the frontier, means with {100 * frontier.confidence:g}% intervals"
    return table_of(frame, caption=caption, order=order)


def _status(row: pd.Series) -> str:
    parts = [f"alike for everybody in {row['n_constant']:,} splits"] if row["n_constant"] else []
    parts += ["needs the groups to decide"] if row["needs_groups"] else []
    return "; ".join(parts) or OK


def _spec(points: list[pd.Series], sentences: list[str], chosen: int) -> dict[str, Any]:
    rows = [
        {
            "at": at,
            "kind": visible(str(row["method"])),
            "told": sentence,
            **{f"gap{end}": _scaled(row[f"gap{end}"]) for end in ("", "_low", "_high")},
            **{f"accuracy{end}": _finite(row[f"accuracy{end}"]) for end in ("", "_low", "_high")},
        }
        for at, (row, sentence) in enumerate(zip(points, sentences))
        if math.isfinite(row["gap"]) and math.isfinite(row["accuracy"])
    ]
    methods = list(dict.fromkeys(str(row["kind"]) for row in rows))
    return spec(
        rows,
        [
            _limits("gap", "accuracy"),
            _limits("accuracy", "gap"),
            _points(methods, _domain(rows, "gap", 2.0), _domain(rows, "accuracy", 0.02)),
        ],
        told="Points: accuracy against the gap",
        height=320,
        params=[{"name": "chosen", "value": chosen}],
    )


def _scaled(value: float) -> float | None:
    found = _finite(value)
    return None if found is None else 100 * found


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _limits(along: str, at: str) -> dict[str, Any]:
    """Lines from limit to limit of one measure."""
    first, second = ("x", "y") if along == "gap" else ("y", "x")
    return {
        "transform": [{"filter": f"isValid(datum.{along}_low)"}],
        "mark": {
            "type": "rule",
            "strokeWidth": 1,
            "color": QUIET,
            "opacity": 0.7,
            "aria": False,
            "clip": True,
        },
        "encoding": {
            first: {"field": f"{along}_low", "type": "quantitative"},
            f"{first}2": {"field": f"{along}_high"},
            second: {"field": at, "type": "quantitative"},
        },
    }


def _domain(rows: list[dict[str, Any]], name: str, least: float) -> list[float]:
    """Room for the points, and for as much of their intervals again."""
    values = [row[name] for row in rows]
    low, high = min(values), max(values)
    room = max(high - low, least)
    ends = [row[f"{name}{end}"] for row in rows for end in ("_low", "_high")]
    known = [end for end in ends if end is not None]
    low = max(low - room, min([low - room / 8, *known]))
    return [max(low, 0.0), min(high + room, max([high + room / 8, *known]))]


def _points(methods: list[str], gaps: list[float], accuracies: list[float]) -> dict[str, Any]:
    return {
        "mark": {"type": "point", "filled": True, "opacity": 1, "cursor": "pointer"},
        "encoding": {
            "x": {
                "field": "gap",
                "type": "quantitative",
                "title": _X,
                "scale": {"domain": gaps, "zero": False},
                "axis": {"tickCount": 6},
            },
            "y": {
                "field": "accuracy",
                "type": "quantitative",
                "title": _Y,
                "scale": {"domain": accuracies, "zero": False},
                "axis": {"format": ".1~%", "tickCount": 6},
            },
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": methods, "range": list(SERIES)},
                "legend": {"title": None} if len(methods) > 1 else None,
            },
            "size": {"condition": {"test": "datum.at === chosen", "value": 260}, "value": 90},
            "stroke": {
                "condition": {"test": "datum.at === chosen", "value": "var(--ink)"},
                "value": None,
            },
            **told(),
        },
    }
