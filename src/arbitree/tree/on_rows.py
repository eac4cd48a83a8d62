"""Parity of a fitted tree, split by split: on its training rows, or on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.model.fitted import refuse_own_unfitted
from arbitree.model.route import leaves
from arbitree.model.tree import Tree
from arbitree.table.code import code_groups
from arbitree.table.distinct import distinct
from arbitree.table.frames import Column, column
from arbitree.tree import bounds
from arbitree.tree import local_parity as tests
from arbitree.tree import parity_report as report
from arbitree.tree.checked_columns import read_columns
from arbitree.tree.favorable import favorable_words
from arbitree.tree.fitted_report import by_population, reached_by
from arbitree.tree.inputs import Rows, paired_rows
from arbitree.tree.labels import class_values
from arbitree.tree.parity import bounded_metric, metrics_of
from arbitree.tree.populations import Grouping, Population, grouping
from arbitree.tree.reached import inner_nodes

_WITHOUT_LABELS = ("statistical_parity", "conditional_statistical_parity")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Given:
    """Rows as they were passed; `X` None stands for the training rows."""

    X: Any
    y: Any
    sensitive_features: Any
    control_features: Any
    sample_weight: Any


def parity_report(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    sensitive_features: Any = None,
    control_features: Any = None,
    sample_weight: Any = None,
    metric: str | None = None,
    joint: bool = True,
    symmetric: bool = False,
    widest: bool = False,
) -> pd.DataFrame:
    """Which split of a fitted tree causes how much of its gap.

    Parameters
    ----------
    model : TreeClassifier
        Fitted. Without X, what its training rows say, of the metric of its `parity`.
    X, y : frame or array (n, d), array-like (n,)
        Other rows; labels are needed by metrics of them only. Of a frame, columns are taken by
        name, and others are left aside.
    sensitive_features, control_features, sample_weight
        Of these rows, as for ``TreeClassifier.fit``.
    metric : str, optional
        By default that of the tree's `parity`, without one ``"statistical_parity"``. Or
        ``"equal_opportunity"``, ``"predictive_equality"``,
        ``"equalized_odds"`` or, within levels of `control_features`,
        ``"conditional_statistical_parity"``.
    joint : bool
        Groups are the combinations of all sensitive columns; with False, those of each column.
    symmetric : bool
        The mean of the attribution and of the one with the two groups exchanged.
    widest : bool
        Only the pair of groups with the widest gap of each condition.

    Returns
    -------
    DataFrame
        One row a split, for each pair of groups and each condition: node, grouping (the sensitive
        columns that make the groups), condition, group_high, group_low, eps, reach, reach_low,
        contribution. Over the nodes of a pair, contributions sum to the gap on these rows.
        ``attrs["favorable"]`` says which class is favourable, and whether that was assumed.

    Raises
    ------
    InputError
        Rows, groups or labels are missing or make no sense, or no two groups have rows.

    See Also
    --------
    arbitree.parity_bounds : bounds on the gap from the splits' own gaps.
    arbitree.local_parity : whether each split depends on the group, tested.

    References
    ----------
    docs/fair-trees-theory.md; behind Theorem 7 of "Local Statistical Parity for the Estimation of
    Fair Decision Trees".

    Examples
    --------
    >>> import arbitree as ar
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50] * 5})
    >>> y, sex = [0, 0, 1, 1] * 5, ["f", "m", "f", "m", "f"] * 4
    >>> tree = ar.TreeClassifier(max_depth=1).fit(X, y, sensitive_features=sex)
    >>> found = ar.parity_report(tree, X[:10], sensitive_features=sex[:10])
    >>> found[["node", "group_high", "contribution"]].round(3)
       node group_high  contribution
    0     0          m         0.167
    """
    rows = _Given(
        X=X,
        y=y,
        sensitive_features=sensitive_features,
        control_features=control_features,
        sample_weight=sample_weight,
    )
    tree, populations = _populated(model, rows, metric=metric, joint=joint)
    found = by_population(
        populations,
        lambda population: report.parity_report(
            tree,
            favorable=model.favorable_,
            rows=reached_by(tree, population),
            symmetric=symmetric,
            widest=widest,
        ),
    )
    return _told(found, model)


def parity_bounds(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    sensitive_features: Any = None,
    control_features: Any = None,
    sample_weight: Any = None,
    metric: str | None = None,
    joint: bool = True,
    widest: bool = False,
) -> pd.DataFrame:
    """Bounds on the gap of a fitted tree from the gaps of its splits, from tight to loose.

    Parameters and errors are those of `parity_report`.

    Returns
    -------
    DataFrame
        One row a pair of groups and condition: grouping, condition, group_high, group_low, gap,
        value_weighted, total_variation, coupling, reach_weighted, largest_split, depth; see
        `arbitree.tree.bounds.parity_bounds`.

    Examples
    --------
    >>> import arbitree as ar
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50] * 5})
    >>> y, sex = [0, 0, 1, 1] * 5, ["f", "m", "f", "m", "f"] * 4
    >>> tree = ar.TreeClassifier(max_depth=1).fit(X, y, sensitive_features=sex)
    >>> found = ar.parity_bounds(tree)
    >>> bool((found["gap"] <= found["coupling"] + 1e-12).all())
    True
    """
    rows = _Given(
        X=X,
        y=y,
        sensitive_features=sensitive_features,
        control_features=control_features,
        sample_weight=sample_weight,
    )
    tree, populations = _populated(model, rows, metric=metric, joint=joint)
    found = by_population(
        populations,
        lambda population: bounds.parity_bounds(
            tree, favorable=model.favorable_, rows=reached_by(tree, population), widest=widest
        ),
    )
    return _told(found, model)


def local_parity(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    sensitive_features: Any = None,
    control_features: Any = None,
    sample_weight: Any = None,
    metric: str | None = None,
    joint: bool = True,
) -> pd.DataFrame:
    """Test node by node whether the split, and reaching the node, is independent of the group.

    Parameters and errors are those of `parity_report`. On the rows that the tree was grown on, the
    tests describe; on other rows they test.

    Returns
    -------
    DataFrame
        One row a test: node, grouping, condition, hypothesis, n, statistic, dof, p_value, p_holm,
        status; see `arbitree.tree.local_parity.local_parity`.

    Examples
    --------
    >>> import arbitree as ar
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50] * 5})
    >>> y, sex = [0, 0, 1, 1] * 5, ["f", "m", "f", "m", "f"] * 4
    >>> tree = ar.TreeClassifier(max_depth=1).fit(X, y, sensitive_features=sex)
    >>> ar.local_parity(tree)["status"].tolist()
    ['expected counts below 5', 'expected counts below 5', 'expected counts below 5']
    """
    rows = _Given(
        X=X,
        y=y,
        sensitive_features=sensitive_features,
        control_features=control_features,
        sample_weight=sample_weight,
    )
    tree, populations = _populated(model, rows, metric=metric, joint=joint)
    found = by_population(
        populations,
        lambda population: tests.local_parity(
            tree, favorable=model.favorable_, rows=reached_by(tree, population)
        ),
    )
    return _told(tests.with_holm(found), model)


def _told(found: pd.DataFrame, model: Any) -> pd.DataFrame:
    found.attrs["favorable"] = favorable_words(model)
    return found


def _tree_of(model: Any) -> Tree:
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    refuse_own_unfitted(model)
    raise InputError(
        f"model is a {type(model).__name__}, whose splits are not known here. Pass a fitted "
        "TreeClassifier."
    )


def _populated(
    model: Any, given: _Given, *, metric: str | None, joint: bool
) -> tuple[Tree, Sequence[Population]]:
    """The tree with the weights of some rows at its nodes, and what to compare."""
    tree = _tree_of(model)
    if given.X is None:
        if tree.reach is None:
            raise InputError(
                "The tree was grown without groups. Pass sensitive_features to fit, or X and "
                "sensitive_features here."
            )
        return tree, model.populations_
    if given.sensitive_features is None:
        raise InputError("X was passed without groups. Pass sensitive_features.")
    asked = bounded_metric(model) if metric is None else metric
    labelled = [one for one in metrics_of(asked) if one not in _WITHOUT_LABELS]
    if given.y is None and labelled:
        raise InputError(f"metric {labelled[0]!r} is of labels. Pass y, or another metric.")
    rows = _paired(model, given)
    found = grouping(
        code_groups(rows.sensitive)[0],
        code_groups(rows.control)[0],
        metric=asked,
        joint=joint,
        classes=tree.classes,
        favorable=model.favorable_,
    )
    return _with_rows(tree, rows, found), found.populations


def _paired(model: Any, given: _Given) -> Rows:
    features = read_columns(model, given.X)
    if given.y is None:
        codes, index = np.zeros(len(features[0]), dtype=np.int64), None
    else:
        label = column(given.y, what="y", default_name="y")
        codes, index = _class_codes(label, class_values(model.classes_)), label.index
    return paired_rows(
        features,
        codes,
        index,
        sensitive_features=given.sensitive_features,
        control_features=given.control_features,
        sample_weight=given.sample_weight,
    )


def _class_codes(label: Column, classes: Sequence[object]) -> np.ndarray:
    """Index of each label among the tree's classes."""
    found = distinct(label)
    places = {value: place for place, value in enumerate(classes)}
    unknown = [value for value, n in zip(found.levels, found.counts) if n and value not in places]
    if unknown or (found.codes < 0).any():
        which = listed(unknown) if unknown else "missing values"
        raise InputError(
            f"y has {which}, and the tree knows the classes {listed(classes)}. Pass these labels."
        )
    return np.array([places.get(value, -1) for value in found.levels])[found.codes]


def _with_rows(tree: Tree, rows: Rows, found: Grouping) -> Tree:
    """The tree with the weights of rows by group and class at its nodes."""
    shape = tree.n_nodes, len(found.groups), len(tree.classes)
    leaf = leaves(tree, rows.features).astype(np.int64)
    cell = (leaf * shape[1] + found.group) * shape[2] + rows.y
    reach = np.bincount(cell, rows.weights, minlength=int(np.prod(shape))).reshape(shape)
    reach = reach.astype(np.float64)
    for node in reversed(inner_nodes(tree)):
        reach[node] = reach[tree.children(node)].sum(axis=0)
    return replace(tree, groups=found.groups, reach=reach)
