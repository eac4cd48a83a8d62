"""Pages of benchmarks: Markdown tables, what they ran on, a progress bar, safe writing."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from rich.progress import track

DOCS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks"
T = TypeVar("T")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Markdown; cells that look like numbers are set to the right."""
    rows = [list(row) for row in rows]
    right = [all(_is_number(row[k]) for row in rows) for k in range(len(columns))]
    rule = ["--:" if numeric else "---" for numeric in right]
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(columns), rule, *rows])


def _is_number(cell: str) -> bool:
    return not cell or cell.strip("*")[0] in "0123456789+-–."


def environment(*packages: str) -> str:
    """Versions, in a sentence."""
    names = ("arbitree", "numpy", "scipy", *packages)
    listed = ", ".join(f"{name} {version(name)}" for name in names)
    return f"Python {platform.python_version()}, {listed}; one thread."


def progress(work: Sequence[T], what: str) -> Iterator[T]:
    """The same items, with a bar where standard error is a terminal."""
    return iter(track(work, description=what, disable=not sys.stderr.isatty()))


def write(text: str, name: str, *, quick: bool) -> None:
    """Print a page, and unless it was a quick run put it in the documentation."""
    print(text)
    if quick:
        return
    DOCS.mkdir(parents=True, exist_ok=True)
    part = DOCS / f".{name}.{os.getpid()}.part"
    part.write_text(text, encoding="utf-8")
    part.replace(DOCS / f"{name}.md")
