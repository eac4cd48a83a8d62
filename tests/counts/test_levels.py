"""Counts by level and class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_array_equal

from arbitree._errors import InputError
from arbitree.counts.levels import level_counts
from tests.counts.tables import code_tables
from tests.oracles.counting import pairs_by_loops

pytestmark = pytest.mark.usefixtures("short_lanes")


@settings(max_examples=50)
@given(code_tables())
def test_agrees_with_the_definition_written_as_loops(table):
    sizes = {"n_levels": table["n_codes"], "n_classes": table["n_classes"]}
    columns = [*table["codes"], table["y"]]
    n_codes, last = [*table["n_codes"], table["n_classes"]], len(table["codes"])
    pairs = [(j, last) for j in range(last)]
    weights, rows = table["weights"], table["rows"]
    weighted = level_counts(table["codes"], table["y"], weights=weights, rows=rows, **sizes)
    expected = pairs_by_loops(columns, pairs, n_codes, weights, rows)
    for found, by_loops in zip(weighted, expected, strict=True):
        assert_array_equal(found, by_loops)
    plain = level_counts(table["codes"], table["y"], n_threads=3, **sizes)
    expected = pairs_by_loops(columns, pairs, n_codes, np.ones(table["n"]), range(table["n"]))
    for found, by_loops in zip(plain, expected, strict=True):
        assert found.dtype == np.int64
        assert_array_equal(found, by_loops)


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"n_levels": [2, 2]}, "There are 1 columns, but n_levels has 2"),
        ({"n_levels": [1]}, "column 0 has code 1 at row 1"),
        ({"y": [0, 4]}, "y has code 4 at row 1"),
    ],
)
def test_errors_say_where_and_what_to_do(change, advice):
    asked = {"codes": [[0, 1]], "y": [0, 1], "n_levels": [2], "n_classes": 2} | change
    with pytest.raises(InputError, match=advice):
        level_counts(**asked)
