"""A fitted decision tree of scikit-learn as a tree of ours, with the same decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.model.tree import LEAF, Feature, Tree
from arbitree.rules.axes import CategoryAxis
from arbitree.rules.sklearn_trees import float32_below, numeric_features, takes_missing
from arbitree.rules.space import Space
from arbitree.table.codings import CategoryCoding

_LEAF = -1  # sklearn.tree._tree.TREE_LEAF


def sklearn_as_tree(model: Any) -> Tree:
    """The tree in a fitted `DecisionTreeClassifier` with one output.

    Parameters
    ----------
    model : DecisionTreeClassifier

    Returns
    -------
    Tree
        Its thresholds are the largest float32 numbers that are not above those of the model, which
        part the same float32 values.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[17.0], [18.0]], ["no", "yes"])
    >>> sklearn_as_tree(model).threshold.tolist()
    [17.5, nan, nan]
    """
    found = model.tree_
    inner = found.children_left != _LEAF
    first = getattr(found, "missing_go_to_left", np.zeros(found.node_count, bool)).astype(bool)
    children = np.column_stack([found.children_left, found.children_right])[inner]
    return Tree(
        features=tuple(numeric_features(model, missing=takes_missing(model))),
        classes=tuple(model.classes_.tolist()),
        feature=np.where(inner, found.feature, LEAF),
        threshold=np.where(inner, float32_below(found.threshold), np.nan),
        child_start=np.cumsum([0, *(2 * inner)]),
        child=children.ravel(),
        route_start=np.cumsum([0, *inner]),
        route=np.where(first, 0, 1)[inner],
        label=found.value[:, 0, :].argmax(axis=1),
        n=found.n_node_samples,
        weight=found.value[:, 0, :] * found.weighted_n_node_samples[:, None],
    )


def decides_all(tree: Tree) -> Tree:
    """The tree with features of which every value may be missing, as a plain tree decides them."""
    features = tuple(
        Feature(name=f.name, coding=replace(f.coding, admits_missing=True)) for f in tree.features
    )
    return replace(tree, features=features)


def with_levels(tree: Tree, space: Space) -> Tree:
    """The tree with codes of their own for levels that only a space has, and its missing values.

    Such levels go where a level that the tree does not know went: where a missing value goes.
    """
    features, more = [], {}
    for j, feature in enumerate(tree.features):
        axis, coding = space.axes[space.place(feature.name)], feature.coding
        admits = bool(axis.whole >> axis.missing_cell & 1)
        if isinstance(axis, CategoryAxis) and isinstance(coding, CategoryCoding):
            known = {(type(level), level) for level in coding.levels}
            new = tuple(v for v in axis.levels if (type(v), v) not in known)
            more[j] = len(new)
            coding = replace(
                coding, levels=coding.levels + new, declared_unused=(), admits_missing=admits
            )
        else:
            coding = replace(coding, admits_missing=admits)
        features.append(Feature(name=feature.name, coding=coding))
    routes = [
        tree.routes(v).tolist() + more.get(j, 0) * tree.routes(v).tolist()[-1:]
        for v, j in enumerate(tree.feature.tolist())
    ]
    return replace(
        tree,
        features=tuple(features),
        route_start=np.cumsum([0, *map(len, routes)]),
        route=np.array([to for of_node in routes for to in of_node], np.uint16),
    )
