"""P-values against SciPy's tests, and standardised mean differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency, fisher_exact

from arbitree._errors import InputError
from arbitree.counts.moments import moments
from arbitree.groups.p_values import overall_p_value, p_value
from arbitree.groups.smd import standardised_mean_difference


@st.composite
def samples(draw: st.DrawFn, most: int = 80) -> tuple[int, int]:
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n


# -- two groups


@given(samples(), samples())
def test_two_groups_get_fishers_test_where_counts_are_small_else_chi_square(a, b):
    table = np.array([[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]])
    found = p_value(*a, *b)
    if (table.sum(axis=0) == 0).any():
        assert found == 1
        return
    theirs = chi2_contingency(table, correction=False)
    small = theirs.expected_freq.min() < 5 - 1e-9
    assert_allclose(found, fisher_exact(table).pvalue if small else theirs.pvalue, rtol=1e-9)


@given(samples(), samples())
@example((6, 30), (12, 78))  # 5 expected, to rounding
def test_swapping_groups_or_outcomes_changes_no_p_value(a, b):
    found = p_value(*a, *b)
    assert_allclose(p_value(*b, *a), found, rtol=1e-9)
    assert_allclose(p_value(a[1] - a[0], a[1], b[1] - b[0], b[1]), found, rtol=1e-9)


def test_the_lady_tasting_tea_has_fishers_p_value():
    assert_allclose(p_value(3, 4, 1, 4), 34 / 70)


def test_arrays_mix_both_tests_and_empty_groups_have_none():
    found = p_value([[3], [30]], [[4], [60]], [1, 0], [4, 0])
    assert found.shape == (2, 2)
    assert_allclose(found[0, 0], 34 / 70)
    assert np.isnan(found[:, 1]).all()
    assert p_value(0, 4, 0, 6) == p_value(4, 4, 6, 6) == 1


def test_fractional_counts_are_rounded_for_the_exact_test_only():
    assert p_value(3.2, 4.1, 0.9, 3.8) == p_value(3, 4, 1, 4)
    assert p_value(30.4, 60.4, 20, 80) != p_value(30, 60, 20, 80)


def test_small_expected_counts_among_many_rows_are_exact():
    found = p_value(2, 300, 3, 10**6)
    assert_allclose(found, fisher_exact([[2, 298], [3, 10**6 - 3]]).pvalue)


# -- all groups


@given(st.lists(samples(2000), min_size=3, max_size=6))
def test_many_groups_get_chi_square_where_no_count_is_small(groups):
    k, n = np.array(groups).T
    table = np.stack([k, n - k])
    if (table.sum(axis=1) == 0).any():
        return
    theirs = chi2_contingency(table)
    if theirs.expected_freq.min() >= 5:
        found = overall_p_value(k, n, rng=np.random.default_rng(0))
        assert_allclose(found, theirs.pvalue, rtol=1e-9, atol=1e-300)


def test_many_small_groups_get_the_distribution_given_the_margins():
    k, n = [4, 0, 1], [5, 4, 6]
    exact = fisher_like(k, n)
    found = overall_p_value(k, n, n_resamples=40_000, rng=np.random.default_rng(0))
    assert_allclose(found, exact, atol=0.01)


def fisher_like(k, n):
    """Share of tables with these margins whose chi-square is as large, by enumeration."""
    from math import comb

    def statistic(row):
        p = sum(row) / sum(n)
        return sum((x - size * p) ** 2 / (size * p * (1 - p)) for x, size in zip(row, n))

    found = total = 0
    for a in range(n[0] + 1):
        for b in range(n[1] + 1):
            c = sum(k) - a - b
            if 0 <= c <= n[2]:
                ways = comb(n[0], a) * comb(n[1], b) * comb(n[2], c)
                total += ways
                found += ways * (statistic((a, b, c)) >= statistic(k) - 1e-9)
    return found / total


def test_two_groups_left_get_the_test_for_two_groups():
    rng = np.random.default_rng(0)
    assert overall_p_value([3, 0, 1], [4, 0, 4], rng=rng) == p_value(3, 4, 1, 4)
    assert np.isnan(overall_p_value([3, 0], [4, 0], rng=rng))


def test_nobody_selected_anywhere_is_no_evidence():
    assert overall_p_value([0, 0, 0], [4, 5, 6], rng=np.random.default_rng(0)) == 1


def test_impossible_counts_are_errors():
    with pytest.raises(InputError, match="k = 5 of n = 4"):
        p_value(5, 4, 1, 4)


# -- standardised mean difference


def compared(a, b, confidence=0.95):
    values = np.concatenate([a, b]).astype(float)
    group = np.repeat([0, 1], [len(a), len(b)])
    found = moments(values, group, 2)
    parts = ("n", "total", "squares", "squared_weights")
    pick = [replace(found, **{name: getattr(found, name)[[g]] for name in parts}) for g in (0, 1)]
    return [x.item() for x in standardised_mean_difference(*pick, confidence)]


scores = st.lists(st.integers(-50, 50), min_size=2, max_size=30)


@given(scores, scores)
def test_the_difference_is_in_pooled_standard_deviations(a, b):
    pooled = (np.var(a) * len(a) + np.var(b) * len(b)) / (len(a) + len(b) - 2)
    value, low, high = compared(a, b)
    if pooled == 0:
        assert np.isnan([value, low, high]).all()
        return
    assert_allclose(value, (np.mean(a) - np.mean(b)) / np.sqrt(pooled), rtol=1e-6, atol=1e-9)
    assert low < value < high
    assert_allclose(compared(b, a), [-value, -high, -low], rtol=1e-6, atol=1e-9)


@given(scores, scores, st.floats(0.1, 100), st.floats(-1000, 1000))
def test_units_and_origin_of_scores_do_not_matter(a, b, unit, origin):
    moved = [np.array(x) * unit + origin for x in (a, b)]
    assert_allclose(compared(*moved), compared(a, b), rtol=1e-4, atol=1e-6)


def test_a_group_of_one_row_has_a_wide_interval():
    value, low, high = compared([5], [1, 2, 3, 4])
    assert low < value < high
    assert high - low > 3
    assert np.isnan(compared([5], [1])).all()


def test_groups_that_spread_unequally_are_covered():
    rng = np.random.default_rng(2)
    truth = 0.5 / np.sqrt((199 * 1.4**2 + 1999) / 2198)
    hits = 0
    for _ in range(400):
        _, low, high = compared(rng.normal(0.5, 1.4, 200), rng.normal(0, 1, 2000))
        hits += low <= truth <= high
    assert 0.925 <= hits / 400 <= 0.975
