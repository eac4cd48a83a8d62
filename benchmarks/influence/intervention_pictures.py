"""Pictures of what interventions changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from coefficients import DECISION, LOG_ODDS, ORDER_1, REFERENCE, TAKING_PART, Zeroed, of_strongest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import arbitree as ar
from arbitree import Influence

SCATTERED = (ORDER_1, TAKING_PART, LOG_ODDS, DECISION)
NAMED = 2  # columns of a panel
COLOURS = {  # Okabe and Ito
    ORDER_1: "#0072B2",
    TAKING_PART: "#56B4E9",
    REFERENCE: "#009E73",
    LOG_ODDS: "#E69F00",
    DECISION: "#D55E00",
}
MARKERS = {ORDER_1: "o", TAKING_PART: "s", REFERENCE: "^", LOG_ODDS: "v", DECISION: "D"}

Cases = Mapping[str, Sequence[Zeroed]]


def comparison(before: Influence, after: Influence, path: Path) -> None:
    ax = ar.plot_comparison(ar.compare(before, after), max_display=10)
    ax.figure.savefig(path, dpi=90)


def scatter(cases: Cases, path: Path) -> None:
    """What was said of each column, against the fall of the gap without it."""
    size = (3.4 * len(SCATTERED), 2.9 * len(cases))
    grid = Figure(figsize=size, layout="constrained").subplots(
        len(cases), len(SCATTERED), squeeze=False
    )
    for axes, (name, found) in zip(grid, cases.items()):
        for ax, measure in zip(axes, SCATTERED):
            _panel(ax, found, measure)
        axes[0].set_ylabel(f"{name}\nfall of the gap, pp")
    for ax, measure in zip(grid[0], SCATTERED):
        ax.set_title(measure)
    for ax, measure in zip(grid[-1], SCATTERED):
        ax.set_xlabel("log-odds" if measure == LOG_ODDS else "percentage points")
    grid[0, 0].figure.savefig(path, dpi=80)


def _panel(ax: Axes, found: Sequence[Zeroed], measure: str) -> None:
    kept = found[0].kept(sensitive=False)
    x = np.array([one.measures[measure] for one in found])[:, kept]
    x *= 1.0 if measure == LOG_ODDS else 100.0
    y = np.array([one.at_mean for one in found])[:, kept] * 100
    ax.axhline(0, color="#777777", linewidth=0.7)
    ax.axvline(0, color="#777777", linewidth=0.7)
    ax.plot(x.ravel(), y.ravel(), "o", color=COLOURS[measure], alpha=0.7, markersize=4)
    ax.margins(0.12, 0.22)
    names = np.array(found[0].columns)[kept]
    for j in _far_apart(np.median(x, axis=0) / np.ptp(x), np.median(y, axis=0) / np.ptp(y)):
        _name(ax, names[j], x[:, j], y[:, j])


def _far_apart(x: np.ndarray, y: np.ndarray) -> list[int]:
    """The points farthest from 0 whose names have room."""
    chosen: list[int] = []
    for j in np.argsort(-np.abs(x) - np.abs(y)).tolist():
        if all(abs(x[j] - x[k]) > 0.5 or abs(y[j] - y[k]) > 0.15 for k in chosen):
            chosen.append(j)
    return chosen[:NAMED]


def _name(ax: Axes, name: str, x: np.ndarray, y: np.ndarray) -> None:
    """The name of a column above its points, or below where the gap rises without it."""
    above = np.median(y) >= 0
    low, high = ax.get_xlim()
    place = (np.median(x) - low) / (high - low)
    ax.annotate(
        name,
        (float(np.median(x)), float(y.max() if above else y.min())),
        xytext=(0, 5 if above else -5),
        textcoords="offset points",
        ha="left" if place < 0.3 else "right" if place > 0.7 else "center",
        va="bottom" if above else "top",
        fontsize="small",
    )


def strongest(cases: Cases, path: Path) -> None:
    """Correlation among the k columns of which most was said, as in the paper's Figure 3."""
    figure = Figure(figsize=(max(3.6 * len(cases), 9), 3.6), layout="constrained")
    axes = figure.subplots(1, len(cases), sharey=True, squeeze=False)[0]
    for ax, (name, found) in zip(axes, cases.items()):
        for measure, colour in COLOURS.items():
            r = np.array([of_strongest(one, measure) for one in found])
            if np.isnan(r).all():
                continue
            k = np.arange(3, 3 + r.shape[1])
            middle = np.nanmedian(r, axis=0)
            ax.plot(k, middle, MARKERS[measure], ls="-", ms=4, color=colour, label=measure)
        ax.axhline(0, color="#777777", linewidth=0.7)
        ax.set_title(name)
        ax.set_xlabel("columns, the strongest")
        ax.xaxis.get_major_locator().set_params(integer=True)
    axes[0].set_ylim(-1.05, 1.05)
    axes[0].set_ylabel("Pearson's r, median of folds")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(path, dpi=80)
