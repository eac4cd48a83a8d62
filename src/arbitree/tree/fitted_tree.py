"""What can be asked of a fitted tree without rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arbitree.model.tree import Tree
from arbitree.tree.favorable import Favorable
from arbitree.tree.importance import importances
from arbitree.tree.populations import Population


class FittedTree:
    """The part of `TreeClassifier` that only reads its tree."""

    criterion: str
    classes_: np.ndarray
    tree_: Tree
    favorable_: Favorable
    populations_: tuple[Population, ...]

    @property
    def feature_importances_(self) -> np.ndarray:
        """The share of each feature in the decrease of impurity, shape (n_features,)."""
        _check(self)
        return importances(self.tree_, self.criterion)

    @property
    def n_classes_(self) -> int:
        """Classes."""
        _check(self)
        return len(self.classes_)

    @property
    def parity_report_(self) -> pd.DataFrame:
        """How much each split adds to the training gap: see `arbitree.tree.parity_report`."""
        _check(self)
        from arbitree.tree.fitted_report import fitted_report

        return fitted_report(self.tree_, self.populations_, favorable=self.favorable_)

    def get_depth(self) -> int:
        """Most splits between the root and a leaf."""
        _check(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """Leaves of the tree."""
        _check(self)
        return self.tree_.n_leaves


def _check(tree: FittedTree) -> None:
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(tree)
