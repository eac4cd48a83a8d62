"""Counts and sums over pairs of columns."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from arbitree._errors import InputError
from arbitree.counts.pairs import pair_cells
from tests.counts.tables import code_tables
from tests.oracles.counting import pairs_by_loops

pytestmark = pytest.mark.usefixtures("short_lanes")


def all_pairs(table):
    return list(product(range(len(table["codes"])), repeat=2))


@settings(max_examples=50)
@given(code_tables(max_rows=25))
def test_agrees_with_the_definition_written_as_loops(table):
    pairs, codes, n_codes = all_pairs(table), table["codes"], table["n_codes"]
    values = table["rng"].integers(-3, 4, table["n"]).astype(float)
    weights, rows = table["weights"], table["rows"]
    found = pair_cells(codes, pairs, n_codes=n_codes, values=values, weights=weights, rows=rows)
    assert found.pairs == tuple(pairs)
    for kind, amount in ((found.counts, weights), (found.sums, weights * values)):
        for table_of_pair, expected in zip(
            kind, pairs_by_loops(codes, pairs, n_codes, amount, rows), strict=True
        ):
            assert_array_equal(table_of_pair, expected)


@settings(max_examples=50)
@given(code_tables(max_rows=25))
def test_counts_of_rows_are_whole_and_their_margins_are_those_of_one_column(table):
    found = pair_cells(table["codes"], all_pairs(table), n_codes=table["n_codes"])
    assert found.sums is None
    for (a, b), counts in zip(found.pairs, found.counts):
        assert counts.dtype == np.int64
        for axis, column in ((1, a), (0, b)):
            alone = np.bincount(
                table["codes"][column].astype(int), minlength=table["n_codes"][column]
            )
            assert_array_equal(counts.sum(axis=axis), alone)


@settings(max_examples=40)
@given(code_tables())
def test_any_number_of_threads_gives_the_same_bytes(table):
    values, weights = table["rng"].random((2, table["n"]))
    found = [
        pair_cells(
            table["codes"],
            all_pairs(table),
            n_codes=table["n_codes"],
            values=values,
            weights=weights,
            n_threads=n_threads,
        )
        for n_threads in (1, 2, 5)
    ]
    for other in found[1:]:
        for mine, first in zip(other.counts + other.sums, found[0].counts + found[0].sums):
            assert mine.tobytes() == first.tobytes()


def test_the_order_and_repetition_of_pairs_are_those_asked_for():
    codes = [np.array([0, 1, 1]), np.array([2, 0, 2])]
    found = pair_cells(codes, [(1, 0), (0, 1), (1, 0)], n_codes=[2, 3])
    assert [table.shape for table in found.counts] == [(3, 2), (2, 3), (3, 2)]
    assert_array_equal(found.counts[0], found.counts[1].T)
    assert_array_equal(found.counts[0], found.counts[2])


def test_a_column_with_itself_counts_on_its_diagonal():
    found = pair_cells([np.array([0, 2, 2])], [(0, 0)], n_codes=[3], values=[0.5, 1.0, 2.0])
    assert_array_equal(found.counts[0], np.diag([1, 0, 2]))
    assert_allclose(found.sums[0], np.diag([0.5, 0.0, 3.0]))


def test_no_pairs_and_no_columns_are_fine():
    assert pair_cells([np.array([0])], [], n_codes=[1]).counts == ()
    assert pair_cells([], [], n_codes=[]).counts == ()


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"pairs": [(0, 2)]}, "There is no column 2: columns run from 0 to 1"),
        ({"pairs": [(-1, 0)]}, "There is no column -1"),
        ({"n_codes": [2]}, "There are 2 columns, but n_codes has 1"),
        ({"n_codes": [2, 1]}, "column 1 has code 1 at row 0"),
        ({"n_codes": [0, 2]}, r"n_codes\[0\] is 0"),
        ({"values": [1.0, np.inf]}, "values is inf at row 1"),
        ({"weights": [-1.0, 1.0]}, "weights is -1.0 at row 0"),
        ({"rows": [5]}, "rows has code 5 at row 0"),
        ({"codes": [[0, 1], [1]]}, "column 1 has 1 rows"),
        ({"n_threads": True}, "n_threads is True"),
    ],
)
def test_errors_say_where_and_what_to_do(change, advice):
    asked = {"codes": [[0, 1], [1, 0]], "pairs": [(0, 1)], "n_codes": [2, 2]} | change
    with pytest.raises(InputError, match=advice):
        pair_cells(**asked)
