"""Conditions on rows: what they select, and what they may not do."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree._errors import ColumnError, InputError, MissingDependencyError
from arbitree.table import csv_file
from arbitree.table.csv_file import CsvFile
from arbitree.table.parquet_file import ParquetFiles
from arbitree.table.text import NumberStyle
from arbitree.table.where import Selected

CONTENT = """id,age,sex,score,joined,ok,zip,"net income",note
0,31,f,0.5,2024-01-31,true,01234,"1,5",NA
1,7,m,,2024-02-01,false,10115,"2",
2,,f,1e1,,true,01234,,x
3,40,,0.25,2023-12-31,,10115,"-3,25",it's
"""


@pytest.fixture
def loans(tmp_path: Path) -> CsvFile:
    path = tmp_path / "loans.csv"
    path.write_text(CONTENT)
    return CsvFile(path)


def selected(source: Any, where: str, **options: Any) -> list[int]:
    style = options.pop("style", NumberStyle())
    rows = Selected(source, where, style=style, missing=options.pop("missing", {""}))
    assert rows.n_rows is None
    return [int(value) for batch in rows.batches(["id"]) for value in batch["id"].to_list()]


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ("age >= 18", [0, 3]),
        ("age between -30 and 30 and sex != 'f'", [1]),
        ("AGE = 7", [1]),
        ("age is null", [2]),
        ("sex <> 'f'", [1]),
        ("sex is null or sex = 'm'", [1, 3]),
        ("not (sex = 'f')", [1]),
        ("sex in ('f', 'm')", [0, 1, 2]),
        ("score > 0.3", [0, 2]),
        ("joined >= '2024-01-01'", [0, 1]),
        ("joined = date '2023-12-31'", [3]),
        ("ok", [0, 2]),
        ("not ok", [1]),
        ("zip = '01234'", [0, 2]),
        ("zip like '101%'", [1, 3]),
        ('"net income" is not null', [0, 1, 3]),
        ("note = 'NA'", [0]),
        ("note = 'it''s'", [3]),
        ("age::double / 2 > 15.2 and upper(sex) = 'F'", [0]),
        ("case when sex = 'f' then score > 1 else true end", [1, 2, 3]),
        ("age >= 18 -- adults", [0, 3]),
        ("true", [0, 1, 2, 3]),
        ("1 = 0", []),
        ("id % 2 = 1", [1, 3]),
        ("coalesce(age, 99) > 30", [0, 2, 3]),
    ],
)
def test_a_condition_selects_the_rows_for_which_it_is_true(loans, where, ids):
    assert selected(loans, where) == ids


def test_texts_that_mean_missing_are_null(loans):
    assert selected(loans, "note is null", missing={"", "NA"}) == [0, 1]


def test_decimal_commas_are_numbers_if_the_file_is_so(loans):
    style = NumberStyle(decimal=",")
    assert selected(loans, '"net income" > 1', style=style) == [0, 1]
    style = NumberStyle(guess_comma=True)
    assert selected(loans, '"net income" < 1.9', style=style) == [0, 3]


def test_a_column_is_what_all_its_texts_are_however_far_down_one_is(tmp_path, monkeypatch):
    # pandas 35200: a type by chunk
    monkeypatch.setattr(csv_file, "_MOST_ROWS", 100)
    path = tmp_path / "x.csv"
    path.write_text("id,x\n" + "".join(f"{i},{i % 10}\n" for i in range(5_000)) + "5000,None\n")
    source = CsvFile(path)
    assert selected(source, "x = 'None'") == [5000]
    assert len(selected(source, "x = '7'")) == 500
    assert len(selected(source, "x > '7'")) == 1001


def test_parquet_has_types_and_missing_values_of_its_own(tmp_path):
    columns = {
        "id": [0, 1, 2, 3],
        "x": [0.5, float("nan"), None, 2.0],
        "sex": ["f", "", None, "m"],
        "day": pa.array([0, 1, None, 3], pa.date32()),
    }
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    source = ParquetFiles(tmp_path / "x.parquet")
    assert selected(source, "x > 0.1") == [0, 3]
    assert selected(source, "x is null") == [1, 2]
    assert selected(source, "sex is null") == [1, 2]
    assert selected(source, "day >= date '1970-01-02'") == [1, 3]


def test_two_columns_that_differ_by_case_cannot_be_told_apart(tmp_path):
    (tmp_path / "x.csv").write_text("id,Age,age\n0,1,2\n")
    source = CsvFile(tmp_path / "x.csv")
    assert selected(source, "id = 0") == [0]
    with pytest.raises(InputError, match="'Age' and 'age' apart"):
        selected(source, "age = 1")


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("age +", r"not a condition in SQL.*syntax error.*'id', 'age'"),
        (" ", r"where is empty"),
        ("age >= 18)", r"not a condition in SQL"),
        ("age >= 18; drop table batch", r"not a condition in SQL"),
        ("age >= 18) limit 1 --", r"not a condition in SQL"),
        ("age = 1) union select (2 = 2", r"not a condition in SQL|more than a condition"),
        ("age = 1) or (age = 1) order by (age", r"not a condition|more than a condition"),
        ("age = 1) group by (age", "more than a condition"),
        ("age + 1", r"BIGINT and not true or false"),
        ("sex", r"VARCHAR and not true or false"),
        ("sex = 3 and foo(age) > 1", r"foo does not exist.*'sex' \(text\), 'age' \(integer\)"),
        ("age = 'x'", r"cannot be evaluated.*'age' \(integer\)"),
        ("age in (select 1)", "a query within it"),
        ("exists(from read_csv('/etc/passwd'))", "a query within it"),
        ("(select count(*) from 'loans.csv') > 0", "a query within it"),
        ("count(*) > 1", "needs other rows"),
        ("sum(age) > 1", "needs other rows"),
        ("row_number() over () = 1", "a window function"),
        ("random() < 0.5", "another result each time"),
        ("uuid() = 'x'", "another result each time"),
        ("age = ?", "a parameter"),
        ("age = $1", "a parameter"),
        ("*", "a star"),
        ("columns(*) > 1", "a star"),
        ("list_filter([1], x -> x > 0) = [1]", "a lambda"),
        ("getenv('HOME') = 'x'", "does not exist"),
    ],
)
def test_what_is_no_condition_on_a_row_is_refused(loans, where, words):
    with pytest.raises(InputError, match=words):
        selected(loans, where)


def test_a_wrong_column_suggests_the_nearest_and_the_right_quotes(loans):
    with pytest.raises(ColumnError, match=r"no column 'agee'.*Did you mean 'age'\?"):
        selected(loans, "agee > 1")
    with pytest.raises(ColumnError, match=r"no column 'Female'.*single quotes"):
        selected(loans, 'sex = "Female"')


@pytest.mark.parametrize(
    "statement",
    [
        "select * from read_csv('{path}')",
        "select * from read_text('{path}')",
        "select * from '{path}'",
        "copy (select 1) to '{new}'",
        "attach '{new}'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
    ],
)
def test_the_connection_can_neither_read_nor_write_files(loans, tmp_path, statement):
    # the second lock: no condition gets as far as this
    import duckdb

    rows = Selected(loans, "true", style=NumberStyle(), missing={""})
    sql = statement.format(path=tmp_path / "loans.csv", new=tmp_path / "new.csv")
    with pytest.raises(duckdb.Error):
        rows._connection.sql(sql).fetchall()
    assert os.listdir(tmp_path) == ["loans.csv"]


def test_without_duckdb_the_extra_is_named(loans, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "arbitree\[files\]"'):
        selected(loans, "age > 1")


def test_the_report_names_the_condition(loans):
    rows = Selected(loans, "age > 1", style=NumberStyle(), missing={""})
    assert rows.describe() == {**loans.describe(), "where": "age > 1"}
    rows.close()


ages = st.lists(st.one_of(st.none(), st.integers(-99, 99)), min_size=1, max_size=30)


@settings(max_examples=40)
@given(ages, st.integers(-99, 99), st.sampled_from(["<", "<=", "=", "<>", ">=", ">"]))
def test_a_comparison_selects_what_python_selects(values, bound, sign):
    compare = {
        "<": int.__lt__,
        "<=": int.__le__,
        "=": int.__eq__,
        "<>": int.__ne__,
        ">=": int.__ge__,
        ">": int.__gt__,
    }[sign]
    table = pa.table({"id": range(len(values)), "x": pa.array(values, pa.int64())})
    texts = pa.table(
        {
            "id": [str(i) for i in range(len(values))],
            "x": ["" if value is None else str(value) for value in values],
        }
    )
    expected = [i for i, value in enumerate(values) if value is not None and compare(value, bound)]
    for source in (Memory(table, is_text=False), Memory(texts, is_text=True)):
        assert selected(source, f"x {sign} {bound}") == expected


class Memory:
    """An Arrow table as a source, three rows at a time."""

    name = "memory"
    notices = ()

    def __init__(self, table: pa.Table, *, is_text: bool) -> None:
        self.table, self.is_text = table, is_text
        self.columns, self.n_rows = tuple(table.column_names), len(table)

    def batches(self, columns: list[str]) -> Any:
        import narwhals as nw

        for batch in self.table.select(columns).to_batches(max_chunksize=3):
            yield nw.from_native(pa.Table.from_batches([batch]), eager_only=True)

    def describe(self) -> dict[str, Any]:
        return {"name": self.name}

    def close(self) -> None:
        """Nothing is open."""


def test_a_column_blank_in_every_row_is_one_of_texts(tmp_path):
    path = tmp_path / "blank.csv"
    path.write_text("sex,note\nf,\nm,\n")
    table = ar.read(path, sensitive="sex", where="note is null or note <> 'excluded'")
    assert table.n_rows == 2


@pytest.mark.parametrize("where", ["unnest([true, false])", "unnest([1, 2]) = 1"])
def test_a_condition_on_no_column_must_be_one_truth(tmp_path, where):
    path = tmp_path / "two.csv"
    path.write_text("sex\nf\nm\n")
    with pytest.raises(ar.InputError):
        ar.read(path, sensitive="sex", where=where)
