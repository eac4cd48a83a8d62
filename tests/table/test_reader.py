"""Files of decisions as coded tables."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree._errors import ColumnError, InputError, LabelError, MissingValueError
from arbitree.table import csv_file, parquet_file
from arbitree.table.code import code_features, code_groups
from arbitree.table.coded import CodedTable
from arbitree.table.frames import columns
from arbitree.table.reader import read


def cells(table: CodedTable, column: int = 0) -> dict[str, tuple[int, int]]:
    """By level: how many rows are not favourable, and how many are."""
    group = table.sensitive[column]
    assert table.decisions is not None
    decided = table.decisions.codes
    return {
        group.coding.label(code): tuple(
            int(np.count_nonzero((group.codes == code) & (decided == outcome)))
            for outcome in (0, 1)
        )
        for code in range(group.coding.n_values)
    }


# The published counts of real data


def test_adult_without_rows_that_miss_a_value(shared_data):
    table = read(
        shared_data / "adult.csv.gz",
        decision="income",
        favorable_label=">50K",
        sensitive=["sex"],
        missing_values=["?"],
        complete_rows=True,
    )
    assert table.n_rows == 45_222
    assert cells(table) == {"Female": (13_026, 1_669), "Male": (20_988, 9_539)}
    assert any("3,620 of 48,842 rows" in notice for notice in table.notices)
    assert table.source is not None
    assert table.source["n_rows"] == 48_842


def test_compas_with_the_condition_of_its_authors(shared_data):
    table = read(
        shared_data / "compas.csv.gz",
        decision="two_year_recid",
        favorable_label="0",
        sensitive="race",
        where="days_b_screening_arrest between -30 and 30 and is_recid != -1 "
        "and c_charge_degree != 'O' and score_text != 'N/A'",
    )
    assert table.n_rows == 6_172
    found = cells(table)
    assert found["African-American"] == (1_661, 1_514)
    assert found["Caucasian"] == (822, 1_281)
    assert "where selects 6,172 of 7,214 rows." in table.notices


def test_ricci(shared_data):
    table = read(shared_data / "ricci.csv", decision="Class", sensitive="Race")
    assert table.decisions is not None
    assert table.decisions.how == "favourable: Class = '1' (assumed)"
    found = cells(table)
    assert found["W"] == (27, 41)
    assert tuple(np.add(found["B"], found["H"])) == (35, 15)


def test_law_school(shared_data):
    table = read(
        shared_data / "law_school.csv.gz",
        decision="pass_bar",
        favorable_label="1",
        sensitive="race",
    )
    assert cells(table) == {"Non-White": (916, 2_391), "White": (1_377, 16_114)}


@pytest.mark.parametrize(
    "name", ["german.csv", "titanic.csv", "mushroom.csv.gz", "credit_default_taiwan.csv.gz"]
)
def test_files_and_frames_are_coded_alike(shared_data, name):
    frame = pd.read_csv(shared_data / name, keep_default_na=False, na_values=[""])
    table = read(shared_data / name, features="all", max_bins=32)
    expected, _ = code_features(columns(frame, what="X", default_name="x"), max_bins=32)
    by_name = {column.name: column for column in expected}
    assert len(table.features) == len(expected)
    for column in table.features:
        assert column.coding.to_dict() == by_name[column.name].coding.to_dict()
        np.testing.assert_array_equal(column.codes, by_name[column.name].codes)


# Small files

LOANS = """sex,age,race,approved,repaid,score,weight,zip
f,31,b,yes,1,0.9,1,01234
m,45,w,no,0,0.2,2,10115
f,70,b,no,1,0.5,1,01234
m,17,w,yes,1,0.75,0.5,10115
"""


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    return written(tmp_path, LOANS)


def written(folder: Path, content: str, name: str = "loans.csv") -> Path:
    path = folder / name
    path.write_text(content, newline="")
    return path


APPROVED: dict[str, Any] = {"decision": "approved", "favorable_label": "yes"}


def test_a_table_has_what_was_asked_for(loans):
    table = read(
        loans, **APPROVED, sensitive=["sex", "age"], control="race", label="repaid",
        score="score", weight="weight", bins={"age": [25, 65]}, features=["zip", "age"],
    )  # fmt: skip
    assert table.n_rows == 4
    assert [column.name for column in table.sensitive] == ["sex", "age"]
    assert table.column("age").coding.levels == ("< 25", "25-64", ">= 65")
    assert table.control[0].coding.levels == ("b", "w")
    assert table.decisions is not None
    assert table.decisions.codes.tolist() == [1, 0, 0, 1]
    assert table.decisions.how == "favourable: approved = 'yes'"
    assert table.labels is not None
    assert table.labels.codes.tolist() == [1, 0, 1, 1]
    assert table.scores is not None
    assert table.scores.tolist() == [0.9, 0.2, 0.5, 0.75]
    assert table.weights is not None
    assert table.weights.tolist() == [1, 2, 1, 0.5]
    assert [column.coding.kind for column in table.features] == ["category", "integer"]
    assert table.source is not None
    assert table.source["name"] == "loans.csv"
    assert len(table.source["sha256"]) == 64


def test_leading_zeros_keep_a_column_text(loans):
    # q 80: 'leading zeros lost'
    table = read(loans, features=["zip"], sensitive="zip", **APPROVED)
    assert table.features[0].coding.levels == ("01234", "10115")
    assert table.sensitive[0].coding.levels == ("01234", "10115")
    assert any("'zip'" in notice and "Leading zeros" in notice for notice in table.notices)


def test_numbers_with_the_name_of_a_code_are_noticed(tmp_path):
    rows = "".join(f"{10115 + i},{i % 2},{i}\n" for i in range(1_000))
    path = written(tmp_path, "zip_code,ok,customer_id\n" + rows)
    table = read(path, decision="ok", features="all")
    assert [column.name for column in table.features] == ["zip_code"]
    assert any("'zip_code' is read as numbers" in notice for notice in table.notices)
    assert any("'customer_id' is left out" in notice for notice in table.notices)


@pytest.mark.parametrize("n_rows", [200, 70_000])
def test_texts_that_tell_rows_apart_are_left_out_of_all_features(tmp_path, n_rows):
    rows = "".join(f"name {i},{i % 2},{i % 7}\n" for i in range(n_rows))
    path = written(tmp_path, "name,ok,x\n" + rows)
    table = read(path, decision="ok", features="all")
    assert [column.name for column in table.features] == ["x"]
    assert any("'name' is left out" in notice for notice in table.notices)


def test_more_texts_than_codes_are_an_error_where_asked_for(tmp_path):
    path = written(tmp_path, "name,ok\n" + "".join(f"n{i},1\n" for i in range(66_000)))
    for asked in ({"features": ["name"]}, {"sensitive": "name"}):
        with pytest.raises(InputError, match="65,535"):
            read(path, decision="ok", **asked)
    with pytest.raises(LabelError, match="score_threshold"):
        read(path, decision="name")


def test_the_ages_of_a_group_need_ranges(tmp_path):
    path = written(tmp_path, "age,ok\n" + "".join(f"{18 + i},{i % 2}\n" for i in range(60)))
    with pytest.raises(InputError, match=r"bins=\{'age': \[25, 40, 65\]\}"):
        read(path, decision="ok", sensitive="age")
    table = read(path, decision="ok", sensitive="age", bins={"age": [25, 40, 65]})
    assert table.sensitive[0].coding.levels == ("< 25", "25-39", "40-64", ">= 65")
    with pytest.raises(ColumnError, match=r"bins names 'agee'.*Did you mean 'age'"):
        read(path, decision="ok", sensitive="age", bins={"agee": [25]})


def test_a_score_with_a_threshold_is_a_decision(loans):
    table = read(loans, sensitive="sex", score="score", score_threshold=0.5)
    assert table.decisions is not None
    assert table.decisions.codes.tolist() == [1, 0, 1, 1]
    assert table.scores is not None
    lower = read(loans, decision="score", score_threshold=0.5, lower_score_favorable=True)
    assert lower.decisions is not None
    assert lower.decisions.codes.tolist() == [0, 1, 1, 0]
    with pytest.raises(InputError, match="needs a column of scores"):
        read(loans, sensitive="sex", score_threshold=0.5)


def test_a_threshold_is_compared_with_what_is_written(tmp_path):
    rows = "".join(f"{i / 1000!r},1\n" for i in range(1001))
    path = written(tmp_path, "score,x\n" + rows)
    for threshold in (0.7, 0.1, 0.3, 0.999):
        table = read(path, score="score", score_threshold=threshold)
        assert table.decisions is not None
        assert table.decisions.codes.sum() == 1001 - round(threshold * 1000)


def test_labels_without_a_self_evident_value_are_listed(loans):
    with pytest.raises(LabelError, match=r"'no'.*'yes'"):
        read(loans, decision="approved", sensitive="sex")
    with pytest.raises(LabelError, match="favorable_label"):
        read(loans, decision="approved", favorable_label="yess", sensitive="sex")


def test_labels_may_be_coded_as_decisions_are_or_have_a_value_of_their_own(tmp_path):
    path = written(tmp_path, "ok,paid,good\nyes,yes,A\nno,yes,B\n")
    table = read(path, decision="ok", favorable_label="yes", label="paid")
    assert table.labels is not None
    assert table.labels.codes.tolist() == [1, 1]
    table = read(path, decision="ok", favorable_label="yes", label="good", label_favorable="A")
    assert table.labels is not None
    assert table.labels.codes.tolist() == [1, 0]
    with pytest.raises(LabelError, match="label_favorable"):
        read(path, decision="ok", favorable_label="yes", label="good")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"sensitive": "sexx"}, r"no column 'sexx'. Did you mean 'sex'\?"),
        ({"decision": "aproved"}, r"Did you mean 'approved'\?"),
        ({"features": ["agee"]}, r"Did you mean 'age'\?"),
        ({"sensitive": ["sex", "sex"]}, "named 2 times as sensitive"),
    ],
)
def test_columns_that_are_not_there_are_errors(loans, asked, words):
    with pytest.raises(ColumnError, match=words):
        read(loans, **{**APPROVED, **asked})


def test_roles_that_contradict_are_errors(loans):
    with pytest.raises(InputError, match="decision column 'sex' is a sensitive column too"):
        read(loans, decision="sex", sensitive="sex")
    with pytest.raises(InputError, match="No column"):
        read(loans)
    with pytest.raises(InputError, match="policy"):
        read(loans, **APPROVED, missing="ignore")


MISSING = "sex,ok,score,note\nf,1,0.5,\n,0,0.25,x\nNA,,,y\nm,1,1,z\n"


def test_missing_groups_have_a_code_of_their_own_and_na_is_a_level(tmp_path):
    path = written(tmp_path, MISSING)
    group = read(path, sensitive="sex", decision="ok", missing="group").sensitive[0]
    assert group.coding.levels == ("NA", "f", "m")
    assert group.codes.tolist() == [1, 3, 0, 2]
    named = read(path, sensitive="sex", missing_values="NA").sensitive[0]
    assert named.coding.levels == ("f", "m")
    assert named.codes.tolist() == [0, 2, 2, 1]


def test_missing_outcomes_follow_the_policy(tmp_path):
    path = written(tmp_path, MISSING)
    with pytest.raises(MissingValueError, match="row 2"):
        read(path, sensitive="sex", decision="ok")
    for policy in ("drop", "group"):
        table = read(path, sensitive="sex", decision="ok", score="score", missing=policy)
        assert table.n_rows == 4
        assert table.decisions is not None
        assert table.decisions.codes.tolist() == [1, 0, 2, 1]
        assert table.scores is not None
        np.testing.assert_array_equal(table.scores, [0.5, 0.25, np.nan, 1])
    with pytest.raises(MissingValueError, match="row 2"):
        read(path, sensitive="sex", weight="score")


def test_complete_rows_have_a_value_in_every_column_of_the_file(tmp_path):
    path = written(tmp_path, MISSING)
    table = read(path, sensitive="sex", decision="ok", complete_rows=True)
    assert table.n_rows == 1
    assert table.notices[0].startswith("3 of 4 rows have a missing value")
    with pytest.raises(InputError, match="no complete row"):
        read(path, sensitive="sex", missing_values=["m", "z"], complete_rows=True)


def test_a_condition_that_selects_nothing_is_an_error(loans):
    with pytest.raises(InputError, match="selects none of the 4 rows"):
        read(loans, **APPROVED, where="age > 100")


def test_conditions_and_complete_rows_together(tmp_path):
    path = written(tmp_path, MISSING)
    table = read(path, sensitive="sex", decision="ok", where="score >= 0.25", complete_rows=True)
    assert table.n_rows == 1
    assert table.notices == (
        "where selects 3 of 4 rows.",
        "2 of 3 rows have a missing value in some column and are left out.",
    )


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("0.5\n1.234,56\n0.25", r"'1.234,56' at row 1.*decimal=',' and thousands='\.'"),
        ("0.5\nunknown\n0.25", r"'unknown' at row 1.*missing_values=\['unknown'\]"),
        ("0.5\n\ninf", r"'inf' at row 2"),
    ],
)
def test_a_score_that_is_no_number_is_an_error_with_its_row(tmp_path, column, words):
    rows = "".join(f"{score!r},f\n".replace("'", '"') for score in column.split("\n"))
    path = written(tmp_path, "score,sex\n" + rows)
    with pytest.raises(InputError, match=words):
        read(path, score="score", score_threshold=0.5, sensitive="sex")


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("income;ok\n1,5;1\n2;0\n-3,25;1\n", {}),
        ('income,ok\n"1,5",1\n2,0\n"-3,25",1\n', {"decimal": ","}),
        ("income|ok\n1,5|1\n2|0\n-3,25|1\n", {"decimal": ",", "thousands": "."}),
    ],
)
def test_decimal_commas(tmp_path, content, options):
    table = read(written(tmp_path, content), decision="ok", features=["income"], **options)
    assert table.features[0].coding.values.tolist() == [-3.25, 1.5, 2]
    told = any("comma" in notice and "'income'" in notice for notice in table.notices)
    assert told == (options == {})


def test_decimal_commas_that_are_not_read_so_are_noticed(tmp_path):
    # polars 23157: '27,03' 'never silently treated as a category with 10k levels'
    rows = "".join(f'"{i},5",{i % 2}\n' for i in range(100))
    table = read(written(tmp_path, "income,ok\n" + rows), decision="ok", features=["income"])
    assert table.features[0].coding.kind == "category"
    (notice,) = table.notices
    assert "100% of the values of 'income' look like numbers" in notice
    assert "row 0: '0,5'. Pass decimal=','." in notice


def test_a_late_text_makes_the_whole_column_text(tmp_path):
    # pandas 35200: 1.1 million rows gave levels 0 to 9 and '0' to '9'
    n_rows = 1_100_000
    text = "".join(f"{i},{i % 2}\n" for i in range(10))
    path = written(tmp_path, "x,ok\n" + text * (n_rows // 10) + "None,1\n")
    table = read(path, decision="ok", sensitive="x", features=["x"])
    for column in (table.sensitive[0], table.features[0]):
        assert column.coding.levels == (*map(str, range(10)), "None")
        counts = np.bincount(column.codes)
        assert counts.tolist() == [n_rows // 10] * 10 + [1]
    assert any("row 1,100,000: 'None'" in notice for notice in table.notices)


def test_line_ends_within_values_change_nothing(tmp_path):
    content = 'note,sex,ok\n"a\nb",f,1\n"c\n\nd",m,0\n'
    unix = read(written(tmp_path, content, "unix.csv"), decision="ok", sensitive="sex")
    windows = read(
        written(tmp_path, content.replace("\n", "\r\n"), "windows.csv"),
        decision="ok",
        sensitive="sex",
    )
    assert cells(unix) == cells(windows) == {"f": (0, 1), "m": (1, 0)}


def test_names_of_columns_are_free(tmp_path):
    # AIF360 531: fails unless there is a column called 'age'
    path = written(tmp_path, "0,y_pred,n,group\n1,a,x,u\n0,b,y,v\n")
    table = read(path, decision="0", sensitive=["y_pred", "n", "group"])
    assert [column.name for column in table.sensitive] == ["y_pred", "n", "group"]


def test_decisions_without_labels_give_no_labels(loans):
    # aequitas 115: 'users fake labels'
    assert read(loans, **APPROVED, sensitive="sex").labels is None


def test_standard_input(monkeypatch):
    class Pipe:
        buffer = io.BytesIO(gzip.compress(LOANS.encode()))

    monkeypatch.setattr(sys, "stdin", Pipe)
    table = read("-", **APPROVED, sensitive="sex", where="age > 18", features=["score"])
    assert table.n_rows == 3
    assert table.source is not None
    assert table.source["name"] == "standard input"
    assert table.source["where"] == "age > 18"


def test_progress_is_told_with_the_rows_of_the_file(loans, monkeypatch):
    monkeypatch.setattr(csv_file, "_MOST_ROWS", 3)
    calls: list[tuple[int, int | None]] = []
    read(loans, **APPROVED, where="age > 18", progress=lambda *call: calls.append(call))
    assert calls == [(3, 4), (4, 4)]


# Parquet


def parquet(folder: Path, table: Any, name: str = "loans.parquet", **options: Any) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), path, **options)
    return path


def test_parquet_keeps_its_types(tmp_path):
    path = parquet(
        tmp_path,
        {
            "sex": ["f", "m", None, ""],
            "ok": [True, False, True, False],
            "paid": [1, 0, 1, 1],
            "score": pa.array([0.1, 0.7, None, 0.3], pa.float32()),
            "age": [20, None, 40, 50],
        },
    )
    table = read(
        path, sensitive="sex", decision="ok", label="paid", score="score", features=["age"]
    )
    assert table.sensitive[0].codes.tolist() == [0, 1, 2, 2]
    assert table.decisions is not None
    assert table.decisions.codes.tolist() == [1, 0, 1, 0]
    assert table.decisions.favorable == (True,)
    assert table.labels is not None
    assert table.labels.codes.tolist() == [1, 0, 1, 1]
    assert table.features[0].codes.tolist() == [0, 3, 1, 2]
    found = read(path, score="score", score_threshold=0.7, missing="group")
    assert found.decisions is not None
    assert found.decisions.codes.tolist() == [0, 1, 2, 0]


def test_a_folder_of_parquet_is_one_table(tmp_path):
    for year in (2023, 2024):
        parquet(tmp_path, {"sex": ["f", "m"], "ok": [1, 0]}, f"loans/year={year}/x.parquet")
    table = read(tmp_path / "loans", sensitive=["sex", "year"], decision="ok")
    assert table.n_rows == 4
    assert table.sensitive[1].coding.levels == (2023, 2024)
    assert table.source is not None
    assert table.source["n_files"] == 2


def test_ordered_categories_keep_their_order(tmp_path):
    bands = pd.Categorical(["high", "low", "mid"], ["low", "mid", "high"], ordered=True)
    pd.DataFrame({"band": bands, "ok": [1, 0, 1]}).to_parquet(tmp_path / "x.parquet")
    group = read(tmp_path / "x.parquet", sensitive="band", decision="ok").sensitive[0]
    assert group.coding.levels == ("low", "mid", "high")
    assert group.codes.tolist() == [2, 0, 1]


def test_scores_of_parquet_must_be_numbers(tmp_path):
    path = parquet(tmp_path, {"sex": ["f"], "day": pa.array([1], pa.date32()), "ok": [1]})
    with pytest.raises(InputError, match="score column 'day' holds Date"):
        read(path, score="day", score_threshold=1)


def test_options_of_csv_are_refused_for_parquet(tmp_path):
    path = parquet(tmp_path, {"sex": ["f"], "ok": [1]})
    for option in ("sep", "encoding", "decimal", "thousands"):
        with pytest.raises(InputError, match=f"{option} is for CSV files"):
            read(path, sensitive="sex", **{option: ","})


# Laws

levels = st.sampled_from(["f", "m", "01", "1", "10", "2", "NA", "", "a,b", "x\ny"])
numbers = st.one_of(st.none(), st.integers(-3, 99), st.floats(-9, 9))
tables = st.lists(st.tuples(levels, numbers, st.booleans()), min_size=1, max_size=20)


def as_csv(folder: Path, rows: list[tuple[str, float | None, bool]]) -> Path:
    frame = pd.DataFrame(
        {
            "group": [group for group, _, _ in rows],
            "x": ["" if x is None else repr(x) for _, x, _ in rows],
            "ok": ["yes" if ok else "no" for _, _, ok in rows],
        }
    )
    frame.to_csv(folder / "x.csv", index=False)
    return folder / "x.csv"


def as_parquet(folder: Path, rows: list[tuple[str, float | None, bool]]) -> Path:
    table = pa.table(
        {
            "group": [group for group, _, _ in rows],
            "x": pa.array([x for _, x, _ in rows], pa.float64()),
            "ok": ["yes" if ok else "no" for _, _, ok in rows],
        }
    )
    pq.write_table(table, folder / "x.parquet", row_group_size=3)
    return folder / "x.parquet"


def coded(path: Path, **options: Any) -> CodedTable:
    return read(
        path, sensitive="group", features=["x"], decision="ok",
        favorable_label="yes", score="x", **options,
    )  # fmt: skip


def assert_same(left: CodedTable, right: CodedTable) -> None:
    assert left.n_rows == right.n_rows
    for one, other in zip(
        (*left.features, *left.sensitive), (*right.features, *right.sensitive), strict=True
    ):
        assert one.coding.n_values == other.coding.n_values
        assert [one.coding.label(code) for code in range(one.coding.n_codes)] == [
            other.coding.label(code) for code in range(other.coding.n_codes)
        ]
        np.testing.assert_array_equal(one.codes, other.codes)
    assert left.decisions is not None
    assert right.decisions is not None
    np.testing.assert_array_equal(left.decisions.codes, right.decisions.codes)
    np.testing.assert_array_equal(left.scores, right.scores)


def mixed(rows: list[tuple[str, float | None, bool]]) -> bool:
    """Both decisions are there, and a number."""
    return len({ok for _, _, ok in rows}) == 2 and any(x is not None for _, x, _ in rows)


@settings(max_examples=40)
@given(tables.filter(mixed), st.integers(1, 5))
def test_codes_do_not_depend_on_how_rows_come_in_batches(tmp_path_factory, rows, size):
    folder = tmp_path_factory.mktemp("batches")
    path = as_csv(folder, rows)
    whole = coded(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_file, "_MOST_ROWS", size)
        assert_same(coded(path), whole)


@settings(max_examples=40)
@given(tables.filter(mixed))
def test_csv_and_parquet_give_the_same_table(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("kinds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_file, "_BATCH_ROWS", 2)
        assert_same(coded(as_csv(folder, rows)), coded(as_parquet(folder, rows)))


@settings(max_examples=25)
@given(tables.filter(mixed))
def test_conditions_select_the_same_rows_of_csv_and_parquet(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("where")
    where = "(x > 1 or x is null) and \"group\"::varchar <> 'f'"
    kept = [row for row in rows if (row[1] is None or row[1] > 1) and row[0] not in ("", "f")]
    if not mixed(kept):
        return
    found = coded(as_csv(folder, rows), where=where)
    assert found.n_rows == len(kept)
    assert_same(found, coded(as_parquet(folder, rows), where=where))
    assert_same(found, coded(as_csv(folder, kept)))


@settings(max_examples=25)
@given(tables.filter(mixed), st.randoms())
def test_the_order_of_rows_changes_no_coding(tmp_path_factory, rows, random):
    folder = tmp_path_factory.mktemp("order")
    order = list(range(len(rows)))
    random.shuffle(order)
    straight = coded(as_csv(folder, rows))
    shuffled = coded(as_csv(folder, [rows[i] for i in order]))
    for one, other in zip(
        (*straight.features, *straight.sensitive), (*shuffled.features, *shuffled.sensitive)
    ):
        assert one.coding.to_dict() == other.coding.to_dict()
        np.testing.assert_array_equal(one.codes[order], other.codes)


@settings(max_examples=25)
@given(tables.filter(mixed))
def test_complete_rows_are_those_that_pandas_keeps(tmp_path_factory, rows):
    path = as_csv(tmp_path_factory.mktemp("complete"), rows)
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""]).dropna()
    if not mixed([(g, float(x), ok == "yes") for g, x, ok in frame.to_numpy()]):
        return
    table = coded(path, complete_rows=True)
    (expected,), _ = code_groups(columns(frame[["group"]], what="A", default_name="a"))
    assert table.sensitive[0].coding.levels == expected.coding.levels
    np.testing.assert_array_equal(table.sensitive[0].codes, expected.codes)


@pytest.mark.parametrize(
    "wrong",
    [
        {"where": 3},
        {"sep": 3},
        {"encoding": 3},
        {"sensitive": 3},
        {"control": 3},
        {"features": 3},
        {"bins": 3},
        {"missing_values": 3},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_value_of_another_type_is_an_error_in_words(tmp_path, wrong):
    (tmp_path / "few.csv").write_text("sex,hired\nf,1\nm,0\n")
    (option,) = wrong
    options = {"sensitive": "sex", "decision": "hired"} | wrong
    with pytest.raises(InputError, match=f"{option} is 3"):
        read(tmp_path / "few.csv", **options)


@pytest.mark.parametrize("path", [None, 3, ["few.csv"]], ids=["nothing", "a number", "a list"])
def test_a_path_that_is_no_text_is_an_error_in_words(path):
    with pytest.raises(InputError, match="Pass the name of a file"):
        read(path)


def test_no_control_may_be_said_by_none(tmp_path):
    (tmp_path / "few.csv").write_text("sex,hired\nf,1\nm,0\n")
    options = {"sensitive": "sex", "decision": "hired", "favorable_label": "1"}
    assert read(tmp_path / "few.csv", control=None, **options).control == ()
