"""A tree as a file that a person can read: strict JSON, with levels and thresholds spelt out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.model.needed import features_needed
from arbitree.model.tree import LEAF, Feature, Tree
from arbitree.table.codings import Coding, NumericCoding, coding_from_dict
from arbitree.table.levels import level_from_json, level_to_json

FORMAT = "arbitree-tree"
VERSION = 1
WITH_RULES = 2  # has rules, domain and rule_effect besides
MISSING = "missing"
_UNITS = {
    "number": re.compile("None"),
    "integer": re.compile("None"),
    "date": re.compile(r"(days|hours|minutes|seconds) since \d{4}-\d\d-\d\d( UTC)?"),
    "duration": re.compile("days|hours|minutes|seconds"),
}


def to_json(tree: Tree) -> str:
    """The text of ``tree.json``; the same tree gives the same text.

    Raises
    ------
    InputError
        If a class or a level is of a type that cannot be written.
    """
    return json.dumps(to_dict(tree), indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def to_dict(tree: Tree, also: Collection[Hashable] = ()) -> dict[str, Any]:
    """What `to_json` writes: of the training values only those that decisions need.

    Levels of the features named in `also` are written too.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "classes": [level_to_json(_plain(label)) for label in tree.classes],
        "features": [
            {"name": level_to_json(_plain(feature.name)), "coding": feature.coding.to_dict()}
            for feature in features_needed(tree, also)
        ],
        "groups": list(tree.groups),
        "nodes": [_node_to_dict(tree, node) for node in range(tree.n_nodes)],
    }


def from_json(text: str) -> Tree:
    """The tree that `to_json` wrote.

    Raises
    ------
    InputError
        If the text is not such a file, or the tree in it makes no sense; says where.
    """
    return from_dict(parsed(text))


def parsed(text: str) -> Any:
    """What strict JSON says.

    Raises
    ------
    InputError
        If it is no JSON, or has a NaN or an infinity, which JSON does not know.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise InputError("This is no tree.json: it is nested too deep.") from error
    except ValueError as error:
        raise InputError(f"This is no tree.json, or not the whole of one: {error}.") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def from_dict(data: Any) -> Tree:
    """The tree of which `to_dict` made `data`.

    Raises
    ------
    InputError
        As `from_json`.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise InputError(f"This is no tree.json: its format is not {FORMAT!r}.")
    version = data.get("version")
    if type(version) is not int or version not in (VERSION, WITH_RULES):
        raise InputError(
            f"This tree.json has version {version!r}, and versions {VERSION} and {WITH_RULES} can "
            "be read. Use the arbitree that wrote it, or a newer one."
        )
    classes = _each(data, "classes", level_from_json)
    features = _each(data, "features", _feature)
    groups = _each(data, "groups", str)
    rows = _each(data, "nodes", lambda node: _Node(node, features, classes))
    return _tree(features, classes, groups, rows)


class _Node:
    """The entries of one node, read and checked."""

    def __init__(self, data: Any, features: Sequence[Feature], classes: Sequence[object]) -> None:
        self.label = _position(classes, level_from_json(data["label"]), "classes")
        self.n = int(data["n"])
        self.weight = [float(w) for w in data["weight"]]
        self.reach = data.get("reach")
        reach = np.array(self.reach or [], np.float64).ravel()
        if not (np.concatenate([[self.n], self.weight, reach]) >= 0).all():
            raise InputError("its rows weigh less than nothing")
        self.feature, self.threshold = LEAF, np.nan
        self.children: list[int] = []
        self.routes: list[int] = []
        if "feature" in data:
            names = [feature.name for feature in features]
            self.feature = _position(names, level_from_json(data["feature"]), "features")
            self.children = [int(child) for child in data["children"]]
            coding = features[self.feature].coding
            if isinstance(coding, NumericCoding):
                self.threshold = float(level_from_json(data["threshold"]))  # type: ignore[arg-type]
                self.routes = [self.children.index(data[MISSING])]
            else:
                self.routes = _routes(coding, data, self.children)


def _routes(coding: Coding, data: Any, children: list[int]) -> list[int]:
    levels = coding.levels  # type: ignore[union-attr]
    of_level = {}
    for place, listed in enumerate(data["levels"]):
        for level in listed:
            of_level[level_from_json(level)] = place
    if set(of_level) != set(levels):
        raise InputError("its levels are not those of its feature")
    return [*(of_level[level] for level in levels), children.index(data[MISSING])]


def _tree(
    features: tuple[Feature, ...],
    classes: tuple[object, ...],
    groups: tuple[str, ...],
    rows: Sequence[_Node],
) -> Tree:
    reach = [row.reach for row in rows]
    try:
        return Tree(
            features=features,
            classes=classes,
            groups=groups,
            feature=np.array([row.feature for row in rows], np.int32),
            threshold=np.array([row.threshold for row in rows], np.float32),
            child_start=_starts([len(row.children) for row in rows]),
            child=np.array([child for row in rows for child in row.children], np.int32),
            route_start=_starts([len(row.routes) for row in rows]),
            route=np.array([place for row in rows for place in row.routes], np.uint16),
            label=np.array([row.label for row in rows], np.int32),
            n=np.array([row.n for row in rows], np.int64),
            weight=np.array([row.weight for row in rows], np.float64),
            reach=np.array(reach, np.float64) if all(r is not None for r in reach) else None,
        )
    except InputError as error:
        raise InputError(f"The tree in this tree.json makes no sense. {error}") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"The nodes of this tree.json cannot be read: {error}.") from error


def _node_to_dict(tree: Tree, node: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "node": node,
        "label": level_to_json(_plain(tree.classes[tree.label[node]])),
    }
    if tree.feature[node] != LEAF:
        feature = tree.features[tree.feature[node]]
        children = tree.children(node).tolist()
        found["feature"] = level_to_json(_plain(feature.name))
        routes = tree.routes(node)
        if isinstance(feature.coding, NumericCoding):
            found["threshold"] = level_to_json(_shortest(tree.threshold[node]))
        else:
            found["levels"] = [
                [level_to_json(lv) for lv, at in zip(feature.coding.levels, routes) if at == place]
                for place in range(len(children))
            ]
        found[MISSING] = children[routes[-1]]
        found["children"] = children
    found["n"] = int(tree.n[node])
    found["weight"] = tree.weight[node].tolist()
    if tree.reach is not None:
        found["reach"] = tree.reach[node].tolist()
    return found


def _feature(data: Any) -> Feature:
    if data["coding"].get("type") == "numeric":
        _check_numeric(data["coding"])
    return Feature(name=level_from_json(data["name"]), coding=coding_from_dict(data["coding"]))


def _check_numeric(data: Mapping[str, Any]) -> None:
    """Refuse a coding of numbers that no column has."""
    edges = np.array(data["edges"], np.float64)
    inside = np.abs(edges) <= np.finfo(np.float32).max
    if edges.ndim != 1 or not inside.all() or (np.diff(edges.astype(np.float32)) <= 0).any():
        raise InputError("its edges are not finite numbers that increase")
    values = data["values"]
    if values is not None:
        numbers = [level_from_json(value) for value in values]
        if len(numbers) != len(edges) + 1 or not all(type(v) in (int, float) for v in numbers):
            raise InputError("its values are not one more number than its edges")
    if data["kind"] not in _UNITS or not _UNITS[data["kind"]].fullmatch(str(data["unit"])):
        raise InputError(f"it counts {data['kind']!r} in {data['unit']!r}")
    if not isinstance(data["exact"], bool):
        raise InputError(f"exact is {data['exact']!r}")


def _each(data: Mapping[str, Any], name: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The entries of a list, each read; an error says which one is wrong."""
    entries = data.get(name)
    if not isinstance(entries, list):
        raise InputError(f"This tree.json has no list of {name}.")
    found = []
    for i, entry in enumerate(entries):
        try:
            found.append(read(entry))
        except KeyError as error:
            raise InputError(f"Entry {i} of {name} in this tree.json lacks {error}.") from error
        except (InputError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InputError(f"Entry {i} of {name} in this tree.json is wrong: {error}.") from error
    return tuple(found)


def _position(known: Sequence[object], value: object, what: str) -> int:
    """Where a value is among those known; 1, 1.0 and True are told apart."""
    for i, candidate in enumerate(known):
        if type(candidate) is type(value) and candidate == value:
            return i
    raise InputError(f"{value!r} is none of its {what}")


def _starts(lengths: Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _shortest(threshold: np.float32) -> float:
    """The float64 with the fewest digits that is this float32."""
    return float(str(np.float32(threshold)))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
