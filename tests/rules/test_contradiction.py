"""Contradictions and redundant rules, against the definition on every row."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from arbitree import ContradictionError, MissingContradictionError, Rules
from arbitree.rules.contradiction import contradiction, refuse_contradiction
from arbitree.rules.redundant import implied, never_true
from arbitree.rules.statements import Rule
from tests.oracles import rules as oracle
from tests.rules import domains
from tests.rules.domains import CLASSES, ROWS, SCHEMA, VALUES


def _without_class(statements, rows):
    return [
        row
        for row in rows
        if oracle.can_exist(row, statements, VALUES)
        and not oracle.allowed(row, statements, VALUES, CLASSES, "possible")
    ]


def _named(bound, names):
    """The statements of a contradiction's rules, and all facts."""
    kept = [rule.rule for rule in bound.rules if rule.name in names]
    return (*kept, *(fact.fact for fact in bound.facts))


@settings(deadline=None, max_examples=150)
@given(domains.statements(most_rules=6))
def test_a_contradiction_is_found_where_a_row_has_no_class_and_only_there(statements):
    bound = Rules(statements, SCHEMA).bind()
    found = contradiction(bound)
    if not any(oracle.can_exist(row, statements, VALUES) for row in ROWS):
        assert found is not None
        assert found.row is None
        return
    wrong = _without_class(statements, ROWS)
    assert (found is not None) == bool(wrong)
    if found is None:
        return
    whole = [row for row in wrong if None not in row.values()]
    assert found.through_missing == (not whole)
    seen = [row for row in ROWS if found.through_missing or None not in row.values()]
    guilty = _named(bound, found.rules)
    assert _without_class(guilty, [{**row, **found.row} for row in seen])
    for name in found.rules:
        rest = _named(bound, set(found.rules) - {name})
        assert not _without_class(rest, seen)


@settings(deadline=None, max_examples=100)
@given(domains.statements(most_rules=6))
def test_what_is_implied_can_be_left_out_and_nothing_else(statements):
    bound = Rules(statements, SCHEMA).bind()
    real = [row for row in ROWS if oracle.can_exist(row, statements, VALUES)]
    left_out = set(implied(bound)) | set(never_true(bound))

    def allowed(names):
        kept = _named(bound, names)
        return [oracle.allowed(row, kept, VALUES, CLASSES, "possible") for row in real]

    every = {rule.name for rule in bound.rules}
    assert allowed(every - left_out) == allowed(every)
    for name in every - left_out:
        rule = next(r for r in bound.rules if r.name == name)
        if rule.forbids:
            assert allowed(every - left_out - {name}) != allowed(every)
    for name, by in implied(bound).items():
        assert allowed(set(by) | {name}) == allowed(by)


@settings(deadline=None, max_examples=60)
@given(domains.statements())
def test_a_rule_is_never_true_if_it_holds_of_no_row_that_can_exist(statements):
    bound = Rules(statements, SCHEMA).bind()
    real = [row for row in ROWS if oracle.can_exist(row, statements, VALUES)]
    expected = [
        rule.name
        for rule in bound.rules
        if not any(
            oracle.holds(rule.rule.when, row, VALUES, rule.rule.missing or "possible")
            for row in real
        )
    ]
    assert list(never_true(bound)) == expected


def test_three_rules_contradict_where_no_two_do():
    text = (
        "x = 1 => {a, b} [id: ab]\nx = 1 => {b, c} [id: bc]\nx = 1 => {a, c} [id: ac]\nx = 2 => a"
    )
    with pytest.raises(ContradictionError, match="for the row x = 1:") as caught:
        refuse_contradiction(Rules.parse(text).bind({"x": [1, 2]}))
    assert all(name in str(caught.value) for name in ("ab:", "bc:", "ac:"))


def test_a_fact_that_excludes_the_row_resolves_a_contradiction():
    text = "feature a: {0, 1}\nfeature b: {0, 1}\na = 1 => yes\nb = 1 => no"
    assert contradiction(Rules.parse(text).bind()).row == {"a": 1, "b": 1}
    assert contradiction(Rules.parse(f"{text}\na = 1 => b = 0").bind()) is None


def test_facts_that_no_row_can_obey_are_named():
    text = """
    feature a: {0, 1}
    classes: {y}
    a = 0 => a = 1 [id: f]
    a = 1 => a = 0 [id: g]
    a in {0, 1} => a in {0, 1}
    """
    with pytest.raises(ContradictionError, match="No row can obey all facts at once") as caught:
        refuse_contradiction(Rules.parse(text).bind())
    assert "f: " in str(caught.value)
    assert "line 6" not in str(caught.value)


MINORS = "age < 18 => deny\nage >= 18 => approve"


def test_missing_values_alone_may_make_rules_contradict_and_say_how_to_resolve_it():
    ages = {"age": [17.0, None]}
    with pytest.raises(MissingContradictionError, match=r"age = \(missing\)") as caught:
        refuse_contradiction(Rules.parse(MINORS).bind(ages))
    assert "missing='certain'" in str(caught.value)
    assert contradiction(Rules.parse(MINORS, missing="certain").bind(ages)) is None
    said = MINORS.replace(">= 18", ">= 18 and not missing(age)")
    assert contradiction(Rules.parse(said).bind(ages)) is None
    one = MINORS.replace("approve", "approve [missing: certain]")
    assert contradiction(Rules.parse(one).bind(ages)) is None


def test_without_missing_values_there_is_no_such_contradiction():
    assert contradiction(Rules.parse(MINORS).bind({"age": [17.0, 30.0]})) is None


def test_levels_that_nobody_has_seen_are_part_of_the_domain():
    text = "odor = foul => p\nnot odor = foul => e\nodor != none => p"
    found = contradiction(Rules.parse(text).bind({"odor": ["none", "foul"]}))
    assert found.row == {"odor": "(other)"}
    closed = f"feature odor: {{none, foul}}\n{text}"
    assert contradiction(Rules.parse(closed).bind()) is None


def test_a_rule_that_forbids_every_class_contradicts_itself():
    found = contradiction(Rules.parse("classes: {a, b}\nx < 1 => not {a, b}").bind({"x": [0.0]}))
    assert found.rules == ("line 2",)


def test_of_equal_rules_the_later_one_is_implied():
    bound = Rules.parse("x < 1 => a [id: first]\nx < 1 => a [id: second]\nx > 5 => b").bind(
        {"x": [0.0]}
    )
    assert implied(bound) == {"second": ("first",)}


def test_several_rules_together_imply_one():
    text = "x <= 1 => a\nx > 1 => a\n0 < x < 3 => a\nx = 7 => not b"
    found = implied(Rules.parse(f"classes: {{a, b, c}}\n{text}").bind({"x": [0.0]}))
    assert found == {"line 4": ("line 2", "line 3"), "line 5": ("line 3",)}


def test_a_check_says_the_same_in_every_format():
    text = (
        "feature x: number\nx < 2 => a [id: one]\nx > 1 => b [id: two]\nx < 0 => not b [id: three]"
    )
    found = Rules.parse(text).check()
    assert not found.consistent
    statuses = ["contradicts", "contradicts", "implied by 'one'"]
    assert found.by_rule["status"].tolist() == statuses
    data = json.loads(found.to_json())
    assert data["contradiction"]["rules"] == ["one", "two"]
    assert [entry["status"] for entry in data["by_rule"]] == statuses
    for shown in (found.to_markdown(), found.to_html(), repr(found)):
        assert "not consistent" in shown
    alone = Rules.parse("feature x: number\nx < 2 => a").check()
    assert alone.consistent
    assert json.loads(alone.to_json())["contradiction"] is None


def test_no_rules_say_nothing():
    bound = Rules(()).bind({"x": [1.0]}, classes=["a", "b"])
    assert contradiction(bound) is None
    assert bound.allowed(bound.space.whole) == (0, 1)
    assert isinstance(Rules.parse("x < 1 => a").rules[0], Rule)


def test_where_rules_name_one_class_there_is_another():
    rules = Rules.parse("age < 18 => deny\njob = a => deny\nage < 10 => deny [id: idle]")
    X = {"age": [1, 2], "job": ["a", "b"]}
    said = ["needed", "needed", "implied by 'line 1'"]
    assert rules.check(X).by_rule["status"].tolist() == said
    assert rules.check(X, classes=["deny", "approve"]).by_rule["status"].tolist() == said
