"""scikit-learn's trees as boxes of rows, with the comparisons that their `predict` makes.

It compares ``x <= threshold`` with x rounded to float32 and the threshold a float64, which is
``x <= t`` for t the largest float32 that is not above the threshold.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import Feature
from arbitree.rules.leaves import Leaf, sides
from arbitree.rules.space import Masks, Space
from arbitree.table.codings import NumericCoding

_LEAF = -1  # sklearn.tree._tree.TREE_LEAF


def float32_below(thresholds: np.ndarray) -> np.ndarray:
    """The largest float32 numbers that are not above float64 ones.

    >>> float32_below(np.array([0.1, 0.5])) <= [0.1, 0.5]
    array([ True,  True])
    """
    with np.errstate(over="ignore"):
        found = thresholds.astype(np.float32)
    above = found.astype(np.float64) > thresholds
    found[above] = np.nextafter(found[above], np.float32(-np.inf))
    return found


def feature_names(model: Any) -> list[Hashable]:
    """The columns that a model reads: its own names, else x_0, x_1, ..."""
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        return [str(name) for name in names]
    return [f"x_{j}" for j in range(model.n_features_in_)]


def numeric_features(model: Any, *, missing: bool) -> list[Feature]:
    """The features of a model that reads numbers, as nothing else is known of them."""
    coding = NumericCoding(
        edges=np.empty(0, np.float32),
        exact=False,
        values=None,
        kind="number",
        admits_missing=missing,
    )
    return [Feature(name=name, coding=coding) for name in feature_names(model)]


def takes_missing(model: Any) -> bool:
    """Whether a model decides rows with missing values."""
    from sklearn.utils import get_tags

    return bool(get_tags(model).input_tags.allow_nan)


def places_of(model: Any, space: Space) -> list[int]:
    """The axis of each column of a model.

    Raises
    ------
    InputError
        If a column is of levels, which the model cannot read.
    """
    from arbitree.rules.axes import NumberAxis

    places = [space.place(name) for name in feature_names(model)]
    for place in places:
        if not isinstance(space.axes[place], NumberAxis):
            raise InputError(
                f"{type(model).__name__} reads numbers, and feature {space.axes[place].name!r} "
                "has levels in this domain. Pass the columns as the model reads them."
            )
    return places


def leaves_of_sklearn_tree(tree: Any, places: list[int], space: Space) -> Iterator[Leaf]:
    """The leaves that rows of a space reach.

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
        The attribute `tree_` of a fitted classifier.
    places : list of int
        The axis of each column.
    space : Space
    """
    thresholds = float32_below(tree.threshold)
    first = getattr(tree, "missing_go_to_left", np.zeros(tree.node_count, bool))
    labels = tree.value[:, 0, :].argmax(axis=1)
    waiting: list[tuple[int, Masks, dict[int, tuple[float, float]]]] = [(0, space.whole, {})]
    while waiting:
        node, masks, limits = waiting.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left == _LEAF:
            yield Leaf(node=node, label=int(labels[node]), masks=masks, limits=limits)
            continue
        waiting += sides(
            space,
            masks,
            limits,
            places[tree.feature[node]],
            float(thresholds[node]),
            bool(first[node]),
            [left, right],
        )
