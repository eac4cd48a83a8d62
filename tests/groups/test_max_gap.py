"""The largest gap over groups: its laws, its definition, its coverage."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import studentized_range

from arbitree._errors import InputError
from arbitree.groups.intervals import newcombe, wilson
from arbitree.groups.max_gap import MaxGap, max_gap_interval, pairwise_intervals
from arbitree.groups.ratios import ratio_interval
from arbitree.groups.simultaneous import studentised_range_bound

FIELDS = ("value", "low", "high", "ratio", "ratio_low", "ratio_high")


def measured(k, n, seed: int = 0, n_resamples: int = 50, **options) -> MaxGap:
    rng = np.random.default_rng(seed)
    return max_gap_interval(k, n, n_resamples=n_resamples, rng=rng, **options)


def numbers(gap: MaxGap) -> np.ndarray:
    return np.array([getattr(gap, name) for name in FIELDS])


@st.composite
def tables(draw: st.DrawFn, fewest: int = 2) -> tuple[list[int], list[int]]:
    n = draw(st.lists(st.integers(1, 60), min_size=fewest, max_size=7))
    return [draw(st.integers(0, size)) for size in n], n


# -- laws


@given(tables())
def test_the_intervals_hold_the_very_numbers_reported(table):
    gap = measured(*table)
    assert 0 <= gap.low <= gap.value <= gap.high <= 1
    assert gap.index_high != gap.index_low
    k, n = np.array(table)
    assert gap.value == (k / n)[gap.index_high] - (k / n)[gap.index_low] == np.ptp(k / n)
    if k.any():
        assert 0 <= gap.ratio_low <= gap.ratio <= gap.ratio_high <= 1
        assert gap.ratio == (k / n).min() / (k / n).max()
    else:
        assert np.isnan([gap.ratio, gap.ratio_low, gap.ratio_high]).all()


@given(tables(), st.randoms())
def test_the_order_of_groups_changes_nothing(table, random):
    order = random.sample(range(len(table[0])), len(table[0]))
    shuffled = [[column[i] for i in order] for column in table]
    assert_array_equal(numbers(measured(*table)), numbers(measured(*shuffled)))


@given(tables())
def test_the_gap_is_the_same_for_unfavourable_decisions(table):
    k, n = np.array(table)
    ours, flipped = measured(k, n, n_resamples=0), measured(n - k, n, n_resamples=0)
    assert_allclose(numbers(ours)[:3], numbers(flipped)[:3], atol=1e-12)


@given(tables())
def test_one_seed_gives_the_same_bytes(table):
    assert numbers(measured(*table)).tobytes() == numbers(measured(*table)).tobytes()


@given(tables(), st.floats(1.5, 30))
def test_more_data_narrow_the_interval(table, factor):
    k, n = np.array(table)
    few, many = measured(k, n, n_resamples=0), measured(k * factor, n * factor, n_resamples=0)
    assert few.low <= many.low
    assert many.high <= few.high


@given(tables())
def test_groups_without_rows_are_left_out_and_listed(table):
    k, n = table
    gap, padded = measured(k, n), measured([*k, 0], [*n, 0])
    assert_array_equal(numbers(gap), numbers(padded))
    assert padded.excluded == ((0, len(k)),)
    assert padded.index_low < len(k)


@given(tables())
def test_resampling_never_lowers_the_bound(table):
    assert measured(*table).critical_value >= measured(*table, n_resamples=0).critical_value


# -- definition


@given(tables(), st.sampled_from([0.9, 0.95]))
def test_agrees_with_the_definition_written_as_loops(table, confidence):
    k, n = table
    gap = measured(k, n, confidence=confidence, n_resamples=0)
    simultaneous = 2 * _normal_cdf(gap.critical_value) - 1
    low, high, ratio_low, ratio_high = 0.0, 0.0, np.inf, 1.0
    for a, b in permutations(range(len(k)), 2):
        pair = k[a], n[a], k[b], n[b]
        low = max(low, newcombe(*pair, simultaneous)[0])
        high = max(high, newcombe(*pair, confidence)[1])
        if k[a] or k[b]:
            ratio_low = min(ratio_low, ratio_interval(*pair, confidence)[0])
            ratio_high = min(ratio_high, ratio_interval(*pair, simultaneous)[1])
    assert_allclose((gap.low, gap.high), (low, high), rtol=1e-6, atol=1e-9)
    if any(k):
        found = gap.ratio_low, gap.ratio_high
        assert_allclose(found, (ratio_low, ratio_high), rtol=1e-6, atol=1e-9)


def _normal_cdf(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(z))


@pytest.mark.parametrize("n_groups", [2, 3, 8, 112])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_bound_is_the_studentised_range_of_scipy(n_groups, confidence):
    theirs = studentized_range.ppf(confidence, n_groups, 1e7) / np.sqrt(2)
    assert_allclose(studentised_range_bound(n_groups, confidence), theirs, rtol=1e-4)


def test_two_groups_have_newcombes_interval():
    gap = measured([60, 30], [100, 100], n_resamples=0)
    assert_allclose((gap.low, gap.high), newcombe(60, 100, 30, 100), rtol=1e-9)


# -- conditions


def test_equalized_odds_is_the_larger_of_two_gaps_with_wider_limits():
    k, n = [[50, 20, 30], [10, 12, 9]], [[80, 60, 50], [90, 70, 60]]
    both, first = measured(k, n), measured(k[0], n[0])
    assert (both.value, both.condition) == (first.value, 0)
    assert (both.index_high, both.index_low) == (0, 1)
    assert both.low < first.low
    assert both.high == first.high


def test_the_condition_with_the_larger_gap_is_named():
    gap = measured([[50, 48], [10, 40]], [[100, 100], [80, 80]])
    assert gap.condition == 1
    assert gap.ratio_condition == 1
    assert (gap.index_high, gap.index_low) == (1, 0)


def test_a_condition_with_one_group_left_does_not_count():
    gap = measured([[50, 0], [10, 40]], [[100, 0], [80, 80]])
    assert gap.condition == 1
    assert gap.excluded == ((0, 1),)
    assert_array_equal(numbers(gap), numbers(measured([10, 40], [80, 80])))


# -- degenerate and large


@pytest.mark.parametrize(("k", "n"), [([], []), ([3], [4]), ([3, 0], [4, 0]), ([0, 0], [0, 0])])
def test_fewer_than_two_groups_have_no_gap_and_the_method_says_so(k, n):
    gap = measured(k, n)
    assert np.isnan(numbers(gap)).all()
    assert (gap.condition, gap.index_high, gap.index_low) == (-1, -1, -1)
    assert gap.method.startswith("not estimable")


def test_nobody_selected_is_a_gap_of_zero_without_a_ratio():
    gap = measured([0, 0, 0], [50, 70, 90])
    assert gap.value == gap.low == 0
    assert 0 < gap.high < 0.1
    assert np.isnan(gap.ratio)
    assert gap.ratio_condition == -1


def test_one_row_groups_stay_and_make_the_interval_wide():
    gap = measured([500, 1], [1000, 1])
    assert gap.value == 0.5
    assert gap.low == 0


def test_fractional_counts_are_fine():
    gap = measured([10.4, 3.3], [22.7, 19.1])
    assert 0 <= gap.low <= gap.value <= gap.high


def test_many_groups_get_the_bound_and_the_method_says_so():
    n = np.full(2000, 50)
    gap = measured(np.random.default_rng(0).binomial(n, 0.4), n)
    assert gap.method == "studentised range bound for 2,000 groups"
    assert gap.low == 0


def test_rows_beyond_counting_cost_no_more():
    gap = measured([4 * 10**11, 3 * 10**11], [10**12, 10**12], n_resamples=2000)
    assert_allclose((gap.low, gap.high), 0.1, atol=1e-5)


def test_impossible_counts_are_errors():
    with pytest.raises(InputError, match="k = 5 of n = 4"):
        measured([1, 5], [4, 4])


# -- pairs


@given(tables())
def test_pairs_are_antisymmetric_and_hold_their_differences(table):
    pairs = pairwise_intervals(*table, n_resamples=50, rng=np.random.default_rng(0))
    assert_array_equal(pairs.value, -pairs.value.T)
    assert_allclose(pairs.low, -pairs.high.T, atol=1e-12)
    assert (pairs.low <= pairs.value).all()
    assert (pairs.value <= pairs.high).all()
    assert max(0.0, pairs.low.max()) == measured(*table, n_resamples=50).low


def test_pairs_of_a_group_without_rows_have_no_value():
    pairs = pairwise_intervals([[1, 2, 0]], [[4, 4, 0]], rng=np.random.default_rng(0))
    assert pairs.value.shape == (1, 3, 3)
    assert np.isnan(pairs.low[0, 2]).all()
    assert not np.isnan(pairs.low[0, :2, :2]).any()
    alone = pairwise_intervals([1, 0], [4, 0], rng=np.random.default_rng(0))
    assert alone.method.startswith("not estimable")


# -- coverage


@pytest.mark.parametrize("rates", [[0.3] * 8, [0.3, 0.31, 0.32, 0.33] * 2, [0.5] + [0.3] * 7])
def test_the_true_gap_is_covered_and_percentiles_of_the_maximum_do_not_cover_it(rates):
    rng = np.random.default_rng(3)
    n, truth = np.full(8, 150), np.ptp(rates)
    ours, percentile, repeats = 0, 0, 400
    for _ in range(repeats):
        k = rng.binomial(n, rates)
        gap = max_gap_interval(k, n, n_resamples=200, rng=rng)
        ours += gap.low <= truth <= gap.high
        maxima = np.ptp(rng.binomial(n, k / n, size=(200, 8)) / n, axis=1)
        low, high = np.quantile(maxima, [0.025, 0.975])
        percentile += low <= truth <= high
    assert ours / repeats >= 0.93
    assert percentile / repeats < 0.8


# -- failures that other tools have had


def test_an_interval_is_of_the_maximum_over_groups_not_of_the_pooled_rate():
    """Reported elsewhere: a maximum of 0.819 beside the interval [0.287, 0.532] of a mean."""
    k, n = np.array([90, 8, 60]), np.array([100, 100, 150])
    gap = measured(k, n)
    assert gap.value == pytest.approx(0.82)
    assert gap.low <= 0.82 <= gap.high
    pooled = wilson(k.sum(), n.sum())
    assert pooled[1] < gap.low


@given(st.integers(2, 200))
def test_an_interval_never_excludes_its_own_estimate(n):
    """Reported elsewhere: a mean of 49.5 beside the interval [39.5, 43.1]."""
    k = np.arange(n)
    gap = measured(k, np.full(n, n), n_resamples=20)
    assert gap.low <= gap.value <= gap.high
