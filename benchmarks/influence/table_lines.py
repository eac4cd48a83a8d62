"""Results on the 480 instances: a file of JSON lines for each kind of run, by key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from instances import CACHE

Line = dict[str, Any]


def file_of(name: str) -> Path:
    return CACHE / f"{name}.jsonl"


def results(name: str) -> dict[str, Line]:
    """What has been run so far under this name, by key."""
    path = file_of(name)
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {one["key"]: one for one in lines}


def append(name: str, line: Line) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    with file_of(name).open("a") as file:
        file.write(json.dumps(line) + "\n")
