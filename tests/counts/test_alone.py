"""What one feature alone tells of classes, against loops and against features known to tell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.counts.alone import FEWEST_ROWS, balanced_accuracy_alone
from arbitree.table.code import code_features
from arbitree.table.frames import columns


def coded(values):
    """One feature, coded as estimators code it."""
    return code_features(columns({"x": values}, what="X", default_name="x"), max_bins=65_535)[0][0]


def best_cut_by_loops(values, classes):
    """Balanced accuracy of the best cut, with missing values on either side."""
    values = np.asarray(values, float)
    best = 0.5
    for cut in [-np.inf, *values[~np.isnan(values)]]:
        for missing_below in (False, True):
            below = (values <= cut) | (np.isnan(values) & missing_below)
            right = (below[classes == 1].mean() + (~below)[classes == 0].mean()) / 2
            best = max(best, right, 1 - right)
    return best


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from([0.0, 1.5, 2.0, 7.0, np.nan]), min_size=60, max_size=60),
    st.integers(0, 2**32 - 1),
)
def test_numbers_are_told_at_least_as_well_as_by_the_best_cut(values, seed):
    classes = np.random.default_rng(seed).permutation(np.arange(60) % 2)
    found = balanced_accuracy_alone(coded(values), classes, 2)
    assert found >= best_cut_by_loops(values, classes) - 1e-12
    assert found <= 1


@pytest.mark.parametrize(
    "values",
    [
        lambda y, rng: y * 2.0 + 1,
        lambda y, rng: np.where(y == 1, rng.normal(size=len(y)) ** 2 + 5, rng.normal(size=len(y))),
        lambda y, rng: np.where(y == 1, np.nan, rng.normal(size=len(y))),
        lambda y, rng: np.where(y == 1, rng.integers(0, 4, len(y)) * 2, 1).astype(str),
        lambda y, rng: np.where(y == 1, rng.choice([-9.0, 9.0], len(y)), rng.normal(size=len(y))),
    ],
    ids=["copy", "cut", "missing", "levels", "both ends"],
)
def test_a_feature_that_gives_the_class_tells_it(values):
    rng = np.random.default_rng(0)
    y = (rng.random(2000) < 0.2).astype(int)
    assert balanced_accuracy_alone(coded(values(y, rng)), y, 2) > 0.97


@pytest.mark.parametrize(
    "values",
    [
        lambda n, rng: rng.normal(size=n),  # a number of its own for each row
        lambda n, rng: np.arange(n).astype(str),  # a name of its own for each row
        lambda n, rng: rng.integers(0, 5, n),
    ],
    ids=["numbers", "names", "few values"],
)
def test_chance_tells_nothing(values):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 3000)
    assert balanced_accuracy_alone(coded(values(3000, rng)), y, 2) < 0.56


def test_each_of_many_classes_counts_the_same():
    y = np.repeat([0, 1, 2], [900, 60, 40])
    levels = np.where(y == 2, "c", "a")  # tells the last class and not the first two apart
    assert balanced_accuracy_alone(coded(levels), y, 3) == pytest.approx(2 / 3)


def test_classes_of_a_handful_of_rows_are_not_counted():
    y = np.repeat([0, 1], [500, FEWEST_ROWS - 1])
    assert np.isnan(balanced_accuracy_alone(coded(y.astype(str)), y, 2))


def test_rows_of_no_class_are_left_out():
    y = np.repeat([0, 1, 2], 200)
    values = np.where(y == 2, "b", np.where(y == 1, "b", "a"))
    assert balanced_accuracy_alone(coded(values), y, 2) == 1.0
