"""Whom a metric compares, and what the bounds accept."""

from __future__ import annotations

import numpy as np
import pytest

from arbitree import Covariance, GapBudget, InputError, SplitGap
from arbitree.table.code import code_groups
from arbitree.table.frames import columns
from arbitree.tree.populations import grouping

SEX, RACE, BRANCH = list("fmfmfm"), list("aabbab"), list("xxxyyy")


def compared(metric="statistical_parity", *, joint=True, control=None, classes=("no", "yes")):
    """Condition, groups and number of cells of each population."""
    sensitive, _ = code_groups(columns({"sex": SEX, "race": RACE}, what="A", default_name="a"))
    controls = ()
    if control is not None:
        controls, _ = code_groups(columns({"branch": control}, what="C", default_name="c"))
    return grouping(sensitive, controls, metric=metric, joint=joint, classes=classes, favorable=1)


def test_joint_groups_are_combinations_and_marginal_ones_those_of_each_column():
    assert compared().populations[0].groups == ("f x a", "f x b", "m x a", "m x b")
    found = compared(joint=False).populations
    assert [population.groups for population in found] == [("f", "m"), ("a", "b")]


@pytest.mark.parametrize(
    ("metric", "conditions"),
    [
        ("statistical_parity", [""]),
        ("equal_opportunity", ["Y = 'yes'"]),
        ("predictive_equality", ["Y = 'no'"]),
        ("equalized_odds", ["Y = 'yes'", "Y = 'no'"]),
    ],
)
def test_each_metric_has_its_conditions(metric, conditions):
    assert [population.condition for population in compared(metric).populations] == conditions


def test_of_more_classes_all_but_the_favourable_one_are_unfavourable():
    found = compared("predictive_equality", classes=("a", "b", "c")).populations[0]
    assert found.condition == "Y != 'b'"
    assert found.members.any(axis=(0, 1)).tolist() == [True, False, True]


def test_groups_are_compared_within_each_level_of_a_control():
    found = compared("conditional_statistical_parity", control=BRANCH)
    assert [population.condition for population in found.populations] == [
        "branch = x",
        "branch = y",
    ]
    assert "f x a x x" in found.groups


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("metric", ["statistical_parity", "equalized_odds"])
def test_every_row_that_meets_a_condition_is_in_one_group(metric, joint):
    for population in compared(metric, joint=joint).populations:
        assert population.members.sum(axis=0).max() == 1
        counted = population.members.any(axis=(0, 1))
        assert (population.members.sum(axis=0)[:, counted] == 1).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Covariance(-1), "c is -1"),
        (lambda: SplitGap(1.5), "eps is 1.5. Pass a number from 0 to 1"),
        (lambda: GapBudget(True), "eps is True"),
        (lambda: SplitGap(np.nan), "eps is nan"),
        (lambda: SplitGap(0.1, metric="equal_opportunty"), "Did you mean 'equal_opportunity'"),
    ],
    ids=["negative", "above one", "truth", "nan", "unknown"],
)
def test_bounds_that_make_no_sense_are_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
