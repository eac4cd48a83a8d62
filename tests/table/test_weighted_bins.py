"""Numbers of weighted rows are cut as those of repeated rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.table.code import code_features
from arbitree.table.frames import columns

weighted_rows = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(-20, 20)), st.integers(1, 6)), min_size=1
)


def coded(values: object, *, max_bins: int, weights: np.ndarray | None = None):
    given = columns({"x": values}, what="X", default_name="x")
    return code_features(given, max_bins=max_bins, weights=weights)[0][0]


@given(weighted_rows, st.integers(2, 9), st.sampled_from([1.0, 0.1, 3.0, 1e-300, 1e300]))
def test_a_whole_weight_is_as_many_rows_whatever_its_unit(rows, max_bins, unit):
    values = pd.Series([value for value, _ in rows], dtype="Int64")
    n = np.array([n for _, n in rows])
    one = coded(values, max_bins=max_bins, weights=n.astype(float))
    repeated = coded(values.repeat(n).reset_index(drop=True), max_bins=max_bins)
    assert one.coding == repeated.coding
    np.testing.assert_array_equal(one.codes.repeat(n), repeated.codes)
    if (n == n[0]).all():
        same = coded(values, max_bins=max_bins, weights=n * unit)
        assert same.coding == one.coding


@pytest.mark.parametrize("kind", ["numbers", "dates"])
def test_a_whole_weight_is_as_many_rows_of_very_many_values(kind):
    rng = np.random.default_rng(0)
    values = pd.Series(rng.permutation(70_000))
    values = values if kind == "numbers" else pd.to_datetime(values, unit="s")
    n = rng.integers(1, 4, len(values))
    one = coded(values, max_bins=100, weights=n.astype(float))
    repeated = coded(values.repeat(n).reset_index(drop=True), max_bins=100)
    assert one.coding == repeated.coding
    np.testing.assert_array_equal(one.codes.repeat(n), repeated.codes)


def test_bins_hold_equal_shares_of_weights_that_are_no_counts():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=3_000), rng.exponential(size=3_000)
    column = coded(values, max_bins=10, weights=weights)
    shares = np.bincount(column.codes, weights)[:10] / weights.sum()
    np.testing.assert_allclose(shares, 0.1, atol=weights.max() / weights.sum())


def test_few_values_and_levels_are_not_cut():
    weights = np.array([1.0, 5.0, 0.5])
    assert coded([1.0, 2.0, 4.0], max_bins=3, weights=weights).coding.exact
    assert coded(["a", "b", "c"], max_bins=2, weights=weights).coding.levels == ("a", "b", "c")
    assert coded([None, None, None], max_bins=2, weights=weights).codes.tolist() == [1, 1, 1]
