"""One favourable class, or several that count as one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import BaggingClassifier

import arbitree as ar
from arbitree import LabelError

RNG = np.random.default_rng(0)
N = 600
SEX = pd.Series(RNG.choice(["f", "m"], N), name="sex")
X = pd.DataFrame({"x": RNG.normal(size=N) + (SEX == "m"), "z": RNG.normal(size=N)})
GRADE = pd.Series(np.array(list("DCBA"))[np.digitize(X["x"] + RNG.normal(size=N), [0, 1, 2])])
GOOD = ["A", "B"]


def test_a_list_of_labels_folds_classes_in_gaps_and_reports():
    tree = ar.TreeClassifier(max_depth=3, favorable_label=GOOD, min_samples_leaf=20)
    tree.fit(X, GRADE, sensitive_features=SEX)
    assert tree.favorable_label_ == GOOD
    decided = np.isin(tree.predict(X), GOOD)
    gap = decided[SEX == "m"].mean() - decided[SEX == "f"].mean()
    assert tree.parity_report_["contribution"].sum() == pytest.approx(gap, abs=1e-12)
    assert ar.parity_bounds(tree)["gap"].max() == pytest.approx(gap, abs=1e-12)
    assert gap > 0.1


@pytest.mark.parametrize("split", ["threshold", "multiway"])
def test_a_budget_bounds_the_gap_of_folded_classes(split):
    parity = ar.GapBudget(0.03)
    tree = ar.TreeClassifier(split=split, parity=parity, favorable_label=GOOD, max_depth=3)
    predicted = tree.fit(X, GRADE, sensitive_features=SEX).predict(X)
    decided = np.isin(predicted, GOOD)
    assert abs(decided[SEX == "m"].mean() - decided[SEX == "f"].mean()) <= 0.03 + 1e-12
    assert set(predicted) <= set("ABCD")
    assert decided.any()
    assert not decided.all()


def test_conditions_name_the_folded_labels():
    parity = ar.SplitGap(1.0, metric="equalized_odds")
    tree = ar.TreeClassifier(parity=parity, favorable_label=GOOD, max_depth=2)
    tree.fit(X, GRADE, sensitive_features=SEX)
    conditions = [population.condition for population in tree.populations_]
    assert conditions == ["Y in ('A', 'B')", "Y in ('C', 'D')"]
    one = ar.TreeClassifier(parity=parity, favorable_label="A", max_depth=2)
    one.fit(X, GRADE, sensitive_features=SEX)
    assert [each.condition for each in one.populations_] == ["Y = 'A'", "Y != 'A'"]


def test_certificates_and_frontiers_fold_classes_as_the_tree_does():
    half = np.arange(N) < 300
    tree = ar.TreeClassifier(max_depth=2, favorable_label=GOOD)
    tree.fit(X[half], GRADE[half], sensitive_features=SEX[half])
    found = ar.certify(tree, X[~half], GRADE[~half], sensitive_features=SEX[~half])
    decided = np.isin(tree.predict(X[~half]), GOOD)
    men = (SEX[~half] == "m").to_numpy()
    assert found.gap == pytest.approx(abs(decided[men].mean() - decided[~men].mean()))
    table = ar.frontier(
        X, GRADE, sensitive_features=SEX, parity=[None, ar.GapBudget(0.02)], favorable_label=GOOD,
        n_splits=2,
    ).table  # fmt: skip
    assert table["train_gap"].iloc[1] <= 0.02 + 1e-9 < table["train_gap"].iloc[0]


def test_a_list_of_one_label_is_that_label():
    tree = ar.TreeClassifier(favorable_label=["A"]).fit(X, GRADE, sensitive_features=SEX)
    assert tree.favorable_label_ == "A"


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (["A", "E"], "never has the value 'E'"),
        ([], "not none and not all"),
        (list("ABCD"), "not none and not all"),
        ("E", "never has the value 'E'"),
    ],
)
def test_labels_that_make_no_sense_are_refused(label, words):
    with pytest.raises(LabelError, match=words):
        ar.TreeClassifier(favorable_label=label).fit(X, GRADE, sensitive_features=SEX)


def test_classes_that_an_ensemble_has_numbered_are_told():
    ensemble = BaggingClassifier(ar.TreeClassifier(favorable_label="A"), n_estimators=2)
    with pytest.raises(LabelError, match="number them yourself, and pass the number"):
        ensemble.fit(X, GRADE)
