"""Rules as plain values, as JSON and YAML hold them, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arbitree._errors import InputError, RuleError
from arbitree._wording import nearest
from arbitree.rules.conditions import (
    CLOSED,
    OPERATORS,
    And,
    Between,
    Compare,
    Condition,
    Missing,
    Not,
    OneOf,
    Or,
)
from arbitree.rules.nesting import MOST_NESTED, TOO_DEEP
from arbitree.rules.parse import parse_condition
from arbitree.rules.statements import Fact, Rule, Statement, diagnostic

_ABOUT = ("id", "reason", "severity", "missing")


def condition_to_dict(condition: Condition) -> dict[str, Any]:
    """A condition as plain values.

    >>> condition_to_dict(Not(Compare("age", "<", 18) & Missing("sex")))
    {'not': {'and': [{'feature': 'age', '<': 18}, {'missing': 'sex'}]}}
    """
    if isinstance(condition, Not):
        return {"not": condition_to_dict(condition.term)}
    if isinstance(condition, And | Or):
        key = "and" if isinstance(condition, And) else "or"
        return {key: [condition_to_dict(term) for term in condition.terms]}
    if isinstance(condition, Missing):
        return {"missing": condition.feature}
    if isinstance(condition, OneOf):
        return {"feature": condition.feature, "in": list(condition.values)}
    if isinstance(condition, Between):
        limits = {"from": condition.low, "to": condition.high, "closed": condition.closed}
        return {"feature": condition.feature, **limits}
    return {"feature": condition.feature, condition.operator: condition.value}


def condition_from_dict(data: Any, depth: int = 0) -> Condition:
    """The condition that `condition_to_dict` wrote, or a text of the language.

    Parameters
    ----------
    data : mapping or str
    depth : int
        In how many conditions it lies.

    Raises
    ------
    RuleError

    Examples
    --------
    >>> condition_from_dict("age < 18") == condition_from_dict({"feature": "age", "<": 18})
    True
    """
    if depth > MOST_NESTED:
        raise RuleError(TOO_DEEP)
    if isinstance(data, str):
        return parse_condition(data)
    if not isinstance(data, Mapping):
        raise RuleError(f"{data!r} is no condition. Give a text or a mapping.")
    match dict(data):
        case {"not": term, **rest} if not rest:
            return Not(condition_from_dict(term, depth + 1))
        case {"and": terms, **rest} if not rest:
            return And(_each(terms, depth + 1))
        case {"or": terms, **rest} if not rest:
            return Or(_each(terms, depth + 1))
        case {"missing": str(name), **rest} if not rest:
            return Missing(name)
        case {"feature": name, "in": list(values), **rest} if not rest:
            return OneOf(name, tuple(values))
        case {"feature": name, "from": low, "to": high, **rest} if set(rest) <= {"closed"}:
            return Between(name, low, high, rest.get("closed", CLOSED[0]))
        case {"feature": name, **rest} if len(rest) == 1 and set(rest) <= set(OPERATORS):
            ((operator, value),) = rest.items()
            return Compare(name, operator, value)
    known = ("and", "or", "not", "missing", "feature", "in", "from", "to", "closed", *OPERATORS)
    odd = next((key for key in data if key not in known), None)
    hint = f" {nearest(odd, known)}" if odd is not None else " Its keys do not go together."
    raise RuleError(f"{dict(data)!r} is no condition.{hint}")


def statement_to_dict(statement: Statement) -> dict[str, Any]:
    """A rule or a fact as plain values.

    >>> rule = Rule(when=Compare("age", "<", 18), classes=("deny",), id="minors")
    >>> statement_to_dict(rule)
    {'id': 'minors', 'if': {'feature': 'age', '<': 18}, 'allow': ['deny']}
    """
    about = {key: getattr(statement, key, None) for key in _ABOUT}
    found: dict[str, Any] = {} if about["id"] is None else {"id": about.pop("id")}
    found["if"] = condition_to_dict(statement.when)
    if isinstance(statement, Rule):
        found["forbid" if statement.forbidden else "allow"] = list(statement.classes)
    else:
        found["fact"] = condition_to_dict(statement.then)
    return {**found, **{key: text for key, text in about.items() if text is not None}}


def statement_from_dict(data: Any) -> Statement:
    """The statement that `statement_to_dict` wrote.

    A person may also write ``if`` and ``fact`` as text, a single class without brackets, and a
    diagnostic rule with the class under ``if_class``, or ``if_not_class``, and the condition under
    ``then``.

    Raises
    ------
    RuleError
    """
    if not isinstance(data, Mapping):
        raise RuleError(f"{data!r} is no statement. Give a mapping with 'if'.")
    rest = {key: data[key] for key in data if key not in _ABOUT}
    about = {key: data[key] for key in _ABOUT if data.get(key) is not None}
    for key, text in about.items():
        if not isinstance(text, str):
            raise RuleError(f"{key} is {text!r}. Give a text.")
    try:
        return _statement(rest, about)
    except RuleError:
        raise
    except (InputError, TypeError) as error:
        raise RuleError(str(error)) from error


def _statement(rest: dict[str, Any], about: dict[str, Any]) -> Statement:
    match rest:
        case {"if": when, "fact": then, **more} if not more:
            return Fact(when=condition_from_dict(when), then=condition_from_dict(then), **about)
        case {"if": when, "allow": classes, **more} if not more:
            return Rule(when=condition_from_dict(when), classes=_classes(classes), **about)
        case {"if": when, "forbid": classes, **more} if not more:
            return Rule(
                when=condition_from_dict(when), classes=_classes(classes), forbidden=True, **about
            )
        case {"if_class": classes, "then": then, **more} if not more:
            return diagnostic(classes=_classes(classes), then=condition_from_dict(then), **about)
        case {"if_not_class": classes, "then": then, **more} if not more:
            then = condition_from_dict(then)
            return diagnostic(classes=_classes(classes), then=then, forbidden=True, **about)
    known = ("if", "allow", "forbid", "fact", "if_class", "if_not_class", "then", *_ABOUT)
    odd = next((key for key in rest if key not in known), None)
    hint = nearest(odd, known) if odd is not None else "Give 'if' with 'allow', 'forbid' or 'fact'."
    raise RuleError(f"{rest!r} is no statement. {hint}")


def _classes(data: Any) -> tuple[Any, ...]:
    if isinstance(data, str):
        return (data,)
    return tuple(data) if isinstance(data, Sequence) else (data,)


def _each(terms: Any, depth: int) -> tuple[Condition, ...]:
    if not isinstance(terms, Sequence) or isinstance(terms, str):
        raise RuleError(f"{terms!r} is no list of conditions.")
    return tuple(condition_from_dict(term, depth) for term in terms)
