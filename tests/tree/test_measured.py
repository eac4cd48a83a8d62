"""Accuracy and parity of decisions on rows: against scikit-learn, audits and repeated rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score

import arbitree as ar
from arbitree.table.code import code_groups
from arbitree.table.frames import columns
from arbitree.tree.measured import DecidedRows, Measured, measured
from arbitree.tree.populations import grouping

METRICS = (
    "statistical_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
)


def _rows(seed: int, n: int = 200, n_classes: int = 2) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        "y": rng.integers(0, n_classes, n),
        "decided": rng.integers(0, n_classes, n),
        "sex": rng.choice(["f", "m"], n),
        "race": rng.choice(["a", "b", "c"], n),
        "weight": rng.integers(1, 5, n).astype(float),
    }


def _measured(
    rows: dict[str, np.ndarray],
    *,
    metric: str = "statistical_parity",
    joint: bool = True,
    confidence: float | None = 0.95,
    weights: np.ndarray | None = None,
    n_classes: int = 2,
) -> Measured:
    sensitive = {"sex": rows["sex"], "race": rows["race"]}
    coded, _ = code_groups(columns(sensitive, what="sensitive_features", default_name="x"))
    classes = tuple(range(n_classes))
    groups = grouping(coded, [], metric=metric, joint=joint, classes=classes, favorable=1)
    decided = DecidedRows(
        y=rows["y"],
        decided=rows["decided"],
        group=groups.group,
        n_classes=n_classes,
        n_groups=len(groups.groups),
        favorable=1,
        weights=weights,
    )
    rng = np.random.default_rng(0)
    return measured(decided, groups.populations, confidence=confidence, rng=rng)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_accuracies_are_those_of_scikit_learn_with_weights_too(seed, n_classes):
    rows = _rows(seed, n_classes=n_classes)
    for weights in (None, rows["weight"]):
        found = _measured(rows, weights=weights, n_classes=n_classes)
        given_rows = rows["y"], rows["decided"]
        expected = accuracy_score(*given_rows, sample_weight=weights)
        assert found.accuracy.value == pytest.approx(expected)
        expected = balanced_accuracy_score(*given_rows, sample_weight=weights)
        assert found.balanced_accuracy.value == pytest.approx(expected)
        for one in (found.accuracy, found.balanced_accuracy, found.gap):
            assert one.low <= one.value <= one.high


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(METRICS), st.booleans())
def test_gaps_are_those_of_an_audit(seed, metric, joint):
    rows = _rows(seed)
    found = _measured(rows, metric=metric, joint=joint)
    audit = ar.audit(
        rows["decided"],
        sensitive_features={"sex": rows["sex"], "race": rows["race"]},
        y_true=rows["y"],
        n_resamples=100,
    )
    gaps = audit.gaps[audit.gaps["metric"] == metric].set_index("grouping")["value"]
    expected = gaps["sex x race"] if joint else max(gaps["sex"], gaps["race"])
    assert found.gap.value == pytest.approx(expected)


def test_the_gap_lies_between_the_groups_that_are_named():
    found = _measured(_rows(1), metric="equalized_odds")
    rates = found.by_group.set_index(["condition", "group"])["rate"]
    high, low = (rates[found.condition, group] for group in (found.group_high, found.group_low))
    assert high - low == pytest.approx(found.gap.value)
    spread = rates.groupby("condition").agg(lambda part: part.max() - part.min())
    assert found.gap.value == pytest.approx(spread.max())


def test_a_whole_weight_gives_the_values_of_repeated_rows():
    rows = _rows(2)
    times = rows["weight"].astype(int)
    repeated = {name: np.repeat(values, times) for name, values in rows.items()}
    one, many = _measured(rows, weights=rows["weight"]), _measured(repeated)
    assert one.gap.value == pytest.approx(many.gap.value)
    assert one.accuracy.value == pytest.approx(many.accuracy.value)
    assert one.accuracy.high - one.accuracy.low > many.accuracy.high - many.accuracy.low


def test_training_rows_have_no_intervals():
    found = _measured(_rows(3), confidence=None)
    for one in (found.accuracy, found.balanced_accuracy, found.gap):
        assert np.isnan([one.low, one.high]).all()
    assert found.by_group[["ci_low", "ci_high"]].isna().all(axis=None)
    assert found.to_dict()["accuracy_low"] is None


def test_one_group_has_no_gap():
    rows = _rows(4) | {"sex": np.array(["f"] * 200), "race": np.array(["a"] * 200)}
    found = _measured(rows)
    assert np.isnan(found.gap.value)
    assert (found.group_high, found.group_low, found.condition) == ("", "", "")
    assert f"{found.gap:.2f}" == "n/a"


def test_a_condition_without_rows_leaves_the_gap_of_the_other():
    rows = _rows(5) | {"y": np.ones(200, int)}
    found = _measured(rows, metric="equalized_odds")
    assert found.condition == "Y = 1"
    assert found.gap.value > 0


def test_the_interval_of_the_mean_over_classes_holds_as_often_as_stated():
    rng = np.random.default_rng(0)
    held = []
    for _ in range(200):
        y = (rng.random(150) < 0.3).astype(int)
        hit = rng.random(150) < np.where(y == 1, 0.9, 0.6)
        rows = _rows(0, 150) | {"y": y, "decided": np.where(hit, y, 1 - y)}
        one = _measured(rows, confidence=0.9).balanced_accuracy
        held.append(one.low <= 0.75 <= one.high)
    assert 0.85 <= np.mean(held) <= 0.95
