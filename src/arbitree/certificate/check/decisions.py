"""The tree of a certificate: its shape, and which rows of a domain reach its nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arbitree.certificate.check.canonical import canonical, strict
from arbitree.certificate.check.domain import Domain, Levels, Numbers
from arbitree.certificate.check.shape import Wrong, fields, typed
from arbitree.certificate.check.values import INFINITE, UNIT, float32, shortest

_NUMBER_KINDS = ("number", "integer", "date", "duration")


@dataclass(slots=True)
class Node:
    """A leaf with the place of its class, or a split."""

    label: int | None
    feature: str  # canonical text of its name; "" of a leaf
    threshold: float | None  # float32
    levels: list[list[str]]  # canonical texts, by child
    missing: int
    children: list[int]


@dataclass(slots=True)
class Decisions:
    """Nodes with the root first, a child after its parent."""

    classes: list[Any]
    kinds: dict[str, str]  # of each feature
    units: dict[str, str | None]
    nodes: list[Node]

    def read(self) -> list[Any]:
        """Names of the features that splits read, in the order of the columns."""
        used = {node.feature for node in self.nodes}
        return [strict(key) for key in self.kinds if key in used]


@dataclass(slots=True)
class Visit:
    """A node and the rows of a domain that reach it: cells by axis, numbers within limits."""

    node: int
    parent: int  # place among the visits
    place: int  # axis that the parent compares
    cells: list[int]
    limits: dict[int, tuple[float, float]]
    labels: int = 0  # classes of leaves at or below it, as bits


def read_tree(data: Any) -> Decisions:
    """The tree, its shape checked."""
    fields(data, "tree", {"classes": list, "features": list, "nodes": list})
    classes = data["classes"]
    if not classes or len({canonical(label) for label in classes}) < len(classes):
        raise Wrong("tree.classes is empty, or has a class twice")
    kinds, units = {}, {}
    for feature in data["features"]:
        number = isinstance(feature, dict) and feature.get("kind") in _NUMBER_KINDS
        given = typed(feature, "a feature of the tree", dict)
        rest = {key: value for key, value in given.items() if key != "name"}
        required: dict[str, Any] = {"kind": str}
        if number:
            required["unit"] = (str, type(None))
        fields(rest, "a feature of the tree", required)
        named = isinstance(feature.get("name"), str | bool | int | float)
        if not named or not (number or feature["kind"] == "category"):
            raise Wrong(f"a feature of the tree is {feature!r}")
        unit = feature.get("unit")
        times = feature["kind"] in ("date", "duration")
        if times != (unit is not None) or (times and not UNIT.fullmatch(unit)):
            raise Wrong(f"a feature of the tree counts in {unit!r}")
        key = canonical(feature["name"])
        if key in kinds:
            raise Wrong(f"the tree has two features {key}")
        kinds[key], units[key] = feature["kind"], feature.get("unit")
    places = {canonical(label): place for place, label in enumerate(classes)}
    nodes = [_node(one, at, places, kinds) for at, one in enumerate(data["nodes"])]
    _check_shape(nodes)
    return Decisions(classes=classes, kinds=kinds, units=units, nodes=nodes)


def _node(data: Any, at: int, places: dict[str, int], kinds: dict[str, str]) -> Node:
    where = f"node {at}"
    if typed(data, where, dict).get("node") != at or type(data["node"]) is not int:
        raise Wrong(f"{where} does not have its number")
    if "label" in data:
        label = places.get(canonical(data["label"]))
        if label is None or len(data) != 2:
            raise Wrong(f"{where} is no leaf that decides a class")
        return Node(label, "", None, [], 0, [])
    key = canonical(data.get("feature"))
    if key not in kinds:
        raise Wrong(f"{where} reads {key}, which is no feature of the tree")
    split = "levels" if kinds[key] == "category" else "threshold"
    if data.keys() != {"node", "feature", split, "missing", "children"}:
        raise Wrong(f"{where} has not the fields of its kind")
    children = typed(data["children"], where, list)
    if any(type(child) is not int for child in [*children, data["missing"]]):
        raise Wrong(f"{where} has children that are no numbers of nodes")
    if data["missing"] not in children:
        raise Wrong(f"{where} sends missing values to no child of it")
    if split == "levels":
        levels = _levels(data["levels"], len(children), where)
        return Node(None, key, None, levels, data["missing"], children)
    if len(children) != 2:
        raise Wrong(f"{where} compares a number and has {len(children)} children")
    threshold = _threshold(data["threshold"], where)
    return Node(None, key, threshold, [], data["missing"], children)


def _levels(given: Any, n_children: int, where: str) -> list[list[str]]:
    lists = [typed(one, where, list) for one in typed(given, where, list)]
    found = [[canonical(level) for level in one] for one in lists]
    every = [level for one in found for level in one]
    if len(found) != n_children or len(set(every)) < len(every):
        raise Wrong(f"{where} has not one list of levels a child, or lists a level twice")
    return found


def _threshold(given: Any, where: str) -> float:
    if isinstance(given, dict) and set(given) == {"float"} and given["float"] in INFINITE:
        return INFINITE[given["float"]]
    number = float32(typed(given, f"{where}.threshold", (float,)))
    if type(given) is not float or given != shortest(number):
        raise Wrong(f"{where} has the threshold {given!r}, which is not written as a float32 is")
    return number


def _check_shape(nodes: list[Node]) -> None:
    if not nodes:
        raise Wrong("the tree has no nodes")
    seen = sorted(child for node in nodes for child in node.children)
    if seen != list(range(1, len(nodes))):
        raise Wrong("not every node but the root is the child of exactly one node")
    listed: dict[str, set[str]] = {}
    for at, node in enumerate(nodes):
        if any(child <= at for child in node.children):
            raise Wrong(f"node {at} has a child that does not come after it")
        if node.label is None and len(node.children) < 2:
            raise Wrong(f"node {at} has one child")
        if node.levels:
            levels = {level for place in node.levels for level in place}
            if listed.setdefault(node.feature, levels) != levels:
                raise Wrong(f"node {at} lists other levels of its feature than another node")


def visits(tree: Decisions, domain: Domain) -> list[Visit]:
    """The nodes that rows of the domain reach, each after its parent."""
    places = {}
    for key, kind in tree.kinds.items():
        found = [p for p, axis in enumerate(domain.axes) if canonical(axis.name) == key]
        if not found:
            raise Wrong(f"the domain has no feature {key}")
        _check_kind(key, kind, tree.units[key], domain.axes[found[0]])
        places[key] = found[0]
    reached = [Visit(0, -1, -1, [axis.whole for axis in domain.axes], {})]
    at = 0
    while at < len(reached):
        here = reached[at]
        node = tree.nodes[here.node]
        if node.label is not None:
            here.labels = 1 << node.label
        else:
            place = places[node.feature]
            for child, cells, limits in _children(node, here, place, domain.axes[place]):
                if cells:
                    masks = here.cells.copy()
                    masks[place] = cells
                    reached.append(Visit(child, at, place, masks, limits))
        at += 1
    for visit in reversed(reached):
        if visit.parent >= 0:
            reached[visit.parent].labels |= visit.labels
    return reached


def _check_kind(key: str, kind: str, unit: str | None, axis: Any) -> None:
    if isinstance(axis, Numbers) != (kind != "category"):
        raise Wrong(f"the tree reads {key} as {kind}, and the domain has it otherwise")
    plain = ("number", "integer")
    if isinstance(axis, Numbers) and (
        axis.unit != unit or (axis.kind != kind and not (axis.kind in plain and kind in plain))
    ):
        raise Wrong(f"the tree reads {key} as {kind} in {unit}, and the domain has it otherwise")


def _children(
    node: Node, here: Visit, place: int, axis: Any
) -> Iterator[tuple[int, int, dict[int, tuple[float, float]]]]:
    """Each child with the cells of the axis that rows which reach it are in."""
    missing = here.cells[place] & 1 << axis.n_values
    if isinstance(axis, Numbers):
        low, high = here.limits.get(place, (-math.inf, math.inf))
        assert node.threshold is not None
        ranges = [(low, min(high, node.threshold)), (max(low, node.threshold), high)]
        for child, limits in zip(node.children, ranges):
            cells = axis.between(*limits) & here.cells[place]
            if child == node.missing:
                cells |= missing
            yield child, cells, {**here.limits, place: limits}
        return
    assert isinstance(axis, Levels)
    cell_of = {canonical(level): cell for cell, level in enumerate(axis.levels)}
    listed = 0
    parts = []
    for levels in node.levels:
        cells = 0
        for level in levels:
            if level not in cell_of:
                raise Wrong(f"the domain of {axis.text!r} lacks the level {level} of the tree")
            cells |= 1 << cell_of[level]
        listed |= cells
        parts.append(cells)
    for child, cells in zip(node.children, parts):
        if child == node.missing:
            cells |= here.cells[place] & ~listed
        yield child, cells & here.cells[place], here.limits
