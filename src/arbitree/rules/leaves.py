"""The rows that reach each leaf of a tree, as boxes of a space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count

import numpy as np

from arbitree.model.route import code_routes
from arbitree.model.tree import LEAF, Tree
from arbitree.rules.axes import NumberAxis
from arbitree.rules.code_cells import code_cells
from arbitree.rules.space import Masks, Space, replaced

Limits = Mapping[int, tuple[float, float]]  # of numbers, by axis: low < x <= high


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A leaf and the rows that reach it: numbers within `limits`, in the cells of `masks`.

    Every cell of `masks` has a row that reaches the leaf, so that what rules say of cells decides
    what they say of the leaf.
    """

    node: int
    label: int  # a place among the classes of the model
    masks: Masks
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node that rows of a space reach, as a `Leaf`; its parent's place among those reached."""

    node: int
    parent: int  # -1 of the root
    place: int  # of the axis that the parent compares, -1 of the root
    masks: Masks
    limits: Limits


Below = tuple[int, Masks, dict[int, tuple[float, float]]]  # a child, and the rows that go there


class Descent:
    """Which rows of a space go on to which children of a tree's nodes.

    Parameters
    ----------
    tree : Tree
    space : Space
        With an axis for each feature of the tree.
    """

    def __init__(self, tree: Tree, space: Space) -> None:
        self.tree, self.space = tree, space
        self.places = [space.place(feature.name) for feature in tree.features]
        self._cells = {
            j: code_cells(space.axes[self.places[j]], tree.features[j].coding)
            for j in set(tree.feature.tolist()) - {LEAF}
            if not isinstance(space.axes[self.places[j]], NumberAxis)
        }

    def below(self, node: int, masks: Masks, limits: Limits) -> list[Below]:
        """The children of an inner node that any of the rows reach which reach the node."""
        tree, j = self.tree, int(self.tree.feature[node])
        place, children = self.places[j], self.tree.children(node).tolist()
        if j in self._cells:
            cells = [0] * len(children)
            for codes, to in zip(self._cells[j], code_routes(tree, node).tolist()):
                cells[to] |= codes
            return [
                part
                for child, mask in zip(children, cells)
                for part in _narrowed(child, masks, limits, place, mask)
            ]
        missing_first = int(tree.routes(node)[0]) == 0
        threshold = float(tree.threshold[node])
        return sides(self.space, masks, limits, place, threshold, missing_first, children)

    def leaves(self, node: int, masks: Masks, limits: Limits) -> Iterator[Leaf]:
        """The leaves below a node that some rows which reach it come to."""
        waiting: list[Below] = [(node, masks, dict(limits))]
        while waiting:
            v, here, within = waiting.pop()
            if self.tree.feature[v] == LEAF:
                yield Leaf(node=v, label=int(self.tree.label[v]), masks=here, limits=within)
            else:
                waiting += self.below(v, here, within)


def leaves_of_tree(tree: Tree, space: Space) -> Iterator[Leaf]:
    """The leaves that rows of a space reach.

    Parameters
    ----------
    tree : Tree
    space : Space
        With an axis for each feature of the tree.
    """
    return Descent(tree, space).leaves(0, space.whole, {})


def reached_nodes(tree: Tree, space: Space) -> Iterator[Reached]:
    """The nodes that rows of a space reach, each after its parent.

    Parameters are those of `leaves_of_tree`.
    """
    descent, feature = Descent(tree, space), tree.feature.tolist()
    waiting = [Reached(node=0, parent=-1, place=-1, masks=space.whole, limits={})]
    for at in count():
        if not waiting:
            return
        here = waiting.pop()
        yield here
        j = feature[here.node]
        if j == LEAF:
            continue
        waiting += [
            Reached(node=child, parent=at, place=descent.places[j], masks=masks, limits=limits)
            for child, masks, limits in descent.below(here.node, here.masks, here.limits)
        ]


def sides(
    space: Space,
    masks: Masks,
    limits: Mapping[int, tuple[float, float]],
    place: int,
    threshold: float,
    missing_first: bool,
    children: list[int],
) -> list[Below]:
    """Where rows go of which a number is compared: those children that any reach."""
    axis = space.axes[place]
    assert isinstance(axis, NumberAxis)
    low, high = limits.get(place, (-np.inf, np.inf))
    found = []
    ranges = [(low, min(high, threshold)), (max(low, threshold), high)]
    for child, (least, most), takes_missing in zip(
        children, ranges, (missing_first, not missing_first)
    ):
        mask = axis.between(least, most)
        if takes_missing:
            mask |= masks[place] & 1 << axis.missing_cell
        found += _narrowed(child, masks, {**limits, place: (least, most)}, place, mask)
    return found


def _narrowed(
    child: int,
    masks: Masks,
    limits: Mapping[int, tuple[float, float]],
    place: int,
    mask: int,
) -> list[Below]:
    mask &= masks[place]
    if not mask:
        return []
    return [(child, replaced(masks, place, mask), dict(limits))]
