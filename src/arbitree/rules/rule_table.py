"""Rules and facts as a table, a statement a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from arbitree._wording import counted
from arbitree.rules.statements import Fact, Rule, Statement, label
from arbitree.rules.text import statement_text

_ABOUT = ("reason", "severity", "missing")


def rule_table(statements: Sequence[Statement]) -> pd.DataFrame:
    """Columns id, rule, reason, severity, and missing where a rule says so itself.

    A statement without an id has its line, or its place, in that column.

    Examples
    --------
    >>> from arbitree.rules.parse import parse
    >>> statements, _ = parse("age < 18 => deny  [id: minors, reason: law]")
    >>> rule_table(statements).values.tolist()
    [['minors', 'age < 18 => deny', 'law', '']]
    """
    bare = [replace(one, **_without_notes(one)) for one in statements]
    table = pd.DataFrame(
        {
            "id": [label(one, place) for place, one in enumerate(statements)],
            "rule": [statement_text(one) for one in bare],
            **{key: [getattr(one, key, None) or "" for one in statements] for key in _ABOUT},
        }
    )
    return table if (table["missing"] != "").any() else table.drop(columns="missing")


def _without_notes(statement: Statement) -> dict[str, Any]:
    notes: dict[str, Any] = {"id": None, "reason": None, "severity": None}
    return notes | ({"missing": None} if isinstance(statement, Rule) else {})


def rule_counts_text(statements: Sequence[Statement]) -> str:
    """``2 rules and 1 fact``.

    >>> rule_counts_text([])
    '0 rules'
    """
    n_facts = sum(isinstance(one, Fact) for one in statements)
    rules = counted(len(statements) - n_facts, "rule")
    return f"{rules} and {counted(n_facts, 'fact')}" if n_facts else rules
