"""Which leaves of a tree lie below which, along features with a direction."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.model.tree import LEAF, Tree, is_category
from arbitree.tree.table import TrainingTable

MOST_LEAVES = 1000  # pairs of which are looked at
_FAR = float(np.finfo(np.float64).max)


def refuse_rules(given: Any, rules: Any) -> None:
    """Refuse directions together with rules.

    Raises
    ------
    InputError
    """
    if given is not None and rules is not None:
        raise InputError(
            "monotonic_cst and rules do not go together: a rule may ask for what is not monotone. "
            "Write the direction as rules, or leave one of them out."
        )


def monotonic_signs(given: Any, table: TrainingTable, *, split: str) -> np.ndarray | None:
    """The direction of each feature: 1, -1 or 0; None where none has one.

    Parameters
    ----------
    given : mapping from name to direction, array (n_features,), or None

    Raises
    ------
    InputError
        If it is neither, or does not go with the columns, the classes or the other parameters.
    """
    if given is None:
        return None
    names = [feature.name for feature in table.features]
    signs = np.array(_listed(given, names), np.int64)
    for j in np.flatnonzero(signs):
        if is_category(table.features[j]):
            raise InputError(
                f"monotonic_cst gives {names[j]!r} a direction, and its levels have no order. "
                "Make it a number, or give it 0."
            )
    if not signs.any():
        return None
    if split != "threshold":
        raise InputError(f"monotonic_cst is for split='threshold', not for {split!r}.")
    if table.n_classes > 2:
        raise InputError(
            f"monotonic_cst is for two classes, and y has {table.n_classes}. Make it two."
        )
    return signs


def _listed(given: Any, names: list[Hashable]) -> list[int]:
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise InputError(f"monotonic_cst names {name!r}. {nearest(name, names)}")
        values = [given.get(name, 0) for name in names]
    else:
        values = list(np.asarray(given, dtype=object).ravel())
        if len(values) != len(names):
            raise InputError(
                f"monotonic_cst has {len(values)} directions, and X {len(names)} columns."
            )
    for name, value in zip(names, values):
        if isinstance(value, bool | np.bool_) or value not in (-1, 0, 1):
            raise InputError(
                f"monotonic_cst is {value!r} for {name!r}. Pass 1 (the second class does not get "
                "less likely), -1 (not more likely) or 0."
            )
    return [int(value) for value in values]


def leaf_order(tree: Tree, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The leaves, and the pairs of which the first must not have a larger share than the second.

    Returns
    -------
    leaves : (n,) int64
        Nodes.
    low, high : (m,) int64
        Places among the leaves.

    Raises
    ------
    InputError
        If there are more than 1,000 leaves.
    """
    leaves = np.flatnonzero(tree.is_leaf)
    if len(leaves) > MOST_LEAVES:
        raise InputError(
            f"monotonic_cst compares every two leaves, and the tree has {len(leaves):,}. Pass "
            f"max_leaf_nodes or max_depth, for at most {MOST_LEAVES:,} leaves."
        )
    below = np.ones((len(leaves), len(leaves)), bool)
    for j in sorted(set(tree.feature.tolist()) - {LEAF}):
        if is_category(tree.features[j]):
            codes = _codes(tree, j)[leaves].astype(np.int64)
            below &= codes @ codes.T > 0
            continue
        first, last, missing = (part[leaves] for part in _ranges(tree, j))
        numbers = first < last
        if signs[j] == 0:
            start = np.maximum(first[:, None], first)
            together = start < np.minimum(last[:, None], last)
        elif signs[j] > 0:
            together = first[:, None] < last
        else:
            together = first < last[:, None]
        together &= numbers[:, None] & numbers
        below &= together | (missing[:, None] & missing)
    np.fill_diagonal(below, False)
    low, high = np.nonzero(below)
    return leaves, low, high


def _ranges(tree: Tree, j: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each node the numbers of a feature, first < x <= last, and whether it may be missing."""
    first = np.full(tree.n_nodes, -np.inf)
    last = np.full(tree.n_nodes, np.inf)
    missing = np.ones(tree.n_nodes, bool)
    # Finite ends, so that a leaf of all numbers is not empty and one above an infinite cut is.
    first[0], last[0] = -_FAR, _FAR
    for node in range(tree.n_nodes):
        if tree.feature[node] == LEAF:
            continue
        for place, child in enumerate(tree.children(node).tolist()):
            first[child], last[child] = first[node], last[node]
            missing[child] = missing[node]
            if tree.feature[node] != j:
                continue
            cut = min(float(tree.threshold[node]), _FAR)
            if place == 0:
                last[child] = min(last[child], cut)
            else:
                first[child] = max(first[child], cut)
            missing[child] &= tree.routes(node)[0] == place
    return first, last, missing


def _codes(tree: Tree, j: int) -> np.ndarray:
    """Of each node the codes of a category that come there.  (n_nodes, n_codes) bool"""
    found = np.ones((tree.n_nodes, tree.features[j].coding.n_codes), bool)
    for node in range(tree.n_nodes):
        if tree.feature[node] == LEAF:
            continue
        for place, child in enumerate(tree.children(node).tolist()):
            found[child] = found[node]
            if tree.feature[node] == j:
                found[child] &= tree.routes(node) == place
    return found
