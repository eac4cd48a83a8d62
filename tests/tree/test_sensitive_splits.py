"""Trees do not split on what is sensitive unless they are told to."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree._errors import ArbitreeWarning, InputError

PARITIES = [None, ar.SplitGap(0.3), ar.GapBudget(0.3)]


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    sex = pd.Series(rng.choice(["f", "m"], 60), name="sex")
    X = pd.DataFrame({"x": rng.normal(size=60) + (sex == "m")})
    return X, (X["x"] > 0.3).astype(int), sex


@pytest.mark.parametrize("parity", PARITIES)
def test_a_sensitive_column_among_the_features_is_refused(people, parity):
    X, y, sex = people
    tree = ar.TreeClassifier(parity=parity, max_depth=2)
    with pytest.raises(InputError, match="allow_sensitive_splits"):
        tree.fit(X.assign(sex=sex), y, sensitive_features=sex)


def test_it_may_be_insisted_upon_without_a_warning(people):
    X, _, sex = people
    y = (sex == "m").astype(int)
    tree = ar.TreeClassifier(allow_sensitive_splits=True)
    tree.fit(X.assign(sex=sex), y, sensitive_features=sex)
    assert tree.feature_importances_[1] == 1


COPIES = {
    "the same": lambda sex: sex,
    "a number": lambda sex: (sex == "f") * 2.5,
    "a truth": lambda sex: sex == "m",
}


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_a_copy_under_another_name_is_told(people, copy):
    X, y, sex = people
    tree = ar.TreeClassifier(parity=ar.GapBudget(0.3), max_depth=2)
    with pytest.warns(ArbitreeWarning, match="'gender' tells exactly what 'sex' does"):
        tree.fit(X.assign(gender=copy(sex)), y, sensitive_features=sex)


def test_a_feature_that_differs_in_one_row_is_no_copy(people):
    X, y, sex = people
    almost = sex.copy()
    almost[0] = "m" if sex[0] == "f" else "f"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ar.TreeClassifier(max_depth=2).fit(X.assign(gender=almost), y, sensitive_features=sex)


def test_no_tree_splits_on_a_column_that_it_was_not_given(people):
    X, y, sex = people
    for parity in (ar.GapBudget(0.1), ar.SplitGap(0.1)):
        tree = ar.TreeClassifier(parity=parity, max_depth=3).fit(X, y, sensitive_features=sex)
        assert [feature.name for feature in tree.tree_.features] == ["x"]
