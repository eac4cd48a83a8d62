"""The nodes of a tree that is being made from another one, and that tree when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from arbitree.model.tree import LEAF, Tree


@dataclass(slots=True, kw_only=True)
class Part:
    """A node, which holds some of the rows of a node of the other tree. A leaf has no children."""

    origin: int  # node of the other tree
    label: int
    changed: bool = False  # decides otherwise than `origin` does
    forbidden: int = 0  # bits of classes, of a changed leaf
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, np.intp))  # of a leaf
    feature: int = LEAF
    threshold: float = np.nan
    routes: tuple[int, ...] = ()
    children: list[Part] = field(default_factory=list)

    def merge(self) -> None:
        """Become a leaf, if all children are leaves that decide alike for the same reason."""
        first = self.children[0] if self.children else None
        if first is None or any(child.children for child in self.children):
            return
        alike = {(child.label, child.changed) for child in self.children}
        kept_apart = not first.changed and len({child.origin for child in self.children}) > 1
        if len(alike) > 1 or kept_apart:
            return
        self.label, self.changed = first.label, first.changed
        for child in self.children:
            self.forbidden |= child.forbidden
        self.origin = self.origin if first.changed else first.origin
        self.rows = np.concatenate([child.rows for child in self.children])
        self.feature, self.threshold, self.routes, self.children = LEAF, np.nan, (), []


def part_of(tree: Tree, node: int) -> Part:
    """A node as it is in a tree, without its children."""
    return Part(
        origin=node,
        label=int(tree.label[node]),
        feature=int(tree.feature[node]),
        threshold=float(tree.threshold[node]),
        routes=tuple(tree.routes(node).tolist()),
    )


def in_order(root: Part) -> list[Part]:
    """Nodes depth first, a parent before its children and these in their order."""
    found, waiting = [], [root]
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting += reversed(part.children)
    return found


def tree_of_parts(tree: Tree, parts: Sequence[Part], n: np.ndarray, weight: np.ndarray) -> Tree:
    """The tree that parts are, with the features and classes of another one.

    Parameters
    ----------
    tree : Tree
    parts : sequence of Part
        As `in_order` gives them.
    n : ndarray of int, shape (n_nodes,)
        Rows of leaves; of inner nodes the sum below is taken.
    weight : ndarray of float64, shape (n_nodes, n_classes)
        As `n`.
    """
    place = {id(part): number for number, part in enumerate(parts)}
    n, weight = n.copy(), weight.copy()
    for number in range(len(parts) - 1, -1, -1):
        below = [place[id(child)] for child in parts[number].children]
        if below:
            n[number], weight[number] = n[below].sum(), weight[below].sum(axis=0)
    return Tree(
        features=tree.features,
        classes=tree.classes,
        feature=np.array([part.feature for part in parts]),
        threshold=np.array([part.threshold for part in parts]),
        child_start=np.cumsum([0, *(len(part.children) for part in parts)]),
        child=np.array([place[id(c)] for part in parts for c in part.children], np.int32),
        route_start=np.cumsum([0, *(len(part.routes) for part in parts)]),
        route=np.array([to for part in parts for to in part.routes], np.uint16),
        label=np.array([part.label for part in parts]),
        n=n,
        weight=weight,
    )
