"""Where to part a box of rows so that a rule's rows come apart from the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arbitree.model.tree import Feature
from arbitree.rules.axes import Axis, NumberAxis
from arbitree.rules.code_cells import code_cells
from arbitree.rules.space import Box, Masks, Space, intersects

_MOST_KNOWN = 100_000  # sets of cells whose cuts are remembered


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A split in two of a box: the cells of one axis that go to the first child.

    `inside` are the cells of the child that holds more of the rule's rows than the other.
    """

    feature: int
    place: int  # of the axis
    first: int  # bits of cells
    second: int
    inside: int
    threshold: float | None  # of a number; infinite where numbers part from missing
    routes: tuple[int, ...]  # as of a tree's node


class Cuts:
    """The cuts that a tree's features can make.

    Parameters
    ----------
    features : sequence of Feature
        Of the tree.
    space : Space
        With an axis for each.
    """

    def __init__(self, features: Sequence[Feature], space: Space) -> None:
        self._axis = list(space.axes)
        self._features = list(features)
        self._feature_at = {space.place(f.name): j for j, f in enumerate(features)}
        self._codes: dict[int, list[int]] = {}
        # A part of a box has other cells than the box on one axis only.
        self._known: dict[tuple[int, int, int], tuple[Cut, ...]] = {}

    def of(self, masks: Masks, boxes: Iterable[Box]) -> list[Cut]:
        """Every way to split off a part of one of some boxes, each once."""
        found: dict[tuple[int, int, int], Cut] = {}
        for box in boxes:
            if not intersects(masks, box):
                continue
            for place, mask in box.items():
                if masks[place] & ~mask:
                    for cut in self._along(place, masks[place], masks[place] & mask):
                        found.setdefault((place, cut.first, cut.inside), cut)
        return list(found.values())

    def _along(self, place: int, cells: int, wanted: int) -> tuple[Cut, ...]:
        key = place, cells, wanted
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            axis = self._axis[place]
            if isinstance(axis, NumberAxis):
                self._known[key] = tuple(self._of_number(place, axis, cells, wanted))
            else:
                self._known[key] = tuple(self._of_category(place, axis, cells, wanted))
        return self._known[key]

    def _of_number(self, place: int, axis: NumberAxis, cells: int, wanted: int) -> Iterator[Cut]:
        missing = cells & 1 << axis.missing_cell
        numbers, wanted_numbers = cells & ~missing, wanted & ~missing
        if wanted_numbers in (0, numbers):
            inside = numbers if wanted_numbers else missing
            yield self._cut(place, numbers, missing, inside, float("inf"), (1,))
            return
        changes = wanted_numbers ^ wanted_numbers >> 1
        for cell, edge in enumerate(axis.edges.tolist()):
            low = numbers & (1 << cell + 1) - 1
            high = numbers & ~low
            if not changes >> cell & 1 or not low or not high:
                continue
            low_is_inside = _share(low, wanted) >= _share(high, wanted)
            to_low = low_is_inside == bool(missing & wanted)
            first, second = (low | missing, high) if to_low else (low, high | missing)
            inside = first if low_is_inside else second
            yield self._cut(place, first, second, inside, edge, (0 if to_low else 1,))

    def _of_category(self, place: int, axis: Axis, cells: int, wanted: int) -> Iterator[Cut]:
        """A code whose cells the rule tells apart goes with those that are wholly inside."""
        if place not in self._codes:
            coding = self._features[self._feature_at[place]].coding
            self._codes[place] = code_cells(axis, coding)
        codes = self._codes[place]
        first = sum(c & cells for c in codes if c & wanted)
        if first == cells:
            first = sum(c & cells for c in codes if c & wanted and not c & cells & ~wanted)
        if first in (0, cells):
            return
        routes = tuple(0 if c & first else 1 for c in codes)
        yield self._cut(place, first, cells & ~first, first, None, routes)

    def _cut(
        self,
        place: int,
        first: int,
        second: int,
        inside: int,
        threshold: float | None,
        routes: tuple[int, ...],
    ) -> Cut:
        return Cut(
            feature=self._feature_at[place],
            place=place,
            first=first,
            second=second,
            inside=inside,
            threshold=threshold,
            routes=routes,
        )


def _share(cells: int, wanted: int) -> float:
    return (cells & wanted).bit_count() / cells.bit_count()
