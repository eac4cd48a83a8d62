"""Counts of nodes are those of loops over their rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree._errors import InputError
from arbitree.counts.nodes import NodeCounter


def by_loops(codes, n_codes, inner, n_inner, rows, sizes, weights):
    """(n_nodes, n_cells, n_inner)"""
    first = np.concatenate([[0], np.cumsum(n_codes)])
    counts = np.zeros((len(sizes), first[-1], n_inner))
    at = iter(rows)
    for node, size in enumerate(sizes):
        for _ in range(size):
            i = next(at)
            for j, column in enumerate(codes):
                counts[node, first[j] + column[i], inner[i]] += weights[i]
    return counts


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), weighted=st.booleans())
def test_counts_of_listed_rows_are_those_of_loops(seed, weighted):
    rng = np.random.default_rng(seed)
    n, n_codes, n_inner = 40, [3, 300, 2], 4
    codes = [
        rng.integers(0, size, n).astype(np.uint8 if size < 256 else np.uint16) for size in n_codes
    ]
    inner = rng.integers(0, n_inner, n)
    weights = rng.integers(0, 5, n).astype(float) if weighted else None
    counter = NodeCounter(codes, n_codes, inner, n_inner, weights=weights)
    rows = rng.permutation(n)[: int(rng.integers(1, n))]
    sizes = np.bincount(rng.integers(0, 3, len(rows)), minlength=3)
    amounts = np.ones(n) if weights is None else weights
    found = counter.count(rows, sizes)
    expected = by_loops(codes, n_codes, inner, n_inner, rows, sizes, amounts)
    assert (found == expected).all()
    everything = counter.count(None, np.array([n]))
    expected = by_loops(codes, n_codes, inner, n_inner, range(n), [n], amounts)
    assert (everything == expected).all()


def test_many_rows_in_two_threads_give_the_counts_of_one():
    rng = np.random.default_rng(0)
    n = 300_000
    codes = [rng.integers(0, 9, n).astype(np.uint8) for _ in range(3)]
    inner = rng.integers(0, 2, n)
    whole = NodeCounter(codes, [9] * 3, inner, 2).count(None, np.array([n]))[0]
    for j, column in enumerate(codes):
        expected = np.bincount(column * 2 + inner, minlength=18).reshape(9, 2)
        assert (whole[9 * j : 9 * j + 9] == expected).all()


@pytest.mark.parametrize(
    ("codes", "inner", "words"),
    [([0, 3], [0, 1], "column 0 has code 3 at row 1"), ([0, 1], [0, 2], "inner has code 2")],
)
def test_a_code_out_of_range_is_an_error(codes, inner, words):
    with pytest.raises(InputError, match=words):
        NodeCounter([np.array(codes, np.uint8)], [3], np.array(inner), 2)
