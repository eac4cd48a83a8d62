"""The rows that reach each leaf of a tree, as boxes of a space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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


def leaves_of_tree(tree: Tree, space: Space) -> Iterator[Leaf]:
    """The leaves that rows of a space reach.

    Parameters
    ----------
    tree : Tree
    space : Space
        With an axis for each feature of the tree.
    """
    places = [space.place(feature.name) for feature in tree.features]
    cells = {
        j: code_cells(space.axes[places[j]], tree.features[j].coding)
        for j in set(tree.feature.tolist()) - {LEAF}
        if not isinstance(space.axes[places[j]], NumberAxis)
    }
    waiting: list[tuple[int, Masks, dict[int, tuple[float, float]]]] = [(0, space.whole, {})]
    while waiting:
        node, masks, limits = waiting.pop()
        j = int(tree.feature[node])
        if j == LEAF:
            yield Leaf(node=node, label=int(tree.label[node]), masks=masks, limits=limits)
            continue
        place = places[j]
        children = tree.children(node).tolist()
        if j in cells:
            for position, child in enumerate(children):
                routes = code_routes(tree, node)
                mask = sum(c for c, to in zip(cells[j], routes.tolist()) if to == position)
                waiting += _narrowed(child, masks, limits, place, mask)
            continue
        missing_first = int(tree.routes(node)[0]) == 0
        waiting += sides(
            space, masks, limits, place, float(tree.threshold[node]), missing_first, children
        )


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
