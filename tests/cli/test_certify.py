"""``arbitree certify`` and ``arbitree check``: from a tree and a file to a proof, and back."""

from __future__ import annotations

import json

import pytest

import arbitree as ar
from tests.certificate import problems


@pytest.fixture
def place(tmp_path):
    problems.safe_tree().save(tmp_path / "tree.json")
    problems.plain_tree().save(tmp_path / "plain.json")
    problems.people().to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "rules.txt").write_text("income < 0 => not approve\n", encoding="utf-8")
    (tmp_path / "broken.txt").write_text("age < 40 => deny  [id: old]\n", encoding="utf-8")
    return tmp_path


def test_a_tree_is_certified_and_the_certificate_checked(run, place):
    made = run(
        "certify", place / "plain.json", "--data", place / "rows.csv", "--sensitive", "sex,member",
        "--label", "decided", "--rules", place / "rules.txt", "--max-gap", "0.5",
        "-o", place / "c.json",
    )  # fmt: skip
    assert (made.status, made.out) == (0, ""), made.err
    assert "the tree decides as 1 rule demands" in made.err
    for more in ([], ["--data", place / "rows.csv"], ["--z3"]):
        found = run("check", place / "c.json", *more)
        assert found.status == 0, found.out
        assert found.out.startswith("certificate: valid")
    assert run("check", place / "c.json", "--json", "--quiet").json["valid"] is True


def test_rules_that_a_tree_was_learnt_with_need_no_data(run, place):
    made = run("certify", place / "tree.json")
    assert made.status == 0, made.err
    assert made.out == problems.safety().to_json()


def test_a_changed_certificate_and_other_data_fail_the_check(run, place):
    run("certify", place / "plain.json", "--data", place / "rows.csv", "--sensitive", "sex",
        "--label", "decided", "-o", place / "c.json")  # fmt: skip
    problems.people(seed=3).to_csv(place / "others.csv", index=False)
    found = run("check", place / "c.json", "--data", place / "others.csv")
    assert found.status == 1
    assert "not valid: digest of column" in found.err
    document = json.loads((place / "c.json").read_text(encoding="utf-8"))
    document["fairness"]["bound"] = 0.0
    (place / "c.json").write_text(json.dumps(document), encoding="utf-8")
    found = run("check", place / "c.json")
    assert found.status == 1
    assert "not valid: fairness: bound is 0.0" in found.err


def test_a_limit_that_is_not_certified_and_a_rule_that_is_broken_fail(run, place):
    made = run("certify", place / "plain.json", "--data", place / "rows.csv", "--sensitive", "sex",
               "--max-gap", "0.001", "-o", place / "c.json")  # fmt: skip
    assert made.status == 1
    assert "Not certified" in made.err
    made = run(
        "certify", place / "plain.json", "--rules", place / "broken.txt", "-o", place / "d.json"
    )
    assert made.status == 1
    assert "gate failed: The tree breaks rule 'old'" in made.err
    assert not (place / "d.json").exists()


def test_groups_are_combinations_as_far_as_the_tree_was_bound_by_them(run, place):
    """A tree whose bound is of each column must not be asked for more than it promised."""
    people = problems.people()
    (place / "loose.json").write_bytes((place / "plain.json").read_bytes())
    for joint in (True, False):
        bound = ar.GapBudget(0.5, joint=joint)
        tree = ar.TreeClassifier(parity=bound, max_depth=1, favorable_label="approve")
        tree.fit(people[["income"]], people["decided"],
                 sensitive_features=people[["sex", "member"]].astype(str))  # fmt: skip
        tree.save(place / f"{joint}.json")

    def compared(tree, *more):
        made = run("certify", place / tree, "--data", place / "rows.csv",
                   "--sensitive", "sex,member", *more)  # fmt: skip
        return {group["grouping"] for group in made.json["fairness"]["by_group"]}

    assert compared("True.json") == compared("plain.json") == {"sex x member"}
    assert compared("False.json") == {"sex", "member"}
    assert compared("False.json", "--joint") == {"sex x member"}
    assert compared("True.json", "--single") == {"sex", "member"}


def test_a_limit_that_is_not_certified_names_the_groups_of_the_widest_bound(run, place):
    made = run("certify", place / "plain.json", "--data", place / "rows.csv", "--sensitive", "sex",
               "--max-gap", "0.001")  # fmt: skip
    fairness = made.json["fairness"]
    widest = max(fairness["pairs"], key=lambda pair: pair["bound"])
    n = {group["group"]: group["n"] for group in fairness["by_group"]}
    for side in (widest["group_high"], widest["group_low"]):
        assert f"{side} ({n[side]:,} rows)" in made.err
    assert "widest bound" not in run(
        "certify", place / "plain.json", "--data", place / "rows.csv", "--sensitive", "sex",
        "--max-gap", "1",
    ).err  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["certify", "plain.json"], "nothing to certify"),
        (["certify", "plain.json", "--data", "rows.csv"], "needs both --data FILE and --sensitive"),
        (["certify", "plain.json", "--rules", "nowhere.txt"], "cannot be read"),
        (["certify", "rows.csv"], "certified in Python, by ar.certify"),
        (["certify", "tree.json", "-o", "c.txt"], "should end in .json"),
        (["certify", "tree.json", "-o", "tree.json"], "is the file that is read"),
        (["check", "nowhere.json"], "no such file"),
    ],
)
def test_errors_say_what_to_do(run, place, monkeypatch, arguments, words):
    monkeypatch.chdir(place)
    found = run(*arguments)
    assert found.status == 2
    assert words in found.err
