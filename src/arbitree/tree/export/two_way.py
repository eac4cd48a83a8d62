"""A tree of two-way comparisons only, for formats that know nothing else.

A category becomes a number: the position of the child that each level goes to, so that a split
into k children is a chain of k - 1 comparisons and no branch is written twice. Each distinct split
of a category is a column of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import CategoryCoding

TRUTHS = (False, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitColumn:
    """What is compared: a feature's number, or where a split sends the level of each code."""

    feature: int
    places: tuple[int, ...] | None = None  # a child's position for each code, missing last


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoWayTree:
    """Nodes in depth-first order; ``x <= threshold`` goes left, as float32.

    `node` is the node of the tree that each node stands for; several may stand for one with more
    than two children, which then hold the rows of the children that are left.
    """

    columns: tuple[SplitColumn, ...]
    node: np.ndarray  # (n,) int64
    column: np.ndarray  # (n,) int64, -1 for a leaf
    threshold: np.ndarray  # (n,) float64, NaN for a leaf
    left: np.ndarray  # (n,) int64, -1 for a leaf
    right: np.ndarray  # (n,) int64
    missing_left: np.ndarray  # (n,) bool
    depth: int

    def totals(self, of_node: np.ndarray) -> np.ndarray:
        """Sums over the leaves below each node of what `of_node` says of the tree's nodes."""
        found = of_node[self.node].copy()
        for i in range(len(self.node) - 1, -1, -1):
            if self.column[i] != LEAF:
                found[i] = found[self.left[i]] + found[self.right[i]]
        return found


def all_numbers(tree: Tree) -> bool:
    """Whether every column of X holds numbers or truth values, so that X can be one matrix."""
    codings = [feature.coding for feature in tree.features]
    return all(
        coding.levels == TRUTHS if isinstance(coding, CategoryCoding) else coding.unit is None
        for coding in codings
    )


@dataclass(frozen=True, slots=True)
class _Test:
    column: SplitColumn
    threshold: float
    missing_left: bool
    left: _Place
    right: _Place


@dataclass(frozen=True, slots=True)
class _Place:
    """A node, and how many of its children are dealt with already."""

    node: int
    passed: int = 0


def two_way(tree: Tree, *, truths_as_numbers: bool = False) -> TwoWayTree:
    """The same tree in comparisons.

    Parameters
    ----------
    tree : Tree
    truths_as_numbers : bool
        Compare truth values as the numbers 0 and 1, of which NaN is missing.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier(split="multiway").fit({"job": ["a", "b", "c"]}, [0, 1, 2]).tree_
    >>> found = two_way(tree)
    >>> found.columns[0].places, found.threshold.tolist()
    ((0, 1, 2, 0), [0.5, nan, 1.5, nan, nan])
    """
    columns: dict[SplitColumn, int] = {}
    rows: list[list[float]] = []
    waiting: list[tuple[_Place, int, int, int]] = [(_Place(0), -1, 0, 0)]
    deepest = 0
    while waiting:
        place, parent, side, depth = waiting.pop()
        here = len(rows)
        deepest = max(deepest, depth)
        if parent >= 0:
            rows[parent][side] = here
        if tree.feature[place.node] == LEAF:
            rows.append([place.node, LEAF, np.nan, -1, -1, False])
            continue
        test = _test(tree, place, truths_as_numbers)
        column = columns.setdefault(test.column, len(columns))
        rows.append([place.node, column, test.threshold, -1, -1, test.missing_left])
        waiting.append((test.right, here, 4, depth + 1))
        waiting.append((test.left, here, 3, depth + 1))
    found = np.array(rows, np.float64)
    whole = found[:, [0, 1, 3, 4]].astype(np.int64)
    return TwoWayTree(
        columns=tuple(columns),
        node=whole[:, 0],
        column=whole[:, 1],
        threshold=found[:, 2],
        left=whole[:, 2],
        right=whole[:, 3],
        missing_left=found[:, 5].astype(bool),
        depth=deepest,
    )


def _test(tree: Tree, place: _Place, truths_as_numbers: bool) -> _Test:
    node = place.node
    j = int(tree.feature[node])
    coding, routes = tree.features[j].coding, tree.routes(node)
    children = [_Place(child) for child in tree.children(node).tolist()]
    if not isinstance(coding, CategoryCoding):
        return _Test(
            SplitColumn(feature=j), float(tree.threshold[node]), bool(routes[0] == 0), *children
        )
    if truths_as_numbers and coding.levels == TRUTHS:
        return _truth_test(j, place, routes.tolist(), children)
    column = SplitColumn(feature=j, places=tuple(routes.tolist()))
    first, last = children[place.passed], children[-1]
    rest = last if place.passed == len(children) - 2 else _Place(node, place.passed + 1)
    return _Test(column, place.passed + 0.5, False, first, rest)


def _truth_test(j: int, place: _Place, routes: list[int], children: list[_Place]) -> _Test:
    """Missing is parted first where it has a child of its own, then false from true."""
    false, true, missing = (children[at] for at in routes)
    column = SplitColumn(feature=j)
    if missing not in (false, true) and not place.passed:
        known = false if false == true else _Place(place.node, 1)
        return _Test(column, np.inf, False, known, missing)
    if false == true:
        other = next(child for child in children if child != false)
        return _Test(column, np.inf, missing == false, false, other)
    return _Test(column, 0.5, missing == false, false, true)
