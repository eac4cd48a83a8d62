"""Rows of data against rules, and the four policies for those that contradict."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import InputError, LabelError, RuleError, Rules
from arbitree.rules.settle import rows_under_rules, settle
from arbitree.table.frames import columns
from tests.oracles import rules as oracle
from tests.rules import domains
from tests.rules.domains import CLASSES, COLUMNS, ROWS, SCHEMA, VALUES

LOANS = pd.DataFrame({"age": [15.0, 17, 30, 40], "kind": ["a", "b", "a", "b"]})
DECIDED = ["deny", "approve", "approve", "review"]
RULES = """
age < 18 => not approve [id: minors, severity: high, reason: "the law"]
age < 17 => {deny, review} [id: younger]
age > 90 => review [id: old]
age < 1 and age > 2 => deny [id: nobody]
kind = b => age > 16 [id: fact]
"""


def _settled(policy, *, rules=RULES, y=DECIDED, weights=None):
    bound = Rules.parse(rules).bind(LOANS, classes=y)
    codes = bound.space.encode(columns(LOANS, what="X", default_name="x"))
    places = np.array([bound.classes.index(label) for label in y])
    found = rows_under_rules(bound, codes, places)
    settled = settle(bound, found, places, contradictions=policy, weights=weights)
    return settled, [bound.classes[place] for place in settled.y]


@settings(deadline=None, max_examples=50)
@given(domains.statements(), st.randoms(use_true_random=False))
def test_coverage_counts_rows_as_the_definition_does(statements, random):
    bound = Rules(statements, SCHEMA).bind()
    y = np.array([random.randrange(len(CLASSES)) for _ in ROWS])
    codes = bound.space.encode(COLUMNS)
    found = rows_under_rules(bound, codes, y)
    for rule, holds, overruled in zip(bound.rules, found.holds, found.overruled):
        missing = rule.rule.missing or "possible"
        expected = [oracle.holds(rule.rule.when, row, VALUES, missing) for row in ROWS]
        assert holds.tolist() == expected
        wrong = [(CLASSES[c] in rule.rule.classes) == rule.rule.forbidden for c in y]
        assert overruled.tolist() == [h and w for h, w in zip(expected, wrong)]
    real = [oracle.can_exist(row, statements, VALUES) for row in ROWS]
    assert (~found.refuted).tolist() == real


def test_coverage_says_which_rules_are_exercised_obeyed_and_overruled():
    found = Rules.parse(RULES).coverage(LOANS, DECIDED)
    shown = ["rule", "n_matching", "n_obeying", "n_overruled", "status"]
    assert found.by_rule[shown].to_numpy().tolist() == [
        ["minors", 2, 1, 1, "exercised"],
        ["younger", 1, 1, 0, "implied by 'minors'"],
        ["old", 0, 0, 0, "never exercised"],
        ["nobody", 0, 0, 0, "never true"],
    ]
    assert found.by_fact["n_refuted"].tolist() == [0]
    assert found.contradicting.to_numpy().tolist() == [[1, "approve", "minors"]]
    assert json.loads(found.to_json())["by_rule"][0]["reason"] == "the law"
    for text in (found.to_markdown(), found.to_html(), found.to_latex(), repr(found)):
        assert "minors" in text


def test_labels_are_matched_by_their_text():
    found = Rules.parse("age < 18 => 0").coverage(LOANS, np.array([0, 1, 1, 0]))
    assert found.by_rule["n_overruled"].tolist() == [1]


def test_a_label_that_is_no_class_is_an_error():
    from arbitree.rules.coverage import coverage

    bound = Rules.parse("age < 18 => deny").bind(LOANS, classes=["deny", "approve"])
    with pytest.raises(LabelError, match=r"'aprove'.* Did you mean 'approve'"):
        coverage(bound, LOANS, ["deny", "aprove", "deny", "deny"])


def test_a_value_outside_its_domain_is_an_error():
    with pytest.raises(InputError, match="column 'age' is > 35 at row 3"):
        Rules.parse("feature age: number, to 35\nage < 18 => deny").coverage(LOANS, DECIDED)


def test_rows_that_contradict_are_refused_with_row_and_rule():
    with pytest.raises(
        RuleError, match="'approve' at row 1, which rule 'minors' forbids, and 1 row"
    ):
        _settled("error")


def test_rows_that_contradict_are_kept_relabelled_or_dropped_and_listed():
    kept, labels = _settled("keep")
    assert labels == DECIDED
    assert kept.keep.all()
    relabelled, labels = _settled("relabel")
    assert labels == ["deny", "deny", "approve", "review"]  # deny and review are as frequent
    dropped, _ = _settled("drop")
    assert dropped.keep.tolist() == [True, False, True, True]
    for settled, word in ((kept, "kept"), (relabelled, "relabelled"), (dropped, "dropped")):
        assert settled.contradicting.tolist() == [1]
        assert settled.notices == (f"1 row of 4 contradicts a rule: {word}.",)


def test_relabelling_takes_the_allowed_class_with_most_weight():
    _, labels = _settled("relabel", weights=np.array([1.0, 9, 1, 2]))
    assert labels[1] == "review"


def test_rows_that_a_fact_refutes_are_refused_kept_or_dropped():
    fact = "kind = b => age > 20 [id: f]\nage < 1 => deny"
    with pytest.raises(RuleError, match="at row 1 what fact 'f' says cannot be"):
        _settled("error", rules=fact)
    assert _settled("relabel", rules=fact)[0].keep.all()
    assert _settled("drop", rules=fact)[0].keep.tolist() == [True, False, True, True]
    assert _settled("keep", rules=fact)[0].impossible.tolist() == [1]


def test_without_contradicting_rows_nothing_changes():
    for policy in ("error", "keep", "relabel", "drop"):
        settled, labels = _settled(policy, rules="age < 1 => deny")
        assert labels == DECIDED
        assert settled.keep.all()
        assert settled.notices == ()


def test_a_policy_that_is_none_is_an_error():
    with pytest.raises(InputError, match="contradictions='ignore' is no policy"):
        _settled("ignore")
