"""What the leaves of a tree decide where not every class is allowed: fewest errors in a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from arbitree.model.tree import Tree
from arbitree.tree.favorable import Favorable, favorable_mask
from arbitree.tree.populations import Population

_TOLERANCE = 1e-7  # of the solver's constraints


def gap_of(tree: Tree, populations: Sequence[Population], favorable: Favorable) -> float | None:
    """The training gap of a tree's decisions; None if no groups are compared."""
    if tree.reach is None or not populations:
        return None
    accepted = tree.is_leaf & favorable_mask(favorable, len(tree.classes))[tree.label]
    gaps = [
        float(np.ptp(shares[:, accepted].sum(axis=1)))
        for shares in (_shares(tree, one) for one in populations)
        if len(shares)
    ]
    return max(gaps, default=0.0)


def decided_anew(
    tree: Tree,
    allowed: np.ndarray,
    populations: Sequence[Population],
    *,
    favorable: Favorable,
    eps: float,
) -> tuple[Tree, float]:
    """The tree with the labels of fewest errors whose gap is at most `eps`, by integer programming.

    Parameters
    ----------
    tree : Tree
        With the training rows of groups.
    allowed : ndarray of bool, shape (n_nodes, n_classes)
        Of each leaf; at least one.
    populations : sequence of Population
    favorable : int or tuple of int
    eps : float

    Returns
    -------
    tree : Tree
    gap : float
        Of the tree; if it is above `eps`, the least there is.
    """
    is_favorable = favorable_mask(favorable, len(tree.classes))
    leaf = np.flatnonzero(tree.is_leaf & (tree.n > 0))
    best = [_best(tree, leaf, allowed & side) for side in (~is_favorable, is_favorable)]
    value = [np.where(b >= 0, tree.weight[leaf, b], 0.0) for b in best]
    bounds = (best[0] < 0).astype(float), (best[1] >= 0).astype(float)
    shares = [_shares(tree, one)[:, leaf] for one in populations]
    cost = value[0] - value[1]  # of deciding favourably, in weight of errors
    chosen = _solved(cost, bounds, shares, eps)
    if chosen is None:
        chosen = _narrowest(bounds, shares)
    label = tree.label.copy()
    label[leaf] = np.where(chosen, best[1], best[0])
    found = replace(tree, label=label)
    gap = gap_of(found, populations, favorable)
    assert gap is not None
    return found, gap


def _best(tree: Tree, leaf: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The heaviest allowed class of each leaf, what it decides first of equal ones; -1 if none."""
    weight = np.where(allowed[leaf], tree.weight[leaf], -1.0)
    found = weight.argmax(axis=1)
    decided = tree.label[leaf]
    at = np.arange(len(leaf))
    found = np.where(weight[at, decided] >= weight[at, found], decided, found)
    return np.where(allowed[leaf].any(axis=1), found, -1)


def _shares(tree: Tree, population: Population) -> np.ndarray:
    """The share of each compared group with rows that is at each node.  (n_groups, n_nodes)"""
    assert tree.reach is not None
    weight = np.einsum("igc,kgc->ki", tree.reach, population.members.astype(np.float64))
    present = weight[:, 0] > 0
    shares: np.ndarray = weight[present] / weight[present, :1]
    return shares


def _solved(
    cost: np.ndarray, bounds: tuple[np.ndarray, np.ndarray], shares: list[np.ndarray], eps: float
) -> np.ndarray | None:
    """Which leaves decide favourably at least cost; None if no choice has so small a gap."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    limits = LinearConstraint(_differences(shares), ub=max(eps - _TOLERANCE, 0.0))
    result = milp(
        cost, integrality=np.ones(len(cost)), bounds=Bounds(*bounds), constraints=[limits]
    )
    return None if result.x is None else np.asarray(result.x > 0.5)


def _narrowest(bounds: tuple[np.ndarray, np.ndarray], shares: list[np.ndarray]) -> np.ndarray:
    """Which leaves decide favourably with the least gap."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows = _differences(shares)
    n = rows.shape[1]
    with_gap = np.hstack([rows, -np.ones((len(rows), 1))])
    result = milp(
        np.append(np.zeros(n), 1.0),
        integrality=np.append(np.ones(n), 0.0),
        bounds=Bounds(np.append(bounds[0], 0.0), np.append(bounds[1], 1.0)),
        constraints=[LinearConstraint(with_gap, ub=0.0)],
    )
    return np.asarray(result.x[:n] > 0.5)


def _differences(shares: list[np.ndarray]) -> np.ndarray:
    """Of each pair of groups, how much more of one than of the other is in each leaf."""
    return np.array([s[a] - s[b] for s in shares for a, b in permutations(range(len(s)), 2)])
