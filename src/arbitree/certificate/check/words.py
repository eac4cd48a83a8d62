"""Statements in the words of the language of rules."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from arbitree.certificate.check.shape import Wrong
from arbitree.certificate.check.values import value_text

_BARE = re.compile(r"\w[\w.\-]*")
_NUMBER = re.compile(r"[+-]?\.?\d")
_KEYWORDS = {"and", "or", "not", "in", "missing", "true", "false", "feature", "classes"}


def statement_words(statement: dict[str, Any]) -> str:
    """A rule or a fact on one line."""
    if "fact" in statement:
        then = condition_words(statement["fact"])
    else:
        key = "forbid" if "forbid" in statement else "allow"
        classes = statement[key]
        then = _value(classes[0]) if len(classes) == 1 else _set(classes)
        then = f"not {then}" if key == "forbid" else then
    notes = [
        f"{key}: {_name(statement[key])}"
        for key in ("id", "reason", "severity", "missing")
        if key in statement
    ]
    about = f"  [{', '.join(notes)}]" if notes else ""
    return f"{condition_words(statement['if'])} => {then}{about}"


def condition_words(condition: dict[str, Any]) -> str:
    """A condition, with brackets only where they are needed."""
    match condition:
        case {"not": {"feature": feature, "in": values}}:
            return f"{_name(feature)} not in {_set(values)}"
        case {"not": term}:
            inner = condition_words(term)
            return f"not ({inner})" if "and" in term or "or" in term else f"not {inner}"
        case {"and": terms}:
            words = [(condition_words(term), "or" in term) for term in terms]
            return " and ".join(f"({text})" if is_or else text for text, is_or in words)
        case {"or": terms}:
            return " or ".join(map(condition_words, terms))
        case {"missing": feature}:
            return f"missing({_name(feature)})"
        case {"feature": feature, "in": values}:
            return f"{_name(feature)} in {_set(values)}"
        case {"feature": feature, "from": low, "to": high, "closed": closed}:
            left = "<=" if closed in ("left", "both") else "<"
            right = "<=" if closed in ("right", "both") else "<"
            return f"{_value(low)} {left} {_name(feature)} {right} {_value(high)}"
        case {"feature": feature, **rest}:
            ((operator, value),) = rest.items()
            return f"{_name(feature)} {operator} {_value(value)}"
    raise Wrong(f"{condition!r} is no condition")


def _set(values: list[Any]) -> str:
    return "{" + ", ".join(map(_value, values)) + "}"


def _value(value: Any) -> str:
    if not isinstance(value, str):
        return value_text(value)
    bare = _BARE.fullmatch(value) and value.lower() not in _KEYWORDS
    return value if bare and not _reads_as_number(value) else _quoted(value)


def _name(name: str) -> str:
    bare = _BARE.fullmatch(name) and name.lower() not in _KEYWORDS and not _NUMBER.match(name)
    return name if bare else _quoted(name)


def _reads_as_number(text: str) -> bool:
    for number in (int, float):
        try:
            value = number(text)
        except ValueError:
            continue
        if repr(value) == text and math.isfinite(value):
            return True
    return False


def _quoted(text: str) -> str:
    def written(character: str) -> str:
        plain = character.isprintable() and character not in '"\\'
        return character if plain else json.dumps(character)[1:-1]

    return f'"{"".join(map(written, text))}"'
