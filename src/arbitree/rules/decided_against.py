"""What a tree decides against rules: in which leaves, and in how large a share of a domain."""

from __future__ import annotations

from fractions import Fraction

from arbitree.model.tree import Tree
from arbitree.rules.bound import BoundRules
from arbitree.rules.counting import count_rows
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.space import intersects

_MOST_STATES = 20_000  # of each count


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


def share_against(tree: Tree, bound: BoundRules) -> float | None:
    """The share of rows that can exist and of which rules forbid the tree's decision.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        With the tree's classes.

    Returns
    -------
    float or None
        Rows are combinations of levels, "missing" among them where it can be. None where the tree
        or a rule compares numbers, of which there are too many to count, or counting exactly
        would take too long.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> from arbitree.rules.verify import bound_to_model
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"a": ["x", "x", "y"], "b": ["u", "v", "u"]}, [0, 0, 1]).tree_
    >>> bound = bound_to_model(Rules.parse("a = y and b = u => 0"), tree.features, tree.classes)
    >>> share_against(tree, bound)
    0.25
    """
    space, facts = bound.space, [fact.boxes for fact in bound.facts]
    compared = {place for rule in bound.rules for box in rule.boxes for place in box}
    compared |= {place for boxes in facts for box in boxes for place in box}
    if any(not hasattr(space.axes[place], "levels") for place in compared):
        return None
    against = Fraction(0)
    for leaf in leaves_of_tree(tree, space):
        if leaf.limits:
            return None
        boxes = [
            box
            for rule in bound.rules
            if rule.forbids >> leaf.label & 1
            for box in rule.boxes
            if intersects(leaf.masks, box)
        ]
        if not boxes:
            continue
        found = count_rows(space, leaf.masks, boxes, facts=facts, most_states=_MOST_STATES)
        if found.status != "exact":
            return None
        against += Fraction(found.value)
    whole = count_rows(space, space.whole, [{}], facts=facts, most_states=_MOST_STATES)
    if whole.status != "exact" or not whole.value:
        return None
    return float(against / Fraction(whole.value))
