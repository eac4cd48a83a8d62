"""Trees for several budgets of the gap, from one search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arbitree._errors import InputError
from arbitree.model.tree import Tree
from arbitree.tree.budget.search import budget_path
from arbitree.tree.constant import constant_reason
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.parity import GapBudget
from arbitree.tree.split import ExtraCounts
from arbitree.tree.table import TrainingTable


def fit_path(
    tree: TreeClassifier, eps_values: Sequence[float], X: Any, y: Any, **fit_options: Any
) -> list[TreeClassifier]:
    """Fit a tree for each of several budgets; ten cost about twice as much as one.

    Parameters
    ----------
    tree : TreeClassifier
        With a `GapBudget`, whose metric and groups count. Not fitted, nor changed.
    eps_values : sequence of float
        Budgets, in any order.
    X, y, **fit_options
        As for ``TreeClassifier.fit``.

    Returns
    -------
    list of TreeClassifier
        Fitted, one for each budget, in their order. A single fit searches a little longer for
        its one budget, and may find a better tree.

    Raises
    ------
    InputError
        `tree` has no budget, or as ``fit``.

    Examples
    --------
    >>> import numpy as np
    >>> import arbitree as ar
    >>> rng = np.random.default_rng(0)
    >>> X, sex = rng.normal(size=(300, 2)), rng.choice(["f", "m"], 300)
    >>> y = (X[:, 0] + (sex == "m") > 0.5).astype(int)
    >>> template = ar.TreeClassifier(parity=ar.GapBudget(0.1), max_depth=2)
    >>> trees = fit_path(template, [0.02, 0.1], X, y, sensitive_features=sex)
    >>> [tree.parity for tree in trees]
    [GapBudget(eps=0.02, metric='statistical_parity', joint=True, margin=0.0, errors='auto'), \
GapBudget(eps=0.1, metric='statistical_parity', joint=True, margin=0.0, errors='auto')]
    """
    if not isinstance(tree.parity, GapBudget):
        raise InputError(f"parity is {tree.parity!r}. Pass a tree with a GapBudget.")
    if tree.rules is not None:  # the rules decide anew for each budget
        return [_alone(tree, eps).fit(X, y, **fit_options) for eps in eps_values]
    search = _SeveralBudgets(**tree.get_params(deep=False))
    search.eps_values = list(eps_values)
    search.fit(X, y, **fit_options)
    found = []
    for eps, grown in zip(eps_values, search.trees):
        fitted = _alone(tree, eps)
        learnt = {name: value for name, value in vars(search).items() if name.endswith("_")}
        for name, value in learnt.items():
            setattr(fitted, name, value)
        fitted.tree_, fitted.constant_reason_ = grown, search.reason(grown)
        found.append(fitted)
    return found


def _alone(tree: TreeClassifier, eps: float) -> TreeClassifier:
    fitted = TreeClassifier(**tree.get_params(deep=False))
    fitted.parity = replace(tree.parity, eps=eps)  # type: ignore[type-var]
    return fitted


class _SeveralBudgets(TreeClassifier):
    """Fits all trees and keeps them, as a single one cannot."""

    eps_values: list[float]
    trees: list[Tree]
    _table: TrainingTable

    def _grown(self, table: TrainingTable, extra: ExtraCounts | None = None) -> Tree:
        self._table = table
        self.trees = budget_path(table, self.eps_values, self._options(table))
        return self.trees[0]

    def reason(self, tree: Tree) -> str | None:
        """Why a tree is constant, None of one that is not."""
        if tree.n_nodes > 1:
            return None
        return constant_reason(self._table, self._options(self._table))
