"""The exact test of a difference: guaranteed, and narrower than limits of each rate."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from arbitree._errors import InputError
from arbitree.certificate.exact_difference import _test, upper_limit
from arbitree.certificate.gap_bounds import gap_bounds

SIZES = [(1, 1), (8, 12), (16, 5)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_limit_is_guaranteed_for_all_rates(n, alpha):
    counts = list(product(range(n[0] + 1), range(n[1] + 1)))
    limits = np.array([upper_limit(k1, n[0], k2, n[1], alpha) for k1, k2 in counts])
    k1, k2 = np.array(counts).T
    for p1, p2 in product(np.linspace(0, 1, 21), repeat=2):
        chance = binom.pmf(k1, n[0], p1) * binom.pmf(k2, n[1], p2)
        assert chance[limits < p1 - p2 - 1e-12].sum() <= alpha + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_p_value_is_at_least_the_one_of_every_second_rate(n1, n2, data):
    k1, k2 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    delta, test = data.draw(st.floats(0.0, 1.0)), _test(k1, n1, k2, n2, 0.05)
    grid = np.linspace(test.lower_end[0], test.lower_end[-1], 41)
    first, second = np.meshgrid(np.arange(n1 + 1), np.arange(n2 + 1), indexing="ij")
    small = first * n2 - second * n1 <= k1 * n2 - k2 * n1
    for p2 in grid[grid + delta <= 1]:
        p1 = p2 + delta
        joint = binom.pmf(np.arange(n1 + 1), n1, p1)[:, None] * binom.pmf(np.arange(n2 + 1), n2, p2)
        assert joint[small].sum() <= test.p_value(delta) + 1e-9


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 3000), st.data())
def test_the_limit_is_above_what_was_seen_and_above_what_is_asked(n1, n2, data):
    k1, k2 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    limit = upper_limit(k1, n1, k2, n2, 0.05)
    assert k1 / n1 - k2 / n2 <= limit <= 1
    assert upper_limit(k1, n1, k2, n2, 0.05, above=limit) == limit
    assert upper_limit(k1, n1, k2, n2, 0.01) >= limit - 1e-4


@pytest.mark.parametrize("rates", [(0.2, 0.2), (0.05, 0.04), (0.5, 0.45), (0.9, 0.7)])
@pytest.mark.parametrize("n", [(200, 200), (1000, 400), (2000, 5000)])
def test_from_a_few_hundred_rows_on_it_is_narrower_than_limits_of_each_rate(rates, n):
    k = [round(p * size) for p, size in zip(rates, n)]
    gap = abs(k[0] / n[0] - k[1] / n[1])
    slack = {
        method: gap_bounds(k, n, method=method).gap - gap
        for method in ("exact", "clopper-pearson", "newcombe")
    }
    assert slack["exact"] < slack["clopper-pearson"]
    assert slack["exact"] >= slack["newcombe"] * 0.97


def test_of_several_groups_and_conditions_the_largest_limit_is_the_bound():
    k, n = np.array([[30, 40, 0], [50, 80, 60]]), np.array([[100, 150, 0], [100, 150, 120]])
    found = gap_bounds(k, n, method="exact")
    pairs = [
        upper_limit(k[m, a], n[m, a], k[m, b], n[m, b], 0.05)
        for m in range(2)
        for a, b in product(range(3), repeat=2)
        if a != b and n[m, a] and n[m, b]
    ]
    assert found.upper[1].max() == pytest.approx(max(pairs), abs=2e-5)
    assert found.gap == 1  # a group has no rows under the first condition


def test_the_order_of_groups_does_not_matter():
    one = gap_bounds([30, 41, 55], [100, 150, 120], method="exact").gap
    other = gap_bounds([55, 30, 41], [120, 100, 150], method="exact").gap
    assert one == other


def test_too_many_pairs_are_refused():
    with pytest.raises(InputError, match="Pass method='clopper-pearson'"):
        gap_bounds([5] * 40, [10] * 40, method="exact")
