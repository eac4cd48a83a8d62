"""Resampled tables of counts, and the largest studentised gap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from arbitree._errors import InputError
from arbitree.counts.resample import max_pair_t, resample_counts
from tests.oracles.counting import max_t_by_loops

TABLE = np.array([[[30, 0], [5, 65]], [[0, 0], [1, 9]]])


@pytest.mark.parametrize("fixed", [0, 1, 2, 3])
def test_totals_of_the_fixed_axes_stay(fixed):
    draws = resample_counts(TABLE, 50, np.random.default_rng(0), fixed=fixed)
    rest = tuple(range(fixed + 1, 4))
    assert draws.shape == (50, *TABLE.shape)
    assert draws.dtype == np.int64
    kept = draws.sum(axis=rest) if rest else draws
    assert (kept == TABLE.sum(axis=tuple(range(fixed, 3)))).all()


@pytest.mark.parametrize("method", ["multinomial", "poisson"])
def test_empty_cells_stay_empty(method):
    draws = resample_counts(TABLE, 200, np.random.default_rng(0), method=method)
    assert (draws[:, TABLE == 0] == 0).all()


def test_draws_have_the_moments_of_resampled_rows():
    n, counts = 100, np.array([60, 30, 10])
    for method, variance in (("multinomial", counts * (1 - counts / n)), ("poisson", counts)):
        draws = resample_counts(counts, 20_000, np.random.default_rng(1), method=method)
        assert_allclose(draws.mean(axis=0), counts, rtol=0.02)
        assert_allclose(draws.var(axis=0), variance, rtol=0.05)


def test_the_same_seed_gives_the_same_draws():
    one, two = (resample_counts(TABLE, 5, np.random.default_rng(7)) for _ in range(2))
    assert_array_equal(one, two)


def test_nothing_resampled_is_nothing():
    rng = np.random.default_rng(0)
    assert resample_counts(np.zeros((2, 3), int), 4, rng).sum() == 0
    assert resample_counts(np.zeros((0, 3), int), 4, rng, fixed=1).shape == (4, 0, 3)
    assert resample_counts(TABLE, 0, rng).shape == (0, *TABLE.shape)


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"counts": [0.5, 1.0]}, "must be whole numbers"),
        ({"counts": [-1, 1]}, "at least 0"),
        ({"n_resamples": -1}, "n_resamples is -1"),
        ({"fixed": 2}, "fixed is 2, but counts has 1 axes"),
        ({"method": "jackknife"}, "Pass 'multinomial' or 'poisson'"),
    ],
)
def test_errors_of_resampling_say_what_to_do(change, advice):
    asked = {"counts": [1, 2], "n_resamples": 3, "rng": np.random.default_rng(0)} | change
    with pytest.raises(InputError, match=advice):
        resample_counts(**asked)


@st.composite
def resamplings(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = draw(st.integers(0, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 6))
    rates, variances = rng.integers(0, 3, shape) / 2, rng.integers(0, 3, shape) / 8
    rates[rng.random(shape) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    return rates, variances, rng.integers(0, 3, shape[1:]) / 2


@given(resamplings())
def test_largest_gap_agrees_with_the_definition_written_as_loops(resampling):
    assert_allclose(max_pair_t(*resampling), max_t_by_loops(*resampling))


@given(resamplings())
def test_one_condition_may_be_given_without_its_axis(resampling):
    rates, variances, center = resampling
    flat = max_pair_t(rates[:, 0], variances[:, 0], center[0])
    assert_array_equal(flat, max_pair_t(rates[:, :1], variances[:, :1], center[:1]))


def test_many_resamples_do_not_depend_on_their_blocks():
    rng = np.random.default_rng(2)
    rates, variances, center = rng.random((300, 9)), rng.random((300, 9)), rng.random(9)
    whole = max_pair_t(rates, variances, center)
    single = [max_pair_t(rates[[r]], variances[[r]], center)[0] for r in range(300)]
    assert_array_equal(whole, single)


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"variances": [[0.1, 0.1, 0.1]]}, r"Both must be \(R, G\) or \(R, M, G\)"),
        ({"rates": [0.5, 0.4], "variances": [0.1, 0.1]}, "Both must be"),
        ({"center": [0.5]}, r"center has shape \(1,\), not \(2,\)"),
        ({"variances": [[0.1, -0.1]]}, "negative"),
    ],
)
def test_errors_of_the_largest_gap_say_what_to_do(change, advice):
    asked = {"rates": [[0.5, 0.4]], "variances": [[0.1, 0.1]], "center": [0.5, 0.4]} | change
    with pytest.raises(InputError, match=advice):
        max_pair_t(**asked)
