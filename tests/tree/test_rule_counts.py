"""What rules add to the counts that rank splits: S(i | t) of the paper."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.model.tree import Feature
from arbitree.rules.verify import bound_to_model
from arbitree.table.code import code_features
from arbitree.table.frames import columns
from arbitree.tree.grow import grow
from arbitree.tree.options import GrowthOptions
from arbitree.tree.rule_counts import RuleCounts
from arbitree.tree.split import Split
from arbitree.tree.table import TrainingTable

MUSHROOMS = pd.DataFrame(
    {
        "cap": ["white", "yellow", "white", "yellow"],
        "shape": ["bell", "flat", "flat", "bell"],
        "gill": ["green", "black", "black", "black"],
    }
)
LEVELS = """
feature cap: {white, yellow, pink}
feature shape: {bell, flat}
feature gill: {green, black}
"""
STORY = f"{LEVELS}shape = bell and gill = green => p\n"


def _counts(rules, X=MUSHROOMS, y=("p", "e", "e", "e"), rule_weight="paper"):
    labels, codes = np.unique(list(y), return_inverse=True)
    coded, _ = code_features(columns(X, what="X", default_name="x"), max_bins=255)
    table = TrainingTable(
        features=tuple(Feature(name=c.name, coding=c.coding) for c in coded),
        codes=tuple(c.codes for c in coded),
        y=codes.astype(np.uint8),
        classes=tuple(labels.tolist()),
        favorable=1,
    )
    bound = bound_to_model(ar.Rules.parse(rules), table.features, table.classes)
    cells = bound.space.encode(columns(X, what="X", default_name="x"))
    return table, RuleCounts(bound, table, cells, rule_weight)


def test_the_rule_of_the_story_adds_a_poisonous_row_for_each_colour_of_cap():
    _, extra = _counts(STORY)
    found = extra.counts(extra.root())
    assert found[:, 0].tolist() == [0.0] * len(found)
    # cap: white, yellow, missing with what is not in the data; shape, gill: named, other, missing
    assert found[:, 1].tolist() == [1, 1, 1, 3, 0, 0, 0, 3, 0]


def test_a_fact_that_green_gills_have_pink_caps_takes_the_others_away():
    _, extra = _counts(f"{STORY}gill = green => cap = pink\n")
    found = extra.counts(extra.root())
    assert found[:2, 1].tolist() == [0, 0]


def test_below_a_split_only_its_part_is_counted():
    _, extra = _counts(STORY)
    split = Split(feature=1, sides=np.uint16([0, 1, 1]), n_children=2, gain=0.0)
    bell, flat = (extra.counts(state) for state in extra.below(extra.root(), split))
    assert bell[:, 1].tolist() == [1, 1, 1, 3, 0, 0, 0, 3, 0]
    assert not flat.any()


def test_a_number_is_counted_on_its_side_of_a_threshold():
    X = pd.DataFrame({"age": [10.0, 30.0, 50.0], "job": ["a", "b", "a"]})
    rules = "feature job: {a, b}\nage < 18 and job = a => n"
    _, extra = _counts(rules, X, ("n", "y", "y"))
    split = Split(feature=0, sides=np.uint16([0, 1, 1, 1]), n_children=2, gain=0.0, threshold=20.0)
    young, old = (extra.counts(state) for state in extra.below(extra.root(), split))
    assert young[:, 0].sum() > 0
    assert not old.any()


@pytest.mark.parametrize(("rule_weight", "expected"), [("prior", 4 * 3 / 12), ("independent", 0.5)])
def test_a_rule_weighs_as_many_rows_as_its_share_of_all(rule_weight, expected):
    _, extra = _counts(STORY, rule_weight=rule_weight)
    found = extra.counts(extra.root())
    assert found[3:6, 1].sum() == pytest.approx(expected)  # bell 1/2 of rows, green 1/4, of 4


def test_extra_counts_of_nothing_change_no_tree():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a": rng.normal(size=200), "b": rng.choice(list("xyz"), 200), "c": rng.normal(size=200)}
    )
    y = np.where(X["a"] + (X["b"] == "x") + rng.normal(size=200) > 0.5, "p", "e")
    table, none = _counts("a < 5 and a > 6 => p", X, y)
    for split in ("threshold", "multiway"):
        options = GrowthOptions(split=split, max_depth=4)
        plain, with_none = grow(table, options), grow(table, options, extra=none)
        assert plain.feature.tolist() == with_none.feature.tolist()
        np.testing.assert_array_equal(plain.threshold, with_none.threshold)
        np.testing.assert_array_equal(plain.route, with_none.route)


def test_a_wrong_weight_is_refused():
    with pytest.raises(ar.InputError, match="rule_weight is 'heavy'"):
        _counts(STORY, rule_weight="heavy")


def test_an_unknown_method_is_refused():
    with pytest.raises(ar.InputError, match="method is 'late'"):
        ar.TreeClassifier(rules=STORY, method="late").fit(MUSHROOMS, ["p", "e", "e", "e"])
