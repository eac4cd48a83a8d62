"""``arbitree explain``: from a file to a sum, a table, a picture and an exit status."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.cli import main

FAST = ("--cross-fit", "0", "--bootstrap", "0")


@pytest.fixture(scope="module")
def loans() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    n = 400
    group = np.where(np.arange(n) % 2 == 0, "Male", "Female")
    tenure = rng.integers(0, 12, n) + 3 * (group == "Male")
    age = rng.integers(20, 60, n)
    approved = np.where((tenure > 5) & (age > 25), "yes", "no")
    return pd.DataFrame(
        {
            "tenure": tenure,
            "age": age,
            "city": np.where(rng.random(n) < 0.4, "north, old", "south"),
            "sex": np.where(np.arange(n) == 9, "", group),
            "approved": approved,
            "repaid": np.where(rng.random(n) < 0.7, "good", "bad"),
            "score": (tenure / 20).round(2),
            "constant": "same",
        }
    )


@pytest.fixture
def file(loans, tmp_path) -> Path:
    path = tmp_path / "loans.csv"
    loans.to_csv(path, index=False)
    return path


@pytest.fixture
def explained(file, capfd):
    """Run the command on the file.  -> status, standard output, standard error"""

    def run_command(*arguments: object, on: object = file, fast: bool = True):
        capfd.readouterr()
        given = ["explain", on, "--sensitive", "sex", *(FAST if fast else ()), *arguments]
        status = main([str(argument) for argument in given])
        return (status, *capfd.readouterr())

    return run_command


DECIDED = ("--decision", "approved", "--favorable", "yes", "--features", "tenure,age")


def test_the_first_line_is_the_gap_as_a_sum_that_adds_up(explained, loans):
    status, out, _ = explained(*DECIDED)
    line = out.split("\n\n")[0].replace("\n", " ")
    assert status == 0
    found = re.match(r"gap ([\d.]+) pp \(Male over Female\) = (.*)$", line)
    parts = re.findall(r"(?:^|([-+]) )[\w ()]+? (\d+\.\d)(?= |$)", found[2])
    total = sum(-float(value) if sign == "-" else float(value) for sign, value in parts)
    assert total == pytest.approx(float(found[1]), abs=1e-9)
    known = loans[loans["sex"] != ""]
    rates = (known["approved"] == "yes").groupby(known["sex"]).mean()
    assert float(found[1]) == pytest.approx(100 * (rates["Male"] - rates["Female"]), abs=0.05)


def test_a_file_and_a_frame_give_the_same_numbers(explained, loans):
    _, out, _ = explained(*DECIDED, "--json")
    told = json.loads(out)
    known = loans[loans["sex"] != ""]
    infl = ar.explain_gap(
        known[["tenure", "age"]],
        known["approved"],
        sensitive_features=known["sex"],
        favorable_label="yes",
        cross_fit=0,
        n_bootstrap=0,
    )
    assert told["schema"] == "arbitree/influence"
    assert told["source"]["name"] == "loans.csv"
    assert len(told["source"]["sha256"]) == 64
    assert told["gap"] == pytest.approx(infl.gap)
    assert told["unexplained"] == pytest.approx(infl.unexplained, abs=1e-6)
    assert [row["features"] for row in told["table"]] == [list(f) for f in infl.table["features"]]


def test_the_same_command_gives_the_same_bytes(explained):
    options = (*DECIDED, "--json", "--cross-fit", "2", "--bootstrap", "4", "--seed", "3")
    assert explained(*options, fast=False)[1] == explained(*options, fast=False)[1]


def test_unknown_groups_are_left_out_and_told(explained):
    _, out, err = explained(*DECIDED, "--json")
    assert "1 row of unknown group" in err
    assert any("1 row of unknown group" in notice for notice in json.loads(out)["notices"])


def test_all_columns_without_a_role_are_features_but_for_those_excluded(explained):
    _, out, _ = explained(
        "--decision",
        "approved",
        "--favorable",
        "yes",
        "--max-order",
        1,
        "--exclude",
        "score,repaid",
        "--csv",
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["features"] for row in rows} == {"tenure", "age", "city", "constant"}


def test_excluding_what_is_no_feature_is_an_error(explained):
    status, out, err = explained(*DECIDED, "--exclude", "agee")
    assert (status, out) == (2, "")
    assert "--exclude names 'agee'" in err
    assert "Did you mean 'age'?" in err


def test_pairs_are_written_with_a_cross_in_csv(explained):
    _, out, _ = explained(*DECIDED, "--csv")
    names = {row["features"] for row in csv.DictReader(io.StringIO(out))}
    assert names == {"tenure", "age", "tenure x age"}


def test_groups_are_named_in_any_order_and_wrong_ones_listed(explained):
    _, out, _ = explained(*DECIDED, "--groups", "Female,Male")
    assert "(Male over Female)" in out
    status, _, err = explained(*DECIDED, "--groups", "Female,Other")
    assert status == 2
    assert "'Other'" in err
    assert explained(*DECIDED, "--groups", "Female")[0] == 2


def test_a_metric_of_labels_names_its_condition(explained):
    _, out, _ = explained(
        *DECIDED, "--label", "repaid", "--label-favorable", "good", "--metric", "equal_opportunity"
    )
    assert "rows with favourable label" in out.replace("\n", " ")


def test_of_0_and_1_the_1_is_assumed_to_be_favourable_and_told(explained, loans, tmp_path):
    coded = tmp_path / "coded.csv"
    loans.assign(approved=(loans["approved"] == "yes").astype(int)).to_csv(coded, index=False)
    assumed = "(assumed; see --favorable)"
    features = ("--features", "tenure,age")
    assert assumed in explained("--decision", "approved", *features, on=coded)[1]
    for more in (("--favorable", "1"), ("--score-threshold", "0.5")):
        assert assumed not in explained("--decision", "approved", *features, *more, on=coded)[1]


def test_a_score_with_a_threshold_decides(explained):
    status, out, _ = explained("--score", "score", "--score-threshold", 0.3, "--features", "tenure")
    assert status == 0
    assert "score >= 0.3" in out


@pytest.mark.parametrize(
    ("extra", "advice"),
    [
        (("--metric", "equalized_odds"), "--label"),
        (("--max-gap", "2"), "--max-gap"),
        (("--max-display", "1"), "--max-display"),
        (("--pairs", "some"), "--pairs"),
        (("--max-order", "4"), "--max-order"),
        (("--n-intervals", "0"), "n_intervals"),
        (("--json", "--csv"), "one format"),
        (("--plot", "picture.doc"), ".svg"),
        (("--plot", "nowhere/picture.png"), "no folder"),
    ],
)
def test_what_makes_no_sense_is_an_input_error_that_says_what_to_do(explained, extra, advice):
    status, out, err = explained(*DECIDED, *extra)
    assert (status, out) == (2, "")
    assert advice in err


def test_a_gap_above_the_gate_is_1_and_below_it_0(explained):
    status, out, err = explained(*DECIDED, "--max-gap", 0.01, "--quiet")
    assert status == 1
    assert out.startswith("gap ")
    assert "gate failed: statistical_parity gap is" in err
    status, _, err = explained(*DECIDED, "--max-gap", 1)
    assert status == 0
    assert "gate passed" in err


def test_one_group_is_not_estimable(explained, loans, tmp_path):
    path = tmp_path / "men.csv"
    loans[loans["sex"] == "Male"].to_csv(path, index=False)
    status, out, err = explained(*DECIDED, on=path)
    assert (status, out) == (3, "")
    assert "not estimable" in err


@pytest.mark.parametrize(
    ("end", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_a_picture_is_written_the_same_every_time(explained, tmp_path, end, begins):
    path = tmp_path / f"picture.{end}"
    status, _, err = explained(*DECIDED, "--plot", path)
    first = path.read_bytes()
    assert status == 0
    assert f"wrote {path}" in err
    assert first.startswith(begins)
    explained(*DECIDED, "--plot", path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("end", ["txt", "md", "json", "csv", "html", "tex"])
def test_results_go_to_a_file_and_words_to_standard_error(explained, tmp_path, end):
    path = tmp_path / f"found.{end}"
    status, out, err = explained(*DECIDED, "-o", path)
    assert (status, out) == (0, "")
    assert f"wrote {path}" in err
    assert "gap " in err
    assert "tenure" in path.read_text(encoding="utf-8")


def test_a_picture_and_results_need_a_file_each(explained, file):
    assert explained(*DECIDED, "--plot", file.with_suffix(".png"), on=file)[0] == 0
    png = file.with_suffix(".png")
    assert explained(*DECIDED, "--plot", png, "--json", "-o", png)[0] == 2


def test_quiet_says_nothing_on_standard_error(explained):
    assert explained(*DECIDED, "--quiet")[2] == ""


def test_markdown_is_a_document(explained):
    _, out, _ = explained(*DECIDED, "--markdown")
    assert out.startswith("# What explains the gap: statistical parity\n")
