"""``--model tree.json``: what a learnt tree decides on a file's rows is audited and explained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 600
    sex = rng.choice(["f", "m"], n)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, n),
            "pay": np.where(rng.random(n) < 0.1, np.nan, np.round(rng.normal(size=n), 3)),
            "job": rng.choice(["clerk", "cook, night", "smith"], n),
            "sex": sex,
            "hired": np.where(rng.random(n) + 0.3 * (sex == "m") > 0.6, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def files(people, tmp_path_factory) -> tuple[Path, Path, ar.TreeClassifier]:
    """The people as CSV; a saved tree; the tree."""
    folder = tmp_path_factory.mktemp("model")
    tree = ar.TreeClassifier(max_leaf_nodes=12, min_samples_leaf=15, favorable_label="yes")
    tree.fit(people[["age", "pay", "job"]], people["hired"], sensitive_features=people["sex"])
    people.to_csv(folder / "people.csv", index=False)
    tree.save(folder / "tree.json")
    return folder / "people.csv", folder / "tree.json", tree


def test_an_audit_of_a_model_is_that_of_its_decisions(run, people, files):
    file, model, tree = files
    ran = run("audit", file, "--model", model, "--sensitive", "sex", "--json")
    assert ran.status == 0, ran.err
    expected = ar.audit(
        tree.predict(people[["age", "pay", "job"]]),
        sensitive_features={"sex": people["sex"]},
        favorable_label="yes",
    )
    rates = {name: row["selection_rate"] for name, row in ran.groups("sex").items()}
    assert rates == expected.by_group.set_index("group")["selection_rate"].to_dict()
    assert ran.json["favorable"] == "favourable: decision = 'yes'"


def test_labels_of_the_file_are_compared_with_the_models_decisions(run, people, files):
    file, model, tree = files
    options = ("--model", model, "--sensitive", "sex", "--label", "hired", "--json")
    ran = run("audit", file, *options)
    right = tree.predict(people[["age", "pay", "job"]]) == people["hired"]
    found = {name: row["accuracy"] for name, row in ran.groups("sex").items()}
    assert found == pytest.approx(right.groupby(people["sex"]).mean().to_dict())


def test_an_explanation_of_a_model_is_in_the_columns_that_it_reads(run, files):
    file, model, tree = files
    fast = ("--cross-fit", "0", "--bootstrap", "0", "--max-order", "1")
    ran = run("explain", file, "--model", model, "--sensitive", "sex", "--json", *fast)
    assert ran.status == 0, ran.err
    used = {tree.tree_.features[j].name for j in set(tree.tree_.feature.tolist()) - {-1}}
    explained = {name for row in ran.json["table"] for name in row["features"]}
    assert explained == used
    assert "assumed" not in ran.json["favorable"]


def test_the_other_class_may_be_favourable(run, files):
    file, model, _ = files
    ran = run("audit", file, "--model", model, "--favorable", "no", "--sensitive", "sex", "--json")
    assert ran.json["favorable"] == "favourable: decision = 'no'"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--decision", "hired"), "Decisions come from --model or from --decision, not from both"),
        (("--score", "pay"), "Decisions come from --model or from --score"),
        (("--score-threshold", "1"), "Decisions come from --model or from --score-threshold"),
        (("--favorable", "maybe"), "never has the value 'maybe' of --favorable"),
    ],
)
def test_what_contradicts_a_model_is_refused(run, files, options, words):
    file, model, _ = files
    ran = run("audit", file, "--model", model, "--sensitive", "sex", *options)
    assert ran.status == 2
    assert words in ran.err


def test_other_files_are_no_models(run, files, tmp_path):
    file = files[0]
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    for path, words in (
        (file, "is no model that can be read"),
        (other, "This is no tree.json"),
        (tmp_path / "nowhere.json", "no such file"),
    ):
        ran = run("explain", file, "--model", path, "--sensitive", "sex")
        assert ran.status == 2
        assert words in ran.err


def test_levels_that_the_tree_did_not_know_are_told(run, people, files, tmp_path):
    _, model, _ = files
    new = people.assign(job=np.where(people.index < 7, "baker", people["job"]))
    new.to_csv(tmp_path / "new.csv", index=False)
    ran = run("audit", tmp_path / "new.csv", "--model", model, "--sensitive", "sex", "--json")
    assert "7 rows have a level of 'job' that the model does not know" in ran.err


@pytest.mark.parametrize("command", [("audit",), ("explain", "--bootstrap", 0, "--cross-fit", 0)])
def test_a_model_whose_favourable_class_was_assumed_needs_a_word(run, people, files, command):
    file, model, _ = files
    guessed = model.with_name("guessed.json")
    tree = ar.TreeClassifier(max_depth=2)
    tree.fit(people[["age", "pay"]], people["hired"], sensitive_features=people["sex"])
    tree.save(guessed)
    options = (command[0], file, "--model", guessed, "--sensitive", "sex", *command[1:])
    ran = run(*options)
    assert (ran.status, ran.out) == (2, "")
    assert "'no' and 'yes'" in ran.err
    assert "Say --favorable yes" in ran.err
    ran = run(*options, "--favorable", "no", "--json")
    assert ran.status == 0, ran.err
    assert ran.json["favorable"] == "favourable: decision = 'no'"
