"""arbitree on the 480 instances; every result is a line of JSON, so a stopped run goes on."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from instances import (
    Instance,
    all_instances,
    decisions,
    explained_problem,
    training_labels,
    training_table,
)

import arbitree as ar

METRICS = {
    "sp": "statistical_parity",
    "eo": "equalized_odds",
    "pp": "predictive_parity",
}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "in-sample": {"cross_fit": 0, "n_intervals": 6},
    "halves": {"cross_fit": 2},
}


@dataclass(frozen=True, slots=True)
class Run:
    """One call of explain_gap."""

    instance: Instance
    metric: str
    order: int
    setting: str

    @property
    def key(self) -> str:
        return run_key(self.instance, self.metric, self.order, self.setting)


def run_key(instance: Instance, metric: str, order: int, setting: str) -> str:
    return f"{instance.key}/{metric}/{order}/{setting}"


def runs(every: int = 1) -> Iterator[Run]:
    """All calls, quick ones first; halves are for held-out shares of statistical parity alone."""
    for order in (1, 2):
        for setting in ("in-sample", "halves", "default"):
            for metric in METRICS if setting != "halves" else ("sp",):
                yield from _runs_of(all_instances()[::every], metric, order, setting)


def _runs_of(instances: Sequence[Instance], metric: str, order: int, setting: str) -> Iterator[Run]:
    """Degenerate gaps are explained once, by default settings: nothing of them is in a table."""
    for one in instances:
        once = setting == "default" and order == 1
        if once or not explained_problem(one, metric).why_degenerate:
            yield Run(one, metric, order, setting)


def explained(run: Run) -> dict[str, Any]:
    table = training_table(run.instance)
    names = list(run.instance.sensitive)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)  # small groups, overfit: on the page
        found = ar.explain_gap(
            table.drop(columns=names),
            decisions(run.instance),
            sensitive_features=table[names],
            y_true=training_labels(run.instance),
            metric=METRICS[run.metric],
            max_order=run.order,
            n_bootstrap=0,
            n_threads=1,
            **SETTINGS[run.setting],
        )
    return {"cpu": time.process_time() - started, **_numbers(found)}


def _numbers(found: ar.Influence) -> dict[str, Any]:
    used = found.rates[found.rates["role"] != ""].set_index("role")
    shares = found.table[["share_high", "share_low"]].sum()
    return {
        "gap": found.gap,
        "sum": float(found.table["influence"].sum()),
        "unexplained": found.unexplained,
        "constant": found.constant,
        "condition": found.condition,
        "rates": used["rate"].to_dict(),
        "n": used["n"].to_dict(),
        "shares": shares.tolist(),
        "in_sample": _list(found.r2["in_sample"]),
        "out_of_fold": _list(found.r2["out_of_fold"]),
    }


def _list(values: pd.Series) -> list[float | None]:
    return [None if pd.isna(value) else float(value) for value in values]


def run_one(run: Run) -> dict[str, Any]:
    try:
        found = explained(run)
    except ar.ArbitreeError as error:
        found = {"error": f"{type(error).__name__}: {error}"}
    return {"key": run.key, **found}
