"""The picture of the page: test accuracy against test gap, a panel a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from frontier_curves import FINE, OURS, Kept, on_most_splits
from frontier_methods import METHODS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks" / "tree-frontier.png"
COLORS = {
    "budget": "#0072B2",
    "covariance": "#56B4E9",
    "kamiran": "#E69F00",
    "kamiran-sum": "#D55E00",
    "grid": "#009E73",
    "fair-trees": "#CC79A7",
    "gradient": "#000000",
    "threshold": "#777777",
}
TITLE = "Means over splits of the points that training rows choose; up and to the left is better"


def draw(size: tuple[int, int]) -> None:
    from matplotlib import pyplot

    kept = Kept.read()
    tables = kept.tables(size)
    rows = -(-len(tables) // 2)
    figure, axes = pyplot.subplots(
        rows, 2, figsize=(10, 3.4 * rows + 0.9), layout="constrained", squeeze=False
    )
    for table, ax in zip(tables, axes.flat):
        panel(ax, kept, table, size)
    for ax in axes.flat[len(tables) :]:
        ax.axis("off")
    handles = {}
    for ax in axes.flat:
        handles |= dict(zip(*reversed(ax.get_legend_handles_labels())))
    figure.suptitle(TITLE, fontsize=10)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4, fontsize=8)
    figure.savefig(PICTURE, dpi=110)
    pyplot.close(figure)


def panel(ax: Axes, kept: Kept, table: str, size: tuple[int, int]) -> None:
    results = on_most_splits(kept.results(table, size, FINE))
    shown = [name for name in COLORS if name in results]
    n_splits = results[OURS].n_splits
    widest = max(results[name].gap.mean(axis=0).max() for name in shown)
    for name in shown:
        gap, accuracy = results[name].gap.mean(axis=0), results[name].accuracy.mean(axis=0)
        order = np.argsort(gap, kind="stable")
        ax.plot(
            gap[order],
            accuracy[order],
            "o-" if METHODS[name].single else "x:",
            color=COLORS[name],
            linewidth=2 if name == "budget" else 1,
            markersize=4,
            zorder=5 if name == "budget" else 3,
            label=METHODS[name].label.strip("*"),
        )
    ax.set_title(f"{table}, {n_splits} split{'s' * (n_splits > 1)}", fontsize=10, loc="left")
    ax.set_xlabel("test gap", fontsize=8)
    ax.set_ylabel("test accuracy", fontsize=8)
    ax.tick_params(labelsize=8)
    ax.set_xlim(-0.01 * widest, min(0.2, 1.05 * widest))
    ax.grid(alpha=0.3)
