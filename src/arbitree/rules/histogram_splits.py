"""scikit-learn's histogram gradient boosting as arrays of splits.

Its trees are in no public attribute: this file alone reads private ones (`_predictors`,
`_preprocessor`), and tests/rules/test_histogram_splits.py fails where they change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arbitree.rules.splits import Splits, by_class, placed, roots, rounding

_WORD = 32  # bits of the words that sets of categories are kept in


def splits_of_histogram(model: Any) -> Splits:
    """A fitted `HistGradientBoostingClassifier`. It compares float64 numbers, ``x <= threshold``.

    Of a categorical column it reads the code of the category; one that it does not know is a
    missing value. The score of the first of two classes is 0, and `base` is 0.
    """
    predictors = [tree for round_ in model._predictors for tree in round_]
    n_scores = len(model._predictors[0])
    order = _columns_as_given(model)
    nodes = [tree.nodes for tree in predictors]
    every = np.concatenate(nodes)
    leaf = every["is_leaf"].astype(bool)
    left = [_child(of, "left") for of in nodes]
    score = np.arange(len(nodes)) % n_scores + (n_scores == 1)
    of_node = np.repeat(score, [len(of) for of in nodes])
    value = by_class(np.where(leaf, every["value"], 0.0), of_node, max(n_scores, 2))
    root = roots(left)
    return Splits(
        column=np.where(leaf, -1, order[every["feature_idx"]]).astype(np.int32),
        threshold=every["num_threshold"].astype(np.float64),
        missing_left=every["missing_go_to_left"].astype(bool),
        left=placed(left),
        right=placed([_child(of, "right") for of in nodes]),
        root=root,
        value=value,
        base=np.zeros(value.shape[1]),
        tolerance=max(1e-9, rounding(value, root, 2.0**-53)),
        left_codes=_left_codes(predictors, root),
    )


def category_lists(model: Any) -> dict[int, tuple[object, ...]]:
    """The categories of each categorical column, in the order of their codes.

    A last category that is missing is left out: it has no code.
    """
    if model._preprocessor is None:
        return {}
    categories = model._preprocessor.named_transformers_["encoder"].categories_
    columns = np.flatnonzero(model.is_categorical_)
    return {
        int(column): tuple(level for level in levels.tolist() if level == level)
        for column, levels in zip(columns, categories)
    }


def _columns_as_given(model: Any) -> np.ndarray:
    """The columns of the data, in the order of the trees: categorical ones come first."""
    given = np.arange(model.n_features_in_)
    if model._preprocessor is None:
        return given
    is_categorical = np.asarray(model.is_categorical_, bool)
    return np.concatenate([given[is_categorical], given[~is_categorical]])


def _child(nodes: np.ndarray, side: str) -> np.ndarray:
    return np.where(nodes["is_leaf"].astype(bool), -1, nodes[side].astype(np.int64))


def _left_codes(predictors: list[Any], root: np.ndarray) -> dict[int, np.ndarray]:
    found = {}
    for tree, start in zip(predictors, root.tolist()):
        asks = tree.nodes["is_categorical"].astype(bool) & ~tree.nodes["is_leaf"].astype(bool)
        for node in np.flatnonzero(asks).tolist():
            words = tree.raw_left_cat_bitsets[tree.nodes["bitset_idx"][node]]
            bits = words[:, None] >> np.arange(_WORD, dtype=np.uint32) & np.uint32(1)
            found[start + node] = np.flatnonzero(bits.ravel())
    return found
