"""Intervals of rates, of differences and of balanced accuracies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom, binomtest

from arbitree._errors import InputError
from arbitree.groups.balanced import balanced_accuracy_interval
from arbitree.groups.intervals import (
    clopper_pearson,
    effective_counts,
    effective_size,
    newcombe,
    wilson,
)

CONFIDENCES = st.sampled_from([0.8, 0.9, 0.95, 0.999])


@st.composite
def samples(draw: st.DrawFn) -> tuple[int, int]:
    n = draw(st.one_of(st.integers(1, 30), st.integers(1, 10**7)))
    return draw(st.one_of(st.integers(0, min(n, 2)), st.integers(0, n))), n


# -- rates


@pytest.mark.parametrize(
    ("k", "n", "score", "exact"),
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_rates_have_the_intervals_of_newcombe_1998_table_one(k, n, score, exact):
    assert_allclose(wilson(k, n), score, atol=5e-5)
    assert_allclose(clopper_pearson(k, n), exact, atol=5e-5)


@given(samples(), CONFIDENCES)
def test_rates_have_the_intervals_of_scipy(sample, confidence):
    k, n = sample
    test = binomtest(k, n)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = test.proportion_ci(confidence, method=method)
        assert_allclose(ours(k, n, confidence), (theirs.low, theirs.high), rtol=1e-7, atol=1e-12)


@given(st.sampled_from([wilson, clopper_pearson]), samples(), CONFIDENCES)
def test_a_rates_interval_holds_the_rate_and_stays_in_range(method, sample, confidence):
    k, n = sample
    low, high = method(k, n, confidence)
    assert 0 <= low <= k / n <= high <= 1
    assert low < high


@given(st.sampled_from([wilson, clopper_pearson]), samples())
def test_a_rates_interval_flips_with_what_counts_as_favourable(method, sample):
    k, n = sample
    low, high = method(k, n)
    assert_allclose(method(n - k, n), (1 - high, 1 - low), rtol=1e-7, atol=1e-12)


@given(samples(), st.floats(1.01, 50))
def test_more_data_of_the_same_rate_narrow_the_interval(sample, factor):
    k, n = sample
    assert np.ptp(wilson(k * factor, n * factor)) < np.ptp(wilson(k, n))


@given(samples())
def test_more_confidence_widens_the_interval(sample):
    low, high = wilson(*sample, 0.9)
    lower, higher = wilson(*sample, 0.99)
    assert lower <= low
    assert high <= higher


def test_arrays_give_what_their_elements_give():
    k, n = np.array([[0], [3]]), np.array([5, 17, 400])
    low, high = wilson(k, n)
    assert low.shape == high.shape == (2, 3)
    assert (low[1, 2], high[1, 2]) == wilson(3, 400)


def test_a_rate_of_nobody_has_no_interval():
    for method in (wilson, clopper_pearson):
        low, high = method([0, 1], [0, 2])
        assert np.isnan([low[0], high[0]]).all()
        assert not np.isnan([low[1], high[1]]).any()
    assert np.isnan(newcombe(0, 0, 1, 2)).all()
    assert np.isnan(balanced_accuracy_interval(1, 2, 0, 0)).all()


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: wilson([1, 5], [4, 4]), r"index \(1,\) is k = 5 of n = 4"),
        (lambda: clopper_pearson(-1, 4), "k = -1 of n = 4"),
        (lambda: wilson(1, 2, 95), "Pass 0.95"),
        (lambda: newcombe(1, 2, 1, 2, 1.0), "between 0 and 1"),
    ],
)
def test_impossible_counts_and_confidences_are_errors(call, advice):
    with pytest.raises(InputError, match=advice):
        call()


def test_rates_are_covered_in_93_to_97_percent_over_a_grid_of_n_and_p():
    covered = []
    for n in (20, 75, 300):
        k = np.arange(n + 1)
        low, high = wilson(k, n)
        for p in np.linspace(0.03, 0.97, 25):
            covered.append(binom.pmf(k, n, p) @ ((low <= p) & (p <= high)))
    assert 0.93 <= np.mean(covered) <= 0.97


# -- differences


@pytest.mark.parametrize(
    ("table", "limits"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
        ((0, 10, 0, 10), (-0.2775, 0.2775)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
    ],
)
def test_differences_have_the_intervals_of_newcombe_1998_table_two(table, limits):
    assert_allclose(newcombe(*table), limits, atol=5e-5)


@given(samples(), samples(), CONFIDENCES)
@example((0, 5), (0, 5), 0.95)
def test_a_differences_interval_holds_it_and_stays_in_range(a, b, confidence):
    low, high = newcombe(*a, *b, confidence)
    assert -1 <= low <= a[0] / a[1] - b[0] / b[1] <= high <= 1


@given(samples(), samples())
def test_a_difference_turns_its_sign_when_groups_or_outcomes_are_swapped(a, b):
    low, high = newcombe(*a, *b)
    assert_allclose(newcombe(*b, *a), (-high, -low), atol=1e-12)
    flipped = newcombe(a[1] - a[0], a[1], b[1] - b[0], b[1])
    assert_allclose(flipped, (-high, -low), atol=1e-12)


@given(samples(), samples(), st.floats(1.01, 50))
def test_more_data_narrow_a_differences_interval(a, b, factor):
    more = newcombe(a[0] * factor, a[1] * factor, b[0] * factor, b[1] * factor)
    assert np.ptp(more) < np.ptp(newcombe(*a, *b))


# -- balanced accuracy


@given(samples(), samples())
def test_a_balanced_accuracys_interval_holds_it_and_flips_with_it(a, b):
    low, high = balanced_accuracy_interval(*a, *b)
    assert 0 <= low <= (a[0] / a[1] + b[0] / b[1]) / 2 <= high <= 1
    wrong = balanced_accuracy_interval(a[1] - a[0], a[1], b[1] - b[0], b[1])
    assert_allclose(wrong, (1 - high, 1 - low), atol=1e-12)


@given(samples(), samples())
def test_a_balanced_accuracy_is_half_a_difference_shifted(a, b):
    low, high = newcombe(*a, b[1] - b[0], b[1])
    assert_allclose(
        balanced_accuracy_interval(*a, *b), np.clip([(1 + low) / 2, (1 + high) / 2], 0, 1)
    )


# -- weights


@given(samples(), st.floats(1e-3, 1e3))
def test_equal_weights_count_rows(sample, weight):
    k, n = sample
    assert_allclose(effective_size(n * weight, n * weight**2), n)
    found = effective_counts(k * weight, n * weight, k * weight**2, n * weight**2)
    assert_allclose(found, (k, n), rtol=1e-9, atol=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.floats(0.01, 100)), min_size=1, max_size=30))
def test_effective_counts_keep_the_weighted_rate(rows):
    selected, w = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    k, n = effective_counts(w[selected].sum(), w.sum(), (w[selected] ** 2).sum(), (w**2).sum())
    assert n > 0
    assert_allclose(k / n, w[selected].sum() / w.sum())
    assert effective_size(w.sum(), (w**2).sum()) <= len(rows) * (1 + 1e-9)


def test_no_weight_is_no_information():
    assert effective_size(0.0, 0.0) == 0
    assert effective_counts(0.0, 0.0, 0.0, 0.0) == (0, 0)


def test_weights_that_depend_on_the_outcome_are_allowed_for():
    """80 % are selected, but were sampled five times as often as the others."""
    rng = np.random.default_rng(1)
    n, rate = 400, 0.8
    k = rng.binomial(n, 5 * rate / (5 * rate + 1 - rate), size=3000)
    weighted, weight = 1.0 * k, k + 5.0 * (n - k)
    low, high = wilson(*effective_counts(weighted, weight, 1.0 * k, k + 25.0 * (n - k)))
    assert 0.93 <= np.mean((low <= rate) & (rate <= high)) <= 0.975
