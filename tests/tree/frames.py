"""Small random tables with numbers, categories, missing values, groups and weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass
class Sample:
    """Rows of a classification problem."""

    X: pd.DataFrame
    y: np.ndarray
    group: np.ndarray
    weights: np.ndarray  # whole, at least 1

    def rows(self, at: np.ndarray) -> Sample:
        """Some rows, with an index of their own."""
        return Sample(
            self.X.iloc[at].reset_index(drop=True), self.y[at], self.group[at], self.weights[at]
        )

    def columns(self) -> list[tuple[list[object], bool]]:
        """Values with None for missing, and whether they are numbers."""
        found = []
        for name in self.X:
            column = self.X[name]
            values = [None if pd.isna(value) else value for value in column.tolist()]
            found.append((values, pd.api.types.is_numeric_dtype(column)))
        return found


def sample(
    seed: int,
    *,
    n_rows: int = 30,
    n_classes: int = 2,
    missing: bool = True,
    categories: bool = True,
    n_groups: int = 2,
) -> Sample:
    """A random table; the label depends a little on features and group."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, n_rows + 1))
    group = rng.integers(0, n_groups, n)
    score = rng.normal(size=n) + group
    columns: dict[str, object] = {
        "number": np.round(score * 2) / 2,
        "count": rng.integers(0, 4, n).astype(float),
    }
    if categories:
        columns["level"] = pd.Series(np.array(list("abcde"))[rng.integers(0, 5, n)], dtype=object)
    X = pd.DataFrame(columns)
    if missing:
        for name in X:
            X.loc[rng.random(n) < 0.15, name] = None
    for name in ("number", "count"):
        X[name] = X[name].astype(float)
    y = np.clip(np.round(score + rng.normal(size=n)), 0, n_classes - 1).astype(int)
    return Sample(X, y, np.array([f"g{g}" for g in group]), rng.integers(1, 4, n).astype(float))
