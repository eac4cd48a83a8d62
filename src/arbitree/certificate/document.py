"""A certificate as text: nested where a person reads, a line for what fits on one."""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 100
_ENCODER = json.JSONEncoder(allow_nan=False)


def document_text(value: Any) -> str:
    """Strict JSON, in which containers from the third level down are a line if they fit.

    >>> print(document_text({"fairness": None, "tree": {"nodes": [[0, 1], [2]]}}), end="")
    {
     "fairness": null,
     "tree": {
      "nodes": [[0, 1], [2]]
     }
    }
    """
    return "\n".join(_lines(value, 0)) + "\n"


def _lines(value: Any, depth: int) -> list[str]:
    plain = not value or not isinstance(value, dict | list)
    if plain or depth > 1:
        text = _ENCODER.encode(value)
        if plain or len(text) + depth <= _WIDTH:
            return [text]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        parts = [(f"{_ENCODER.encode(key)}: ", part) for key, part in value.items()]
    else:
        parts = [("", part) for part in value]
    found = [opening]
    for key, part in parts:
        lines = _lines(part, depth + 1)
        found += [f"{' ' * (depth + 1)}{key}{lines[0]}", *lines[1:]]
        found[-1] += ","
    found[-1] = found[-1][:-1]
    return [*found, " " * depth + closing]
