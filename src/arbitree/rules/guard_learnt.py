"""A tree that is being learnt, made safe: leaf by leaf, or with guards that leaves share."""

from __future__ import annotations

from collections.abc import Iterator

from arbitree.model.tree import Tree
from arbitree.rules.bound import BoundRules
from arbitree.rules.guard import Guard
from arbitree.rules.guard_learnt_above import GuardsAbove
from arbitree.rules.guard_rows import RowsOfTree
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.parts import Part, grafted


def guarded(tree: Tree, bound: BoundRules, rows: RowsOfTree, *, together: bool = False) -> Tree:
    """A tree that obeys every rule on every row of the domain.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        Whose classes are those of the tree and which do not contradict each other.
    rows : RowsOfTree
    together : bool
        Whether leaves may share guards, where that saves nodes.

    Returns
    -------
    Tree
        `tree` itself if it obeys them already.

    Raises
    ------
    RuleError
        If rules decide otherwise of levels that the tree does not know than of missing values,
        which it cannot tell apart.
    """
    found = GuardsAbove(tree, bound, rows).changes() if together else _by_leaf(tree, bound, rows)
    parts = dict(found)
    return grafted(tree, parts, rows) if parts else tree


def _by_leaf(tree: Tree, bound: BoundRules, rows: RowsOfTree) -> Iterator[tuple[int, Part]]:
    guard = Guard(tree, bound, rows)
    for leaf in leaves_of_tree(tree, bound.space):
        if bound.forbidden(leaf.masks) >> leaf.label & 1:
            yield leaf.node, guard.leaf(leaf.node, leaf.masks, rows.of_leaf(leaf.node))
