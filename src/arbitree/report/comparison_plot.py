"""Two explanations of one gap in one picture: an arrow from before to after for every part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._tables import NOT_AVAILABLE, visible
from ..influence.before_after import Comparison
from .canvas import (
    BLUE,
    GREY,
    PLAIN_TEXT,
    VERMILLION,
    check_result,
    checked_max_display,
    legend_below,
    need_matplotlib,
    new_axes,
)
from .influence_phrases import MAX_DISPLAY, split_rows
from .influence_plot import over
from .phrases import spelled
from .plot_names import drawable, shortened
from .waterfall import feature_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PARTS = ("before", "after", "change")


def plot_comparison(
    comparison: Comparison, *, ax: Axes | None = None, max_display: int = MAX_DISPLAY
) -> Axes:
    """Draw each part of a gap before and after.

    Parameters
    ----------
    comparison : Comparison
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    max_display : int
        At most so many sets of features, those that changed most; the others are added up as
        ``other (k)``.

    Returns
    -------
    matplotlib Axes
        The gap, its parts, and what is unexplained, top to bottom; in percentage points, or in
        the unit of the scores.

    Raises
    ------
    InputError
        `max_display` is below 2.
    MissingDependencyError
        matplotlib is not installed.
    """
    max_display = checked_max_display(max_display)
    check_result(comparison, Comparison, name="comparison", made_by="compare")
    need_matplotlib()
    scores = comparison.scores
    scale = 1.0 if scores else 100.0
    names, values = _rows(comparison, max_display)
    labels, families = drawable(names)
    (title,), of_title = drawable([_title(comparison)])
    ax = new_axes(labels, title=title) if ax is None else ax
    _draw(ax, values * scale, scores=scores)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.axhline(0.5, color=GREY, linewidth=0.7)
    ax.set_yticks(range(len(labels)), labels, fontfamily=families, **PLAIN_TEXT)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_title(title, loc="left", fontfamily=of_title, **PLAIN_TEXT)
    name = comparison.favorable if scores else "percentage points"
    ax.set_xlabel(shortened(name, 70), **PLAIN_TEXT)
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    legend_below(ax)
    return ax


def _rows(comparison: Comparison, max_display: int) -> tuple[list[str], np.ndarray]:
    """Labels, and before, after and change of each.  -> (n,), (n, 3)"""
    changed, others = split_rows(comparison.table, max_display)
    labels = ["gap", *feature_labels(changed["features"].tolist())]
    rows = [[getattr(comparison, f"gap_{part}") for part in _PARTS]]
    rows += changed[list(_PARTS)].to_numpy(dtype=float).tolist()
    if len(others):
        labels.append(f"other ({len(others):,})")
        rows.append([float(others[part].sum()) for part in _PARTS])
    labels.append("unexplained")
    rows.append([getattr(comparison, f"unexplained_{part}") for part in _PARTS])
    return labels, np.array(rows, dtype=float)


def _draw(ax: Axes, values: np.ndarray, *, scores: bool) -> None:
    at = np.arange(len(values))
    for position, (before, after, _) in enumerate(values):
        if np.isfinite([before, after]).all():
            ax.plot([before, after], [position, position], color=GREY, linewidth=1.5, zorder=1)
    marks: dict[str, Any] = {"linestyle": "none", "markersize": 7}
    ax.plot(values[:, 0], at, "o", color=BLUE, markerfacecolor="white", label="before", **marks)
    ax.plot(values[:, 1], at, "D", color=VERMILLION, label="after", **marks)
    known = values[:, :2][np.isfinite(values[:, :2])]
    low, high = min(known.min(initial=0), 0), max(known.max(initial=0), 0)
    room = (high - low) or 1.0
    ax.set_xlim(low - 0.05 * room, high + 0.16 * room)
    for position, (before, after, change) in enumerate(values):
        _write(ax, position, [before, after], _change(change, scores=scores))


def _change(value: float, *, scores: bool) -> str:
    """A change in words; one of nothing has no sign."""
    if not np.isfinite(value):
        return NOT_AVAILABLE
    if scores:
        return f"{value:+.3g}" if value else "0"
    value = round(value, 1) + 0.0
    return f"{value:{'+' if value else ''}.1f}"


def _write(ax: Axes, position: int, ends: Sequence[float], text: str) -> None:
    known = [end for end in ends if np.isfinite(end)]
    ax.annotate(
        text,
        (max(known, default=0.0), position),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        fontsize="small",
        **PLAIN_TEXT,
    )


def _title(comparison: Comparison) -> str:
    metric = spelled(comparison.metric)
    what = shortened(visible(comparison.favorable), 40) if comparison.scores else metric
    head = f"{what}: gap before and after, with the change"
    return "\n".join([head, *over(comparison.group_high, comparison.group_low)])
