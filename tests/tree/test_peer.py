"""Where both can say the same, a tree says what scikit-learn's does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from arbitree import TreeClassifier

from .frames import sample


def mean_impurity(estimator, X):
    """Impurity of the training rows' leaves, by their shares."""
    share = estimator.predict_proba(X)
    return np.mean(1 - (share**2).sum(axis=1))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 4),
    options=st.sampled_from(
        [
            {"max_depth": 1},
            {"max_depth": 1, "criterion": "entropy"},
            {"max_depth": 1, "min_samples_leaf": 5},
            {"max_leaf_nodes": 2},
        ]
    ),
)
def test_a_split_leaves_the_same_impurity(seed, n_classes, options):
    rows = sample(seed, n_rows=60, n_classes=n_classes, missing=False, categories=False)
    ours = TreeClassifier(**options).fit(rows.X, rows.y)
    theirs = DecisionTreeClassifier(**options, random_state=0).fit(rows.X, rows.y)
    if options.get("criterion") != "entropy":
        assert mean_impurity(ours, rows.X) == pytest.approx(mean_impurity(theirs, rows.X))
    else:
        gain = ours.tree_.n_nodes == theirs.tree_.node_count
        assert gain


@pytest.mark.parametrize("depth", [1, 2, 3, 4, None])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_trees_without_ties_are_the_same_node_by_node(depth, weighted, criterion):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(250, 4)).astype(np.float32)
    y = (X @ rng.normal(size=4) + 3 * rng.normal(size=250) > 0.3).astype(int)
    weights = rng.random(250) + 0.5 if weighted else None
    options = {"max_depth": depth, "criterion": criterion, "min_samples_leaf": 15}
    ours = TreeClassifier(**options).fit(X, y, sample_weight=weights)
    theirs = DecisionTreeClassifier(**options, random_state=0).fit(X, y, sample_weight=weights)
    new = rng.normal(size=(2000, 4)).astype(np.float32)
    assert ours.tree_.n_nodes == theirs.tree_.node_count
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
    np.testing.assert_allclose(
        ours.feature_importances_ if criterion == "gini" else 0,
        theirs.feature_importances_ if criterion == "gini" else 0,
        atol=1e-9,
    )


@pytest.mark.parametrize("alpha", [0.001, 0.005, 0.01, 0.03])
def test_pruning_leaves_the_same_leaves(alpha):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(250, 4)).astype(np.float32)
    y = (X @ rng.normal(size=4) + rng.normal(size=250) > 0.3).astype(int)
    ours = TreeClassifier(ccp_alpha=alpha).fit(X, y)
    theirs = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("n_leaves", [2, 5, 12])
def test_the_best_splits_first_give_the_same_leaves(n_leaves):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(250, 3)).astype(np.float32)
    y = (X @ rng.normal(size=3) + rng.normal(size=250) > 0.3).astype(int)
    ours = TreeClassifier(max_leaf_nodes=n_leaves).fit(X, y)
    theirs = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X))


def test_missing_numbers_are_routed_as_there():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(240, 3)).astype(np.float32)
    X[rng.random(X.shape) < 0.2] = np.nan
    y = (np.nan_to_num(X) @ [1, -1, 0.5] + rng.normal(size=240) > 0).astype(int)
    for depth in (1, 2, 3):
        ours = TreeClassifier(max_depth=depth).fit(X, y)
        theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        assert mean_impurity(ours, X) == pytest.approx(mean_impurity(theirs, X))


def test_balanced_class_weights_are_those_of_scikit_learn():
    rng = np.random.default_rng(4)
    X = pd.DataFrame(rng.normal(size=(200, 2)))
    y = (X[0] > 1).astype(int)
    ours = TreeClassifier(class_weight="balanced", max_depth=1).fit(X.to_numpy(), y)
    theirs = DecisionTreeClassifier(class_weight="balanced", max_depth=1).fit(X.to_numpy(), y)
    assert ours.predict_proba(X.to_numpy()) == pytest.approx(theirs.predict_proba(X.to_numpy()))
