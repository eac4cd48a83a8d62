"""A fitted tree made to obey rules, and otherwise left as it is."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import ArbitreeWarning, InputError, LabelError
from arbitree._wording import counted, nearest
from arbitree.model.fitted import refuse_own_unfitted, refuse_unfitted
from arbitree.model.route import leaves
from arbitree.model.tree import LEAF, Tree
from arbitree.rules.bound import BoundRules
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.decided_against import share_against, unsafe_by_rule, unsafe_leaves
from arbitree.rules.guard_repaired import mended
from arbitree.rules.guard_rows import RowsOfTree
from arbitree.rules.pool_leaves import pooled
from arbitree.rules.ruleset import Rules
from arbitree.rules.settle import Settled, rows_under_rules, settle
from arbitree.rules.sklearn_as_tree import decides_all, sklearn_as_tree, with_levels
from arbitree.rules.text import statement_text
from arbitree.rules.verify import bound_to_model, verify
from arbitree.table.frames import Column
from arbitree.tree.checked_columns import read_columns
from arbitree.tree.class_weight import class_weights
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.favorable import labels_of, say_themselves
from arbitree.tree.inputs import Rows, paired_rows
from arbitree.tree.labels import class_array, class_values, classes_and_codes
from arbitree.tree.repaired import Repair
from arbitree.tree.rule_effect import RuleEffect
from arbitree.tree.rule_methods import check_rule_choices

_SHARED = (  # parameters that mean the same here and in scikit-learn
    *("max_depth", "max_leaf_nodes", "min_samples_split", "min_samples_leaf", "class_weight"),
    *("min_weight_fraction_leaf", "min_impurity_decrease", "ccp_alpha"),
)


def repair(
    model: Any,
    rules: Any,
    X: Any,
    y: Any,
    *,
    domain: Any = None,
    contradictions: str = "error",
    sample_weight: Any = None,
) -> TreeClassifier:
    """A tree that decides as a fitted one wherever rules allow it, and obeys the rules.

    Parameters
    ----------
    model : DecisionTreeClassifier, TreeClassifier or Tree
        Fitted; it is not changed.
    rules : Rules or str
    X : frame or array, shape (n_rows, n_features)
        Rows by which new decisions are chosen and the tree's rows are counted, such as those that
        the model was trained on.
    y : array or column, shape (n_rows,)
        Their labels, all of them classes of the model.
    domain : frame, array, Schema or sequence of Feature, optional
        Which rows there are, beside what `rules` declare: see `Rules.bind`. By default all that
        the model decides: any number, any level, and missing values. Pass X where none can be
        missing but those that are; other rows are then refused.
    contradictions : {"error", "keep", "relabel", "drop"}
        What becomes of rows of X that a rule or a fact contradicts.
    sample_weight : array or column, optional

    Returns
    -------
    TreeClassifier
        Fitted, with `repair_`, a `Repair` that says what changed. Its decision of a row is the
        model's unless a rule forbids that, and its shares of classes are the model's unless a
        rule holds of the row. Where decisions change, the heaviest allowed class of the rows there
        is taken.

    Raises
    ------
    RuleError
        If the rules do not fit the model or the rows.
    ContradictionError
        If they leave a row that can exist none of the model's classes.
    InputError
        If the model is no single tree; `Shield` takes any classifier.

    Notes
    -----
    A tree of ours cannot tell a missing value from a level that it does not know: if a rule forbids
    the decision of one of them, that of the other may change too. Of rows that facts say cannot be
    nothing is promised.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = [[10.0], [17.0], [18.0], [30.0]], ["deny", "deny", "approve", "approve"]
    >>> model = DecisionTreeClassifier().fit(X, y)
    >>> model.predict([[17.5], [17.6], [float("nan")]]).tolist()
    ['deny', 'approve', 'approve']
    >>> safe = repair(model, "x_0 < 18 => deny", X, y)
    >>> safe.predict([[17.5], [17.6], [float("nan")]]).tolist()
    ['deny', 'deny', 'deny']
    >>> safe.repair_.n_nodes_before, safe.repair_.n_nodes
    (3, 5)
    """
    check_rule_choices("post-facto", "prior", contradictions)
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    if not isinstance(rules, Rules):
        raise InputError(f"rules is a {type(rules).__name__}. Pass Rules.parse(...), or a text.")
    tree = tree_of(model)
    bound = bound_for(rules, tree, domain)
    tree = with_levels(tree, bound.space)
    problem = _problem(model, tree, bound, X, y, contradictions, sample_weight)
    safe = mended(problem.pooled, bound, problem.rows())
    result = _estimator(model, safe, rules, contradictions, X)
    _check(result, rules, bound, domain)
    result.domain_ = bound.space
    result.repair_ = problem.effect(safe)
    result.rule_effect_ = _rule_effect(result.repair_, problem, safe)
    for notice in (*problem.settled.notices, *_broken_before(model, rules, result)):
        warnings.warn(notice, ArbitreeWarning, stacklevel=2)
    return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problem:
    """A tree, the rules for it, and rows by which it is repaired."""

    tree: Tree
    pooled: Tree  # the same decisions, with fewer leaves that break a rule
    bound: BoundRules
    columns: Sequence[Column]  # of all rows
    cells: Sequence[np.ndarray]
    y: np.ndarray  # as passed
    settled: Settled
    weights: np.ndarray
    class_weight: np.ndarray

    def errors(self, tree: Tree) -> float:
        """Weight of the rows that a tree decides otherwise than they are labelled."""
        at = np.flatnonzero(self.settled.keep)
        y = self.settled.y[at]
        wrong = tree.label[leaves(tree, self.columns)[at]] != y
        return float((self.weights[at] * self.class_weight[y])[wrong].sum())

    def rows(self) -> RowsOfTree:
        """Rows to choose classes by, in the leaves of the pooled tree."""
        at = np.flatnonzero(self.settled.keep)
        return RowsOfTree(
            cells=[codes[at] for codes in self.cells],
            leaf=leaves(self.pooled, self.columns)[at],
            y=self.settled.y[at],
            weights=self.weights[at],
            class_weight=self.class_weight,
            group=np.zeros(len(at), np.int64),
            n_groups=1,
            counts_rows=bool(np.all(self.weights == np.floor(self.weights))),
        )

    def effect(self, safe: Tree) -> Repair:
        before = self.tree.label[leaves(self.tree, self.columns)]
        after = safe.label[leaves(safe, self.columns)]
        decided = rows_under_rules(self.bound, self.cells, before)
        unsafe = unsafe_by_rule(self.tree, self.bound)
        return Repair(
            n_nodes_before=self.tree.n_nodes,
            n_nodes=safe.n_nodes,
            n_leaves_before=self.tree.n_leaves,
            n_leaves=safe.n_leaves,
            depth_before=int(self.tree.depth.max()),
            depth=int(safe.depth.max()),
            n_rows=len(self.y),
            changed=np.flatnonzero(before != after),
            accuracy_before=float(np.average(before == self.y, weights=self.weights)),
            accuracy=float(np.average(after == self.y, weights=self.weights)),
            share_of_domain=share_against(self.tree, self.bound),
            by_rule=pd.DataFrame(
                {
                    "rule": [rule.name for rule in self.bound.rules],
                    "text": [statement_text(rule.rule) for rule in self.bound.rules],
                    "n_matching": decided.holds.sum(axis=1),
                    "n_overruled": decided.overruled.sum(axis=1),
                    "n_leaves": [len(of_rule) for of_rule in unsafe],
                }
            ),
            n_unsafe=len(set().union(*unsafe)),
            contradicting=self.settled.contradicting,
            impossible=self.settled.impossible,
            notices=self.settled.notices,
        )


def tree_of(model: Any) -> Tree:
    """The tree of a model, with missing values where it decides them.

    Raises
    ------
    InputError
        If the model is no single tree.
    """
    from sklearn.tree import DecisionTreeClassifier

    if isinstance(model, Tree):
        return decides_all(model)
    if isinstance(model, TreeClassifier):
        refuse_unfitted(model)
        return model.tree_ if model.domain_ is not None else decides_all(model.tree_)
    if not isinstance(model, DecisionTreeClassifier):
        refuse_own_unfitted(model)
        raise InputError(
            f"A {type(model).__name__} cannot be repaired: that takes a single decision tree, a "
            "TreeClassifier or scikit-learn's DecisionTreeClassifier. In Python, ar.Shield "
            "makes any other classifier safe."
        )
    refuse_unfitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise InputError(f"The model decides {model.n_outputs_} things at once. Pass one of them.")
    return sklearn_as_tree(model)


def bound_for(rules: Rules, tree: Tree, domain: Any) -> BoundRules:
    """Rules over the tree's classes, as it can decide no others."""
    bound = bound_to_model(rules, tree.features, tree.classes, domain)
    if len(bound.classes) > len(tree.classes):
        bound = replace(bound, classes=bound.classes[: len(tree.classes)])
        refuse_contradiction(bound)
    return bound


def _problem(
    model: Any,
    tree: Tree,
    bound: BoundRules,
    X: Any,
    y: Any,
    contradictions: str,
    sample_weight: Any,
) -> _Problem:
    rows = _rows(model, tree, X, y, sample_weight)
    weights = np.ones(len(rows.y)) if rows.weights is None else rows.weights
    class_weight = getattr(model, "class_weight", None)
    price = class_weights(class_weight, tree.classes, rows.y, rows.weights)
    cells = bound.space.encode(rows.features)
    found = rows_under_rules(bound, cells, rows.y)
    settled = settle(bound, found, rows.y, contradictions=contradictions, weights=weights)
    return _Problem(
        tree=tree,
        pooled=pooled(tree, unsafe_leaves(tree, bound)),
        bound=bound,
        columns=rows.features,
        cells=cells,
        y=rows.y,
        settled=settled,
        weights=weights,
        class_weight=np.ones(len(tree.classes)) if price is None else price,
    )


def _rows(model: Any, tree: Tree, X: Any, y: Any, sample_weight: Any) -> Rows:
    """Rows with the names of the tree's features, and places of labels among its classes."""
    found = read_columns(model, X)
    if len(found) != len(tree.features):
        raise InputError(
            f"X has {counted(len(found), 'column')}, and the tree reads {len(tree.features)}."
        )
    named = [replace(column, name=f.name) for column, f in zip(found, tree.features)]
    labels, codes, index = classes_and_codes(y)
    places = {label: place for place, label in enumerate(tree.classes)}
    known = []
    for label in class_values(labels):
        if label not in places:
            raise LabelError(
                f"y has the label {label!r}, which is no class of the model. "
                f"{nearest(str(label), list(tree.classes))}"
            )
        known.append(places[label])
    return paired_rows(
        named,
        np.array(known, np.intp)[codes],
        index,
        sensitive_features=None,
        control_features=None,
        sample_weight=sample_weight,
    )


def _estimator(model: Any, tree: Tree, rules: Rules, contradictions: str, X: Any) -> TreeClassifier:
    """A fitted estimator around a repaired tree; what it is said to be grown by is the model's."""
    given = {} if isinstance(model, Tree) else model.get_params(deep=False)
    if not isinstance(model, TreeClassifier):
        criterion = "gini" if given.get("criterion", "gini") == "gini" else "entropy"
        given = {"criterion": criterion, **{k: given[k] for k in _SHARED if k in given}}
    found = TreeClassifier(**{**given, "rules": rules, "contradictions": contradictions})
    found.tree_ = tree
    found.classes_ = getattr(model, "classes_", class_array(tree.classes))
    found.n_features_in_ = len(tree.features)
    names = getattr(model, "feature_names_in_", None)
    if names is None and isinstance(model, Tree):
        names = _names_of(X, tree)
    if names is not None:
        found.feature_names_in_ = np.array(names, dtype=object)
    found.favorable_ = getattr(model, "favorable_", min(1, len(tree.classes) - 1))
    found.favorable_label_ = labels_of(found.favorable_, list(found.classes_))
    found.favorable_assumed_ = getattr(
        model, "favorable_assumed_", not say_themselves(tree.classes)
    )
    found.populations_ = ()
    why = getattr(model, "constant_reason_", None) or "The model that was repaired has no split."
    found.constant_reason_ = why if tree.feature[0] == LEAF else None
    return found


def _names_of(X: Any, tree: Tree) -> list[Any] | None:
    """Names of a frame, if they are those of the tree."""
    given = list(getattr(X, "columns", X if isinstance(X, dict) else ()))
    wanted = [feature.name for feature in tree.features]
    return wanted if set(map(str, given)) >= set(map(str, wanted)) else None


def _check(result: TreeClassifier, rules: Rules, bound: BoundRules, domain: Any) -> None:
    """What was built is checked by what did not build it."""
    wrong = unsafe_leaves(result.tree_, bound)
    holds = not rules.rules or verify(result, rules, domain=domain).status == "holds"
    if wrong or not holds:
        raise AssertionError(f"Leaves {wrong} of a repaired tree break a rule.")


def _rule_effect(found: Repair, problem: _Problem, safe: Tree) -> RuleEffect:
    return RuleEffect(
        n_nodes_grown=found.n_nodes_before,
        n_nodes=found.n_nodes,
        weight_changed=float(problem.weights[found.changed].sum()),
        errors_grown=problem.errors(problem.tree),
        errors=problem.errors(safe),
        contradicting=found.contradicting,
        impossible=found.impossible,
        gap_grown=None,
        gap=None,
        budget=None,
        least_gap=None,
    )


def _broken_before(model: Any, rules: Rules, result: TreeClassifier) -> list[str]:
    """Rules that the model was learnt with and that its repair breaks."""
    old = getattr(model, "rules", None)
    old = Rules.parse(old) if isinstance(old, str) else old
    if not isinstance(model, TreeClassifier) or old is None or old == rules:
        return []
    verdicts = verify(result, old).verdicts if old.rules else ()
    broken = [verdict.rule for verdict in verdicts if verdict.status != "holds"]
    if not broken:
        return []
    return [
        f"The repaired tree no longer obeys {', '.join(broken)} of the rules that the model was "
        "learnt with. Pass all rules together."
    ]
