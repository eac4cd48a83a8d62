"""An audit as Markdown and as an HTML page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from arbitree.report.html import html_page
from arbitree.report.markdown import markdown_document
from arbitree.report.verdict import Verdict

from .audits import made_audit

TWO = {"sex": {"Female": (300, 1000), "Male": (4000, 9000)}}
HOSTILE = {
    "<i>race</i>": {
        "<script>alert(1)</script>": (30, 100),
        "A|B": (40, 100),
        "=1+1": (50, 100),
        "two\nlines": (20, 100),
    }
}


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def _parsed(page: str) -> _Tags:
    tags = _Tags()
    tags.feed(page)
    assert not tags.open
    return tags


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_a_document_says_where_its_numbers_come_from(layout):
    text = layout(made_audit(TWO, unknown={"sex": 40}, notices=("forty rows left out",)))
    for words in ("loans.csv", "ab" * 32, "10,040 rows", "unknown sex: 40", "forty rows left out"):
        assert words in text
    for words in ("resamplings", "seed", "version of arbitree", "0.1.0", "missing groups"):
        assert words in text


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_every_rate_and_gap_is_defined(layout):
    text = layout(made_audit(TWO, labels=True))
    assert "favourable decisions / rows, among favourable labels" in text
    assert "highest minus lowest selection rate" in text
    assert "equal opportunity" not in text.lower().replace("_", " ")


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_the_same_audit_gives_the_same_document(layout):
    assert layout(made_audit(TWO)) == layout(made_audit(TWO))


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_numbers_that_are_not_there_read_as_such(layout):
    text = layout(made_audit({"race": {"a": (10, 100), "Other": (0, 0)}}))
    assert "n/a" in text
    assert "not estimable: 0 rows" in text
    assert " nan" not in text.lower()


def test_the_page_needs_nothing_else_and_runs_nothing():
    page = _parsed(html_page(made_audit(HOSTILE)))
    assert not page.seen & {"script", "img", "iframe", "link", "i"}
    assert not page.links


def test_the_page_shows_hostile_names_as_text():
    text = html_page(made_audit(HOSTILE, source={"name": "<b>.csv"}))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<title>Audit of &lt;b&gt;.csv</title>" in text


def test_markdown_shows_hostile_names_as_text():
    text = markdown_document(made_audit(HOSTILE, source={"name": "a|b.csv"}))
    assert "<" not in text
    assert r"A\|B" in text
    assert r"two\\nlines" in text
    assert r"# Audit of a\|b.csv" in text


def test_an_audit_without_a_file_is_just_an_audit():
    assert markdown_document(made_audit(TWO, source={})).startswith("# Audit\n")


def test_a_page_of_many_groups_stays_small():
    groups = {f"group {i}": (i, 1000) for i in range(500)}
    assert len(html_page(made_audit({"g": groups}))) < 300_000


def test_segments_have_their_own_headings():
    text = markdown_document(made_audit(TWO, segments=("cook", "clerk")))
    assert "## sex (job=cook)" in text
    assert "## sex (job=clerk)" in text


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_every_rate_has_its_n_interval_and_status(layout):
    text = layout(made_audit({"sex": {"f": (30, 50), "m": (50, 100)}}, labels=True))
    assert "true positive rate" in text
    assert "25*" in text.replace("\\", "")
    assert "small group: n = 25" in text
    assert "25.0% [" in text


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_small_groups_are_marked_where_the_legend_says_so(layout):
    small = layout(made_audit({"sex": {"f": (3, 12), "m": (50, 100)}}))
    assert "12*" in small.replace("\\", "")
    assert "of fewer than 30 rows" in small
    assert "of fewer than" not in layout(made_audit(TWO))


@pytest.mark.parametrize("layout", [markdown_document, html_page])
def test_the_verdict_on_a_gate_is_part_of_a_document(layout):
    audit = made_audit(TWO)
    verdict = Verdict(gate=audit.check(fail_under=0.8), fail_under=0.8)
    text = layout(audit, verdict=verdict)
    assert "gate failed: 1 failed" in text
    assert "impact ratio of Female is 0.675, below 0.8" in text
    assert "gate failed" not in layout(audit)


def test_numbers_with_intervals_are_aligned_to_the_right():
    text = markdown_document(made_audit(TWO))
    assert "| :--- | ---: | ---: | ---: | ---: | ---: | :--- | :--- |" in text
