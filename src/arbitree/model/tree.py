"""A decision tree as parallel arrays: what is learnt, drawn, exported, proved and repaired."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields

import numpy as np

from arbitree._errors import InputError
from arbitree._tables import IN_A_NOTEBOOK, html_sections
from arbitree._wording import counted
from arbitree.model.node_table import node_table
from arbitree.table.codings import CategoryCoding, Coding, NumericCoding

LEAF = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A column that a model reads."""

    name: Hashable
    coding: Coding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """Nodes in depth-first order: node 0 is the root, a child's number is above its parent's.

    A number x goes to the first child where ``x <= threshold``, compared as float32, else to the
    second. A level goes to the child at position ``route`` of its code; one that the coding does
    not know is missing. Every node but the root is the child of exactly one node, and an inner
    node has at least two children. Arrays are read-only.
    """

    features: tuple[Feature, ...]  # in the order of the columns
    classes: tuple[object, ...]  # labels as the user gave them
    feature: np.ndarray  # (n_nodes,) int32, -1 for a leaf
    threshold: np.ndarray  # (n_nodes,) float32; NaN unless a number is compared; inf: all numbers
    child_start: np.ndarray  # (n_nodes + 1,) int32: children are child[start[i] : start[i + 1]]
    child: np.ndarray  # (n_edges,) int32
    route_start: np.ndarray  # (n_nodes + 1,) int64
    route: np.ndarray  # uint16, a position among children: of a category for each code, missing
    # last; of a number one entry, for missing
    label: np.ndarray  # (n_nodes,) int32, index into classes: what the node decides
    n: np.ndarray  # (n_nodes,) int64, training rows
    weight: np.ndarray  # (n_nodes, n_classes) float64, training weights, class weights included
    groups: tuple[str, ...] = ()  # of the training rows, where known
    reach: np.ndarray | None = None  # (n_nodes, n_groups, n_classes) float64, weights of rows

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                kept = np.ascontiguousarray(value, dtype=_DTYPES[field.name])
                if kept.flags.writeable:
                    kept = kept.view()
                    kept.flags.writeable = False
                object.__setattr__(self, field.name, kept)
        _check_shapes(self)
        _check_structure(self)
        _check_splits(self)

    @property
    def n_nodes(self) -> int:
        """Nodes, leaves included."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Nodes without children."""
        return int(np.count_nonzero(self.feature == LEAF))

    @property
    def is_leaf(self) -> np.ndarray:
        """Whether each node is a leaf, shape (n_nodes,)."""
        return self.feature == LEAF

    def children(self, node: int) -> np.ndarray:
        """The children of a node, in their order."""
        return self.child[self.child_start[node] : self.child_start[node + 1]]

    def routes(self, node: int) -> np.ndarray:
        """The entries of `route` of a node."""
        return self.route[self.route_start[node] : self.route_start[node + 1]]

    @property
    def parent(self) -> np.ndarray:
        """The parent of each node, -1 of the root, shape (n_nodes,) int32."""
        found = np.full(self.n_nodes, -1, np.int32)
        found[self.child] = np.repeat(np.arange(self.n_nodes), np.diff(self.child_start))
        return found

    @property
    def depth(self) -> np.ndarray:
        """Splits above each node, shape (n_nodes,) int32."""
        found = np.zeros(self.n_nodes, np.int32)
        for node, above in enumerate(self.parent.tolist()):
            if above >= 0:
                found[node] = found[above] + 1
        return found

    def _repr_html_(self) -> str:
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves:,} leaves"
        rows = counted(int(self.n[0]), "training row")
        title = f"Tree of {leaves}, depth {int(self.depth.max())}; {rows}"
        return html_sections([(title, node_table(self))], (), IN_A_NOTEBOOK)


_DTYPES = {
    "feature": np.int32,
    "threshold": np.float32,
    "child_start": np.int32,
    "child": np.int32,
    "route_start": np.int64,
    "route": np.uint16,
    "label": np.int32,
    "n": np.int64,
    "weight": np.float64,
    "reach": np.float64,
}


def _check_shapes(tree: Tree) -> None:
    n_nodes, n_classes = len(tree.feature), len(tree.classes)
    shapes = {
        "feature": (n_nodes,),
        "threshold": (n_nodes,),
        "child_start": (n_nodes + 1,),
        "child": (max(n_nodes - 1, 0),),
        "route_start": (n_nodes + 1,),
        "label": (n_nodes,),
        "n": (n_nodes,),
        "weight": (n_nodes, n_classes),
    }
    if tree.reach is not None:
        shapes["reach"] = (n_nodes, len(tree.groups), n_classes)
    for name, shape in shapes.items():
        found = getattr(tree, name).shape
        if found != shape:
            raise InputError(f"A tree's {name} has shape {found}, where {shape} was expected.")
    if not n_nodes:
        raise InputError("A tree has at least one node, its root.")


def _check_structure(tree: Tree) -> None:
    n_children = np.diff(tree.child_start)
    parents = np.repeat(np.arange(tree.n_nodes), np.maximum(n_children, 0))
    leaf = tree.feature == LEAF
    if tree.child_start[0] != 0 or tree.child_start[-1] != len(tree.child):
        raise InputError("A tree's child_start does not cover its children.")
    wrong = np.flatnonzero(np.where(leaf, n_children != 0, n_children < 2))
    if len(wrong):
        raise InputError(
            f"Node {wrong[0]} has {n_children[wrong[0]]} children. A leaf has none, any other "
            "node at least two."
        )
    order = np.sort(tree.child)
    if (order != np.arange(1, tree.n_nodes)).any() or (tree.child <= parents).any():
        raise InputError(
            "Every node but the root is the child of exactly one node with a lower number."
        )
    _check_range(tree.feature, -1, len(tree.features), "feature")
    _check_range(tree.label, 0, len(tree.classes), "label")


def _check_splits(tree: Tree) -> None:
    starts, n_children = tree.route_start, np.diff(tree.child_start)
    n_routes = np.diff(starts)
    if starts[0] != 0 or starts[-1] != len(tree.route) or (n_routes < 0).any():
        raise InputError("A tree's route_start does not cover its routes.")
    for node in range(tree.n_nodes):
        if tree.feature[node] == LEAF:
            wanted, number = 0, False
        else:
            coding = tree.features[tree.feature[node]].coding
            number = isinstance(coding, NumericCoding)
            wanted = 1 if isinstance(coding, NumericCoding) else coding.n_codes
        if n_routes[node] != wanted:
            raise InputError(f"Node {node} has {n_routes[node]} routes, not {wanted}.")
        if number == bool(np.isnan(tree.threshold[node])):
            raise InputError(f"Node {node} {'needs a' if number else 'has no'} threshold.")
        if number and n_children[node] != 2:
            raise InputError(f"Node {node} compares a number and has {n_children[node]} children.")
    if (tree.route >= np.repeat(n_children, n_routes)).any():
        raise InputError("A route leads to a child that its node does not have.")


def _check_range(values: np.ndarray, low: int, high: int, name: str) -> None:
    wrong = np.flatnonzero((values < low) | (values >= high))
    if len(wrong):
        raise InputError(f"Node {wrong[0]} has {name} {values[wrong[0]]}, which does not exist.")


def n_left_codes(coding: NumericCoding, threshold: float) -> int:
    """How many codes go left where ``x <= threshold``: codes 0 to one less.

    Exact for every row if the coding is exact or the threshold one of its edges (or infinite).

    Examples
    --------
    >>> coding = NumericCoding(
    ...     edges=np.float32([1.5]), exact=True, values=np.array([1.0, 2.0]), kind="integer"
    ... )
    >>> n_left_codes(coding, 1.25), n_left_codes(coding, np.inf)
    (1, 2)
    """
    limit = np.float32(threshold)
    if limit == np.inf:
        return coding.n_values
    if coding.exact and coding.values is not None:
        return int(np.searchsorted(coding.values.astype(np.float32), limit, side="right"))
    return int(np.searchsorted(coding.edges, limit, side="right"))


def is_category(feature: Feature) -> bool:
    """Whether a feature is split by its levels."""
    return isinstance(feature.coding, CategoryCoding)
