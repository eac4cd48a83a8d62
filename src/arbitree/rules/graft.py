"""A tree in which subtrees are put in the place of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from arbitree.model.tree import LEAF, Tree


@dataclass(slots=True, kw_only=True)
class Branch:
    """A node of a subtree, with its training rows by group and class. A leaf has no children."""

    label: int
    n: int
    weight: np.ndarray  # (n_classes,) float64, class weights included
    reach: np.ndarray  # (n_groups, n_classes) float64
    feature: int = LEAF
    threshold: float = np.nan
    routes: tuple[int, ...] = ()
    children: list[Branch] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        """Whether it has no children."""
        return not self.children

    @property
    def n_nodes(self) -> int:
        """Nodes, itself included."""
        return 1 + sum(child.n_nodes for child in self.children)

    def merged(self) -> Branch:
        """A leaf, if all children are leaves that decide alike; else itself."""
        labels = {child.label for child in self.children}
        if len(labels) == 1 and all(child.is_leaf for child in self.children):
            return Branch(label=labels.pop(), n=self.n, weight=self.weight, reach=self.reach)
        return self


def grafted(tree: Tree, subtrees: Mapping[int, Branch]) -> Tree:
    """The tree with subtrees in the place of some of its nodes and all below them.

    Parameters
    ----------
    tree : Tree
    subtrees : mapping of int to Branch
        By node.
    """
    waiting: list[tuple[int | Branch, int]] = [(0, -1)]  # node, its parent's new number
    nodes: list[int | Branch] = []
    children: list[list[int]] = []
    while waiting:
        node, above = waiting.pop()
        if isinstance(node, int) and node in subtrees:
            node = subtrees[node]
        if above >= 0:
            children[above].append(len(nodes))
        below = tree.children(node).tolist() if isinstance(node, int) else node.children
        waiting += [(child, len(nodes)) for child in reversed(below)]
        nodes.append(node)
        children.append([])
    return _frozen(tree, nodes, children)


def _frozen(tree: Tree, nodes: Sequence[int | Branch], children: Sequence[Sequence[int]]) -> Tree:
    old = [isinstance(node, int) for node in nodes]

    def taken(name: str) -> np.ndarray:
        values = getattr(tree, name)
        return np.array([values[v] if isinstance(v, int) else getattr(v, name) for v in nodes])

    routes = [tree.routes(v).tolist() if isinstance(v, int) else v.routes for v in nodes]
    return Tree(
        features=tree.features,
        classes=tree.classes,
        feature=taken("feature"),
        threshold=taken("threshold"),
        child_start=_starts(children),
        child=np.array([child for of_node in children for child in of_node], np.int32),
        route_start=_starts(routes),
        route=np.array([to for of_node in routes for to in of_node], np.uint16),
        label=taken("label"),
        n=taken("n"),
        weight=taken("weight").reshape(len(old), -1),
        groups=tree.groups,
        reach=None if tree.reach is None else taken("reach"),
    )


def _starts(parts: Sequence[Sequence[int] | Sequence[float]]) -> np.ndarray:
    return np.cumsum([0, *map(len, parts)])
