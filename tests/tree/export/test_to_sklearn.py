"""The scikit-learn estimator is a real one, and its layout is the one that is known."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, export_text, plot_tree

from arbitree import TreeClassifier
from arbitree._errors import ArbitreeError
from arbitree.tree.export import sklearn_tree

from ..frames import sample


@pytest.fixture(scope="module")
def numbers() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(np.round(rng.normal(size=(300, 3)), 2), columns=["a", "b", "c"])
    X = X.mask(rng.random(X.shape) < 0.1)
    return X, (X["a"].fillna(1) + X["b"].fillna(-1) > 0).map({True: "yes", False: "no"})


@pytest.fixture(scope="module")
def mixed() -> tuple[pd.DataFrame, np.ndarray]:
    X = pd.DataFrame(
        {
            "job": pd.Series(["a", "b", "c", None, "a", "b"] * 20, dtype=object),
            "age": np.arange(120.0),
        }
    )
    return X, (X["job"].isin(["a", "c"]) ^ (X["age"] > 50)).to_numpy()


def test_this_scikit_learn_lays_out_trees_as_is_known_here():
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_
    _, arguments, state = tree.__reduce__()
    assert set(state) == sklearn_tree._STATE
    assert set(state["nodes"].dtype.names) == sklearn_tree._FIELDS
    assert state["values"].shape == (3, 1, 2)
    assert arguments[0] == 1
    assert state["nodes"]["feature"][1] == state["nodes"]["threshold"][1] == sklearn_tree._NONE


@pytest.mark.parametrize("known", [{"left_child"}, sklearn_tree._FIELDS | {"new"}])
def test_another_layout_is_an_error_that_says_what_to_do(known, numbers, monkeypatch):
    monkeypatch.setattr(sklearn_tree, "_FIELDS", known)
    with pytest.raises(ArbitreeError, match="to_onnx, to_python or to_json"):
        TreeClassifier().fit(*numbers).to_sklearn()


def test_numbers_give_a_real_decision_tree_with_everything_a_fitted_one_has(numbers):
    X, y = numbers
    tree = TreeClassifier(max_depth=4).fit(X, y)
    found = tree.to_sklearn()
    fitted = DecisionTreeClassifier(max_depth=4).fit(X, y)
    assert type(found) is DecisionTreeClassifier
    assert set(vars(fitted)) == set(vars(found))
    assert found.get_n_leaves() == tree.get_n_leaves()
    assert found.get_depth() == tree.get_depth()
    assert found.feature_names_in_.tolist() == ["a", "b", "c"]
    assert found.classes_.tolist() == ["no", "yes"]
    np.testing.assert_allclose(found.feature_importances_, tree.feature_importances_)
    np.testing.assert_array_equal(found.predict_proba(X), tree.predict_proba(X))
    np.testing.assert_array_equal(found.tree_.n_node_samples, tree.tree_.n)
    assert (found.apply(X) == tree.apply(X)).all()


def test_scikit_learns_own_tools_take_it(numbers):
    found = TreeClassifier(max_depth=2).fit(*numbers).to_sklearn()
    assert "|--- a <= " in export_text(found, feature_names=["a", "b", "c"])
    assert plot_tree(found)
    again = pickle.loads(pickle.dumps(found))
    assert (again.predict(numbers[0]) == found.predict(numbers[0])).all()
    assert not hasattr(clone(found), "tree_")


def test_scikit_learns_own_tree_and_ours_are_laid_out_alike():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    ours = TreeClassifier(max_depth=3).fit(X, y).to_sklearn()
    names = ["children_left", "children_right", "feature", "n_node_samples", "impurity", "value"]
    for name in names:
        np.testing.assert_allclose(getattr(ours.tree_, name), getattr(theirs.tree_, name))
    np.testing.assert_allclose(ours.tree_.threshold, theirs.tree_.threshold, rtol=1e-6)


def test_truth_values_are_the_numbers_0_and_1():
    X = pd.DataFrame({"a": [True, False, True, False] * 5, "b": [True, True, False, False] * 5})
    y = X["a"] ^ X["b"]
    found = TreeClassifier().fit(X, y).to_sklearn()
    assert type(found) is DecisionTreeClassifier
    assert (found.predict(X) == y).all()
    assert (found.predict(X.astype(float)) == y).all()


@pytest.mark.parametrize("split", ["threshold", "multiway"])
@pytest.mark.parametrize("seed", range(5))
def test_missing_truth_values_are_nan(split, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"t": pd.array(rng.random(60) < 0.5, dtype="boolean")})
    X.loc[rng.random(60) < 0.3, "t"] = pd.NA
    y = rng.integers(0, 3, 60)
    tree = TreeClassifier(split=split).fit(X, y)
    asked = pd.DataFrame({"t": pd.array([True, False, None], dtype="boolean")})
    numbers = pd.DataFrame({"t": [1.0, 0.0, np.nan]})
    found = tree.to_sklearn().predict(numbers)
    assert found.tolist() == tree.predict(asked).tolist()


def test_other_columns_give_a_pipeline_that_takes_the_same_frame(mixed):
    X, y = mixed
    tree = TreeClassifier().fit(X, y)
    found = tree.to_sklearn()
    assert isinstance(found, Pipeline)
    assert type(found[-1]) is DecisionTreeClassifier
    assert (found.predict(X) == tree.predict(X)).all()
    np.testing.assert_array_equal(found.predict_proba(X), tree.predict_proba(X))
    again = pickle.loads(pickle.dumps(found))
    assert (again.predict(X) == tree.predict(X)).all()


def test_the_columns_of_the_pipeline_say_what_they_are(mixed):
    found = TreeClassifier(max_depth=2).fit(*mixed).to_sklearn()
    names = found[:-1].get_feature_names_out().tolist()
    assert "age" in names
    assert any(name.startswith("job: 0 ") for name in names)
    assert len(names) == found[-1].n_features_in_


def test_a_pipeline_checks_the_names_of_its_columns(mixed):
    X, y = mixed
    found = TreeClassifier().fit(X, y).to_sklearn()
    with pytest.raises(ValueError, match="feature names"):
        found.predict(X[["age", "job"]])
    with pytest.raises(ValueError, match="feature"):
        found.predict(X[["age"]])
    columns = clone(found[0])
    assert (columns.fit(X).transform(X) == found[0].transform(X)).all()


def test_several_branches_become_a_chain_that_writes_no_branch_twice():
    rows = sample(5, n_rows=200, n_classes=3)
    rows.X = rows.X[["level"]]
    tree = TreeClassifier(split="multiway").fit(rows.X, rows.y)
    found = tree.to_sklearn()[-1]
    assert tree.tree_.n_nodes > 3
    assert found.get_n_leaves() == tree.get_n_leaves()


@pytest.mark.parametrize("weights", [None, "some"])
def test_weights_and_rows_add_up_to_those_of_the_tree(weights, mixed):
    X, y = mixed
    sample_weight = None if weights is None else np.arange(1, len(y) + 1)
    tree = TreeClassifier(split="multiway").fit(X, y, sample_weight=sample_weight)
    found = tree.to_sklearn()[-1].tree_
    assert found.n_node_samples[0] == tree.tree_.n[0]
    np.testing.assert_allclose(found.weighted_n_node_samples[0], tree.tree_.weight[0].sum())
