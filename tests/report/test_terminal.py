"""An audit in a terminal, in a pipe, at 80 columns."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from arbitree.report.terminal import terminal_text
from arbitree.report.verdict import Verdict

from .audits import made_audit

TWO = {"sex": {"Female": (300, 1000), "Male": (4000, 9000)}}


def test_the_first_lines_say_what_was_counted_and_how_to_read_it():
    text = terminal_text(made_audit(TWO, unknown={"sex": 40}), elapsed=0.61)
    head = text.split("\n\n")[0]
    assert head.startswith("10,040 rows - 0.6 s - unknown sex: 40 (0.4%, excluded, listed)\n")
    assert "favourable: approved = 'yes'" in head
    assert "the group with the highest selection rate" in head
    assert "group / rate of the reference" in head
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
@pytest.mark.parametrize("width", [80, 120])
def test_long_names_never_widen_a_table(name, width):
    audit = made_audit({"race": {name: (30, 100), "b": (50, 1_000_000)}}, labels=True)
    text = terminal_text(audit, width=width)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    assert " 1,000,000 " in text


def test_words_of_names_stay_whole_or_lose_their_middle():
    names = ("Female x African-American", "Male x " + "y" * 60 + "1", "Male x " + "y" * 60 + "2")
    audit = made_audit({"sex x race": dict.fromkeys(names, (3000, 10_000))}, labels=True)
    text = terminal_text(audit, width=80)
    assert "African-American" in text
    assert "y1\n" in text
    assert "y2\n" in text
    assert max(cell_len(line) for line in text.splitlines()) <= 80


def test_names_that_look_alike_without_their_middle_keep_what_sets_them_apart():
    names = ("x" * 60 + "1" + "x" * 60, "x" * 60 + "2" + "x" * 60)
    text = terminal_text(made_audit({"race": dict.fromkeys(names, (30, 100))}))
    shown = [line.split()[0] for line in text.splitlines() if line.startswith("  xx")]
    assert [("1" in name, "2" in name) for name in shown] == [(True, False), (False, True)]


def _audit_with_everything():
    groups = {"Female x African-American": (30, 50), "Male x Native American": (50, 100)}
    audit = made_audit({"sex x race": groups}, labels=True)
    audit.by_group.insert(14, "mean_score", [5.2771, 10.0])
    audit.by_group.insert(15, "smd", [0.1, 0.0])
    audit.by_group.insert(16, "smd_low", [-0.001, 0.0])
    audit.by_group.insert(17, "smd_high", [0.3, 0.0])
    audit.by_group.insert(18, "p_value", [0.00001, 1.0])
    return audit


def test_rates_of_few_rows_are_marked_by_their_own_n():
    text = terminal_text(_audit_with_everything())
    assert " 50  " in text  # enough rows, and 25 labels of each kind
    assert "35.0%*" in text
    assert "*: of fewer than 30 rows" in text
    few = [line for line in text.splitlines() if "%*" in line]
    assert few
    assert all("American" not in line or "Native" not in line for line in few)


def test_a_mark_is_explained_only_where_it_is_printed():
    text = terminal_text(made_audit(TWO))
    assert "*" not in text
    assert "difference" not in text
    assert "difference: group minus reference" in terminal_text(made_audit(TWO), width=120)
    assert "BELOW" not in terminal_text(made_audit({"sex": {"f": (90, 100), "m": (91, 100)}}))


def test_short_names_are_explained():
    text = terminal_text(_audit_with_everything())
    for words in (
        "pp: percentage points",
        "TPR: true positive rate",
        "SMD: difference of mean scores",
        "p: of a test",
        "--table rates",
    ):
        assert words in text
    assert "TPR" not in terminal_text(made_audit(TWO))
    assert "four-fifths rule, see --fail-under" in terminal_text(made_audit(TWO))
    assert "under the threshold of --fail-under" in terminal_text(made_audit(TWO), threshold=0.9)


def test_everything_fits_80_columns():
    lines = terminal_text(_audit_with_everything(), width=80).splitlines()
    assert max(map(len, lines)) <= 80


def test_mean_scores_have_equal_decimals_and_zero_has_no_sign():
    text = terminal_text(_audit_with_everything())
    assert " 5.28 " in text
    assert " 10.00 " in text
    assert "-0.00" not in text


def test_a_small_reference_is_told_once_above_the_gaps():
    audit = made_audit({"race": {"a": (2, 2), "b": (30, 100), "c": (40, 100)}})
    audit.by_group.loc[1:, "status"] = "reference is a small group: n = 2 < 30"
    text = terminal_text(audit)
    assert text.count("the reference is a small group: n = 2 < 30") == 1
    assert text.index("the reference is a small") < text.index("statistical parity")


def test_gaps_of_small_groups_are_marked():
    audit = made_audit(TWO)
    audit.gaps.loc[0, "status"] = "small group: Female (n = 2)"
    assert "]* " in terminal_text(audit)


def test_the_verdict_on_a_gate_is_a_line():
    audit = made_audit(TWO)
    verdict = Verdict(gate=audit.check(fail_under=0.8), fail_under=0.8)
    text = terminal_text(audit, verdict=verdict)
    assert text.endswith(
        "gate failed: 1 failed, 0 undecided; asked: every impact ratio is at least 0.8\n"
    )
    assert "gate" not in terminal_text(audit)


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
