"""Parts of the variance against exact decompositions of small discrete tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from arbitree.influence.axes import axis
from arbitree.influence.fit import fit_group
from arbitree.influence.settings import Settings
from arbitree.influence.shares import covariances
from arbitree.influence.solve import scales, solve
from arbitree.table.codings import CategoryCoding
from tests.influence.models import small_design
from tests.oracles.decomposition import hoeffding

PLAIN = Settings(penalty=1e-7, cross_fit=0, n_bootstrap=0, seed=0, n_threads=1)


def _axes(codes):
    found = []
    for j, column in enumerate(codes):
        levels = tuple(str(k) for k in range(int(column.max()) + 1))
        coding = CategoryCoding(levels=levels)
        counts = np.bincount(column, minlength=coding.n_codes)
        found.append(axis(j, coding, counts, n_intervals=4, most_codes=64))
    return found


@pytest.mark.parametrize("max_order", [1, 2, 3])
def test_shares_are_those_of_the_exact_decomposition(max_order):
    rng = np.random.default_rng(max_order)
    a = rng.integers(0, 3, 4000)
    b = (a + rng.integers(0, 2, 4000)) % 3
    c = rng.integers(0, 2, 4000)
    codes = np.stack([a, b, c]).astype(np.uint8)
    y = ((a == b) ^ (c == 1)).astype(float) * (rng.random(4000) < 0.9)
    parts = hoeffding(codes, y, max_order)
    fit = fit_group(_axes(codes), codes, y, list(parts), PLAIN)
    for subset, part in parts.items():
        expected = np.mean(part * (y - y.mean())) / y.var()
        assert fit.shares[subset] == pytest.approx(expected, abs=2e-4)


def test_pairs_are_uncorrelated_with_their_own_main_effects():
    model, y = small_design(7, n=400)
    ones = np.ones((1, len(y)))
    counts = model.sums(ones)
    right = model.gathered(model.sums(y[None, :] - y.mean()))
    penalty = np.ones((1, 1)) * model.roughness()
    theta, _ = solve(model, right, None, penalty, scales(model, counts[0]), tolerance=1e-10)
    # the outcome is replaced by a function of one feature: no pair may carry any of it
    for k, part in enumerate(model.functions):
        of_feature = part.values[:, 0][model.cells.codes[k]]
        found = covariances(model, theta, model.sums(of_feature[None, :]), counts)
        for axes, carried in found.items():
            if len(axes) == 2 and k in axes:
                assert abs(carried[0]) < 1e-5 * len(y)


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_a_components_parts_add_up_to_it(seed):
    rng = np.random.default_rng(seed)
    model, y = small_design(seed, n=120)
    theta = rng.normal(size=(1, model.n_coefficients))
    sums = model.sums((y - y.mean())[None, :])
    found = covariances(model, theta, sums, model.sums(np.ones((1, len(y)))))
    whole = (model.fitted(theta)[0] * (y - y.mean())).sum()
    assert_allclose(sum(v[0] for v in found.values()), whole, atol=1e-6 * max(abs(whole), 1))
