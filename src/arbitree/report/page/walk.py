"""What a page's script needs to follow a tree with typed values, as the model itself would."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..._tables import visible
from ...model.tree import LEAF, Tree
from ...rules.axes import CategoryAxis, NumberAxis, bits
from ...rules.space import Space
from ...table.codings import CategoryCoding
from ..tree_numbers import TreeNumbers
from ..tree_words import named_label


def walk_data(
    numbers: TreeNumbers, asked: Sequence[int], domain: Space | None = None
) -> dict[str, Any]:
    """What decides: thresholds as the float32 numbers that they are, null where all numbers pass.

    Of a number `routes` has one entry, for missing; of a level one for each, missing last. With a
    domain, `occurs` says of each cell of a feature whether the tree decides rows with it: of levels
    one for each, any other, missing.

    Parameters
    ----------
    numbers : TreeNumbers
    asked : sequence of int
        The features that are asked for.
    domain : Space, optional
    """
    tree = numbers.tree
    return {
        "features": {str(j): _feature(tree, j, domain) for j in asked},
        "classes": [visible(named_label(label)) for label in tree.classes],
        "favorable": [place in numbers.favorable for place in range(len(tree.classes))]
        if numbers.favorable
        else [],
        "nodes": [_node(tree, node) for node in range(tree.n_nodes)],
    }


def _feature(tree: Tree, j: int, domain: Space | None) -> dict[str, Any]:
    feature = tree.features[j]
    coding = feature.coding
    found: dict[str, Any] = {"name": visible(str(feature.name))}
    if isinstance(coding, CategoryCoding):
        found["levels"] = [visible(text) for text in coding.texts]
    else:
        found["unit"] = coding.unit
    axes = () if domain is None else domain.axes
    for axis in axes:
        if axis.name == feature.name:
            found |= _occurring(axis, coding)
    return found


def _occurring(axis: NumberAxis | CategoryAxis, coding: Any) -> dict[str, Any]:
    cells = set(bits(axis.whole))
    if isinstance(axis, NumberAxis):
        return {
            "edges": [float(edge) for edge in axis.edges],
            "occurs": [cell in cells for cell in range(axis.n_cells)],
        }
    places = {level: cell for cell, level in enumerate(axis.levels)}
    of_levels = [places.get(level, axis.other_cell) for level in coding.levels]
    wanted = [*of_levels, axis.other_cell, axis.missing_cell]
    return {"occurs": [cell in cells for cell in wanted]}


def _node(tree: Tree, node: int) -> dict[str, Any]:
    if tree.feature[node] == LEAF:
        return {"label": int(tree.label[node]), "n": int(tree.n[node])}
    threshold = float(tree.threshold[node])
    found: dict[str, Any] = {
        "feature": int(tree.feature[node]),
        "children": tree.children(node).tolist(),
        "routes": tree.routes(node).tolist(),
    }
    if not math.isnan(threshold):
        found["threshold"] = threshold if math.isfinite(threshold) else None
    return found
