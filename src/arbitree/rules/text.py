"""Rules as text, which reads back as the same rules."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable

from arbitree.rules.conditions import And, Between, Condition, Missing, Not, OneOf, Or
from arbitree.rules.schema import Domain, Schema
from arbitree.rules.statements import Fact, Rule, Statement
from arbitree.rules.values import Value, value_text

BARE = re.compile(r"\w[\w.\-]*")
NUMBER = re.compile(r"[+-]?\.?\d")  # how a number begins
KEYWORDS = {"and", "or", "not", "in", "missing", "true", "false", "feature", "classes"}
TRUTHS = {"true": True, "false": False}


def value_of_word(word: str) -> Value:
    """What a bare word means as a value: a number if that is how the number is written.

    >>> [value_of_word(word) for word in ("18", "0.5", "007", "true", "30-39")]
    [18, 0.5, '007', True, '30-39']
    """
    if word in TRUTHS:
        return TRUTHS[word]
    for number in (int, float):
        try:
            value = number(word)
        except ValueError:
            continue
        if repr(value) == word and math.isfinite(value):
            return value
    return word


def word_text(text: str) -> str:
    r"""A text as one word on one line.

    Bare if it holds letters, digits, ``_``, ``-`` and ``.`` only, begins with neither of the last
    two and is no word of the language; else in quotes.

    >>> print(word_text("gill-color"), word_text("in"), word_text('a "b"\n'))
    gill-color "in" "a \"b\"\n"
    """
    return text if BARE.fullmatch(text) and text.lower() not in KEYWORDS else quoted(text)


def quoted(text: str) -> str:
    r"""A text in double quotes, as in JSON, with characters that cannot be seen written out.

    >>> print(quoted("größe\u2028"))
    "größe\u2028"
    """
    return f'"{"".join(map(_written, text))}"'


def name_text(name: str) -> str:
    """A feature as text, in quotes where it is no bare word.

    >>> name_text("gill-color"), name_text("gill color"), name_text("18")
    ('gill-color', '"gill color"', '"18"')

    A word that begins like a number would be taken for the value of a comparison.
    """
    return quoted(name) if NUMBER.match(name) else word_text(name)


def written_value(value: Value) -> str:
    """A value as text, in quotes where a bare word would mean something else.

    >>> written_value(18), written_value("18"), written_value(1e300), written_value("stage 1")
    ('18', '"18"', '1e+300', '"stage 1"')
    """
    if not isinstance(value, str):
        return value_text(value)
    return word_text(value) if value_of_word(value) == value else quoted(value)


def set_text(values: Iterable[Value]) -> str:
    """Values in braces."""
    return "{" + ", ".join(map(written_value, values)) + "}"


def condition_text(condition: Condition) -> str:
    """A condition as text.

    >>> from arbitree.rules.conditions import Between, Compare, Missing, Not
    >>> condition_text(Not(Compare("a", "=", 1) & Missing("b")) | Between("c", 1, 2))
    'not (a = 1 and missing(b)) or 1 <= c < 2'
    """
    if isinstance(condition, Not):
        if isinstance(condition.term, OneOf):
            return f"{name_text(condition.term.feature)} not in {set_text(condition.term.values)}"
        inner = condition_text(condition.term)
        return f"not ({inner})" if isinstance(condition.term, And | Or) else f"not {inner}"
    if isinstance(condition, And):
        parts = [
            f"({condition_text(term)})" if isinstance(term, Or) else condition_text(term)
            for term in condition.terms
        ]
        return " and ".join(parts)
    if isinstance(condition, Or):
        return " or ".join(map(condition_text, condition.terms))
    return _atom_text(condition)


def statement_text(statement: Statement) -> str:
    """A rule or a fact as one line.

    >>> from arbitree.rules.conditions import Compare
    >>> rule = Rule(when=Compare("odor", "=", "foul"), classes=("e",), forbidden=True, id="r1")
    >>> statement_text(rule)
    'odor = foul => not e  [id: r1]'
    """
    then = _classes_text(statement) if isinstance(statement, Rule) else _then_text(statement)
    about = {"id": statement.id, "reason": statement.reason, "severity": statement.severity}
    if isinstance(statement, Rule):
        about["missing"] = statement.missing
    notes = [f"{key}: {name_text(text)}" for key, text in about.items() if text is not None]
    return f"{condition_text(statement.when)} => {then}" + (
        f"  [{', '.join(notes)}]" if notes else ""
    )


def schema_text(schema: Schema) -> list[str]:
    """The declarations of features and classes, a line each.

    >>> schema_text(Schema.of({"age": {"type": "integer", "from": 0}}, ["deny", "approve"]))
    ['classes: {deny, approve}', 'feature age: integer, from 0']
    """
    classes = [f"classes: {set_text(schema.classes)}"] if schema.classes else []
    return classes + [_domain_text(domain) for domain in schema.features]


def _domain_text(domain: Domain) -> str:
    others = ["..."] if domain.open else []
    levels = ", ".join([*map(written_value, domain.levels), *others])
    parts = ["{" + levels + "}" if domain.kind == "category" else domain.kind]
    limits = {"from": domain.low, "to": domain.high}
    parts += [f"{key} {written_value(v)}" for key, v in limits.items() if v is not None]
    if domain.missing is not None:
        parts.append("missing" if domain.missing else "never missing")
    return f"feature {name_text(domain.name)}: {', '.join(parts)}"


def _atom_text(atom: Condition) -> str:
    if isinstance(atom, Missing):
        return f"missing({name_text(atom.feature)})"
    name = name_text(atom.feature)  # type: ignore[union-attr]
    if isinstance(atom, OneOf):
        return f"{name} in {set_text(atom.values)}"
    if isinstance(atom, Between):
        left = "<=" if atom.closed in ("left", "both") else "<"
        right = "<=" if atom.closed in ("right", "both") else "<"
        return f"{written_value(atom.low)} {left} {name} {right} {written_value(atom.high)}"
    return f"{name} {atom.operator} {written_value(atom.value)}"  # type: ignore[union-attr]


def _classes_text(rule: Rule) -> str:
    one = len(rule.classes) == 1
    classes = written_value(rule.classes[0]) if one else set_text(rule.classes)
    return f"not {classes}" if rule.forbidden else classes


def _then_text(fact: Fact) -> str:
    return condition_text(fact.then)


def _written(character: str) -> str:
    plain = character.isprintable() and character not in '"\\'
    return character if plain else json.dumps(character)[1:-1]
