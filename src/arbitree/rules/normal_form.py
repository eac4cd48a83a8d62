"""A condition as boxes: the rows of which it is true, missing values included.

A row with missing values may satisfy a condition in one completion and not in another. So a value
that is missing is first looked at together with what it could be: an axis of V values gets V more
cells, "missing, and really value v". There, conditions are plain Boolean algebra, and boxes follow
from their disjunctive normal form. Forgetting what the missing values could be gives the rows of
which the condition is possibly true; the complement of what is possibly false gives those of
which it is certainly true.
"""

from __future__ import annotations

from collections.abc import Sequence

from arbitree._errors import RuleError
from arbitree._wording import listed
from arbitree.rules.axes import CategoryAxis, NumberAxis, below
from arbitree.rules.conditions import (
    And,
    Atom,
    Between,
    Compare,
    Condition,
    Missing,
    Not,
    OneOf,
    Or,
    Position,
)
from arbitree.rules.make_space import at
from arbitree.rules.space import Box, Space, inside, remainder
from arbitree.rules.values import Value

MOST_BOXES = 10_000
_MOST_COMPARED = 400  # boxes that are compared pair by pair


def possible_boxes(condition: Condition, space: Space) -> list[Box]:
    """Boxes of the rows whose missing values could make the condition true.

    Raises
    ------
    RuleError
        If the condition does not fit the features, or needs too many boxes.

    Examples
    --------
    >>> from arbitree.rules.make_space import make_space
    >>> from arbitree.rules.schema import Schema
    >>> young = Compare("age", "<", 18)
    >>> schema = Schema.of({"age": {"type": "number", "missing": True}})
    >>> space = make_space([young], schema, None)
    >>> [bin(box[0]) for box in possible_boxes(young, space)]
    ['0b101']
    >>> [bin(box[0]) for box in certain_boxes(young, space)]
    ['0b1']
    """
    return _where(space, (condition, True))


def implied_boxes(when: Condition, then: Condition, space: Space) -> list[Box]:
    """Boxes of the rows of which it is possible that the first condition implies the second."""
    return _where(space, (when, False), (then, True))


def certain_boxes(condition: Condition, space: Space) -> list[Box]:
    """Boxes of the rows of which the condition is true whatever their missing values are."""
    refuted = _where(space, (condition, False))
    left = remainder(space.whole, refuted)
    _check_number(left)
    return simplified([space.box(masks) for masks in left], space)


def simplified(boxes: Sequence[Box], space: Space) -> list[Box]:
    """The same rows in fewer boxes: joined where they differ on one axis, without those within.

    Examples
    --------
    >>> from arbitree.rules.axes import CategoryAxis
    >>> axes = [CategoryAxis(name=name, levels=("a", "b"), whole=0b111) for name in "xy"]
    >>> simplified([{0: 1, 1: 1}, {0: 2, 1: 1}, {0: 3, 1: 1}], Space(axes=tuple(axes)))
    [{0: 3, 1: 1}]
    """
    whole = space.whole
    kept = [
        {place: mask for place, mask in sorted(box.items()) if mask != whole[place]}
        for box in boxes
        if all(box.values())
    ]
    before = -1
    while len(kept) != before:
        before = len(kept)
        for place in sorted({place for box in kept for place in box}):
            kept = _joined(kept, place, whole[place])
    return _outermost(list({tuple(box.items()): box for box in kept}.values()))


def _where(space: Space, *wanted: tuple[Condition, bool]) -> list[Box]:
    """Boxes of the rows of which one of some conditions possibly is as wanted, true or false."""
    wide = _Wide(space)
    found = [box for one, true in wanted for box in wide.boxes(one, true=true)]
    return simplified([wide.forgotten(box) for box in _checked(found)], space)


class _Wide:
    """Conditions over the cells of a space, each missing value beside what it could be."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def values(self, place: int) -> int:
        """The cells of values that can occur."""
        axis = self.space.axes[place]
        return axis.whole & ~(1 << axis.missing_cell)

    def everything(self, place: int) -> int:
        """The values, and below "missing" the values again."""
        return self.both(place, self.values(place))

    def both(self, place: int, values: int) -> int:
        axis = self.space.axes[place]
        return values | (values << axis.n_values if axis.whole >> axis.missing_cell else 0)

    def forgotten(self, box: Box) -> Box:
        """A box of the space: whether a value is missing, and not what it could be."""
        found = {}
        for place, mask in box.items():
            axis = self.space.axes[place]
            some_missing = (mask >> axis.n_values != 0) << axis.missing_cell
            found[place] = mask & ((1 << axis.n_values) - 1) | some_missing
        return found

    def boxes(self, condition: Condition, *, true: bool = True) -> list[Box]:
        """Boxes of wide cells in which the condition is true, or false."""
        if isinstance(condition, Not):
            return self.boxes(condition.term, true=not true)
        if isinstance(condition, And | Or):
            parts = [self.boxes(term, true=true) for term in condition.terms]
            if isinstance(condition, Or) == true:
                return _checked([box for part in parts for box in part])
            return self.product(parts)
        place = self.space.place(condition.feature)
        mask = self.atom(condition, place)
        mask = mask if true else self.everything(place) & ~mask
        return [{place: mask}] if mask else []

    def product(self, parts: list[list[Box]]) -> list[Box]:
        """Boxes of rows that are in one box of each part."""
        found: list[Box] = [{}]
        for part in sorted(parts, key=len):
            met = [_met(box, other) for box in found for other in part]
            found = _checked([box for box in met if box is not None])
        return found

    def atom(self, atom: Atom, place: int) -> int:
        if isinstance(atom, Missing):
            return self.everything(place) & ~self.values(place)
        axis = self.space.axes[place]
        if isinstance(axis, NumberAxis):
            return self.both(place, _number_cells(axis, atom))
        return self.both(place, _level_cells(axis, atom) & self.values(place))


def _number_cells(axis: NumberAxis, atom: Atom) -> int:
    if isinstance(atom, Between):
        first, second = atom.parts
        return _number_cells(axis, first) & _number_cells(axis, second)
    if isinstance(atom, OneOf):
        found = 0
        for value in atom.values:
            found |= _number_cells(axis, Compare(atom.feature, "=", value))
        return found
    number = axis.number(atom.value)  # type: ignore[union-attr]
    assert number is not None  # make_space has read it
    everything = axis.between(float("-inf"), float("inf"))
    up_to = axis.between(float("-inf"), number)
    less = axis.between(float("-inf"), below(number))
    return {
        "<": less,
        "<=": up_to,
        ">": everything & ~up_to,
        ">=": everything & ~less,
        "=": up_to & ~less,
        "!=": everything & ~(up_to & ~less),
    }[atom.operator]  # type: ignore[union-attr]


def _level_cells(axis: CategoryAxis, atom: Atom) -> int:
    if isinstance(atom, Between):
        first, second = atom.parts
        return _level_cells(axis, first) & _level_cells(axis, second)
    every = (1 << axis.n_values) - 1
    if isinstance(atom, OneOf):
        found = 0
        for value in atom.values:
            found |= 1 << _cell(axis, value, atom.positions)
        return found
    cell = _cell(axis, atom.value, atom.positions)  # type: ignore[union-attr]
    operator = atom.operator  # type: ignore[union-attr]
    if operator in ("=", "!="):
        return 1 << cell if operator == "=" else every & ~(1 << cell)
    if not axis.ordered:
        raise RuleError(
            f"{at(atom.positions)}feature {axis.name!r} has levels without an order, "
            f"{listed(axis.levels)}, so that {operator} means nothing. List levels with 'in'."
        )
    last = cell if operator in ("<=", ">") else cell - 1
    low = (1 << (last + 1)) - 1
    return low if operator[0] == "<" else every & ~low & ~(1 << axis.other_cell)


def _cell(axis: CategoryAxis, value: Value, positions: Sequence[Position]) -> int:
    cell = axis.place(value)
    if cell is None:
        raise RuleError(f"{at(positions)}feature {axis.name!r} has no level {value!r}.")
    return cell


def _met(box: Box, other: Box) -> Box | None:
    found = dict(box)
    for place, mask in other.items():
        found[place] = found.get(place, mask) & mask
        if not found[place]:
            return None
    return found


def _joined(boxes: list[Box], place: int, whole: int) -> list[Box]:
    """Boxes that differ only on one axis made one."""
    together: dict[frozenset[tuple[int, int]], int] = {}
    for box in boxes:
        rest = frozenset((key, mask) for key, mask in box.items() if key != place)
        together[rest] = together.get(rest, 0) | box.get(place, whole)
    found = []
    for rest, mask in together.items():
        box = dict(rest) if mask == whole else {**dict(rest), place: mask}
        found.append(dict(sorted(box.items())))
    return found


def _outermost(boxes: list[Box]) -> list[Box]:
    """Boxes without those that lie within another."""
    if len(boxes) > _MOST_COMPARED:
        return boxes
    return [
        box
        for i, box in enumerate(boxes)
        if not any(inside(box, other) for j, other in enumerate(boxes) if j != i)
    ]


def _checked(boxes: list[Box]) -> list[Box]:
    _check_number(boxes)
    return boxes


def _check_number(boxes: Sequence[object]) -> None:
    if len(boxes) > MOST_BOXES:
        raise RuleError(
            f"A condition needs more than {MOST_BOXES:,} boxes. Split it into several rules, or "
            "name an intermediate value in a column of its own."
        )
