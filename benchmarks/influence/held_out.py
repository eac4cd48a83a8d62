"""Decisions on rows that no model learned from, before and after something was done to training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from intervention_data import SEED, Case, thirds
from logistic import Logistic, gap, learn
from poisoning import STEPS, poisoned
from reweighing import reweighed

HIGH = "not Caucasian"
SHARES = (0.05, 0.1, 0.2)  # of the number of training rows

Train = Callable[[np.ndarray, np.ndarray], Logistic]  # of training rows and the attacker's rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decided:
    """Decisions on every row, each by the one of five models that did not learn from it."""

    name: str
    decisions: np.ndarray  # (n,)
    gaps: np.ndarray  # (5,) of the held-out rows of each fold
    accuracy: float
    gap: float
    coefficients: dict[str, float]  # of standardised columns, means of the folds


def interventions(case: Case, *, group_in_model: bool, quick: bool = False) -> dict[str, Decided]:
    """Nothing done, reweighing, and poisoning by several shares of rows."""
    columns = case.X if group_in_model else case.explained
    X, high = columns.to_numpy(), case.groups == HIGH
    ways: dict[str, Train] = {
        "nothing": lambda train, _: learn(X[train], case.y[train]),
        "reweighing": lambda train, _: learn(
            X[train], case.y[train], reweighed(case.groups[train], case.y[train])
        ),
    }
    for share in SHARES[1:2] if quick else SHARES:
        for what, steps in (("copies", 0), ("moved rows", STEPS)):
            ways[f"{what}, {share:.0%}"] = _attack(X, case.y, high, share, steps)
    return {name: _decided(name, train, columns, case.y, high) for name, train in ways.items()}


def _attack(X: np.ndarray, y: np.ndarray, high: np.ndarray, share: float, steps: int) -> Train:
    def train(rows: np.ndarray, own: np.ndarray) -> Logistic:
        added, labels = poisoned(
            (X[rows], y[rows], high[rows]),
            (X[own], high[own]),
            round(share * len(rows)),
            np.random.default_rng(SEED),
            steps=steps,
        )
        return learn(np.concatenate([X[rows], added]), np.concatenate([y[rows], labels]))

    return train


def _decided(
    name: str, train: Train, columns: pd.DataFrame, y: np.ndarray, high: np.ndarray
) -> Decided:
    X = columns.to_numpy()
    decisions, gaps, coefficients = np.zeros(len(X)), [], []
    for rows, own, test in thirds(len(X)):
        model = train(rows, own)
        decisions[test] = model.decide(X[test])
        gaps.append(gap(decisions[test], high[test]))
        coefficients.append(model.coefficients)
    return Decided(
        name=name,
        decisions=decisions,
        gaps=np.array(gaps),
        accuracy=float((decisions == y).mean()),
        gap=gap(decisions, high),
        coefficients=dict(zip(columns, np.mean(coefficients, axis=0).tolist())),
    )
