"""The rows of which a certificate speaks: an axis a feature, cut into cells that no rule parts.

Sets of cells are bits of whole numbers. The last cell is a missing value; of categories the one
before it is any level that is not listed.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from arbitree.certificate.check.canonical import canonical
from arbitree.certificate.check.shape import Wrong, fields, typed
from arbitree.certificate.check.values import (
    below,
    float32,
    level_text,
    number_of,
    place_of,
    shortest,
    time_number,
)

_KINDS = ("number", "integer", "date", "duration")
_FLAG, _NUMBER = (bool,), (int, float)


@dataclass(slots=True)
class Axis:
    """The values of one feature."""

    text: str  # of its name
    name: Any
    n_values: int  # cells without the one of missing
    whole: int  # cells that occur


@dataclass(slots=True)
class Numbers(Axis):
    """Cell k holds ``edges[k - 1] < x <= edges[k]``, as float32."""

    kind: str
    unit: str | None
    edges: list[float]
    values: dict[str, float]  # of dates and durations that rules name

    def between(self, low: float, high: float) -> int:
        """Cells with a number x of ``low < x <= high``."""
        if self.kind == "integer":
            low, high = _floor(low), _floor(high)
        if not low < high:
            return 0
        first, last = bisect_right(self.edges, low), bisect_left(self.edges, high)
        return ((2 << last) - 1) & ~((1 << first) - 1) & self.whole

    def number(self, value: Any) -> float:
        """What a value of a rule is compared as."""
        if self.kind not in ("date", "duration"):
            return number_of(value)
        if not isinstance(value, str) or value not in self.values:
            raise Wrong(f"the domain of {self.text!r} does not say which number {value!r} is")
        return float32(self.values[value])


@dataclass(slots=True)
class Levels(Axis):
    """Cell k holds level k; then any other level."""

    levels: list[Any]
    texts: list[str]
    ordered: bool

    def cell(self, value: Any) -> int:
        """The cell of a level that a rule names."""
        found = place_of(value, self.levels, self.texts)
        if found is None:
            raise Wrong(f"feature {self.text!r} has no level {value!r}")
        return found


class Domain:
    """All axes.

    Parameters
    ----------
    entries : list
        As a certificate has them.
    atoms : iterable of (str, str, list)
        Of every comparison that a statement makes: feature, operator, values.
    """

    def __init__(self, entries: Any, atoms: Iterable[tuple[str, str, list[Any]]]) -> None:
        by_feature: dict[str, list[tuple[str, list[Any]]]] = {}
        for feature, operator, values in atoms:
            by_feature.setdefault(feature, []).append((operator, values))
        self.unread: list[str] = []  # what could not be derived
        self.axes = [self._axis(entry, by_feature) for entry in typed(entries, "domain", (list,))]
        self.places = {axis.text: place for place, axis in enumerate(self.axes)}
        if len(self.places) < len(self.axes):
            raise Wrong("two features of the domain have the same name")
        for feature in by_feature:
            self.place(feature)

    def place(self, feature: str) -> int:
        """The place of a feature."""
        if feature not in self.places:
            raise Wrong(f"the domain has no feature {feature!r}")
        return self.places[feature]

    def _axis(self, entry: Any, by_feature: dict[str, list[tuple[str, list[Any]]]]) -> Axis:
        typed(entry, "an entry of the domain", (dict,))
        name = entry.get("feature")
        if not isinstance(name, str | bool | int | float):
            raise Wrong(f"a feature of the domain has the name {name!r}")
        text = name if isinstance(name, str) else str(name)
        where = f"domain of {text!r}"
        if "ranges" not in entry:
            return _levels(entry, text, where)
        axis = _numbers(entry, text, where)
        self._read_times(axis, where)
        return _cut(axis, entry, by_feature.get(text, []), where)

    def _read_times(self, axis: Numbers, where: str) -> None:
        for value, number in axis.values.items():
            found = time_number(value, str(axis.unit))
            if found is None:
                self.unread.append(f"{where}: that {value!r} is the number {number!r}")
            elif found != float32(number):
                raise Wrong(f"{where}: {value!r} is the number {found!r}, not {number!r}")


def _numbers(entry: dict[str, Any], text: str, where: str) -> Numbers:
    required = {"feature": object, "kind": str, "unit": (str, type(None)), "ranges": list}
    required.pop("feature")
    fields(
        {key: value for key, value in entry.items() if key != "feature"},
        where,
        {**required, "missing": _FLAG},
        values=dict,
    )
    kind, times = entry["kind"], entry["kind"] in ("date", "duration")
    if kind not in _KINDS or (entry["unit"] is not None) != times or ("values" in entry) != times:
        raise Wrong(f"{where} has numbers of a kind or unit that there is not")
    values = entry.get("values", {})
    for number in values.values():
        typed(number, where, _NUMBER)
    return Numbers(
        text=text,
        name=entry["feature"],
        n_values=1,
        whole=1,
        kind=kind,
        unit=entry["unit"],
        edges=[],
        values=values,
    )


def _cut(
    axis: Numbers, entry: dict[str, Any], atoms: Sequence[tuple[str, list[Any]]], where: str
) -> Numbers:
    """The axis with its edges: where a range of the domain or a comparison ends."""
    ranges = [_range(one, where) for one in entry["ranges"]]
    if any(not low < high for low, high in ranges):
        raise Wrong(f"{where} has an empty range")
    if any(first[1] >= second[0] for first, second in pairwise(ranges)):
        raise Wrong(f"{where} has ranges that touch or are not in order")
    cuts = {end for end in chain(*ranges) if not math.isinf(end)}
    named = set()
    for operator, values in atoms:
        for value in values:
            number = axis.number(value)
            named.add(value)
            cuts |= {
                "<": {below(number)},
                ">=": {below(number)},
                "<=": {number},
                ">": {number},
            }.get(operator, {below(number), number})
    if set(axis.values) - named:
        raise Wrong(f"{where} has values that no rule names")
    axis.edges = sorted({_floor(cut) for cut in cuts} if axis.kind == "integer" else cuts)
    axis.n_values = len(axis.edges) + 1
    axis.whole = (1 << axis.n_values) - 1
    whole = 0
    for low, high in ranges:
        whole |= axis.between(low, high)
    axis.whole = whole | entry["missing"] << axis.n_values
    return axis


def _range(given: Any, where: str) -> tuple[float, float]:
    if not isinstance(given, list) or len(given) != 2:
        raise Wrong(f"{where} has a range {given!r}")
    for end in given:
        typed(end, where, (*_NUMBER, type(None)))
    low, high = given
    for end in (low, high):
        if end is not None and (type(end) is not float or end != shortest(float32(end))):
            raise Wrong(f"{where} has an end {end!r}, which is not written as a float32 is")
    return (
        -math.inf if low is None else float32(low),
        math.inf if high is None else float32(high),
    )


def ranges_of(axis: Numbers, cells: int) -> list[list[float | None]]:
    """A set of cells as ranges that do not touch, as a box has them."""
    found: list[list[float | None]] = []
    for cell in range(axis.n_values):
        if cells >> cell & 1:
            low = None if cell == 0 else shortest(axis.edges[cell - 1])
            high = None if cell == len(axis.edges) else shortest(axis.edges[cell])
            if found and low is not None and found[-1][1] == low:
                found[-1][1] = high
            else:
                found.append([low, high])
    return found


def ends_of(given: Any, where: str) -> list[tuple[float, float]]:
    """Ranges of numbers, as a box has them."""
    return [_range(one, where) for one in typed(given, where, (list,))]


def _levels(entry: dict[str, Any], text: str, where: str) -> Levels:
    flags = dict.fromkeys(("ordered", "other", "missing"), _FLAG)
    rest = {key: value for key, value in entry.items() if key != "feature"}
    fields(rest, where, {"levels": list, **flags}, texts=list)
    levels = entry["levels"]
    if len({canonical(level) for level in levels}) < len(levels):
        raise Wrong(f"{where} has a level twice")
    tagged = any(isinstance(level, dict) for level in levels)
    if tagged != ("texts" in entry):
        raise Wrong(f"{where} does not say how its levels read")
    texts = entry["texts"] if tagged else [level_text(level) for level in levels]
    if len(texts) != len(levels) or not all(isinstance(one, str) for one in texts):
        raise Wrong(f"{where} has not one text a level")
    n = len(levels)
    return Levels(
        text=text,
        name=entry["feature"],
        n_values=n + 1,
        whole=(1 << n) - 1 | entry["other"] << n | entry["missing"] << n + 1,
        levels=levels,
        texts=texts,
        ordered=entry["ordered"],
    )


def _floor(number: float) -> float:
    return number if math.isinf(number) else float(math.floor(number))
