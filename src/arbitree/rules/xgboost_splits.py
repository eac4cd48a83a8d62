"""XGBoost's models as arrays of splits, from their documented JSON (`save_raw("json")`).

A row goes left where ``x < split_condition``, both float32; a missing value as `default_left`
says; a category to the right if it is among the `categories` of the node.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.rules.splits import Splits, by_class, doubles_below, placed, roots, rounding

_OBJECTIVES = ("binary:logistic", "binary:logitraw", "multi:softprob", "multi:softmax")


def splits_of_xgboost(booster: Any, n_rounds: int | None, n_codes: int) -> Splits:
    """A `Booster` of trees that classifies. `base` is 0.

    Parameters
    ----------
    booster : xgboost.Booster
    n_rounds : int or None
        The rounds that `predict` takes; None: all.
    n_codes : int
        Categories of the column that has most.

    Raises
    ------
    InputError
        If it is no classifier by trees.
    """
    learner = json.loads(booster.save_raw("json"))["learner"]
    model, weights = _checked(learner)
    trees, groups = model["trees"], model["tree_info"]
    n_groups = max(1, int(learner["learner_model_param"]["num_class"]))
    if n_rounds is not None:
        n_kept = model["iteration_indptr"][n_rounds]
        trees, groups = trees[:n_kept], groups[:n_kept]
    left = [np.array(tree["left_children"]) for tree in trees]
    leaf = np.concatenate(left) < 0
    condition = np.concatenate([np.array(tree["split_conditions"], np.float32) for tree in trees])
    weight = np.repeat(
        [1.0] * len(trees) if weights is None else weights[: len(trees)], _sizes(left)
    )
    of_node = np.repeat(np.array(groups) + (n_groups == 1), _sizes(left))
    value = by_class(np.where(leaf, condition * weight, 0.0), of_node, max(2, n_groups))
    column = np.concatenate([np.array(tree["split_indices"]) for tree in trees])
    root = roots(left)
    return Splits(
        column=np.where(leaf, -1, column).astype(np.int32),
        threshold=doubles_below(np.nextafter(condition, np.float32(-np.inf))),
        missing_left=np.concatenate([np.array(tree["default_left"], bool) for tree in trees]),
        left=placed(left),
        right=placed([np.array(tree["right_children"]) for tree in trees]),
        root=root,
        value=value,
        base=np.zeros(value.shape[1]),
        # Sums, and the sigmoid or softmax after them, are of float32.
        tolerance=max(1e-6, rounding(value, root, 2.0**-24)),
        left_codes=_left_codes(trees, root, n_codes),
    )


def category_lists(booster: Any) -> dict[int, tuple[object, ...]]:
    """The categories of each categorical column, in the order of their codes.

    Raises
    ------
    InputError
        If the model was given codes without categories.
    """
    kinds = booster.feature_types or []
    categorical = [place for place, kind in enumerate(kinds) if kind == "c"]
    if not categorical:
        return {}
    kept = booster.get_categories(export_to_arrow=True).to_arrow()
    lists = {place: levels for place, (_, levels) in enumerate(kept) if levels is not None}
    if not set(categorical) <= set(lists):
        raise InputError(
            "The XGBoost model has categorical columns without names of their categories. Fit it "
            "on a pandas frame whose columns are of the dtype 'category'."
        )
    return {place: tuple(lists[place].to_pylist()) for place in categorical}


def _checked(learner: dict[str, Any]) -> tuple[dict[str, Any], list[float] | None]:
    """Trees, and their weights if they have some."""
    objective = learner["objective"]["name"]
    if objective not in _OBJECTIVES:
        raise InputError(
            f"The XGBoost model has the objective {objective!r}, which cannot be verified. "
            f"Those that can: {', '.join(_OBJECTIVES)}."
        )
    booster = learner["gradient_booster"]
    if booster["name"] == "gblinear":
        raise InputError("The XGBoost model is linear (gblinear): it has no trees to verify.")
    weights = booster.get("weight_drop")
    model = booster.get("gbtree", booster)["model"]
    sizes = {int(tree["tree_param"].get("size_leaf_vector", 1)) for tree in model["trees"]}
    if not model["trees"] or max(sizes) > 1:
        raise InputError("The XGBoost model has no trees with one number a leaf to verify.")
    return model, weights


def _sizes(children: list[np.ndarray]) -> list[int]:
    return [len(of_tree) for of_tree in children]


def _left_codes(
    trees: list[dict[str, Any]], root: np.ndarray, n_codes: int
) -> dict[int, np.ndarray]:
    """Codes that go left: all but those that the node lists."""
    found = {}
    for tree, start in zip(trees, root.tolist()):
        codes = np.array(tree["categories"], np.int64)
        segments = zip(
            tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"]
        )
        for node, first, size in segments:
            right = codes[first : first + size]
            found[start + node] = np.setdiff1d(np.arange(n_codes), right)
    return found
