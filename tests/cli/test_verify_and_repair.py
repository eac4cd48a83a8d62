"""``arbitree verify`` and ``arbitree repair``, as they are run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

LAW = "age < 18 or missing(age) => no"


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 400
    age = rng.integers(18, 70, n).astype(float)
    job = rng.choice(["clerk", "cook, night", "smith"], n)
    hired = np.where((age > 30) ^ (rng.random(n) < 0.1) ^ (job == "smith"), "yes", "no")
    return pd.DataFrame({"age": age, "job": job, "spare": rng.random(n), "hired": hired})


@pytest.fixture
def files(people, tmp_path, monkeypatch) -> Path:
    """A folder with people.csv and tree.json, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    people.to_csv("people.csv", index=False)
    features = people[["age", "job", "spare"]]
    ar.TreeClassifier(max_leaf_nodes=7).fit(features, people["hired"]).save("tree.json")
    return tmp_path


def test_a_rule_that_holds_is_proved_and_says_of_what(run, files):
    ran = run("verify", "tree.json", "--rule", "age < 18 and age > 18 => no")
    assert ran.status == 0, ran.err
    n_leaves = ar.read_tree("tree.json").get_n_leaves()
    assert ran.out == f"HOLDS  ({n_leaves} leaves, float32 comparisons, missing values covered)\n"
    assert not Path("counterexample.csv").exists()


def test_a_rule_that_is_broken_comes_with_a_row_that_the_tree_decides_so(run, files):
    tree = ar.read_tree("tree.json")
    ran = run("verify", "tree.json", "--rule", "missing(age) => no", "--rule", "job = smith => no")
    assert ran.status == 1
    assert ran.out.startswith("VIOLATED for ")
    assert "row written to counterexample.csv" in ran.out
    row = pd.read_csv("counterexample.csv")
    assert tree.predict(row.astype({"job": object}))[0] == "yes"


def test_a_missing_value_is_named(run, files):
    rows = {"age": [10.0, 17, 18, 30, 40, 50]}
    ar.TreeClassifier().fit(rows, ["no"] * 2 + ["yes"] * 4).save("old.json")
    rule = "age <= 17 or missing(age) => no"
    ran = run("verify", "old.json", "--rule", rule, "--counterexample", "row.csv")
    assert ran.status == 1
    assert ran.out.startswith("VIOLATED for a missing age: row written to row.csv\n")
    assert "(missing)" in ran.out
    assert pd.read_csv("row.csv", skip_blank_lines=False)["age"].isna().tolist() == [True]


def test_data_says_where_values_can_be_missing(run, files):
    rows = pd.DataFrame({"age": [10.0, 17, 18, 30, 40, 50], "y": ["no"] * 2 + ["yes"] * 4})
    rows.to_csv("rows.csv", index=False)
    ar.TreeClassifier().fit(rows[["age"]], rows["y"]).save("old.json")
    ran = run("verify", "old.json", "--rule", "age <= 17 => no", "--data", "rows.csv")
    assert ran.status == 0, ran.err
    assert "'age' is never missing" in ran.out
    rows.loc[0, "age"] = np.nan
    rows.to_csv("rows.csv", index=False)
    assert run("verify", "old.json", "--rule", "age <= 17 => no", "--data", "rows.csv").status == 1


def test_several_rules_are_listed_and_json_has_everything(run, files):
    Path("rules.txt").write_text(
        f"{LAW}   [id: minors]\nage > 20 and age < 20 => yes  [id: nobody]\n"
    )
    ran = run("verify", "tree.json", "--rules", "rules.txt")
    assert "  VIOLATED   minors: " in ran.out
    assert "  HOLDS      nobody: " in ran.out
    found = run("verify", "tree.json", "--rules", "rules.txt", "--json")
    assert (found.status, found.json["status"]) == (1, "violated")
    assert [rule["status"] for rule in found.json["by_rule"]] == ["violated", "holds"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--rules FILE, or --rule"),
        (("--rules", "r.txt", "--rule", LAW), "--rules FILE, or --rule"),
        (("--rules", "absent.txt"), "absent.txt"),
        (("--rule", "agee < 18 => no"), "Did you mean 'age'"),
        (("--rule", "age < 18 = no"), "Line 1"),
        (("--rule", "age < 18 => age > 3"), "There is no rule"),
        (("--rule", "age < 18 => no", "--rule", "age < 9 => yes"), "leave no class"),
        (("--rule", LAW, "--counterexample", "tree.json"), "the file that is read"),
        (("--rule", LAW, "--timeout", "0"), "--timeout"),
    ],
)
def test_what_makes_no_sense_is_exit_status_2(run, files, arguments, words):
    ran = run("verify", "tree.json", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert not ran.out


REPAIR = ("--data", "people.csv", "--label", "hired", "-o", "safe.json")


def test_a_repaired_tree_holds_and_is_that_of_memory(run, files, people):
    rule = "age < 25 => no\njob = smith and age > 60 => no\nmissing(age) => no"
    Path("rules.txt").write_text(rule)
    ran = run("repair", "tree.json", "--rules", "rules.txt", "--contradictions", "keep", *REPAIR)
    assert ran.status == 0, ran.err
    assert "decided otherwise" in ran.out
    assert run("verify", "safe.json", "--rules", "rules.txt").status == 0
    tree, safe = ar.read_tree("tree.json"), ar.read_tree("safe.json")
    features = people[["age", "job", "spare"]]
    with pytest.warns(ar.ArbitreeWarning, match="contradict a rule"):
        same = ar.repair(tree, rule, features, people["hired"], contradictions="keep")
    assert safe.predict(features).tolist() == same.predict(features).tolist()
    np.testing.assert_allclose(safe.predict_proba(features), same.predict_proba(features))
    assert safe.tree_.n.tolist() == same.tree_.n.tolist()
    as_json = run(
        "repair", "tree.json", "--rules", "rules.txt", "--contradictions", "keep", "--json", *REPAIR
    )
    assert as_json.json["n_changed"] == same.repair_.n_changed
    assert as_json.json["accuracy"] == pytest.approx(same.repair_.accuracy)


def test_rows_that_contradict_are_an_error_unless_said(run, files):
    ran = run("repair", "tree.json", "--rule", "age > 30 => no", *REPAIR)
    assert ran.status == 2
    assert "pass --contradictions relabel; 'keep' and 'drop' are known too" in ran.err
    assert not Path("safe.json").exists()


def test_numbers_times_and_truths_of_a_file_are_those_of_the_tree(run, files):
    rng = np.random.default_rng(1)
    rows = pd.DataFrame(
        {
            "joined": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, 200), "D"),
            "member": rng.random(200) < 0.5,
            "size": np.round(rng.normal(size=200), 2),
            "y": rng.integers(0, 2, 200),
        }
    )
    rows.to_csv("rows.csv", index=False)
    tree = ar.TreeClassifier(max_depth=5).fit(rows.drop(columns="y"), rows["y"])
    tree.save("tree.json")
    rule = "feature size: number, never missing\njoined < 2024-05-01 and size > 0.1 => 0\n"
    rule += "member = true and size < -0.5 => 1"
    Path("rules.txt").write_text(rule)
    options = ("--data", "rows.csv", "--label", "y", "-o", "safe.json", "--contradictions", "keep")
    ran = run("repair", "tree.json", "--rules", "rules.txt", *options)
    assert ran.status == 0, ran.err
    with pytest.warns(ar.ArbitreeWarning, match="contradict a rule"):
        same = ar.repair(tree, rule, rows.drop(columns="y"), rows["y"], contradictions="keep")
    safe = ar.read_tree("safe.json")
    found = safe.predict(rows.drop(columns="y"))
    assert found.tolist() == same.predict(rows.drop(columns="y")).tolist()
    assert safe.tree_.n.tolist() == same.tree_.n.tolist()


def test_labels_that_the_model_does_not_know_are_refused(run, files, people):
    people.assign(hired="perhaps").to_csv("people.csv", index=False)
    ran = run("repair", "tree.json", "--rule", "age < 18 => no", *REPAIR)
    assert ran.status == 2
    assert "none of the model's classes 'no' and 'yes'" in ran.err
