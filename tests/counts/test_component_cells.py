"""Sums over cells of sets of columns."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from arbitree._errors import InputError
from arbitree.counts import component_cells
from arbitree.counts.component_cells import cell_sums, components, fitted, product

SETS = [(0,), (2,), (0, 1), (1, 2), (0, 1, 2)]
SIZES = [3, 5, 2]


def _codes(n):
    rng = np.random.default_rng(n)
    return np.stack([rng.integers(0, size, n) for size in SIZES]).astype(np.uint8)


def _by_loops(codes, values):
    tables = []
    for subset in SETS:
        table = np.zeros([SIZES[c] for c in subset])
        for i in range(codes.shape[1]):
            table[tuple(codes[c, i] for c in subset)] += values[i]
        tables.append(table.ravel())
    return np.concatenate(tables)


def test_sums_are_those_of_plain_loops():
    codes = _codes(200)
    values = np.random.default_rng(0).normal(size=(2, 200))
    found = cell_sums(components(codes, SIZES, SETS), values)
    for r in range(2):
        assert_allclose(found[r], _by_loops(codes, values[r]))


def test_fitting_is_the_transpose_of_summing():
    of = components(_codes(300), SIZES, SETS)
    rng = np.random.default_rng(1)
    tables, values = rng.normal(size=(2, of.n_cells)), rng.normal(size=(2, 300))
    assert_allclose((fitted(of, tables) * values).sum(), (tables * cell_sums(of, values)).sum())


def test_the_product_is_both_in_one_pass():
    of = components(_codes(300), SIZES, SETS)
    rng = np.random.default_rng(2)
    tables, weights = rng.normal(size=(3, of.n_cells)), rng.random((3, 300))
    assert_allclose(product(of, tables, weights), cell_sums(of, weights * fitted(of, tables)))
    assert_allclose(product(of, tables), cell_sums(of, fitted(of, tables)))


def test_any_number_of_threads_gives_the_same_bytes(monkeypatch):
    monkeypatch.setattr(component_cells, "ROWS_A_LANE", 7)
    monkeypatch.setattr(component_cells, "ROWS_A_BLOCK", 5)
    of = components(_codes(100), SIZES, SETS)
    tables = np.random.default_rng(3).normal(size=(1, of.n_cells))
    found = [product(of, tables, n_threads=threads) for threads in (1, 2, 5)]
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


def test_a_code_out_of_range_is_an_error():
    with pytest.raises(InputError, match="from 0 to 1"):
        components(np.array([[0, 2]], np.uint8), [2], [(0,)])
