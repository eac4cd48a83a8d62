"""The leaves that rows of a box reach, of all trees of an ensemble, to be bounded together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arbitree.rules.coded_trees import CodedTrees

WORD = 64  # bits of the words that sets of cells are kept in


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach:
    """Boxes of cells, one a row.

    Of an axis a box has the cells from `low` to `high`, none if ``low > high``, and the missing
    value if `missing`; of an axis that is split by sets (where low = high = 0) those of `words`.
    """

    low: np.ndarray  # (n, n_axes) int32
    high: np.ndarray  # (n, n_axes) int32
    missing: np.ndarray  # (n, n_axes) bool
    words: np.ndarray  # (n, n_words) uint64

    def __getitem__(self, rows: np.ndarray) -> Reach:
        return Reach(
            low=self.low[rows],
            high=self.high[rows],
            missing=self.missing[rows],
            words=self.words[rows],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafTable:
    """Leaves, tree by tree, of which a row in the box reaches one of each."""

    reach: Reach
    node: np.ndarray  # (n_leaves,) int64
    tree: np.ndarray  # (n_leaves,) int64, not decreasing
    value: np.ndarray  # (n_leaves, n_classes) float64


class SetWords:
    """Where the sets of cells of each axis are kept: axis k in ``words[first[k] : first[k + 1]]``.

    Axes that are only split by comparisons have none.
    """

    def __init__(self, trees: CodedTrees) -> None:
        sizes = [
            -(-axis.n_cells // WORD) if is_in else 0
            for axis, is_in in zip(trees.grid, trees.in_sets.tolist())
        ]
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.axes = [place for place, size in enumerate(sizes) if size]

    @property
    def n_words(self) -> int:
        """Of all axes together."""
        return int(self.first[-1])

    def of(self, place: int) -> slice:
        """The words of an axis."""
        return slice(int(self.first[place]), int(self.first[place + 1]))

    def packed(self, place: int, cells: np.ndarray) -> np.ndarray:
        """Sets of cells as words.  (..., n_cells) bool -> (..., n_words of the axis) uint64"""
        n_bits = (self.first[place + 1] - self.first[place]) * WORD
        padded = np.zeros((*cells.shape[:-1], n_bits), bool)
        padded[..., : cells.shape[-1]] = cells
        return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)

    def unpacked(self, place: int, words: np.ndarray, n_cells: int) -> np.ndarray:
        """The set of cells of an axis.  (n_cells,) bool"""
        of = np.ascontiguousarray(words[self.of(place)])
        return np.unpackbits(of.view(np.uint8), bitorder="little")[:n_cells].astype(bool)


def leaf_table(trees: CodedTrees, sets: SetWords, box: Reach) -> LeafTable:
    """The leaves that rows of one box reach, each with the part of the box that does.

    Parameters
    ----------
    trees : CodedTrees
    sets : SetWords
    box : Reach
        Of one row.
    """
    left_words = _left_words(trees, sets)
    nodes = trees.root
    reach = box[np.zeros(len(nodes), np.intp)]
    found: list[tuple[np.ndarray, Reach]] = []
    while len(nodes):
        is_leaf = trees.axis[nodes] < 0
        if is_leaf.any():
            found.append((nodes[is_leaf], reach[is_leaf]))
        nodes, reach = nodes[~is_leaf], reach[~is_leaf]
        sides = [_side(trees, sets, left_words, nodes, reach, left) for left in (True, False)]
        nodes = np.concatenate([children for children, _ in sides])
        reach = _stacked([of for _, of in sides])
    node = np.concatenate([at for at, _ in found])
    order = np.argsort(node, kind="stable")
    node = node[order]
    return LeafTable(
        reach=_stacked([of for _, of in found])[order],
        node=node,
        tree=np.searchsorted(trees.root, node, side="right") - 1,
        value=trees.value[node],
    )


def _left_words(trees: CodedTrees, sets: SetWords) -> dict[int, np.ndarray]:
    """For each axis in sets the left cells of its tests; comparisons are made into tests."""
    return {
        place: sets.packed(place, trees.lefts[:, : trees.grid[place].n_cells])
        for place in sets.axes
    }


def _side(
    trees: CodedTrees,
    sets: SetWords,
    left_words: dict[int, np.ndarray],
    nodes: np.ndarray,
    reach: Reach,
    is_left: bool,
) -> tuple[np.ndarray, Reach]:
    """The children on one side that any row reaches."""
    at = np.arange(len(nodes))
    axis, cut = trees.axis[nodes], trees.cut[nodes]
    low, high, missing = reach.low.copy(), reach.high.copy(), reach.missing.copy()
    words = reach.words.copy()
    plain = ~trees.in_sets[axis]
    one, place = at[plain], axis[plain]
    if is_left:
        high[one, place] = np.minimum(high[one, place], cut[plain])
    else:
        low[one, place] = np.maximum(low[one, place], cut[plain] + 1)
    missing[one, place] &= trees.missing_left[nodes[plain]] == is_left
    kept = np.zeros(len(nodes), bool)
    kept[plain] = (low[one, place] <= high[one, place]) | missing[one, place]
    for k in sets.axes:
        here = np.flatnonzero(axis == k)
        if not len(here):
            continue
        chosen = left_words[k][trees.test[nodes[here]]]
        where = sets.of(k)
        words[here, where] &= chosen if is_left else ~chosen
        kept[here] = words[here, where].any(axis=1)
    children = (trees.left if is_left else trees.right)[nodes]
    side = replace(reach, low=low, high=high, missing=missing, words=words)
    return children[kept], side[kept]


def _stacked(parts: list[Reach]) -> Reach:
    return Reach(
        low=np.concatenate([part.low for part in parts]),
        high=np.concatenate([part.high for part in parts]),
        missing=np.concatenate([part.missing for part in parts]),
        words=np.concatenate([part.words for part in parts]),
    )
