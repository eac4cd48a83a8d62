"""Intervals of influences: spread, lean and floor of the replicates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.influence.weighing import limits

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
