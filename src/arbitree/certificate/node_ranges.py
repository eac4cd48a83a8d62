"""Numbers of nodes as a short text."""

from __future__ import annotations

from collections.abc import Iterable


def node_ranges(nodes: Iterable[int]) -> str:
    """Increasing numbers; those that follow each other as a range.

    >>> node_ranges([3, 5, 6, 7, 9, 10])
    '3 5-7 9-10'
    """
    runs: list[list[int]] = []
    for node in nodes:
        if runs and runs[-1][1] + 1 == node:
            runs[-1][1] = node
        else:
            runs.append([node, node])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
