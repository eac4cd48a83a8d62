"""Guards above leaves of a tree that is repaired: where one takes fewer nodes than one at each.

To guard a node against a box of a rule, its rows are asked for the box's conditions, one after the
other; those that fail one go on to a copy of the node, in which branches that they cannot reach
are left out. So a guard of one condition copies nothing, and one of several pays where the copies
are small, or many leaves would each have had to ask. Nodes are counted, not made, as a repair may
be of a tree with thousands of leaves.
"""

from __future__ import annotations

from arbitree.model.tree import LEAF
from arbitree.rules.bound import BoundRules
from arbitree.rules.guard_cuts import Cut, Cuts
from arbitree.rules.leaves import Below, Descent, Limits
from arbitree.rules.space import Box, Masks, intersects, replaced, within

# Nodes that are visited: beyond so many, boxes of several conditions are guarded against leaf by
# leaf, where sharing spares little (1 % of a tree with 9,499 nodes); at last all are.
_MOST_FOR_SEVERAL = 50_000
_MOST_VISITED = 1_000_000
_LONGEST = 8  # conditions of a box


class GuardsAbove:
    """Finds the cut with which a guard above some leaves begins.

    Parameters
    ----------
    descent : Descent
    bound : BoundRules
    cuts : Cuts
    broken : list of int
        Of each node, the rules that leaves below it break, as bits.
    """

    def __init__(self, descent: Descent, bound: BoundRules, cuts: Cuts, broken: list[int]) -> None:
        self.descent, self.bound, self.cuts, self.broken = descent, bound, cuts, broken
        self._left = _MOST_VISITED

    def first_cut(self, v: int, masks: Masks, limits: Limits) -> Cut | None:
        """The first cut of the guard that takes fewest nodes; None if none spares any."""
        boxes = [
            box
            for place, rule in enumerate(self.bound.rules)
            if self.broken[v] >> place & 1
            for box in rule.boxes
            if self._is_worth_a_try(masks, box)
        ]
        if not boxes:
            return None
        least, found = self._n_nodes(v, masks, limits), None
        for box in boxes:
            cut, n_nodes = self._guarded(v, masks, limits, box, at_most=least)
            if n_nodes < least:
                least, found = n_nodes, cut
        return found

    def _is_worth_a_try(self, masks: Masks, box: Box) -> bool:
        if self._left <= 0 or not intersects(masks, box):
            return False
        asked = sum(bool(masks[place] & ~mask) for place, mask in box.items())
        return asked == 1 or self._left > _MOST_VISITED - _MOST_FOR_SEVERAL

    def only_class(self, masks: Masks) -> int | None:
        """The class that is left where all others are forbidden of every row of a box."""
        entailed = self.bound.entailed(masks)
        left = [place for place in range(len(self.bound.classes)) if not entailed >> place & 1]
        return left[0] if len(left) == 1 else None

    def _guarded(
        self, v: int, masks: Masks, limits: Limits, box: Box, *, at_most: int
    ) -> tuple[Cut | None, int]:
        """The first cut of a guard against a box, and the nodes that it takes."""
        first, n_nodes, here = None, 0, (masks, limits)
        for _ in range(_LONGEST):
            if within(here[0], box):
                break
            sides = [(cut, *parted(*here, cut)) for cut in self.cuts.of(here[0], [box])]
            if not sides or n_nodes >= at_most:
                return None, at_most
            sizes = [self._n_nodes(v, *inner) for _, inner, _ in sides]
            cut, inner, outer = sides[sizes.index(min(sizes))]
            n_nodes += 1 + self._n_nodes(v, *outer)
            first, here = first or cut, inner
        if not within(here[0], box):
            return None, at_most
        last = 1 if self.only_class(here[0]) is not None else self._n_nodes(v, *here)
        return first, n_nodes + last

    def _n_nodes(self, v: int, masks: Masks, limits: Limits) -> int:
        """Nodes below a node that rows part at, and those that guard its leaves one by one."""
        found, waiting = 0, [(v, masks, limits)]
        while waiting:
            self._left -= 1
            node, here, inside = waiting.pop()
            if self.descent.tree.feature[node] == LEAF:
                found += 1 + self._n_at_leaf(node, here)
                continue
            below: list[Below] = self.descent.below(node, here, inside)
            found += len(below) > 1
            waiting += below
        return found

    def _n_at_leaf(self, leaf: int, masks: Masks) -> int:
        if not self.broken[leaf]:
            return 0
        found = 0
        for place, rule in enumerate(self.bound.rules):
            if self.broken[leaf] >> place & 1:
                for box in rule.boxes:
                    if intersects(masks, box):
                        asked = sum(bool(masks[p] & ~mask) for p, mask in box.items())
                        if not asked:
                            return 0
                        found += 2 * asked
        return found


def parted(
    masks: Masks, limits: Limits, cut: Cut
) -> tuple[tuple[Masks, Limits], tuple[Masks, Limits]]:
    """The rows inside a cut, and those outside."""
    first, second = sides_of(masks, limits, cut)
    return (first, second) if cut.inside == cut.first else (second, first)


def sides_of(
    masks: Masks, limits: Limits, cut: Cut
) -> tuple[tuple[Masks, Limits], tuple[Masks, Limits]]:
    """The rows that go to the first child of a cut, and to the second."""
    low_side, high_side = dict(limits), dict(limits)
    if cut.threshold is not None:
        low, high = limits.get(cut.place, (float("-inf"), float("inf")))
        low_side[cut.place] = (low, min(high, cut.threshold))
        if cut.threshold < float("inf"):  # else the second child has missing values only
            high_side[cut.place] = (max(low, cut.threshold), high)
    return (
        (replaced(masks, cut.place, cut.first), low_side),
        (replaced(masks, cut.place, cut.second), high_side),
    )
