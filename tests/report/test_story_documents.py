"""Layouts of a story: every name is text in them, and every number is one of the story's."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from arbitree._tables import csv_table
from arbitree.report.story.blocks import Verbatim, to_html, to_latex, to_markdown
from arbitree.report.story.layouts import LAYOUTS
from arbitree.report.story.result import NOT_LEGAL_ADVICE, SECTIONS
from arbitree.report.story.tables import tables

from .stories import decisions_only, hostile, loans

STORIES = [loans, decisions_only, hostile]


class _Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_page_holds_no_tag_that_the_data_wrote(layout, story):
    tags = _Tags(to_html(list(LAYOUTS[layout](story())), story().title))
    assert {"script", "i", "b"}.isdisjoint(tags.seen)
    assert not tags.links


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_markdown_tables_have_as_many_cells_as_their_header(layout, story):
    text = to_markdown(list(LAYOUTS[layout](story())))
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    cells = None
    for line in outside.splitlines():
        bars = len(re.findall(r"(?<!\\)\|", line))
        if not line.startswith("|"):
            cells = None
            continue
        cells = cells or bars
        assert bars == cells
    assert "<script>" not in outside


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_latex_has_its_environments_closed_and_its_signs_escaped(layout, story):
    text = to_latex(list(LAYOUTS[layout](story())))
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    assert not re.search(r"(?<!\\)[%#_$]", text)


@pytest.mark.parametrize("story", STORIES)
def test_the_whole_document_has_every_section_and_sentence(story):
    story = story()
    text = to_html(list(LAYOUTS["full"](story)), story.title)
    for title in SECTIONS.values():
        assert f"<h2>{title}</h2>" in text
    assert NOT_LEGAL_ADVICE in text
    for line in story.untested:
        assert line.split(":")[0].split("'")[0][:30] in text


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_says_how_to_repeat_it(layout, story):
    blocks = list(LAYOUTS[layout](story()))
    assert any(isinstance(block, Verbatim) for block in blocks)
    if story().command:
        assert any(story().command in getattr(block, "text", "") for block in blocks)


def test_a_summary_is_much_shorter_than_the_whole():
    whole, short = (to_markdown(list(LAYOUTS[name](loans()))) for name in ("full", "summary"))
    assert len(short) < len(whole) / 3


def test_every_table_is_csv_with_its_rows_and_without_formulas():
    for frame in tables(hostile()).values():
        rows = list(csv.reader(io.StringIO(csv_table(frame))))
        assert len(rows) == len(frame) + 1
        assert {len(row) for row in rows} == {len(frame.columns)}
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "@"))]


def test_every_number_of_a_group_follows_from_the_counts_beside_it():
    for name in ("audit-by-group", "tree-audit-by-group"):
        frame = tables(loans())[name]
        assert (frame["n_selected"] / frame["n"]).sub(frame["selection_rate"]).abs().max() < 1e-12
    groups = tables(loans())["certificate-groups"]
    assert (groups["k"] / groups["n"]).sub(groups["rate"]).abs().max() < 1e-12


def test_effects_are_in_points_of_the_favourable_rate():
    text = to_markdown(list(LAYOUTS["full"](loans())))
    said = loans().sentences["influence"]
    total = float(re.search(r"gap of ([\d.]+) points", said)[1])
    largest = max(loans().influences, key=lambda one: one.gap)
    assert total == pytest.approx(100 * largest.gap, abs=0.05)
    assert " pp" in text


@pytest.mark.parametrize("story", STORIES)
def test_a_document_stays_small_and_names_what_it_came_from(story):
    story = story()
    text = to_html(list(LAYOUTS["full"](story)), story.title)
    assert len(text) < 500_000
    assert story.data.name in text
    assert story.data.sha256 in text
    assert story.versions["arbitree"] in text


def test_a_memo_of_decisions_alone_says_no_sentence_twice_among_its_findings():
    memo = to_markdown(list(LAYOUTS["memo"](decisions_only())))
    findings = memo.split("## Findings")[1].split("## Data")[0]
    said = [line for line in findings.splitlines() if line.startswith("- ")]
    assert any("--label" in line for line in said)
    assert len(said) == len(set(said))
