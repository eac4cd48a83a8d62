"""Failures reported of other tools: names that become markup, formulas or commands."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

import arbitree as ar
from arbitree.cli import main
from arbitree.report.html import html_page
from arbitree.report.markdown import markdown_document
from arbitree.report.terminal import terminal_text

from .audits import audited

HOSTILE = [
    *("<script>alert(1)</script>", "<b>x</b>", "setosa & 123", "age < 18", "A|B", "`x`", "*x*"),
    *("=1+1", "=cmd()", "+1", "-1+1", "@SUM(A1)", "\t=1", '"><img src=x>', "[x](javascript:y)"),
    *("a\nb", "\x1b[31mred", "$x$", "\\x", "&amp;", "'", "#", "_x_", "~~x~~", "\r=1", "\u202eabc"),
]
ALLOWED = {  # what pages are made of
    *("html", "head", "meta", "title", "style", "body", "main", "section", "article", "header"),
    *("h1", "h2", "h3", "p", "ul", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody"),
    *(
        "tr",
        "th",
        "td",
        "div",
        "span",
        "em",
        "strong",
        "code",
        "br",
        "footer",
        "ol",
        "colgroup",
        "col",
    ),
}


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert not any(name.startswith("on") or "javascript:" in str(v) for name, v in attrs)

    def handle_data(self, data):
        self.text.append(data)


PRINTABLE = [name for name in HOSTILE if name.isprintable()]


@pytest.fixture(scope="module")
def named() -> dict[str, ar.Audit]:
    """Audits in which groups, columns, segments and outcomes have such names."""
    said = [HOSTILE[0] if i % 3 else HOSTILE[1] for i in range(2 * len(HOSTILE))]
    groups = pd.Series(HOSTILE * 2, name=HOSTILE[6])
    sex = ["f", "m"] * len(HOSTILE)
    segment = [HOSTILE[i % 4 * 6 + 1] for i in range(2 * len(HOSTILE))]
    outcome = {"favorable_label": HOSTILE[0], "y_true": pd.Series(said, name=HOSTILE[1])}
    return {
        "groups": audited(pd.Series(said, name=HOSTILE[0]), groups, **outcome),
        "columns": audited(said, dict.fromkeys(HOSTILE[::2], sex), cross=False, **outcome),
        "segments": audited(
            said, {"sex": sex}, control_features=pd.Series(segment, name=HOSTILE[4]), **outcome
        ),
    }


every_place = pytest.mark.parametrize("place", ["groups", "columns", "segments"])


@every_place
def test_html_has_no_tag_but_its_own(named, place):  # scikit-learn#28339
    for text in (named[place].to_html(), html_page(named[place])):
        parser = _Tags()
        parser.feed(text)
        assert set(parser.tags) <= ALLOWED
        shown = "".join(parser.text)
        assert place != "groups" or all(name in shown for name in PRINTABLE)


@every_place
def test_markdown_has_one_line_a_row_and_no_markup_of_names(named, place):
    for text in (named[place].to_markdown(), markdown_document(named[place])):
        for markup in ("<script", "<b>", "<img"):
            assert markup not in text
        assert not re.search(r"(?<!\\)\]\(javascript", text)
        lines = [line.replace("\\|", "") for line in text.splitlines() if line.startswith("|")]
        assert all(line.endswith("|") for line in lines)
        rules = {line.count("|") for line in lines if set(line) <= set("|-: ")}
        assert {line.count("|") for line in lines} == rules


@every_place
def test_latex_has_no_command_of_names(named, place):
    text = named[place].to_latex()
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert rows
    for row in rows:
        assert not re.search(r"(?<!\\)[$#_%]", row)


@every_place
@pytest.mark.parametrize("color", [False, True])
def test_nothing_steers_the_terminal(named, place, color):
    text = terminal_text(named[place], width=120, color=color)
    text = re.sub(r"\x1b\[[0-9;]*m", "", text) if color else text
    assert all(character.isprintable() for character in text.replace("\n", ""))


def test_json_has_names_as_they_are(named):
    groups = json.loads(named["groups"].to_json())
    assert {row["group"] for row in groups["by_group"]} == set(HOSTILE)
    columns = json.loads(named["columns"].to_json())
    assert columns["sensitive_features"] == HOSTILE[::2]
    segments = json.loads(named["segments"].to_json())
    assert {row[HOSTILE[4]] for row in segments["by_group"]} == set(HOSTILE[1:24:6])


@pytest.mark.parametrize("extension", ["csv", "parquet"])
def test_a_written_table_has_no_formula(extension, tmp_path, capfd):
    path = tmp_path / f"a.{extension}"
    frame = pd.DataFrame(
        {"=race()": HOSTILE * 2, "ok": [i % 3 % 2 for i in range(2 * len(HOSTILE))]}
    )
    frame.to_csv(
        path, index=False, quoting=csv.QUOTE_ALL
    ) if extension == "csv" else frame.to_parquet(path)
    asked = ["--decision", "ok", "--sensitive", "=race()", "--csv", "--quiet", "--resamples", "100"]
    assert main(["audit", str(path), *asked]) == 0
    header, *rows = csv.reader(io.StringIO(capfd.readouterr().out, newline=""))
    assert len(rows) == len(HOSTILE)
    assert {len(row) for row in rows} == {len(header)}
    for cell in (cell for row in rows for cell in row if cell):
        assert cell[0] not in "=+@\t\r"
        assert cell[0] != "-" or float(cell) < 0
    for name in HOSTILE:
        assert any(name in row[1] for row in rows)
