"""Failures reported of other tools: CSV files as people have them."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import arbitree as ar
from arbitree.groups.audit import audit_table
from arbitree.table import csv_file

from .audits import DECISIONS, SEX

READ = {"decision": "ok", "sensitive": "sex"}
ROWS = [["sex", "ok", "note"], *([sex, str(ok), "n"] for sex, ok in zip(SEX, DECISIONS))]


def written(
    rows: list[list[str]], *, sep: str = ",", end: str = "\n", quote_all: bool = False
) -> str:
    buffer = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(buffer, delimiter=sep, lineterminator=end, quoting=quoting).writerows(rows)
    return buffer.getvalue()


@pytest.fixture
def file(tmp_path):
    def make(content: str | bytes, *, encoding: str = "utf-8"):
        data = content if isinstance(content, bytes) else content.encode(encoding)
        path = tmp_path / "a.csv"
        path.write_bytes(data)
        return path

    return make


def levels(table: ar.CodedTable) -> list[str]:
    column = table.sensitive[0]
    return [column.coding.label(int(code)) for code in column.codes]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("first", ["sex", "ok"])
@pytest.mark.parametrize("quote_all", [False, True])
def test_a_byte_order_mark_is_no_part_of_the_first_name(file, encoding, first, quote_all):
    # pandas#13497
    rows = ROWS if first == "sex" else [row[1::-1] + row[2:] for row in ROWS]
    table = ar.read(file(written(rows, quote_all=quote_all), encoding=encoding), **READ)
    assert table.sensitive[0].name == "sex"
    assert levels(table) == SEX
    assert table.decisions.codes.tolist() == DECISIONS


@pytest.mark.parametrize("mark", ["\u200b", "\u00a0", "\ufeff\ufeff", " ", "\u202a"])
def test_an_invisible_character_in_a_name_is_shown_by_the_error(file, mark):  # pandas#4793
    path = file(written([[mark + "sex", "ok"], ["f", "1"], ["m", "0"]]))
    with pytest.raises(ar.ColumnError, match="has no column 'sex'") as caught:
        ar.read(path, **READ)
    assert repr(mark[-1] + "sex") in str(caught.value)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp1250", "iso8859-15", "mac-roman"])
@pytest.mark.parametrize("where", ["header", "first row", "last row"])
def test_a_file_that_is_no_utf_8_says_where_and_what_to_pass(file, encoding, where):
    # runloop-pipeline#7
    rows = [list(row) for row in ROWS]
    rows[{"header": 0, "first row": 1, "last row": -1}[where]][2] = "Müller"
    data = written(rows).encode(encoding)
    offset = next(i for i, byte in enumerate(data) if byte > 127)
    with pytest.raises(ar.InputError, match="encoding='cp1252'") as caught:
        ar.read(file(data), **READ)
    assert f"byte at offset {offset}" in str(caught.value)
    read = {"decision": "ok", "sensitive": "sex" if where == "header" else "note"}
    table = ar.read(file(data), **read, encoding=encoding)
    assert where == "header" or "Müller" in levels(table)


def test_utf_8_is_read_wherever_the_machine_is(file, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    table = ar.read(file(written([["sex", "ok"], ["weiblich ♀", "1"], ["männlich", "0"]])), **READ)
    assert levels(table) == ["weiblich ♀", "männlich"]


GERMAN = ["1.234,56", "0,5", "12,00", "1.000.000,00"]
NUMBERS = [1234.56, 0.5, 12, 1e6]
WRITTEN_AS = {
    "German": (GERMAN, {"decimal": ",", "thousands": "."}, "decimal=','"),
    "Swiss": (["1'234.56", "0.5", "12", "1'000'000"], {"thousands": "'"}, "thousands"),
    "English": (["1,234.56", "0.5", "12", "1,000,000"], {"thousands": ","}, "thousands=','"),
    "decimal commas": (["1234,56", "0,5", "12", "1000000,0"], {"decimal": ","}, "decimal=','"),
}


@pytest.mark.parametrize(("texts", "style", "hint"), WRITTEN_AS.values(), ids=WRITTEN_AS)
@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_numbers_of_every_country_are_read_or_asked_about(file, texts, style, hint, sep):
    # pandas#59299, polars#23157
    rows = [["sex", "score"], *([sex, texts[i % 4]] for i, sex in enumerate(SEX))]
    path = file(written(rows, sep=sep))
    read = {"sensitive": "sex", "score": "score", "score_threshold": 12}
    table = ar.read(path, **read, **style)
    assert table.scores.tolist() == [NUMBERS[i % 4] for i in range(12)]
    if sep == ";" and style == {"decimal": ","}:
        guessed = ar.read(path, **read)
        assert guessed.scores.tolist() == table.scores.tolist()
        assert any("decimal commas" in notice for notice in guessed.notices)
    else:
        with pytest.raises(ar.InputError, match=hint) as caught:
            ar.read(path, **read)
        assert "at row 0" in str(caught.value)


@pytest.mark.parametrize("role", ["features", "sensitive", "control"])
@pytest.mark.parametrize("strange", ["1.234,56", "12,5", "?", "1,234,567"])
def test_a_column_of_nearly_all_numbers_is_told_with_its_first_strange_row(file, role, strange):
    # pandas#59299
    values = [str(i % 7) for i in range(60)]
    values[41] = strange
    rows = [["sex", "ok", "x"], *(["fm"[i % 2], str(i // 2 % 2), x] for i, x in enumerate(values))]
    roles = {"sensitive": "sex", "features": None} | {role: ["x"]}
    table = ar.read(file(written(rows)), decision="ok", **roles)
    told = [notice for notice in table.notices if "look like numbers" in notice]
    assert len(told) == 1
    assert f"the first at row 41: {strange!r}" in told[0]


@pytest.mark.parametrize("features", [["income"], "all"], ids=repr)
@pytest.mark.parametrize("step", [1, 2])
def test_quoted_decimal_commas_are_told_with_what_to_pass(file, features, step):  # polars#23157
    texts = [f"{i},{i % 90 + 10}" if i % step == 0 else str(i) for i in range(200)]
    rows = [["sex", "ok", "income"], *([SEX[i % 12], str(i % 2), x] for i, x in enumerate(texts))]
    path = file(written(rows))
    told = [x for x in ar.read(path, **READ, features=features).notices if "decimal=','" in x]
    assert len(told) == 1
    assert "the first at row 0: '0,10'" in told[0]
    (income,) = ar.read(path, **READ, features=features, decimal=",").features
    assert income.coding.kind == "number"
    assert income.coding.n_values == 200


@pytest.mark.parametrize("name", ["zip", "postcode", "area"])
@pytest.mark.parametrize("role", ["sensitive", "control", "features"])
def test_leading_zeros_are_kept(file, name, role):  # q#80
    codes = ["01234", "1234", "033586", "00000", "0"]
    rows = [
        ["sex", "ok", name],
        *([s, str(d), codes[i % 5]] for i, (s, d) in enumerate(zip(SEX, DECISIONS))),
    ]
    roles = {"sensitive": "sex", role: [name]}
    table = ar.read(file(written(rows)), decision="ok", **roles)
    column = getattr(table, role)[0]
    assert set(column.coding.levels) == set(codes)


@pytest.mark.parametrize("name", ["customer_id", "id", "zip"])
def test_numbers_that_only_name_rows_are_told(file, name):  # q#80
    rows = [
        ["sex", "ok", name],
        *(["fm"[i % 2], str(i // 2 % 2), str(10_000 + i)] for i in range(400)),
    ]
    table = ar.read(file(written(rows)), **READ, features="all")
    assert any(repr(name) in notice for notice in table.notices)


@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_separator_is_the_headers_and_is_told(file, sep, end):  # pandas 3.1 reads one column
    table = ar.read(file(written(ROWS, sep=sep, end=end)), **READ)
    assert levels(table) == SEX
    assert any("separated by" in notice for notice in table.notices) == (sep != ",")


@pytest.mark.parametrize(("sep", "said"), [(";", ","), ("\t", ","), (",", ";"), ("|", "\t")])
def test_a_file_read_as_one_column_is_an_error(file, sep, said):  # pandas 3.1
    with pytest.raises(ar.InputError, match="single name") as caught:
        ar.read(file(written(ROWS, sep=sep)), **READ, sep=said)
    assert f"sep={sep!r}" in str(caught.value) or sep == "|"


@pytest.mark.parametrize("late", ["None", "1.5", "007", "true", "2024-01-01"])
def test_the_type_of_a_column_is_that_of_the_whole_file(file, late, monkeypatch):  # pandas#35200
    monkeypatch.setattr(csv_file, "_MOST_ROWS", 64)
    values = [str(i % 10) for i in range(200)]
    values[-1] = late
    rows = [["code", "ok", "y"], *([value, str(i % 2), value] for i, value in enumerate(values))]
    table = ar.read(file(written(rows)), decision="ok", sensitive="code", features=["y"])
    assert set(table.sensitive[0].coding.levels) == {*"0123456789", late}
    assert table.features[0].coding.n_values == len({*"0123456789", late})


def test_a_late_text_makes_no_second_level_of_a_digit_in_a_large_file(file):  # pandas#35200
    digits = "".join(f"{i},{i % 2}\n" for i in range(10))
    table = ar.read(
        file("code,ok\n" + digits * 110_000 + "NoneX,1\n"), decision="ok", sensitive="code"
    )
    assert table.n_rows == 1_100_001
    assert table.sensitive[0].coding.levels == (*"0123456789", "NoneX")
    assert np.bincount(table.sensitive[0].codes).tolist()[:11] == [110_000] * 10 + [1]


NOTES = ["a\nb", "a\r\nb", 'say "x"', "a,b", "a;b", "", "\n", '"', "a\tb", "é\n"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("sep", [",", ";"])
@pytest.mark.parametrize("batch", [1, 3, 1 << 18])
def test_quoted_line_ends_are_values_and_rows_are_rows_of_data(file, end, sep, batch, monkeypatch):
    monkeypatch.setattr(csv_file, "_MOST_ROWS", batch)
    rows = [["note", *row[:2]] for row in ROWS[:1]]
    rows += [[NOTES[i % 10], *row[:2]] for i, row in enumerate(ROWS[1:])]
    table = ar.read(file(written(rows, sep=sep, end=end)), **READ, sep=sep)
    assert levels(table) == SEX
    assert table.decisions.codes.tolist() == DECISIONS
    rows[8][1] = ""
    with pytest.raises(ar.MissingValueError, match="row 7"):
        audit_table(ar.read(file(written(rows, sep=sep, end=end)), **READ, sep=sep))


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_change_nothing_that_is_read(file, end):
    plain = ar.read(file(written(ROWS)), **READ, features="all")
    other = ar.read(file(written(ROWS, end=end)), **READ, features="all")
    for ours, theirs in zip(
        (*plain.sensitive, *plain.features), (*other.sensitive, *other.features)
    ):
        assert ours.coding == theirs.coding
        assert ours.codes.tobytes() == theirs.codes.tobytes()


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("\ufeff", "is empty"),
        ("sex,ok\n", "no rows"),
        ("sex,ok", "no rows"),
        ("sex,ok,sex\nf,1,m\n", "2 columns named 'sex'"),
        ("sex,ok\nf,1,2\n", "Row 0"),
        ("sex,ok\nf,1\nf\n", "Row 1"),
        ('sex,ok\n"f,1\n', "never closed"),
    ],
)
def test_a_file_that_is_no_table_is_an_error_with_advice(file, content, advice):
    with pytest.raises(ar.InputError, match=advice):
        ar.read(file(content), **READ)
