"""The numbers that a picture of a tree shows at its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._errors import InputError
from .._wording import nearest
from ..model.fitted import refuse_own_unfitted
from ..model.tree import Tree
from ..table.favorable import asked_values
from ..tree.favorable import positions
from ..tree.fitted_report import reached_by
from ..tree.parity_report import contributions
from ..tree.populations import Population
from ..tree.reached import Reached, walks

MOVED = "* not what most of its rows are"
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared:
    """Two groups whose rates of favourable decisions are furthest apart, node by node.

    ``contribution.sum() == rate_high - rate_low``.
    """

    condition: str  # "" for all rows
    high: int  # index into groups
    low: int
    rate_high: float
    rate_low: float
    contribution: np.ndarray  # (n_nodes,) 0 at leaves


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TreeNumbers:
    """What is known of a tree's training rows, node by node."""

    tree: Tree
    favorable: tuple[int, ...]  # indexes into classes; none of three classes or more, unnamed
    assumed: bool  # nobody said which class is favourable
    share: np.ndarray  # (n_nodes, n_classes) of the weight of a node's rows
    groups: tuple[str, ...]  # none where training saw no groups
    reach: np.ndarray  # (n_nodes, n_groups) share of each group's rows; NaN of an empty group
    group_sizes: np.ndarray  # (n_groups,) training rows, of weights that are not 1 about as many
    compared: Compared | None  # None where no two groups have rows
    moved: np.ndarray  # (n_nodes,) bool: a leaf that does not decide as most of its rows are


def tree_numbers(model: Any, favorable_label: Any = None) -> TreeNumbers:
    """Numbers of a fitted `TreeClassifier`, or of a `Tree`.

    Raises
    ------
    InputError
        If `model` is neither, or no class is called `favorable_label`.
    """
    tree = getattr(model, "tree_", model)
    if not isinstance(tree, Tree):
        refuse_own_unfitted(model)
        given = type(model).__name__
        raise InputError(f"model is of type {given}. Pass a fitted TreeClassifier, or its tree_.")
    favorable = _favorable(tree, model, favorable_label)
    reached = _reached(tree, getattr(model, "populations_", None))
    found = _widest(tree, reached, favorable)
    groups: tuple[str, ...] = ()
    reach, sizes = np.zeros((tree.n_nodes, 0)), np.zeros(0)
    if reached:
        rows = reached[0 if found is None else found[0]]
        weight = rows.weight[0]
        groups = rows.groups
        total = weight[:1]
        sizes = np.round(weight[0] * _rows_per_weight(tree))
        reach = np.divide(weight, total, out=np.full(weight.shape, np.nan), where=total > 0)
    return TreeNumbers(
        tree=tree,
        favorable=favorable,
        assumed=favorable_label is None and bool(getattr(model, "favorable_assumed_", False)),
        share=_shares(tree),
        groups=groups,
        reach=reach,
        group_sizes=sizes,
        compared=None if found is None else found[1],
        moved=moved_leaves(tree),
    )


def _rows_per_weight(tree: Tree) -> float:
    assert tree.reach is not None
    return float(tree.n[0]) / max(float(tree.reach[0].sum()), np.finfo(float).tiny)


def _favorable(tree: Tree, model: Any, favorable_label: Any) -> tuple[int, ...]:
    if favorable_label is not None:
        labels = list(tree.classes)
        asked = asked_values(favorable_label)
        for label in asked:
            if label not in labels:
                raise InputError(f"The tree has no class {label!r}. {nearest(label, labels)}")
        return tuple(place for place, label in enumerate(labels) if label in asked)
    if len(tree.classes) > 2 and (model is tree or tree.reach is None):
        return ()
    return tuple(positions(getattr(model, "favorable_", min(1, len(tree.classes) - 1))))


def _reached(tree: Tree, populations: Sequence[Population] | None) -> list[Reached]:
    """Weights of groups at nodes, one for each population that is compared."""
    if tree.reach is None or not tree.groups:
        return []
    if populations:
        several = len({population.grouping for population in populations}) > 1
        return [
            _named(tree, population) if several else reached_by(tree, population)
            for population in populations
        ]
    weight = tree.reach.sum(axis=2)[None]
    return [Reached(conditions=("all",), groups=tree.groups, weight=weight)]


def _named(tree: Tree, population: Population) -> Reached:
    """As `reached_by`, each group with its column: two columns may have groups of one name."""
    names = tuple(f"{population.grouping} = {group}" for group in population.groups)
    return replace(reached_by(tree, population), groups=names)


def _widest(
    tree: Tree, reached: Sequence[Reached], favorable: tuple[int, ...]
) -> tuple[int, Compared] | None:
    """The pair of groups with the widest gap, and which population it is of."""
    best: tuple[int, Compared] | None = None
    for place, rows in enumerate(reached if favorable else ()):
        pairs = walks(tree, rows, favorable=favorable, widest=True)
        if not len(pairs.condition):
            continue
        found = Compared(
            condition="" if rows.conditions[0] == "all" else rows.conditions[0],
            high=int(pairs.high[0]),
            low=int(pairs.low[0]),
            rate_high=float(pairs.value_high[0, 0]),
            rate_low=float(pairs.value_low[0, 0]),
            contribution=contributions(tree, pairs)[0],
        )
        if best is None or _gap(found) > _gap(best[1]):
            best = place, found
    return best


def _gap(found: Compared) -> float:
    return found.rate_high - found.rate_low


def moved_leaves(tree: Tree) -> np.ndarray:
    """Whether each node is a leaf whose decision parity moved from that of most of its rows.

    Returns
    -------
    ndarray of bool, shape (n_nodes,)
    """
    decided = tree.weight[np.arange(tree.n_nodes), tree.label]
    return np.asarray(tree.is_leaf & (decided < tree.weight.max(axis=1) * (1 - _ROUNDING)))


def _shares(tree: Tree) -> np.ndarray:
    """Shares of classes among a node's rows: without class weights, where that is known."""
    weight = tree.weight if tree.reach is None else tree.reach.sum(axis=1)
    total = weight.sum(axis=1, keepdims=True)
    return np.divide(weight, total, out=np.zeros(weight.shape), where=total > 0)
