"""Rows fall into the leaf that a reader of the tree would find."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree._errors import InputError
from arbitree.model import route
from arbitree.model.route import code_routes, leaves, leaves_of_codes, paths
from arbitree.table.frames import columns

from .trees import AGE, JOB, small_tree


def _leaves(tree, **values):
    return leaves(tree, columns(values, what="X", default_name="x")).tolist()


def test_a_number_at_the_threshold_goes_left_and_the_next_float32_right():
    above = np.nextafter(np.float32(40), np.float32(np.inf))
    below = np.nextafter(np.float32(40), np.float32(-np.inf))
    ages = np.array([below, 40, above, np.inf, -np.inf])
    assert _leaves(small_tree(), age=ages, job=["a"] * 5) == [2, 2, 4, 4, 2]


def test_a_float64_is_compared_as_the_float32_that_it_rounds_to():
    barely_above = 40 + 1e-9
    assert _leaves(small_tree(), age=[barely_above], job=["a"]) == [2]


def test_missing_numbers_and_levels_go_where_their_node_says():
    assert _leaves(small_tree(), age=[None, 1.0], job=["a", None]) == [4, 3]


def test_a_level_that_training_did_not_know_goes_where_missing_does():
    assert _leaves(small_tree(), age=[1.0, 1.0], job=["zebra", "c"]) == [3, 2]


def test_a_column_of_missing_values_alone_is_read_whatever_its_type():
    assert _leaves(small_tree(), age=pd.Series([None, None], dtype=object), job=["a", "b"]) == [
        4,
        4,
    ]


def test_codes_fall_where_their_values_do():
    tree = small_tree()
    ages, jobs = [10.0, 20.0, 40.0, 41.0, None], ["a", "b", None, "c", "c"]
    codes = (AGE.encode(ages), JOB.encode(jobs))
    assert leaves_of_codes(tree, codes).tolist() == _leaves(tree, age=ages, job=jobs)
    assert code_routes(tree, 0).tolist() == [0, 0, 1, 1]


def test_paths_start_at_the_root():
    assert paths(small_tree()) == [(0,), (0, 1), (0, 1, 2), (0, 1, 3), (0, 4)]


def test_too_few_columns_and_columns_of_another_kind_are_refused():
    with pytest.raises(InputError, match="1 column, and the tree reads 2 columns"):
        _leaves(small_tree(), age=[1.0])
    with pytest.raises(InputError, match="'age' holds texts or categories, where numbers"):
        _leaves(small_tree(), age=["old"], job=["a"])


def test_the_compiled_walk_agrees_with_the_one_node_by_node(monkeypatch):
    tree, rng = small_tree(), np.random.default_rng(0)
    ages = rng.choice([np.nan, -np.inf, np.inf, 39.9, 40.0, 40.1], 300)
    jobs = rng.choice(np.array(["a", "b", "c", "zebra", None], object), 300)
    plain = _leaves(tree, age=ages, job=jobs)
    monkeypatch.setattr(route, "MANY_ROWS", 0)
    monkeypatch.setattr(route, "BLOCK", 128)
    assert _leaves(tree, age=ages, job=jobs) == plain
    assert len(set(plain)) == 3


def test_the_compiled_walk_of_a_leaf_stays_there(monkeypatch):
    monkeypatch.setattr(route, "MANY_ROWS", 0)
    X = pd.DataFrame({"x": [1.0, 2.0]})
    assert ar.TreeClassifier(max_depth=1).fit(X, [1, 1]).apply(X).tolist() == [0, 0]


@pytest.mark.parametrize("options", [{}, {"split": "multiway", "criterion": "entropy"}])
def test_the_compiled_walk_agrees_on_grown_trees(monkeypatch, options):
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.normal(size=400), "z": rng.choice(list("abcde"), 400)})
    X.loc[::7, "x"] = np.nan
    X.loc[::11, "z"] = None
    tree = ar.TreeClassifier(**options).fit(X, rng.integers(0, 2, 400))
    new = X.sample(frac=1, random_state=0).assign(x=lambda rows: rows["x"] + 0.01)
    plain = tree.apply(new)
    monkeypatch.setattr(route, "MANY_ROWS", 0)
    assert (tree.apply(new) == plain).all()
    assert len(set(plain.tolist())) > 5
