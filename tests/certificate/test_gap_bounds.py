"""Upper bounds on gaps hold as often as they say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from arbitree._errors import InputError
from arbitree.certificate.gap_bounds import METHODS, gap_bounds, simultaneous_confidence

GUARANTEED = ("clopper-pearson", "hoeffding")
QUICK = ("clopper-pearson", "newcombe", "hoeffding")


@st.composite
def counted(draw, max_groups=4, max_conditions=2):
    """Hits and rows of groups under conditions."""
    shape = draw(st.integers(1, max_conditions)), draw(st.integers(2, max_groups))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = rng.integers(0, draw(st.sampled_from([3, 100, 10_000])), shape)
    return rng.binomial(n, rng.random(shape)), n


def _held(p, n, method, confidence):
    """Exact probability that the bound of two groups holds, summed over all counts."""
    true, held = abs(p[0] - p[1]), 0.0
    ks = np.array(list(product(range(n[0] + 1), range(n[1] + 1))))
    chance = binom.pmf(ks[:, 0], n[0], p[0]) * binom.pmf(ks[:, 1], n[1], p[1])
    upper = gap_bounds(ks, np.broadcast_to(n, ks.shape), confidence=confidence, method=method).upper
    held = np.maximum(upper[:, 0, 1], upper[:, 1, 0]) >= true - 1e-12
    return float(chance[held].sum())


@pytest.mark.parametrize("method", GUARANTEED)
@pytest.mark.parametrize("n", [(1, 1), (10, 30), (40, 40)])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95])
def test_the_bound_of_two_groups_is_guaranteed(method, n, confidence):
    rates = (0.0, 0.02, 0.1, 0.3, 0.5, 0.77, 1.0)
    worst = min(_held(p, n, method, confidence) for p in product(rates, rates))
    assert worst >= confidence - 1e-9


@pytest.mark.parametrize("n", [(50, 50), (100, 200)])
def test_newcombe_bounds_hold_nearly_as_often_as_stated(n):
    rates = (0.1, 0.3, 0.5, 0.7)
    held = [_held(p, n, "newcombe", 0.95) for p in product(rates, rates)]
    assert min(held) >= 0.93
    assert np.mean(held) >= 0.95


@settings(max_examples=100, deadline=None)
@given(counted(), st.sampled_from(QUICK), st.sampled_from([0.5, 0.9, 0.99]))
def test_bounds_contain_what_was_seen(table, method, confidence):
    k, n = table
    found = gap_bounds(k, n, confidence=confidence, method=method)
    assert 0 <= found.gap <= 1
    assert 0 <= found.p_rule <= 1
    p = np.divide(k, n, out=np.full(k.shape, np.nan), where=n > 0)
    gap = p[:, :, None] - p[:, None, :]
    assert not (found.upper < gap - 1e-12).any()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = p[:, :, None] / p[:, None, :]
    assert not (found.ratio > ratio + 1e-12).any()
    assert (found.upper[np.isnan(gap) & ~np.eye(k.shape[1], dtype=bool)] == 1).all()


@settings(max_examples=60, deadline=None)
@given(counted(), st.sampled_from(QUICK), st.randoms())
def test_the_order_of_groups_and_conditions_does_not_matter(table, method, random):
    k, n = table
    groups, conditions = list(range(k.shape[1])), list(range(k.shape[0]))
    random.shuffle(groups)
    random.shuffle(conditions)
    found = gap_bounds(k, n, method=method)
    other = gap_bounds(k[conditions][:, groups], n[conditions][:, groups], method=method)
    assert (other.gap, other.p_rule) == (found.gap, found.p_rule)


@settings(max_examples=60, deadline=None)
@given(counted(), st.sampled_from(QUICK))
def test_more_confidence_costs_a_wider_bound(table, method):
    bounds = [gap_bounds(*table, confidence=c, method=method).gap for c in (0.5, 0.9, 0.95, 0.999)]
    assert bounds == sorted(bounds)


@settings(max_examples=60, deadline=None)
@given(counted(max_conditions=1), st.sampled_from(QUICK))
def test_hits_and_misses_exchanged_give_the_same_bound(table, method):
    k, n = table
    assert gap_bounds(n - k, n, method=method).gap == pytest.approx(
        gap_bounds(k, n, method=method).gap
    )


def test_widths_are_those_of_the_theory():
    # Two groups of 500 and 1,000 with rates of 0.20 and 0.22.
    bounds = [gap_bounds([100, 220], [500, 1000], method=method).gap for method in METHODS]
    assert bounds == pytest.approx([0.081, 0.062, 0.056, 0.087], abs=0.001)


def test_the_largest_gap_of_many_groups_needs_no_allowance_for_their_number():
    rng, n = np.random.default_rng(0), np.full((20, 8), 200)
    p = np.linspace(0.2, 0.3, 8)
    misses = 0
    for _ in range(25):
        k = rng.binomial(n, p)
        upper = gap_bounds(k, n, method="clopper-pearson").upper.max(axis=(1, 2))
        misses += int((upper < 0.1 - 1e-12).sum())
    assert misses <= 0.05 * 500


def test_bounds_of_all_pairs_hold_at_once():
    rng, n = np.random.default_rng(1), np.full((500, 4), 150)
    p = np.array([0.2, 0.25, 0.3, 0.5])
    true = np.abs(p[:, None] - p)
    for method in QUICK:
        confidence = simultaneous_confidence(0.9, [4], method=method)
        upper = gap_bounds(rng.binomial(n, p), n, confidence=confidence, method=method).upper
        either = np.maximum(upper, upper.transpose(0, 2, 1))
        assert ((either >= true - 1e-12).all(axis=(1, 2))).mean() >= 0.9


def test_a_group_without_rows_can_differ_as_much_as_possible():
    found = gap_bounds([5, 0], [10, 0])
    assert (found.gap, found.p_rule) == (1.0, 0.0)


@pytest.mark.parametrize("confidence", [0.49, 1, True])
def test_a_confidence_that_makes_no_sense_is_refused(confidence):
    with pytest.raises(InputError, match=r"at least 0\.5 and below 1"):
        gap_bounds([1, 2], [3, 4], confidence=confidence)


def test_other_errors_say_what_to_do():
    with pytest.raises(InputError, match="Did you mean 'newcombe'"):
        gap_bounds([1, 2], [3, 4], method="newcomb")
    with pytest.raises(InputError, match="at least two groups"):
        gap_bounds([1], [3])
