"""Counts by node, bin, class and group."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from arbitree._errors import InputError
from arbitree.counts.histograms import histogram, subtract_sibling
from tests.counts.tables import code_tables
from tests.oracles.counting import histogram_by_loops

pytestmark = pytest.mark.usefixtures("short_lanes")


def counted(table, **options):
    sizes = {name: table[name] for name in ("n_bins", "n_classes", "n_groups")}
    group = options.pop("group", table["group"])
    return histogram(table["codes"], table["y"], group, **sizes, **options)


def by_loops(table, weights=None, rows=None, node=None, n_nodes=1):
    n = table["n"]
    sizes = (n_nodes, table["n_bins"], table["n_classes"], table["n_groups"])
    return histogram_by_loops(
        table["codes"],
        table["y"],
        table["group"],
        np.ones(n) if weights is None else weights,
        np.arange(n) if rows is None else rows,
        np.zeros(n, int) if node is None else node,
        sizes,
    )


@settings(max_examples=60)
@given(code_tables())
def test_agrees_with_the_definition_written_as_loops(table):
    found = counted(table)
    assert found.dtype == np.int64
    assert_array_equal(found, by_loops(table)[:, 0])


@settings(max_examples=60)
@given(code_tables())
def test_weights_rows_and_nodes_agree_with_the_loops(table):
    options = {name: table[name] for name in ("weights", "rows", "node", "n_nodes")}
    assert_array_equal(counted(table, **options), by_loops(table, **options))


@settings(max_examples=40)
@given(code_tables())
def test_a_weight_of_k_equals_k_equal_rows(table):
    times = np.repeat(np.arange(table["n"]), table["weights"].astype(int))
    assert_array_equal(counted(table, weights=table["weights"]), counted(table, rows=times))


@settings(max_examples=40)
@given(code_tables())
def test_any_number_of_threads_gives_the_same_bytes(table):
    weights = table["rng"].random(table["n"])
    alone = counted(table, weights=weights, n_threads=1)
    for n_threads in (2, 5, None):
        assert counted(table, weights=weights, n_threads=n_threads).tobytes() == alone.tobytes()


@settings(max_examples=40)
@given(code_tables())
def test_whole_membership_of_one_group_equals_its_code(table):
    membership = np.eye(table["n_groups"])[table["group"].astype(int)]
    found = counted(table, group=None, membership=membership, weights=table["weights"])
    assert_array_equal(found, counted(table, weights=table["weights"]))


@settings(max_examples=40)
@given(code_tables())
def test_the_sibling_by_subtraction_is_the_sibling_counted(table):
    left = table["rows"]
    right = np.setdiff1d(np.arange(table["n"]), left)
    weights = table["rng"].random(table["n"])
    found = subtract_sibling(counted(table), counted(table, rows=left))
    assert_array_equal(found, counted(table, rows=right))
    parent = counted(table, weights=weights)
    sibling = subtract_sibling(parent, counted(table, weights=weights, rows=left))
    expected = counted(table, weights=weights, rows=right)
    assert_allclose(sibling, expected, atol=1e-9)
    assert_array_equal(sibling == 0, expected == 0)


def test_many_rows_of_float_weights_give_the_same_bytes_on_any_number_of_threads():
    rng = np.random.default_rng(3)
    n = 300_000
    codes = [rng.integers(0, 300, n).astype(np.uint16), rng.integers(0, 9, n).astype(np.uint8)]
    y, group, weights = rng.integers(0, 2, n), rng.integers(0, 3, n), rng.random(n)
    sizes = {"n_bins": 300, "n_classes": 2, "n_groups": 3}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arbitree.counts.accumulate.ROWS_A_LANE", 1 << 14)
        patch.setattr("arbitree.counts.accumulate.ROWS_A_BLOCK", 1 << 12)
        found = [
            histogram(codes, y, group, weights=weights, n_threads=k, **sizes) for k in (1, 2, 7)
        ]
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()
    cell = (codes[1] * 2 + y) * 3 + group
    assert_allclose(found[0][1].ravel()[: 9 * 6], np.bincount(cell, weights, minlength=9 * 6))


def test_columns_that_are_strided_or_read_only_count_the_same():
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 3, (20, 2)).astype(np.uint8)
    y = rng.integers(0, 2, 20).astype(bool)
    sizes = {"n_bins": 3, "n_classes": 2, "n_groups": 1}
    frozen = rows.T.copy()
    frozen.flags.writeable = False
    strided = histogram([rows[:, 0], rows[:, 1]], y, None, **sizes)
    assert_array_equal(strided, histogram(list(frozen), y, None, **sizes))
    assert rows.flags.writeable


def test_no_columns_and_no_rows_are_fine():
    sizes = {"n_bins": 3, "n_classes": 2, "n_groups": 1}
    assert histogram([], [0, 1], [0, 0], **sizes).shape == (0, 3, 2, 1)
    assert histogram([[]], [], [], **sizes).sum() == 0
    assert histogram([[1, 2]], [0, 1], [0, 0], rows=[], **sizes).sum() == 0


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"codes": [[0, 1], [0, 3]]}, "column 1 has code 3 at row 1, but its codes run from 0"),
        ({"codes": [[-1, 1]]}, "column 0 has code -1 at row 0"),
        ({"codes": [[0.5, 1]]}, "whole numbers"),
        ({"codes": [[0]]}, "column 0 has 1 rows"),
        ({"y": [0, 2]}, "y has code 2 at row 1"),
        ({"group": [9, 0]}, "group has code 9 at row 0"),
        ({"rows": [1, 2]}, "rows has code 2 at row 1"),
        ({"rows": [1], "y": [0, 2]}, "y has code 2 at row 1"),
        ({"node": [0, 0]}, "Pass node and n_nodes together"),
        ({"node": [0, 2], "n_nodes": 2}, "node has code 2 at row 1"),
        ({"weights": [1.0, np.nan]}, "weights is nan at row 1"),
        ({"n_bins": 0}, "n_bins is 0"),
        ({"n_threads": 0}, "n_threads is 0. Pass a whole number of at least 1"),
        ({"n_threads": 1.5}, "n_threads is 1.5"),
        ({"membership": [[1.0], [1.0]]}, "either group or membership"),
        ({"n_bins": 2**31, "n_groups": 4}, "cells. Use fewer bins, groups or nodes"),
    ],
)
def test_errors_say_where_and_what_to_do(change, advice):
    table = {"codes": [[0, 1]], "y": [0, 1], "group": [0, 0]}
    sizes = {"n_bins": 3, "n_classes": 2, "n_groups": 1}
    with pytest.raises(InputError, match=advice):
        histogram(**table | sizes | change)


def test_a_child_larger_than_its_parent_is_refused():
    with pytest.raises(InputError, match="more rows than its parent"):
        subtract_sibling(np.array([1, 2]), np.array([2, 0]))
    with pytest.raises(InputError, match="has no child of shape"):
        subtract_sibling(np.array([1, 2]), np.array([2]))
