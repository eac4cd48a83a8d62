"""What the checker derives without SciPy is what SciPy and the engines have."""

from __future__ import annotations

from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import beta

from arbitree.certificate import gap_bounds as engine
from arbitree.certificate.check.binomial import (
    beta_tail,
    clopper_pearson,
    newcombe,
    normal_quantile,
)
from arbitree.certificate.check.bounds import ratio_limit, upper_limit
from arbitree.certificate.check.canonical import cell_text
from arbitree.certificate.check.exact_test import pair_holds
from arbitree.certificate.check.values import below, float32, shortest, time_number
from arbitree.groups import intervals
from arbitree.rules.axes import below as engine_below
from arbitree.rules.domain_json import shortest as engine_shortest
from arbitree.table.units import in_unit

counts = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999])
floats = st.floats(width=32, min_value=-(2.0**126), max_value=2.0**126)


@given(counts, confidences)
def test_exact_limits_are_quantiles_of_the_beta_distribution(count, confidence):
    k, n = count
    low, high = clopper_pearson(k, n, confidence)
    tail = (1 - confidence) / 2
    assert isclose(low, 0.0 if k == 0 else beta.ppf(tail, k, n - k + 1), abs_tol=1e-12)
    assert isclose(high, 1.0 if k == n else beta.ppf(1 - tail, k + 1, n - k), abs_tol=1e-12)


@pytest.mark.parametrize(("k", "n"), [(1, 10_000_000), (3_456_789, 10_000_000), (9_999_999, 10**7)])
def test_they_hold_for_ten_million_rows(k, n):
    low, high = clopper_pearson(k, n, 0.95)
    assert isclose(betainc(k, n - k + 1, low), 0.025, rel_tol=1e-6)
    assert isclose(1 - betainc(k + 1, n - k, high), 0.025, rel_tol=1e-6)


@given(st.integers(1, 300), st.integers(1, 300), st.floats(0, 1))
def test_tails_are_incomplete_beta_functions(a, b, x):
    assert isclose(beta_tail(a, b, x), betainc(a, b, x), rel_tol=1e-9, abs_tol=1e-12)


@given(counts, counts, confidences)
def test_intervals_of_differences_are_those_of_the_engine(first, second, confidence):
    expected = [float(end) for end in intervals.newcombe(*first, *second, confidence)]
    assert np.allclose(newcombe(*first, *second, confidence), expected, atol=1e-12)


@given(counts, counts, confidences, st.sampled_from(["clopper-pearson", "newcombe", "hoeffding"]))
def test_bounds_are_those_of_the_engine(first, second, confidence, method):
    k, n = zip(first, second)
    found = engine.gap_bounds(list(k), list(n), confidence=confidence, method=method)
    for a, b, pair in ((0, 1, (first, second)), (1, 0, (second, first))):
        assert isclose(upper_limit(*pair, confidence, method), found.upper[0, a, b], abs_tol=1e-10)
        assert isclose(ratio_limit(*pair, confidence, method), found.ratio[0, a, b], abs_tol=1e-10)


@pytest.mark.parametrize("pair", [((30, 60), (10, 50)), ((0, 20), (0, 25)), ((7, 7), (0, 9))])
def test_the_exact_test_accepts_its_own_limit_and_no_other(pair):
    k, n = zip(*pair)
    claimed = engine.gap_bounds(list(k), list(n), method="exact").gap
    assert pair_holds(claimed, *pair, 1 - 0.95)
    for other in (claimed - 1e-4, claimed - 1e-9, claimed + 1e-9, claimed + 1e-4):
        assert not pair_holds(other, *pair, 1 - 0.95)


@given(floats)
def test_float32_is_numpys(number):
    assert float32(number) == float(np.float32(number))
    assert below(number) == engine_below(number)
    assert shortest(number) == engine_shortest(number)
    assert np.float32(shortest(number)) == np.float32(number)


def test_quantiles_are_those_of_the_normal_distribution():
    for confidence in (0.01, 0.5, 0.95, 1 - 1e-9):
        assert isclose(normal_quantile(confidence), intervals.normal_quantile(confidence))


@pytest.mark.parametrize("unit", ["days since 1970-01-01", "minutes since 2024-05-01"])
@pytest.mark.parametrize("moment", ["2024-05-01", "2024-05-01T12:30", "1969-12-31 23:59:59"])
def test_dates_are_the_numbers_that_the_engine_compares(unit, moment):
    micro = np.array([np.datetime64(moment.replace(" ", "T"), "us").astype(np.int64)])
    assert time_number(moment, unit) == float(np.float32(in_unit(micro, unit)[0]))
    assert time_number("the first of May", unit) is None


@given(st.one_of(st.integers(-(10**9), 10**9), st.floats(allow_nan=False), st.booleans()))
def test_a_value_reads_the_same_from_a_file(value):
    assert cell_text(value) == cell_text(str(value)) == cell_text(f" {value} ")
