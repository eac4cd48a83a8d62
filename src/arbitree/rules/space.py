"""All rows that rules are asked about: an axis for each feature."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arbitree._errors import ColumnError, InputError
from arbitree._wording import nearest
from arbitree.rules.axes import Axis, NumberAxis, bits
from arbitree.rules.conditions import feature_text
from arbitree.table.frames import Column

Masks = tuple[int, ...]  # a set of cells for each axis: a box of rows
Box = dict[int, int]  # sets of cells of some axes, by their place; of the others all cells


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """Axes in the order of the features. `places` finds them by the text of their names."""

    axes: tuple[Axis, ...]
    whole: Masks = field(init=False)
    places: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "whole", tuple(axis.whole for axis in self.axes))
        names = {feature_text(axis.name): place for place, axis in enumerate(self.axes)}
        object.__setattr__(self, "places", names)

    def place(self, name: Hashable) -> int:
        """The place of a feature's axis.

        Raises
        ------
        ColumnError
        """
        text = feature_text(name)
        if text not in self.places:
            raise ColumnError(f"There is no feature {name!r}. {nearest(text, list(self.places))}")
        return self.places[text]

    def masks(self, box: Box) -> Masks:
        """A box with a set of cells for every axis."""
        found = list(self.whole)
        for place, mask in box.items():
            found[place] &= mask
        return tuple(found)

    def box(self, masks: Masks) -> Box:
        """A box with only the axes that it restricts."""
        return {
            place: mask
            for place, (mask, whole) in enumerate(zip(masks, self.whole))
            if mask & whole != whole
        }

    def encode(self, columns: Sequence[Column]) -> list[np.ndarray]:
        """The cell of every row on every axis.

        Parameters
        ----------
        columns : sequence of Column
            With the names of the axes, in any order; others are passed over.

        Returns
        -------
        list of ndarray of int, shape (n_rows,)

        Raises
        ------
        ColumnError
            If a feature has no column.
        InputError
            If a value is not in the domain of its feature; says which column and row.
        """
        by_name = {feature_text(column.name): column for column in columns}
        found = []
        for axis in self.axes:
            text = feature_text(axis.name)
            if text not in by_name:
                raise ColumnError(f"X has no column {axis.name!r}. {nearest(text, list(by_name))}")
            codes = axis.encode(by_name[text])
            _check_occurs(axis, codes)
            found.append(codes)
        return found

    def row(
        self, cells: Sequence[int], *, within: Mapping[int, tuple[float, float]] | None = None
    ) -> dict[Hashable, Any]:
        """A row in these cells; of numbers also within limits ``low < x <= high``, by axis."""
        within = within or {}
        return {
            axis.name: axis.example(cell, *within.get(place, ()))
            if isinstance(axis, NumberAxis)
            else axis.example(cell)
            for place, (axis, cell) in enumerate(zip(self.axes, cells))
        }


def meet(masks: Masks, box: Box) -> Masks | None:
    """Rows of a box that are in another one too; None if there are none.

    >>> meet((0b11, 0b11), {0: 0b10}), meet((0b01, 0b11), {0: 0b10})
    ((2, 3), None)
    """
    if not intersects(masks, box):
        return None
    found = list(masks)
    for place, mask in box.items():
        found[place] &= mask
    return tuple(found)


def replaced(masks: Masks, place: int, cells: int) -> Masks:
    """A box with other cells of one axis.

    >>> replaced((0b11, 0b11), 1, 0b01)
    (3, 1)
    """
    return (*masks[:place], cells, *masks[place + 1 :])


def intersects(masks: Masks, box: Box) -> bool:
    """Whether two boxes have a row in common, facts apart; `masks` is not empty."""
    for place, mask in box.items():  # noqa: SIM110 - `all` of a generator takes twice the time
        if not masks[place] & mask:
            return False
    return True


def within(masks: Masks, box: Box) -> bool:
    """Whether every row of `masks` is in the box."""
    return all(not masks[place] & ~mask for place, mask in box.items())


def inside(box: Box, other: Box) -> bool:
    """Whether every row of a box is in another one."""
    return all(place in box and not box[place] & ~mask for place, mask in other.items())


def remainder(masks: Masks, boxes: Iterable[Box]) -> list[Masks]:
    """What is left of a box without others, as boxes that have no row in common.

    >>> remainder((0b11, 0b11), [{0: 0b01, 1: 0b01}])
    [(2, 3), (1, 2)]
    """
    left = [masks]
    for box in boxes:
        left = [piece for old in left for piece in _without(old, box)]
    return left


def _without(masks: Masks, box: Box) -> list[Masks]:
    if not intersects(masks, box):
        return [masks]
    found, inside = [], list(masks)
    for place, mask in box.items():
        outside = inside[place] & ~mask
        if outside:
            found.append((*inside[:place], outside, *inside[place + 1 :]))
        inside[place] &= mask
    return found


def _check_occurs(axis: Axis, codes: np.ndarray) -> None:
    occurs = np.zeros(axis.n_cells, bool)
    occurs[bits(axis.whole)] = True
    wrong = np.flatnonzero(~occurs[codes])
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"column {axis.name!r} is {axis.text(int(codes[row]))} at row {row}, which is not in "
            "the domain of that feature. Correct the row, or declare a wider domain."
        )
