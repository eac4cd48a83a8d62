"""scikit-learn's trees, forests and gradient boosting as arrays of splits.

Their `predict` compares ``x <= threshold`` with x rounded to float32 and the threshold a float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.rules.sklearn_trees import float32_below
from arbitree.rules.splits import Splits, by_class, doubles_below, roots, rounding

_UNIT = 2.0**-53


def splits_of_forest(trees: Sequence[Any]) -> Splits:
    """A tree, or a random or extra-trees forest: the mean of the trees' shares of classes.

    Parameters
    ----------
    trees : sequence of sklearn.tree._tree.Tree
        The attribute `tree_` of each.
    """
    value = np.concatenate([tree.value for tree in trees])[:, 0, :]
    share = value / (len(trees) * np.einsum("nk->n", value)[:, None])
    return _splits(trees, share, np.zeros(share.shape[1]))


def splits_of_boosting(model: Any) -> Splits:
    """Gradient boosting: a constant, and regression trees times the learning rate.

    Of two classes the second has the score and the first has 0.

    Raises
    ------
    InputError
        If the model starts from another estimator than a constant.
    """
    if model.init is not None and model.init != "zero":
        raise InputError(f"The boosting starts from {model.init!r}, which cannot be verified.")
    n_scores = model.estimators_.shape[1]
    trees = [one.tree_ for one in model.estimators_.ravel()]
    sizes = [tree.node_count for tree in trees]
    score = np.arange(len(trees)) % n_scores + (n_scores == 1)
    value = model.learning_rate * np.concatenate([tree.value[:, 0, 0] for tree in trees])
    n_classes = max(n_scores, 2)
    values = by_class(value, np.repeat(score, sizes), n_classes)
    return _splits(trees, values, np.zeros(n_classes))


def _splits(trees: Sequence[Any], value: np.ndarray, base: np.ndarray) -> Splits:
    root = roots([tree.children_left for tree in trees])
    n_nodes = len(value)
    column, threshold = np.empty(n_nodes, np.int32), np.empty(n_nodes)
    left, right = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    missing_left = np.zeros(n_nodes, bool)
    # Tree by tree and not one attribute after the other: scikit-learn keeps what it knows of a node
    # together, so that a tree is fetched into the cache once.
    for tree, start in zip(trees, root.tolist()):
        here = slice(start, start + tree.node_count)
        column[here], threshold[here] = tree.feature, tree.threshold
        np.add(tree.children_left, start, out=left[here])
        np.add(tree.children_right, start, out=right[here])
        missing_left[here] = getattr(tree, "missing_go_to_left", False)
    leaf = np.flatnonzero(column < 0)
    column[leaf] = left[leaf] = right[leaf] = -1
    inner = np.flatnonzero(column >= 0)
    threshold[inner] = doubles_below(float32_below(threshold[inner]))
    return Splits(
        column=column,
        threshold=threshold,
        missing_left=missing_left,
        left=left,
        right=right,
        root=root,
        value=value,
        base=base,
        tolerance=max(1e-9, rounding(value, root, _UNIT)),
    )
