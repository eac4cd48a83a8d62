"""The nodes of a tree that is being made from another one, and that tree when it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.rules.guard_rows import RowsOfTree


@dataclass(slots=True, kw_only=True)
class Part:
    """A node, which holds some of the rows of a node of the other tree. A leaf has no children."""

    origin: int  # node of the other tree
    label: int
    anew: bool = False  # decided by its rows, and not as `origin` is
    forbidden: int = 0  # bits of classes, of a leaf that is decided anew
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
        alike = {(child.label, child.anew) for child in self.children}
        kept_apart = not first.anew and len({child.origin for child in self.children}) > 1
        if len(alike) > 1 or kept_apart:
            return
        self.label, self.anew = first.label, first.anew
        for child in self.children:
            self.forbidden |= child.forbidden
        self.origin = self.origin if first.anew else first.origin
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


def grafted(tree: Tree, parts: Mapping[int, Part], rows: RowsOfTree) -> Tree:
    """A tree with other parts in the place of some of its nodes and all below them.

    Parameters
    ----------
    tree : Tree
    parts : mapping of int to Part
        By node. Their leaves hold all rows of the node.
    rows : RowsOfTree
        By which nodes are counted.
    """
    nodes = [parts.get(v) or part_of(tree, v) for v in range(tree.n_nodes)]
    for v, part in enumerate(nodes):
        if v in parts:
            continue
        part.children = [nodes[child] for child in tree.children(v).tolist()]
        if not part.children:
            part.rows = rows.of_leaf(v)
    return counted(tree, nodes[0], rows)


def counted(tree: Tree, root: Part, rows: RowsOfTree) -> Tree:
    """The tree of parts whose nodes have the rows, weights and groups of the rows in them."""
    parts = in_order(root)
    none = np.empty(0, np.intp)
    here = [none if part.children else part.rows for part in parts]
    reach = np.array([rows.by_group(of_leaf) for of_leaf in here])
    return tree_of_parts(
        tree,
        parts,
        np.array([rows.n(of_leaf) for of_leaf in here]),
        reach.sum(axis=1) * rows.class_weight,
        None if tree.reach is None else reach,
    )


def tree_of_parts(
    tree: Tree,
    parts: Sequence[Part],
    n: np.ndarray,
    weight: np.ndarray,
    reach: np.ndarray | None = None,
) -> Tree:
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
    reach : ndarray of float64, shape (n_nodes, n_groups, n_classes), optional
        As `n`, by group.
    """
    place = {id(part): number for number, part in enumerate(parts)}
    n, weight = n.copy(), weight.copy()
    reach = None if reach is None else reach.copy()
    for number in range(len(parts) - 1, -1, -1):
        below = [place[id(child)] for child in parts[number].children]
        if below:
            n[number], weight[number] = n[below].sum(), weight[below].sum(axis=0)
            if reach is not None:
                reach[number] = reach[below].sum(axis=0)
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
        groups=() if reach is None else tree.groups,
        reach=reach,
    )
