"""What a set of features adds to the outcome, value by value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Component:
    """The function g_S of a set of features in both groups, on the codes of its features.

    All arrays have one axis for each feature, in the order of the set's names, and
    ``labels[k][i]`` is the text of code i of feature k. A cell without rows in a group has no
    meaning there.
    """

    labels: tuple[tuple[str, ...], ...]
    values_high: np.ndarray  # (n_1, n_2, ..) float64
    values_low: np.ndarray
    rows_high: np.ndarray  # (n_1, n_2, ..) rows, or sums of weights
    rows_low: np.ndarray
