"""An audit in a terminal, in a pipe, at 80 columns."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from arbitree.report.terminal import terminal_text

from .audits import made_audit

TWO = {"sex": {"Female": (300, 1000), "Male": (4000, 9000)}}


def test_the_first_lines_say_what_was_counted_and_how_to_read_it():
    text = terminal_text(made_audit(TWO, unknown={"sex": 40}), elapsed=0.61)
    head = text.split("\n\n")[0]
    assert head.startswith("10,040 rows - 0.6 s - unknown sex: 40 (0.4%, excluded, listed)\n")
    assert "favourable: approved = 'yes'" in head
    assert "the group with the highest selection rate" in head
    assert "group minus" in head
    assert "95% intervals" in head


def test_a_line_has_n_rate_interval_ratio_and_verdict():
    lines = terminal_text(made_audit(TWO)).splitlines()
    female = next(line for line in lines if line.startswith("  Female"))
    told = "Female 1,000 30.0% [27.2, 32.9] 0.68 [0.61, 0.74] BELOW 0.80"
    assert " ".join(female.split()) == told
    assert any("Male" in line and line.endswith("reference") for line in lines)
    assert any(line.split()[:4] == ["statistical", "parity", "14.4", "pp"] for line in lines)
    assert any(line.endswith("Male over Female") for line in lines)


def test_rounding_never_hides_on_which_side_of_the_threshold_a_ratio_lies():
    text = terminal_text(made_audit({"sex": {"a": (7960, 20000), "b": (10000, 20000)}}))
    assert "0.796 [" in text
    assert "BELOW 0.80" in text


def test_what_is_not_estimable_says_so_and_why():
    audit = made_audit({"race": {"a": (10, 100), "Other": (0, 0)}})
    text = terminal_text(audit)
    assert "race=Other: not estimable: 0 rows" in text
    assert "nan" not in text.lower()


def test_a_status_names_rates_in_words_and_groups_as_they_are():
    audit = made_audit(TWO, labels=True)
    audit.by_group.loc[0, "status"] = "true_positive_rate not estimable: 0 favourable labels"
    audit.by_group.loc[0, "true_positive_rate"] = float("nan")
    text = terminal_text(audit)
    assert "sex=Female: true positive rate not estimable: 0 favourable labels" in text
    assert "n/a" in text


def test_small_groups_are_marked_and_kept():
    text = terminal_text(made_audit({"sex": {"f": (3, 12), "m": (60, 100)}}))
    assert "12*" in text
    assert "100*" not in text


@pytest.mark.parametrize(
    "name",
    ["[red]", "[/red]", "[bold]x[/bold]", ":smile:", "a\\[b]", "<b>x</b>", "A|B", "=1+1", "100%"],
)
def test_names_print_literally(name):
    text = terminal_text(made_audit({"race": {name: (30, 100), "b": (50, 100)}}))
    assert name in text


@pytest.mark.parametrize("name", ["x" * 120, "漢字" * 60, "long name of words " * 8, "😀" * 50])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_long_names_are_folded_and_nothing_is_lost(name, width):
    audit = made_audit({"race": {name: (30, 100), "b": (50, 1_000_000)}}, labels=True)
    text = terminal_text(audit, width=width)
    assert max(cell_len(line) for line in text.splitlines()) <= max(width, 80)
    assert text.count(name[0]) >= name.count(name[0])
    assert " 1,000,000 " in text


def test_numbers_are_never_cut_however_narrow_the_terminal():
    groups = {"a": (1_000_000_000, 3_000_000_000), "b": (999_999, 1_000_000)}
    text = terminal_text(made_audit({"sex": groups}), width=20)
    assert "  3,000,000,000 " in text
    assert "BELOW 0.80" in text
    assert text.count("[") == text.count("]")


def test_control_characters_in_names_cannot_steer_the_terminal():
    text = terminal_text(made_audit({"race": {"\x1b[2J\r\n": (30, 100), "b": (50, 100)}}))
    assert r"\x1b[2J\r\n" in text
    assert "\x1b" not in text
    assert "\r" not in text


def test_plain_text_has_no_ansi_whatever_the_environment_says(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = terminal_text(made_audit(TWO))
    assert "\x1b" not in plain
    assert not any(line.endswith(" ") for line in plain.splitlines())
    assert "\x1b[1;31mBELOW" in terminal_text(made_audit(TWO), color=True)


def test_each_segment_has_its_own_tables():
    text = terminal_text(made_audit(TWO, segments=("cook", "clerk")))
    assert "sex (job=cook)" in text
    assert "sex (job=clerk)" in text


def test_a_wide_terminal_also_shows_differences():
    assert "-14.4 pp" in terminal_text(made_audit(TWO), width=120)
    assert "-14.4 pp" not in terminal_text(made_audit(TWO), width=80)


def test_notices_are_part_of_the_text():
    assert "note: 3 rows left out" in terminal_text(made_audit(TWO, notices=("3 rows left out",)))


def test_the_same_audit_gives_the_same_text():
    assert terminal_text(made_audit(TWO)) == terminal_text(made_audit(TWO))


@pytest.mark.parametrize(
    ("reference", "words"),
    [("largest", "the largest group"), ({"sex": "Male"}, "sex=Male"), ("Male", "Male")],
)
def test_the_reference_asked_for_is_named(reference, words):
    text = terminal_text(made_audit(TWO, reference_group=reference))
    assert f"compared with: {words}\n" in text


def test_p_values_are_shown_where_they_were_asked_for():
    audit = made_audit(TWO)
    audit.by_group.insert(14, "p_value", [0.00001, 1.0])
    assert "1.0e-05" in terminal_text(audit)
