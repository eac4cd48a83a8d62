"""Conditions of rules, as certificates have them: which cells, which boxes, and in which words.

A missing value could be anything. So an axis of n cells is looked at as n more, "missing, and
really cell k"; there a condition is true or false. It is possibly true of a row with missing
values if it is true of one of these, and certainly true if it is false of none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arbitree.certificate.check.domain import Axis, Domain, Levels, Numbers
from arbitree.certificate.check.shape import Wrong
from arbitree.certificate.check.values import below

Box = dict[int, int]  # cells by the place of their axis; of the others all
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
CLOSED = {"left": (">=", "<"), "right": (">", "<="), "both": (">=", "<="), "neither": (">", "<")}
MOST_BOXES = 100_000
_PLAIN = (str, bool, int, float)


def comparisons(condition: Any) -> Iterator[tuple[str, str, list[Any]]]:
    """Every comparison of a condition: feature, operator, values."""
    for kind, part in _parts(condition):
        if kind == "missing":
            yield part, "missing", []
        elif kind == "atoms":
            yield from part
        else:
            yield from comparisons(part)


def _parts(condition: Any) -> list[tuple[str, Any]]:
    """What a condition is made of, its shape checked."""
    match condition:
        case {"not": term, **rest} if not rest:
            return [("not", term)]
        case {"and": [_, _, *_] as terms, **rest} if not rest:
            return [("and", term) for term in terms]
        case {"or": [_, _, *_] as terms, **rest} if not rest:
            return [("or", term) for term in terms]
        case {"missing": str(feature), **rest} if not rest:
            return [("missing", feature)]
        case {"feature": str(feature), "in": [_, *_] as values, **rest} if not rest:
            return [("atoms", [(feature, "in", _values(values))])]
        case {"feature": str(feature), "from": low, "to": high, "closed": str(closed), **rest} if (
            not rest and closed in CLOSED
        ):
            above, up_to = CLOSED[closed]
            return [
                ("atoms", [(feature, above, _values([low])), (feature, up_to, _values([high]))])
            ]
        case {"feature": str(feature), **rest} if len(rest) == 1:
            ((operator, value),) = rest.items()
            if operator in OPERATORS:
                return [("atoms", [(feature, operator, _values([value]))])]
    raise Wrong(f"{condition!r} is no condition")


def _values(values: list[Any]) -> list[Any]:
    if not all(type(value) in _PLAIN for value in values):
        raise Wrong(f"{values!r} are no values to compare with")
    return values


def possible(condition: Any, domain: Domain, *, true: bool = True) -> list[Box]:
    """Boxes of the rows of which a condition is possibly true, or possibly false."""
    found = []
    for box in _wide(condition, domain, true):
        plain = {}
        for place, cells in box.items():
            n = domain.axes[place].n_values
            missing = cells >> n != 0
            plain[place] = cells & ((1 << n) - 1) | missing << n
        found.append(plain)
    return found


def _wide(condition: Any, domain: Domain, true: bool) -> list[Box]:
    """Disjunctive normal form over the wide cells."""
    parts = _parts(condition)
    kind = parts[0][0]
    if kind == "not":
        return _wide(parts[0][1], domain, not true)
    if kind in ("and", "or"):
        boxes = [_wide(part, domain, true) for _, part in parts]
        if (kind == "or") == true:
            return [box for part in boxes for box in part]
        return _all_of(boxes)
    if kind == "missing":
        place = domain.place(parts[0][1])
        axis = domain.axes[place]
        cells = _values_of(axis) << axis.n_values if axis.whole >> axis.n_values else 0
    else:
        place = domain.place(parts[0][1][0][0])
        axis = domain.axes[place]
        values = _values_of(axis)
        for _, operator, given in parts[0][1]:
            values &= _cells(axis, operator, given)
        cells = _both(axis, values)
    if not true:
        cells = _both(axis, _values_of(axis)) & ~cells
    return [{place: cells}] if cells else []


def _all_of(parts: Sequence[list[Box]]) -> list[Box]:
    found: list[Box] = [{}]
    for part in parts:
        joined = []
        for box in found:
            for other in part:
                both = met(box, other)
                if both is not None:
                    joined.append(both)
        if len(joined) > MOST_BOXES:
            raise Wrong("a condition has too many boxes to be derived")
        found = joined
    return found


def met(box: Box, other: Box) -> Box | None:
    """Rows of two boxes; None if there are none."""
    found = dict(box)
    for place, cells in other.items():
        found[place] = found.get(place, cells) & cells
        if not found[place]:
            return None
    return found


def _values_of(axis: Axis) -> int:
    return axis.whole & ((1 << axis.n_values) - 1)


def _both(axis: Axis, values: int) -> int:
    return values | (values << axis.n_values if axis.whole >> axis.n_values else 0)


def _cells(axis: Axis, operator: str, values: list[Any]) -> int:
    if isinstance(axis, Numbers):
        found = 0
        for value in values:
            found |= _number_cells(axis, operator, value)
        return found
    assert isinstance(axis, Levels)
    found = 0
    for value in values:
        found |= _level_cells(axis, operator, axis.cell(value))
    return found


def _number_cells(axis: Numbers, operator: str, value: Any) -> int:
    number = axis.number(value)
    every = _values_of(axis)
    up_to, less = axis.between(float("-inf"), number), axis.between(float("-inf"), below(number))
    return {
        "<": less,
        "<=": up_to,
        ">": every & ~up_to,
        ">=": every & ~less,
        "!=": every & ~(up_to & ~less),
    }.get(operator, up_to & ~less)


def _level_cells(axis: Levels, operator: str, cell: int) -> int:
    if operator in ("=", "in"):
        return 1 << cell
    every = (1 << axis.n_values) - 1
    if operator == "!=":
        return every & ~(1 << cell)
    if not axis.ordered:
        raise Wrong(f"the levels of {axis.text!r} have no order")
    low = (1 << (cell + 1 if operator in ("<=", ">") else cell)) - 1
    return low if operator[0] == "<" else every & ~low & ~(1 << axis.n_values - 1)


def covered(boxes: Sequence[Box], others: Sequence[Box], domain: Domain) -> bool:
    """Whether every row of some boxes is in one of others."""
    whole = {place: axis.whole for place, axis in enumerate(domain.axes)}
    steps = 0
    waiting = [(box, 0) for box in boxes]
    while waiting:
        box, at = waiting.pop()
        steps += 1
        if at == len(others):
            return False
        if steps > 10 * MOST_BOXES:
            raise Wrong("boxes too many to be compared")
        inside = dict(box)
        pieces = []
        for place, cells in others[at].items():
            here = inside.get(place, whole[place])
            if here & ~cells:
                pieces.append({**inside, place: here & ~cells})
            inside[place] = here & cells
            if not inside[place]:
                pieces = [box]
                break
        waiting += [(piece, at + 1) for piece in pieces]
    return True


def disjoint(boxes: Sequence[Box], others: Sequence[Box]) -> bool:
    """Whether no row is in a box of both."""
    return all(met(box, other) is None for box in boxes for other in others)
