"""Budgets for many groups, several columns, equalized odds, conditional parity: always kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.tree.parity import CONDITIONAL, METRICS, metrics_of

ROUNDING = 1e-12


def people(seed: int, n: int, n_levels: int) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    """Features, labels, and two sensitive columns that both have to do with them."""
    rng = np.random.default_rng(seed)
    groups = pd.DataFrame({"a": rng.integers(0, n_levels, n), "b": rng.integers(0, 2, n)})
    signal = groups["a"] * 0.5 + groups["b"] * 0.4
    X = pd.DataFrame(
        {
            "x": np.round(rng.normal(signal), 1),
            "z": rng.integers(0, 4, n),
            "c": rng.choice(list("pqr"), n),
        }
    )
    y = (X["x"] + rng.normal(size=n) > 0.8).astype(int).to_numpy()
    return X, y, groups


def gap(
    decided: np.ndarray,
    y: np.ndarray,
    groups: pd.DataFrame,
    control: np.ndarray,
    budget: ar.GapBudget,
) -> float:
    """The largest difference of rates, group by group and row by row."""
    whole = groups.apply(tuple, axis=1)
    families = [whole] if budget.joint else [groups["a"], groups["b"]]
    of_metric = {
        "statistical_parity": [y >= 0],
        "equal_opportunity": [y == 1],
        "predictive_equality": [y == 0],
        "equalized_odds": [y == 1, y == 0],
        "conditional_statistical_parity": [control == level for level in np.unique(control)],
    }
    conditions = [one for metric in metrics_of(budget.metric) for one in of_metric[metric]]
    gaps = [0.0]
    for family in families:
        for condition in conditions:
            rates = pd.Series(decided[condition]).groupby(family[condition].to_numpy()).mean()
            if len(rates) > 1:
                gaps.append(float(rates.max() - rates.min()))
    return max(gaps)


@settings(max_examples=12)
@given(
    st.integers(0, 10**6),
    st.integers(30, 90),
    st.integers(2, 4),
    st.sampled_from(METRICS),
    st.booleans(),
    st.sampled_from([0.0, 0.01, 0.1, 0.3]),
)
def test_the_training_gap_is_within_the_budget_for_every_metric(
    seed, n, n_levels, metric, joint, eps
):
    X, y, groups = people(seed, n, n_levels)
    control = np.random.default_rng(seed + 1).integers(0, 2, n)
    budget = ar.GapBudget(eps, metric=metric, joint=joint)
    tree = ar.TreeClassifier(parity=budget, max_depth=2)
    conditional = metric == "conditional_statistical_parity"
    tree.fit(
        X,
        y,
        sensitive_features=groups,
        control_features=pd.Series(control, name="control") if conditional else None,
    )
    assert gap(tree.predict(X), y, groups, control, budget) <= eps + ROUNDING
    if tree.get_n_leaves() == 1:
        assert tree.constant_reason_


@settings(max_examples=12)
@given(
    st.integers(0, 10**6),
    st.lists(st.sampled_from(METRICS), min_size=2, max_size=4, unique=True),
    st.sampled_from([0.02, 0.1, 0.3]),
    st.sampled_from([ar.GapBudget, ar.SplitGap]),
)
def test_several_metrics_are_bounded_at_once_and_reported(seed, metrics, eps, bound):
    X, y, groups = people(seed, 80, 2)
    control = np.random.default_rng(seed + 1).integers(0, 2, 80)
    parity = bound(eps, metric=metrics)
    tree = ar.TreeClassifier(parity=parity, max_depth=2)
    within = pd.Series(control, name="control") if CONDITIONAL in metrics else None
    tree.fit(X, y, sensitive_features=groups, control_features=within)
    if bound is ar.GapBudget:
        assert gap(tree.predict(X), y, groups, control, parity) <= eps + ROUNDING
    report = tree.parity_report_
    assert (report["eps"].fillna(0) <= eps + ROUNDING).all() or bound is ar.GapBudget
    assert report["condition"].nunique() == len(tree.populations_) or report.empty
    again = ar.TreeClassifier(**tree.get_params()).fit(
        X, y, sensitive_features=groups, control_features=within
    )
    assert again.to_json() == tree.to_json()


def test_one_metric_named_twice_is_that_metric():
    assert ar.GapBudget(0.1, metric=["equal_opportunity"] * 2).metric == "equal_opportunity"
    with pytest.raises(ar.InputError, match="Did you mean 'equalized_odds'"):
        ar.GapBudget(0.1, metric=["statistical_parity", "equalised_odds"])
    with pytest.raises(ar.InputError, match="metric is empty"):
        ar.SplitGap(0.1, metric=[])


@pytest.mark.parametrize("metric", METRICS[:4])
def test_a_budget_that_nothing_but_a_constant_keeps_says_so(metric):
    rng = np.random.default_rng(0)
    a = np.arange(120) % 3
    X = pd.DataFrame({"x": a + rng.random(120) * 0.1})  # tells the groups, and nothing else
    y = rng.integers(0, 2, 120)
    budget = ar.GapBudget(0.0, metric=metric)
    tree = ar.TreeClassifier(parity=budget, max_depth=1).fit(X, y, sensitive_features=a)
    assert gap(tree.predict(X), y, pd.DataFrame({"a": a, "b": a}), a, budget) <= ROUNDING
    assert tree.get_n_leaves() > 1 or "GapBudget" in tree.constant_reason_


def test_groups_of_one_row_end_in_a_tree_that_keeps_the_budget():
    X, y, _ = people(3, 40, 2)
    groups = pd.DataFrame({"a": np.arange(40), "b": 0})
    budget = ar.GapBudget(0.2)
    tree = ar.TreeClassifier(parity=budget, max_depth=2).fit(X, y, sensitive_features=groups["a"])
    assert gap(tree.predict(X), y, groups, y, budget) <= 0.2 + ROUNDING
    assert tree.get_n_leaves() == 1
    assert "GapBudget" in tree.constant_reason_
