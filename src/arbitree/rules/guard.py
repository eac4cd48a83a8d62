"""A box of rows that are decided together, split until no rule forbids what is decided.

A box decides for one class. Where a rule forbids that of some row which can exist, the box is split
on a part of the rule's condition, and each side is looked at again. Only cells are looked at, so
what holds of the result holds of every row of the domain, whatever the data were and however the
tree was grown. Which class that is, is all in which a tree that is being learnt differs from one
that is repaired:

- A learnt box decides for its rows' majority among the classes that no rule forbids of all of
  them, or as fairness made its leaf decide. One without rows takes a class that no rule forbids.
- A repaired box decides as its leaf did, unless a rule forbids that of all of its rows. Then it
  takes the heaviest class that no rule forbids.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree._errors import RuleError
from arbitree.model.tree import Tree
from arbitree.rules.axes import among, bits
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.guard_cuts import Cut, Cuts
from arbitree.rules.guard_rows import RowsOfTree
from arbitree.rules.parts import Part
from arbitree.rules.space import Box, Masks, replaced


class Guard:
    """Makes leaves of a tree safe.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        Whose classes are those of the tree and which do not contradict each other.
    rows : RowsOfTree
        Rows by which classes are chosen.
    keeps : bool
        Whether leaves decide as before wherever rules allow it, as a repair promises.

    References
    ----------
    Post-facto augmentation of "Safety Augmentation in Decision Trees", section 2 and Lemma 2.1;
    branches without rows are not learnt again.
    """

    def __init__(
        self, tree: Tree, bound: BoundRules, rows: RowsOfTree, *, keeps: bool = False
    ) -> None:
        self.tree, self.bound, self.rows, self.keeps = tree, bound, rows, keeps
        self.cuts = Cuts(tree.features, bound.space)
        self.n_made = 0  # nodes so far
        self._above = tree.parent.tolist()

    def leaf(self, node: int, masks: Masks, here: np.ndarray) -> Part:
        """What a leaf becomes, or a box of its rows."""
        label, weight = int(self.tree.label[node]), self.tree.weight[node]
        # Below the majority it was chosen by fairness, so that the majority is no argument.
        is_chosen = self.keeps or weight[label] < weight.max()
        return self.box(node, masks, here, label if is_chosen else None)

    def box(self, node: int, masks: Masks, here: np.ndarray, chosen: int | None) -> Part:
        """A box of rows below a node, split until no rule forbids what it decides.

        Parameters
        ----------
        node : int
            Whose majority decides where there is no training row.
        masks : tuple of int
        here : ndarray of int
            The training rows in the box.
        chosen : int or None
            What to decide where rules allow it; None for the majority.

        Raises
        ------
        RuleError
            If rules decide otherwise of levels that the tree does not know than of missing
            values, which it cannot tell apart.
        """
        return self._safe(node, masks, here, chosen, self.bound.rules)

    def heaviest(self, places: Sequence[int], node: int, here: np.ndarray) -> int:
        """The class with most weight among rows, or above where there are none.

        In a repair also where they have none of these classes.
        """
        weight = self.rows.by_class(here)
        while node >= 0 and not any(weight[list(places)] if self.keeps else weight):
            weight, node = self.tree.weight[node], self._above[node]
        return max(places, key=lambda place: weight[place])

    def _safe(
        self,
        node: int,
        masks: Masks,
        here: np.ndarray,
        chosen: int | None,
        rules: Sequence[BoundRule],
    ) -> Part:
        self.n_made += 1
        rules = self.bound.met(masks, rules)
        forbidden = 0
        for rule in rules:
            forbidden |= rule.forbids
        label = self._label(node, masks, here, chosen, rules, forbidden)
        against = [rule for rule in rules if rule.forbids >> label & 1]
        cut = self._cut(masks, here, against)
        if cut is None and against:
            allowed = self._without(forbidden)
            if allowed:
                label = self.heaviest(allowed, node, here)
            else:
                cut = self._cut(masks, here, rules)
                if cut is None:
                    raise self._inseparable(masks)
        if cut is None:
            anew = not self.keeps or label != chosen
            return Part(origin=node, label=label, anew=anew, forbidden=forbidden, rows=here)
        part = split(node, label, cut)
        first = among(self.rows.cells[cut.place][here], cut.first)
        for cells, some in ((cut.first, here[first]), (cut.second, here[~first])):
            below = replaced(masks, cut.place, cells)
            part.children.append(self._safe(node, below, some, chosen, rules))
        part.merge()
        return part

    def _label(
        self,
        node: int,
        masks: Masks,
        here: np.ndarray,
        chosen: int | None,
        rules: Sequence[BoundRule],
        forbidden: int,
    ) -> int:
        allowed = self._without(forbidden)
        places = () if self.keeps or len(here) else allowed
        places = places or self._without(self.bound.entailed(masks, rules)) or self._without(0)
        if chosen is not None and chosen in places:
            return chosen
        return self.heaviest(allowed if self.keeps and allowed else places, node, here)

    def _cut(self, masks: Masks, here: np.ndarray, rules: Sequence[BoundRule]) -> Cut | None:
        """The cut that leaves fewest rows inside, in a repair of those that most boxes share."""
        boxes = [box for rule in rules for box in rule.boxes]
        by_cell: dict[int, np.ndarray] = {}
        best, found = (0, -np.inf), None
        for cut in self.cuts.of(masks, boxes):
            place, inside = cut.place, 0.0
            if len(here):
                if place not in by_cell:
                    n_cells = self.bound.space.axes[place].n_cells
                    by_cell[place] = self.rows.by_cell(here, place, n_cells)
                inside = float(by_cell[place][bits(cut.inside)].sum())
            value = (_n_sharing(cut, masks, boxes) if self.keeps else 0, -inside)
            if found is None or value > best:
                best, found = value, cut
        return found

    def _without(self, forbidden: int) -> tuple[int, ...]:
        return tuple(p for p in range(len(self.tree.classes)) if not forbidden >> p & 1)

    def _inseparable(self, masks: Masks) -> RuleError:
        space = self.bound.space
        names = [repr(space.axes[place].name) for place in space.box(masks)]
        return RuleError(
            "The rules decide otherwise of a missing value than of a level that is not listed, "
            f"and a tree treats the two alike (features {', '.join(names)}). Declare all levels "
            "that can occur, or give both the same rule."
        )


def split(origin: int, label: int, cut: Cut) -> Part:
    """A node that makes a cut, without its children."""
    return Part(
        origin=origin,
        label=label,
        feature=cut.feature,
        threshold=np.nan if cut.threshold is None else cut.threshold,
        routes=cut.routes,
    )


def _n_sharing(cut: Cut, masks: Masks, boxes: Sequence[Box]) -> int:
    """Of how many boxes a cut leaves no row outside."""
    cells = masks[cut.place]
    outside = cells & ~cut.inside
    return sum(not outside & box.get(cut.place, cells) for box in boxes)
