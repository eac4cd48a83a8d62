"""Counts by segment, group, label and decision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from arbitree._errors import InputError
from arbitree.counts.cells import Cells, count_cells
from tests.oracles.counting import cells_by_loops

pytestmark = pytest.mark.usefixtures("short_lanes")
KINDS = [np.uint8, np.uint16, np.uint32, np.int64]


@st.composite
def audits(draw):
    n = draw(st.sampled_from([0, 1]) | st.integers(0, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_groups, n_segments = draw(st.integers(1, 5)), draw(st.integers(1, 3))

    def codes(n_codes):
        return rng.integers(0, n_codes, n).astype(draw(st.sampled_from(KINDS)))

    return {
        "group": codes(n_groups),
        "n_groups": n_groups,
        "decisions": codes(3),
        "labels": codes(3),
        "segment": codes(n_segments),
        "n_segments": n_segments,
        "weights": rng.integers(0, 6, n).astype(float),
    }


@settings(max_examples=60)
@given(audits())
def test_agrees_with_the_definition_written_as_loops(audit):
    found = count_cells(**audit)
    n, w, w2 = cells_by_loops(**audit)
    assert_array_equal(found.n, n)
    assert_array_equal(found.w, w)
    assert_array_equal(found.w2, w2)
    assert found.n.dtype == np.int64


@settings(max_examples=40)
@given(audits())
def test_a_weight_of_k_equals_k_equal_rows(audit):
    times = audit["weights"].astype(int)
    rows = ("group", "decisions", "labels", "segment")
    repeated = {**audit, **{name: np.repeat(audit[name], times) for name in rows}, "weights": None}
    assert_array_equal(count_cells(**audit).w, count_cells(**repeated).n)


@settings(max_examples=40)
@given(audits())
def test_whole_membership_of_one_group_equals_its_code(audit):
    membership = np.eye(audit["n_groups"])[audit["group"].astype(int)]
    by_code = count_cells(**audit)
    by_share = count_cells(**{**audit, "group": None}, membership=membership)
    assert_array_equal(by_share.n, by_code.n)
    assert_array_equal(by_share.w, by_code.w)
    assert_array_equal(by_share.w2, by_code.w2)


def test_a_row_shared_by_two_groups_counts_in_both_with_its_shares():
    found = count_cells(None, 2, membership=[[0.25, 0.75], [1.0, 0.0]], decisions=[1, 1])
    assert_array_equal(found.n[0, :, 2, 1], [2, 1])
    assert_array_equal(found.w[0, :, 2, 1], [1.25, 0.75])
    assert_array_equal(found.w2[0, :, 2, 1], [1.0625, 0.5625])


def test_without_labels_every_label_is_missing():
    found = count_cells([0, 1], 2, decisions=[1, 0])
    assert found.n[:, :, :2].sum() == 0
    assert found.n[:, :, 2].sum() == 2


def test_no_rows_give_a_table_of_zeros():
    assert_array_equal(count_cells([], 2, decisions=[], labels=[]).n, np.zeros((1, 2, 3, 3)))


def test_cells_of_two_halves_add_up():
    rng = np.random.default_rng(1)
    group, decisions, weights = rng.integers(0, 3, 50), rng.integers(0, 2, 50), rng.random(50)

    def part(rows):
        return count_cells(group[rows], 3, decisions=decisions[rows], weights=weights[rows])

    both, whole = part(slice(20)) + part(slice(20, None)), part(slice(None))
    assert_array_equal(both.n, whole.n)
    assert_allclose(both.w, whole.w)
    assert_allclose(both.w2, whole.w2)


def test_cells_that_do_not_belong_together_are_not_added():
    counted = count_cells([0], 1, decisions=[1])
    with pytest.raises(InputError, match="has weights"):
        _ = counted + count_cells([0], 1, decisions=[1], weights=[2.0])
    with pytest.raises(InputError, match="do not add up"):
        _ = counted + Cells(n=np.zeros((1, 2, 3, 3), np.int64))


def test_amounts_are_weights_where_there_are_some():
    assert count_cells([0], 1, decisions=[1]).amounts.dtype == np.int64
    assert count_cells([0], 1, decisions=[1], weights=[0.5]).amounts.sum() == 0.5


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"group": [0, 2]}, "group has code 2 at row 1, but its codes run from 0 to 1"),
        ({"group": [0, -1]}, "group has code -1 at row 1"),
        ({"group": [0.0, 1.0]}, "Pass a one-dimensional array of whole numbers"),
        ({"group": [0]}, "group has 1 rows, the other inputs have 2"),
        ({"decisions": [0, 3]}, "decisions has code 3 at row 1"),
        ({"labels": [5, 0]}, "labels has code 5 at row 0"),
        ({"segment": [1, 0]}, "segment has code 1 at row 0"),
        ({"weights": [1.0, np.nan]}, "weights is nan at row 1"),
        ({"weights": [np.inf, 1.0]}, "weights is inf at row 0"),
        ({"weights": [1.0, -2.0]}, "weights is -2.0 at row 1"),
        ({"weights": [[1.0], [2.0]]}, "Pass one number a row"),
        ({"group": None}, "Pass either group or membership"),
        ({"membership": [[1, 0], [0, 1]]}, "Pass either group or membership"),
        ({"group": None, "membership": [[1, 0]]}, r"membership has shape \(1, 2\), not \(2, 2\)"),
        ({"group": None, "membership": [[1, 0], [2, 0]]}, "membership at row 1"),
        ({"n_groups": -1}, "n_groups is -1"),
        ({"n_segments": 0}, "n_segments is 0"),
    ],
)
def test_errors_say_where_and_what_to_do(change, advice):
    audit = {"group": [0, 1], "n_groups": 2, "decisions": [0, 1]} | change
    with pytest.raises(InputError, match=advice):
        count_cells(**audit)


def test_counting_cells_needs_no_compiler(run_python):
    code = """
import sys
import arbitree.counts.histograms, arbitree.counts.pairs, arbitree.counts.levels
from arbitree.counts.cells import count_cells
count_cells([0, 1], 2, decisions=[0, 1], weights=[1.0, 2.0])
print("numba" in sys.modules)
"""
    assert run_python(code) == "False"
