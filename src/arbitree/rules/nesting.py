"""How deep conditions may be nested.

What reads, writes and evaluates a condition calls itself at every level, and Python ends a program
that calls itself some hundred times. People nest a handful of levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from arbitree._errors import RuleError

MOST_NESTED = 100
# A condition in a list in a condition: two levels of brackets each, and those around a statement.
MOST_BRACKETS = 2 * MOST_NESTED + 10
TOO_DEEP = (
    f"conditions are nested more than {MOST_NESTED} deep here. Leave out every pair of 'not' that "
    "undoes itself, split the rule into several, or give an intermediate value a column of its own."
)
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


def refuse_brackets(text: str) -> None:
    """Refuse JSON that is nested deeper than any rule.

    Raises
    ------
    RuleError
        Says at which line and column.

    Examples
    --------
    >>> refuse_brackets("[" * 1000)
    Traceback (most recent call last):
    arbitree._errors.RuleError: Line 1, column 211: conditions are nested more than 100 deep ...
    """
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MOST_BRACKETS:
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
            raise RuleError(f"Line {line}, column {column}: {TOO_DEEP}")


def deep_node(tree: Any) -> Any:
    """The first node, in the order of the text, that lies too deep in a tree of lark, or None."""
    for node, depth in _nodes(tree):
        if depth > MOST_NESTED:
            return node
    return None


def _nodes(tree: Any) -> Iterator[tuple[Any, int]]:
    """Nodes of a tree from left to right, and in how many joined conditions each lies."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        inside = depth + (node.data in ("contrary", "any_of", "all_of"))
        yield node, inside
        children = (child for child in node.children if hasattr(child, "data"))
        waiting += reversed([(child, inside) for child in children])
