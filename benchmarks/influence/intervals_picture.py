"""The picture of coverages: a dot for each influence, the band that is wanted behind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot as plt

COLOURS = {300: "#8c510a", 1_000: "#01665e", 10_000: "#762a83"}


def draw(found: Sequence[Any], path: Path) -> None:
    names = list(dict.fromkeys((one.population.name, one.name) for one in found))
    figure, ax = plt.subplots(figsize=(8, 0.28 * len(names) + 1.2), layout="constrained")
    ax.axvspan(0.93, 0.97, color="0.9", zorder=0)
    ax.axvline(0.95, color="0.6", linewidth=0.8)
    sizes = sorted({one.n for one in found})
    for k, n in enumerate(sizes):
        of_size = [one for one in found if one.n == n]
        ax.errorbar(
            [one.coverage for one in of_size],
            [names.index((one.population.name, one.name)) + 0.2 * (k - 1) for one in of_size],
            xerr=[1.96 * one.error for one in of_size],
            fmt="o",
            markersize=4,
            linewidth=1,
            color=COLOURS.get(n),
            label=f"{n:,} rows a group",
        )
    ax.set_yticks(range(len(names)), [f"{population}: {name}" for population, name in names])
    ax.invert_yaxis()
    ax.set_xlim(right=1.005)
    ax.set_xlabel("share of 95 % intervals that hold the truth\n(bars: 95 % of simulation error)")
    figure.legend(loc="outside lower left", ncols=len(sizes), frameon=False)
    part = path.with_suffix(".part")
    figure.savefig(part, format="png", dpi=130)
    plt.close(figure)
    part.replace(path)
