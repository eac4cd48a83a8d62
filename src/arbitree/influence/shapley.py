"""The second lens: Shapley values of the decision, averaged by group and differenced.

Where influences split the variance of the decisions within each group, Shapley values split each
row's decision itself, against decisions on a background of rows. Both add up to the same gap and
answer different questions, so they are shown side by side and never mixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, MissingValueError
from arbitree._wording import counted
from arbitree.groups.intervals import normal_quantile
from arbitree.influence.compared import ALL_ROWS, Compared, Condition, compare
from arbitree.influence.model_decisions import (
    check_same,
    check_sums,
    decider,
    first_outcome,
    told_by,
)
from arbitree.influence.named_columns import refuse_names
from arbitree.influence.options import seed_of, two_groups, whole
from arbitree.influence.permutations import shapley_values
from arbitree.influence.recombine import first_rows, recombined
from arbitree.influence.shapley_result import ShapleyGap
from arbitree.table.align import aligned
from arbitree.table.code import code_groups
from arbitree.table.crossing import Crossing, cross
from arbitree.table.frames import columns

__all__ = ["ShapleyGap", "shapley_gap"]

MOST = 10**9  # rows or orders asked for


def shapley_gap(
    model: Any,
    X: Any,
    *,
    sensitive_features: Any,
    groups: tuple[Any, Any] | None = None,
    n_samples: int = 200,
    n_background: int = 50,
    n_permutations: int = 5,
    favorable_label: Any = None,
    confidence: float = 0.95,
    missing: str = "error",
    random_state: int | np.random.Generator | None = 0,
) -> ShapleyGap:
    """Split the gap between two groups' decisions into Shapley values of the features.

    Parameters
    ----------
    model : object or callable
        Anything with ``predict``, or a function, that decides on frames such as X. What is
        explained is the decision, 0 or 1, not a score or a margin.
    X : frame or array (n, d)
        All that the model reads; sensitive columns have a value too if they are in it.
    sensitive_features : array-like (n,) or (n, k), frame, Series or mapping of columns
    groups : pair of groups, optional
        As ``("Male", "Female")``; those with the highest and the lowest rate by default.
    n_samples : int
        Rows explained of each group, drawn by decision and weighed so that their rate is the
        group's; all rows where a group has no more.
    n_background : int
        Rows, of both groups together, whose values stand in for those of absent features.
    n_permutations : int
        Orders, each also backwards, in which features are put in for each row.
    favorable_label : object or collection of objects, optional
        As in `arbitree.audit`.
    confidence : float
        Of the intervals, which tell how far another draw of rows to explain would move a value.
    missing : {"error", "drop"}
        Rows of unknown group are an error, or left out.
    random_state : int, Generator or None

    Returns
    -------
    ShapleyGap
        Its values add up to the gap between the groups.

    Raises
    ------
    InputError
        Something makes no sense; says what and where.
    MissingDependencyError
        The package shap is not installed.

    Notes
    -----
    The model decides on ``n_samples * n_background * n_permutations * 2 d`` made-up rows for each
    group. Shapley values by orders of the features: Štrumbelj and Kononenko (2014), Knowl. Inf.
    Syst. 41:647, as the package shap computes them (Lundberg and Lee, 2017).

    Examples
    --------
    >>> import arbitree as ar
    >>> people = ar.datasets.make_health_insurance(random_state=0).frame
    >>> found = ar.shapley_gap(
    ...     lambda X: X["fitness"] > 0.61,
    ...     people[["fitness", "income"]],
    ...     sensitive_features=people["age"],
    ...     n_samples=40,
    ... )
    >>> bool(abs(found.table["value"].sum() - found.gap) < 1e-9)
    True
    """
    numbers = {
        "n_samples": n_samples,
        "n_background": n_background,
        "n_permutations": n_permutations,
    }
    for name, value in numbers.items():
        whole(name, value, 1, MOST)
    rng = np.random.default_rng(seed_of(random_state))
    found = _decided(model, X, sensitive_features, two_groups(groups), favorable_label, missing)
    explained = [_drawn(rows, found.decisions, n_samples, rng) for rows in found.rows]
    both = np.concatenate(found.rows)
    background = rng.permutation(both)[:n_background]
    codes = first_rows(found.values)
    shown = np.concatenate([rows for rows, _ in explained])
    decide = decider(model, recombined(X), found.told, favorable_label)
    check_same(decide(codes[shown]), found.decisions[shown])
    values = shapley_values(
        decide,
        codes[shown],
        codes[background],
        n_permutations=n_permutations,
        seed=int(rng.integers(2**31)),
    )
    check_sums(values, found.decisions[shown])
    high, low = np.split(values, [len(explained[0][0])])
    names = found.compared.rates.set_index("role")["group"]
    return ShapleyGap(
        gap=found.compared.gap,
        group_high=names["high"],
        group_low=names["low"],
        rates=found.compared.rates,
        table=_table(found.names, (high, explained[0][1]), (low, explained[1][1]), confidence),
        favorable=found.favorable,
        confidence=confidence,
        n_rows=len(found.decisions),
        n_explained=(len(high), len(low)),
        n_background=len(background),
        n_permutations=n_permutations,
        notices=found.notices,
        versions={name: version(name) for name in ("arbitree", "shap", "numpy")},
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Decided:
    """Decisions on X, and the two groups to compare."""

    decisions: np.ndarray  # (n,) float64, 0 or 1
    told: np.ndarray  # (n,) as the model says them
    compared: Compared
    rows: tuple[np.ndarray, np.ndarray]  # of the high and of the low group
    names: list[Any]
    values: list[Any]  # native columns of X
    favorable: str
    notices: tuple[str, ...]


def _decided(
    model: Any, X: Any, sensitive_features: Any, groups: Any, favorable_label: Any, missing: str
) -> _Decided:
    given = {
        "X": columns(X, what="X", default_name="x"),
        "sensitive_features": columns(
            sensitive_features, what="sensitive_features", default_name="sensitive_feature"
        ),
    }
    refuse_names(sensitive_features, given["X"])
    rows = aligned(given)
    sensitive, notices = code_groups(rows["sensitive_features"])
    crossing = cross(sensitive)
    told = told_by(model, X, len(crossing.codes))
    found = first_outcome(told, favorable_label)
    decisions = found.codes.astype(np.float64)
    known, left_out = _known(crossing, missing)
    condition = Condition(name=ALL_ROWS, rows=known, outcome=decisions)
    compared = compare([condition], crossing, None, groups, ~crossing.has_missing)
    high, low = (
        np.flatnonzero(known & (crossing.codes == group)) for group in (compared.high, compared.low)
    )
    return _Decided(
        decisions=decisions,
        told=told,
        compared=compared,
        rows=(high, low),
        names=[one.name for one in rows["X"]],
        values=[one.values for one in rows["X"]],
        favorable=found.how,
        notices=(*notices, *left_out),
    )


def _known(crossing: Crossing, missing: str) -> tuple[np.ndarray, list[str]]:
    """Rows of known group, and a sentence about the others."""
    if missing not in ("error", "drop"):
        raise InputError(f"missing is {missing!r}. Pass 'error' or 'drop'.")
    known = ~crossing.has_missing[crossing.codes]
    n = int(np.count_nonzero(~known))
    if n and missing == "error":
        raise MissingValueError(
            f"sensitive_features has {counted(n, 'row')} of unknown group, the first at row "
            f"{int(np.argmin(known))}. Pass missing='drop' to leave them out."
        )
    return known, [f"{counted(n, 'row')} of unknown group left out."] if n else []


def _drawn(
    rows: np.ndarray, decisions: np.ndarray, n_samples: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Some rows of a group, drawn by decision, and weights that restore the group's rate."""
    if len(rows) <= n_samples:
        return rows, np.ones(len(rows))
    kept, weights = [], []
    for value in (0.0, 1.0):
        part = rows[decisions[rows] == value]
        if len(part):
            n = max(round(n_samples * len(part) / len(rows)), 1)
            kept.append(np.sort(rng.permutation(part)[:n]))
            weights.append(np.full(len(kept[-1]), len(part) / len(kept[-1])))
    return np.concatenate(kept), np.concatenate(weights)


def _table(
    names: list[Any],
    high: tuple[np.ndarray, np.ndarray],
    low: tuple[np.ndarray, np.ndarray],
    confidence: float,
) -> pd.DataFrame:
    """Means of the values by group, and their difference, largest first."""
    (mean_high, variance_high), (mean_low, variance_low) = (_mean(*one) for one in (high, low))
    value = mean_high - mean_low
    half = normal_quantile(confidence) * np.sqrt(variance_high + variance_low)
    found = pd.DataFrame(
        {
            "features": [(name,) for name in names],
            "value": value,
            "ci_low": value - half,
            "ci_high": value + half,
            "mean_high": mean_high,
            "mean_low": mean_low,
        }
    )
    order = np.argsort(-np.abs(value), kind="stable")
    return found.iloc[order].reset_index(drop=True)


def _mean(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weighted means of columns, and the variances of these means.  (n, d), (n,) -> (d,), (d,)"""
    share = weights / weights.sum()
    mean = share @ values
    return mean, share**2 @ (values - mean) ** 2
