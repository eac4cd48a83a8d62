"""Every single-field change of a certificate: values, types, removals, additions, order."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from arbitree.certificate.check.canonical import (
    SEAL,
    canonical,
    data_inputs,
    digest,
    rules_inputs,
    seal_of,
)

Path = tuple[str | int, ...]


def changes(document: dict[str, Any]) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Where, what was done, and the changed certificate; without changes that say the same."""
    before = canonical(document)
    for path in _paths(document):
        holder, key = _holder(document, path), path[-1]
        for what, value in _replacements(holder[key]):
            changed = copy.deepcopy(document)
            _holder(changed, path)[key] = value
            yield path, what, changed
        changed = copy.deepcopy(document)
        del _holder(changed, path)[key]
        yield path, "removed", changed
        if isinstance(holder, list):
            changed = copy.deepcopy(document)
            _holder(changed, path).insert(int(key), copy.deepcopy(holder[key]))
            yield path, "twice", changed
            if int(key) + 1 < len(holder):
                changed = copy.deepcopy(document)
                part = _holder(changed, path)
                part[key], part[int(key) + 1] = part[int(key) + 1], part[key]
                if canonical(changed) != before:
                    yield path, "swapped", changed


def resealed(document: dict[str, Any]) -> dict[str, Any]:
    """With the seal that it must have."""
    return {**document, SEAL: seal_of(document)}


def rehashed(document: dict[str, Any]) -> dict[str, Any]:
    """With hashes and the seal made again, as far as the changed certificate can be read."""
    makers = {
        "model": lambda d: None if d["tree"] is None else digest(d["tree"]),
        "rules": lambda d: None if d["safety"] is None else digest(rules_inputs(d["safety"])),
        "data": lambda d: None if d["fairness"] is None else digest(data_inputs(d["fairness"])),
        "notes": lambda d: digest([d["notices"], d["versions"]]),
    }
    changed = copy.deepcopy(document)
    for name, make in makers.items():
        try:
            changed["hashes"][name] = make(changed)
        except (KeyError, TypeError, IndexError):
            continue
    return resealed(changed)


def duplicated(document: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """Texts of the certificate with one key written twice."""
    for path in _paths(document):
        if isinstance(path[-1], str) and isinstance(_holder(document, path), dict):
            marked = copy.deepcopy(document)
            holder = _holder(marked, path)
            holder["\x00mark"] = holder[path[-1]]
            yield path, json.dumps(marked).replace('"\\u0000mark"', json.dumps(path[-1]))


def pattern(path: Path) -> str:
    """A path with places in lists as stars."""
    return ".".join("*" if isinstance(step, int) else step for step in path)


def _paths(value: Any, above: Path = ()) -> Iterator[Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*above, key)
        if isinstance(part, dict | list):
            yield from _paths(part, (*above, key))


def _holder(document: Any, path: Path) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


def _replacements(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield "added", {**value, "extra": 0}
        yield "type", list(value)
    elif isinstance(value, list):
        yield "added", [*value, 0]
        yield "type", {"0": value}
    elif isinstance(value, bool):
        yield "value", not value
        yield "type", int(value)
    elif isinstance(value, int):
        yield "value", value + 1
        yield "less", value - 1
        yield "type", float(value)
        yield "text", str(value)
    elif isinstance(value, float):
        yield "value", value + 1e-6
        yield "less", value * 0.999 - 1e-5
        yield "text", str(value)
        yield "null", None
    elif isinstance(value, str):
        yield "value", f"{value}x"
        if value[::-1] != value:
            yield "reversed", value[::-1]  # another digest, where it is one
        yield "empty", ""
        yield "null", None
    else:
        yield "value", 0.5
        yield "text", "x"
