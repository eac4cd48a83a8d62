"""The axes of features, from data, from what is declared, and from the values that rules name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from arbitree._errors import RuleError
from arbitree._wording import nearest
from arbitree.model.tree import Feature
from arbitree.rules.axes import Axis, CategoryAxis, NumberAxis, below
from arbitree.rules.conditions import (
    Atom,
    Between,
    Compare,
    Missing,
    OneOf,
    Position,
    feature_text,
)
from arbitree.rules.schema import MEASURED, Domain, Schema
from arbitree.rules.space import Space
from arbitree.rules.values import Value, place_of
from arbitree.table.codings import CategoryCoding, NumericCoding

_UNITS = {"date": "days since 1970-01-01", "duration": "days"}


def make_space(atoms: Iterable[Atom], schema: Schema, features: Sequence[Feature] | None) -> Space:
    """A space in which each of the atoms is true or false of whole cells.

    Parameters
    ----------
    atoms : iterable of Atom
    schema : Schema
        What is declared.
    features : sequence of Feature or None
        What data says; None if there is none.

    Raises
    ------
    RuleError
        If an atom names what is not there, or a declaration contradicts the data.
    """
    by_feature: dict[str, list[Atom]] = {}
    for atom in atoms:
        by_feature.setdefault(atom.feature, []).append(atom)
    declared = {domain.name: domain for domain in schema.features}
    named: dict[str, Feature | None] = (
        dict.fromkeys(declared)
        if features is None
        else {feature_text(feature.name): feature for feature in features}
    )
    for name, domain in declared.items():
        if name not in named:
            raise _unknown(name, domain.positions, list(named))
    for name, of_name in by_feature.items():
        if name not in named:
            raise _unknown(name, of_name[0].positions, list(named))
    return Space(
        axes=tuple(
            _axis(feature, declared.get(name), by_feature.get(name, []))
            for name, feature in named.items()
        )
    )


def at(positions: Sequence[Position], place: int = 0) -> str:
    """Where a word stood, to begin a message with; nothing if it was not read from text."""
    if not positions:
        return ""
    position = positions[min(place, len(positions) - 1)]
    return f"Line {position.line}, column {position.column}: "


def _axis(feature: Feature | None, domain: Domain | None, atoms: list[Atom]) -> Axis:
    name: Hashable = domain.name if feature is None else feature.name  # type: ignore[union-attr]
    coding = None if feature is None else feature.coding
    _check_missing(domain, coding)
    if isinstance(coding, CategoryCoding):
        return _category(name, coding, domain, atoms)
    if isinstance(coding, NumericCoding) or (domain is not None and domain.kind in MEASURED):
        return _number(name, coding, domain, atoms)
    return _category(name, None, domain, atoms)


def _check_missing(domain: Domain | None, coding: Any) -> None:
    if domain is not None and domain.missing is False and coding and coding.admits_missing:
        raise RuleError(
            f"{at(domain.positions)}feature {domain.name!r} is declared never missing, and the "
            "data has missing values of it."
        )


def _admits_missing(domain: Domain | None, coding: Any) -> bool:
    if domain is not None and domain.missing is not None:
        return domain.missing
    return coding is not None and coding.admits_missing


def _number(
    name: Hashable, coding: NumericCoding | None, domain: Domain | None, atoms: list[Atom]
) -> NumberAxis:
    if domain is not None and coding is not None:
        _check_kind(domain, coding)
    kind = coding.kind if coding is not None else domain.kind  # type: ignore[union-attr]
    if domain is not None and domain.kind == "integer":
        kind = "integer"
    elif kind == "integer":  # of data: a promise that only a declaration makes
        kind = "number"
    unit = coding.unit if coding is not None else _UNITS.get(kind)
    bare = NumberAxis(name=name, edges=np.empty(0, np.float32), kind=kind, unit=unit, whole=0b01)
    cuts = {cut for atom in atoms for cut in cuts_of(bare, atom)}
    points = _points(bare, domain)
    for point in points or ():
        cuts |= {below(point), point}
    low, high = _limits(bare, domain)
    cuts |= {low, high} - {-np.inf, np.inf}
    if kind == "integer":
        cuts = {float(np.floor(cut)) for cut in cuts}
    edges = np.array(sorted(cuts), np.float32)
    cut = NumberAxis(name=name, edges=edges, kind=kind, unit=unit, whole=(1 << len(edges) + 1) - 1)
    whole = _occurring(cut, low, high, points)
    if _admits_missing(domain, coding):
        whole |= 1 << cut.missing_cell
    return NumberAxis(name=name, edges=edges, kind=kind, unit=unit, whole=whole)


def _check_kind(domain: Domain, coding: NumericCoding) -> None:
    plain = ("number", "integer")
    same = domain.kind == coding.kind or {domain.kind, coding.kind} <= set(plain)
    if not same and not (domain.kind in ("category", "boolean") and coding.kind in plain):
        raise RuleError(
            f"{at(domain.positions)}feature {domain.name!r} is declared as {domain.kind}, and the "
            f"data has it as {coding.kind}."
        )


def _points(axis: NumberAxis, domain: Domain | None) -> list[float] | None:
    """The only numbers there are, where levels of a column of numbers are declared."""
    if domain is None or domain.kind not in ("category", "boolean") or domain.open:
        return None
    levels: tuple[Value, ...] = domain.levels if domain.kind == "category" else (0, 1)
    return [_number_in(axis, value, domain.positions, 0) for value in levels]


def _limits(axis: NumberAxis, domain: Domain | None) -> tuple[float, float]:
    low, high = -np.inf, np.inf
    if domain is not None and domain.low is not None:
        low = below(_number_in(axis, domain.low, domain.positions, 0))
    if domain is not None and domain.high is not None:
        high = _number_in(axis, domain.high, domain.positions, 0)
    whole = axis.kind == "integer"  # 5.2 to 5.8 holds numbers, and no whole one
    if not (np.floor(low) < np.floor(high) if whole else low < high):
        raise RuleError(
            f"{at(domain.positions)}feature {domain.name!r} has no value from "  # type: ignore[union-attr]
            f"{domain.low} to {domain.high}."  # type: ignore[union-attr]
        )
    return low, high


def _occurring(axis: NumberAxis, low: float, high: float, points: list[float] | None) -> int:
    whole = axis.between(low, high)
    if points is not None:
        listed = 0
        for point in points:
            listed |= axis.between(below(point), point)
        whole &= listed
    return whole


def cuts_of(axis: NumberAxis, atom: Atom) -> set[float]:
    """The edges between numbers of which an atom is true and others."""
    if isinstance(atom, Missing):
        return set()
    if isinstance(atom, Between):
        return {cut for part in atom.parts for cut in cuts_of(axis, part)}
    values = atom.values if isinstance(atom, OneOf) else (atom.value,)
    cuts = set()
    for place, value in enumerate(values, start=1):
        number = _number_in(axis, value, atom.positions, place)
        operator = atom.operator if isinstance(atom, Compare) else "="
        if operator not in ("<=", ">"):
            cuts.add(below(number))
        if operator not in ("<", ">="):
            cuts.add(number)
    return cuts


def _number_in(axis: NumberAxis, value: Value, positions: Sequence[Position], place: int) -> float:
    number = axis.number(value)
    if number is None:
        raise RuleError(
            f"{at(positions, place)}feature {axis.name!r} holds {_THINGS[axis.kind]}, and "
            f"{value!r} is none that float32 can hold."
        )
    return number


_THINGS = {
    "number": "numbers",
    "integer": "whole numbers",
    "date": "dates, such as 2024-05-01",
    "duration": "durations, such as '3 days'",
}


def _category(
    name: Hashable, coding: CategoryCoding | None, domain: Domain | None, atoms: list[Atom]
) -> CategoryAxis:
    levels = list(coding.levels + coding.declared_unused) if coding is not None else []
    boolean = (coding is not None and coding.kind == "boolean") or (
        domain is not None and domain.kind == "boolean"
    )
    if boolean and not levels:
        levels = [False, True]
    if domain is not None and domain.kind == "category":
        _check_declared(domain, coding.levels if coding is not None else ())
        levels += [value for value in domain.levels if place_of(value, levels) is None]
    elif domain is not None and domain.kind in MEASURED:
        raise RuleError(
            f"{at(domain.positions)}feature {domain.name!r} is declared as {domain.kind}, and the "
            "data has levels of a category."
        )
    is_open = domain.open if domain is not None and domain.kind == "category" else not boolean
    _add_named(name, levels, atoms, domain, is_open=domain is not None and domain.open)
    whole = (1 << len(levels)) - 1
    if is_open:
        whole |= 1 << len(levels)
    if _admits_missing(domain, coding):
        whole |= 1 << len(levels) + 1
    ordered = coding is not None and coding.kind == "ordered"
    return CategoryAxis(name=name, levels=tuple(levels), ordered=ordered, whole=whole)


def _check_declared(domain: Domain, levels: Sequence[object]) -> None:
    """Refuse data with a level that a closed list does not have."""
    listed = {place_of(value, levels) for value in domain.levels}
    extra = [level for place, level in enumerate(levels) if place not in listed]
    if extra and not domain.open:
        raise RuleError(
            f"{at(domain.positions)}the data has the level {extra[0]!r} of feature "
            f"{domain.name!r}, which is not declared. Add it, or '...' for any other."
        )


def _add_named(
    name: Hashable, levels: list[Any], atoms: list[Atom], domain: Domain | None, *, is_open: bool
) -> None:
    """Give levels that only rules name a cell, if others than the listed ones may occur."""
    for atom in atoms:
        if isinstance(atom, Missing | Between):
            continue
        values = atom.values if isinstance(atom, OneOf) else (atom.value,)
        for place, value in enumerate(values, start=1):
            if place_of(value, levels) is not None:
                continue
            if not is_open:
                raise _unknown_level(name, value, atom.positions, place, levels, domain)
            levels.append(value)


def _unknown_level(
    name: Hashable,
    value: Value,
    positions: Sequence[Position],
    place: int,
    levels: Sequence[Any],
    domain: Domain | None,
) -> RuleError:
    advice = (
        f"If it can occur, declare that: 'feature {name}: {{{value}, ...}}'."
        if domain is None
        else "Add it to the levels that are declared, if it can occur."
    )
    return RuleError(
        f"{at(positions, place)}feature {name!r} has no level {value!r}. "
        f"{nearest(str(value), levels)} {advice}"
    )


def _unknown(name: str, positions: Sequence[Position], known: list[str]) -> RuleError:
    hint = nearest(name, known) if known else "Declare it, as in 'feature age: number'."
    return RuleError(f"{at(positions)}there is no feature {name!r}. {hint}")
