"""Accuracy against the gap between groups, one line a method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._errors import InputError
from .._wording import nearest
from ..tree.frontier_result import Frontier
from .canvas import GREY, PLAIN_TEXT, need_matplotlib
from .phrases import spelled
from .plot_names import distinct_names, drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which colour-blind readers can tell apart; our own trees come first.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKS = "osD^v<>PX"
_ACCURACIES = ("accuracy", "balanced_accuracy")
_LEGEND_COLUMNS = 2


def plot_frontier(
    frontier: Frontier,
    *,
    accuracy: str = "accuracy",
    max_gap: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw accuracy against the gap on held-out rows: up and to the left is better.

    Each point is the mean over splits, with the intervals of both. A hollow mark says that in
    some splits everybody was decided alike, and the number beside it in how many; no interval is
    drawn where everybody always was.

    Parameters
    ----------
    frontier : Frontier
    accuracy : {"accuracy", "balanced_accuracy"}
    max_gap : float, optional
        A limit of the gap to mark.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes
        Rates are fractions, shown as percentages.

    Raises
    ------
    InputError
        There is no such accuracy.
    MissingDependencyError
        matplotlib is not installed.

    Examples
    --------
    >>> import arbitree as ar
    >>> from matplotlib.figure import Figure
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    >>> found = ar.frontier(
    ...     X, y, sensitive_features=rng.choice(["f", "m"], 200), parity=[None], n_splits=2
    ... )
    >>> ar.plot_frontier(found, ax=Figure().subplots()).get_ylabel()
    'accuracy'
    """
    if accuracy not in _ACCURACIES:
        raise InputError(f"There is no accuracy {accuracy!r}. {nearest(accuracy, _ACCURACIES)}")
    need_matplotlib()
    lines = _lines(frontier.table)
    names, families = drawable(distinct_names(list(lines), width=40))
    ax = _new_axes(len(lines)) if ax is None else ax
    for position, (points, name) in enumerate(zip(lines.values(), names)):
        if points["needs_groups"].any():
            name += " (needs the groups to predict)"
        _draw(ax, points, accuracy, name, position)
    _limits(ax, max_gap)
    shown = f"{frontier.n_splits} splits, {100 * frontier.confidence:g} % intervals"
    ax.set_title(f"Held-out rows: {shown}", loc="left", **PLAIN_TEXT)
    ax.set_xlabel(f"{spelled(frontier.metric)} gap", **PLAIN_TEXT)
    ax.set_ylabel(accuracy.replace("_", " "), **PLAIN_TEXT)
    _legend(ax, families, hollow_marks=bool((frontier.table["n_constant"] > 0).any()))
    return ax


def _lines(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The points of each method, and of each kind of bound where a method has several."""
    kinds = table["parity"].str.extract(r"^([A-Za-z]+)\(", expand=False).fillna("")
    found = {}
    for method in table["method"].unique().tolist():
        here = table["method"] == method
        several = kinds[here].nunique() > 1
        for kind in kinds[here].unique().tolist() if several else [""]:
            words = f"{method}, {kind or 'no bound'}" if several else str(method)
            found[words] = table[here & (kinds == kind)] if several else table[here]
    return found


def _new_axes(n_methods: int) -> Axes:
    from matplotlib import pyplot

    rows = -(-(n_methods + 2) // _LEGEND_COLUMNS)
    return pyplot.subplots(figsize=(8.0, 5.0 + 0.22 * rows), layout="constrained")[1]


def _draw(ax: Axes, points: pd.DataFrame, accuracy: str, name: str, position: int) -> None:
    points = points[points["gap"].notna()].sort_values(["gap", accuracy], kind="stable")
    ours = position == 0
    style: dict[str, Any] = {
        "color": _COLORS[position % len(_COLORS)],
        "marker": _MARKS[position % len(_MARKS)],
        "zorder": 5 if ours else 3,
    }
    gap, value = points["gap"].to_numpy(), points[accuracy].to_numpy()
    _draw_intervals(ax, points, accuracy, style)
    width, size = (2.0, 7) if ours else (1.0, 6)
    ax.plot(gap, value, linewidth=width, alpha=0.9, **(style | {"marker": ""}))
    some = (points["n_constant"] > 0).to_numpy()
    dots: dict[str, Any] = {"linestyle": "none", "markersize": size, **style}
    ax.plot(gap[~some], value[~some], **dots)
    ax.plot(gap[some], value[some], markerfacecolor="white", **dots)
    ax.plot([], [], label=name, linewidth=width, **style)
    for at in np.flatnonzero(some).tolist():
        ax.annotate(
            f"{points['n_constant'].iloc[at]} of {points['n_runs'].iloc[at]}",
            (gap[at], value[at]),
            xytext=(7, -11),
            textcoords="offset points",
            fontsize="x-small",
            color=style["color"],
            **PLAIN_TEXT,
        )


def _draw_intervals(ax: Axes, points: pd.DataFrame, accuracy: str, style: dict[str, Any]) -> None:
    thin: dict[str, Any] = {"linewidth": 1.0, "alpha": 0.35, **style, "marker": ""}
    for _, row in points[points["n_constant"] < points["n_runs"]].iterrows():
        ax.plot([row["gap_low"], row["gap_high"]], [row[accuracy]] * 2, **thin)
        ax.plot([row["gap"]] * 2, [row[f"{accuracy}_low"], row[f"{accuracy}_high"]], **thin)


def _limits(ax: Axes, max_gap: float | None) -> None:
    from matplotlib.ticker import PercentFormatter

    if max_gap is not None:
        ax.axvline(
            max_gap, color=GREY, linestyle=":", linewidth=1.2, label=f"gap {100 * max_gap:g} %"
        )
    right = ax.get_xlim()[1]
    ax.set_xlim(-0.02 * right, right)  # a gap of 0 is not cut off
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.grid(alpha=0.3)
    ax.set_axisbelow(True)


def _legend(ax: Axes, families: list[str], *, hollow_marks: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    handles, labels = ax.get_legend_handles_labels()
    if hollow_marks:
        hollow: dict[str, Any] = {
            "color": GREY,
            "marker": "o",
            "markerfacecolor": "white",
            "linestyle": "none",
        }
        handles.append(Line2D([], [], **hollow))
        labels.append("everybody decided alike in some splits")
    below = ScaledTranslation(0, -40 / 72, ax.figure.dpi_scale_trans)
    legend = ax.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + below,
        borderaxespad=0,
        frameon=False,
        ncols=_LEGEND_COLUMNS,
        prop={"family": families, "size": "small"},
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
