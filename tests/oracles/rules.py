"""Rules by their definition, row by row and completion by completion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from operator import eq, ge, gt, le, lt, ne

from arbitree.rules.conditions import And, Between, Compare, Condition, Missing, Not, OneOf, Or
from arbitree.rules.statements import Fact, Rule, Statement

_COMPARED = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}

Row = Mapping[str, object]  # None is a missing value


def is_true(condition: Condition, completed: Row, row: Row) -> bool:
    """Whether a condition holds of a completed row; `missing` looks at the row as it was."""
    if isinstance(condition, Not):
        return not is_true(condition.term, completed, row)
    if isinstance(condition, And):
        return all(is_true(term, completed, row) for term in condition.terms)
    if isinstance(condition, Or):
        return any(is_true(term, completed, row) for term in condition.terms)
    if isinstance(condition, Missing):
        return row[condition.feature] is None
    value = completed[condition.feature]
    if isinstance(condition, OneOf):
        return value in condition.values
    if isinstance(condition, Between):
        above = ge if condition.closed in ("left", "both") else gt
        below = le if condition.closed in ("right", "both") else lt
        return above(value, condition.low) and below(value, condition.high)
    assert isinstance(condition, Compare)
    return bool(_COMPARED[condition.operator](value, condition.value))


def completions(row: Row, values: Mapping[str, Sequence[object]]) -> Iterator[Row]:
    """Every row that a row with missing values could be."""
    for found in product(*(values[name] if v is None else [v] for name, v in row.items())):
        yield dict(zip(row, found))


def holds(
    condition: Condition, row: Row, values: Mapping[str, Sequence[object]], missing: str
) -> bool:
    """Whether a condition is true in some completion, or in all."""
    found = [is_true(condition, one, row) for one in completions(row, values)]
    return any(found) if missing == "possible" else all(found)


def can_exist(
    row: Row, statements: Sequence[Statement], values: Mapping[str, Sequence[object]]
) -> bool:
    """Whether each fact is true in some completion."""
    return all(
        holds(Or((Not(fact.when), fact.then)), row, values, "possible")
        for fact in statements
        if isinstance(fact, Fact)
    )


def allowed(
    row: Row,
    statements: Sequence[Statement],
    values: Mapping[str, Sequence[object]],
    classes: Sequence[object],
    missing: str,
) -> set[object]:
    """Classes that no rule forbids of a row."""
    found = set(classes)
    for rule in statements:
        if isinstance(rule, Rule) and holds(rule.when, row, values, rule.missing or missing):
            found -= set(rule.classes) if rule.forbidden else set(classes) - set(rule.classes)
    return found
