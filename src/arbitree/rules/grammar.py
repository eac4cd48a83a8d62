"""The grammar of rules, and what its parts stand for as plain nodes.

A side of ``=>`` may hold conditions or classes, and a bare word does not say which: the grammar
reads both alike, and `arbitree.rules.parse` tells them apart.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from arbitree._errors import MissingDependencyError

GRAMMAR = r"""
?start: implication | domain | classes
implication: expression "=>" expression notes?
domain: FEATURE operand ":" part ("," part)*
classes: CLASSES ":" set
notes: "[" note ("," note)* "]"
note: WORD ":" operand
?part: set | phrase
phrase: operand+

?expression: conjunction | conjunction ("or" conjunction)+ -> any_of
?conjunction: negation | negation ("and" negation)+ -> all_of
?negation: primary | "not" negation -> contrary
?primary: "(" expression ")" | comparison | membership | missing | set | alone
alone: operand
comparison: operand OPERATOR operand (OPERATOR operand)?
membership: operand (IN | NOT_IN) set
missing: MISSING "(" operand ")"
set: "{" [operand ("," operand)*] "}"
?operand: WORD | QUOTED

IN: "in"
OPERATOR: "<=" | ">=" | "!=" | "==" | "<" | ">" | /=(?!>)/
NOT_IN.3: /not[ \t]+in(?![\w.\-])/
MISSING.3: /missing(?=[ \t]*\()/
FEATURE.3: /feature(?=[ \t]+("([^"\\]|\\.)*"|'([^'\\]|\\.)*'|[\w.\-]+)[ \t]*:)/
CLASSES.3: /classes(?=[ \t]*:)/
WORD: /[+-]?(\d+\.?\d*|\.\d+)[eE]\+\d+(?![\w.\-])|\+\d[\w.]*|[\w.\-]+/
QUOTED: /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/
%ignore /[ \t\f\v\u00a0]+/
%ignore /#.*/
"""


@cache
def parser() -> Any:
    """The parser of one line.

    Raises
    ------
    MissingDependencyError
    """
    try:
        from lark import Lark
    except ImportError as error:
        raise MissingDependencyError(
            "Reading rules needs lark. Install it with: pip install 'arbitree[rules]'"
        ) from error
    return Lark(GRAMMAR, parser="lalr", maybe_placeholders=False, propagate_positions=True)
