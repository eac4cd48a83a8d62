"""Frames as text: what each format does to hostile names and to numbers that are not there."""

from __future__ import annotations

import csv
import io
import json
import math
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree._tables import (
    cell_text,
    csv_table,
    html_table,
    latex_table,
    markdown_table,
    plain,
    records,
    strict_json,
    visible,
)

HOSTILE = [
    "<script>alert(1)</script>",
    "<b>x</b>",
    "A|B",
    "=1+1",
    "=cmd()",
    "two\nlines",
    "`code`",
    "[click](http://example.org)",
    "\x1b[31mred",
    "\u202eback",
    "Ünïcödé 漢字 😀",
    "\ud800",
    "$x_1$ & 50%",
    "",
]
texts = st.text(max_size=20) | st.sampled_from(HOSTILE)


def _frame(names: list[str]) -> pd.DataFrame:
    groups = pd.Series(names, dtype=object)
    return pd.DataFrame({"group": groups, "value": np.arange(len(names)) / 3})


class _Reader(HTMLParser):
    """Collects tags, and the text of cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells and self.get_starttag_text() and data != "\n":
            self.cells[-1] += data


@given(st.lists(texts, min_size=1, max_size=5))
def test_html_shows_names_as_text_and_adds_no_tags(names):
    reader = _Reader()
    reader.feed(html_table(_frame(names), caption=names[0]))
    assert reader.tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert [cell.strip("\n") for cell in reader.cells[::2]] == [visible(name) for name in names]


@given(st.lists(texts, min_size=1, max_size=5))
def test_markdown_has_one_line_a_row_and_as_many_cells_as_columns(names):
    lines = markdown_table(_frame(names)).splitlines()
    assert len(lines) == 2 + len(names)
    for line in lines:
        unescaped = line.replace("\\\\", "").replace("\\|", "")
        assert unescaped.count("|") == 3


@pytest.mark.parametrize(
    "name", ["<script>", "<!-- x", "`code`", "[a](b)", "![a](b)", "*b*", "_i_"]
)
def test_markdown_leaves_no_markup_alive(name):
    from markdown_it import MarkdownIt

    shown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = shown.parse(markdown_table(_frame([name])))
    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    assert {token.type for token in inline} <= {"text", "text_special"}
    assert name in "".join(token.content for token in inline)


@given(st.lists(texts, min_size=1, max_size=5))
def test_csv_comes_back_as_it_was_and_nothing_is_a_formula(names):
    rows = list(csv.reader(io.StringIO(csv_table(_frame(names)), newline=""), strict=True))
    assert [row[0].removeprefix("'") for row in rows[1:]] == [n.removeprefix("'") for n in names]
    assert not any(row[0].startswith(tuple("=+-@\t\r\n")) for row in rows)
    assert [float(row[1]) for row in rows[1:]] == [i / 3 for i in range(len(names))]


def test_csv_guards_texts_but_not_negative_numbers():
    frame = pd.DataFrame({"=name": ["-1"], "value": [-1.5], "none": [math.nan]})
    assert csv_table(frame) == "'=name,value,none\r\n'-1,-1.5,\r\n"


def test_latex_escapes_what_is_special_in_it():
    text = latex_table(pd.DataFrame({"a_b": ["50% & $x$ #1 ~^\\{}"]}))
    assert r"50\% \& \$x\$ \#1 \textasciitilde{}\textasciicircum{}\textbackslash{}\{\}" in text
    assert r"a\_b" in text


def test_a_latex_row_that_opens_with_a_bracket_is_no_argument():
    assert "{}[red]" in latex_table(pd.DataFrame({"group": ["[red]"]}))


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(values)
def test_json_is_strict_and_the_same_each_time(value):
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = strict_json(value)
    json.loads(text, parse_constant=refuse)
    assert text == strict_json(value)


def test_json_keeps_the_types_of_a_frames_columns():
    frame = pd.DataFrame(
        {
            "n": np.array([3], dtype=np.int64),
            "value": [math.inf],
            "flag": [True],
            "day": pd.to_datetime(["2020-01-02"]),
            "none": [pd.NA],
        }
    )
    assert records(frame) == [
        {"n": 3, "value": None, "flag": True, "day": "2020-01-02T00:00:00", "none": None}
    ]


def test_sets_are_listed_in_one_order():
    assert plain({"b", "a"}) == ["a", "b"]


def test_column_names_need_not_be_texts():
    frame = pd.DataFrame({0: ["a"], ("x", 1): [2]})
    assert records(frame) == [{"0": "a", "('x', 1)": 2}]
    assert markdown_table(frame).startswith("| 0 | ('x', 1) |")
    assert csv_table(frame).startswith("0,\"('x', 1)\"")


@pytest.mark.parametrize("table", [markdown_table, html_table, latex_table, csv_table])
def test_a_frame_without_rows_is_a_header(table):
    assert "group" in table(pd.DataFrame({"group": []}))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000"),
        (0.0001, "1.0e-04"),
        (-12345.678, "-12,345.678"),
        (math.inf, "inf"),
        (None, "n/a"),
        (("age", "sex"), "age, sex"),
        (np.bool_(False), "no"),
    ],
)
def test_a_cell_reads_well(value, text):
    assert cell_text(value) == text


def test_joined_emoji_stay_whole_and_control_characters_show():
    assert visible("👩‍🔬") == "👩‍🔬"
    assert visible("a\tb\x1b\u202e\ud800") == r"a\tb\x1b\u202e\ud800"
