"""In which order source code asks, so that it nests little however deep the tree is.

At a node all children but one stand behind a condition; the one with most leaves is what remains
if none of these holds, and is written at the same level. So conditions nest at most log2(leaves)
deep: SQLite reads no more than about 16 CASE in each other, Python 100 levels of indentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.model.tree import Tree
from arbitree.table.codings import CategoryCoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A child, and what leads to it."""

    child: int
    place: int
    missing: bool  # missing values and unknown levels too
    levels: tuple[object, ...] = ()  # of a category, those that go here
    others: tuple[object, ...] = ()  # those that go to a sibling


def leaves_below(tree: Tree) -> np.ndarray:
    """Leaves below each node, itself included, shape (n_nodes,) int64."""
    found = tree.is_leaf.astype(np.int64)
    parent = tree.parent
    for node in range(tree.n_nodes - 1, 0, -1):
        found[parent[node]] += found[node]
    return found


def guarded(tree: Tree, node: int, n_leaves: np.ndarray) -> tuple[Sequence[Branch], int]:
    """The children of a node that stand behind a condition, and the one that remains.

    Children that no value leads to are left out.
    """
    found = [branch for branch in _branches(tree, node) if branch is not None]
    last = max(found, key=lambda branch: (n_leaves[branch.child], branch.missing))
    return [branch for branch in found if branch is not last], last.child


def _branches(tree: Tree, node: int) -> list[Branch | None]:
    routes = tree.routes(node)
    coding = tree.features[tree.feature[node]].coding
    found: list[Branch | None] = []
    for place, child in enumerate(tree.children(node).tolist()):
        missing = bool(routes[-1] == place)
        if not isinstance(coding, CategoryCoding):
            reached = missing or not (place and np.isposinf(tree.threshold[node]))
            found.append(Branch(child=child, place=place, missing=missing) if reached else None)
            continue
        levels = tuple(level for level, at in zip(coding.levels, routes) if at == place)
        others = tuple(level for level, at in zip(coding.levels, routes) if at != place)
        branch = Branch(child=child, place=place, missing=missing, levels=levels, others=others)
        found.append(branch if missing or levels else None)
    return found
