"""What a leaf becomes that decides some rows against a rule: those rows get another class.

They are split off, one cut after the other, and every other row keeps its decision. Only where a
tree cannot tell two rows apart (a missing value and a level that it does not know) both get a
class that is allowed of both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree._errors import RuleError
from arbitree.model.tree import Tree
from arbitree.rules.axes import bits
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.guard import RowsOfTree
from arbitree.rules.guard_cuts import Cut, Cuts
from arbitree.rules.parts import Part
from arbitree.rules.space import Box, Masks, Space, meet


class Carver:
    """Parts leaves of a tree, and chooses classes for the parts that need another one.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        Whose classes are those of the tree and which do not contradict each other.
    rows : RowsOfTree
        By whose classes a part is decided; where it has none, by those of the node above it.
    """

    def __init__(self, tree: Tree, bound: BoundRules, rows: RowsOfTree) -> None:
        self.tree, self.bound, self.rows = tree, bound, rows
        self.cuts = Cuts(tree.features, bound.space)
        self._above = tree.parent
        self._order = np.argsort(rows.leaf, kind="stable")
        self._starts = np.searchsorted(rows.leaf[self._order], np.arange(tree.n_nodes + 1))

    def rows_of(self, leaf: int, masks: Masks) -> np.ndarray:
        """Rows of a leaf that are in a box."""
        here = self._order[self._starts[leaf] : self._starts[leaf + 1]]
        for cells, mask, whole in zip(self.rows.cells, masks, self.bound.space.whole):
            if mask != whole and len(here):
                here = here[_among(cells[here], mask)]
        return here

    def carved(self, leaf: int, masks: Masks, here: np.ndarray) -> Part:
        """A leaf, or a box of its rows, without decisions against a rule.

        Parameters
        ----------
        leaf : int
        masks : tuple of int
        here : ndarray of int
            The rows in the box.
        """
        label = int(self.tree.label[leaf])
        against = [rule for rule in self.bound.rules if rule.forbids >> label & 1]
        boxes = self.possible(masks, against)
        if not boxes:
            return Part(origin=leaf, label=label, rows=here)
        cut = None if self._entailed(masks, against) else self._cut(masks, here, boxes)
        if cut is None:
            part = self._decided_anew(leaf, masks, here)
            if part is not None:
                return part
        cut = cut or self._cut(masks, here, self.possible(masks, self.bound.rules))
        if cut is None:
            raise inseparable(self.bound.space, masks)
        first = _among(self.rows.cells[cut.place][here], cut.first)
        sides = ((cut.first, here[first]), (cut.second, here[~first]))
        part = split(leaf, label, cut)
        part.children = [
            self.carved(leaf, narrowed(masks, cut.place, cells), some) for cells, some in sides
        ]
        part.merge()
        return part

    def possible(self, masks: Masks, rules: Sequence[BoundRule]) -> list[Box]:
        """Boxes of rules of which a row of `masks` can exist."""
        found = []
        for rule in rules:
            for box in rule.boxes:
                met = meet(masks, box)
                if met is not None and self.bound.rows.row(met) is not None:
                    found.append(box)
        return found

    def heaviest(self, allowed: Sequence[int], node: int, here: np.ndarray) -> int:
        """The class with most weight among rows, or above where they have none of these."""
        weight = np.bincount(
            self.rows.y[here], self.rows.weights[here], minlength=len(self.tree.classes)
        )
        weight = weight * self.rows.class_weight
        while node >= 0 and not weight[list(allowed)].any():
            weight, node = self.tree.weight[node], int(self._above[node])
        return max(allowed, key=lambda place: weight[place])

    def _decided_anew(self, leaf: int, masks: Masks, here: np.ndarray) -> Part | None:
        forbidden = self.bound.forbidden(masks)
        allowed = [p for p in range(len(self.tree.classes)) if not forbidden >> p & 1]
        if not allowed:
            return None
        label = self.heaviest(allowed, leaf, here)
        forbidden &= (1 << len(self.tree.classes)) - 1  # rules may speak of more classes
        return Part(origin=leaf, label=label, changed=True, forbidden=forbidden, rows=here)

    def _entailed(self, masks: Masks, rules: Sequence[BoundRule]) -> bool:
        return any(self.bound.standing(masks, rule) == "entailed" for rule in rules)

    def _cut(self, masks: Masks, here: np.ndarray, boxes: Sequence[Box]) -> Cut | None:
        """The cut that most boxes share, of these the one that leaves fewest rows inside."""
        best, found = (0, -np.inf), None
        for cut in self.cuts.of(masks, boxes):
            cells = masks[cut.place]
            outside = cells & ~cut.inside
            shared = sum(not outside & box.get(cut.place, cells) for box in boxes)
            inside = _among(self.rows.cells[cut.place][here], cut.inside)
            value = (shared, -float(self.rows.weights[here][inside].sum()))
            if found is None or value > best:
                best, found = value, cut
        return found


def split(origin: int, label: int, cut: Cut) -> Part:
    """A node that makes a cut, without its children."""
    return Part(
        origin=origin,
        label=label,
        feature=cut.feature,
        threshold=np.nan if cut.threshold is None else cut.threshold,
        routes=cut.routes,
    )


def narrowed(masks: Masks, place: int, cells: int) -> Masks:
    """A box with other cells of one axis."""
    return (*masks[:place], cells, *masks[place + 1 :])


def inseparable(space: Space, masks: Masks) -> RuleError:
    """The error of rules that part what a tree cannot."""
    names = [repr(space.axes[place].name) for place in space.box(masks)]
    return RuleError(
        "The rules decide otherwise of a missing value than of a level that is not listed, "
        f"and a tree treats the two alike (features {', '.join(names)}). Declare all levels "
        "that can occur, or give both the same rule."
    )


def _among(cells: np.ndarray, mask: int) -> np.ndarray:
    return np.isin(cells, bits(mask))
