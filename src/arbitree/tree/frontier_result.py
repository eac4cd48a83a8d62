"""What a comparison of accuracy against fairness found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from arbitree._tables import Sectioned, records
from arbitree._wording import counted, listed
from arbitree.tree.scores import corrected_interval

SCHEMA = "arbitree/frontier"
SCHEMA_VERSION = 1
MEASURES = ("accuracy", "balanced_accuracy", "gap")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Frontier(Sectioned):
    """Accuracies and gaps of several methods on held-out rows, all on the same splits.

    Every row of `table` is the mean of the rows of `runs` with its method and parity.

    Attributes
    ----------
    table : DataFrame
        One row a method and bound: method, parity (the bound in words, "" without one), bound
        (its number), then accuracy, balanced_accuracy and gap, each with limits (``_low``,
        ``_high``) of the corrected resampled t interval; gap_not_constant (the mean gap without
        runs in which everybody is decided alike); train_accuracy, train_gap; n_runs, n_constant,
        n_leaves (mean); needs_groups (whether predictions ask for the groups).
    runs : DataFrame
        One row a split, method and bound.
    metric : str
        What the gap is of.
    favorable : str
        Which label counts as favourable.
    notices : tuple of str
        What a reader should know.
    """

    table: pd.DataFrame
    runs: pd.DataFrame
    metric: str
    favorable: str
    n_rows: int
    n_splits: int
    test_size: float
    confidence: float
    random_state: int
    notices: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        names = ("metric", "favorable", "n_rows", "n_splits", "test_size", "confidence")
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            **{name: getattr(self, name) for name in names},
            "random_state": self.random_state,
            "notices": list(self.notices),
            "versions": self.versions,
            "table": records(self.table),
            "runs": records(self.runs),
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        shown = ["method", "parity", *_with_limits(), "n_constant", "n_runs", "n_leaves"]
        title = (
            f"Accuracy against the {self.metric} gap: means over {self.n_splits} splits, "
            f"{100 * self.confidence:g} % intervals"
        )
        return [(title, self.table[shown])]

    def __repr__(self) -> str:
        title, table = self._sections()[0]
        return "\n\n".join(
            [title, table.to_string(index=False, float_format="{:.3f}".format), *self.notices]
        )


def summary(runs: pd.DataFrame, share_of_test: float, confidence: float) -> pd.DataFrame:
    """One row a method and bound: means over its runs."""
    found = []
    for (method, words), some in runs.groupby(["method", "parity"], sort=False):
        row: dict[str, Any] = {"method": method, "parity": words, "bound": some["bound"].iloc[0]}
        for name in MEASURES:
            limits = corrected_interval(
                some[name].to_numpy(dtype=float), share_of_test=share_of_test, confidence=confidence
            )
            row |= dict(zip((name, f"{name}_low", f"{name}_high"), np.clip(limits, 0, 1)))
        row["gap_not_constant"] = some.loc[~some["constant"], "gap"].mean()
        row["train_accuracy"], row["train_gap"] = some[["train_accuracy", "train_gap"]].mean()
        row["n_runs"], row["n_constant"] = len(some), int(some["constant"].sum())
        row["n_leaves"] = some["n_leaves"].mean()
        row["needs_groups"] = bool(some["needs_groups"].any())
        found.append(row)
    return pd.DataFrame(found)


def _with_limits() -> list[str]:
    return [f"{name}{limit}" for name in MEASURES for limit in ("", "_low", "_high")]


def run_notices(runs: pd.DataFrame) -> tuple[str, ...]:
    """What a reader should know of the runs."""
    found = []
    constant = runs[runs["constant"]]
    if len(constant):
        found.append(
            f"{counted(len(constant), 'run')} of {len(runs):,} decided alike for everybody, which "
            "has no gap: see n_constant and gap_not_constant."
        )
    without = int(runs["gap"].isna().sum())
    if without:
        found.append(
            f"{counted(without, 'run')} had fewer than two groups to compare among the rows held "
            "out, and no gap; means leave them out."
        )
    asks = runs.loc[runs["needs_groups"], "method"].unique()
    if len(asks):
        found.append(
            f"{listed(asks)} {'needs' if len(asks) == 1 else 'need'} the groups to predict; the "
            "others do not."
        )
    return tuple(found)
