"""scikit-learn's ensembles as what they decide by: for each class a sum over trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.rules.sklearn_trees import float32_below


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SumOfTrees:
    """Scores of classes: `base`, and of each tree the value of the leaf that a row reaches.

    The class with the largest score is decided.
    """

    trees: tuple[Any, ...]  # scikit-learn's, the attribute tree_ of each estimator
    values: tuple[np.ndarray, ...]  # of each tree (n_nodes, n_classes) float64
    base: np.ndarray  # (n_classes,) float64

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Scores of rows of numbers, without the checks of a model's own `predict`.

        These checks take longer than the trees where rows are few: 500 trees and 1,000 rows 0.1 s.

        Parameters
        ----------
        rows : ndarray, shape (n_rows, n_columns)
        """
        given = np.ascontiguousarray(rows, np.float32)
        found = np.tile(self.base, (len(rows), 1))
        for tree, value in zip(self.trees, self.values):
            found += value[tree.apply(given)]
        return found

    def thresholds(self, places: Sequence[int], n_axes: int) -> list[np.ndarray]:
        """The numbers that each axis is compared with, float32 and increasing.

        Parameters
        ----------
        places : sequence of int
            The axis of each column.
        n_axes : int
        """
        feature = np.concatenate([tree.feature for tree in self.trees])
        cuts = float32_below(np.concatenate([tree.threshold for tree in self.trees]))
        # An infinite threshold parts all numbers from missing values.
        inner = (feature >= 0) & np.isfinite(cuts)
        axis, cuts = np.asarray(places, np.intp)[feature[inner]], cuts[inner]
        return [np.unique(cuts[axis == place]) for place in range(n_axes)]


def sum_of_forest(model: Any) -> SumOfTrees:
    """A random or extra-trees forest: the mean of the trees' shares of classes."""
    trees = tuple(estimator.tree_ for estimator in model.estimators_)
    shares = [
        tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True) for tree in trees
    ]
    return SumOfTrees(
        trees=trees,
        values=tuple(share / len(trees) for share in shares),
        base=np.zeros(len(model.classes_)),
    )


def sum_of_boosting(model: Any) -> SumOfTrees:
    """Gradient boosting: a constant, and regression trees times the learning rate.

    Of two classes the second has the score and the first has 0.

    Raises
    ------
    InputError
        If the model starts from another estimator than a constant.
    """
    if model.init is not None and model.init != "zero":
        raise InputError(f"The boosting starts from {model.init!r}, which cannot be verified.")
    n_rounds, n_scores = model.estimators_.shape
    n_classes = max(n_scores, 2)
    column = [1] if n_scores == 1 else list(range(n_scores))
    trees, values = [], []
    for i in range(n_rounds):
        for k in range(n_scores):
            tree = model.estimators_[i, k].tree_
            value = np.zeros((tree.node_count, n_classes))
            value[:, column[k]] = model.learning_rate * tree.value[:, 0, 0]
            trees.append(tree)
            values.append(value)
    found = SumOfTrees(trees=tuple(trees), values=tuple(values), base=np.zeros(n_classes))
    somewhere = np.zeros((1, model.n_features_in_))
    base = np.zeros(n_classes)
    raw = np.asarray(_raw(model, somewhere)).reshape(-1)
    base[column] = raw - found.scores(somewhere)[0, column]
    return SumOfTrees(trees=found.trees, values=found.values, base=base)


def _raw(model: Any, rows: np.ndarray) -> np.ndarray:
    """The model's own scores of rows, by names where it has some."""
    import pandas as pd

    names = getattr(model, "feature_names_in_", None)
    found = model.decision_function(rows if names is None else pd.DataFrame(rows, columns=names))
    return np.asarray(found)
