"""What `to_rules` writes, `Rules.parse` reads: the same rows, the same classes."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import Rules, Schema, TreeClassifier, verify
from arbitree.table.codings import CategoryCoding

from ..frames import sample
from .test_hostile_names import HOSTILE, TEXTS, table

# Names, levels and classes that the language of rules could take for something else.
TAKEN = ["30-day", "2nd", "18", "1_000", "-1", "-a", ".5", "...", "+5", "5e+5", "inf", "NaN"]
TAKEN += ["TRUE", "And", "feature", "classes", "\U000e0001", "a\U0010ffffb", "\\ud83d", "\x7f"]


def check_read_back(tree: TreeClassifier, X: pd.DataFrame, y) -> None:
    """Every leaf is a rule that the tree obeys, and each row matches only its leaf's."""
    read = Rules.parse(tree.to_rules(), missing="certain")
    rules = replace(read, schema=no_other_levels(tree))
    leaf = tree.tree_.is_leaf
    assert len(rules.rules) == leaf.sum()
    assert not rules.facts
    assert verify(tree, rules).status == "holds"
    found = rules.coverage(X, y).by_rule
    assert found["n_matching"].tolist() == tree.tree_.n[leaf].tolist()
    assert found["n_overruled"].sum() == (tree.predict(X) != np.asarray(y)).sum()


def no_other_levels(tree: TreeClassifier) -> Schema:
    """Rules written by a tree count other levels as missing, and rules of people do not."""
    features = tree.tree_.features
    levels = {f.name: f.coding.levels for f in features if isinstance(f.coding, CategoryCoding)}
    return Schema.of({name: list(found) for name, found in levels.items()})


@pytest.mark.parametrize("split", ["threshold", "multiway"])
@pytest.mark.parametrize("text", HOSTILE + TAKEN)
def test_hostile_names_levels_and_classes_are_read_back(text, split):
    X = table(text, text)
    y = [text, "b", "c", "d", text]
    check_read_back(TreeClassifier(split=split).fit(X, y), X, y)


@settings(max_examples=40, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_any_text_is_read_back(name, level, label):
    X = pd.DataFrame({name: pd.Series([level, f"{level}x"], dtype=object)})
    y = [label, f"{label}x"]
    check_read_back(TreeClassifier().fit(X, y), X, y)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["threshold", "multiway"]), st.integers(2, 4))
def test_trees_of_several_classes_with_missing_values_are_read_back(seed, split, n_classes):
    rows = sample(seed, n_classes=n_classes)
    tree = TreeClassifier(split=split, max_leaf_nodes=12).fit(rows.X, rows.y)
    check_read_back(tree, rows.X, rows.y)


@pytest.mark.parametrize("scale", [1e-38, 1e-6, 1.0, 1e7, 1e20, 1e38])
def test_numbers_of_any_size_are_read_back(scale):
    numbers = np.random.default_rng(0).normal(size=100).astype(np.float32) / 8 * np.float32(scale)
    X = pd.DataFrame({"x": np.append(numbers, np.float32(np.nan))})
    y = np.arange(101) % 3
    check_read_back(TreeClassifier().fit(X, y), X, y)


@pytest.mark.parametrize(
    "values",
    [
        [dt.date(2024, 5, day) for day in (1, 2, 9)],
        list(pd.to_datetime(["2024-05-01 10:00:13", "2024-05-01 10:30:00", "2024-05-02 00:00:00"])),
        list(pd.to_timedelta(["2 seconds", "1.7 hours", "3 days"])),
        [True, False, None],
        pd.Categorical([0.5, -1.5, 2.0]),
        pd.Categorical([-1, 0, 7]),
    ],
)
def test_values_of_other_kinds_are_read_back(values):
    X = pd.DataFrame({"x": values, "k": "k"})
    y = [False, True, True]
    check_read_back(TreeClassifier(split="multiway").fit(X, y), X, y)


@pytest.mark.parametrize("name", ["x", "missing", "30 days"])
def test_a_tree_of_one_leaf_is_read_back(name):
    X = pd.DataFrame({name: [1.0, 2.0, np.nan]})
    check_read_back(TreeClassifier().fit(X, ["yes", "yes", "yes"]), X, ["yes", "yes", "yes"])
