"""Rules -> normal form over the features and classes of a problem."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from arbitree._errors import RuleError
from arbitree._wording import nearest
from arbitree.model.tree import Feature
from arbitree.rules.bound import BoundFact, BoundRule, BoundRules
from arbitree.rules.conditions import Atom, atoms
from arbitree.rules.make_space import at, make_space
from arbitree.rules.normal_form import certain_boxes, implied_boxes, possible_boxes
from arbitree.rules.possible import PossibleRows
from arbitree.rules.schema import Schema
from arbitree.rules.space import Space
from arbitree.rules.statements import Fact, MissingPolicy, Rule, Statement, label
from arbitree.rules.values import place_of
from arbitree.table.distinct import distinct
from arbitree.table.frames import column, columns
from arbitree.table.occurring import occurring


def bind(
    statements: Sequence[Statement],
    *,
    schema: Schema,
    missing: MissingPolicy,
    features: Sequence[Feature] | None,
    classes: Sequence[object] | None,
) -> BoundRules:
    """Normal form of statements.

    Parameters
    ----------
    statements : sequence of Rule and Fact
    schema : Schema
        What is declared of features and classes.
    missing : {"possible", "certain"}
        Of rules that do not say.
    features : sequence of Feature or None
        What is known from data; None if nothing is.
    classes : sequence or None
        Labels, in the order that decides their places. None: those declared, else those that
        rules name.

    Raises
    ------
    RuleError
    """
    space = make_space(atoms_of(statements), schema, features)
    return bind_in(space, statements, classes=_labels(statements, schema, classes), missing=missing)


def atoms_of(statements: Sequence[Statement]) -> Iterator[Atom]:
    """Every comparison of some statements."""
    for statement in statements:
        yield from atoms(statement.when)
        if isinstance(statement, Fact):
            yield from atoms(statement.then)


def bind_in(
    space: Space,
    statements: Sequence[Statement],
    *,
    classes: tuple[object, ...],
    missing: MissingPolicy,
) -> BoundRules:
    """Normal form of statements over a space whose cells their comparisons do not part.

    Raises
    ------
    RuleError
    """
    facts = tuple(
        _bound_fact(fact, label(fact, place), space)
        for place, fact in enumerate(statements)
        if isinstance(fact, Fact)
    )
    rules = tuple(
        _bound_rule(rule, label(rule, place), space, classes, missing)
        for place, rule in enumerate(statements)
        if isinstance(rule, Rule)
    )
    return BoundRules(
        space=space,
        classes=classes,
        rules=rules,
        facts=facts,
        rows=PossibleRows(space, [fact.boxes for fact in facts]),
    )


def features_of(domain: Any) -> tuple[Sequence[Feature] | None, Schema]:
    """What a domain says: features of data or of a model, and what is declared.

    Parameters
    ----------
    domain : frame, array, dictionary of columns, sequence of Feature, Schema or None
    """
    if domain is None:
        return None, Schema()
    if isinstance(domain, Schema):
        return None, domain
    if isinstance(domain, tuple | list) and domain and isinstance(domain[0], Feature):
        return domain, Schema()
    found = columns(domain, what="X", default_name="x")
    return [Feature(name=_plain(one.name), coding=occurring(one)) for one in found], Schema()


def classes_of(given: Any) -> tuple[object, ...] | None:
    """Labels: those listed, in their order, or the distinct ones of a column that repeats some."""
    if given is None:
        return None
    found = distinct(column(given, what="classes", default_name="class"))
    in_order = tuple(found.levels[code] for code in found.codes if code >= 0)
    return in_order if len(set(found.codes.tolist())) == len(found.codes) else found.levels


def _plain(name: Hashable) -> Hashable:
    return name.item() if isinstance(name, np.generic) else name


def _bound_fact(fact: Fact, name: str, space: Space) -> BoundFact:
    boxes = implied_boxes(fact.when, fact.then, space)
    return BoundFact(fact=fact, name=name, boxes=tuple(boxes))


def _bound_rule(
    rule: Rule, name: str, space: Space, classes: tuple[object, ...], missing: MissingPolicy
) -> BoundRule:
    boxes = certain_boxes if (rule.missing or missing) == "certain" else possible_boxes
    named = 0
    for place, value in enumerate(rule.classes, start=1):
        where = place_of(value, classes)
        if where is None:
            known = nearest(str(value), classes)
            raise RuleError(f"{at(rule.positions, place)}there is no class {value!r}. {known}")
        named |= 1 << where
    every = (1 << len(classes)) - 1
    return BoundRule(
        rule=rule,
        name=name,
        boxes=tuple(boxes(rule.when, space)),
        forbids=named if rule.forbidden else every & ~named,
    )


def _labels(
    statements: Sequence[Statement], schema: Schema, classes: Sequence[object] | None
) -> tuple[object, ...]:
    """Labels of the data, then those that are only declared."""
    found: list[object] = list(classes or ())
    found += [value for value in schema.classes if place_of(value, found) is None]
    if found:
        return tuple(found)
    for statement in statements:
        if isinstance(statement, Rule):
            found += [value for value in statement.classes if place_of(value, found) is None]
    return tuple(found)
