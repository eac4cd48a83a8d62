"""Is there a row in these boxes? Asked of python-sat, many times of one solver.

Variables say "the cell of this axis is at least k", in order, so that a range of cells costs two
literals however many cells an axis has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbitree._errors import MissingDependencyError
from arbitree.rules.axes import bits
from arbitree.rules.space import Box, Masks, Space

_SOLVER = "minisat22"


class RowSolver:
    """Looks for rows of a space that obey what was demanded.

    Literals are whole numbers, negative for the contrary; those of `inside` and `switch` are
    demanded by passing them to `row`, or in clauses.
    """

    def __init__(self, space: Space) -> None:
        try:
            from pysat.solvers import Solver
        except ImportError as error:
            raise MissingDependencyError(
                "Checking rules needs python-sat. Install it with: pip install 'arbitree[rules]'"
            ) from error
        self._space = space
        self._solver = Solver(name=_SOLVER)
        self._n_variables = 0
        self._first: list[int] = []
        self._inside: dict[tuple[int, int], int] = {}
        for place, axis in enumerate(space.axes):
            self._first.append(self._n_variables)
            self._n_variables += axis.n_cells - 1
            steps = range(self._first[place] + 1, self._n_variables)
            self._solver.append_formula([[-(step + 1), step] for step in steps])
            self._solver.append_formula(self._outside(place, axis.whole))

    def switch(self) -> int:
        """A new literal, free to be true or false."""
        self._n_variables += 1
        return self._n_variables

    def demand(self, clause: Sequence[int]) -> None:
        """Demand that one of some literals is true."""
        self._solver.add_clause(list(clause))

    def inside(self, place: int, mask: int) -> int:
        """A literal that, where true, makes the cell of an axis one of a set."""
        key = (place, mask)
        if key not in self._inside:
            literal = self._inside[key] = self.switch()
            self._solver.append_formula([[-literal, *c] for c in self._outside(place, mask)])
        return self._inside[key]

    def in_box(self, box: Box) -> int:
        """A literal that, where true, puts the row into a box."""
        if len(box) == 1:
            return self.inside(*next(iter(box.items())))
        literal = self.switch()
        self._solver.append_formula([[-literal, self.inside(*item)] for item in box.items()])
        return literal

    def demand_one_of(self, boxes: Iterable[Box]) -> None:
        """Demand that the row is in one of some boxes."""
        self.demand([self.in_box(box) for box in boxes])

    def demand_outside(self, box: Box, *, when: int) -> None:
        """Demand that the row is not in a box, where a literal is true."""
        whole = self._space.whole
        outside = [self.inside(p, whole[p] & ~mask) for p, mask in box.items() if whole[p] & ~mask]
        self.demand([-when, *outside])

    def present(self) -> list[int]:
        """Literals that demand that no value is missing."""
        return [
            self.inside(place, whole & ~(1 << axis.missing_cell))
            for place, (axis, whole) in enumerate(zip(self._space.axes, self._space.whole))
            if whole >> axis.missing_cell
        ]

    def within(self, masks: Masks) -> list[int]:
        """Literals that demand a row of a box."""
        whole = self._space.whole
        return [
            self.inside(place, mask) for place, mask in enumerate(masks) if mask != whole[place]
        ]

    def row(self, literals: Sequence[int] = ()) -> tuple[int, ...] | None:
        """The cells of a row that obeys everything demanded; None if there is none."""
        if not self._solver.solve(assumptions=list(literals)):
            return None
        true = {literal for literal in self._solver.get_model() if literal > 0}
        return tuple(
            sum(self._first[place] + step in true for step in range(1, axis.n_cells))
            for place, axis in enumerate(self._space.axes)
        )

    def core(self) -> list[int]:
        """Of the literals passed to `row`, some that no row obeys together."""
        return list(self._solver.get_core() or ())

    def _outside(self, place: int, mask: int) -> list[list[int]]:
        """Clauses that keep the cell of an axis out of the gaps of a set."""
        n_cells, first = self._space.axes[place].n_cells, self._first[place]
        gaps = ((1 << n_cells) - 1) & ~mask
        starts, ends = bits(gaps & ~(gaps << 1)), bits(gaps & ~(gaps >> 1))
        return [
            [
                *([-(first + start)] if start else []),
                *([first + end + 1] if end + 1 < n_cells else []),
            ]
            for start, end in zip(starts, ends)
        ]
