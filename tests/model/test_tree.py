"""A tree keeps its invariant, or is refused in words."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from arbitree._errors import InputError
from arbitree.model.tree import n_left_codes
from arbitree.table.codings import NumericCoding

from .trees import AGE, small_tree


def test_a_tree_counts_its_nodes_and_knows_its_structure():
    tree = small_tree()
    assert (tree.n_nodes, tree.n_leaves) == (5, 3)
    assert tree.children(1).tolist() == [2, 3]
    assert tree.parent.tolist() == [-1, 0, 1, 1, 0]
    assert tree.depth.tolist() == [0, 1, 2, 2, 1]


def test_arrays_of_a_tree_have_one_type_and_cannot_be_written():
    tree = small_tree()
    assert tree.threshold.dtype == np.float32
    assert tree.route.dtype == np.uint16
    with pytest.raises(ValueError, match="read-only"):
        tree.label[0] = 1


def test_a_tree_survives_pickling():
    tree = pickle.loads(pickle.dumps(small_tree()))
    assert tree.children(0).tolist() == [1, 4]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"child": np.array([1, 4, 2, 2])}, "child of exactly one node"),
        ({"child": np.array([0, 4, 2, 3])}, "child of exactly one node"),
        ({"label": np.array([0, 0, 0, 1, 2])}, "Node 4 has label 2"),
        ({"threshold": np.full(5, np.nan)}, "Node 0 needs a threshold"),
        ({"threshold": np.array([40, 3, *[np.nan] * 3])}, "Node 1 has no threshold"),
        ({"route": np.array([1, 0, 2, 0, 1])}, "a child that its node does not have"),
        ({"n": np.array([6, 4, 2, 2])}, r"n has shape \(4,\)"),
        ({"feature": np.array([0, 1, 0, -1, -1])}, "Node 2 has 0 children"),
        ({"reach": np.zeros((5, 1, 2))}, "reach has shape"),
    ],
)
def test_what_is_no_tree_is_refused(changes, words):
    with pytest.raises(InputError, match=words):
        small_tree(**changes)


def test_codes_left_of_a_threshold_are_those_whose_values_are():
    exact = NumericCoding(
        edges=np.float32([1.5, 2.5]), exact=True, values=np.array([1.0, 2.0, 3.0]), kind="number"
    )
    found = [n_left_codes(exact, at) for at in (0.9, 1, 1.9, 2, 2.9, 3, np.inf)]
    assert found == [0, 1, 1, 2, 2, 3, 3]
    assert [n_left_codes(AGE, at) for at in (20, 40, np.inf)] == [1, 2, 3]
