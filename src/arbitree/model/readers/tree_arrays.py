"""Whether the arrays of a tree of scikit-learn lead where they should.

Its prediction follows them in C and checks nothing: an index out of range reads memory that is not
the tree's, and a cycle never ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arbitree._errors import InputError

_WORDS_OF_BITS = 8  # 256 codes of categories in words of 32 bits


def check_tree(tree: Any, *, n_features: int, where: str) -> None:
    """Refuse a `sklearn.tree._tree.Tree` whose nodes do not form a tree over the columns.

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
    n_features : int
        Columns of the rows that it will be asked about.
    where : str
        What an error calls it.

    Raises
    ------
    InputError
        Names the node.
    """
    if tree.n_features != n_features:
        raise InputError(
            f"{where} is of {tree.n_features} columns, and what holds it of {n_features}."
        )
    left, right = tree.children_left, tree.children_right
    leaf = left == -1
    _refuse(leaf & (right != -1), f"{where}, node {{}}, has a right child and no left one.")
    _check_shape(left, right, leaf, where)
    _check_columns(tree.feature, leaf, n_features, where)
    _refuse(~leaf & np.isnan(tree.threshold), f"{where}, node {{}}, has no threshold.")
    strange = ~np.isfinite(tree.value).all(axis=(1, 2))
    _refuse(strange, f"{where}, node {{}}, has a value that is no finite number.")


def check_predictor(
    predictor: Any, *, n_features: int, categorical: np.ndarray, where: str
) -> None:
    """Refuse a `TreePredictor` of the histogram gradient boosting in the same way.

    Parameters
    ----------
    predictor : TreePredictor
    n_features : int
    categorical : ndarray of bool, shape (n_features,)
        Which columns hold codes of categories.
    where : str

    Raises
    ------
    InputError
        Names the node.
    """
    nodes = predictor.nodes
    if not isinstance(nodes, np.ndarray) or nodes.ndim != 1:
        raise InputError(f"{where} has no list of nodes.")
    leaf = nodes["is_leaf"].astype(bool)
    column = nodes["feature_idx"].astype(np.int64)
    _check_shape(nodes["left"].astype(np.int64), nodes["right"].astype(np.int64), leaf, where)
    _check_columns(column, leaf, n_features, where)
    asks = ~leaf & nodes["is_categorical"].astype(bool)
    _refuse(
        asks & ~categorical[np.where(leaf, 0, column)],
        f"{where}, node {{}}, asks for a category of a column of numbers.",
    )
    bits = predictor.raw_left_cat_bitsets
    if not isinstance(bits, np.ndarray) or bits.dtype != np.uint32 or bits.ndim != 2:
        raise InputError(f"{where} has no sets of categories.")
    if bits.shape[1] != _WORDS_OF_BITS:
        raise InputError(f"{where} has sets of {32 * bits.shape[1]} categories, and not of 256.")
    _refuse(
        asks & (nodes["bitset_idx"].astype(np.int64) >= len(bits)),
        f"{where}, node {{}}, names a set of categories out of range: there are {len(bits)}.",
    )
    numbers = ~leaf & ~asks
    _refuse(numbers & np.isnan(nodes["num_threshold"]), f"{where}, node {{}}, has no threshold.")
    _refuse(
        leaf & ~np.isfinite(nodes["value"]),
        f"{where}, node {{}}, has a value that is no finite number.",
    )


def _check_shape(left: np.ndarray, right: np.ndarray, leaf: np.ndarray, where: str) -> None:
    """Children stand behind their parent, and every node but the first has one parent."""
    n_nodes = len(left)
    if not n_nodes:
        raise InputError(f"{where} has no nodes.")
    for side, child in (("left", left), ("right", right)):
        wrong = ~leaf & ((child < 0) | (child >= n_nodes))
        _refuse(
            wrong,
            f"{where}, node {{}}, has the {side} child {{}}: out of range, there are {n_nodes} "
            "nodes.",
            child,
        )
        _refuse(
            ~leaf & (child <= np.arange(n_nodes)),
            f"{where}, node {{}}, has the {side} child {{}}, which stands before it: a cycle.",
            child,
        )
    parents = np.bincount(np.concatenate([left[~leaf], right[~leaf]]), minlength=n_nodes)
    parents[0] += 1
    _refuse(parents != 1, f"{where}, node {{}}, has not one parent.")


def _check_columns(column: np.ndarray, leaf: np.ndarray, n_features: int, where: str) -> None:
    _refuse(
        ~leaf & ((column < 0) | (column >= n_features)),
        f"{where}, node {{}}, asks for column {{}}: out of range, there are {n_features} columns.",
        column,
    )


def _refuse(wrong: np.ndarray, words: str, value: np.ndarray | None = None) -> None:
    """Raise of the first node that is wrong."""
    if wrong.any():
        node = int(np.argmax(wrong))
        raise InputError(words.format(node, None if value is None else value[node]))
