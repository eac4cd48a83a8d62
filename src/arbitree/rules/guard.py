"""A tree made safe: where a leaf's decision could break a rule, it is split until it cannot.

A leaf decides for its rows' majority among the classes that no rule forbids of all of them, or as
fairness made it decide. Where a rule forbids that of some row which can exist, and which the leaf
would decide, the leaf is split on a part of the rule's condition. A part without training rows
takes a class that no rule forbids there. Only cells are looked at, so what holds of the result
holds of every row of the domain, whatever the data were and however the tree was grown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import RuleError
from arbitree.model.tree import Tree
from arbitree.rules.axes import among
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.graft import Branch, grafted
from arbitree.rules.guard_cuts import Cut, Cuts
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.space import Masks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsOfTree:
    """The training rows of a tree: where they are, and what they count for."""

    cells: Sequence[np.ndarray]  # of each axis (n,) int
    leaf: np.ndarray  # (n,) int
    y: np.ndarray  # (n,) int
    weights: np.ndarray  # (n,) float64, class weights not included
    class_weight: np.ndarray  # (n_classes,) float64
    group: np.ndarray  # (n,) int, 0 where no groups are known
    n_groups: int
    counts_rows: bool  # a row of weight 3 is three rows


def guarded(tree: Tree, bound: BoundRules, rows: RowsOfTree) -> Tree:
    """A tree that obeys every rule on every row of the domain.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        Whose classes are those of the tree and which do not contradict each other.
    rows : RowsOfTree

    Returns
    -------
    Tree
        `tree` itself if it obeys them already.

    Raises
    ------
    RuleError
        If rules decide otherwise of levels that the tree does not know than of missing values,
        which it cannot tell apart.

    References
    ----------
    Post-facto augmentation of "Safety Augmentation in Decision Trees", section 2 and Lemma 2.1;
    branches without rows are not learnt again.
    """
    guard = Guard(tree, bound, rows)
    subtrees = {}
    order = np.argsort(rows.leaf, kind="stable")
    starts = np.searchsorted(rows.leaf[order], np.arange(tree.n_nodes + 1))
    for leaf in leaves_of_tree(tree, bound.space):
        here = order[starts[leaf.node] : starts[leaf.node + 1]]
        if bound.forbidden(leaf.masks) >> leaf.label & 1:
            subtrees[leaf.node] = guard.subtree(leaf.node, leaf.masks, here)
    return grafted(tree, subtrees) if subtrees else tree


def unsafe_leaves(tree: Tree, bound: BoundRules) -> list[int]:
    """Leaves that would decide a row which can exist against a rule."""
    return [
        leaf.node
        for leaf in leaves_of_tree(tree, bound.space)
        if next(bound.violations(leaf.masks, leaf.label), None) is not None
    ]


def unsafe_by_rule(tree: Tree, bound: BoundRules) -> list[set[int]]:
    """For each rule, the leaves that would decide a row which can exist against it."""
    found: list[set[int]] = [set() for _ in bound.rules]
    for leaf in leaves_of_tree(tree, bound.space):
        broken = {id(rule) for rule, _ in bound.violations(leaf.masks, leaf.label)}
        for place, rule in enumerate(bound.rules):
            if id(rule) in broken:
                found[place].add(leaf.node)
    return found


class Guard:
    """Makes parts of a tree safe.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
    rows : RowsOfTree
    """

    def __init__(self, tree: Tree, bound: BoundRules, rows: RowsOfTree) -> None:
        self.tree, self.bound, self.rows = tree, bound, rows
        self.cuts = Cuts(tree.features, bound.space)

    def subtree(self, node: int, masks: Masks, here: np.ndarray) -> Branch:
        """What a leaf becomes."""
        label = int(self.tree.label[node])
        weight = self.tree.weight[node]
        chosen = weight[label] < weight.max()  # by fairness, so that the majority is no argument
        return self.safe(masks, here, label if chosen else None, weight)

    def safe(self, masks: Masks, here: np.ndarray, chosen: int | None, above: np.ndarray) -> Branch:
        """A leaf for a box of rows, split until no rule forbids what it decides.

        Parameters
        ----------
        masks : tuple of int
        here : ndarray of int
            The training rows in the box.
        chosen : int or None
            What to decide where rules allow it; None for the majority.
        above : (n_classes,) float64
            Whose majority decides where there is no training row.
        """
        branch = self.counted(here)
        weight = branch.weight if branch.weight.any() else above
        forbidden = self.bound.forbidden(masks)
        branch.label = self._label(masks, forbidden, chosen, weight, empty=not len(here))
        if not forbidden >> branch.label & 1:
            return branch
        cut = self._cut(masks, here, [r for r in self.bound.rules if r.forbids >> branch.label & 1])
        if cut is None:
            allowed = _allowed(forbidden, len(self.tree.classes))
            if allowed:
                branch.label = max(allowed, key=lambda place: weight[place])
                return branch
            cut = self._cut(masks, here, self.bound.rules)
        if cut is None:
            raise self._inseparable(masks)
        side = among(self.rows.cells[cut.place][here], cut.first)
        for cells, part in ((cut.first, here[side]), (cut.second, here[~side])):
            narrowed = (*masks[: cut.place], cells, *masks[cut.place + 1 :])
            branch.children.append(self.safe(narrowed, part, chosen, weight))
        branch.feature, branch.routes = cut.feature, cut.routes
        branch.threshold = np.nan if cut.threshold is None else cut.threshold
        return branch.merged()

    def _label(
        self,
        masks: Masks,
        forbidden: int,
        chosen: int | None,
        weight: np.ndarray,
        *,
        empty: bool,
    ) -> int:
        n_classes = len(self.tree.classes)
        places = _allowed(forbidden, n_classes) if empty else ()
        if not places:
            entailed = 0
            for rule in self.bound.rules:
                if rule.forbids & ~entailed and self.bound.standing(masks, rule) == "entailed":
                    entailed |= rule.forbids
            places = _allowed(entailed, n_classes) or tuple(range(n_classes))
        if chosen is not None and chosen in places:
            return chosen
        return max(places, key=lambda place: weight[place])

    def _cut(self, masks: Masks, here: np.ndarray, rules: Sequence[BoundRule]) -> Cut | None:
        """The cut that leaves fewest rows where a rule may hold, the first of equal ones."""
        boxes = [box for r in rules if self.bound.touches(masks, r) for box in r.boxes]
        found, least = None, np.inf
        for cut in self.cuts.of(masks, boxes):
            inside = among(self.rows.cells[cut.place][here], cut.inside)
            n_inside = float(self.rows.weights[here][inside].sum())
            if n_inside < least:
                found, least = cut, n_inside
        return found

    def counted(self, here: np.ndarray) -> Branch:
        """A node with some training rows, not decided yet."""
        rows, n_classes = self.rows, len(self.tree.classes)
        cell = rows.group[here].astype(np.int64) * n_classes + rows.y[here]
        of_cells = np.bincount(cell, rows.weights[here], minlength=rows.n_groups * n_classes)
        reach = of_cells.reshape(rows.n_groups, n_classes)
        return Branch(
            label=0,
            n=round(float(reach.sum())) if rows.counts_rows else len(here),
            weight=reach.sum(axis=0) * rows.class_weight,
            reach=reach,
        )

    def _inseparable(self, masks: Masks) -> RuleError:
        where = self.bound.space.box(masks)
        names = [repr(self.bound.space.axes[place].name) for place in where]
        return RuleError(
            "The rules decide otherwise of a missing value than of a level that is not listed, "
            f"and a tree treats the two alike (features {', '.join(names)}). Declare all levels "
            "that can occur, or give both the same rule."
        )


def _allowed(forbidden: int, n_classes: int) -> tuple[int, ...]:
    return tuple(place for place in range(n_classes) if not forbidden >> place & 1)
