"""What an exit status means: 0 fine, 1 a gate failed, 2 input error, 3 not estimable."""

from __future__ import annotations

import pytest

import arbitree as ar
from arbitree.cli import app as commands

from .conftest import BASE, loan_rows, write_csv


def test_without_a_gate_an_audit_is_fine(run, loans):
    assert run("audit", loans, *BASE).status == 0


def test_an_impact_ratio_below_the_threshold_fails(run, loans):
    ran = run("audit", loans, *BASE, "--fail-under", 0.8)
    assert ran.status == 1
    assert "gate failed: sex: impact ratio of Female is 0.500, below 0.8" in ran.err
    assert "200 rows" in ran.out


def test_an_impact_ratio_at_the_threshold_passes(run, loans):
    ran = run("audit", loans, *BASE, "--fail-under", 0.5)
    assert ran.status == 0
    assert "gate passed: every impact ratio is at least 0.5" in ran.err


def test_a_gap_above_the_threshold_fails_whatever_its_sign(run, loans):
    for reference in ("Female", "Male"):
        ran = run("audit", loans, *BASE, "--max-gap", 0.29, "--reference", reference)
        assert ran.status == 1
        assert "gap of Male over Female is 0.300, above 0.29" in ran.err
    assert run("audit", loans, *BASE, "--max-gap", 0.31).status == 0


@pytest.mark.parametrize("gate", [{"fail_under": 0.8}, {"max_gap": 0.05}, {"max_gap": 0.5}])
def test_the_command_and_python_agree(run, loans, gate):
    options = [part for k, v in gate.items() for part in (f"--{k.replace('_', '-')}", v)]
    ran = run("audit", loans, *BASE, *options)
    frame = loan_rows()
    found = ar.audit(
        [row["approved"] for row in frame],
        sensitive_features={"sex": [row["sex"] for row in frame]},
        favorable_label="yes",
    )
    verdict = found.check(**gate)
    assert ran.status == verdict.exit_code
    assert all(f"gate failed: {failure}" in ran.err for failure in verdict.failures)


def test_failures_are_told_even_when_quiet(run, loans):
    ran = run("audit", loans, *BASE, "--fail-under", 0.8, "--quiet")
    assert ran.status == 1
    assert "gate failed" in ran.err


@pytest.fixture
def no_good_labels(tmp_path):
    """A file in which no woman has a favourable label."""
    rows = loan_rows()
    for row in rows:
        row["repaid"] = "bad" if row["sex"] == "Female" else row["repaid"]
    return write_csv(tmp_path / "a.csv", rows)


def test_a_metric_that_cannot_be_decided_is_3_and_says_why(run, no_good_labels):
    options = ("--label", "repaid", "--label-favorable", "good")
    asked = run("audit", no_good_labels, *BASE, *options, "--metric", "equal_opportunity")
    assert asked.status == 3
    assert "not estimable: sex: equal_opportunity" in asked.err
    assert "0 favourable labels" in asked.err
    gated = run(
        "audit", no_good_labels, *BASE, *options, "--metric", "equalized_odds", "--max-gap", 0.9
    )
    assert gated.status == 3
    assert run("audit", no_good_labels, *BASE, *options).status == 0


def test_nobody_selected_cannot_pass_a_gate_on_ratios(run, tmp_path):
    rows = [row | {"approved": "no"} for row in loan_rows()]
    rows[0]["race"], rows[0]["approved"] = "Black", "yes"
    path = write_csv(tmp_path / "a.csv", rows)
    ran = run("audit", path, *BASE, "--where", "approved = 'no'", "--fail-under", 0.8)
    assert ran.status in (2, 3)
    assert ran.err


def test_a_failure_outweighs_what_is_undecided(run, no_good_labels):
    options = ("--label", "repaid", "--label-favorable", "good", "--metric", "equal_opportunity")
    ran = run("audit", no_good_labels, *BASE, *options, "--fail-under", 0.8)
    assert ran.status == 1
    assert "not estimable" in ran.err


BAD_USAGE = {
    "no sensitive column": (("--decision", "approved"), "--sensitive"),
    "no decision": (("--sensitive", "sex"), "Give --decision COL"),
    "an unknown option": ((*BASE, "--nope"), "--nope"),
    "a word for a number": ((*BASE, "--seed", "x"), "--seed"),
    "a policy that is none": ((*BASE, "--missing", "x"), "--missing"),
    "a column that is not there": ((*BASE, "--label", "repayed"), "Did you mean 'repaid'?"),
    "a value that is not there": ((*BASE[:2], "--sensitive", "sex", "--favorable", "y"), "'yes'"),
    "no favourable value": ((*BASE[:2], "--sensitive", "sex"), "Pass --favorable no or"),
    "a number as a group": ((*BASE, "--sensitive", "age"), "--bins age=25,40,65"),
    "a reference that is no group": ((*BASE, "--reference", "Mal"), "Did you mean 'Male'?"),
    "a confidence beyond 1": ((*BASE, "--confidence", 2), "--confidence is 2"),
    "a ratio beyond 1": ((*BASE, "--fail-under", 80), "--fail-under is 80"),
    "a gap below 0": ((*BASE, "--max-gap", -0.1), "--max-gap is -0.1"),
    "a metric that is none": ((*BASE, "--metric", "equal_odds"), "equalized_odds"),
    "a metric without labels": ((*BASE, "--metric", "equalized_odds"), "--label"),
    "no threads": ((*BASE, "--n-jobs", 0), "--n-jobs is 0"),
    "cut points that are none": ((*BASE, "--bins", "age"), "--bins age=25,40,65"),
    "bins of another column": ((*BASE, "--bins", "age=30"), "age"),
    "a score without a threshold": (("--sensitive", "sex", "--score", "score"), "threshold"),
    "decisions from two places": ((*BASE, "--score-threshold", 0.5), "not from both"),
    "a direction of nothing": ((*BASE, "--lower-score-favorable"), "--score-threshold T"),
    "a label value of no label": ((*BASE, "--label-favorable", "good"), "--label COL"),
    "a column twice": ((*BASE, "--sensitive", "sex"), "names 'sex' twice"),
    "an empty name": ((*BASE, "--sensitive", ","), "empty name"),
    "an open quote": ((*BASE, "--sensitive", '"a'), "quote"),
    "two formats": ((*BASE, "--json", "--csv"), "in one format"),
    "a table of no CSV": ((*BASE, "--table", "gaps"), "--csv"),
    "a share of another layout": ((*BASE, "--min-share", 0.1), "--layout ll144"),
    "a crossing that is not there": (
        (*BASE, "--sensitive", "race", "--no-cross", "--layout", "ll144"),
        "Audit with --cross",
    ),
    "a condition that is none": ((*BASE, "--where", "age >"), "age >"),
    "an encoding that is none": ((*BASE, "--encoding", "x"), "--encoding x"),
}


@pytest.mark.parametrize(("options", "advice"), BAD_USAGE.values(), ids=BAD_USAGE)
def test_a_usage_error_is_one_line_of_advice(run, loans, options, advice):
    ran = run("audit", loans, *options)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("arbitree: ")
    assert advice in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("text", "advice"),
    [("", "is empty"), ("sex,approved\n", "no rows"), ("approved\nyes\nno\n", "no column 'sex'")],
)
def test_files_without_the_data_are_errors(run, tmp_path, text, advice):
    path = tmp_path / "a.csv"
    path.write_text(text)
    ran = run("audit", path, *BASE)
    assert ran.status == 2
    assert advice in ran.err


def test_a_file_that_is_not_there_is_an_input_error(run, tmp_path):
    ran = run("audit", tmp_path / "nope.csv", *BASE)
    assert ran.status == 2
    assert "nope.csv" in ran.err
    assert ran.err.count("\n") == 1


def test_a_byte_order_mark_is_no_part_of_a_name(run, tmp_path):
    text = "sex,approved\n" + "f,yes\nm,no\n" * 40
    (tmp_path / "a.csv").write_bytes(text.encode("utf-8-sig"))
    assert run("audit", tmp_path / "a.csv", *BASE).status == 0


def test_an_error_of_ours_shows_a_traceback_and_is_not_a_failed_gate(run, loans, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr("arbitree.table.reader.read", broken)
    ran = run("audit", loans, *BASE)
    assert ran.status == commands.INTERNAL_ERROR
    assert "Traceback" in ran.err
    assert "RuntimeError: a bug" in ran.err


def test_warnings_of_ours_are_notes(run, loans, monkeypatch):
    import warnings

    from arbitree.table import reader

    read = reader.read

    def warned(*arguments, **options):
        warnings.warn("look at\nthis", ar.ArbitreeWarning, stacklevel=1)
        return read(*arguments, **options)

    monkeypatch.setattr("arbitree.table.reader.read", warned)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert "arbitree: note: look at this\n" in run("audit", loans, *BASE).err


def test_no_command_shows_help(run):
    ran = run()
    assert ran.status == 2
    assert "audit" in ran.err


@pytest.mark.parametrize("arguments", [("--help",), ("audit", "--help"), ("demo", "--help")])
def test_help_is_data(run, arguments):
    ran = run(*arguments)
    assert ran.status == 0
    assert "Usage" in ran.out
    assert ran.err == ""


def test_the_version_names_what_it_runs_on(run):
    ran = run("--version")
    assert ran.status == 0
    assert f"arbitree {ar.__version__}\n" in ran.out
    for package in ("python", "numpy", "pandas", "narwhals", "duckdb", "matplotlib"):
        assert f"\n{package} " in ran.out


def test_an_empty_path_is_refused(run):
    result = run("audit", "", "--decision", "d", "--sensitive", "s")
    assert result.status == 2
    assert "path is empty" in result.err


@pytest.mark.parametrize("options", [["--seed", "-1"], ["--rows", "1"]])
def test_a_demo_of_nothing_is_a_usage_error(run, options):
    assert run("demo", *options).status == 2


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("audit", "x.csv", "--nope"), "arbitree audit"),
        (("audit", "--sensitive"), "arbitree audit"),
        (("demo", "--nope"), "arbitree demo"),
        (("nope",), "arbitree"),
    ],
)
def test_a_usage_error_names_the_help_of_its_command(run, arguments, command):
    assert f"See {command} --help." in run(*arguments).err


def test_help_at_80_columns_cuts_no_option(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    ran = run("audit", "--help")
    assert "--exclude-below-min-share " in ran.out
    assert "…" not in ran.out


def test_a_failure_says_that_the_reference_is_a_small_group(run, tmp_path):
    rows = [{"g": "a" if i < 5 else "b", "ok": int(i < 25)} for i in range(105)]
    ran = run(
        *("audit", write_csv(tmp_path / "a.csv", rows), "--decision", "ok", "--sensitive", "g"),
        *("--fail-under", 0.8),
    )
    assert "below 0.8 (the reference a is a small group: n = 5 < 30)" in ran.err


@pytest.fixture
def tiny_group(tmp_path):
    """Two large groups, and one of 5 of 2,005 in which everybody is selected."""
    path = tmp_path / "tiny.csv"
    rows = ["a,1"] * 400 + ["a,0"] * 600 + ["b,1"] * 380 + ["b,0"] * 620 + ["t,1"] * 5
    path.write_text("race,hired\n" + "\n".join(rows) + "\n")
    return path


def test_a_gate_holds_the_impact_ratios_that_the_layout_shows(run, tiny_group):
    asked = ["audit", str(tiny_group), "--decision", "hired", "--sensitive", "race"]
    gate = ["--layout", "ll144", "--fail-under", "0.8"]
    assert run(*asked, *gate).status == 1
    assert run(*asked, *gate, "--exclude-below-min-share").status == 0


def test_the_ll144_layout_takes_no_reference_group(run, tiny_group):
    asked = ["audit", str(tiny_group), "--decision", "hired", "--sensitive", "race"]
    result = run(*asked, "--layout", "ll144", "--reference", "b")
    assert result.status == 2
    assert "most selected category" in result.err
