"""Each coefficient of a logistic regression set to zero in turn, as in Figure 3 of the paper.

Does what a feature is said to carry of a gap foretell how far the gap falls without it? Five
answers are compared with the fall: two of arbitree, one of fairxplainer, two of the package shap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import shap
from intervention_data import Case
from kept_arrays import kept
from logistic import Logistic, gap, learn
from reference_terms import Failed, reference
from scipy.stats import norm, spearmanr

import arbitree as ar

ORDER_1 = "influence, order 1"
TAKING_PART = "influences of all sets with it"
REFERENCE = "fairxplainer, order 1"
LOG_ODDS = "SHAP of the log-odds"
DECISION = "SHAP of the decision"
MEASURES = (ORDER_1, TAKING_PART, REFERENCE, LOG_ODDS, DECISION)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Zeroed:
    """One case and fold: how far the gap falls without each column, and what was said of it."""

    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    gap: float
    at_mean: np.ndarray  # (d,) the fall of the gap when the column is at its mean
    at_zero: np.ndarray  # (d,) the same, at 0 in its own units
    measures: dict[str, np.ndarray]  # (d,)

    def kept(self, *, sensitive: bool) -> np.ndarray:
        """The columns to correlate, with or without those of the sensitive feature.  (d,) bool"""
        return np.array([sensitive or name not in self.sensitive for name in self.columns])


def zeroed(case: Case, train: np.ndarray, *, n_samples: int = 100) -> Zeroed:
    """Learn on these rows, explain the decisions on them, and take out each coefficient."""
    X = case.X.iloc[train].reset_index(drop=True)
    model = learn(X.to_numpy(), case.y[train])
    decisions = model.decide(X.to_numpy())
    groups = case.groups[train]
    first, second = np.unique(groups)
    high = groups == first
    if gap(decisions, high) < 0:
        high, first, second = ~high, second, first
    pair = (str(first), str(second))
    values = X.to_numpy()
    return Zeroed(
        columns=tuple(X.columns),
        sensitive=case.sensitive,
        gap=gap(decisions, high),
        at_mean=_falls(model, values, high, raw=False),
        at_zero=_falls(model, values, high, raw=True),
        measures={
            **_influences(case, X, decisions, groups, pair),
            REFERENCE: _of_reference(case, X, decisions, high),
            LOG_ODDS: _of_log_odds(model, values, high),
            DECISION: _of_decision(model, X, groups, pair, n_samples),
        },
    )


def _falls(model: Logistic, X: np.ndarray, high: np.ndarray, *, raw: bool) -> np.ndarray:
    """Gap minus the gap without each coefficient, between the same groups.  -> (d,)"""
    before = gap(model.decide(X), high)
    columns = range(X.shape[1])
    return np.array([before - gap(model.without(j, raw=raw).decide(X), high) for j in columns])


def _influences(
    case: Case, X: pd.DataFrame, decisions: np.ndarray, groups: np.ndarray, pair: tuple[str, str]
) -> dict[str, np.ndarray]:
    """A column of the sensitive feature is constant within groups: its influence is 0."""
    explained = X.drop(columns=list(case.sensitive))
    found = {}
    for name, order in ((ORDER_1, 1), (TAKING_PART, 2)):
        infl = ar.explain_gap(
            explained,
            decisions,
            sensitive_features=groups,
            groups=pair,
            max_order=order,
            n_bootstrap=0,
        )
        of_column = dict.fromkeys(X.columns, 0.0)
        for features, value in zip(infl.table["features"], infl.table["influence"]):
            for feature in features:
                of_column[feature] += value
        found[name] = np.array(list(of_column.values()))
    return found


def _of_reference(
    case: Case, X: pd.DataFrame, decisions: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """NaN where the package gives none."""
    explained = X.drop(columns=list(case.sensitive))
    try:
        found = reference(explained, decisions, high, order=1, intervals=6).influences
    except Failed:
        return np.full(X.shape[1], np.nan)
    return np.array([0.0 if c in case.sensitive else found.get(frozenset([c]), 0.0) for c in X])


def _of_log_odds(model: Logistic, X: np.ndarray, high: np.ndarray) -> np.ndarray:
    standard = model.standard(X)
    explainer = shap.LinearExplainer((model.coefficients, model.intercept), standard)
    values = explainer.shap_values(standard)
    return np.asarray(values[high].mean(axis=0) - values[~high].mean(axis=0))


def _of_decision(
    model: Logistic, X: pd.DataFrame, groups: np.ndarray, pair: tuple[str, str], n_samples: int
) -> np.ndarray:
    def values() -> np.ndarray:
        found = ar.shapley_gap(
            lambda rows: model.decide(rows.to_numpy()),
            X,
            sensitive_features=groups,
            groups=pair,
            n_samples=n_samples,
        )
        names = (features[0] for features in found.table["features"])
        of_column = dict(zip(names, found.table["value"]))
        return np.array([of_column[name] for name in X.columns])

    given = (X.to_numpy(), groups == pair[0], model.coefficients, np.array([model.intercept]))
    return kept(f"decision, {n_samples}", given, values)


def pearson(x: np.ndarray, y: np.ndarray) -> float:
    """NaN where one of them does not vary."""
    if len(x) < 3 or not np.ptp(x) > 0 or not np.ptp(y) > 0:
        return np.nan
    return float(np.corrcoef(x, y)[0, 1])


def spearman(x: np.ndarray, y: np.ndarray) -> float:
    """The same of ranks."""
    return float(spearmanr(x, y).statistic) if np.ptp(x) > 0 and np.ptp(y) > 0 else np.nan


def fisher_interval(r: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Of a correlation over n pairs, by Fisher's z.

    >>> low, high = fisher_interval(0.0, 12)
    >>> round(low, 3), round(high, 3)
    (-0.574, 0.574)
    """
    z = float(norm.ppf(0.5 + confidence / 2)) / np.sqrt(max(n - 3, 1))
    middle = np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12))
    return float(np.tanh(middle - z)), float(np.tanh(middle + z))


def of_strongest(one: Zeroed, measure: str) -> np.ndarray:
    """Pearson's r among the k columns of largest absolute measure, k from 3.  -> (d - 2,)"""
    kept = one.kept(sensitive=False)
    x, y = one.measures[measure][kept], one.at_mean[kept]
    order = np.argsort(-np.abs(x), kind="stable")
    return np.array([pearson(x[order[:k]], y[order[:k]]) for k in range(3, len(x) + 1)])
