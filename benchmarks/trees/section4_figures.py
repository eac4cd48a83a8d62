"""Figure 1 of the paper, anew: measures of prediction and of fairness against c."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from section4_metrics import FAIRNESS, PREDICTION
from section4_runs import UNBOUND
from section4_tables import logistic, mean_and_half

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # Okabe and Ito
MARKERS = ("o", "s", "^", "D")
APART = 0.09  # of the distance between two c


def draw(found: pd.DataFrame, path: Path) -> None:
    """One table: predictions on the left, fairness on the right."""
    figure = Figure(figsize=(11, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    trees = logistic(found)
    _panel(left, trees, PREDICTION)
    _panel(right, trees, FAIRNESS)
    varied = trees[trees["constant"] == 0]
    _lines(right, varied, FAIRNESS, bounds=_bounds(trees), hollow=True)
    left.set_title(f"{found['table'].iloc[0]}: prediction", pad=20)
    right.set_title("fairness (hollow, dashed: without constant trees)", pad=20)
    right.axhline(0, color="#777777", linewidth=0.7)
    for ax in (left, right):
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False, ncols=4)
    part = path.with_suffix(".part")
    figure.savefig(part, format="png", dpi=90)
    part.replace(path)


def _bounds(trees: pd.DataFrame) -> list[float]:
    return sorted(trees["c"].unique())


def _panel(ax: Axes, trees: pd.DataFrame, measures: Mapping[str, str]) -> None:
    bounds = _bounds(trees)
    _lines(ax, trees, measures, bounds=bounds, hollow=False)
    ax.set_xticks(range(len(bounds)), [_name(c) for c in bounds], rotation=60, fontsize=8)
    ax.set_xlabel("c (inf: LRT); above, in blue: constant trees")
    constant = trees.groupby("c")["constant"].sum()
    for place, c in enumerate(bounds):
        ax.text(
            place,
            1.01,
            f"{constant[c]:.0f}",
            color=COLOURS[0],
            fontsize=8,
            ha="center",
            va="bottom",
            transform=ax.get_xaxis_transform(),
        )


def _name(c: float) -> str:
    return "inf" if c == UNBOUND else f"{c:g}"


def _lines(
    ax: Axes, trees: pd.DataFrame, measures: Mapping[str, str], *, bounds: list[float], hollow: bool
) -> None:
    for k, (measure, label) in enumerate(measures.items()):
        stats = [mean_and_half(trees.loc[trees["c"] == c, measure]) for c in bounds]
        mean, half = np.array(stats).T
        x = np.arange(len(bounds)) + APART * (k - (len(measures) - 1) / 2)
        ax.errorbar(
            x,
            mean,
            yerr=None if hollow else np.nan_to_num(half),
            fmt=MARKERS[k] + ("--" if hollow else "-"),
            color=COLOURS[k],
            markersize=4,
            linewidth=0.9,
            elinewidth=0.9,
            markerfacecolor="white" if hollow else COLOURS[k],
            label=None if hollow else label,
            zorder=2 if hollow else 3,
        )
