"""The matrix-free solver against dense least squares and against backfitting."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from arbitree.counts.component_cells import fitted
from arbitree.influence.axes import Axis, functions_of, merge_neighbours
from arbitree.influence.solve import gram_of, scales, solve
from tests.influence.models import small_design
from tests.oracles.decomposition import backfitting, dense, least_squares


def _solved(model, y, penalty, weights=None, tolerance=1e-11, exact=True):
    w = np.ones((1, len(y))) if weights is None else weights
    right = model.gathered(model.sums(w * y))
    measured = scales(model, model.sums(np.ones((1, len(y))))[0], exact=exact)
    return solve(
        model, right, weights, penalty, measured, tolerance=tolerance, most_steps=5000, exact=exact
    )[0]


@pytest.mark.parametrize("max_order", [1, 2, 3])
@pytest.mark.parametrize("exact", [True, False])
def test_solution_is_that_of_dense_least_squares(max_order, exact):
    model, y = small_design(0, max_order=max_order)
    penalty = 0.5 * model.roughness() + 0.01
    theta = _solved(model, y, penalty[None, :], exact=exact)
    x = dense(model)
    assert_allclose(model.fitted(theta)[0], x @ least_squares(x, y, penalty), atol=1e-6)


def test_replicates_have_weights_and_penalties_of_their_own():
    model, y = small_design(1)
    rng = np.random.default_rng(0)
    weights = rng.poisson(1.0, (3, len(y))).astype(float)
    penalty = np.array([[0.1], [1.0], [30.0]]) * model.roughness() + 0.01
    theta = _solved(model, y, penalty, weights)
    x = dense(model)
    for r in range(3):
        expected = x @ least_squares(x, y, penalty[r], weights[r])
        assert_allclose(model.fitted(theta)[r], expected, atol=1e-6)


def test_backfitting_has_the_same_fixed_point():
    model, y = small_design(2)
    penalty = 0.5 * model.roughness() + 0.05
    penalty[-1] = 0.0
    theta = _solved(model, y, penalty[None, :])
    fits = backfitting(model, y, penalty, sweeps=300)
    tables = model.tables(np.append(theta[0, :-1], 0.0)[None, :])
    for k, block in enumerate(model.blocks):
        only = np.zeros_like(tables)
        only[:, block.cells] = tables[:, block.cells]
        mine = fitted(model.cells, only)[0]
        assert_allclose(mine - mine.mean(), fits[k], atol=1e-5)


def test_gram_matrices_of_blocks_are_exact():
    model, _ = small_design(3, max_order=3)
    counts = model.sums(np.ones((1, model.n_rows)))[0]
    x = dense(model)
    for block in model.blocks:
        part = x[:, block.place]
        assert_allclose(gram_of(block, counts[block.cells]), part.T @ part, atol=1e-8)


def test_the_transpose_is_the_transpose():
    model, _ = small_design(4, max_order=3)
    rng = np.random.default_rng(0)
    theta = rng.normal(size=(2, model.n_coefficients))
    tables = rng.normal(size=(2, model.cells.n_cells))
    assert_allclose(
        (model.tables(theta) * tables).sum(axis=1),
        (theta * model.gathered(tables)).sum(axis=1),
    )


def test_functions_are_uncorrelated_with_mean_0_and_variance_1():
    model, _ = small_design(5)
    for block, axes in zip(model.blocks, model.subsets):
        if len(axes) == 1:
            values = block.parts[0].values[model.cells.codes[axes[0]]]
            assert_allclose(values.mean(axis=0), 0, atol=1e-9)
            assert_allclose(values.T @ values / len(values), np.eye(values.shape[1]), atol=1e-6)


def test_a_constant_feature_has_no_functions():
    flat = Axis(
        feature=0, merged=np.zeros(2, np.uint8), n_codes=2, functions=np.eye(2), penalty=np.eye(2)
    )
    assert functions_of(flat, np.array([7.0, 0.0])).values.shape == (2, 0)


@pytest.mark.parametrize("seed", range(5))
def test_merging_keeps_order_and_leaves_at_most_as_many_codes(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 50, 200)
    counts[rng.integers(200)] = 5000
    merged = merge_neighbours(counts, 30)
    assert merged.max() < 30
    assert set(np.diff(merged)) <= {0, 1}
    assert (merged == merged[np.argmax(counts)]).sum() == 1
