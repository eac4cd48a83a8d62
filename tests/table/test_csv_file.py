"""CSV files as they come: separators, encodings, quotes, line ends, and those that are broken."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import hashlib
import io
import lzma
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arbitree._errors import ColumnError, InputError
from arbitree.table import csv_text
from arbitree.table.csv_file import CsvFile
from tests.oracles.csv_rows import rows_of


def rows(source: Any) -> list[dict[str, str]]:
    """All rows of a source, whose values are texts."""
    out: list[dict[str, str]] = []
    for batch in source.batches(source.columns):
        out.extend(batch.iter_rows(named=True))
    return out


def written(folder: Path, content: str | bytes, name: str = "loans.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def opened(folder: Path, content: str | bytes, name: str = "loans.csv", **options: Any) -> CsvFile:
    return CsvFile(written(folder, content, name), **options)


SIMPLE = "age,sex\n31,f\n07,m\n"
SIMPLE_ROWS = [{"age": "31", "sex": "f"}, {"age": "07", "sex": "m"}]


@pytest.mark.parametrize(
    "content",
    [
        SIMPLE,
        SIMPLE.rstrip("\n"),
        SIMPLE.replace("\n", "\r\n"),
        SIMPLE.replace("\n", "\r"),
        SIMPLE.replace("\n", "\r\r\n"),
        "\ufeff" + SIMPLE,
        '"age","sex"\n"31","f"\n"07","m"\n',
        '\ufeff"age",sex\r\n31,"f"\r\n07,m',
        "\n\nage,sex\n\n31,f\n   \n\n07,m\n\n",
        "sep=,\nage,sex\n31,f\n07,m\n",
        "age,sex\n31,f\r\n07,m\n",
    ],
)
def test_the_same_rows_however_the_file_is_written(tmp_path, content):
    source = opened(tmp_path, content)
    assert source.columns == ("age", "sex")
    assert source.n_rows == 2
    assert rows(source) == SIMPLE_ROWS


@pytest.mark.parametrize(
    ("separator", "word"),
    [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")],
)
def test_a_separator_that_is_no_comma_is_found_in_the_header_and_said(tmp_path, separator, word):
    # observed of pandas: 'one semicolon file becomes one column'
    source = opened(tmp_path, SIMPLE.replace(",", separator))
    assert rows(source) == SIMPLE_ROWS
    assert source.notices == (f"loans.csv is separated by {word}, as its header shows.",)


def test_a_comma_or_a_separator_that_was_given_is_not_mentioned(tmp_path):
    assert opened(tmp_path, SIMPLE).notices == ()
    source = opened(tmp_path, SIMPLE.replace(",", ";"), sep=";")
    assert source.notices == ()
    assert rows(source) == SIMPLE_ROWS
    assert rows(opened(tmp_path, SIMPLE.replace(",", "\t"), sep="tab")) == SIMPLE_ROWS
    assert rows(opened(tmp_path, SIMPLE.replace(",", "^"), sep="^")) == SIMPLE_ROWS


def test_commas_in_quoted_names_do_not_make_the_separator(tmp_path):
    source = opened(tmp_path, '"income, net, monthly";sex\n"1,5";f\n')
    assert source.columns == ("income, net, monthly", "sex")


@pytest.mark.parametrize("other", [";", "\t"])
def test_a_header_of_one_name_that_holds_a_separator_is_an_error(tmp_path, other):
    with pytest.raises(InputError, match=r"single name.*pass sep="):
        opened(tmp_path, SIMPLE.replace(",", other), sep=",")


@pytest.mark.parametrize("separator", ["", ",,", '"', "\n", "é"])
def test_a_separator_is_one_character(tmp_path, separator):
    with pytest.raises(InputError, match="cannot separate"):
        opened(tmp_path, SIMPLE, sep=separator)


@pytest.mark.parametrize(
    ("encoding", "given"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-8-sig", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", None),
        ("utf-16", "utf-16"),
        ("utf-32", None),
        ("utf-16-le", "utf-16-le"),
        ("cp1252", "cp1252"),
        ("cp1252", "Windows-1252"),
        ("latin-1", "latin-1"),
        ("cp1252", "latin-1"),
    ],
)
def test_encodings_by_mark_or_by_name(tmp_path, encoding, given):
    content = 'Straße,Größe\n"Müller\nSohn",ü\n'
    source = opened(tmp_path, content.encode(encoding), encoding=given)
    assert source.columns == ("Straße", "Größe")
    assert rows(source) == [{"Straße": "Müller\nSohn", "Größe": "ü"}]


def test_a_byte_order_mark_is_not_part_of_the_first_name(tmp_path):
    # pandas 13497: 'read_csv includes the BOM of a utf8 file into the first column label'
    source = opened(tmp_path, codecs.BOM_UTF8 + b"sex,age\r\nf,31\r\n")
    assert source.columns[0] == "sex"
    with pytest.raises(ColumnError, match=r"no column 'sax'. Did you mean 'sex'\?"):
        next(source.batches(["sax"]))


def test_a_name_with_an_invisible_character_is_shown_with_it(tmp_path):
    source = opened(tmp_path, "\u200bsex,age\nf,31\n")
    with pytest.raises(ColumnError, match=r"Did you mean '\\u200bsex'\?"):
        next(source.batches(["sex"]))


def test_text_that_cannot_be_decoded_names_the_byte_and_encodings_to_try(tmp_path):
    # a Latin-1 file of other tools 'raises raw UnicodeDecodeError'
    content = b"name,age\n" + b"Meier,1\n" * 300_000 + "Müller,2\n".encode("cp1252")
    offset = content.index(b"\xfc")
    with pytest.raises(InputError, match=rf"offset {offset:,} is 0xfc.*cp1252.*latin-1"):
        opened(tmp_path, content)
    assert len(rows(opened(tmp_path, content, encoding="cp1252"))) == 300_001


def test_a_character_cut_off_at_the_end_is_an_error(tmp_path):
    with pytest.raises(InputError, match="offset 11"):
        opened(tmp_path, "age,sex\n31,ü".encode()[:-1])


def test_a_wrong_encoding_that_was_given_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"is not ascii text.*another encoding"):
        opened(tmp_path, "a,b\nü,1\n", encoding="ascii")
    with pytest.raises(InputError, match="encoding='utf-99' is not"):
        opened(tmp_path, SIMPLE, encoding="utf-99")
    with pytest.raises(InputError, match="encoding='hex' is not"):
        opened(tmp_path, SIMPLE, encoding="hex")


def test_nul_bytes_are_an_error_with_a_guess_at_the_encoding(tmp_path):
    with pytest.raises(InputError, match=r"NUL byte at offset 9.*damaged"):
        opened(tmp_path, b"a,b\n1,x\n2\0,y\n")
    with pytest.raises(InputError, match=r"NUL byte at offset 1,.*utf-16-le"):
        opened(tmp_path, SIMPLE.encode("utf-16-le"))


compress_zstd = pa.Codec("zstd")


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", lambda data: compress_zstd.compress(data, asbytes=True)),
        (".csv", gzip.compress),  # what a file is, its bytes say
    ],
)
def test_compressed_files_are_read_and_hashed_as_they_are(tmp_path, suffix, compress):
    content = compress(SIMPLE.encode())
    source = opened(tmp_path, content, f"loans.csv{suffix}")
    assert rows(source) == SIMPLE_ROWS
    assert rows(source) == SIMPLE_ROWS
    assert source.describe() == {
        "name": f"loans.csv{suffix}",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize("module", [gzip, bz2, lzma], ids=lambda module: module.__name__)
def test_a_compressed_file_that_was_cut_off_is_an_error(tmp_path, module):
    content = module.compress((SIMPLE * 10_000).encode())
    with pytest.raises(InputError, match="cut off"):
        opened(tmp_path, content[: len(content) // 2])


def test_a_damaged_compressed_file_is_an_error(tmp_path):
    content = bytearray(gzip.compress(SIMPLE.encode()))
    content[12] ^= 0xFF
    with pytest.raises(InputError, match="damaged"):
        opened(tmp_path, bytes(content))


class Pipe:
    """Standard input with these bytes."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


def test_standard_input_is_read_from_a_temporary_file_that_is_deleted(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Pipe(gzip.compress(SIMPLE.encode())))
    source = CsvFile("-")
    spooled = source.raw.path
    assert source.describe()["name"] == "standard input"
    assert spooled.stat().st_mode & 0o077 == 0
    assert rows(source) == SIMPLE_ROWS
    assert rows(source) == SIMPLE_ROWS
    source.close()
    assert not spooled.exists()


def test_an_unused_temporary_file_is_deleted_with_its_source(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Pipe(SIMPLE.encode()))
    source = CsvFile("-")
    spooled = source.raw.path
    del source
    assert not spooled.exists()


def test_a_pipe_is_read_as_standard_input_is(tmp_path):
    pipe = tmp_path / "loans.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(SIMPLE,))
    writer.start()
    source = CsvFile(pipe)
    writer.join()
    assert rows(source) == SIMPLE_ROWS
    assert rows(source) == SIMPLE_ROWS
    assert source.name == "loans.csv"
    source.close()


def test_empty_standard_input_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Pipe(b""))
    with pytest.raises(InputError, match="standard input is empty"):
        CsvFile("-")


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "  \n"])
def test_an_empty_file_is_an_error(tmp_path, content):
    with pytest.raises(InputError, match=r"loans\.csv is empty"):
        opened(tmp_path, content)


@pytest.mark.parametrize("content", ["age,sex", "age,sex\n", "age,sex\r\n\r\n", "\ufeffage,sex\n"])
def test_a_file_with_only_a_header_is_an_error(tmp_path, content):
    with pytest.raises(InputError, match="a header and no rows"):
        opened(tmp_path, content)


def test_a_missing_file_is_an_error_with_the_nearest_name(tmp_path):
    written(tmp_path, SIMPLE)
    with pytest.raises(InputError, match=r"no file .*lones.csv'. Did you mean 'loans.csv'\?"):
        CsvFile(tmp_path / "lones.csv")
    with pytest.raises(InputError, match="no folder"):
        CsvFile(tmp_path / "nowhere" / "loans.csv")


@pytest.mark.parametrize("head", [b"PK\x03\x04rest", b"\xd0\xcf\x11\xe0rest"])
def test_an_excel_file_is_an_error_that_says_so(tmp_path, head):
    with pytest.raises(InputError, match="Excel"):
        opened(tmp_path, head, "loans.xlsx")


def test_two_columns_of_one_name_are_an_error(tmp_path):
    with pytest.raises(ColumnError, match="2 columns named 'sex', columns 2 and 4"):
        opened(tmp_path, "age,sex,race,sex\n1,2,3,4\n")


def test_columns_without_a_name_are_named_by_their_place(tmp_path):
    source = opened(tmp_path, ",age,\n0,31,x\n")
    assert source.columns == ("Unnamed: 0", "age", "Unnamed: 2")


def test_a_first_row_of_numbers_is_noticed(tmp_path):
    (notice,) = opened(tmp_path, "31,1\n42,0\n").notices
    assert "taken as names" in notice


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n3\n", "Row 1 of loans.csv, which ends in line 3, has 1 value, and the header"),
        ("a,b\n1,2,3\n", "Row 0 of loans.csv, which ends in line 2, has 3 values"),
        ("a,b\n1,2,\n3,4,\n", "Row 0"),
        ("a,b\n\n1,2\n\n\n3,4,5\n", "Row 1 of loans.csv, which ends in line 6"),
        ('a,b\n"x\ny",2\n1,2\n3,4,5\n', "Row 2 of loans.csv, which ends in line 5"),
        ('a,b\n"x\n,,,"\n1,2\n', "Row 0 of loans.csv, which ends in line 3, has 1 value"),
        ('a,b\n5" x,2\n1,2,3\n', "Row 1 of loans.csv, which ends in line 3, has 3 values"),
        ("a;b\n1;2\n3;4;5\n", "Values with ';' in them"),
        ("a,b\r\n1,2\r\n3\r\n", "Row 1 of loans.csv, which ends in line 3"),
        ("a,b\n \n1,2\nx\n", "Row 1 of loans.csv, which ends in line 4"),
    ],
)
def test_a_row_of_another_width_is_an_error_with_its_row_and_line(tmp_path, content, words):
    with pytest.raises(InputError, match=words):
        opened(tmp_path, content)


def test_a_row_of_another_width_is_found_far_down(tmp_path):
    content = "a,b\n" + "1,2\n" * 700_000 + "1\n"
    with pytest.raises(InputError, match=r"Row 700,000 of loans.csv, which ends in line 700,002"):
        opened(tmp_path, content)


def test_a_quotation_mark_that_is_never_closed_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"in line 3 .* never closed"):
        opened(tmp_path, 'a,b\n1,2\n3,"x\n5,6\n')
    with pytest.raises(InputError, match=r"header of loans\.csv is never closed"):
        opened(tmp_path, 'a,"b\n1,2\n')
    with pytest.raises(InputError):
        opened(tmp_path, 'a,b\n5" x,2\n3,"x\n5,6\n').batches(["a"]).__next__()


def test_quotation_marks_within_unquoted_values_are_kept_and_noticed(tmp_path):
    source = opened(tmp_path, 'size,sex\n5" pipe,f\n6" ,"m"\n"7""",m\n')
    assert rows(source) == [
        {"size": '5" pipe', "sex": "f"},
        {"size": '6" ', "sex": "m"},
        {"size": '7"', "sex": "m"},
    ]
    assert "quotation marks" in source.notices[0]


def test_backslashed_quotation_marks_are_an_error(tmp_path):
    with pytest.raises(InputError, match=r"after a backslash in line 3"):
        opened(tmp_path, 'a,b\n1,2\n"say \\"hi\\"",2\n')
    assert rows(opened(tmp_path, 'a,b\n"C:\\dir\\",2\n')) == [{"a": "C:\\dir\\", "b": "2"}]


def test_row_numbers_count_rows_and_not_lines(tmp_path):
    # 'row count and report line numbers differ between platforms'
    content = 'note,sex\n"a\nb",f\n"c\n\nd",m\n,f\n'
    unix = opened(tmp_path, content, "unix.csv")
    windows = opened(tmp_path, content.replace("\n", "\r\n"), "windows.csv")
    assert unix.n_rows == windows.n_rows == 3
    normal = [{**row, "note": row["note"].replace("\r\n", "\n")} for row in rows(windows)]
    assert normal == rows(unix)


@pytest.mark.parametrize("word", ["NA", "N/A", "None", "nan", "NULL", "", "True", "1e5", "01234"])
def test_values_are_the_texts_that_are_written(tmp_path, word):
    source = opened(tmp_path, f"a,b\n{word},x\n1,y\n")
    assert [row["a"] for row in rows(source)] == [word, "1"]


def test_one_column_may_have_missing_values(tmp_path):
    assert [row["a"] for row in rows(opened(tmp_path, "a\n1\n\n3\n"))] == ["1", "", "3"]


def test_spaces_around_values_are_kept(tmp_path):
    assert rows(opened(tmp_path, "a, b\n 1, x \n")) == [{"a": " 1", " b": " x "}]


def test_columns_come_in_the_order_asked_for(tmp_path):
    source = opened(tmp_path, "a,b,c\n1,2,3\n")
    (batch,) = source.batches(["c", "a"])
    assert batch.rows() == [("3", "1")]


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path):
    source = opened(tmp_path, SIMPLE)
    written(tmp_path, SIMPLE + "1,f\n")
    with pytest.raises(InputError, match="must not change"):
        list(source.batches(["age"]))


def test_long_lines_and_many_columns(tmp_path):
    header = ",".join(f"x{i}" for i in range(3_000))
    row = ",".join(str(i) for i in range(3_000))
    source = opened(tmp_path, f"{header}\n{row}\n{row}\n")
    assert [batch["x2999"].to_list() for batch in source.batches(["x2999"])] == [["2999"] * 2]
    long = "x" * 3_000_000
    assert [row["a"] for row in rows(opened(tmp_path, f"a,b\n{long},1\n"))] == [long]


ODD = ("a", "1", " ", ",", ";", '"', "\n", "\r", "\r\n", "\t", "ü", "\u2028", "\x85", "0")
values = st.lists(
    st.sampled_from(ODD) | st.characters(exclude_characters="\0\ufeff", exclude_categories=["Cs"]),
    max_size=6,
).map("".join)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(values, min_size=width, max_size=width).map(tuple), min_size=1, max_size=8
    )
)


@given(
    tables,
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from([4, 7, 64, 1 << 20]),
)
@example([("\r", "x")], ",", "\n", csv.QUOTE_ALL, "utf-8", 4)
@example([("", ""), ("", "")], "\t", "\r\n", csv.QUOTE_MINIMAL, "utf-16", 4)
def test_what_is_written_is_read(table, separator, line_end, quoting, encoding, block):
    columns = [f"c{i}" for i in range(len(table[0]))]
    text = io.StringIO(newline="")
    if any("\n" in value or "\r" in value for row in table for value in row):
        quoting = csv.QUOTE_ALL  # the writer quotes only the line end that it uses itself
    writer = csv.writer(text, delimiter=separator, lineterminator=line_end, quoting=quoting)
    writer.writerows([columns, *table])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_text, "BLOCK", block)
        source = _from_memory(text.getvalue().encode(encoding), patch, sep=separator)
        assert [tuple(row.values()) for row in rows(source)] == table
        assert source.n_rows == len(table)
        source.close()


def _from_memory(content: bytes, patch: pytest.MonkeyPatch, **options: Any) -> CsvFile:
    patch.setattr(sys, "stdin", Pipe(content))
    return CsvFile("-", **options)


pieces = st.lists(
    st.sampled_from(["a", "bc", ",", ",", '"', '""', "\n", "\r\n", "\r", " ", "1"]), max_size=24
).map("".join)


@given(pieces, st.sampled_from([3, 16, 1 << 20]))
@example("1,2\r\r,4", 3)
@example("\r,", 3)
@example('"\r",2"\r\r,4', 16)
@example('1,"a"b,c"\n', 3)
@example('x,y\r\r\n"a\r\n","b\n"\n', 3)
def test_whatever_is_read_is_what_pythons_reader_finds(body, block):
    content = f"a,b\n{body}\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_text, "BLOCK", block)
        try:
            source = _from_memory(content.encode(), patch)
            found = rows(source)
        except InputError:
            return
        expected = rows_of(content)
        assert all(len(row) == 2 for row in expected)
        assert found == expected
        assert source.n_rows == len(expected)
        source.close()


@given(pieces)
def test_rectangular_files_are_read(body):
    content = f"a,b\n{body}\n"
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    try:
        widths = {len(row) for row in reader if row}
    except csv.Error:
        return
    lone_cr = "\r" in content.replace("\r\n", "")
    if lone_cr and ('"' in content or "\r\r," in content or "\n\r," in content):
        return  # may be refused
    if widths != {2} or '\\"' in content or len(rows_of(content)) == 0:
        return
    with pytest.MonkeyPatch.context() as patch:
        source = _from_memory(content.encode(), patch)
        assert rows(source) == rows_of(content)
        source.close()


def test_an_interrupt_while_pandas_parses_stays_an_interrupt(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    source = CsvFile(path)

    def interrupted(*_: object, **__: object) -> object:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise pd.errors.ParserError("Calling read(nbytes) on source failed.")  # noqa: B904 as the C parser does

    monkeypatch.setattr(pd, "read_csv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(source.batches(["a"]))


def test_utf_16_without_a_byte_order_mark_is_refused_in_words(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("a,b\n1,2\n".encode("utf-16-le"))
    with pytest.raises(InputError, match="utf-16-le"):
        CsvFile(path, encoding="utf-16")
