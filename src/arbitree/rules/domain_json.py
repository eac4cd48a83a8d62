"""The rows that rules speak of, as plain values: what each feature can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from arbitree._errors import InputError, RuleError
from arbitree.rules.axes import Axis, CategoryAxis, NumberAxis, bits
from arbitree.rules.conditions import Atom, feature_text, values_of
from arbitree.rules.make_space import at, cuts_of
from arbitree.rules.space import Space
from arbitree.rules.values import place_of
from arbitree.table.levels import level_from_json, level_to_json

_LARGEST = float(np.finfo(np.float32).max)
_KINDS = ("number", "integer", "date", "duration")


def domain_to_dict(space: Space) -> list[dict[str, Any]]:
    """What each feature can be, without the cells that rules part it into.

    Numbers are in ``ranges`` of ``low < x <= high``, compared as float32, None where there is no
    limit. A category has its ``levels``, and ``other`` says whether it may have more.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> rules = Rules.parse("feature age: integer, from 0\\nage < 18 => deny")
    >>> domain_to_dict(rules.bind().space)[0]["ranges"]
    [[-1.0, None]]
    """
    return [_to_dict(axis) for axis in space.axes]


def domain_from_dict(data: Sequence[Mapping[str, Any]], atoms: Iterable[Atom] = ()) -> Space:
    """The space that `domain_to_dict` wrote, parted so that each atom is true or false of cells.

    Raises
    ------
    InputError
        If `data` makes no sense.
    RuleError
        If an atom names a feature or a level that is not there.

    Examples
    --------
    >>> from arbitree.rules.conditions import Compare
    >>> data = [{"feature": "x", "levels": ["a"], "ordered": False, "other": True, "missing": True}]
    >>> domain_from_dict(data, [Compare("x", "=", "a")]).whole
    (7,)
    """
    by_feature: dict[str, list[Atom]] = {}
    for atom in atoms:
        by_feature.setdefault(atom.feature, []).append(atom)
    try:
        axes = [_axis(entry, by_feature) for entry in data]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"The domain cannot be read: {error!r}.") from error
    unknown = set(by_feature) - {feature_text(axis.name) for axis in axes}
    if unknown:
        atom = by_feature[min(unknown)][0]
        raise RuleError(f"{at(atom.positions)}there is no feature {atom.feature!r} in the domain.")
    return Space(axes=tuple(axes))


def _to_dict(axis: Axis) -> dict[str, Any]:
    missing = bool(axis.whole >> axis.missing_cell & 1)
    if isinstance(axis, NumberAxis):
        return {
            "feature": level_to_json(axis.name),
            "kind": axis.kind,
            "unit": axis.unit,
            "ranges": [range_ends(*limits) for limits in number_ranges(axis, axis.whole)],
            "missing": missing,
        }
    return {
        "feature": level_to_json(axis.name),
        "levels": [level_to_json(level) for level in axis.levels],
        "ordered": axis.ordered,
        "other": bool(axis.whole >> axis.other_cell & 1),
        "missing": missing,
    }


def number_ranges(axis: NumberAxis, cells: int) -> list[tuple[float, float]]:
    """A set of cells as ranges ``low < x <= high`` that do not touch; missing is passed over.

    >>> axis = NumberAxis(name="x", edges=np.float32([1, 2]), kind="number", whole=0b0111)
    >>> number_ranges(axis, 0b011), number_ranges(axis, 0b101)
    ([(-inf, 2.0)], [(-inf, 1.0), (2.0, inf)])
    """
    found: list[tuple[float, float]] = []
    for cell in bits(cells & ~(1 << axis.missing_cell)):
        low, high = axis.limits(cell)
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found


def range_ends(low: float, high: float) -> list[float | None]:
    """The ends of a range as JSON has them; None where there is none."""
    return [None if np.isinf(end) else shortest(end) for end in (low, high)]


def shortest(number: float) -> float:
    """The float64 with fewest digits that is this float32.

    >>> shortest(float(np.float32(0.1)))
    0.1
    """
    for digits in range(1, 10):
        short = float(f"{float(number):.{digits}g}")
        if abs(short) <= _LARGEST and np.float32(short) == number:
            return short
    return float(number)


def _axis(entry: Mapping[str, Any], atoms: Mapping[str, Sequence[Atom]]) -> Axis:
    name = level_from_json(entry["feature"])
    of_feature = atoms.get(feature_text(name), ())
    return _number(entry, of_feature) if "ranges" in entry else _category(entry, of_feature)


def _number(entry: Mapping[str, Any], atoms: Sequence[Atom]) -> NumberAxis:
    name, kind, unit = level_from_json(entry["feature"]), entry["kind"], entry["unit"]
    if kind not in _KINDS:
        raise InputError(f"The domain has numbers of a kind {kind!r}.")
    bare = NumberAxis(name=name, edges=np.empty(0, np.float32), kind=kind, unit=unit, whole=0b01)
    ranges = [(_end(low, -np.inf), _end(high, np.inf)) for low, high in entry["ranges"]]
    cuts = {cut for atom in atoms for cut in cuts_of(bare, atom)}
    cuts |= {end for end in chain(*ranges) if np.isfinite(end)}
    if kind == "integer":
        cuts = {float(np.floor(cut)) for cut in cuts}
    edges = np.array(sorted(cuts), np.float32)
    every = NumberAxis(name=name, edges=edges, kind=kind, unit=unit, whole=(2 << len(edges)) - 1)
    whole = 0
    for low, high in ranges:
        whole |= every.between(low, high)
    whole |= bool(entry["missing"]) << every.missing_cell
    return NumberAxis(name=name, edges=edges, kind=kind, unit=unit, whole=whole)


def _end(given: float | None, infinite: float) -> float:
    return infinite if given is None else float(np.float32(given))


def _category(entry: Mapping[str, Any], atoms: Sequence[Atom]) -> CategoryAxis:
    name = level_from_json(entry["feature"])
    levels = tuple(level_from_json(level) for level in entry["levels"])
    for atom in atoms:
        for value in values_of(atom):
            if place_of(value, levels) is None:
                raise RuleError(f"{at(atom.positions)}feature {name!r} has no level {value!r}.")
    n, other, missing = len(levels), bool(entry["other"]), bool(entry["missing"])
    whole = (1 << n) - 1 | other << n | missing << n + 1
    return CategoryAxis(name=name, levels=levels, ordered=bool(entry["ordered"]), whole=whole)
