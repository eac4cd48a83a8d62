"""Conditions nested as deep as may be, and deeper."""

from __future__ import annotations

import json
import sys
from functools import reduce

import pytest

from arbitree import InputError, RuleError, Rules, check_certificate
from arbitree.rules.conditions import And, Compare, Missing, Not, Or
from arbitree.rules.nesting import MOST_NESTED
from arbitree.rules.statements import Fact, Rule

YOUNG = Compare("age", "<", 18)
DECLARED = "feature age: number, missing\nclasses: {a, b}\n"


def nots(depth):
    return "not " * depth + "age < 18 => a"


def parentheses(depth):
    """`and` and `or` by turns, a parenthesis each."""
    opened = "".join(f"age < {k} {('and', 'or')[k % 2]} (" for k in range(depth))
    return f"{opened}age < 18{')' * depth} => a"


def condition(depth, how=("not",)):
    found = {"feature": "age", "<": 18}
    for k in range(depth):
        key = how[k % len(how)]
        found = {"not": found} if key == "not" else {key: [{"missing": "age"}, found]}
    return found


def as_json(depth, how=("not",)):
    """Written by hand: json.dumps gives up at such depths."""
    opened, closed = [], []
    for k in range(depth):
        key = how[k % len(how)]
        opened.append('{"not": ' if key == "not" else f'{{"{key}": [{{"missing": "age"}}, ')
        closed.append("}" if key == "not" else "]}")
    inner = '{"feature": "age", "<": 18}'
    return f'[\n{{"if": {"".join(opened)}{inner}{"".join(reversed(closed))}, "allow": "a"}}]'


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 3_000, 20_000])
@pytest.mark.parametrize("written", [nots, parentheses])
def test_a_text_that_is_nested_too_deep_is_told_with_its_column(written, depth):
    with pytest.raises(RuleError, match=f"nested more than {MOST_NESTED} deep") as told:
        Rules.parse(DECLARED + written(depth))
    line = written(depth)
    column = int(str(told.value).split("column ")[1].split(":")[0])
    assert str(told.value).startswith("Line 3, column ")
    depth_there = line[: column - 1].count("not ") + line[: column - 1].count("(")
    assert depth_there == MOST_NESTED


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 3_000])
@pytest.mark.parametrize("how", [("not",), ("and", "or"), ("not", "and")])
@pytest.mark.parametrize("read", [Rules.from_json, Rules.from_yaml])
def test_plain_values_that_are_nested_too_deep_are_told(read, how, depth):
    with pytest.raises(RuleError, match=f"nested more than {MOST_NESTED} deep") as told:
        read(as_json(depth, how))
    if depth > 2 * MOST_NESTED + 10:
        assert "Line 2, column " in str(told.value)
    else:
        assert "Statement 1: " in str(told.value) or "Line 2, column " in str(told.value)


def test_brackets_in_texts_are_not_counted():
    data = [{"if": {"feature": "age", "=": '[{"' * 1_000}, "allow": "a"}]
    assert Rules.from_json(json.dumps(data)).rules[0].when.value == '[{"' * 1_000


def test_a_yaml_text_that_holds_itself_is_told():
    with pytest.raises(RuleError, match=f"nested more than {MOST_NESTED} deep"):
        Rules.from_yaml("- if: &a {not: *a}\n  allow: b\n")


def test_conditions_that_are_joined_too_deep_are_told():
    deepest = reduce(lambda found, _: Not(found), range(MOST_NESTED), YOUNG)
    for join in (Not, lambda one: one & Missing("age"), lambda one: one | Missing("age")):
        with pytest.raises(InputError, match=f"nested more than {MOST_NESTED} deep"):
            join(deepest)


def test_a_long_and_is_not_deep():
    many = reduce(lambda found, k: found & Compare("age", "<", k), range(5_000), YOUNG)
    assert many.depth == 1
    assert len(Rules.parse(" and ".join(f"age < {k}" for k in range(5_000)) + " => a")) == 1


def test_parentheses_that_join_nothing_are_not_deep():
    assert Rules.parse("(" * 5_000 + "age < 18" + ")" * 5_000 + " => a") == Rules.parse(
        "age < 18 => a"
    )


def at_most(depth):
    """The deepest conditions: all of `not`, and of `and`, `or` by turns."""
    yield reduce(lambda found, _: Not(found), range(depth), YOUNG)
    joined = YOUNG
    for k in range(depth):
        joined = (And, Or)[k % 2]((joined, Missing("age")))
    yield joined


@pytest.mark.parametrize("place", [0, 1])
def test_everything_can_be_done_with_conditions_of_the_greatest_depth(place, tmp_path):
    import arbitree as ar

    when = list(at_most(MOST_NESTED))[place]
    schema = Rules.parse(DECLARED).schema
    rules = Rules((Rule(when=when, classes=("a",)), Fact(when=when, then=when)), schema)
    assert repr(rules)
    assert repr(when)
    assert Rules.parse(rules.to_text()) == rules
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_yaml(rules.to_yaml()) == rules
    for policy in ("possible", "certain"):
        assert Rules(rules.statements, schema, policy).bind().rules
    assert rules.check().consistent
    tree = ar.TreeClassifier(rules=rules).fit({"age": [10, 40, None]}, ["a", "b", "a"])
    assert ar.verify(tree, rules).status == "holds"
    ar.certify(tree, rules=rules).write(tmp_path / "certificate.json")
    assert check_certificate(tmp_path / "certificate.json").valid


def test_the_greatest_depth_leaves_room_on_the_stack_of_a_caller():
    rules = Rules((Rule(when=next(iter(at_most(MOST_NESTED))), classes=("a",)),))

    def called(times):
        if times:
            return called(times - 1)
        return Rules.from_yaml(rules.to_yaml()), Rules.parse(rules.to_text()), repr(rules)

    assert called(sys.getrecursionlimit() // 6)[:2] == (rules, rules)
