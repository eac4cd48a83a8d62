"""A tree written as JSON is the same tree when read, and a person can read it too."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arbitree._errors import InputError
from arbitree.model.needed import features_needed
from arbitree.model.tree import Feature
from arbitree.model.tree_json import from_json, to_json
from arbitree.table.codings import CategoryCoding

from .trees import AGE, small_tree


def test_reading_what_was_written_gives_the_same_tree():
    tree = small_tree(groups=("f", "m"), reach=np.arange(20.0).reshape(5, 2, 2))
    again = from_json(to_json(tree))
    assert to_json(again) == to_json(tree)
    for name in ("feature", "threshold", "child", "route", "label", "n", "weight", "reach"):
        np.testing.assert_array_equal(getattr(again, name), getattr(tree, name))
    assert again.features == features_needed(tree)


@pytest.mark.parametrize("threshold", [0.1, 1.9, 16777216.0, -0.0, np.inf, 1e-45])
def test_thresholds_keep_every_bit_in_their_shortest_digits(threshold):
    values = np.full(5, np.nan, np.float32)
    values[0] = threshold
    text = to_json(small_tree(threshold=values))
    assert from_json(text).threshold[0] == np.float32(threshold)
    if np.isfinite(threshold):
        written = json.loads(text)["nodes"][0]["threshold"]
        assert written == float(str(np.float32(threshold)))


def test_a_person_reads_levels_and_thresholds_rather_than_codes():
    first, second = json.loads(to_json(small_tree()))["nodes"][:2]
    assert first["feature"] == "age"
    assert first["threshold"] == 40.0
    assert second["levels"] == [["a", "c"], ["b"]]
    assert second["missing"] == 3


def test_classes_and_levels_of_every_type_come_back_as_they_were():
    levels = CategoryCoding(levels=(True, 1.5, "1"))
    features = (Feature(name=("a", 1), coding=AGE), Feature(name=7, coding=levels))
    tree = from_json(to_json(small_tree(features=features, classes=(0, "0"))))
    assert tree.classes == (0, "0")
    assert [one.name for one in tree.features] == [("a", 1), 7]
    assert tree.features[1] == features[1]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text[:-5], "This is no tree.json"),
        (lambda text: "[]", "its format is not 'arbitree-tree'"),
        (lambda text: text.replace('"version": 1', '"version": 3'), "version 3, and versions 1"),
        (lambda text: text.replace('"yes"', '"maybe"', 1), "Entry 3 of nodes .* 'yes' is none of"),
        (lambda text: text.replace('"label"', '"lable"', 1), "Entry 0 of nodes .* lacks 'label'"),
        (lambda text: text.replace('"nodes"', '"knots"'), "no list of nodes"),
        (lambda text: text.replace('"a"', '"q"', 1), "levels are not those of its feature"),
        (lambda text: text.replace('"n": 6', '"n": "x"', 1), "Entry 0 of nodes"),
        (lambda text: text.replace('"n": 6', '"n": -6', 1), "weigh less than nothing"),
        (lambda text: text.replace('"n": 6', '"n": NaN', 1), "NaN is not JSON"),
        (lambda text: text.replace("40.0", "[]", 1), "edges are not finite numbers"),
        (lambda text: text.replace("40.0", "1e300", 1), "not finite numbers that increase"),
        (lambda text: text.replace('"number"', '"date"', 1), "it counts 'date' in None"),
        (lambda text: text.replace('"exact": false', '"exact": 7', 1), "exact is 7"),
        (lambda text: text.replace('"values": null', '"values": ["x"]', 1), "one more number"),
    ],
)
def test_a_file_that_is_no_tree_says_where(spoil, words):
    with pytest.raises(InputError, match=words):
        from_json(spoil(to_json(small_tree())))
