"""``arbitree learn``: from a file to a tree, its gap split by split, and an exit status."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

from .conftest import Ran
from .processes import finished, signalled


@pytest.fixture(scope="module")
def loans() -> pd.DataFrame:
    """Women have shorter tenures; of three people the group is unknown, of two the label."""
    rng = np.random.default_rng(3)
    n = 600
    sex = np.where(np.arange(n) % 2 == 0, "Male", "Female")
    tenure = rng.integers(0, 12, n) + 3 * (sex == "Male")
    age = rng.integers(20, 60, n)
    good = rng.random(n) < 0.15 + 0.06 * tenure + 0.2 * (age > 40)
    frame = pd.DataFrame(
        {
            "tenure": tenure,
            "age": age,
            "city": np.where(rng.random(n) < 0.4, "north, old", "south"),
            "sex": sex,
            "race": rng.choice(["a", "b"], n),
            "weight": rng.integers(0, 3, n),
            "repaid": np.where(good, "yes", "no"),
            "flag": good.astype(int),
        }
    )
    frame.loc[[9, 10, 11], "sex"] = ""
    frame.loc[[20, 21], "repaid"] = ""
    return frame


@pytest.fixture
def file(loans, tmp_path) -> Path:
    path = tmp_path / "loans.csv"
    loans.to_csv(path, index=False)
    return path


@pytest.fixture
def learn(run, file):
    """Run the command on the file, on columns that make sense."""

    def run_command(*arguments: object, on: object = file) -> Ran:
        given = ["learn", on, "--label", "repaid", "--favorable", "yes", "--sensitive", "sex"]
        return run(*given, "--exclude", "flag,weight,race", *arguments)

    return run_command


def _sums(told: dict) -> pd.Series:
    splits = pd.DataFrame(told["splits"])
    pair = ["condition", "group_high", "group_low"]
    return splits.groupby(pair)["contribution"].sum()


def test_a_file_and_a_frame_give_the_same_tree(learn, loans, tmp_path):
    path = tmp_path / "tree.json"
    ran = learn("--test-share", 0, "--max-leaves", 6, "-o", path)
    known = loans[(loans["sex"] != "") & (loans["repaid"] != "")]
    model = ar.TreeClassifier(max_leaf_nodes=6, min_samples_leaf=20, favorable_label="yes")
    model.fit(known[["tenure", "age", "city"]], known["repaid"], sensitive_features=known[["sex"]])
    again = ar.read_tree(path)
    assert ran.status == 0
    assert again.export_text() == model.export_text()
    assert again.favorable_label_ == "yes"
    pd.testing.assert_frame_equal(again.parity_report_, model.parity_report_)


def test_what_the_splits_add_sums_to_the_gap(learn):
    told = learn("--json", "--max-leaves", 5).json
    assert told["schema"] == "arbitree/learned"
    assert _sums(told).max() == pytest.approx(told["training"]["gap"])
    assert told["training"]["gap"] > 0.05


def test_the_numbers_of_both_parts_are_those_of_the_tree(learn, loans, tmp_path):
    path = tmp_path / "tree.json"
    told = learn("--json", "-o", path).json
    known = loans[(loans["sex"] != "") & (loans["repaid"] != "")]
    training, held_out = told["training"], told["held_out"]
    assert held_out["n_rows"] == round(0.3 * len(known))
    assert training["n_rows"] + held_out["n_rows"] == len(known)
    decided = ar.read_tree(path).predict(known[["tenure", "age", "city"]])
    hits = sum(part["accuracy"] * part["n_rows"] for part in (training, held_out))
    assert hits == pytest.approx((decided == known["repaid"]).sum())
    favored = sum(
        group["rate"] * group["n"]
        for part in (training, held_out)
        for group in part["by_group"]
        if group["group"] == "Female"
    )
    assert favored == pytest.approx((decided[known["sex"] == "Female"] == "yes").sum())
    assert held_out["gap_low"] <= held_out["gap"] <= held_out["gap_high"]
    assert training["gap_low"] is None


def test_a_bounded_gap_is_kept_on_training_rows(learn):
    free = learn("--json", "--test-share", 0).json["training"]
    ran = learn("--json", "--max-gap", 0.05, "--test-share", 0)
    assert ran.json["training"]["gap"] <= 0.05 + 1e-9 < free["gap"]
    assert ran.json["parity"]["type"] == "GapBudget"
    assert "gate passed: the gap on training rows is at most 5 pp" in ran.err


def test_a_gap_above_the_gate_is_1_and_says_what_was_reached(learn, tmp_path):
    path = tmp_path / "tree.json"
    ran = learn("--split-gap", 0.9, "--max-gap", 0.001, "-o", path, "--quiet")
    assert ran.status == 1
    assert "gate failed: on training rows the gap is " in ran.err
    assert "Male over Female, above 0.1 pp" in ran.err
    assert path.exists()


def test_a_held_out_gap_fails_only_beyond_chance(run, tmp_path):
    rng = np.random.default_rng(0)
    n = 4000
    sex = rng.choice(["f", "m"], n)
    frame = pd.DataFrame({"x": rng.integers(0, 50, n), "sex": sex})
    frame["y"] = (rng.random(n) < 0.2 + 0.01 * frame["x"]).astype(int)
    path = tmp_path / "even.csv"
    frame.to_csv(path, index=False)
    ran = run("learn", path, "--label", "y", "--sensitive", "sex", "--max-gap", 0.001)
    held_out = "on held-out rows" in ran.err
    assert ran.status == 0
    assert held_out
    assert "not by more than chance" in ran.err


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("--split", "multiway", "--split-gap", 0.3), "SplitGap"),
        (("--split", "logistic", "--covariance", 0.1), "Covariance"),
        (("--metric", "equalized_odds", "--max-gap", 0.2, "--max-depth", 2), "GapBudget"),
        (("--joint", "--split-gap", 0.4), "SplitGap"),
    ],
)
def test_every_kind_of_tree_and_bound_can_be_asked_for(learn, options, kind):
    ran = learn("--json", *options)
    assert ran.json["parity"]["type"] == kind
    assert ran.json["parity"]["joint"] is ("--joint" in options)
    assert ran.json["tree"]["parameters"]["parity"]["type"] == kind
    assert ran.json["n_leaves"] >= 2


def test_several_columns_are_compared_each_by_itself_and_the_text_says_so(run, file):
    given = ["learn", file, "--label", "repaid", "--favorable", "yes", "--sensitive", "sex,race"]
    given += ["--exclude", "flag,weight"]
    apart, together = run(*given), run(*given, "--joint")
    assert "compared: the groups of sex and of race, each column by itself" in apart.out
    assert "each column by itself" not in together.out
    assert "Female x a" in together.out


def test_what_gives_the_label_away_and_what_sounds_sensitive_is_told(run, file):
    given = ["learn", file, "--label", "repaid", "--favorable", "yes", "--sensitive", "sex"]
    out = " ".join(run(*given, "--exclude", "weight").out.split())
    assert "note: 'flag' alone predicts 'repaid' almost perfectly" in out
    assert "leave it out with --exclude." in out
    assert "note: 'age' and 'race' are by their names sensitive attributes" in out
    assert "Name such columns with --sensitive, or leave them out with --exclude." in out


def test_labels_of_which_nobody_said_what_is_favourable_are_told_as_assumed(run, file):
    given = ["learn", file, "--label", "flag", "--sensitive", "sex", "--exclude", "repaid,weight"]
    assert "favourable: flag = '1' (assumed; see --favorable)" in run(*given).out
    assert "assumed" not in run(*given, "--favorable", "1").out


def test_a_control_compares_within_its_levels(learn):
    told = learn("--json", "--control", "race", "--max-gap", 0.1).json
    assert told["metric"] == "conditional_statistical_parity"
    assert set(_sums(told).index.get_level_values("condition")) == {"race = a", "race = b"}
    assert _sums(told).max() <= 0.1 + 1e-9


def test_several_favourable_labels_count_as_one(run, loans, tmp_path):
    frame = loans[loans["repaid"] != ""]
    frame = frame.assign(grade=np.where(frame["age"] > 45, "best", frame["repaid"]))
    path = tmp_path / "grades.csv"
    frame.to_csv(path, index=False)
    out = tmp_path / "tree.json"
    ran = run(
        *("learn", path, "--label", "grade", "--favorable", "best", "--favorable", "yes"),
        *("--sensitive", "sex", "--features", "tenure,age", "--json", "-o", out),
    )
    assert ran.json["favorable"] == "favourable: grade = 'best' or 'yes'"
    model = ar.read_tree(out)
    assert model.classes_.tolist() == ["best", "no", "yes"]
    assert model.favorable_label_ == ["best", "yes"]


def test_labels_0_and_1_need_no_favorable_and_stay_numbers(run, file, tmp_path):
    path = tmp_path / "tree.json"
    given = ("learn", file, "--label", "flag", "--sensitive", "sex", "--features", "tenure,age")
    ran = run(*given, "-o", path)
    assert ran.status == 0
    assert "favourable: flag = '1'" in ran.out
    assert ar.read_tree(path).classes_.tolist() == [0, 1]


def test_a_weight_is_a_row_so_many_times(learn, loans, tmp_path):
    repeated = loans.loc[loans.index.repeat(loans["weight"])]
    path = tmp_path / "repeated.csv"
    repeated.to_csv(path, index=False)
    options = ("--test-share", 0, "--json", "--max-leaves", 5)
    one, many = learn(*options, "--weight", "weight").json, learn(*options, on=path).json
    assert one["tree"]["nodes"] == many["tree"]["nodes"]
    for name in ("accuracy", "balanced_accuracy", "gap"):
        assert one["training"][name] == pytest.approx(many["training"][name])


def test_a_tree_learnt_under_rules_obeys_them_and_its_file_keeps_them(learn, run, loans, tmp_path):
    rules = tmp_path / "rules.txt"
    rules.write_text("age < 25.5 and city = south => no  [id: young]\n")
    refused = learn("--rules", rules, "--max-gap", "0.05")
    assert refused.status == 2
    assert "--contradictions" in refused.err
    tree = tmp_path / "tree.json"
    told = learn("--rules", rules, "--max-gap", "0.3", "--contradictions", "relabel", "-o", tree)
    assert told.status == 0
    model = ar.read_tree(tree)
    people = loans[["tenure", "age", "city"]]
    young = (people["age"] <= 25) & (people["city"] == "south")
    assert set(model.predict(people[young])) == {"no"}
    assert "yes" in set(model.predict(people))
    assert ar.verify(model, rules.read_text()).status == "holds"
    assert run("verify", tree, "--rules", rules).status == 0
    read = json.loads(learn("--rules", rules, "--contradictions", "relabel", "--json").out)
    assert any("contradict a rule: relabelled" in notice for notice in read["notices"])


def test_the_report_has_a_line_a_node_and_fits_a_terminal(learn):
    ran = learn("--max-leaves", 7)
    lines = ran.out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:2] == ["node", "tree"])
    nodes = [line for line in lines[start + 1 :] if line.strip() and line.split()[0].isdigit()]
    assert [int(line.split()[0]) for line in nodes[:13]] == list(range(13))
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("tree of 7 leaves for repaid: accuracy ")
    adds = [float(line.split()[-1]) for line in nodes[:13] if line.split()[-1][0] in "+-"]
    gap = float(ran.out.split("to the gap of ")[1].split()[0])
    assert sum(adds) == pytest.approx(gap, abs=0.35)


def test_a_rule_about_a_sensitive_column_is_told_what_the_column_is(learn, tmp_path):
    (tmp_path / "rules.txt").write_text("sex = Male and age < 30 => no\n")
    found = learn("--rules", tmp_path / "rules.txt")
    assert found.status == 2
    assert "'sex' is sensitive, and no feature" in found.err
    assert "--allow-sensitive-splits" in found.err
    (tmp_path / "rules.txt").write_text("sexx = Male => no\n")
    assert "there is no feature 'sexx'" in learn("--rules", tmp_path / "rules.txt").err


def test_a_row_against_a_rule_is_not_named_by_its_place_among_rows_that_were_drawn(learn, tmp_path):
    (tmp_path / "rules.txt").write_text("age > 20 => no  [id: all]\n")
    found = learn("--rules", tmp_path / "rules.txt")
    assert found.status == 2
    assert "A row has the label 'yes', which rule 'all' forbids" in found.err


def test_wide_terminals_see_who_comes_where(learn, monkeypatch):
    assert "share of the group's rows" not in learn().out
    monkeypatch.setenv("COLUMNS", "120")
    assert "Male, Female: share of the group's rows that come to the node" in learn().out


def test_rows_without_a_label_or_a_group_are_left_out_and_told(learn):
    ran = learn()
    assert "3 rows of unknown sex (0.5%) left out" in ran.out
    assert "2 rows without a label left out" in ran.out
    assert learn("--missing", "error").status == 2
    groups = learn("--missing", "group", "--json").json["training"]["by_group"]
    assert {row["group"] for row in groups} == {"Female", "Male", "(missing)"}


def test_the_same_command_gives_the_same_bytes(learn):
    options = ("--json", "--max-gap", 0.1, "--seed", 5)
    assert learn(*options).out == learn(*options).out
    assert learn("--json").out != learn("--json", "--seed", 5).out


def test_words_go_to_standard_error_and_data_to_standard_output(learn):
    ran = learn("--json")
    assert ran.err.startswith("arbitree: tree of ")
    assert "arbitree" not in ran.out.splitlines()[0]
    assert learn("--json", "--quiet").err == ""
    assert learn("--markdown").out.startswith("# Tree for repaid\n\ntree of ")


@pytest.mark.parametrize(
    ("end", "begins"), [("json", "{"), ("py", '"""'), ("sql", "CASE"), ("onnx", "")]
)
def test_the_tree_is_written_in_the_format_of_its_name(learn, tmp_path, end, begins):
    if end == "onnx":
        pytest.importorskip("onnx")
    path = tmp_path / f"tree.{end}"
    ran = learn("-o", path)
    assert ran.status == 0
    assert f"wrote {path}" in ran.err
    assert path.read_bytes().startswith(begins.encode())
    assert end == "onnx" or path.read_bytes().endswith(b"\n")


def test_a_hyphen_writes_the_tree_to_standard_output_instead_of_the_report(learn, tmp_path):
    path = tmp_path / "tree.json"
    learn("-o", path)
    ran = learn("-o", "-")
    assert ran.out == path.read_text(encoding="utf-8")
    assert "tree of " in ran.err
    assert learn("-o", "-", "--json").status == 2


def test_a_picture_of_the_tree_is_the_same_every_time(learn, tmp_path):
    path = tmp_path / "tree.svg"
    assert learn("--plot", path).status == 0
    first = path.read_bytes()
    learn("--plot", path)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("extra", "advice"),
    [
        (("--label", "repayed"), "Did you mean 'repaid'?"),
        (("--sensitive", "sexx"), "Did you mean 'sex'?"),
        (("--features", "tenur"), "Did you mean 'tenure'?"),
        (("--exclude", "agee"), "Did you mean 'age'?"),
        (("--favorable", "yess"), "Did you mean 'yes'?"),
        (("--sensitive", "repaid"), "is a sensitive column too"),
        (("--features", "age,sex"), "--allow-sensitive-splits"),
        (("--features", "age,repaid"), "which is the label"),
        (("--covariance", "0.1", "--split-gap", "0.1"), "Give one"),
        (("--max-gap", "2"), "--max-gap is 2"),
        (("--split-gap", "-1"), "--split-gap is -1"),
        (("--covariance", "-1"), "c is -1"),
        (("--test-share", "1"), "--test-share is 1"),
        (("--confidence", "1"), "--confidence is 1"),
        (("--metric", "conditional_statistical_parity"), "--control"),
        (("--control", "race", "--metric", "equalized_odds"), "--control"),
        (("--json", "--markdown"), "one format"),
        (("-o", "tree.pickle"), ".json"),
        (("-o", "nowhere/tree.json"), "no folder"),
        (("--plot", "tree.doc"), ".svg"),
    ],
)
def test_what_makes_no_sense_is_an_input_error_that_says_what_to_do(run, file, extra, advice):
    base = {"--label": "repaid", "--favorable": "yes", "--sensitive": "sex"}
    base |= {"--exclude": "flag,weight"} if "--features" not in extra else {}
    given = [part for name, value in base.items() if name not in extra for part in (name, value)]
    ran = run("learn", file, *given, *extra)
    assert (ran.status, ran.out) == (2, "")
    assert advice in ran.err


def test_what_is_favourable_must_be_said_and_both_ways_are_shown(run, file):
    ran = run("learn", file, "--label", "repaid", "--sensitive", "sex")
    assert ran.status == 2
    assert "Pass --favorable no or --favorable yes" in ran.err
    assert run("learn", file, "--sensitive", "sex").status == 2


def test_the_file_that_is_read_is_not_written_over(learn, file, tmp_path):
    other = tmp_path / "loans.json"
    other.write_bytes(file.read_bytes())
    assert learn("-o", other, on=other).status == 2
    both = tmp_path / "tree.png"
    assert learn("--plot", both, "-o", tmp_path / "tree.json").status == 0


def test_sensitive_columns_may_be_split_on_when_insisted(run, file):
    given = ("--label", "repaid", "--favorable", "yes", "--sensitive", "sex", "--features", "sex")
    assert run("learn", file, *given).status == 2
    ran = run("learn", file, *given, "--allow-sensitive-splits")
    assert ran.status == 0
    assert "sex is Female" in ran.out


def test_columns_that_are_no_features_anyway_may_be_excluded(learn, loans, tmp_path):
    path = tmp_path / "named.csv"
    loans.assign(name=[f"person {k}" for k in range(len(loans))]).to_csv(path, index=False)
    plain = learn("--json").json["tree"]
    assert learn("--json", "--exclude", "sex,repaid,name", on=path).json["tree"] == plain


def test_one_group_or_one_label_is_nothing_to_compare_or_learn(learn, loans, tmp_path):
    men = tmp_path / "men.csv"
    loans[loans["sex"] == "Male"].to_csv(men, index=False)
    ran = learn(on=men)
    assert (ran.status, ran.out) == (3, "")
    assert "not estimable: 'sex': the training rows have no two groups" in ran.err
    good = tmp_path / "good.csv"
    loans[loans["repaid"] == "yes"].to_csv(good, index=False)
    ran = learn(on=good)
    assert ran.status == 2
    assert "no two outcomes" in ran.err


def test_a_tree_that_decides_alike_for_everybody_says_why(learn):
    ran = learn("--min-samples-leaf", 500)
    assert ran.status == 0
    assert "decides alike for everybody: No split is allowed or kept with" in ran.out
    assert "tree of 1 leaf that decides yes for everybody, for repaid" in " ".join(ran.out.split())


def test_splits_that_stand_in_for_the_group_are_told(run, loans, tmp_path):
    near = loans.dropna().copy()
    near = near[(near["sex"] != "") & (near["repaid"] != "")]
    is_male = near["sex"] == "Male"
    near["copy"] = np.where(is_male, "x", "z")
    near["nearly"] = np.where(np.arange(len(near)) % 30 == 0, "?", near["copy"])
    near["repaid"] = np.where(np.arange(len(near)) % 7 == 0, "no", np.where(is_male, "yes", "no"))
    path = tmp_path / "near.csv"
    near.to_csv(path, index=False)
    asked = ("learn", path, "--label", "repaid", "--favorable", "yes", "--sensitive", "sex")
    ran = run(*asked, "--features", "nearly,age")
    assert ran.status == 0, ran.err
    told = " ".join(ran.out.split())
    assert "Node 0 splits on 'nearly', which nearly tells sex" in told
    assert "'nearly' tells exactly" not in told
    ran = run(*asked, "--features", "copy,age")
    told = " ".join(ran.out.split())
    assert "'copy' tells exactly what 'sex' does" in told
    assert "Leave it out with --exclude unless" in told
    assert "nearly tells" not in " ".join(run(*asked, "--features", "age").out.split())


def test_the_impact_ratio_stands_beside_the_gap(learn):
    found = learn("--metric", "equal_opportunity", "--json").json["held_out"]
    text = " ".join(learn("--metric", "equal_opportunity").out.split())
    assert f"impact ratio {np.floor(100 * found['impact_ratio'] + 1e-9) / 100:.2f}" in text
    rates = [row["rate"] for row in learn("--json").json["held_out"]["by_group"]]
    one = learn("--json").json["held_out"]
    assert one["impact_ratio"] == pytest.approx(min(rates) / max(rates))


REAL = {
    "adult.csv.gz": (
        ("--label", "income", "--favorable", ">50K", "--sensitive", "sex"),
        ("--missing-value", "?", "--where", "age < 30"),
    ),
    "compas.csv.gz": (
        ("--label", "two_year_recid", "--favorable", "0", "--sensitive", "race"),
        ("--features", "age,priors_count,c_charge_degree", "--metric", "equalized_odds"),
    ),
    "german.csv": (
        ("--label", "class", "--favorable", "good", "--sensitive", "personal_status"),
        ("--no-joint", "--split", "multiway"),
    ),
    "titanic.csv": (("--label", "survived", "--sensitive", "sex"), ("--split", "logistic")),
}


@pytest.mark.parametrize("name", sorted(REAL))
def test_real_tables_give_trees_that_are_better_than_none(run, shared_data, name, tmp_path):
    if "--where" in REAL[name][1]:
        pytest.importorskip("duckdb")
    path = tmp_path / "tree.json"
    ran = run("learn", shared_data / name, *REAL[name][0], *REAL[name][1], "--json", "-o", path)
    told = ran.json
    largest = max(np.array(told["tree"]["nodes"][0]["weight"])) / told["training"]["n_rows"]
    assert ran.status == 0
    assert told["training"]["accuracy"] >= largest
    assert _sums(told).max() == pytest.approx(told["training"]["gap"])
    assert ar.read_tree(path).get_n_leaves() == told["n_leaves"]


GIVEN = ("--label", "repaid", "--favorable", "yes", "--sensitive", "sex", "--exclude", "flag")


def test_standard_input_works_as_a_file_does(file):
    done = finished("learn", "-", *GIVEN, "-o", "-", input=file.read_bytes())
    by_name = finished("learn", file, *GIVEN, "-o", "-")
    assert done.returncode == by_name.returncode == 0
    assert json.loads(done.stdout) == json.loads(by_name.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupt_ends_it_with_130_and_no_half_file(tmp_path):
    rows = b"sex,repaid,x\n" + b"f,yes,1\n" * 100_000
    out = tmp_path / "tree.json"
    done = signalled(signal.SIGINT, rows, "learn", "-", *GIVEN, "-o", out)
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr == b"arbitree: interrupted; nothing was written\n"
    assert not list(tmp_path.iterdir())
