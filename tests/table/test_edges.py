"""Edges are exact quantiles of float32 numbers, whatever the order and the batches of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from arbitree.table.edges import (
    KeyCounts,
    between,
    bin_codes,
    from_keys,
    to_float32,
    to_keys,
)
from tests.oracles.codings import codes_by_loops, edges_by_loops

LARGEST = np.finfo(np.float32).max
any_float32 = st.floats(width=32, allow_nan=False)
many_float32 = hnp.arrays(np.float32, st.integers(1, 80), elements=any_float32)
few_float32 = hnp.arrays(
    np.float32, st.integers(1, 80), elements=st.sampled_from([-np.inf, -1, -0.0, 0, 0.1, 2, 1e30])
)
some_float32 = st.one_of(many_float32, few_float32)


def counted(keys: np.ndarray, *, limit: int, pieces: int = 1) -> KeyCounts:
    counts = KeyCounts(limit=limit)
    for piece in np.array_split(keys, pieces):
        counts.add(piece)
    return counts


def edges_in_two_passes(keys: np.ndarray, *, limit: int, max_bins: int, pieces: int) -> np.ndarray:
    counts = counted(keys, limit=limit, pieces=pieces)
    if counts.exact:
        return counts.edges(max_bins=max_bins)
    refinement = counts.refinement(max_bins=max_bins)
    for piece in np.array_split(keys, pieces):
        refinement.add(piece)
    return refinement.edges()


@given(many_float32)
def test_keys_have_the_order_of_the_numbers(values):
    keys = to_keys(values).astype(np.int64)
    clamped = np.maximum(values, -LARGEST)
    np.testing.assert_array_equal(keys[:, None] < keys, clamped[:, None] < clamped)


@given(many_float32)
def test_keys_can_be_turned_back(values):
    np.testing.assert_array_equal(from_keys(to_keys(values)), np.maximum(values, -LARGEST))


def test_negative_zero_is_zero():
    assert to_keys(np.float32([-0.0]))[0] == to_keys(np.float32([0.0]))[0]


@given(any_float32, any_float32)
def test_an_edge_parts_two_neighbours_and_is_finite(one, other):
    low, high = sorted([np.float32(one), np.float32(other)])
    if max(low, -LARGEST) == max(high, -LARGEST):
        return
    edge = between(np.array([low]), np.array([high]))[0]
    assert np.isfinite(edge)
    assert low <= edge < high


def test_the_edge_between_adjacent_numbers_is_the_lower_one():
    low = np.float32(0.1)
    high = np.nextafter(low, np.float32(1))
    assert between(np.array([low]), np.array([high]))[0] == low


@given(some_float32, st.integers(2, 20))
def test_edges_are_those_found_by_loops(values, max_bins):
    edges = counted(to_keys(values), limit=100).edges(max_bins=max_bins)
    assert edges.tolist() == edges_by_loops(values.tolist(), max_bins)


@given(some_float32, st.integers(2, 8), st.integers(8, 20), st.integers(1, 5))
def test_two_passes_over_high_and_low_bits_find_the_edges_of_exact_counts(
    values, max_bins, limit, pieces
):
    found = edges_in_two_passes(to_keys(values), limit=limit, max_bins=max_bins, pieces=pieces)
    assert found.tolist() == edges_by_loops(values.tolist(), max_bins)


@given(
    hnp.arrays(np.int64, st.integers(1, 200), elements=st.integers(0, 30)),
    st.integers(1, 6000),
    st.integers(2, 6),
)
def test_two_passes_agree_where_keys_crowd_in_a_few_buckets(steps, spread, max_bins):
    keys = to_keys(np.float32([1.5])) + (steps * spread).astype(np.uint32)
    exact = counted(keys, limit=10**6).edges(max_bins=max_bins)
    found = edges_in_two_passes(keys, limit=6, max_bins=max_bins, pieces=3)
    np.testing.assert_array_equal(found, exact)


def test_two_passes_agree_when_one_value_has_nearly_all_rows():
    lone = to_keys(np.float32([0.0]).repeat(100_000))
    crowd = to_keys(np.linspace(1e3, 1e9, 500, dtype=np.float32))
    near = to_keys(np.float32([-1e-20, 1e-20]))
    keys = np.concatenate([lone, crowd, near])
    exact = counted(keys, limit=10**6).edges(max_bins=20)
    found = edges_in_two_passes(keys, limit=100, max_bins=20, pieces=1)
    np.testing.assert_array_equal(found, exact)


@given(some_float32, some_float32, some_float32, st.integers(1, 60))
def test_counts_add_up_in_any_order(a, b, c, limit):
    parts = [to_keys(values) for values in (a, b, c)]
    one = counted(np.concatenate(parts), limit=limit)
    other = counted(parts[2], limit=limit)
    for part in (parts[0], parts[1]):
        other.merge(counted(part, limit=limit))
    assert one.n == other.n
    assert one.exact == other.exact
    np.testing.assert_array_equal(one.keys, other.keys)
    np.testing.assert_array_equal(one.counts, other.counts)
    if not one.exact:
        np.testing.assert_array_equal(one.buckets, other.buckets)


@given(many_float32, st.randoms(use_true_random=False), st.integers(1, 7))
def test_the_order_of_rows_and_their_batches_do_not_matter(values, random, pieces):
    shuffled = values.tolist()
    random.shuffle(shuffled)
    one = edges_in_two_passes(to_keys(values), limit=10, max_bins=5, pieces=1)
    other = edges_in_two_passes(to_keys(np.float32(shuffled)), limit=10, max_bins=5, pieces=pieces)
    np.testing.assert_array_equal(one, other)


def test_refinements_add_up():
    values = np.random.default_rng(0).normal(size=5_000).astype(np.float32)
    counts = counted(to_keys(values), limit=100)
    parts = [counts.refinement(max_bins=50) for _ in range(2)]
    for part, half in zip(parts, np.array_split(values, 2)):
        part.add(to_keys(half))
    parts[0].merge(parts[1])
    assert parts[0].edges().tolist() == edges_by_loops(values.tolist(), 50)


def test_a_value_with_many_rows_gets_a_bin_of_its_own():
    values = np.concatenate([np.zeros(600), np.arange(1, 301), -np.arange(1, 101)])
    edges = counted(to_keys(values.astype(np.float32)), limit=10_000).edges(max_bins=10)
    assert {-0.5, 0.5} <= set(edges.tolist())


@given(
    hnp.arrays(np.float64, st.integers(0, 50), elements=st.floats(allow_nan=True)),
    st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=20, unique=True),
)
def test_a_code_is_the_number_of_edges_below(values, edges):
    edges = np.unique(np.float32(edges) + np.float32(0))
    narrow, _ = to_float32(values)
    assert bin_codes(narrow, edges).tolist() == codes_by_loops(values.tolist(), edges.tolist())


@pytest.mark.parametrize("n_edges", [4, 254, 255, 60_000])
def test_the_table_of_high_bits_gives_the_codes_of_a_search(n_edges):
    rng = np.random.default_rng(n_edges)
    edges = np.unique(rng.normal(size=n_edges).astype(np.float32))
    special = np.float32([np.nan, -np.inf, np.inf, 0, -0.0, LARGEST, -LARGEST])
    values = np.concatenate([rng.normal(size=70_000).astype(np.float32), edges, special])
    expected = np.where(np.isnan(values), len(edges) + 1, np.searchsorted(edges, values))
    np.testing.assert_array_equal(bin_codes(values, edges), expected)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_many_values_are_coded_as_by_loops(seed):
    values = np.random.default_rng(seed).lognormal(size=300).astype(np.float32)
    edges = counted(to_keys(values), limit=1000).edges(max_bins=16)
    assert bin_codes(values, edges).tolist() == codes_by_loops(values.tolist(), edges.tolist())


def test_bins_hold_equal_numbers_of_rows_when_values_are_distinct():
    values = np.random.default_rng(3).permutation(10_000).astype(np.float32)
    edges = counted(to_keys(values), limit=20_000).edges(max_bins=100)
    assert set(np.bincount(bin_codes(values, edges))) == {100}


def test_finite_numbers_beyond_float32_are_counted_and_infinite():
    narrow, n_beyond = to_float32(np.array([7.9e25, -1.6e71, 1e39, np.inf, np.nan]))
    assert n_beyond == 2
    np.testing.assert_array_equal(narrow, np.float32([7.9e25, -np.inf, np.inf, np.inf, np.nan]))


def test_exact_and_many_counts_say_what_to_call():
    counts = KeyCounts(limit=1)
    counts.add(to_keys(np.float32([1])))
    with pytest.raises(ValueError, match="need no refinement"):
        counts.refinement(max_bins=2)
    counts.add(to_keys(np.float32([2])))
    with pytest.raises(ValueError, match=r"refinement\(max_bins"):
        counts.edges(max_bins=2)
    with pytest.raises(ValueError, match="limit"):
        counts.refinement(max_bins=2)
