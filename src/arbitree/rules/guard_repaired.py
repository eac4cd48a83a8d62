"""A finished tree made safe, and otherwise left as it is: no allowed decision changes.

Rows of a leaf that it decides against a rule are split off (`guard.py`), unless many leaves below a
node would be split: then one guard above them may take fewer nodes (`guard_repaired_above.py`).
Below a guard, branches that no row of the domain reaches any more fall away. While a tree is learnt
(`guard_learnt.py`), those that no training row takes do so too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arbitree.model.route import code_routes
from arbitree.model.tree import LEAF, Tree
from arbitree.rules.bound import BoundRules
from arbitree.rules.guard import Guard, split
from arbitree.rules.guard_repaired_above import GuardsAbove, sides_of
from arbitree.rules.guard_rows import RowsOfTree
from arbitree.rules.leaves import Descent, Limits
from arbitree.rules.parts import Part, in_order, part_of, tree_of_parts
from arbitree.rules.space import Masks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A node of the old tree with the rows of it that are to be decided; masks None: none."""

    node: int
    masks: Masks | None
    limits: Limits
    is_narrowed: bool = False  # by a guard, so that branches may have lost all their rows


_Made = tuple[Part, Sequence[_Piece | Part]]  # a node, and what is to come below it


def mended(tree: Tree, bound: BoundRules, rows: RowsOfTree) -> Tree:
    """A tree that obeys every rule on every row of the domain.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        Whose classes are those of the tree and which do not contradict each other.
    rows : RowsOfTree
        Rows by which classes are chosen and counted.

    Returns
    -------
    Tree
        `tree` itself if it obeys them already. A row that can exist is decided as before unless a
        rule forbids that (or the tree cannot tell the row from one of which a rule does). Leaves
        that decide as before keep the shares of classes they had, weighted by the rows here, or
        by one row where there is none.

    Raises
    ------
    RuleError
        If rules decide otherwise of levels that the tree does not know than of missing values.
    """
    mender = _Mender(tree, bound, rows)
    return mender.result() if mender.n_broken[0] else tree


class _Mender:
    def __init__(self, tree: Tree, bound: BoundRules, rows: RowsOfTree) -> None:
        self.tree, self.bound, self.rows = tree, bound, rows
        self.guard = Guard(tree, bound, rows, keeps=True)
        self.descent = Descent(tree, bound.space)
        self._mark_broken()
        self.above = GuardsAbove(self.descent, bound, self.guard.cuts, self.broken_rules)

    def _mark_broken(self) -> None:
        """Below each node: how many leaves break a rule, and which rules."""
        n_nodes = self.tree.n_nodes
        self.n_broken, self.broken_rules = [0] * n_nodes, [0] * n_nodes
        for leaf in self.descent.leaves(0, self.bound.space.whole, {}):
            for place, rule in enumerate(self.bound.rules):
                if rule.forbids >> leaf.label & 1 and self.bound.touches(leaf.masks, rule):
                    self.n_broken[leaf.node] = 1
                    self.broken_rules[leaf.node] |= 1 << place
        parent = self.tree.parent.tolist()
        for node in range(n_nodes - 1, 0, -1):
            self.n_broken[parent[node]] += self.n_broken[node]
            self.broken_rules[parent[node]] |= self.broken_rules[node]

    def result(self) -> Tree:
        root = self._built()
        for part in reversed(in_order(root)):
            part.merge()
        parts = in_order(root)
        n = np.zeros(len(parts), np.int64)
        weight = np.zeros((len(parts), len(self.tree.classes)))
        for number, part in enumerate(parts):
            if not part.children:
                n[number], weight[number] = self._counted(part)
        return tree_of_parts(self.tree, parts, n, weight)

    def _counted(self, part: Part) -> tuple[int, np.ndarray]:
        """Rows and weights of a leaf: of one that decides as before, in the shares it had."""
        rows, here = self.rows, part.rows
        n, weight = rows.n(here), rows.by_class(here)
        if part.anew:
            allowed = [not part.forbidden >> place & 1 for place in range(len(weight))]
            return n, weight * allowed
        before = self.tree.weight[part.origin]
        if not before.any():
            before = np.eye(len(before))[part.label]
        return n, before / before.sum() * (float(weight.sum()) or 1.0)

    def _built(self) -> Part:
        top: list[Part] = []
        start = _Piece(node=0, masks=self.bound.space.whole, limits={})
        waiting: list[tuple[_Piece | Part, list[Part]]] = [(start, top)]
        while waiting:
            piece, siblings = waiting.pop()
            part, below = (piece, ()) if isinstance(piece, Part) else self._part(piece)
            siblings.append(part)
            waiting += [(child, part.children) for child in reversed(below)]
        return top[0]

    def _part(self, piece: _Piece) -> _Made:
        """What a piece becomes, and what is to come below it."""
        piece = self._where_it_parts(piece)
        v = piece.node
        if piece.masks is None:
            return part_of(self.tree, v), [replace(piece, node=c) for c in self.tree.children(v)]
        if self.tree.feature[v] == LEAF:
            return self.guard.leaf(v, piece.masks, self._rows_of(v, piece.masks)), ()
        if self.n_broken[v] > 1:
            shared = self._shared(piece)
            if shared is not None:
                return shared
        return self._narrowed(piece) if piece.is_narrowed else self._whole(piece)

    def _where_it_parts(self, piece: _Piece) -> _Piece:
        """The first node from a piece down that rows leave in two directions, or a leaf."""
        while piece.is_narrowed and piece.masks and self.tree.feature[piece.node] != LEAF:
            below = self.descent.below(piece.node, piece.masks, piece.limits)
            if len(below) != 1:
                break
            node, masks, limits = below[0]
            piece = replace(piece, node=node, masks=masks, limits=limits)
        return piece

    def _whole(self, piece: _Piece) -> _Made:
        """All children, those that no row of the domain reaches too."""
        assert piece.masks is not None
        found = self.descent.below(piece.node, piece.masks, piece.limits)
        reached = {child: (masks, limits) for child, masks, limits in found}
        below = []
        for child in self.tree.children(piece.node).tolist():
            masks, limits = reached.get(child, (None, {}))
            below.append(_Piece(node=child, masks=masks, limits=limits))
        return part_of(self.tree, piece.node), below

    def _narrowed(self, piece: _Piece) -> _Made:
        """Only children that rows reach."""
        assert piece.masks is not None
        v, part = piece.node, part_of(self.tree, piece.node)
        found = self.descent.below(v, piece.masks, piece.limits)
        at = {child: position for position, (child, _, _) in enumerate(found)}
        if np.isnan(part.threshold):
            children = self.tree.children(v).tolist()
            part.routes = tuple(at.get(children[to], 0) for to in code_routes(self.tree, v))
        return part, [
            _Piece(node=child, masks=masks, limits=limits, is_narrowed=True)
            for child, masks, limits in found
        ]

    def _shared(self, piece: _Piece) -> _Made | None:
        """A node whose rows have one class left, or a cut above many leaves that spares nodes."""
        assert piece.masks is not None
        v, masks, limits = piece.node, piece.masks, piece.limits
        label = self.above.only_class(masks)
        if label is not None:
            return self._one_leaf(v, masks, limits, label), ()
        cut = self.above.first_cut(v, masks, limits)
        if cut is None:
            return None
        return split(v, int(self.tree.label[v]), cut), [
            _Piece(node=v, masks=cells, limits=within, is_narrowed=True)
            for cells, within in sides_of(masks, limits, cut)
        ]

    def _rows_of(self, leaf: int, masks: Masks) -> np.ndarray:
        return self.rows.inside(self.rows.of_leaf(leaf), masks, self.bound.space.whole)

    def _one_leaf(self, v: int, masks: Masks, limits: Limits, label: int) -> Part:
        leaves = self.descent.leaves(v, masks, limits)
        here = np.concatenate([self._rows_of(leaf.node, leaf.masks) for leaf in leaves])
        others = (1 << len(self.bound.classes)) - 1 & ~(1 << label)
        return Part(origin=v, label=label, anew=True, forbidden=others, rows=here)
