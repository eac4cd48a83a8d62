"""Results of simulations, kept so that a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import arbitree

CACHE = Path(__file__).resolve().parents[1] / ".cache"
MEASURED = ("influence", "counts", "table")  # what a result depends on


@cache
def code_hash() -> str:
    """Of the source that is measured: other code, other results."""
    root = Path(arbitree.__file__).parent
    files = sorted(path for part in MEASURED for path in (root / part).rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


class Kept:
    """Results by seed, in a file of one JSON list a line."""

    def __init__(self, folder: str, name: str) -> None:
        self.path = CACHE / folder / code_hash() / f"{name.replace(' ', '-')}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.found: dict[int, Any] = dict(map(_read, filter(_whole, lines)))

    def of(self, seed: int, compute: Callable[[], Any]) -> Any:
        """The result of a seed, computed unless it is there."""
        if seed not in self.found:
            self.found[seed] = compute()
            with self.path.open("a") as file:
                file.write(json.dumps([seed, self.found[seed]]) + "\n")
        return self.found[seed]


def _whole(line: str) -> bool:
    """Whether a line was written to its end."""
    return line.endswith("]")


def _read(line: str) -> tuple[int, Any]:
    seed, found = json.loads(line)
    return seed, found
