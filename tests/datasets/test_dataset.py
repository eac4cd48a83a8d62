"""The invariant that every example data set states."""

from __future__ import annotations

import pandas as pd
import pytest

from arbitree._errors import ColumnError, InputError
from arbitree.datasets import Dataset, make_health_insurance, make_lending, make_tic_tac_toe

PARTS = {"name": "tiny", "about": "Two rows.", "frame": pd.DataFrame({"x": [1, 2], "y": [0, 1]})}


@pytest.mark.parametrize("make", [make_lending, make_health_insurance, make_tic_tac_toe])
def test_generated_sets_play_every_part_once(make):
    dataset = make()
    parts = [*dataset.features, *dataset.sensitive, *dataset.outcomes]
    assert sorted(parts) == sorted(dataset.frame.columns)
    for column in dataset.outcomes:
        assert dataset.favorable[column] in set(dataset.frame[column])


def test_a_column_that_is_not_there_is_an_error_with_the_nearest_name():
    with pytest.raises(ColumnError, match=r"no column 'X'\. Did you mean 'x'\?"):
        Dataset(**PARTS, features=("X",), favorable={})


def test_an_outcome_needs_its_favourable_value():
    with pytest.raises(InputError, match="no value for column 'y'"):
        Dataset(**PARTS, features=("x",), label="y", favorable={})


def test_the_repr_says_what_it_is_and_not_its_rows():
    dataset = Dataset(**PARTS, features=("x",), label="y", favorable={"y": 1})
    assert repr(dataset) == "<Dataset tiny: 2 rows; 1 feature; label y>"
