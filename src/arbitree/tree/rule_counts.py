"""What rules say of the parts of a split, as weights that rank splits.

N(i | t) = R(i | t) + S(i | t): to the training weight R of class i below a node, S adds the
rows there that satisfy the condition of a rule which demands i. S ranks splits and nothing else:
what a leaf decides is up to the training rows and the guard.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from arbitree.rules.axes import Axis, NumberAxis
from arbitree.rules.bound import BoundRules
from arbitree.rules.code_cells import code_cells
from arbitree.rules.count_exactly import total
from arbitree.rules.counting import cell_sizes, count_by_cell
from arbitree.rules.leaves import sides
from arbitree.rules.space import Box, Masks, intersects
from arbitree.tree.options import one_of
from arbitree.tree.split import Split
from arbitree.tree.table import TrainingTable

RULE_WEIGHTS = ("prior", "independent", "paper")
_LARGEST = 10**300  # of a count, that sums of squares of its logarithms stay finite

State = tuple[Masks, dict[int, tuple[float, float]]]  # cells, and limits of numbers, below a node


class RuleCounts:
    """S(i | t) by the codes of each feature.

    Parameters
    ----------
    bound : BoundRules
    table : TrainingTable
    cells : sequence of ndarray
        Of the table's rows, on each axis.
    rule_weight : {"prior", "independent", "paper"}
        How many rows satisfy a condition: as many of the training rows as combinations of values
        do, or as independent features with the data's own shares would, or the number of
        combinations itself (the paper's).
    each : bool
        Whether a row counts whole in every class that a condition leaves, as in the paper, instead
        of in equal parts.

    References
    ----------
    "Safety Augmentation in Decision Trees", section 3.2, equations 4 and 5.
    """

    def __init__(
        self,
        bound: BoundRules,
        table: TrainingTable,
        cells: Sequence[np.ndarray],
        rule_weight: str,
        *,
        each: bool = False,
    ) -> None:
        one_of("rule_weight", rule_weight, RULE_WEIGHTS)
        self.bound, self.table = bound, table
        space = bound.space
        self.places = [space.place(feature.name) for feature in table.features]
        coded = [(space.axes[p], f.coding) for p, f in zip(self.places, table.features)]
        self.codes = [code_cells(axis, coding) for axis, coding in coded]
        self.parts = [_parts(axis, codes) for (axis, _), codes in zip(coded, self.codes)]
        self.sizes = cell_sizes(space)
        if rule_weight == "independent":
            self.sizes = [
                np.bincount(of_rows, minlength=axis.n_cells).tolist()
                for axis, of_rows in zip(space.axes, cells)
            ]
        n = Fraction(float(table.row_weights().sum()))
        whole = total(space.whole, self.sizes)
        self.scale = Fraction(1) if rule_weight == "paper" else n / Fraction(whole or 1)
        self.demands = _demands(bound, table.n_classes, each=each)

    def root(self) -> State:
        """All rows."""
        return self.bound.space.whole, {}

    def below(self, state: State, split: Split) -> list[State]:
        """The states of the children."""
        masks, limits = state
        place = self.places[split.feature]
        if isinstance(self.bound.space.axes[place], NumberAxis):
            missing_first = int(split.sides[-1]) == 0
            found = {
                child: (cells, near)
                for child, cells, near in sides(
                    self.bound.space,
                    masks,
                    limits,
                    place,
                    float(np.float32(split.threshold)),
                    missing_first,
                    [0, 1],
                )
            }
            none = tuple(0 for _ in masks)
            return [found.get(child, (none, {})) for child in (0, 1)]
        of_child = [0] * split.n_children
        for cells, to in zip(self.codes[split.feature], split.sides.tolist()):
            of_child[to] |= cells
        return [
            ((*masks[:place], masks[place] & cells, *masks[place + 1 :]), limits)
            for cells in of_child
        ]

    def counts(self, state: State) -> np.ndarray:
        """S of each code of all features, by class.  (n_cells, n_classes) float64"""
        masks, _ = state
        found = np.zeros((sum(map(len, self.codes)), self.table.n_classes))
        if not all(masks):
            return found
        for boxes, shares in self.demands:
            met = [box for box in boxes if intersects(masks, box)]
            if met:
                found += self._by_code(masks, met)[:, None] * shares
        return found

    def _by_code(self, masks: Masks, boxes: Sequence[Box]) -> np.ndarray:
        facts = [fact.boxes for fact in self.bound.facts]
        columns = []
        for place, parts in zip(self.places, self.parts):
            counts = count_by_cell(
                self.bound.space, masks, boxes, place, facts=facts, sizes=self.sizes
            )
            columns.append(parts @ np.array([self._scaled(count.value) for count in counts]))
        return np.concatenate(columns)

    def _scaled(self, count: Any) -> float:
        scaled = Fraction(count) * self.scale
        return float(_LARGEST if scaled > _LARGEST else scaled)


def _parts(axis: Axis, codes: Sequence[int]) -> np.ndarray:
    """The share of each cell's rows that each code takes: equal ones.  (n_codes, n_cells)"""
    inside = np.array([[of >> cell & 1 for cell in range(axis.n_cells)] for of in codes], float)
    return inside / np.maximum(inside.sum(axis=0), 1)


def _demands(
    bound: BoundRules, n_classes: int, *, each: bool
) -> list[tuple[list[Box], np.ndarray]]:
    """Conditions of rules with the same consequent, and what each allowed class gets of a row."""
    boxes: dict[int, list[Box]] = {}
    for rule in bound.rules:
        boxes.setdefault(rule.forbids, []).extend(rule.boxes)
    found = []
    for forbids, of_rules in boxes.items():
        allowed = np.array([not forbids >> place & 1 for place in range(n_classes)], float)
        if allowed.any() and of_rules:
            found.append((of_rules, allowed if each else allowed / allowed.sum()))
    return found
