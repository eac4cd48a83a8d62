"""The same numbers as fairlearn and AIF360, where those are defined, on real decisions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

fm = pytest.importorskip("fairlearn.metrics", reason="needs fairlearn (the dev extra)")


def _adult(data: pd.DataFrame) -> tuple[pd.Series, pd.Series, pd.DataFrame]:
    return data["income"] == ">50K", data["education-num"] >= 12, data[["sex", "race"]]


def _compas(data: pd.DataFrame) -> tuple[pd.Series, pd.Series, pd.DataFrame]:
    return data["two_year_recid"] == 0, data["decile_score"] < 5, data[["race", "sex"]]


def _law_school(data: pd.DataFrame) -> tuple[pd.Series, pd.Series, pd.DataFrame]:
    return (
        data["pass_bar"] == 1,
        data["lsat"] >= 36,
        data[["race"]].assign(male=data["male"].astype(int)),
    )


def _german(data: pd.DataFrame) -> tuple[pd.Series, pd.Series, pd.DataFrame]:
    return data["class"] == "good", data["duration"] <= 24, data[["personal_status"]]


def _titanic(data: pd.DataFrame) -> tuple[pd.Series, pd.Series, pd.DataFrame]:
    return data["survived"] == 1, data["fare"].fillna(0) > 20, data[["sex", "pclass"]]


CASES = {
    "adult.csv.gz": _adult,
    "compas.csv.gz": _compas,
    "law_school.csv.gz": _law_school,
    "german.csv": _german,
    "titanic.csv": _titanic,
}


@pytest.fixture(params=CASES, scope="module")
def case(request: pytest.FixtureRequest, shared_data: Path):
    columns: Callable = CASES[request.param]
    y_true, y_pred, groups = columns(pd.read_csv(shared_data / request.param))
    found = ar.audit(
        y_pred, y_true=y_true, sensitive_features=groups, min_group_size=0, n_resamples=100
    )
    return y_true.astype(int), y_pred.astype(int), groups, found


def test_rates_equal_those_of_fairlearns_metricframe(case):
    y_true, y_pred, groups, found = case
    metrics = {
        "selection_rate": fm.selection_rate,
        "true_positive_rate": fm.true_positive_rate,
        "false_positive_rate": fm.false_positive_rate,
        "accuracy": lambda y, p: float(np.mean(np.asarray(y) == np.asarray(p))),
    }
    for column in groups:
        frame = fm.MetricFrame(
            metrics=metrics, y_true=y_true, y_pred=y_pred, sensitive_features=groups[column]
        )
        ours = found.by_group[found.by_group["grouping"] == column].set_index("group")
        theirs = frame.by_group.set_index(frame.by_group.index.map(str))
        for metric in metrics:
            defined = ours[metric].notna()
            np.testing.assert_allclose(
                ours.loc[defined, metric], theirs.loc[ours.index[defined], metric], atol=1e-12
            )


def test_gaps_and_ratios_equal_those_of_fairlearn(case):
    # fairlearn takes a second a function on all of Adult, so the first rows must do here.
    y_true, y_pred, groups = (data.iloc[:5_000] for data in case[:3])
    found = ar.audit(y_pred, y_true=y_true, sensitive_features=groups, n_resamples=100)
    theirs = {
        "statistical_parity": (
            fm.demographic_parity_difference,
            fm.demographic_parity_ratio,
        ),
        "equal_opportunity": (fm.equal_opportunity_difference, fm.equal_opportunity_ratio),
        "equalized_odds": (fm.equalized_odds_difference, fm.equalized_odds_ratio),
    }
    for grouping, columns in _groupings(groups):
        for metric, (difference, ratio) in theirs.items():
            ours = _gap(found, metric, grouping)
            if ours["status"].startswith("not estimable"):
                continue
            given = {"sensitive_features": groups[columns]}
            assert ours["value"] == pytest.approx(difference(y_true, y_pred, **given), abs=1e-12)
            assert ours["ratio"] == pytest.approx(ratio(y_true, y_pred, **given), abs=1e-12)


def _groupings(groups: pd.DataFrame) -> list[tuple[str, list[str]]]:
    singles = [(column, [column]) for column in groups]
    both = [(" x ".join(groups.columns), list(groups.columns))] if groups.shape[1] > 1 else []
    return singles + both


def _gap(found: ar.Audit, metric: str, grouping: str) -> pd.Series:
    gaps = found.gaps
    return gaps[(gaps["metric"] == metric) & (gaps["grouping"] == grouping)].iloc[0]


def test_group_against_the_rest_equals_aif360(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        datasets = pytest.importorskip("aif360.datasets", reason="needs AIF360 (the dev extra)")
        from aif360.metrics import ClassificationMetric

    y_true, y_pred, groups, _ = case
    column = groups.columns[0]
    protected = groups[column] == groups[column].mode()[0]
    found = ar.audit(
        y_pred,
        y_true=y_true,
        sensitive_features={"most": protected},
        reference_group=True,
        n_resamples=100,
    )
    frame = pd.DataFrame({"most": protected.astype(float), "y": y_true.astype(float)})
    truth = datasets.BinaryLabelDataset(
        df=frame, label_names=["y"], protected_attribute_names=["most"]
    )
    predicted = truth.copy()
    predicted.labels = y_pred.to_numpy(float)[:, None]
    theirs = ClassificationMetric(
        truth, predicted, unprivileged_groups=[{"most": 0.0}], privileged_groups=[{"most": 1.0}]
    )
    rates = found.rates[found.rates["group"] == "False"].set_index("metric")
    expected = {
        "selection_rate": theirs.statistical_parity_difference(),
        "true_positive_rate": theirs.equal_opportunity_difference(),
        "false_positive_rate": theirs.false_positive_rate_difference(),
        "positive_predictive_value": -theirs.false_discovery_rate_difference(),
        "accuracy": -theirs.error_rate_difference(),
    }
    for metric, value in expected.items():
        assert rates.loc[metric, "difference"] == pytest.approx(value, abs=1e-12)
    assert rates.loc["selection_rate", "ratio"] == pytest.approx(theirs.disparate_impact())
