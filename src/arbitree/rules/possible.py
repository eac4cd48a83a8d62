"""Which rows can exist: those in which every fact is possibly true."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.rules.satisfy import RowSolver
from arbitree.rules.space import Box, Masks, Space, within


class PossibleRows:
    """Rows of a space under facts. Answers are remembered, as many boxes differ on other axes.

    A row with missing values can exist if each fact, taken alone, is true in some completion.
    """

    def __init__(self, space: Space, facts: Sequence[Sequence[Box]]) -> None:
        self.space = space
        self.facts = tuple(facts)
        self._places = sorted({place for boxes in facts for box in boxes for place in box})
        self._solver: RowSolver | None = None
        self._known: dict[Masks, tuple[int, ...] | None] = {}

    def __getstate__(self) -> dict[str, object]:
        """Without the solver, which is made anew where it is needed."""
        return {**self.__dict__, "_solver": None}

    def exists(self, masks: Masks) -> bool:
        """Whether a row of a box can exist."""
        return all(masks) and (not self.facts or self.row(masks) is not None)

    def row(self, masks: Masks) -> tuple[int, ...] | None:
        """The cells of a row of a box that can exist; None if there is none.

        Values come before a missing value where facts leave a choice.
        """
        if not all(masks):
            return None
        cells = [(mask & -mask).bit_length() - 1 for mask in masks]
        if all(any(within(masks, box) for box in boxes) for boxes in self.facts):
            return tuple(cells)
        key = tuple(masks[place] for place in self._places)
        if key not in self._known:
            self._known[key] = self._solve(masks)
        found = self._known[key]
        if found is None:
            return None
        for place in self._places:
            cells[place] = found[place]
        return tuple(cells)

    def _solve(self, masks: Masks) -> tuple[int, ...] | None:
        if self._solver is None:
            self._solver = RowSolver(self.space)
            for boxes in self.facts:
                self._solver.demand_one_of(boxes)
        wanted = {place: masks[place] for place in self._places}
        literals = self._solver.within(self.space.masks(wanted))
        return self._solver.row([*literals, *self._solver.present()]) or self._solver.row(literals)
