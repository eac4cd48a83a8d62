"""Where the nodes of a tree are drawn: the root on the left, leaves below one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model.tree import LEAF, Tree

MOST_LEAVES = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Columns and rows of the nodes that are drawn.

    The ends, nodes without drawn children, are in rows 0, 1, ... from the top; every other node
    is midway between its first and its last child. In one column two nodes are at least one row
    apart, and one and a half where one of them is no end.
    """

    column: np.ndarray  # (n_nodes,) int, depth
    row: np.ndarray  # (n_nodes,) float, NaN of nodes that are not drawn
    is_end: np.ndarray  # (n_nodes,) bool
    max_depth: int  # deeper nodes are not drawn

    @property
    def drawn(self) -> list[int]:
        """Nodes that are drawn."""
        found: list[int] = np.flatnonzero(~np.isnan(self.row)).tolist()
        return found

    @property
    def n_ends(self) -> int:
        """Rows that the picture takes."""
        return int(np.count_nonzero(self.is_end & ~np.isnan(self.row)))

    @property
    def n_columns(self) -> int:
        """Columns that the picture takes."""
        return int(self.column[self.drawn].max()) + 1


def layout(tree: Tree, max_depth: int | None = None) -> Layout:
    """Place the nodes down to a depth; by default as deep as makes at most 64 ends."""
    depth = tree.depth
    deepest = _deepest(tree, depth) if max_depth is None else min(max_depth, int(depth.max()))
    is_end = (tree.feature == LEAF) | (depth == deepest)
    row = np.full(tree.n_nodes, np.nan)
    ends = _in_drawing_order(tree, is_end)
    row[ends] = np.arange(len(ends))
    for node in range(tree.n_nodes - 1, -1, -1):
        if not is_end[node] and depth[node] < deepest:
            to = tree.children(node)
            row[node] = (row[to[0]] + row[to[-1]]) / 2
    return Layout(column=depth, row=row, is_end=is_end, max_depth=deepest)


def _deepest(tree: Tree, depth: np.ndarray) -> int:
    leaf = tree.feature == LEAF
    for deepest in range(int(depth.max()), 0, -1):
        ends = np.count_nonzero((leaf & (depth <= deepest)) | (depth == deepest) & ~leaf)
        if ends <= MOST_LEAVES:
            return deepest
    return min(1, int(depth.max()))


def _in_drawing_order(tree: Tree, is_end: np.ndarray) -> list[int]:
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if is_end[node]:
            found.append(node)
        else:
            waiting += tree.children(node).tolist()[::-1]
    return found
