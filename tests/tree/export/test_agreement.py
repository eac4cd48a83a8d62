"""Every format decides as the tree does: on thresholds, without values, on unknown levels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import GapBudget, TreeClassifier

from ..frames import sample
from .formats import FORMATS, by_json, by_python, by_sklearn, by_sqlite, installed, on_thresholds

N = 100_000


def mixed(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Columns of every kind with missing values; numbers are float32."""
    amount = rng.lognormal(3, 2, n).astype(np.float32)
    frame = pd.DataFrame(
        {
            "amount": np.where(rng.random(n) < 0.1, np.nan, amount),
            "rate": np.round(rng.normal(size=n), 1).astype(np.float32).astype(float),
            "count": rng.integers(0, 40, n),
            "member": pd.array(rng.random(n) < 0.4, dtype="boolean"),
            "job": pd.Series(rng.choice(["a", "it's", "c d", "e", "no"], n), dtype=object),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
        }
    )
    for name in ("member", "job", "since"):
        frame.loc[rng.random(n) < 0.1, name] = None
    return frame


def labels(X: pd.DataFrame, rng: np.random.Generator, n_classes: int) -> np.ndarray:
    score = np.log1p(X["amount"].fillna(20)) + X["rate"] + X["job"].isin(["a", "e"]) * 2
    score += X["member"].fillna(False) * 1.0 + (X["since"] > "2021-03-01") + X["count"] / 20
    noisy = (score + rng.normal(size=len(X))).to_numpy(dtype=float)
    places = np.searchsorted(np.quantile(noisy, np.linspace(0, 1, n_classes + 1)[1:-1]), noisy)
    return np.array(["low", "middle", "high"])[places]


def many_rows(tree: TreeClassifier, rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Rows, a third of whose numbers are exactly on a threshold or next to one."""
    X = mixed(rng, n)
    for name in ("amount", "rate"):
        near = on_thresholds(tree, name)
        chosen = rng.random(n) < 1 / 3
        if len(near):
            X.loc[chosen, name] = rng.choice(near, chosen.sum()).astype(float)
    X.loc[rng.random(n) < 0.05, "job"] = "not seen"
    return X


@pytest.mark.parametrize(
    ("split", "n_classes", "n"),
    [("threshold", 3, N), ("multiway", 3, 10_000), ("logistic", 2, 10_000)],
)
def test_every_format_decides_as_the_tree_on_100_000_rows(split, n_classes, n, tmp_path):
    rng = np.random.default_rng(7)
    X = mixed(rng, 3000)
    tree = TreeClassifier(split=split, max_leaf_nodes=40, min_samples_leaf=5)
    tree.fit(X, labels(X, rng, n_classes))
    assert tree.get_n_leaves() > 10
    rows = many_rows(tree, rng, n)
    expected = tree.predict(rows).tolist()
    assert len(set(expected)) == n_classes
    assert by_json(tree, rows, tmp_path / "tree.json") == expected
    for name, decide in FORMATS.items():
        assert decide(tree, rows) == expected, name


def test_a_matrix_of_numbers_is_decided_alike_on_100_000_rows():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(2000, 3)).astype(np.float32)
    X[rng.random(X.shape) < 0.15] = np.nan
    y = (np.nan_to_num(X).sum(axis=1) + rng.normal(size=2000) > 0).astype(int)
    tree = TreeClassifier(max_leaf_nodes=60).fit(X, y)
    rows = rng.normal(size=(N, 3)).astype(np.float32)
    for j in range(3):
        chosen = rng.random(N) < 1 / 3
        rows[chosen, j] = rng.choice(on_thresholds(tree, f"x_{j}"), chosen.sum())
    rows[rng.random(rows.shape) < 0.15] = np.nan
    expected = tree.predict(rows).tolist()
    named = pd.DataFrame(rows, columns=["x_0", "x_1", "x_2"])
    for name in installed("sklearn", "onnx"):
        assert FORMATS[name](tree, rows) == expected, name
    for name in ("python", "duckdb", "sqlite"):
        assert FORMATS[name](tree, named) == expected, name
    for name in ("rules", "text"):
        assert FORMATS[name](tree, named) == [str(label) for label in expected], name


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["threshold", "multiway"]))
def test_small_random_trees_decide_alike_everywhere(seed, split):
    rows = sample(seed, n_classes=3)
    tree = TreeClassifier(split=split).fit(rows.X, rows.y)
    asked = pd.concat([rows.X, sample(seed + 1, n_rows=60).X], ignore_index=True)
    asked["level"] = asked["level"].replace("e", "unknown")
    for name in ("number", "count"):
        near = on_thresholds(tree, name)[: len(asked)].astype(float)
        asked.loc[asked.index[: len(near)], name] = near
    expected = tree.predict(asked).tolist()
    for name, decide in FORMATS.items():
        wanted = [str(e) for e in expected] if name in ("rules", "text") else expected
        assert decide(tree, asked) == wanted, name


LARGEST = 3e38  # scikit-learn refuses what float32 cannot hold
WIDE = st.floats(-LARGEST, LARGEST) | st.just(float("nan"))


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")  # numbers too near in 32 bits
@settings(max_examples=30, deadline=None)
@given(st.lists(WIDE, min_size=2, max_size=8), st.lists(WIDE, min_size=1, max_size=20))
def test_any_float64_is_decided_alike_by_python_sql_and_scikit_learn(training, values):
    X = pd.DataFrame({"x": training})
    tree = TreeClassifier().fit(X, [i % 2 for i in range(len(training))])
    near = []
    for at in tree.tree_.threshold[np.isfinite(tree.tree_.threshold)].astype(float):
        above = float(np.nextafter(np.float32(at), np.float32(np.inf)))
        halfway = (at + above) / 2
        near += [at, halfway, np.nextafter(halfway, np.inf), np.nextafter(halfway, -np.inf)]
    rows = pd.DataFrame({"x": [*values, *near]})
    expected = tree.predict(rows).tolist()
    for decide in (by_python, by_sqlite, FORMATS["duckdb"], by_sklearn):
        assert decide(tree, rows) == expected


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e300, -1e300, 5e-324, -0.0])
def test_infinities_and_numbers_beyond_float32_are_decided_alike(value):
    X = pd.DataFrame({"x": [-2.0, -1.0, 1.0, np.inf, np.nan, -np.inf]})
    tree = TreeClassifier().fit(X, ["a", "b", "c", "d", "e", "f"])
    rows = pd.DataFrame({"x": [value]})
    for name in installed("onnx", "python", "duckdb", "sqlite", "rules", "text"):
        assert FORMATS[name](tree, rows) == tree.predict(rows).tolist(), name


LABELS = {
    "texts": ["no", "it's", '"q"\n'],
    "whole numbers": [-1, 0, 7],
    "fractions": [0.0, 1.0, 2.0],
    "truths": [False, True],
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_keep_their_type(kind, tmp_path):
    classes = LABELS[kind]
    X = pd.DataFrame({"x": np.arange(len(classes) * 3.0)})
    tree = TreeClassifier().fit(X, np.repeat(classes, 3))
    expected = tree.predict(X).tolist()
    assert by_json(tree, X, tmp_path / "tree.json") == expected
    for name in installed("sklearn", "onnx", "python", "duckdb"):
        found = FORMATS[name](tree, X)
        assert found == expected
        assert {type(label) for label in found} == {type(label) for label in expected}


def test_a_decision_that_parity_moved_is_kept():
    rng = np.random.default_rng(3)
    group = rng.integers(0, 2, 600)
    X = pd.DataFrame({"x": rng.normal(size=600) + group, "z": rng.normal(size=600)})
    y = (X["x"] + rng.normal(size=600) > 0.5).astype(int)
    tree = TreeClassifier(parity=GapBudget(0.01), max_leaf_nodes=12)
    tree.fit(X, y, sensitive_features=group)
    leaf = tree.tree_.is_leaf
    moved = leaf & (tree.tree_.weight.argmax(axis=1) != tree.tree_.label)
    assert moved.any()
    expected = tree.predict(X).tolist()
    for name in installed("sklearn", "onnx", "python", "sqlite"):
        assert FORMATS[name](tree, X) == expected, name
    kept = ~moved[tree.apply(X)]
    shares = tree.to_sklearn().predict_proba(X)
    np.testing.assert_allclose(shares[kept], tree.predict_proba(X)[kept])
    assert set(shares[~kept].ravel()) == {0.0, 1.0}


@pytest.mark.parametrize("column", [[1.0, 2.0, 3.0], ["a", "b", "c"], [True, False, True]])
def test_a_tree_of_one_leaf_is_written_in_every_format(column, tmp_path):
    X = pd.DataFrame({"x": pd.Series(column, dtype=object if column[0] == "a" else None)})
    tree = TreeClassifier().fit(X, ["yes", "yes", "yes"])
    assert by_json(tree, X, tmp_path / "tree.json") == ["yes"] * 3
    for name, decide in FORMATS.items():
        assert decide(tree, X) == ["yes"] * 3, name
