"""Every option of `arbitree audit`, once, by what it changes."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest

from .conftest import BASE, loan_rows, write_csv


def test_the_numbers_are_those_of_the_file(run, loans):
    ran = run("audit", loans, *BASE, "--json")
    assert ran.status == 0
    female = ran.groups("sex")["Female"]
    assert (female["n"], female["n_selected"], female["selection_rate"]) == (100, 30, 0.3)
    assert female["impact_ratio"] == 0.5
    assert ran.json["schema"] == "arbitree/audit"


def test_text_is_the_default_and_has_no_ansi_in_a_pipe(run, loans):
    ran = run("audit", loans, *BASE)
    assert "200 rows" in ran.out
    assert "BELOW 0.80" in ran.out
    assert "\x1b" not in ran.out + ran.err


@pytest.mark.parametrize(
    "given",
    [
        ("--sensitive", "sex,race"),
        ("--sensitive", "sex, race"),
        ("--sensitive", "sex", "--sensitive", "race"),
    ],
)
def test_sensitive_columns_are_a_list_or_repeated(run, loans, given):
    ran = run("audit", loans, "--decision", "approved", "--favorable", "yes", *given, "--json")
    assert ran.json["sensitive_features"] == ["sex", "race"]
    assert "sex x race" in {row["grouping"] for row in ran.json["by_group"]}


def test_a_name_with_a_comma_is_quoted(run, tmp_path):
    rows = [{"distance, km": "far" if i % 2 else "near", "ok": i % 3 % 2} for i in range(90)]
    path = write_csv(tmp_path / "a.csv", rows)
    ran = run("audit", path, "--decision", "ok", "--sensitive", '"distance, km"', "--json")
    assert ran.json["sensitive_features"] == ["distance, km"]


def test_no_cross_leaves_the_crossing_out(run, loans):
    ran = run("audit", loans, *BASE, "--sensitive", "race", "--no-cross", "--json")
    assert {row["grouping"] for row in ran.json["by_group"]} == {"sex", "race"}


def test_cross_may_be_said_aloud(run, loans):
    ran = run("audit", loans, *BASE, "--sensitive", "race", "--cross", "--json")
    assert "sex x race" in {row["grouping"] for row in ran.json["by_group"]}


def test_favorable_is_repeated_for_several_values(run, loans):
    ran = run("audit", loans, *BASE, "--favorable", "no", "--json")
    assert ran.groups("sex")["Female"]["n_selected"] == 100


def test_labels_have_a_favourable_value_of_their_own(run, loans):
    ran = run("audit", loans, *BASE, "--label", "repaid", "--label-favorable", "good", "--json")
    assert "good" in ran.json["label_favorable"]
    assert ran.groups("sex")["Female"]["base_rate"] == 0.8


def test_scores_decide_at_a_threshold(run, loans):
    options = ("--score", "score", "--score-threshold", 0.9, "--sensitive", "sex", "--json")
    above = run("audit", loans, *options)
    assert above.groups("sex")["Female"]["n_selected"] == 10
    below = run("audit", loans, *options, "--lower-score-favorable")
    assert below.groups("sex")["Female"]["n_selected"] == 91


def test_scores_beside_decisions_are_averaged(run, loans):
    ran = run("audit", loans, *BASE, "--score", "score", "--json")
    assert ran.groups("sex")["Female"]["mean_score"] == pytest.approx(0.495)


def test_control_columns_split_the_audit(run, loans):
    ran = run("audit", loans, *BASE, "--control", "region", "--json")
    assert ran.json["control_features"] == ["region"]
    assert {row["region"] for row in ran.json["by_group"]} == {"north", "south"}


def test_weights_weigh(run, loans):
    ran = run("audit", loans, *BASE, "--weight", "weight", "--json")
    rows = [row for row in loan_rows() if row["sex"] == "Female"]
    total = sum(row["weight"] for row in rows)
    chosen = sum(row["weight"] for row in rows if row["approved"] == "yes")
    assert ran.groups("sex")["Female"]["selection_rate"] == pytest.approx(chosen / total)


@pytest.mark.parametrize(
    ("given", "reference"),
    [
        (("--reference", "best"), "Male"),
        (("--reference", "Female"), "Female"),
        (("--reference", "sex=Female"), "Female"),
        ((), "Male"),
    ],
)
def test_the_reference_group_is_chosen(run, loans, given, reference):
    groups = run("audit", loans, *BASE, *given, "--json").groups("sex")
    assert [name for name, row in groups.items() if row["reference"]] == [reference]


def test_the_largest_group_may_be_the_reference(run, loans):
    given = ("--sensitive", "race", "--reference", "largest", "--json")
    groups = run("audit", loans, *BASE, *given).groups("race")
    assert groups["White"]["reference"]


def test_bins_cut_a_numeric_column(run, loans):
    options = ("--decision", "approved", "--favorable", "yes", "--sensitive", "age")
    ran = run("audit", loans, *options, "--bins", "age=40,60", "--json")
    assert list(ran.groups("age")) == ["< 40", "40-59", ">= 60"]


def test_unknown_groups_are_excluded_and_listed_by_default(run, loans):
    ran = run("audit", loans, *BASE, "--sensitive", "race", "--json")
    assert ran.json["missing"] == "drop"
    assert {row["column"]: row["n_missing"] for row in ran.json["unknown"]} == {"sex": 0, "race": 4}
    assert sum(row["n"] for row in ran.groups("race").values()) == 196
    assert "4 rows of unknown race" in ran.err


def test_unknown_groups_may_be_a_group_or_an_error(run, loans):
    options = ("audit", loans, *BASE, "--sensitive", "race", "--json", "--missing")
    assert "(missing)" in run(*options, "group").groups("race")
    refused = run(*options, "error")
    assert refused.status == 2
    assert "--missing drop" in refused.err
    assert refused.out == ""


def test_a_text_may_mean_missing(run, loans):
    ran = run("audit", loans, *BASE, "--sensitive", "region", "--missing-value", "north", "--json")
    assert {row["column"]: row["n_missing"] for row in ran.json["unknown"]}["region"] == 100


def test_complete_rows_leaves_out_rows_with_anything_missing(run, loans):
    ran = run("audit", loans, *BASE, "--missing-value", "?", "--complete-rows", "--json")
    complete = [row for row in loan_rows() if row["race"] and row["note"] != "?"]
    assert ran.json["n_rows"] == len(complete)


def test_where_keeps_rows(run, loans):
    ran = run("audit", loans, *BASE, "--where", "age >= 30 AND region = 'north'", "--json")
    kept = [row for row in loan_rows() if row["age"] >= 30 and row["region"] == "north"]
    assert ran.json["n_rows"] == len(kept)


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_cells_are_separated_as_said(run, tmp_path, mark):
    path = write_csv(tmp_path / "a.csv", loan_rows(), delimiter=mark)
    said = run("audit", path, *BASE, "--sep", "tab" if mark == "\t" else mark, "--json")
    assert said.groups("sex")["Female"]["n_selected"] == 30


def test_an_encoding_is_as_said(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(("land,ok\n" + "Österreich,1\nNorge,0\n" * 40).encode("cp1252"))
    ran = run(
        "audit", path, "--decision", "ok", "--sensitive", "land", "--encoding", "cp1252", "--json"
    )
    assert "Österreich" in ran.groups("land")
    refused = run("audit", path, "--decision", "ok", "--sensitive", "land")
    assert refused.status == 2
    assert "--encoding cp1252" in refused.err


def test_decimal_commas_and_thousands_are_as_said(run, tmp_path):
    rows = [{"sex": "f" if i % 2 else "m", "score": f"1.{i:03d},5"} for i in range(100)]
    path = write_csv(tmp_path / "a.csv", rows, delimiter=";")
    options = ("--score", "score", "--score-threshold", 1050, "--sensitive", "sex")
    ran = run("audit", path, *options, "--decimal", ",", "--thousands", ".", "--json")
    assert sum(row["n_selected"] for row in ran.groups("sex").values()) == 50


def test_confidence_group_size_resamples_and_seed_are_used_and_stated(run, loans):
    options = ("--confidence", 0.9, "--min-group-size", 150, "--resamples", 500, "--seed", 7)
    ran = run("audit", loans, *BASE, *options, "--json")
    found = ran.json
    assert (found["confidence"], found["min_group_size"]) == (0.9, 150)
    assert (found["n_resamples"], found["random_state"]) == (500, 7)
    assert ran.groups("sex")["Female"]["status"] == "small group: n = 100 < 150"


def test_numbers_do_not_depend_on_threads(run, loans):
    one, two, every = (run("audit", loans, *BASE, "--json", "--n-jobs", n).out for n in (1, 2, -1))
    assert one == two == every


def test_p_values_are_there_when_asked_for(run, loans):
    ran = run("audit", loans, *BASE, "--p-values", "--json")
    assert 0 < ran.groups("sex")["Female"]["p_value"] < 0.001


def test_markdown(run, loans):
    ran = run("audit", loans, *BASE, "--markdown")
    assert ran.out.startswith("# Audit of loans.csv\n")
    assert ran.status == 0


def test_csv_is_one_table(run, loans):
    rows = list(csv.DictReader(io.StringIO(run("audit", loans, *BASE, "--csv").out, newline="")))
    assert [row["group"] for row in rows] == ["Female", "Male"]
    assert float(rows[0]["selection_rate"]) == 0.3


@pytest.mark.parametrize("table", ["rates", "gaps", "summary", "overall", "unknown"])
def test_csv_of_any_table(run, loans, table):
    ran = run("audit", loans, *BASE, "--csv", "--table", table)
    assert ran.status == 0
    assert len(list(csv.reader(io.StringIO(ran.out, newline="")))) >= 2


def test_the_layout_of_local_law_144(run, loans):
    ran = run("audit", loans, *BASE, "--sensitive", "race", "--layout", "ll144")
    assert "Not legal advice" in ran.out
    assert "unknown race: 4 (2.0%)" in ran.out
    csv_out = run("audit", loans, *BASE, "--sensitive", "race", "--layout", "ll144", "--csv").out
    assert csv_out.startswith("grouping,category,n_applicants,")
    markdown = run("audit", loans, *BASE, "--sensitive", "race", "--layout", "ll144", "--markdown")
    assert "## sex x race" in markdown.out


def test_that_layout_as_a_page_to_publish(run, loans, tmp_path):
    page = tmp_path / "page.html"
    options = ("--sensitive", "race", "--layout", "ll144", "-o", page)
    given = ("--audit-date", "2026-11-01", "--data-source", "applications of 2025 & 2026")
    assert run("audit", loans, *BASE, *options, *given).status == 0
    text = page.read_text(encoding="utf-8")
    assert "<td>2026-11-01</td>" in text
    assert "applications of 2025 &amp; 2026" in text
    assert "sex x race (intersectional)" in text
    assert "4 applicants of unknown race" in text
    refused = run("audit", loans, *BASE, "--audit-date", "2026-11-01")
    assert (refused.status, "--audit-date needs --layout ll144" in refused.err) == (2, True)


def test_scores_decide_by_their_median(run, loans):
    options = ("--score", "score", "--sensitive", "sex", "--score-threshold")
    ran = run("audit", loans, *options, "median", "--json")
    frame = pd.read_csv(loans)
    median = frame["score"].median()
    assert ran.json["favorable"] == f"favourable: score > {median:g}, the median of all scores"
    above = (frame["score"] > median)[frame["sex"] == "Female"].sum()
    assert ran.groups("sex")["Female"]["n_selected"] == above
    layout = run("audit", loans, *options, "median", "--layout", "ll144")
    assert layout.out.startswith("Summary of scoring rates and impact ratios")
    wrong = run("audit", loans, *options, "mean")
    assert (wrong.status, "Write a number, or median" in wrong.err) == (2, True)


def test_small_categories_of_that_layout_may_be_left_out(run, loans):
    options = ("--sensitive", "race", "--layout", "ll144", "--min-share", 0.4, "--json")
    ran = run("audit", loans, *BASE, *options, "--exclude-below-min-share")
    black = next(row for row in ran.json["categories"] if row["category"] == "Black")
    assert black["impact_ratio"] is None
    assert "under 40% of applicants; left out of the impact ratio" in black["note"]


def test_quiet_has_no_words(run, loans):
    loud = run("audit", loans, *BASE, "--sensitive", "race", "--json")
    quiet = run("audit", loans, *BASE, "--sensitive", "race", "--json", "--quiet")
    assert loud.err != ""
    assert quiet.err == ""
    assert quiet.out == loud.out


def test_what_is_favourable_is_told_as_assumed_only_where_nobody_said_it(run, tmp_path):
    rows = [{"sex": "fm"[i % 2], "ok": i % 3 % 2, "paid": i % 5 % 2} for i in range(90)]
    path = write_csv(tmp_path / "a.csv", rows)
    given = ("audit", path, "--decision", "ok", "--sensitive", "sex", "--label", "paid")
    out = run(*given).out
    assert "favourable: ok = '1' (assumed; see --favorable)" in out
    assert "label that is favourable: paid = '1' (assumed; see --label-favorable)" in out
    assert "assumed" not in run(*given, "--favorable", "1").out
    assert run(*given, "--json").json["favorable"].endswith("(assumed; see --favorable)")
