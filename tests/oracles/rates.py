"""Rates by their definitions, one row at a time."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

# metric: which rows are trials, which of them are hits, from (decision, label)
DEFINITIONS = {
    "selection_rate": (lambda d, y: True, lambda d, y: d == 1),
    "true_positive_rate": (lambda d, y: y == 1, lambda d, y: d == 1),
    "false_positive_rate": (lambda d, y: y == 0, lambda d, y: d == 1),
    "positive_predictive_value": (lambda d, y: d == 1, lambda d, y: y == 1),
    "negative_predictive_value": (lambda d, y: d == 0, lambda d, y: y == 0),
    "accuracy": (lambda d, y: True, lambda d, y: d == y),
    "base_rate": (lambda d, y: True, lambda d, y: y == 1),
}


def rates_by_loops(
    data: pd.DataFrame, groupings: Sequence[Sequence[str]]
) -> dict[tuple[str, str, str], tuple[int, int]]:
    """(metric, grouping, group) -> (hits, trials)"""
    found: dict[tuple[str, str, str], tuple[int, int]] = {}
    for columns in groupings:
        for _, row in data.iterrows():
            group = " x ".join(row[column] for column in columns)
            for metric, (is_trial, is_hit) in DEFINITIONS.items():
                key = metric, " x ".join(columns), group
                k, n = found.get(key, (0, 0))
                if is_trial(row["decision"], row["label"]):
                    n += 1
                    k += is_hit(row["decision"], row["label"])
                found[key] = k, n
    return found
