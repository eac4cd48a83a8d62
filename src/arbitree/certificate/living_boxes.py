"""All boxes of all rules as bits, and what becomes of them where a path narrows."""

from __future__ import annotations

from functools import cache

from arbitree.rules.axes import bits
from arbitree.rules.bound import BoundRules
from arbitree.rules.leaves import Reached
from arbitree.rules.possible import PossibleRows
from arbitree.rules.space import Masks, meet

Why = tuple[tuple[int, ...], tuple[int, ...]]  # places of axes, places of facts


class LivingBoxes:
    """The boxes of rules, numbered; sets of them are bits of whole numbers."""

    def __init__(self, bound: BoundRules) -> None:
        self._bound = bound
        self._boxes = [box for rule in bound.rules for box in rule.boxes]
        self._rule = [place for place, rule in enumerate(bound.rules) for _ in rule.boxes]
        self.every = (1 << len(self._boxes)) - 1
        self.of_rule = [0] * len(bound.rules)
        for box, rule in enumerate(self._rule):
            self.of_rule[rule] |= 1 << box
        self._fact_axes = {p for fact in bound.facts for box in fact.boxes for p in box}
        self._cells = [self._boxes_by_cell(place) for place in range(len(bound.space.axes))]
        self._known: dict[Masks, Why | None] = {}
        self.relevant = cache(self._relevant)
        self._meeting = cache(self._in_cells)
        self._rows_under = cache(self._rows_of_facts)

    def rule_of(self, boxes: int) -> int:
        """The place of the rule of the first of some boxes."""
        return self._rule[(boxes & -boxes).bit_length() - 1]

    def narrowed(self, boxes: int, one: Reached) -> tuple[int, dict[int, Why]]:
        """Of boxes alive at the parent of a node: those alive at it, and why the others are not.

        At the root, those that facts leave a row.
        """
        dead: dict[int, Why] = {}
        if one.place >= 0:
            met = boxes & self._meeting(one.place, one.masks[one.place])
            dead = dict.fromkeys(bits(boxes & ~met), ((one.place,), ()))
            boxes = met
        if self._fact_axes and (one.place < 0 or one.place in self._fact_axes):
            for box in bits(boxes):
                why = self._by_facts(one.masks, box)
                if why is not None:
                    dead[box] = why
                    boxes &= ~(1 << box)
        return boxes, dead

    def _relevant(self, labels: int) -> int:
        """Boxes of the rules that forbid one of some labels."""
        rules = zip(self._bound.rules, self.of_rule)
        return sum(boxes for rule, boxes in rules if rule.forbids & labels)

    def _boxes_by_cell(self, place: int) -> list[int]:
        axis = self._bound.space.axes[place]
        found, open_boxes = [0] * axis.n_cells, 0
        for number, box in enumerate(self._boxes):
            if place not in box:
                open_boxes |= 1 << number
            else:
                for cell in bits(box[place]):
                    found[cell] |= 1 << number
        return [boxes | open_boxes for boxes in found]

    def _in_cells(self, place: int, mask: int) -> int:
        """Boxes that have one of some cells of an axis."""
        found = 0
        for cell in bits(mask):
            found |= self._cells[place][cell]
        return found

    def _by_facts(self, masks: Masks, box: int) -> Why | None:
        """The facts that leave no row of a box, and the features by which; None if they leave one.

        Facts are left out one after the other, from the last, while the others are enough.
        """
        met = meet(masks, self._boxes[box])
        assert met is not None
        axes = sorted(self._fact_axes)
        key = tuple(met[place] for place in axes)
        if key not in self._known:
            self._known[key] = self._core(met)
        return self._known[key]

    def _core(self, met: Masks) -> Why | None:
        if self._bound.rows.row(met) is not None:
            return None
        core = list(range(len(self._bound.facts)))
        for fact in reversed(range(len(self._bound.facts))):
            without = tuple(f for f in core if f != fact)
            if self._rows_under(without).row(met) is None:
                core.remove(fact)
        whole = self._bound.space.whole
        named = {p for f in core for box in self._bound.facts[f].boxes for p in box}
        return tuple(sorted(p for p in named if met[p] != whole[p])), tuple(core)

    def _rows_of_facts(self, facts: tuple[int, ...]) -> PossibleRows:
        chosen = [self._bound.facts[fact].boxes for fact in facts]
        return PossibleRows(self._bound.space, chosen)
