"""Intervals of influences: spread, lean and floor of the replicates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arbitree as ar
from arbitree.influence.limits import limits

skewed = np.random.default_rng(0).exponential(size=400)


@given(st.floats(0, 1e-6), st.floats(0.01, 1))
def test_replicates_that_hardly_vary_do_not_lean(scale, floor):
    low, high = limits(0.0, scale * skewed, 1.96, floor)
    assert (low, high) == pytest.approx((-1.96 * floor, 1.96 * floor), abs=2e-6)


@given(st.floats(0, 1))
def test_the_floor_widens_both_sides_alike(floor):
    bare, wide = limits(0.0, skewed, 1.96, 0.0), limits(0.0, skewed, 1.96, floor)
    assert bare[0] - wide[0] == pytest.approx(wide[1] - bare[1])
    assert wide[1] >= bare[1]


def test_replicates_that_lean_to_the_right_reach_farther_there():
    low, high = limits(0.0, skewed, 1.96, 0.0)
    assert high > -low


@pytest.fixture(scope="module")
def explained():
    people = ar.datasets.make_health_insurance().frame
    X, decided = people[["fitness", "income"]], people["eligible"] == "yes"
    return ar.explain_gap(X, decided, sensitive_features=people["age"], n_bootstrap=30)


def test_one_row_summed_is_that_row(explained):
    for k in range(len(explained.table)):
        row = explained.table.iloc[k]
        assert explained.summed([k]) == pytest.approx((row.influence, row.ci_low, row.ci_high))


def test_all_rows_summed_are_the_gap_without_the_unexplained(explained):
    value, low, high = explained.summed(np.full(len(explained.table), True))
    assert value == pytest.approx(explained.gap - explained.unexplained)
    assert low < value < high


def test_no_rows_summed_are_nothing_for_certain(explained):
    assert explained.summed([]) == (0.0, 0.0, 0.0)


def test_a_sum_without_replicates_has_no_interval():
    people = ar.datasets.make_health_insurance().frame
    found = ar.explain_gap(
        people[["fitness"]],
        people["eligible"] == "yes",
        sensitive_features=people["age"],
        n_bootstrap=0,
    )
    assert np.isnan(found.summed([0])[1:]).all()
