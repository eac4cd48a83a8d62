"""Rules bound to rows of which nothing was known before: any level, any missing value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arbitree.model.tree import Feature
from arbitree.rules.bind import bind
from arbitree.rules.bound import BoundRules
from arbitree.rules.conditions import Atom, Between, Missing, OneOf, atoms, feature_text
from arbitree.rules.ruleset import Rules
from arbitree.rules.schema import MEASURED
from arbitree.rules.statements import Fact
from arbitree.rules.values import Value, number_of, place_of, plain_value
from arbitree.table.code import code_features
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.frames import Column
from arbitree.table.missing import is_missing


def bound_to_columns(
    rules: Rules, found: Sequence[Column], classes: Sequence[object], *, loose: bool
) -> BoundRules:
    """Rules over the columns that they name; other columns are not looked at.

    Parameters
    ----------
    rules : Rules
    found : sequence of Column
    classes : sequence
        Labels in the order that decides their places.
    loose : bool
        Whether values that rules name may be none of the columns', and any value may be missing
        that is not declared never to be. Else as `Rules.bind`.

    Raises
    ------
    RuleError
    """
    by_name = values_named(rules)
    declared = {domain.name: domain for domain in rules.schema.features}
    names = {feature_text(column.name) for column in found}
    if names >= by_name.keys() | declared.keys():
        found = [c for c in found if feature_text(c.name) in by_name.keys() | declared.keys()]
    features = []
    for column in found:
        feature, name = _feature(column), feature_text(column.name)
        values, domain = by_name.get(name, []), declared.get(name)
        if loose:
            measured = domain is not None and domain.kind in MEASURED
            if is_missing(column).all() and not measured:
                feature = _of_values(feature, values)
            feature = _loosened(feature, values, never=domain is not None and not domain.missing)
        features.append(feature)
    return bind(
        rules.statements,
        schema=rules.schema,
        missing=rules.missing,
        features=features,
        classes=tuple(classes),
    )


def values_named(rules: Rules) -> dict[str, list[Value]]:
    """The features that statements name, and the values that each is compared with."""
    found: dict[str, list[Value]] = {}
    for statement in rules:
        conditions = [statement.when, *([statement.then] if isinstance(statement, Fact) else [])]
        for atom in (atom for condition in conditions for atom in atoms(condition)):
            found.setdefault(atom.feature, []).extend(_values(atom))
    return found


def _values(atom: Atom) -> list[Value]:
    if isinstance(atom, Missing):
        return []
    if isinstance(atom, Between):
        return [value for part in atom.parts for value in _values(part)]
    return list(atom.values) if isinstance(atom, OneOf) else [atom.value]


def _feature(column: Column) -> Feature:
    (coded,), _ = code_features([column], max_bins=2)
    name = coded.name
    return Feature(name=name.item() if isinstance(name, np.generic) else name, coding=coded.coding)


def _of_values(feature: Feature, values: Sequence[Value]) -> Feature:
    """A column without a value holds what rules compare it with."""
    if all(number_of(value) is not None for value in values):
        return feature
    return replace(feature, coding=CategoryCoding(levels=()))


def _loosened(feature: Feature, values: Sequence[Value], *, never: bool) -> Feature:
    coding = feature.coding
    if isinstance(coding, NumericCoding):
        return replace(feature, coding=replace(coding, admits_missing=not never))
    levels = list(coding.levels + coding.declared_unused)
    levels += [
        value
        for value in dict.fromkeys(map(plain_value, values))
        if place_of(value, levels) is None and coding.kind != "boolean"
    ]
    wide = replace(coding, levels=tuple(levels), declared_unused=(), admits_missing=not never)
    return replace(feature, coding=wide)
