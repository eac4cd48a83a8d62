"""A tree as a certificate has it: what it decides, and nothing of the rows that it learnt from."""

from __future__ import annotations

from math import isfinite
from typing import Any

from arbitree.model.tree import LEAF, Tree
from arbitree.rules.domain_json import shortest
from arbitree.table.codings import NumericCoding
from arbitree.table.levels import level_to_json


def decisions_to_dict(tree: Tree) -> dict[str, Any]:
    """Classes, features and nodes as plain values.

    A number goes to the first child if it is at most the threshold, both as float32, else to the
    second; a level to the child in whose place it is listed. A missing value goes to ``missing``,
    and so does a level that no place lists.

    Raises
    ------
    InputError
        If a class or a level is of a type that cannot be written.
    """
    classes = [level_to_json(_plain(label)) for label in tree.classes]
    names = [level_to_json(_plain(feature.name)) for feature in tree.features]
    levels = [
        None if isinstance(f.coding, NumericCoding) else list(map(level_to_json, f.coding.levels))
        for f in tree.features
    ]
    return {
        "classes": classes,
        "features": [_feature(name, f.coding) for name, f in zip(names, tree.features)],
        "nodes": [
            {"node": node, "label": classes[label]}
            if j == LEAF
            else {"node": node, "feature": names[j], **_split(tree, node, levels[j])}
            for node, (j, label) in enumerate(zip(tree.feature.tolist(), tree.label.tolist()))
        ],
    }


def _feature(name: Any, coding: Any) -> dict[str, Any]:
    if isinstance(coding, NumericCoding):
        return {"name": name, "kind": coding.kind, "unit": coding.unit}
    return {"name": name, "kind": "category"}


def _split(tree: Tree, node: int, levels: list[Any] | None) -> dict[str, Any]:
    children, routes = tree.children(node).tolist(), tree.routes(node).tolist()
    found: dict[str, Any]
    if levels is None:
        threshold = float(tree.threshold[node])
        short = shortest(threshold) if isfinite(threshold) else threshold
        found = {"threshold": level_to_json(short)}
    else:
        places: list[list[Any]] = [[] for _ in children]
        for level, place in zip(levels, routes):
            places[place].append(level)
        found = {"levels": places}
    return {**found, "missing": children[routes[-1]], "children": children}


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
