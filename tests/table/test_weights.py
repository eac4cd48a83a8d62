"""Weights are finite numbers, not negative, not all zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from arbitree._errors import AlignmentError, InputError, MissingValueError
from arbitree.table.frames import column
from arbitree.table.weights import sample_weights
from tests.table.containers import every_container


def weigh(data: Any, n_rows: int | None = None) -> np.ndarray:
    found = column(data, what="sample_weight", default_name="weight")
    return sample_weights(found, len(found) if n_rows is None else n_rows)


@every_container
def test_weights_are_the_same_from_every_container(put):
    data = put([0.0, 2.5, 1.0])
    if isinstance(getattr(data, "dtype", None), pd.CategoricalDtype):
        pytest.skip("categories are not quantities")
    weights = weigh(data)
    assert weights.dtype == np.float64
    assert weights.tolist() == [0, 2.5, 1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([1, -1, -2], "2 negative values, the first at row 1"),
        ([1, 2, float("nan")], "1 missing value, the first at row 2"),
        ([None, 1, 2], "1 missing value, the first at row 0"),
        ([1, float("inf")], "1 infinite value, the first at row 1"),
        ([1, -float("inf")], "1 infinite value, the first at row 1"),
        ([1, "2"], "holds '2' at row 1, which is not a number"),
        (["1", "2"], "holds '1' at row 0, which is not a number"),
        ([True, False], "holds truth values, not numbers"),
        (pd.to_datetime(["2024-01-01"]), "holds dates, not numbers"),
        ([0, 0.0], "is zero in every row"),
    ],
)
def test_what_is_no_weight_is_refused_with_its_row(data, said):
    with pytest.raises(InputError, match=said):
        weigh(data)


def test_a_missing_weight_is_a_missing_value():
    with pytest.raises(MissingValueError, match="Give each row a weight"):
        weigh([1, None])


def test_there_is_one_weight_for_each_row():
    with pytest.raises(AlignmentError, match="has 2 rows and the data have 3 rows"):
        weigh([1, 2], n_rows=3)


def test_weights_are_a_copy_that_cannot_be_changed():
    data = np.array([1.0, 2.0])
    weights = weigh(data)
    assert not np.shares_memory(weights, data)
    assert not weights.flags.writeable
    assert data.flags.writeable


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weight", [1e308, 1e154])
def test_weights_that_no_sum_can_hold_are_refused(weight):
    with pytest.raises(InputError, match="Divide all weights by the same number"):
        weigh([weight] * 3)
