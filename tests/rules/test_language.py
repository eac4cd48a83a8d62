"""Text to rules and back, and what errors say."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree import InputError, RuleError, Rules
from arbitree.rules.conditions import And, Between, Compare, Missing, Not, OneOf, Or
from arbitree.rules.schema import Domain, Schema
from arbitree.rules.statements import Fact, Rule
from arbitree.rules.text import statement_text

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_names = st.one_of(
    _texts, st.sampled_from(["not", "missing", "...", "classes", "1", "a b", "true"])
)
_values = st.one_of(
    _texts,
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["18", "1e5", "in", "#", "=>", "true"]),
)
_several = st.lists(_values, min_size=1, max_size=3).map(tuple)
_atoms = st.one_of(
    st.builds(Compare, _names, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), _values),
    st.builds(OneOf, _names, _several),
    st.builds(Missing, _names),
    st.builds(
        Between,
        _names,
        st.integers(),
        st.floats(-9, 9),
        st.sampled_from(["left", "both", "neither"]),
    ),
)
_conditions = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)
_notes = st.one_of(st.none(), _texts)
_rules = st.builds(
    Rule,
    when=_conditions,
    classes=_several,
    forbidden=st.booleans(),
    missing=st.sampled_from([None, "possible", "certain"]),
    reason=_notes,
    severity=_notes,
)
_facts = st.builds(Fact, when=_conditions, then=_conditions, reason=_notes)
_domains = st.one_of(
    st.builds(
        Domain,
        name=_names,
        kind=st.sampled_from(["number", "integer"]),
        low=st.one_of(st.none(), st.integers()),
        missing=st.sampled_from([None, True, False]),
    ),
    st.builds(Domain, name=_names, kind=st.just("category"), levels=_several, open=st.booleans()),
)
_sets = st.builds(
    Rules,
    st.lists(st.one_of(_rules, _facts), max_size=4).map(tuple),
    st.builds(
        Schema,
        features=st.lists(_domains, max_size=2, unique_by=lambda d: d.name).map(tuple),
        classes=st.lists(_values, max_size=3).map(tuple),
    ),
)


@given(_sets)
def test_rules_are_the_same_after_text_json_and_yaml(rules):
    assert Rules.parse(rules.to_text()) == rules
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_yaml(rules.to_yaml()) == rules


@given(_sets)
def test_the_text_of_a_text_is_the_same_text(rules):
    assert Rules.parse(rules.to_text()).to_text() == rules.to_text()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("18 > age => deny", "age < 18 => deny"),
        ("18 > age >= 16 => deny", "16 <= age < 18 => deny"),
        ("age == 18 => deny", "age = 18 => deny"),
        ("not (a = 1) => x", "not a = 1 => x"),
        ("a = 1 or b = 2 and c = 3 => x", "a = 1 or (b = 2 and c = 3) => x"),
        ("not a in {1} => x", "a not in {1} => x"),
        ("a = 1 => x or y", "a = 1 => {x, y}"),
        ("a = 1 => not x and not y", "a = 1 => not {x, y}"),
        ("a = 1 => not (x or y)", "a = 1 => not {x, y}"),
        ("poisonous => not (odor = none)", "odor = none => not poisonous"),
        ("not {a, b} => x = 1", "not x = 1 => {a, b}"),
        ("'gill color' = green => x", '"gill color" = "green" => "x"'),
        ("a = 1 => x # why", "a = 1 => x"),
        ("\ufeffa = 1 => x\r\n\r\n# done", "a = 1 => x"),
    ],
)
def test_ways_to_say_the_same(text, same):
    assert Rules.parse(text) == Rules.parse(same)


def test_bare_names_may_hold_dashes_dots_and_other_scripts():
    rule = Rules.parse("gill-color.2 = grün-blau => é_1").rules[0]
    assert rule.when == Compare("gill-color.2", "=", "grün-blau")
    assert rule.classes == ("é_1",)


def test_words_of_the_language_are_names_in_quotes_and_within_words():
    text = "android = notin and 'not' = 'in' and missing = 1 => or-else"
    assert [a.feature for a in Rules.parse(text).rules[0].when.terms] == [
        "android",
        "not",
        "missing",
    ]


def test_quotes_keep_a_hash_an_arrow_and_escapes():
    rule = Rules.parse(r'"a#b" = "x => \"y\" \u00e9\n" => c').rules[0]
    assert rule.when == Compare("a#b", "=", 'x => "y" é\n')


def test_a_line_is_a_rule_a_fact_or_a_declaration():
    rules = Rules.parse(
        "feature age: integer, from 0 to 120, never missing\n"
        "feature odor: {none, foul, ...}, missing\n"
        "classes: {approve, deny}\n"
        "age < 18 => deny [id: minors, reason: 'the law, § 3', severity: high, missing: certain]\n"
        "age < 18 => income = 0\n"
    )
    age, odor = rules.schema.features
    assert (age.kind, age.low, age.high, age.missing) == ("integer", 0, 120, False)
    assert (odor.levels, odor.open, odor.missing) == (("none", "foul"), True, True)
    rule = rules.rules[0]
    assert (rule.id, rule.reason, rule.severity, rule.missing) == (
        "minors",
        "the law, § 3",
        "high",
        "certain",
    )
    assert rules.facts[0].then == Compare("income", "=", 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("odor = foul AND x = 1 => p", "Line 1, column 13: 'AND' .* Did you mean 'and'"),
        ("\nodor = foul -> p", "Line 2, column 13: '->' .* Did you mean '=>'"),
        ("odor = foul & x = 1 => p", "column 13: '&' .* Did you mean 'and'"),
        ("odor =", "column 7: the line ends where a name or a value"),
        ("odor foul => p", "column 6: 'foul'"),
        ("a => b", "both sides of => are classes"),
        ("x = 1 => a or y = 2", "column 10: a class stands among conditions"),
        ("x = 1 => a and b", "no class"),
        ("x = 1 => a or not a", "every class"),
        ("1 < x > 3 => p", "make no interval"),
        ("feature age: nmber", "column 14: 'nmber' .* Did you mean 'number'"),
        ("feature age: number, form 3", "Did you mean 'from'"),
        ("feature age: number\nfeature age: integer", "declared twice"),
        ("x = 1 => p [reson: a]", "column 13: 'reson' .* Did you mean 'reason'"),
        ("x = 1 => p [id: a, id: b]", "noted twice"),
        ("x = 1 => y = 2 [missing: certain]", "a fact has no 'missing'"),
        ("x = 1 => p [missing: perhaps]", "none of 'possible' and 'certain'"),
        ("x in {} => p", "braces are empty"),
        ("x = 'abc => p", "column 5"),
        ("x = 1 => p [id: a]\ny = 1 => p [id: a]", "The id 'a' names 2 statements"),
        ("x = 1 => p q", "column 12: 'q'"),
    ],
)
def test_errors_say_where_and_what_could_be_meant(text, message):
    with pytest.raises(RuleError, match=message):
        Rules.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gil-color = green => e", r"Line 1, column 1: .*Did you mean 'gill-color'"),
        ("x < 1 and gill-color = gren => e", r"column 24: .*Did you mean 'green'.*\.\.\."),
        ("gill-color in {green, blak} => e", r"column 23: .*Did you mean 'black'"),
        ("gill-color = green => edibel", r"column 23: .*Did you mean 'edible'"),
        ("x = tall => edible", r"column 5: feature 'x' holds numbers, and 'tall'"),
        ("gill-color < green => edible", "levels without an order"),
        ("x < 1e39 => edible", "none that float32 can hold"),
        ("feature y: number\nx < 1 => edible", "there is no feature 'y'"),
        ("feature gill-color: {green}\nx < 1 => edible", "the data has the level 'black'"),
        ("feature gill-color: number\nx < 1 => edible", "levels of a category"),
        ("feature x: date\nx < 2020-01-01 => edible", "is declared as date"),
        ("feature x: number, never missing\nx < 1 => edible", "the data has missing values"),
        ("feature x: number, from 3 to 2\nx < 1 => edible", "no value from 3 to 2"),
    ],
)
def test_errors_about_features_and_classes_say_where_and_the_nearest_name(text, message):
    X = {"gill-color": ["green", "black"], "x": [1.0, None]}
    with pytest.raises(RuleError, match=message):
        Rules.parse(text).bind(X, classes=["edible", "poisonous"])


def test_bare_values_match_levels_and_classes_by_their_text():
    X = {"age": ["30-39", "40-49"], "grade": ["1", "2"], "flag": [True, False]}
    rules = Rules.parse("age = 30-39 => 1\ngrade = 1 => 1\nflag = true => 1\ngrade = '2' => 0")
    bound = rules.bind(X, classes=[0, 1])
    assert [bound.rules[i].forbids for i in range(4)] == [0b01, 0b01, 0b01, 0b10]
    assert all(bound.touches(bound.space.whole, rule) for rule in bound.rules)


def test_a_level_that_can_occur_without_having_been_seen_is_declared():
    text = "feature odor: {musty, ...}\nodor = musty => poisonous"
    bound = Rules.parse(text).bind({"odor": ["none", "foul"]}, classes=["edible", "poisonous"])
    assert bound.row(bound.witness(bound.space.whole, bound.rules[0])) == {"odor": "musty"}


def test_names_that_are_no_text_are_written_as_their_text():
    bound = Rules.parse("'0' < 3 => a\nx_1 < 3 => a").bind({0: [1.0], "x_1": [2.0]})
    assert [axis.name for axis in bound.space.axes] == [0, "x_1"]


def test_files_are_read_by_their_name(tmp_path):
    rules = Rules.parse("no = yes => 'on'  [reason: 'é']")
    written = {"a.txt": rules.to_text(), "a.yaml": rules.to_yaml(), "a.json": rules.to_json()}
    for name, text in written.items():
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert Rules.read(tmp_path / name) == rules


def test_errors_of_files_name_the_file(tmp_path):
    (tmp_path / "a.txt").write_text("x = => 3")
    with pytest.raises(RuleError, match=r"a\.txt: Line 1, column 5"):
        Rules.read(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_bytes(b"x = \xff => 3")
    with pytest.raises(InputError, match="is not UTF-8: byte 4"):
        Rules.read(tmp_path / "b.txt")
    with pytest.raises(InputError, match="cannot be read"):
        Rules.read(tmp_path / "c.txt")


def test_a_person_may_write_yaml_with_conditions_as_text():
    text = """
    features: {age: {type: integer, from: 0}, smoker: [no, yes]}
    classes: [no, yes]
    rules:
      - {id: r1, if: age < 18 and smoker = yes, allow: no, reason: law}
      - {if: age < 18, forbid: [yes]}
      - {if_class: yes, then: age >= 18}
      - {if: age < 10, fact: smoker = no}
    """
    rules = Rules.from_yaml(text)
    assert rules.schema.features[1].levels == ("no", "yes")
    assert [r.classes for r in rules.rules] == [("no",), ("yes",), ("yes",)]
    assert rules.rules[2].when == Not(Compare("age", ">=", 18))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([{"if": "a < 1"}], "Statement 1: .*'allow'"),
        ([{"if": "a < 1", "alow": "x"}], "Did you mean 'allow'"),
        ([{"if": "a <", "allow": "x"}], "Statement 1: Line 1"),
        ([{"if": {"featur": "a", "<": 1}, "allow": "x"}], "Did you mean 'feature'"),
        ([{"if": "a < 1", "allow": "x", "reason": 3}], "reason is 3"),
        ({"rule": []}, "no rules"),
        ({"rules": [], "featurs": {}}, "Did you mean 'features'"),
        ({"rules": [], "features": {"a": {"type": "numbr"}}}, "Did you mean 'number'"),
        ({"rules": [], "version": 2}, "version 1 can be read"),
        ("a < 1 => x", "no rules"),
    ],
)
def test_errors_of_plain_values_say_which_statement_and_what_could_be_meant(data, message):
    with pytest.raises(RuleError, match=message):
        Rules.from_dict(data)


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_no_rule_compares_with_what_is_no_value(value):
    with pytest.raises(InputError, match="A rule compares with"):
        Compare("a", "=", value)


def test_rules_are_values_that_can_be_copied_and_shown():
    rules = Rules.parse("a < 1 => x\nb = 2 => c = 3", missing="certain")
    for same in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert same == rules
    assert hash(rules) == hash(Rules.parse(rules.to_text(), missing="certain"))
    assert repr(rules) == "Rules.parse('a < 1 => x\\nb = 2 => c = 3\\n', missing='certain')"


def test_conditions_are_joined_by_signs():
    young, known = Compare("age", "<", 18), ~Missing("age")
    rule = Rule(when=young & known | Missing("sex"), classes=("deny",))
    assert statement_text(rule) == "age < 18 and not missing(age) or missing(sex) => deny"


def test_a_key_that_is_written_twice_loses_no_rule():
    twice = '{"rules": [{"if": "age < 18", "allow": "deny"}], "rules": []}'
    for read in (Rules.from_json, Rules.from_yaml):
        with pytest.raises(RuleError, match="'rules' is there twice"):
            read(twice)


def test_json_that_is_nested_without_end_is_told_in_words():
    with pytest.raises(RuleError, match=r"Line 1, column 211: .* nested more than 100 deep"):
        Rules.from_json("[" * 100_000)
