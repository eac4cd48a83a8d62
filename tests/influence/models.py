"""Small designs for tests of the engine."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from arbitree.influence.axes import Axis, axis
from arbitree.influence.design import Design, design
from arbitree.table.code import code_features
from arbitree.table.frames import columns


def small_design(
    seed: int, n: int = 300, max_order: int = 2, n_intervals: int = 4
) -> tuple[Design, np.ndarray]:
    """Two dependent numbers and a category with missing values; an outcome of 0 and 1."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    b = 0.6 * a + rng.normal(size=n)
    c = np.where(rng.random(n) < 0.1, None, rng.choice(["p", "q", "r"], n))
    y = (a + b * (c == "p") + 0.3 * rng.normal(size=n) > 0).astype(float)
    axes, codes = small_axes({"a": a, "b": b, "c": c.tolist()}, n_intervals)
    sets = [s for size in range(1, max_order + 1) for s in combinations(range(3), size)]
    return design(axes, codes, sets), y


def small_axes(data: dict[str, object], n_intervals: int = 4) -> tuple[list[Axis], np.ndarray]:
    """An axis of each column, and codes of rows on it (n_axes, n)."""
    coded, _ = code_features(columns(data, what="X", default_name="x"), max_bins=40)
    axes = [
        axis(
            j,
            column.coding,
            np.bincount(column.codes, minlength=column.coding.n_codes),
            n_intervals=n_intervals,
            most_codes=40,
        )
        for j, column in enumerate(coded)
    ]
    return axes, np.stack([one.encode(column.codes) for one, column in zip(axes, coded)])
