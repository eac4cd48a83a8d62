"""z3 asked the same of a model as our own search: for a tree or a small ensemble."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from arbitree._errors import ArbitreeError, MissingDependencyError
from arbitree.rules.axes import bits
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.leaves import Leaf
from arbitree.rules.space import Box
from arbitree.rules.verification import Verdict

_LONGEST = 2**32 - 1  # milliseconds: for z3, without end

Opinion = Literal["holds", "violated", "unknown"]


def compared(verdict: Verdict, opinion: Opinion) -> Verdict:
    """A verdict that says whether z3 agrees.

    Raises
    ------
    ArbitreeError
        If z3 found the contrary.
    """
    if opinion == "unknown" or verdict.status == "undecided":
        return replace(verdict, method=f"{verdict.method}; z3: {opinion}")
    if opinion != verdict.status:
        raise ArbitreeError(
            f"Rule {verdict.rule!r}: arbitree found '{verdict.status}' ({verdict.method}) and z3 "
            f"'{opinion}'. One of them is wrong: trust neither, and please report the model."
        )
    return replace(verdict, method=f"{verdict.method}; z3 agrees")


def opinion_on_trees(
    bound: BoundRules, rule: BoundRule, trees: CodedTrees, seconds: float
) -> Opinion:
    """What z3 says of the trees of a model, over their cells.

    "unknown" where time ran out, or where classes come so near that rounding decides.
    """
    trees = _labels_of_one(trees) if len(trees.root) == 1 else trees
    question = _Question([axis.n_cells for axis in trees.grid], seconds)
    for place, axis in enumerate(trees.grid):
        question.demand(question.cell_in(place, np.flatnonzero(axis.occurs).tolist()))
    question.demand(question.any_box(rule.boxes, trees))
    for fact in bound.facts:
        question.demand(question.any_box(fact.boxes, trees))
    n_classes = len(trees.base)
    scores = [question.score(trees, k) for k in range(n_classes)]
    forbidden = [k for k in range(n_classes) if rule.forbids >> k & 1]
    allowed = [k for k in range(n_classes) if not rule.forbids >> k & 1]

    def ahead(least: float) -> Any:
        z3, number = question.z3, question.number(least)
        pairs = [[scores[f] - scores[a] >= number for a in allowed] for f in forbidden]
        return z3.Or([z3.And(pair) for pair in pairs])

    if not question.may_be(ahead(-trees.tolerance)):
        return "holds"
    return "violated" if question.is_so(ahead(trees.tolerance)) else "unknown"


def _labels_of_one(trees: CodedTrees) -> CodedTrees:
    """A single tree with the label of each leaf instead of its shares: there, ties are decided."""
    label = (trees.value + trees.base).argmax(axis=1)
    return replace(
        trees,
        value=np.eye(len(trees.base))[label],
        base=np.zeros(len(trees.base)),
        tolerance=0.5,
    )


def opinion_on_leaves(
    bound: BoundRules, rule: BoundRule, leaves: Sequence[Leaf], seconds: float
) -> Opinion:
    """What z3 says of the leaves of one tree, over the cells of the rules."""
    axes = bound.space.axes
    question = _Question([axis.n_cells for axis in axes], seconds)
    for place, axis in enumerate(axes):
        question.demand(question.cell_in(place, bits(axis.whole)))
    for boxes in [rule.boxes, *(fact.boxes for fact in bound.facts)]:
        question.demand(question.any_box(boxes, None))
    wrong = [dict(enumerate(leaf.masks)) for leaf in leaves if rule.forbids >> leaf.label & 1]
    refuted = question.any_box(wrong, None)
    if not question.may_be(refuted):
        return "holds"
    return "violated" if question.is_so(refuted) else "unknown"


class _Question:
    """A row of cells as whole numbers, and what is demanded of it."""

    def __init__(self, n_cells: Iterable[int], seconds: float) -> None:
        try:
            import z3
        except ImportError as error:
            raise MissingDependencyError(
                "A second opinion needs z3. Install it with: pip install 'arbitree[rules]'"
            ) from error
        self.z3 = z3
        self.cells = [z3.Int(f"cell{place}") for place, _ in enumerate(n_cells)]
        self.solver = z3.Solver()
        milliseconds = min(max(1000 * seconds, 1), _LONGEST)
        self.solver.set("timeout", int(milliseconds))

    def demand(self, condition: Any) -> None:
        """Demand a condition of the row."""
        self.solver.add(condition)

    def number(self, value: float) -> Any:
        """A float, exactly."""
        return self.z3.Q(*float(value).as_integer_ratio())

    def may_be(self, condition: Any) -> bool:
        """Whether z3 has not shown that no row is so."""
        return self.solver.check(condition) != self.z3.unsat

    def is_so(self, condition: Any) -> bool:
        """Whether z3 has a row that is so."""
        return self.solver.check(condition) == self.z3.sat

    def cell_in(self, place: int, cells: Sequence[int]) -> Any:
        """The cell of an axis is in a set, written as ranges."""
        cell = self.cells[place]
        ranges: list[list[int]] = []
        for one in cells:
            if ranges and ranges[-1][1] == one - 1:
                ranges[-1][1] = one
            else:
                ranges.append([one, one])
        return self.z3.Or([self.z3.And(first <= cell, cell <= last) for first, last in ranges])

    def any_box(self, boxes: Iterable[Box], trees: CodedTrees | None) -> Any:
        """The row is in one of some boxes of cells of the rules."""
        every = []
        for box in boxes:
            inside = []
            for place, mask in box.items():
                cells = (
                    bits(mask)
                    if trees is None
                    else np.flatnonzero(trees.grid[place].within(mask)).tolist()
                )
                inside.append(self.cell_in(place, cells))
            every.append(self.z3.And(inside))
        return self.z3.Or(every)

    def score(self, trees: CodedTrees, k: int) -> Any:
        """The score of a class: the base and a leaf of each tree."""
        found = [self._node(trees, int(root), k) for root in trees.root]
        return self.z3.Sum([self.number(trees.base[k]), *found])

    def _node(self, trees: CodedTrees, node: int, k: int) -> Any:
        if trees.axis[node] < 0:
            return self.number(trees.value[node, k])
        left = self.cell_in(int(trees.axis[node]), np.flatnonzero(trees.left_cells(node)).tolist())
        first = self._node(trees, int(trees.left[node]), k)
        second = self._node(trees, int(trees.right[node]), k)
        return self.z3.If(left, first, second)
