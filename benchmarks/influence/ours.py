"""`explain_gap` on a sample of a known population, its terms by sets of names."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import arbitree as ar

Set = frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Influences on the mean of the group "high" minus that of "low", whichever is larger."""

    gap: float
    influences: dict[Set, float]
    limits: dict[Set, tuple[float, float]]
    unexplained: float
    unexplained_limits: tuple[float, float]


def explained(
    X: pd.DataFrame,
    outcomes: np.ndarray,
    groups: np.ndarray,
    *,
    high: str = "high",
    **options: Any,
) -> Explained:
    """Explain on one thread; a warning of poor fit out of fold is not shown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        found = ar.explain_gap(X, outcomes, sensitive_features=groups, **{"n_threads": 1} | options)
    sign = 1 if found.group_high == high else -1
    rows = [(frozenset(row.features), row) for row in found.table.itertuples()]
    return Explained(
        gap=sign * found.gap,
        influences={names: sign * row.influence for names, row in rows},
        limits={names: turned(sign, row.ci_low, row.ci_high) for names, row in rows},
        unexplained=sign * found.unexplained,
        unexplained_limits=turned(sign, found.unexplained_low, found.unexplained_high),
    )


def turned(sign: int, low: float, high: float) -> tuple[float, float]:
    return (low, high) if sign > 0 else (-high, -low)
