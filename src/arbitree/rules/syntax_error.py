"""Errors in the text of rules: which line and column, and what could be meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from arbitree._errors import RuleError
from arbitree.rules.conditions import Position

# How terminals of the grammar read to a person.
_WORDS = {
    "OPERATOR": "a comparison (=, !=, <, <=, >, >=)",
    "WORD": "a name or a value",
    "QUOTED": "",
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "IN": "in",
    "NOT_IN": "not in",
    "MISSING": "missing(...)",
    "FEATURE": "",
    "CLASSES": "",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "LSQB": "[",
    "RSQB": "]",
    "COMMA": "a comma",
    "COLON": "a colon",
    "$END": "the end of the line",
}
_KEYWORDS = ("and", "or", "not", "in", "not in", "=>", "missing")
_SIGNS = ("=>", "<=", ">=", "!=", "==")
_OTHERS = {
    "->": "=>",
    "==>": "=>",
    "⇒": "=>",
    "→": "=>",
    "&": "and",
    "&&": "and",
    "∧": "and",
    "|": "or",
    "||": "or",
    "∨": "or",
    "!": "not",
    "~": "not",
    "¬": "not",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "<>": "!=",
    "then": "=>",
    "is": "=",
    "when": "=>",
}


def at_line(message: str, line: str, at: Position) -> RuleError:
    """An error with the line below it and a mark below the column."""
    shown = line.expandtabs(1)
    return RuleError(
        f"Line {at.line}, column {at.column}: {message}\n  {shown}\n  {' ' * (at.column - 1)}^"
    )


def syntax_error(error: Any, line: str, number: int) -> RuleError:
    """What lark could not read, in words.

    Parameters
    ----------
    error : lark.UnexpectedInput
    line : str
    number : int
        Of the line, from 1.
    """
    expected = getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    at_end = getattr(getattr(error, "token", None), "type", "") == "$END"
    column = len(line.rstrip()) + 1 if at_end else max(getattr(error, "column", 1), 1)
    wanted = _wanted(set(expected) - (set() if "(" in line else {"RPAR"}) - {"LSQB"})
    if at_end:
        message = f"the line ends where {wanted} should follow."
        return at_line(message, line, Position(number, column))
    found = _found(line, column)
    message = f"{found!r} is not expected here{_hint(found)} There should be {wanted}."
    return at_line(message, line, Position(number, column))


def _found(line: str, column: int) -> str:
    """The word or sign at a column."""
    rest = line[column - 1 :]
    word = rest.split(maxsplit=1)[0] if rest.strip() else rest
    alone = rest[:1]
    if alone.isalnum() or alone in "_.\"'" or (alone == "-" and rest[1:2] != ">"):
        return word
    signs = sorted([*_OTHERS, *_SIGNS], key=len, reverse=True)
    return next((sign for sign in signs if rest.startswith(sign)), alone)


def _hint(found: str) -> str:
    known = _OTHERS.get(found.lower())
    close = [known] if known else get_close_matches(found.lower(), _KEYWORDS, n=1, cutoff=0.7)
    return f". Did you mean {close[0]!r}?" if close and close[0] != found else "."


def _wanted(expected: Any) -> str:
    words = [word for name, word in _WORDS.items() if name in expected and word]
    if set(expected) - set(_WORDS):  # the grammar's "=>", which has no name
        words.insert(0, "=>")
    if len(words) < 2:
        return "".join(words) or "a rule"
    return f"{', '.join(words[:-1])} or {words[-1]}"
