"""Text -> rules, facts and declarations. One statement a line; ``#`` begins a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from arbitree._errors import InputError, RuleError
from arbitree._wording import nearest
from arbitree.rules.conditions import (
    And,
    Between,
    Compare,
    Condition,
    Missing,
    Not,
    OneOf,
    Or,
    Position,
)
from arbitree.rules.grammar import parser
from arbitree.rules.nesting import TOO_DEEP, deep_node
from arbitree.rules.schema import KINDS, Domain, Schema
from arbitree.rules.statements import Fact, Rule, Statement, diagnostic
from arbitree.rules.syntax_error import at_line, syntax_error
from arbitree.rules.text import NUMBER, value_of_word
from arbitree.rules.values import Value

_NOTES = ("id", "reason", "severity", "missing")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_PAIR = r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # one character in UTF-16
_ESCAPE = re.compile(rf"\\({_PAIR}|u[0-9a-fA-F]{{4}}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class _Classes:
    """A side of ``=>`` that is about the decision: one of `values`, or none of them."""

    values: tuple[Value, ...]
    forbidden: bool
    positions: tuple[Position, ...]

    def contrary(self) -> _Classes:
        return replace(self, forbidden=not self.forbidden)

    def union(self, other: _Classes) -> _Classes:
        """Classes that are in one of both; where some are forbidden, the rest is meant."""
        if self.forbidden != other.forbidden:
            most, least = (self, other) if self.forbidden else (other, self)
            kept = [v for v in most.values if v not in least.values]
        elif self.forbidden:
            kept = [v for v in self.values if v in other.values]
        else:
            kept = [*self.values, *(v for v in other.values if v not in self.values)]
        forbidden = self.forbidden or other.forbidden
        return _Classes(tuple(kept), forbidden, self.positions + other.positions)


@dataclass(frozen=True, slots=True)
class _Word:
    """An operand: a feature, a level, a number or a class."""

    text: str
    bare: bool
    position: Position

    @property
    def value(self) -> Value:
        return value_of_word(self.text) if self.bare else self.text

    @property
    def is_number(self) -> bool:
        return self.bare and (NUMBER.match(self.text) is not None)


def parse(text: str) -> tuple[tuple[Statement, ...], Schema]:
    """The statements of a text and what it declares.

    Raises
    ------
    RuleError
        Says at which line and column the text cannot be read, and what could be meant.
    MissingDependencyError
        If lark is not installed.

    Examples
    --------
    >>> statements, schema = parse("age < 18 => deny  # minors")
    >>> statements[0].when.operator, statements[0].classes
    ('<', ('deny',))
    """
    statements: list[Statement] = []
    domains: list[Domain] = []
    classes: tuple[Value, ...] = ()
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _line(line, number)
        if isinstance(found, Domain):
            if any(found.name == domain.name for domain in domains):
                message = f"feature {found.name!r} is declared twice. Keep one declaration."
                raise at_line(message, line, found.positions[0])
            domains.append(found)
        elif isinstance(found, tuple):
            classes += found
        else:
            statements.append(found)
    return tuple(statements), Schema(features=tuple(domains), classes=classes)


def parse_condition(text: str) -> Condition:
    """A condition alone, as the left side of a rule.

    Examples
    --------
    >>> parse_condition("odor = foul").value
    'foul'
    """
    found = _line(f"{text} => x", 1)
    if not isinstance(found, Rule):
        raise RuleError(f"{text!r} is no condition on features.")
    return found.when


def _line(line: str, number: int) -> Statement | Domain | tuple[Value, ...]:
    from lark import UnexpectedInput

    try:
        tree = parser().parse(line)
    except UnexpectedInput as error:
        raise syntax_error(error, line, number) from error
    deep = deep_node(tree)
    if deep is not None:
        raise at_line(TOO_DEEP, line, Position(number, deep.meta.column))
    reader = _Reader(line, number)
    try:
        return reader.statement(tree)
    except RuleError:
        raise
    except InputError as error:
        raise at_line(str(error), line, Position(number, 1)) from error


class _Reader:
    """Turns the nodes of one line into objects."""

    def __init__(self, line: str, number: int) -> None:
        self.line = line
        self.number = number

    def statement(self, tree: Any) -> Statement | Domain | tuple[Value, ...]:
        if tree.data == "domain":
            return self.domain(tree)
        if tree.data == "classes":
            return tuple(word.value for word in self.words(tree.children[1]))
        left, right, *rest = tree.children
        about, start = self.notes(rest), Position(self.number, self.place(tree).column)
        when, then = self.side(left), self.side(right)
        return self.implication(when, then, about, start)

    def implication(
        self,
        when: _Classes | Condition,
        then: _Classes | Condition,
        about: dict[str, str],
        start: Position,
    ) -> Statement:
        if isinstance(when, _Classes) and isinstance(then, _Classes):
            raise self.error(
                "both sides of => are classes. Write a condition as 'feature = value'"
                " ('at least' is >=).",
                start,
            )
        if isinstance(then, _Classes):
            self.check_classes(then, start)
            return Rule(
                when=when,  # type: ignore[arg-type]
                classes=then.values,
                forbidden=then.forbidden,
                positions=(start, *then.positions),
                **about,  # type: ignore[arg-type]
            )
        if isinstance(when, _Classes):
            self.check_classes(when.contrary(), start)
            rule = diagnostic(classes=when.values, then=then, forbidden=when.forbidden, **about)
            return replace(rule, positions=(start, *when.positions))
        if "missing" in about:
            raise self.error("a fact has no 'missing'. Only rules do.", start)
        return Fact(when=when, then=then, positions=(start,), **about)

    def check_classes(self, classes: _Classes, at: Position) -> None:
        if not classes.values:
            which = "every class" if classes.forbidden else "no class"
            raise self.error(f"these classes together are {which}, so the rule is empty.", at)

    def side(self, node: Any) -> _Classes | Condition:
        """A side of ``=>``, or a part of one."""
        name = node.data
        if name in ("alone", "set"):
            words = self.words(node)
            values = tuple(word.value for word in words)
            return _Classes(values, False, tuple(word.position for word in words))
        if name == "contrary":
            term = self.side(node.children[0])
            return term.contrary() if isinstance(term, _Classes) else Not(term)
        if name in ("any_of", "all_of"):
            return self.joined(node)
        if name == "comparison":
            return self.comparison(node)
        if name == "missing":
            feature = self.word(node.children[1])
            return Missing(feature.text, (feature.position,))
        return self.membership(node)

    def membership(self, node: Any) -> Condition:
        feature, values = self.word(node.children[0]), self.words(node.children[2])
        if not values:
            raise self.error("the braces are empty. Name at least one value.", feature.position)
        at = (feature.position, *(word.position for word in values))
        found = OneOf(feature.text, tuple(word.value for word in values), at)
        return Not(found) if node.children[1].type == "NOT_IN" else found

    def joined(self, node: Any) -> _Classes | Condition:
        terms = [self.side(child) for child in node.children]
        about_classes = [isinstance(term, _Classes) for term in terms]
        if all(about_classes):
            return self.joined_classes(terms, node.data)  # type: ignore[arg-type]
        if any(about_classes):
            odd = node.children[about_classes.index(True)]
            raise self.error(
                "a class stands among conditions. Write a condition as 'feature = value', and "
                "conditions and classes on different sides of =>.",
                self.place(odd),
            )
        return (Or if node.data == "any_of" else And)(tuple(terms))  # type: ignore[arg-type]

    def joined_classes(self, terms: Sequence[_Classes], how: str) -> _Classes:
        if how == "all_of":
            return self.joined_classes([term.contrary() for term in terms], "any_of").contrary()
        first, *rest = terms
        for term in rest:
            first = first.union(term)
        return first

    def comparison(self, node: Any) -> Condition:
        first, how, second, *more = node.children
        operators = [str(token).replace("==", "=") for token in (how, *more[:1])]
        left, right = self.word(first), self.word(second)
        if more:
            return self.interval(left, operators, right, self.word(more[1]))
        if left.is_number and not right.is_number:
            at = (right.position, left.position)
            return Compare(right.text, _FLIPPED[operators[0]], left.value, at)
        return Compare(left.text, operators[0], right.value, (left.position, right.position))

    def interval(
        self, left: _Word, operators: Sequence[str], name: _Word, right: _Word
    ) -> Condition:
        if operators[0][0] != operators[1][0] or operators[0][0] not in "<>":
            raise self.error(
                f"{operators[0]} and {operators[1]} make no interval. Write it as "
                "'16 <= age < 18'.",
                left.position,
            )
        if operators[0][0] == ">":
            left, right, operators = right, left, operators[::-1]
        closed = {(True, True): "both", (True, False): "left", (False, True): "right"}
        ends = (operators[0] in ("<=", ">="), operators[1] in ("<=", ">="))
        at = (name.position, left.position, right.position)
        return Between(name.text, left.value, right.value, closed.get(ends, "neither"), at)  # type: ignore[arg-type]

    def notes(self, rest: Sequence[Any]) -> dict[str, str]:
        found: dict[str, str] = {}
        for note in rest[0].children if rest else ():
            key, value = self.word(note.children[0]), self.word(note.children[1])
            if key.text not in _NOTES:
                raise self.error(
                    f"{key.text!r} is nothing that is noted. {nearest(key.text, _NOTES)}",
                    key.position,
                )
            if key.text in found:
                raise self.error(f"{key.text!r} is noted twice.", key.position)
            found[key.text] = value.text
        return found

    def domain(self, tree: Any) -> Domain:
        name, first, *parts = (child for child in tree.children[1:])
        word = self.word(name)
        options: dict[str, Any] = {"kind": "category"}
        if getattr(first, "data", None) == "set":
            others = [word.bare and word.text == "..." for word in self.words(first)]
            words = [word for word, other in zip(self.words(first), others) if not other]
            options |= {"levels": tuple(word.value for word in words), "open": any(others)}
        else:
            words = self.words(first)
            if len(words) != 1 or words[0].text not in KINDS:
                raise self.error(
                    f"{words[0].text!r} is no kind of feature. {nearest(words[0].text, KINDS)}",
                    words[0].position,
                )
            options["kind"] = words[0].text
        for part in parts:
            options |= self.limits(part)
        return Domain(name=word.text, positions=(word.position,), **options)

    def limits(self, part: Any) -> dict[str, Any]:
        words = self.words(part)
        match [word.text for word in words]:
            case ["from", _]:
                return {"low": words[1].value}
            case ["to", _]:
                return {"high": words[1].value}
            case ["from", _, "to", _]:
                return {"low": words[1].value, "high": words[3].value}
            case ["missing"]:
                return {"missing": True}
            case ["never", "missing"]:
                return {"missing": False}
        known = ("from", "to", "missing", "never missing")
        raise self.error(
            f"{' '.join(word.text for word in words)!r} declares nothing. "
            f"{nearest(words[0].text, known)}",
            words[0].position,
        )

    def words(self, node: Any) -> list[_Word]:
        return [self.word(child) for child in node.children]

    def word(self, token: Any) -> _Word:
        position = Position(self.number, token.column)
        if token.type == "QUOTED":
            return _Word(_unquoted(token), False, position)
        return _Word(str(token), True, position)

    def place(self, node: Any) -> Position:
        token = next(node.scan_values(lambda _: True)) if hasattr(node, "data") else node
        return Position(self.number, token.column)

    def error(self, message: str, at: Position) -> RuleError:
        return at_line(message, self.line, at)


def _unquoted(token: str) -> str:
    def plain(found: re.Match[str]) -> str:
        code = found[1]
        return str(json.loads(f'"{found[0]}"')) if len(code) > 1 else _ESCAPED.get(code, code)

    return _ESCAPE.sub(plain, token[1:-1])
