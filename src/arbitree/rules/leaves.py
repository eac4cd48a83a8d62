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
from arbitree.rules.space import Masks, Space

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


def leaves_of_tree(tree: Tree, space: Space) -> Iterator[Leaf]:
    """The leaves that rows of a space reach.

    Parameters
    ----------
    tree : Tree
    space : Space
        With an axis for each feature of the tree.
    """
    feature, labels = tree.feature.tolist(), tree.label.tolist()
    for one in reached_nodes(tree, space):
        if feature[one.node] == LEAF:
            label = labels[one.node]
            yield Leaf(node=one.node, label=label, masks=one.masks, limits=one.limits)


def reached_nodes(tree: Tree, space: Space) -> Iterator[Reached]:
    """The nodes that rows of a space reach, each after its parent.

    Parameters are those of `leaves_of_tree`.
    """
    places = [space.place(feature.name) for feature in tree.features]
    cells = {
        j: code_cells(space.axes[places[j]], tree.features[j].coding)
        for j in set(tree.feature.tolist()) - {LEAF}
        if not isinstance(space.axes[places[j]], NumberAxis)
    }
    waiting = [Reached(node=0, parent=-1, place=-1, masks=space.whole, limits={})]
    for at in count():
        if not waiting:
            return
        here = waiting.pop()
        yield here
        j = int(tree.feature[here.node])
        if j == LEAF:
            continue
        children = tree.children(here.node).tolist()
        if j in cells:
            parts = [0] * len(children)
            for codes, to in zip(cells[j], code_routes(tree, here.node).tolist()):
                parts[to] |= codes
            below = [
                part
                for child, mask in zip(children, parts)
                for part in _narrowed(child, here.masks, here.limits, places[j], mask)
            ]
        else:
            first = int(tree.routes(here.node)[0]) == 0
            threshold = float(tree.threshold[here.node])
            below = sides(space, here.masks, here.limits, places[j], threshold, first, children)
        waiting += [
            Reached(node=child, parent=at, place=places[j], masks=masks, limits=limits)
            for child, masks, limits in below
        ]


def sides(
    space: Space,
    masks: Masks,
    limits: Mapping[int, tuple[float, float]],
    place: int,
    threshold: float,
    missing_first: bool,
    children: list[int],
) -> list[tuple[int, Masks, dict[int, tuple[float, float]]]]:
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
) -> list[tuple[int, Masks, dict[int, tuple[float, float]]]]:
    mask &= masks[place]
    if not mask:
        return []
    return [(child, (*masks[:place], mask, *masks[place + 1 :]), dict(limits))]
