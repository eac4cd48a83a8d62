"""A saved tree holds of the training rows what its decisions need, and decides as before."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import SplitGap, TreeClassifier, plot_tree, read_tree
from arbitree.table.levels import level_to_json

from .frames import sample

pytestmark = pytest.mark.filterwarnings("ignore:The column 'name' of X has 83 levels")


def loans(n: int = 83) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "score": rng.permutation(n) / 7,
            "oral": rng.normal(size=n),
            "name": [f"Person {i}" for i in range(n)],
            "day": pd.date_range("2024-03-05 10:11", periods=n, freq="min"),
            "job": np.array(list("abc"))[rng.integers(0, 3, n)],
            "owner": rng.random(n) < 0.5,
        }
    )
    return X, (X["score"] > 6).to_numpy().astype(int)


def features(tree: TreeClassifier) -> dict[str, dict]:
    data = json.loads(tree.to_json())
    return {one["name"]: one["coding"] for one in data["features"]}


def test_of_features_that_are_not_asked_only_name_and_kind_are_saved():
    X, y = loans()
    tree = TreeClassifier(max_depth=1).fit(X, y)
    found = features(tree)
    assert list(found) == list(X)
    assert found["score"]["edges"] == [float(tree.tree_.threshold[0])]
    assert found["score"]["values"] is None
    assert found["oral"]["edges"] == found["day"]["edges"] == []
    assert found["name"]["levels"] == found["job"]["levels"] == []
    text = tree.to_json()
    assert "Person" not in text
    assert "2024" not in text


def test_a_tree_without_a_split_saves_no_value_of_a_feature():
    X, y = loans()
    tree = TreeClassifier(min_samples_leaf=60).fit(X, y)
    assert tree.get_n_leaves() == 1
    for coding in features(tree).values():
        assert not coding.get("edges")
        assert coding.get("levels", []) in ([], [False, True])


def test_levels_that_a_split_asks_for_are_saved():
    X, _ = loans()
    tree = TreeClassifier(max_depth=1).fit(X[["job", "oral"]], X["job"] == "b")
    assert features(tree)["job"]["levels"] == ["a", "b", "c"]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["threshold", "logistic", "multiway"]),
    st.sampled_from([4, 255]),
)
def test_what_was_read_decides_as_before_missing_and_new_values_too(
    tmp_path_factory, seed, split, max_bins
):
    rows = sample(seed, n_rows=200)
    tree = TreeClassifier(split=split, max_depth=4, max_bins=max_bins).fit(rows.X, rows.y)
    path = tmp_path_factory.mktemp("saved") / "tree.json"
    tree.save(path)
    again = read_tree(path)
    rng = np.random.default_rng(seed)
    n = 300
    X = pd.DataFrame(
        {
            "number": rng.choice([*np.arange(-4, 5, 0.125), np.nan, np.inf, -np.inf], n),
            "count": rng.choice([-1, 0, 0.5, 1, 2, 2.5, 3, 9, np.nan], n),
            "level": pd.Series(rng.choice([*"abcde", "new", None], n), dtype=object),
        }
    )
    for name in ("apply", "predict_proba"):
        np.testing.assert_array_equal(getattr(again, name)(X), getattr(tree, name)(X))
    for name in ("to_json", "export_text", "to_rules", "to_python", "to_sql"):
        assert getattr(again, name)() == getattr(tree, name)()


def test_a_file_with_every_value_of_training_is_still_read(tmp_path):
    X, y = loans()
    tree = TreeClassifier(max_depth=2).fit(X, y)
    data = json.loads(tree.to_json())
    for one, feature in zip(data["features"], tree.tree_.features):
        one["coding"] = feature.coding.to_dict()
    assert level_to_json("Person 3") in data["features"][2]["coding"]["levels"]
    (tmp_path / "old.json").write_text(json.dumps(data), encoding="utf-8")
    again = read_tree(tmp_path / "old.json")
    assert (again.predict(X) == tree.predict(X)).all()
    assert again.to_json() == tree.to_json()


def test_a_matrix_stays_one_for_scikit_learn(tmp_path):
    X, y = loans()
    X = X[["score", "oral", "owner"]]
    tree = TreeClassifier(max_depth=1).fit(X, y)
    tree.save(tmp_path / "tree.json")
    again = read_tree(tmp_path / "tree.json")
    assert type(again.to_sklearn()) is type(tree.to_sklearn())


def test_a_picture_of_what_was_read_shows_thresholds_that_part_the_same_rows(tmp_path):
    pytest.importorskip("matplotlib")
    X = pd.DataFrame({"x": [41_230.0, 41_234.0, 41_235.0, 41_239.0] * 10})
    tree = TreeClassifier(parity=SplitGap(1)).fit(
        X, (X["x"] > 41_234.5).astype(int), sensitive_features=["f", "m"] * 20
    )
    tree.save(tmp_path / "tree.json")
    texts = [text.get_text() for text in plot_tree(read_tree(tmp_path / "tree.json")).texts]
    assert any("41,234.5" in text or "41,234" in text for text in texts)
