"""Cost-complexity pruning is scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.tree import DecisionTreeClassifier

from arbitree import TreeClassifier
from arbitree.model.tree_json import to_json

from .frames import sample


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_the_path_of_alphas_is_that_of_scikit_learn(load):
    X, y = load(return_X_y=True)
    X = X[:, :6].astype(np.float32)
    options = {"max_depth": 4, "min_samples_leaf": 5}
    theirs = DecisionTreeClassifier(random_state=0, **options).cost_complexity_pruning_path(X, y)
    ours = TreeClassifier(max_bins=1000, **options).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, atol=1e-7)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_each_alpha_of_the_path_gives_the_tree_with_its_impurity(seed):
    rows = sample(seed, n_rows=200, n_classes=3)
    path = TreeClassifier().cost_complexity_pruning_path(rows.X, rows.y, sample_weight=rows.weights)
    assert (np.diff(path.ccp_alphas) > 0).all()
    sizes = []
    for alpha, impurity in zip(path.ccp_alphas, path.impurities):
        tree = TreeClassifier(ccp_alpha=alpha).fit(rows.X, rows.y, sample_weight=rows.weights)
        leaves = tree.tree_.weight[tree.tree_.is_leaf]
        gini = (leaves.sum(axis=1) - (leaves**2).sum(axis=1) / leaves.sum(axis=1)).sum()
        assert gini / leaves.sum() == pytest.approx(impurity, abs=1e-12)
        sizes.append(tree.get_n_leaves())
    assert sizes[-1] == 1
    assert (np.diff(sizes) < 0).all()


def test_the_path_leaves_the_estimator_as_it_was():
    rows = sample(7, n_rows=100)
    tree = TreeClassifier(ccp_alpha=0.01, max_depth=3).fit(rows.X, rows.y)
    before = to_json(tree.tree_)
    tree.cost_complexity_pruning_path(rows.X, rows.y)
    assert to_json(tree.tree_) == before
    assert tree.ccp_alpha == 0.01
