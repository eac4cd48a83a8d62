"""Guards above leaves of a tree that is being learnt: one test for many leaves, not one below each.

Where several leaves of a subtree would each be split on the same part of a rule's condition, that
part is split off above them, if the tree gets smaller by it. What is split off becomes a leaf
where its training rows were decided alike (or there are none), else a copy of the subtree for
those rows. So the training rows that the grown tree decides in line with the rules, and by its
leaves' majorities, are decided as before; what is decided of other rows is free. That is why one
test alone may pay here, and all conditions of a rule are tried in a repair, which is not free
(`guard_repaired_above.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

import numpy as np

from arbitree.model.tree import Tree
from arbitree.rules.axes import among
from arbitree.rules.bound import BoundRules
from arbitree.rules.guard import Guard, split
from arbitree.rules.guard_cuts import Cut
from arbitree.rules.guard_rows import RowsOfTree
from arbitree.rules.leaves import Descent, Leaf, Limits
from arbitree.rules.parts import Part, in_order, part_of
from arbitree.rules.space import Masks, replaced

# What is tried; then the rest is guarded leaf by leaf.
_MOST_TRIALS = 5_000  # tests above leaves
_MOST_MADE = 200_000  # nodes of guards


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Region:
    """The rows of a box below a node."""

    node: int
    masks: Masks
    limits: Limits
    here: np.ndarray  # training rows


class GuardsAbove:
    """Finds where guards above leaves save nodes.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
    rows : RowsOfTree
    """

    def __init__(self, tree: Tree, bound: BoundRules, rows: RowsOfTree) -> None:
        self.tree, self.bound, self.rows = tree, bound, rows
        self.guard = Guard(tree, bound, rows)
        self.descent = Descent(tree, bound.space)
        self.first, self.last = _depth_first(tree)
        self.at = self.first[rows.leaf]
        self.label_at = tree.label[np.argsort(self.first)]
        self.added: dict[tuple[int, Masks], int] = {}
        self.trials = 0

    def changes(self) -> Iterator[tuple[int, Part]]:
        """Nodes whose subtree is replaced, and by what."""
        whole = _Region(
            node=0, masks=self.bound.space.whole, limits={}, here=np.arange(len(self.rows.y))
        )
        cuts = self._cuts(whole)
        waiting = [whole]
        while waiting:
            part = waiting.pop()
            if part.node in cuts:
                yield part.node, self._parted(part, cuts[part.node])
            elif not self.tree.is_leaf[part.node]:
                waiting += self._below(part)
            elif self.bound.forbidden(part.masks) >> int(self.tree.label[part.node]) & 1:
                yield part.node, self.guard.leaf(part.node, part.masks, part.here)

    def _below(self, part: _Region) -> list[_Region]:
        at = self.at[part.here]
        return [
            _Region(
                node=child,
                masks=masks,
                limits=limits,
                here=part.here[(at >= self.first[child]) & (at <= self.last[child])],
            )
            for child, masks, limits in self.descent.below(part.node, part.masks, part.limits)
        ]

    def _cuts(self, whole: _Region) -> dict[int, Cut]:
        """Below which nodes of a part a guard is shared, none of them below another."""
        leaves = self.descent.leaves(whole.node, whole.masks, whole.limits)
        broken = [leaf for leaf in leaves if self._added(leaf, leaf.masks)]
        return self._best(whole, broken)[1]

    def _best(self, part: _Region, broken: Sequence[Leaf]) -> tuple[int, dict[int, Cut]]:
        """The most nodes that can be saved in a part, and how: as low in the tree as possible."""
        if len(broken) < 2:
            return 0, {}
        saved = 0
        cuts: dict[int, Cut] = {}
        for child in self._below(part):
            first, last = self.first[child.node], self.last[child.node]
            of_child = [leaf for leaf in broken if first <= self.first[leaf.node] <= last]
            more, found = self._best(child, of_child)
            saved, cuts = saved + more, {**cuts, **found}
        own, cut = self._own(part, broken, saved)
        return (saved, cuts) if cut is None else (own, {part.node: cut})

    def _own(self, part: _Region, broken: Sequence[Leaf], least: int) -> tuple[int, Cut | None]:
        """What the best cut at the top of a part saves, if it is more than `least`."""
        labels = {leaf.label for leaf in broken}
        boxes = [
            box
            for rule in self.bound.met(part.masks)
            if any(rule.forbids >> label & 1 for label in labels)
            for box in rule.boxes
        ]
        alone = sum(self._added(leaf, leaf.masks) for leaf in broken)
        best, saved = None, least
        for cut in self.guard.cuts.of(part.masks, boxes):
            if self.trials >= _MOST_TRIALS or self.guard.n_made >= _MOST_MADE:
                break
            found = alone - 1 - self._left(broken, cut, most=alone - 2 - saved)
            if found - 1 <= saved:
                continue
            inside = self._inside(part, cut, cut.inside)
            if found - self._fewest(inside) <= saved:
                continue
            self.trials += 1
            found -= len(in_order(self._side(inside, shared=False)))
            if found > saved:
                best, saved = cut, found
        return saved, best

    def _left(self, broken: Sequence[Leaf], cut: Cut, *, most: int) -> int:
        """Nodes that guard leaves outside of a cut; beyond `most` it is not counted how many."""
        left, narrowed = 0, []
        for leaf in broken:
            masks = _with(leaf.masks, cut, ~cut.inside)
            if masks == leaf.masks:
                left += self._added(leaf, masks)
            else:
                narrowed.append((leaf, masks))
        for leaf, masks in narrowed:
            if left > most:
                break
            left += self._added(leaf, masks)
        return left

    def _fewest(self, part: _Region) -> int:
        """A bound on the nodes of a side: neighbouring leaves that decide otherwise stay apart."""
        labels = self.label_at[np.unique(self.at[part.here])]
        changes = int(np.count_nonzero(labels[1:] != labels[:-1]))
        return changes + 2 if changes else 1

    def _added(self, leaf: Leaf, masks: Masks) -> int:
        """Nodes that it takes to guard a leaf, of which only a region is left."""
        if not all(masks):
            return 0
        key = leaf.node, masks
        if key not in self.added:
            self.added[key] = 0
            if self.bound.forbidden(masks) >> leaf.label & 1:
                here = self.rows.inside(self.rows.of_leaf(leaf.node), masks, leaf.masks)
                made = self.guard.leaf(leaf.node, masks, here)
                self.added[key] = len(in_order(made)) - 1
        return self.added[key]

    def _inside(self, part: _Region, cut: Cut, cells: int) -> _Region:
        kept = among(self.rows.cells[cut.place][part.here], cells & part.masks[cut.place])
        return replace(part, masks=_with(part.masks, cut, cells), here=part.here[kept])

    def _parted(self, part: _Region, cut: Cut) -> Part:
        """A region with a cut at its top."""
        found = split(part.node, int(self.tree.label[part.node]), cut)
        found.children = [
            self._side(self._inside(part, cut, cells)) for cells in (cut.first, cut.second)
        ]
        found.merge()
        return found

    def _side(self, part: _Region, *, shared: bool = True) -> Part:
        """One side of a cut: a leaf where its rows are decided alike, else what the tree has."""
        labels = np.unique(self.tree.label[self.rows.leaf[part.here]])
        if len(labels) < 2:
            chosen = int(labels[0]) if len(labels) else None
            return self.guard.box(part.node, part.masks, part.here, chosen)
        return self._copied(part, self._cuts(part) if shared else {})

    def _copied(self, part: _Region, cuts: dict[int, Cut]) -> Part:
        """What the tree has below a node, without branches that no training row of a part takes."""
        if part.node in cuts:
            return self._parted(part, cuts[part.node])
        if self.tree.is_leaf[part.node]:
            return self.guard.leaf(part.node, part.masks, part.here)
        below = self._below(part)
        kept = [child for child in below if len(child.here)]
        if len(kept) == 1:
            return self._copied(replace(part, node=kept[0].node), cuts)
        if len(kept) < len(below):
            kept = _taking_all(kept, below)
        found = part_of(self.tree, part.node)
        found.children = [self._copied(child, cuts) for child in kept]
        children = self.tree.children(part.node).tolist()
        if len(kept) < len(children):
            found.routes = _routes(found.routes, children, kept)
            found.merge()
        return found


def _largest(kept: Sequence[_Region]) -> int:
    return max(range(len(kept)), key=lambda i: len(kept[i].here))


def _taking_all(kept: list[_Region], below: Sequence[_Region]) -> list[_Region]:
    """Children of which the one with most rows takes the region of those that are gone."""
    at = _largest(kept)
    gone = [part.masks for part in below if not len(part.here)]
    masks = tuple(reduce(or_, of_axis) for of_axis in zip(kept[at].masks, *gone))
    return [*kept[:at], replace(kept[at], masks=masks), *kept[at + 1 :]]


def _routes(
    routes: Sequence[int], children: Sequence[int], kept: Sequence[_Region]
) -> tuple[int, ...]:
    """Where codes go when some children are gone: to the child with most rows."""
    largest = _largest(kept)
    place = {part.node: i for i, part in enumerate(kept)}
    return tuple(place.get(children[to], largest) for to in routes)


def _with(masks: Masks, cut: Cut, cells: int) -> Masks:
    return replaced(masks, cut.place, masks[cut.place] & cells)


def _depth_first(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """The place of each node in depth-first order, and of the last one below it."""
    first, last = np.zeros(tree.n_nodes, np.int64), np.zeros(tree.n_nodes, np.int64)
    waiting, n = [0], 0
    while waiting:
        node = waiting.pop()
        first[node], n = n, n + 1
        waiting += reversed(tree.children(node).tolist())
    last[:] = first
    for node in np.argsort(-first).tolist():
        children = tree.children(node)
        if len(children):
            last[node] = last[children].max()
    return first, last
