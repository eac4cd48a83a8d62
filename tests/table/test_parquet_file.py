"""Parquet files and folders of them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import arbitree as ar
from arbitree._errors import ColumnError, InputError, MissingDependencyError
from arbitree.table.parquet_file import ParquetFiles
from arbitree.table.raw_file import sha256_of

FRAME = {"sex": ["f", "m", None, "f"], "age": [31, None, 7, 40], "score": [0.5, 0.25, None, 1.0]}


def rows(source: ParquetFiles) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for batch in source.batches(source.columns):
        out.extend(batch.to_arrow().to_pylist())
    return out


def written(path: Path, frame: dict[str, Any] | pa.Table = FRAME, **options: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(frame if isinstance(frame, pa.Table) else pa.table(frame), path, **options)
    return path


@pytest.mark.parametrize("options", [{}, {"row_group_size": 1}, {"use_dictionary": False}])
def test_a_file_is_read_as_it_is(tmp_path, options):
    path = written(tmp_path / "loans.parquet", **options)
    source = ParquetFiles(path)
    assert source.columns == ("sex", "age", "score")
    assert source.n_rows == 4
    assert rows(source) == pa.table(FRAME).to_pylist()
    assert rows(source) == rows(source)
    assert source.describe() == {
        "name": "loans.parquet",
        "size": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def test_files_of_pandas_and_polars(tmp_path):
    pd.DataFrame(FRAME).to_parquet(tmp_path / "pandas.parquet")
    pl.DataFrame(FRAME).write_parquet(tmp_path / "polars.parquet")
    expected = [row["sex"] for row in pa.table(FRAME).to_pylist()]
    for name in ("pandas", "polars"):
        found = rows(ParquetFiles(tmp_path / f"{name}.parquet"))
        assert [row["sex"] for row in found] == expected


def test_names_with_dots_are_names(tmp_path):
    path = written(tmp_path / "x.parquet", {"a.b": [1], "a": [{"b": 2}], "sex (self)": ["f"]})
    (batch,) = ParquetFiles(path).batches(["a.b", "sex (self)"])
    assert batch.rows() == [(1, "f")]


def test_a_folder_is_its_files_in_the_order_of_their_paths(tmp_path):
    folder = tmp_path / "loans"
    for i, name in enumerate(["b.parquet", "a/2.parquet", "a/10.pq", "c/d/e.parquet"]):
        written(folder / name, {"x": [i], "sex": [name]})
    (folder / "_SUCCESS").write_text("")
    (folder / "notes.txt").write_text("not Parquet")
    written(folder / "_temporary" / "z.parquet", {"other": [1]})
    written(folder / ".hidden.parquet", {"other": [1]})
    source = ParquetFiles(folder)
    assert [row["sex"] for row in rows(source)] == [
        "a/10.pq",
        "a/2.parquet",
        "b.parquet",
        "c/d/e.parquet",
    ]
    assert source.n_rows == 4
    about = source.describe()
    assert about["name"] == "loans"
    assert about["n_files"] == 4
    assert about["size"] == sum(file.stat().st_size for file in source.files)


def test_the_hash_of_a_folder_is_that_of_sha256sum(tmp_path):
    folder = tmp_path / "loans"
    names = ["a.parquet", "b/c.parquet"]
    for name in names:
        written(folder / name)
    lines = "".join(f"{sha256_of(folder / name)}  {name}\n" for name in names)
    assert ParquetFiles(folder).describe()["sha256"] == hashlib.sha256(lines.encode()).hexdigest()


def test_folders_named_for_a_value_give_a_column(tmp_path):
    folder = tmp_path / "loans"
    for year in (2023, 2024):
        for region in ("north", "south"):
            path = folder / f"year={year}" / f"region={region}" / "part-0.parquet"
            written(path, {"approved": [f"{year}{region}"]})
    source = ParquetFiles(folder)
    assert source.columns == ("approved", "year", "region")
    found = rows(source)
    assert [f"{row['year']}{row['region']}" for row in found] == [row["approved"] for row in found]
    assert len(found) == 4


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"sex": ["f"]}, r"b\.parquet has no column 'age' as a\.parquet has"),
        ({"sex": ["f"], "age": [1], "x": [1]}, "has 'x'"),
        ({"sex": ["f"], "age": ["1"]}, "has 'age' as string and not int64"),
    ],
)
def test_files_that_differ_are_an_error_in_words(tmp_path, other, words):
    folder = tmp_path / "loans"
    written(folder / "a.parquet", {"sex": ["f"], "age": [1]})
    written(folder / "b.parquet", other)
    with pytest.raises(InputError, match=words):
        ParquetFiles(folder)


def test_columns_in_another_order_are_the_same_columns(tmp_path):
    folder = tmp_path / "loans"
    written(folder / "a.parquet", {"sex": ["f"], "age": [1]})
    written(folder / "b.parquet", {"age": [2], "sex": ["m"]})
    assert rows(ParquetFiles(folder)) == [{"sex": "f", "age": 1}, {"sex": "m", "age": 2}]


def test_folders_and_files_that_cannot_be_read_are_errors(tmp_path):
    with pytest.raises(InputError, match="no Parquet files"):
        ParquetFiles(tmp_path)
    with pytest.raises(InputError, match="no file"):
        ParquetFiles(tmp_path / "x.parquet")
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1" + b"x" * 100 + b"PAR1")
    with pytest.raises(InputError, match=r"broken\.parquet cannot be read as Parquet"):
        ParquetFiles(path)
    content = written(tmp_path / "cut.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(content[:-20])
    with pytest.raises(InputError, match="damaged"):
        ParquetFiles(tmp_path / "cut.parquet")


def test_a_file_without_rows_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no rows"):
        ParquetFiles(written(tmp_path / "x.parquet", {"a": pa.array([], pa.int64())}))


def test_two_columns_of_one_name_are_an_error(tmp_path):
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(ColumnError, match="two columns named 'a'"):
        ParquetFiles(written(tmp_path / "x.parquet", table))


def test_a_wrong_column_name_suggests_the_nearest(tmp_path):
    source = ParquetFiles(written(tmp_path / "x.parquet"))
    with pytest.raises(ColumnError, match=r"no column 'Sex'. Did you mean 'sex'\?"):
        next(source.batches(["Sex"]))


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    path = written(tmp_path / "x.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "arbitree\[files\]"'):
        ParquetFiles(path)


def test_csv_needs_neither_pyarrow_nor_duckdb(tmp_path):
    (tmp_path / "x.csv").write_text("sex,ok\nf,1\nm,0\n")
    program = (
        "import sys; sys.modules['duckdb'] = sys.modules['pyarrow'] = None\n"
        "from arbitree.table.reader import read\n"
        f"table = read({str(tmp_path / 'x.csv')!r}, decision='ok', sensitive='sex')\n"
        "print(table.decisions.codes.tolist())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[1, 0]", done.stderr


def _write_parts(folder, parts):
    for part in parts:
        (folder / part).mkdir(parents=True)
        pq.write_table(pa.table({"hired": [0, 1]}), folder / part / "a.parquet")


def test_values_in_names_of_folders_stay_texts(tmp_path):
    _write_parts(tmp_path / "t", ["zip=01234", "zip=1234"])
    table = ar.read(tmp_path / "t", sensitive="zip", decision="hired")
    assert table.sensitive[0].coding.levels == ("01234", "1234")


def test_a_column_named_by_folders_and_files_is_refused(tmp_path):
    _write_parts(tmp_path / "t", ["hired=1"])
    with pytest.raises(ar.ColumnError, match="hired"):
        ar.read(tmp_path / "t", sensitive="hired")


@pytest.mark.parametrize("first", ["empty", "full"])
@pytest.mark.parametrize("column", ["note", "pay"])
def test_a_file_without_a_value_in_a_column_is_one_of_missing_values(tmp_path, first, column):
    full = {"sex": ["f", "m"], "note": ["n", "o"], "pay": [1.5, 2.5]}
    empty = full | {column: pa.nulls(2)}
    files = [empty, full] if first == "empty" else [full, empty]
    for k, file in enumerate(files):
        pq.write_table(pa.table(file), tmp_path / f"{k}.parquet")
    assert ar.read(tmp_path, sensitive="sex").n_rows == 4
    (feature,) = ar.read(tmp_path, features=[column]).features
    missing = feature.codes == feature.coding.n_values
    assert missing.tolist() == [first == "empty"] * 2 + [first == "full"] * 2
