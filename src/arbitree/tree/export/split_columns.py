"""A transformer: columns of any kind as the numbers that a two-way tree compares."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from arbitree.model.route import readable
from arbitree.model.tree import Tree
from arbitree.tree.checked_columns import checked_columns
from arbitree.tree.export.two_way import SplitColumn, two_way
from arbitree.tree.export.words import level_set, name_words


class SplitColumns(TransformerMixin, BaseEstimator):
    """What a tree compares, as float32 numbers, NaN where missing.

    A number, date or duration that the tree compares is a column; each split of a category is one
    too: the position of the branch that a level takes. Nothing is learnt in `fit`.

    Parameters
    ----------
    tree : Tree
    named : bool, default=True
        Whether the tree was trained on columns with names, which are then checked.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> X = {"job": ["a", "b", "c"]}
    >>> tree = TreeClassifier(max_depth=1).fit(X, [0, 1, 0]).tree_
    >>> columns = SplitColumns(tree)
    >>> columns.transform(X).tolist(), columns.get_feature_names_out().tolist()
    ([[0.0], [1.0], [0.0]], ['job: 0 in {a, c}, 1 = b'])
    """

    def __init__(self, tree: Tree, named: bool = True) -> None:
        self.tree = tree
        self.named = named

    def fit(self, X: Any, y: Any = None) -> SplitColumns:
        """Do nothing: the tree says all."""
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The compared columns of some rows, shape (n_rows, n_columns) float32."""
        found = checked_columns(self, X, reset=False)
        compared = two_way(self.tree).columns
        values = {c.feature: readable(self.tree, c.feature, found[c.feature]) for c in compared}
        made = np.zeros((len(found[0]), max(len(compared), 1)), np.float32)
        for i, column in enumerate(compared):
            value = values[column.feature]
            made[:, i] = value if column.places is None else np.array(column.places)[value]
        return made

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """What each column is, in words."""
        compared = two_way(self.tree).columns
        names = [_words(self.tree, column) for column in compared] or ["nothing"]
        return np.array(names, dtype=object)

    @property
    def n_features_in_(self) -> int:
        """Columns of X."""
        return len(self.tree.features)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Names of X's columns, where it had names."""
        if not self.named:
            raise AttributeError("The columns have no names.")
        return np.array([feature.name for feature in self.tree.features], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _words(tree: Tree, column: SplitColumn) -> str:
    name = name_words(tree)[column.feature]
    coding = tree.features[column.feature].coding
    if column.places is None or not hasattr(coding, "texts"):
        return name
    parts = []
    for place in sorted(set(column.places)):
        texts = [text for text, at in zip(coding.texts, column.places) if at == place]
        parts.append(f"{place} {level_set(texts)}" if texts else f"{place} missing")
    return f"{name}: {', '.join(parts)}"
