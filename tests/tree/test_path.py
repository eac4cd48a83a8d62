"""Trees for several budgets from one search."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree._errors import InputError
from arbitree.tree.path import fit_path


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], 500)
    X = pd.DataFrame({"x": rng.normal(size=500) + (sex == "m"), "z": rng.choice(list("abc"), 500)})
    y = np.where(X["x"] + (X["z"] == "a") + rng.normal(size=500) > 0.5, "yes", "no")
    return X, y, sex


def test_each_tree_keeps_its_budget_and_predicts_on_its_own(people):
    X, y, sex = people
    template = ar.TreeClassifier(parity=ar.GapBudget(1.0), max_depth=3, random_state=0)
    trees = fit_path(template, [0.3, 0.01, 0.1], X, y, sensitive_features=sex)
    assert [tree.parity.eps for tree in trees] == [0.3, 0.01, 0.1]
    for tree in trees:
        audit = ar.audit(tree.predict(X), sensitive_features=sex, favorable_label="yes")
        gap = audit.gaps["value"].iloc[0]
        assert gap <= tree.parity.eps + 1e-9
        assert tree.parity_report_["contribution"].sum() == pytest.approx(gap, abs=1e-12)
        assert tree.classes_.tolist() == ["no", "yes"]
    assert not hasattr(template, "tree_")


def test_a_constant_tree_says_why(people):
    X, _, sex = people
    template = ar.TreeClassifier(parity=ar.GapBudget(0.0), max_depth=2)
    (tree,) = fit_path(template, [0.0], X, ["yes"] * len(X), sensitive_features=sex)
    assert tree.get_n_leaves() == 1
    assert "class" in tree.constant_reason_


def test_other_bounds_are_refused(people):
    X, y, sex = people
    with pytest.raises(InputError, match="Pass a tree with a GapBudget"):
        fit_path(ar.TreeClassifier(), [0.1], X, y, sensitive_features=sex)
