"""A tree as scikit-learn's DecisionTreeClassifier.

The one place that knows how scikit-learn lays out a fitted tree: through its ``__reduce__`` and
``__setstate__``, whose fields are checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arbitree._errors import ArbitreeError
from arbitree.model.tree import LEAF, Tree
from arbitree.tree.export.shares import shares
from arbitree.tree.export.two_way import TwoWayTree, all_numbers, two_way
from arbitree.tree.impurity import impurity

_FIELDS = {
    "left_child",
    "right_child",
    "feature",
    "threshold",
    "impurity",
    "n_node_samples",
    "weighted_n_node_samples",
    "missing_go_to_left",
}
_STATE = {"max_depth", "node_count", "nodes", "values"}
_NONE = -2  # scikit-learn's feature and threshold of a leaf


def to_sklearn(
    tree: Tree, classes: np.ndarray, *, names: Sequence[str] | None, criterion: str = "gini"
) -> Any:
    """A fitted scikit-learn estimator with the same decisions.

    Parameters
    ----------
    tree : Tree
    classes : ndarray, shape (n_classes,)
    names : sequence of str or None
        Names of the columns of X, where it had names.
    criterion : str

    Returns
    -------
    DecisionTreeClassifier or Pipeline
        A tree where every column of X holds numbers or truth values; else a pipeline that makes
        numbers of X first.

    Notes
    -----
    scikit-learn decides for the class with the largest share. In a leaf whose decision is another
    one, because of parity, `predict_proba` gives all of the share to the decision.
    """
    if all_numbers(tree):
        found = two_way(tree, truths_as_numbers=True)
        of_column = np.array([column.feature for column in found.columns], np.int64)
        estimator = _estimator(tree, found, classes, of_column, len(tree.features), criterion)
        if names is not None:
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
        return estimator
    from sklearn.pipeline import Pipeline

    from arbitree.tree.export.split_columns import SplitColumns

    found = two_way(tree)
    of_column = np.arange(len(found.columns))
    estimator = _estimator(tree, found, classes, of_column, max(len(of_column), 1), criterion)
    reads = SplitColumns(tree, named=names is not None)
    return Pipeline([("columns", reads), ("tree", estimator)])


def _estimator(
    tree: Tree,
    found: TwoWayTree,
    classes: np.ndarray,
    of_column: np.ndarray,
    n_features: int,
    criterion: str,
) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    estimator = DecisionTreeClassifier(criterion=criterion)
    codes = np.arange(len(classes))
    estimator.fit(np.zeros((len(codes), n_features), np.float32), codes)
    estimator.classes_ = classes
    kind, arguments, state = estimator.tree_.__reduce__()
    nodes = state["nodes"] if set(state) == _STATE else np.empty(0)
    if set(nodes.dtype.names or ()) != _FIELDS or state["values"].shape[1:] != (1, len(codes)):
        raise ArbitreeError(
            "This version of scikit-learn lays out trees in a way that is not known here. Use "
            "to_onnx, to_python or to_json, or another version of one of the two."
        )
    filled = kind(*arguments)
    filled.__setstate__(
        {
            "max_depth": found.depth,
            "node_count": len(found.node),
            "nodes": _nodes(tree, found, of_column, criterion, nodes.dtype),
            "values": _values(tree, found)[:, None, :],
        }
    )
    estimator.tree_ = filled
    return estimator


def _nodes(
    tree: Tree, found: TwoWayTree, of_column: np.ndarray, criterion: str, dtype: np.dtype
) -> np.ndarray:
    leaf = found.column == LEAF
    weight = found.totals(tree.weight)
    nodes = np.zeros(len(found.node), dtype)
    nodes["left_child"], nodes["right_child"] = found.left, found.right
    nodes["feature"] = _NONE
    nodes["feature"][~leaf] = of_column[found.column[~leaf]]
    nodes["threshold"] = np.where(leaf, _NONE, found.threshold)
    nodes["impurity"] = impurity(weight, criterion)
    nodes["n_node_samples"] = found.totals(tree.n)
    nodes["weighted_n_node_samples"] = weight.sum(axis=1)
    nodes["missing_go_to_left"] = found.missing_left
    return nodes


def _values(tree: Tree, found: TwoWayTree) -> np.ndarray:
    """Shares of classes; of a leaf, such that the largest is that of its decision."""
    weight = found.totals(tree.weight)
    total = weight.sum(axis=1, keepdims=True)
    values = np.where(total > 0, weight / np.where(total > 0, total, 1.0), shares(tree)[found.node])
    label = tree.label[found.node]
    moved = (found.column == LEAF) & (values.argmax(axis=1) != label)
    values[moved] = np.eye(len(tree.classes))[label[moved]]
    return values
