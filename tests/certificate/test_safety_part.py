"""A proof that a tree obeys rules: what it says, whom it refuses, and who agrees."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree._errors import InputError, RuleError
from arbitree.certificate.check.run import check_text
from arbitree.model.tree import LEAF
from arbitree.rules.leaves import leaves_of_tree

from . import problems
from .random_certificates import certificates, parts


@settings(max_examples=200)
@given(parts())
def test_the_proof_breaks_off_where_the_leaves_do(found):
    """The slow definition: every leaf against every rule, by the solver."""
    tree, part = found
    wrong = [
        leaf.node
        for leaf in leaves_of_tree(tree, part.bound.space)
        if next(part.bound.violations(leaf.masks, leaf.label), None) is not None
    ]
    assert (part.proof.broken is not None) == bool(wrong)
    if part.proof.broken is not None:
        assert part.proof.broken[0].node in wrong


@settings(max_examples=200)
@given(certificates())
def test_the_checker_derives_what_was_proved_and_finds_what_was_not(document):
    failures = check_text(json.dumps(document)).failures
    assert all(" breaks rule " in failure for failure in failures), failures


@settings(max_examples=100)
@given(parts())
def test_every_leaf_that_decides_what_is_forbidden_lies_below_a_refuted_node(found):
    tree, part = found
    if part.proof.broken is not None:
        return
    above = dict(enumerate(tree.parent.tolist()))
    for rule, proof in zip(part.bound.rules, part.proof.rules):
        refuted = {node for nodes in proof.nodes.values() for node in nodes}
        n_refuted = 0
        for leaf in leaves_of_tree(tree, part.bound.space):
            if rule.forbids >> leaf.label & 1:
                n_refuted += 1
                node = leaf.node
                while node not in refuted:
                    node = above[node]
                    assert node >= 0, (rule.name, leaf.node)
        assert (proof.n_satisfied + proof.n_refuted, proof.n_refuted) == (
            part.proof.n_leaves,
            n_refuted,
        )


def test_a_certificate_says_what_it_proved():
    found = problems.safety()
    assert found.statement == (
        "On every row of the domain that facts admit, the tree decides as 6 rules demand."
    )
    assert found.safety.by_rule["rule"].tolist()[:2] == ["minors", "poor"]
    assert found.safety.by_rule["reason"].tolist()[0] == "the law"
    assert found.safety.n_leaves == int((problems.safe_tree().tree_.feature == LEAF).sum())
    for text in (found.to_markdown(), found.to_html(), repr(found)):
        assert "minors" in text
    with pytest.raises(AttributeError, match="says nothing of fairness"):
        _ = found.bound
    assert not hasattr(found, "no_such_thing")


def test_a_tree_that_breaks_a_rule_is_refused_with_a_row_that_shows_it():
    tree = ar.TreeClassifier().fit({"age": [10, 15, 20, 40]}, ["deny", "approve"] * 2)
    with pytest.raises(RuleError, match=r"breaks rule 'minors' .* decides 'approve' of .* age = 1"):
        ar.certify(tree, rules="age < 18 => deny  [id: minors]")


def test_rules_of_another_domain_are_proved_on_it():
    X = pd.DataFrame({"age": [10.0, 15, 20, 40]})
    tree = ar.TreeClassifier().fit(X, ["deny", "deny", "approve", "approve"])
    rules = ar.Rules.parse("age > 20 => approve")
    assert "never missing" in ar.certify(tree, rules=rules, domain=X).notices[0]
    schema = ar.Schema.of({"age": {"type": "number", "missing": True}})
    with pytest.raises(RuleError, match="age = nan"):
        ar.certify(tree, rules=rules, domain=schema)


def test_what_cannot_be_proved_is_refused():
    X, y = {"age": [10, 40]}, ["deny", "approve"]
    tree = ar.TreeClassifier().fit(X, y)
    with pytest.raises(InputError, match="nothing to certify"):
        ar.certify(tree)
    with pytest.raises(InputError, match="needs sensitive_features"):
        ar.certify(tree, rules="age < 18 => deny", max_gap=0.1)
    other = DecisionTreeClassifier().fit(pd.DataFrame(X), y)
    with pytest.raises(InputError, match=r"use arbitree\.verify"):
        ar.certify(other, rules="age < 18 => deny")
    dates = ar.TreeClassifier().fit(X, pd.to_datetime(["2024-01-01", "2024-01-02"]))
    with pytest.raises(InputError, match="Turn it into text"):
        ar.certify(dates, rules="age < 18 => 2024-01-01")


def test_dates_and_durations_are_certified_and_checked():
    joined = pd.to_datetime(["2024-01-01", "2024-03-01", "2024-06-01", "2024-08-01"])
    X = pd.DataFrame({"joined": joined, "wait": pd.to_timedelta([1, 2, 3, 4], unit="D")})
    rules = "joined < 2024-05-01 and wait < '60 hours' => no"
    tree = ar.TreeClassifier(rules=rules).fit(X, ["no", "no", "yes", "yes"])
    found = check_text(ar.certify(tree).to_json())
    assert found.valid, found.failures
    assert not [line for line in found.not_rederived if "number" in line]


def test_a_tree_read_from_its_file_has_the_same_certificate(tmp_path):
    tree = problems.safe_tree()
    tree.save(tmp_path / "tree.json")
    again = ar.read_tree(tmp_path / "tree.json")
    assert again.to_json() == tree.to_json()
    assert ar.certify(again).to_json() == problems.safety().to_json()
    with pytest.raises(InputError, match="not in the domain"):
        again.predict(pd.DataFrame({"age": [30.0], "job": [None], "income": [1.0], "grade": ["1"]}))
    assert again.rule_effect_.n_nodes == tree.rule_effect_.n_nodes
    assert again.rule_effect_.contradicting.tolist() == tree.rule_effect_.contradicting.tolist()
