"""A decision tree with scikit-learn's contract, and bounds on how it treats groups."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from arbitree._errors import ArbitreeWarning, InputError
from arbitree.model.route import leaves, paths
from arbitree.model.tree import Tree
from arbitree.table.frames import Column
from arbitree.tree.checked_columns import checked_columns
from arbitree.tree.class_weight import class_weights
from arbitree.tree.constant import constant_reason
from arbitree.tree.exported import TreeExports
from arbitree.tree.favorable import Favorable, labels_of, say_themselves
from arbitree.tree.fitted_tree import FittedTree
from arbitree.tree.grown import grown
from arbitree.tree.inputs import (
    favorable_classes,
    paired_rows,
    refuse_sensitive_splits,
    training_table,
)
from arbitree.tree.labels import class_values, classes_and_codes
from arbitree.tree.leaf_order import monotonic_signs, refuse_rules
from arbitree.tree.monotone import made_monotone
from arbitree.tree.options import (
    GROWTH,
    GrowthOptions,
    check_parity,
    growth_options,
    truth,
)
from arbitree.tree.parity import Parity
from arbitree.tree.populations import Population
from arbitree.tree.prune import pruning_path
from arbitree.tree.rule_methods import check_rule_choices, learnt_under_rules
from arbitree.tree.shown import ShownTree
from arbitree.tree.split import ExtraCounts
from arbitree.tree.table import TrainingTable

if TYPE_CHECKING:
    from scipy import sparse

    from arbitree.rules.space import Space
    from arbitree.tree.rule_effect import RuleEffect


class TreeClassifier(ShownTree, FittedTree, TreeExports, ClassifierMixin, BaseEstimator):
    """A small decision tree that may be asked to be fair.

    Parameters
    ----------
    split : {"threshold", "logistic", "multiway"}, default="threshold"
        ``"threshold"``: a number at or below a threshold, a category in a set of levels (CART).
        ``"logistic"``: where the logistic regression of one feature says so (LRT); the feature
        with fewest errors wins. ``"multiway"``: a branch a level (ID3), numbers in two.
    criterion : {"gini", "entropy"}, default="gini"
        What a split decreases; not used by ``"logistic"``.
    parity : Covariance, SplitGap, GapBudget or None, default=None
        A bound on how differently groups are treated: of each node's regression, of each split,
        or of the whole tree's decisions. Needs `sensitive_features` in `fit`.
    rules : Rules, str or None, default=None
        What the tree must decide of known cases, on every row of the domain, in the data or not.
        See docs/rules.md. Rules win over everything else, also over `parity`.
    method : str, default="integrated"
        ``"post-facto"``: grown by the data, then made safe leaf by leaf. ``"integrated"``: also
        with splits ranked by `rules` too (not under a `GapBudget`), and with tests that leaves
        share; of these the tree with fewest errors, then nodes. Both are always safe.
        ``"post-facto-literal"``, ``"integrated-literal"``: as the paper has them, not always safe.
    rule_weight : {"prior", "independent", "paper"}, default="prior"
        How much rules weigh in a split: as many rows as their conditions have combinations of
        values; or as they would with independent features; or the number of combinations itself.
    contradictions : {"error", "keep", "relabel", "drop"}, default="error"
        What becomes of training rows that a rule or a fact contradicts.
    max_depth, max_leaf_nodes : int or None, default=None
        With `max_leaf_nodes` the split with the largest gain comes first.
    min_samples_split, min_samples_leaf : int or float, default=2, 1
        Rows, or as a float a share of all rows. Where all weights are whole, a row of weight 3
        is three rows; else each row counts once. With a `GapBudget` leaves may be "auto": 1, 20
        or 60 rows, by cross-validation on the training rows (3 times 3 trees).
    min_weight_fraction_leaf, min_impurity_decrease : float, default=0.0
        As in scikit-learn.
    ccp_alpha : float, default=0.0
        Minimal cost-complexity pruning, as in scikit-learn.
    simplify : bool, default=False
        Merge leaves below one split that decide alike. No decision changes; `predict_proba` does,
        since it is the shares of classes in a leaf.
    max_bins : int, default=255
        Numbers with more distinct values are cut at quantiles, by weight.
    class_weight : dict, "balanced" or None, default=None
    favorable_label : label or list of labels, optional
        The favourable class, by default the second of two, or several that count as one. Needed
        for more classes with `sensitive_features`, and by one-sided metrics unless labels are 0/1,
        -1/1 or booleans.
    allow_sensitive_splits : bool, default=False
        Let the tree split on a column of X that is a sensitive one too.
    random_state : int, RandomState instance or None, default=None
        Not used: nothing is drawn. Here for tools that set the seed of every estimator.
    monotonic_cst : dict from name or array (n_features,) of 1, 0 and -1, optional
        1: the second class gets no less likely as the feature grows; -1: no more likely. The tree
        is grown, then made monotone on its whole domain. For two classes and numbers that
        ``"threshold"`` splits, without `rules`.

    Attributes
    ----------
    classes_ : ndarray
    tree_ : Tree
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X has names.
    favorable_label_ : label or list of labels
        The favourable class, or classes.
    favorable_assumed_ : bool
        Whether nobody said so: without `favorable_label`, of labels that are not 0/1, -1/1 or
        booleans.
    constant_reason_ : str or None
        Why the tree has no split, if it has none.
    rule_effect_ : RuleEffect
        With `rules`: what they changed, and the part of the gap that they cause.
    domain_ : Space or None
        With `rules`: the rows that they speak of. Others are refused.
    parity_report_ : DataFrame
        Where `fit` saw sensitive features: a row for each split, and how much it adds to the gap.

    Notes
    -----
    Categories, texts and truths are split by their levels, so do not one-hot encode them. Missing
    values go to the side with the larger gain. A number is compared as float32 by
    ``x <= threshold``. Of equal splits the first feature and the lowest threshold wins.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"job": ["a", "b", "b", "c"], "age": [30, 40, 50, 60]})
    >>> tree = TreeClassifier(max_depth=1).fit(X, ["yes", "no", "no", "yes"])
    >>> tree.predict(pd.DataFrame({"job": ["c", "b"], "age": [20, 20]})).tolist()
    ['yes', 'no']
    """

    classes_: np.ndarray
    tree_: Tree
    n_features_in_: int
    favorable_: Favorable
    favorable_assumed_: bool
    populations_: tuple[Population, ...]
    constant_reason_: str | None
    rule_effect_: RuleEffect
    domain_: Space | None = None

    def __init__(
        self,
        *,
        split: str = "threshold",
        criterion: str = "gini",
        parity: Parity | None = None,
        rules: Any = None,
        rule_weight: str = "prior",
        method: str = "integrated",
        contradictions: str = "error",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float | str = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        simplify: bool = False,
        max_bins: int = 255,
        class_weight: Any = None,
        favorable_label: Any = None,
        allow_sensitive_splits: bool = False,
        random_state: Any = None,
        monotonic_cst: Any = None,
    ) -> None:
        self.split = split
        self.criterion = criterion
        self.parity = parity
        self.rules = rules
        self.rule_weight = rule_weight
        self.method = method
        self.contradictions = contradictions
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.simplify = simplify
        self.max_bins = max_bins
        self.class_weight = class_weight
        self.favorable_label = favorable_label
        self.allow_sensitive_splits = allow_sensitive_splits
        self.random_state = random_state
        self.monotonic_cst = monotonic_cst

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        sensitive_features: Any = None,
        control_features: Any = None,
        sample_weight: Any = None,
    ) -> TreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : frame or array, shape (n_rows, n_features)
            Numbers, texts, categories, truths, dates; values may be missing.
        y : array or column, shape (n_rows,)
            Labels of any type.
        sensitive_features : frame, column or array, optional
            Groups of rows; `predict` never sees them.
        control_features : frame, column or array, optional
            Within the levels of which groups are compared, for the metric
            ``"conditional_statistical_parity"``.
        sample_weight : array or column, optional
            A weight of 3 is as the row three times, of 0 as no row.

        Returns
        -------
        TreeClassifier
            Itself.

        Raises
        ------
        InputError
            If an input or a parameter makes no sense; says where and what to do.
        """
        self._refuse_unready(sensitive_features)
        features = checked_columns(self, X, reset=True)
        self.classes_, codes, index = classes_and_codes(y)
        rows = paired_rows(
            features,
            codes,
            index,
            sensitive_features=sensitive_features,
            control_features=control_features,
            sample_weight=sample_weight,
        )
        if not truth("allow_sensitive_splits", self.allow_sensitive_splits):
            refuse_sensitive_splits(rows.features, rows.sensitive)
        self.favorable_ = favorable_classes(
            self.classes_,
            self.favorable_label,
            parity=self.parity,
            compares=sensitive_features is not None,
        )
        self.favorable_label_ = labels_of(self.favorable_, list(self.classes_))
        classes = class_values(self.classes_)
        self.favorable_assumed_ = self.favorable_label is None and not say_themselves(classes)
        table, notices = training_table(
            rows,
            classes=classes,
            favorable=self.favorable_,
            class_weight=class_weights(self.class_weight, classes, rows.y, rows.weights),
            max_bins=self.max_bins,
            parity=self.parity,
            with_values=self.split == "logistic",
        )
        self.populations_ = table.populations
        if self.rules is None:
            self.tree_ = self._grown(table)
        else:
            notices += self._fit_under_rules(table, rows.features)
        for notice in notices:
            warnings.warn(notice, ArbitreeWarning, stacklevel=2)
        return self

    def _fit_under_rules(self, table: TrainingTable, columns: Sequence[Column]) -> tuple[str, ...]:
        from arbitree.tree.under_rules import governed

        problem = governed(self.rules, table, columns, contradictions=self.contradictions)
        options = self._options(problem.table)
        self.tree_, self.rule_effect_ = learnt_under_rules(
            problem, options, method=self.method, rule_weight=self.rule_weight, grow=self._grown
        )
        self.domain_ = problem.space
        if self.tree_.n_nodes > 1:
            self.constant_reason_ = None
        return problem.notices + self.rule_effect_.notices

    def _refuse_unready(self, sensitive_features: Any) -> None:
        check_rule_choices(self.method, self.rule_weight, self.contradictions)
        check_parity(self.parity)
        refuse_rules(self.monotonic_cst, self.rules)
        if self.parity is not None and sensitive_features is None:
            raise InputError(
                f"parity={self.parity!r} needs groups. Pass sensitive_features to fit."
            )

    def _options(self, table: TrainingTable) -> GrowthOptions:
        return growth_options(table.n_rows, **{name: getattr(self, name) for name in GROWTH})

    def _grown(self, table: TrainingTable, extra: ExtraCounts | None = None) -> Tree:
        options = self._options(table)
        signs = monotonic_signs(self.monotonic_cst, table, split=self.split)
        tree = grown(table, options, extra)
        if signs is not None:
            tree = made_monotone(tree, signs, table, options)
        self.constant_reason_ = constant_reason(table, options) if tree.n_nodes == 1 else None
        return tree

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row.

        Parameters
        ----------
        X : frame or array, shape (n_rows, n_features)
            A level that training did not know is as a missing value.

        Returns
        -------
        ndarray, shape (n_rows,)
        """
        found = self._leaves(X)
        return self.classes_[self.tree_.label[found]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The share of each class among the training rows of a row's leaf.

        The largest share need not be that of the class which `predict` gives, where parity moved
        the decision of a leaf.

        Returns
        -------
        ndarray, shape (n_rows, n_classes)
        """
        found = self._leaves(X)
        weight = self.tree_.weight
        total = weight.sum(axis=1, keepdims=True)
        decided = np.eye(weight.shape[1])[self.tree_.label]  # of a leaf without training rows
        share: np.ndarray = np.divide(weight, total, out=decided, where=total > 0)[found]
        return share

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of `predict_proba`; minus infinity for a share of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def apply(self, X: Any) -> np.ndarray:
        """The number of the leaf that each row falls into, shape (n_rows,)."""
        return self._leaves(X).astype(np.int64)

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """The nodes that each row passes: a sparse indicator, shape (n_rows, n_nodes)."""
        from scipy.sparse import csr_matrix

        found = self._leaves(X)
        passed = paths(self.tree_)
        lengths = np.array([len(path) for path in passed])
        first = np.cumsum(lengths) - lengths  # of each node's path among all paths
        start = np.concatenate([[0], np.cumsum(lengths[found])])
        at = np.arange(start[-1]) + np.repeat(first[found] - start[:-1], lengths[found])
        nodes = np.concatenate(passed)[at]
        return csr_matrix(
            (np.ones(len(nodes), np.int64), nodes, start), shape=(len(found), self.tree_.n_nodes)
        )

    def _leaves(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        columns = checked_columns(self, X, reset=False)
        if self.domain_ is not None:
            self.domain_.encode(columns)  # refuses rows of which the rules say nothing
        return leaves(self.tree_, columns)

    def cost_complexity_pruning_path(self, X: Any, y: Any, **fit_options: Any) -> Bunch:
        """The values of `ccp_alpha` that give different trees, as in scikit-learn.

        Parameters
        ----------
        X, y, **fit_options
            As for `fit`.

        Returns
        -------
        Bunch
            ``ccp_alphas``, increasing from 0, and ``impurities``, of the leaves of each tree.
        """
        whole = clone(self).set_params(ccp_alpha=0.0, simplify=False).fit(X, y, **fit_options)
        alphas, impurities = pruning_path(whole.tree_, criterion=self.criterion)
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.split != "logistic"
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
