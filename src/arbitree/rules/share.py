"""Guards that leaves share: one test on a rule's condition above them, not one below each.

Where several leaves of a subtree would each be split on the same part of a rule's condition, that
part is split off above them, if the tree gets smaller by it. What is split off becomes a leaf
where its training rows were decided alike (or there are none), else a copy of the subtree for
those rows. So the training rows that the grown tree decides in line with the rules, and by its
leaves' majorities, are decided as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from operator import or_

import numpy as np

from arbitree.model.tree import Tree
from arbitree.rules.axes import among
from arbitree.rules.bound import BoundRules
from arbitree.rules.graft import Branch, grafted
from arbitree.rules.guard import Guard, RowsOfTree
from arbitree.rules.guard_cuts import Cut
from arbitree.rules.leaves import Descent, Leaf, Limits
from arbitree.rules.space import Masks

MOST_TRIALS = 5_000  # of tests above leaves; what is left is guarded leaf by leaf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """The rows of a region below a node."""

    node: int
    masks: Masks
    limits: Limits
    here: np.ndarray  # training rows


def guarded_together(tree: Tree, bound: BoundRules, rows: RowsOfTree) -> Tree:
    """As `arbitree.rules.guard.guarded`, with guards that leaves share where that saves nodes.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
    rows : RowsOfTree

    Returns
    -------
    Tree

    Raises
    ------
    RuleError
        As `guarded`.
    """
    sharing = _Sharing(tree, bound, rows)
    subtrees = dict(sharing.changes())
    return grafted(tree, subtrees) if subtrees else tree


class _Sharing:
    def __init__(self, tree: Tree, bound: BoundRules, rows: RowsOfTree) -> None:
        self.tree, self.bound, self.rows = tree, bound, rows
        self.guard = Guard(tree, bound, rows)
        self.descent = Descent(tree, bound.space)
        self.first, self.last = _depth_first(tree)
        self.at = self.first[rows.leaf]
        self.label_at = tree.label[np.argsort(self.first)]
        order = np.argsort(rows.leaf, kind="stable")
        starts = np.searchsorted(rows.leaf[order], np.arange(tree.n_nodes + 1))
        self.rows_of = [order[a:b] for a, b in pairwise(starts.tolist())]
        self.added: dict[tuple[int, Masks], int] = {}
        self.trials = 0

    def changes(self) -> Iterator[tuple[int, Branch]]:
        """Nodes whose subtree is replaced, and by what."""
        whole = _Part(
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
                yield part.node, self.guard.subtree(part.node, part.masks, part.here)

    def _below(self, part: _Part) -> list[_Part]:
        at = self.at[part.here]
        return [
            _Part(
                node=child,
                masks=masks,
                limits=limits,
                here=part.here[(at >= self.first[child]) & (at <= self.last[child])],
            )
            for child, masks, limits in self.descent.below(part.node, part.masks, part.limits)
        ]

    def _cuts(self, whole: _Part) -> dict[int, Cut]:
        """Below which nodes of a part a guard is shared, none of them below another."""
        leaves = self.descent.leaves(whole.node, whole.masks, whole.limits)
        broken = [leaf for leaf in leaves if self._added(leaf, leaf.masks)]
        return self._best(whole, broken)[1]

    def _best(self, part: _Part, broken: Sequence[Leaf]) -> tuple[int, dict[int, Cut]]:
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

    def _own(self, part: _Part, broken: Sequence[Leaf], least: int) -> tuple[int, Cut | None]:
        """What the best cut at the top of a part saves, if it is more than `least`."""
        bound, labels = self.bound, {leaf.label for leaf in broken}
        boxes = [
            box
            for rule in bound.rules
            if any(rule.forbids >> label & 1 for label in labels)
            and bound.touches(part.masks, rule)
            for box in rule.boxes
        ]
        alone = sum(self._added(leaf, leaf.masks) for leaf in broken)
        best, saved = None, least
        for cut in self.guard.cuts.of(part.masks, boxes):
            outside = ~cut.inside
            left = sum(self._added(leaf, _with(leaf.masks, cut, outside)) for leaf in broken)
            found = alone - left - 1
            if found - 1 <= saved or self.trials >= MOST_TRIALS:
                continue
            inside = self._inside(part, cut, cut.inside)
            if found - self._fewest(inside) <= saved:
                continue
            self.trials += 1
            found -= self._side(inside, shared=False).n_nodes
            if found > saved:
                best, saved = cut, found
        return saved, best

    def _fewest(self, part: _Part) -> int:
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
                here = self._in(self.rows_of[leaf.node], leaf.masks, masks)
                self.added[key] = self.guard.subtree(leaf.node, masks, here).n_nodes - 1
        return self.added[key]

    def _in(self, here: np.ndarray, masks: Masks, narrowed: Masks) -> np.ndarray:
        """Those of the rows of a box that are in a part of it."""
        for place, (whole, mask) in enumerate(zip(masks, narrowed)):
            if mask != whole:
                here = here[among(self.rows.cells[place][here], mask)]
        return here

    def _inside(self, part: _Part, cut: Cut, cells: int) -> _Part:
        kept = among(self.rows.cells[cut.place][part.here], cells & part.masks[cut.place])
        return replace(part, masks=_with(part.masks, cut, cells), here=part.here[kept])

    def _parted(self, part: _Part, cut: Cut) -> Branch:
        """A part with a cut at its top."""
        branch = self.guard.counted(part.here)
        branch.label = int(self.tree.label[part.node])
        branch.children = [
            self._side(self._inside(part, cut, cells)) for cells in (cut.first, cut.second)
        ]
        branch.feature, branch.routes = cut.feature, cut.routes
        branch.threshold = np.nan if cut.threshold is None else cut.threshold
        return branch.merged()

    def _side(self, part: _Part, *, shared: bool = True) -> Branch:
        """One side of a cut: a leaf where its rows are decided alike, else what the tree has."""
        labels = np.unique(self.tree.label[self.rows.leaf[part.here]])
        if len(labels) < 2:
            chosen = int(labels[0]) if len(labels) else None
            return self.guard.safe(part.masks, part.here, chosen, self.tree.weight[part.node])
        return self._copied(part, self._cuts(part) if shared else {})

    def _copied(self, part: _Part, cuts: dict[int, Cut]) -> Branch:
        """What the tree has below a node, without branches that no training row of a part takes."""
        if part.node in cuts:
            return self._parted(part, cuts[part.node])
        if self.tree.is_leaf[part.node]:
            return self.guard.subtree(part.node, part.masks, part.here)
        below = self._below(part)
        kept = [child for child in below if len(child.here)]
        if len(kept) == 1:
            return self._copied(replace(part, node=kept[0].node), cuts)
        if len(kept) < len(below):
            kept = _taking_all(kept, below)
        branch = self.guard.counted(part.here)
        branch.label = int(self.tree.label[part.node])
        branch.feature = int(self.tree.feature[part.node])
        branch.threshold = float(self.tree.threshold[part.node])
        branch.children = [self._copied(child, cuts) for child in kept]
        children = self.tree.children(part.node).tolist()
        branch.routes = _routes(self.tree.routes(part.node), children, kept)
        return branch if len(kept) == len(children) else branch.merged()


def _largest(kept: Sequence[_Part]) -> int:
    return max(range(len(kept)), key=lambda i: len(kept[i].here))


def _taking_all(kept: list[_Part], below: Sequence[_Part]) -> list[_Part]:
    """Children of which the one with most rows takes the region of those that are gone."""
    at = _largest(kept)
    gone = [part.masks for part in below if not len(part.here)]
    masks = tuple(reduce(or_, of_axis) for of_axis in zip(kept[at].masks, *gone))
    return [*kept[:at], replace(kept[at], masks=masks), *kept[at + 1 :]]


def _routes(routes: np.ndarray, children: Sequence[int], kept: Sequence[_Part]) -> tuple[int, ...]:
    """Where codes go when some children are gone: to the child with most rows."""
    largest = _largest(kept)
    place = {part.node: i for i, part in enumerate(kept)}
    return tuple(place.get(children[to], largest) for to in routes.tolist())


def _with(masks: Masks, cut: Cut, cells: int) -> Masks:
    place = cut.place
    return (*masks[:place], masks[place] & cells, *masks[place + 1 :])


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
