"""Why a tree has no split."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.tree.grow import grow
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.table import TrainingTable

_RELAXED: tuple[tuple[str, Any], ...] = (
    ("parity", None),
    ("min_samples_leaf", 1),
    ("min_weight_fraction_leaf", 0.0),
    ("min_impurity_decrease", 0.0),
    ("ccp_alpha", 0.0),
    ("simplify", False),
)


def constant_reason(table: TrainingTable, options: GrowthOptions) -> str:
    """Why these options give a tree that decides alike for every row.

    The first option without which there would be a split is the reason.
    """
    if len(np.unique(table.y)) == 1:
        return f"Every row has the class {table.classes[table.y[0]]!r}."
    n_rows = table.n_rows if table.weights is None else int(table.row_weights().sum())
    if table.counts_rows and n_rows < options.min_samples_split:
        return f"There are {n_rows} rows, and min_samples_split is {options.min_samples_split}."
    if isinstance(options.parity, GapBudget):
        return f"No split was worth its place within {options.parity!r}."
    stump = replace(options, max_depth=1, max_leaf_nodes=None)
    asked = [(name, value) for name, value in _RELAXED if getattr(options, name) != value]
    for name, value in asked:
        if _splits(table, replace(stump, **{name: value})):
            return f"No split is allowed or kept with {name}={getattr(options, name)!r}."
    if _splits(table, replace(stump, **dict(asked))):
        every = ", ".join(f"{name}={getattr(options, name)!r}" for name, _ in asked)
        return f"No split is allowed or kept with {every}."
    if options.split == "logistic":
        return "No logistic regression makes fewer errors than deciding alike for every row."
    return "No feature tells any two rows apart."


def _splits(table: TrainingTable, options: GrowthOptions) -> bool:
    return grow(table, options).n_nodes > 1
