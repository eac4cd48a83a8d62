"""Intervals of ratios of rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.stats import binom

from arbitree._errors import InputError
from arbitree.groups.intervals import newcombe, wilson
from arbitree.groups.ratios import ratio, ratio_interval


@st.composite
def samples(draw: st.DrawFn, fewest: int = 0) -> tuple[int, int]:
    n = draw(st.one_of(st.integers(1, 30), st.integers(1, 10**6)))
    return draw(st.one_of(st.integers(fewest, max(fewest, min(n, 2))), st.integers(fewest, n))), n


def test_the_example_of_koopman_1984_is_near_his_score_interval():
    assert_allclose(ratio_interval(36, 40, 16, 80), (2.94, 7.15), rtol=0.015)


@given(samples(1), samples(1))
def test_a_lower_limit_is_the_root_of_its_definition(a, b):
    p, q = a[0] / a[1], b[0] / b[1]
    low, high = wilson(*a)[0], wilson(*b)[1]

    def excess(r: float) -> float:
        return p - r * q - np.hypot(p - low, r * (high - q))

    by_search = brentq(excess, 0, p / q, xtol=1e-15, rtol=1e-12)
    assert_allclose(ratio_interval(*a, *b)[0], by_search, rtol=1e-6)


@given(samples(), samples())
def test_the_interval_holds_the_ratio(a, b):
    if a[0] or b[0]:
        low, high = ratio_interval(*a, *b)
        assert 0 <= low <= ratio(*a, *b) <= high
        assert low < high


@given(samples(1), samples(1))
def test_swapped_groups_have_the_reciprocal(a, b):
    low, high = ratio_interval(*a, *b)
    assert_allclose(ratio_interval(*b, *a), (1 / high, 1 / low), rtol=1e-9)


@given(samples(), samples())
def test_a_ratio_differs_from_one_exactly_when_the_difference_differs_from_zero(a, b):
    if a[0] or b[0]:
        ratio_low, ratio_high = ratio_interval(*a, *b)
        low, high = newcombe(*a, *b)
        if abs(low) > 1e-12:
            assert (ratio_low > 1) == (low > 0)
        if abs(high) > 1e-12:
            assert (ratio_high < 1) == (high < 0)


@given(samples(1), samples(1), st.floats(1.01, 50))
def test_more_data_narrow_the_interval(a, b, factor):
    low, high = ratio_interval(*a, *b)
    lower, higher = ratio_interval(a[0] * factor, a[1] * factor, b[0] * factor, b[1] * factor)
    assert low < lower < higher < high


def test_rates_of_zero_give_limits_or_nothing_never_a_guess():
    low, high = ratio_interval([0, 3, 0, 1], [10, 10, 10, 0.0 + 1], [3, 0, 0, 0], [10, 10, 10, 0])
    assert low[0] == 0
    assert 0 < high[0] < np.inf
    assert 0 < low[1] < np.inf
    assert high[1] == np.inf
    assert np.isnan([low[2], high[2], low[3], high[3]]).all()
    assert ratio(0, 10, 3, 10) == 0
    assert ratio(3, 10, 0, 10) == np.inf
    assert np.isnan(ratio([0, 1], [10, 1], [0, 0], [10, 0])).all()


def test_everybody_selected_in_both_groups_is_a_ratio_near_one():
    low, high = ratio_interval(1000, 1000, 1000, 1000)
    assert 0.99 < low < 1 < high < 1.01


def test_impossible_counts_are_errors():
    with pytest.raises(InputError, match="k = 3 of n = 2"):
        ratio_interval(3, 2, 1, 2)


def test_ratios_are_covered_in_93_to_97_percent_over_a_grid():
    covered = []
    for n1, n2 in ((25, 25), (25, 100), (100, 25)):
        k1, k2 = np.arange(n1 + 1)[:, None], np.arange(n2 + 1)
        low, high = ratio_interval(k1, n1, k2, n2)
        for p1 in (0.06, 0.2, 0.5, 0.85):
            for p2 in (0.06, 0.2, 0.5, 0.85):
                chance = binom.pmf(k1, n1, p1) * binom.pmf(k2, n2, p2)
                hit = (low <= p1 / p2) & (p1 / p2 <= high)
                covered.append((chance * hit).sum() / (1 - chance[0, 0]))
    assert 0.93 <= np.mean(covered) <= 0.97
    assert min(covered) > 0.9
