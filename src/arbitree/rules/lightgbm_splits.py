"""LightGBM's models as arrays of splits, from `Booster.dump_model()`.

A row goes left where ``x <= threshold``, both float64, or where its category is among those of the
node. What a missing value is depends on the node: NaN, NaN and zero, or nothing, where NaN is 0.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.rules.splits import ZERO, Splits, by_class, placed, roots, rounding

_OBJECTIVES = ("binary", "multiclass")


def splits_of_lightgbm(booster: Any) -> Splits:
    """A `Booster` that classifies, up to its best round. `base` is 0.

    Raises
    ------
    InputError
        If it is no classifier by trees of constants.
    """
    model = booster.dump_model()
    _check(model)
    n_scores = int(model["num_tree_per_iteration"])
    trees = [_Nodes(tree["tree_structure"]) for tree in model["tree_info"]]
    left = [np.array(tree.left) for tree in trees]
    root = roots(left)
    score = np.arange(len(trees)) % n_scores + (n_scores == 1)
    of_node = np.repeat(score, [len(of) for of in left])
    value = by_class(_joined(trees, "value", np.float64), of_node, max(2, n_scores))
    return Splits(
        column=_joined(trees, "column", np.int32),
        threshold=_beside_zero(_joined(trees, "threshold", np.float64)),
        missing_left=_joined(trees, "missing_left", bool),
        left=placed(left),
        right=placed([np.array(tree.right) for tree in trees]),
        root=root,
        value=value,
        base=np.zeros(value.shape[1]),
        tolerance=max(1e-9, rounding(value, root, 2.0**-53)),
        left_codes={
            start + node: codes
            for tree, start in zip(trees, root.tolist())
            for node, codes in tree.codes.items()
        },
        zero_is_missing=frozenset(
            start + node for tree, start in zip(trees, root.tolist()) for node in tree.zeros
        ),
    )


def category_lists(booster: Any) -> dict[int, tuple[object, ...]]:
    """The categories of each column of dtype 'category', in the order of their codes.

    Raises
    ------
    InputError
        If it is not known which columns they belong to.
    """
    lists = booster.dump_model(num_iteration=1)["pandas_categorical"] or []
    if not lists:
        return {}
    text = booster.model_to_string(num_iteration=1)
    named = re.search(r"\[categorical_feature: ([\d,]*)\]", text)
    columns = [int(place) for place in named[1].split(",") if place] if named else []
    if len(columns) != len(lists):
        raise InputError(
            f"The LightGBM model has {len(lists)} columns of dtype 'category' and "
            f"{len(columns)} categorical features, so that it is not known which is which. Fit it "
            "with categorical_feature='auto'."
        )
    return {column: tuple(levels) for column, levels in zip(columns, lists)}


class _Nodes:
    """The nodes of a tree in depth-first order, from nested dictionaries."""

    def __init__(self, structure: dict[str, Any]) -> None:
        self.column: list[int] = []
        self.threshold: list[float] = []
        self.missing_left: list[bool] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.value: list[float] = []
        self.codes: dict[int, np.ndarray] = {}
        self.zeros: list[int] = []
        waiting: list[tuple[dict[str, Any], list[int], int]] = [(structure, self.left, -1)]
        while waiting:
            node, side, parent = waiting.pop()
            here = len(self.left)
            if parent >= 0:
                side[parent] = here
            self._add(node, here)
            if "split_feature" in node:
                waiting.append((node["right_child"], self.right, here))
                waiting.append((node["left_child"], self.left, here))

    def _add(self, node: dict[str, Any], here: int) -> None:
        self.left.append(-1)
        self.right.append(-1)
        inner = "split_feature" in node
        if "leaf_coeff" in node:
            raise InputError("A LightGBM model with linear leaves cannot be verified.")
        self.column.append(node["split_feature"] if inner else -1)
        self.value.append(0.0 if inner else node["leaf_value"])
        categorical = inner and node["decision_type"] == "=="
        self.threshold.append(node["threshold"] if inner and not categorical else np.nan)
        self.missing_left.append(inner and not categorical and _missing_left(node))
        if categorical:
            self.codes[here] = np.array([int(code) for code in node["threshold"].split("||")])
        elif inner and node["missing_type"] == "Zero":
            self.zeros.append(here)


def _missing_left(node: dict[str, Any]) -> bool:
    # Without a kind of missing value, NaN is compared as 0.
    return node["threshold"] >= 0 if node["missing_type"] == "None" else node["default_left"]


def _joined(trees: list[_Nodes], name: str, dtype: Any) -> np.ndarray:
    return np.concatenate([np.array(getattr(tree, name), dtype) for tree in trees])


def _beside_zero(thresholds: np.ndarray) -> np.ndarray:
    """Thresholds for numbers as they are: LightGBM takes those from -1e-35 to 1e-35 for 0."""
    least = np.nextafter(-ZERO, -np.inf)
    found = np.where((thresholds >= -ZERO) & (thresholds < 0), least, thresholds)
    return np.where((thresholds >= 0) & (thresholds < ZERO), ZERO, found)


def _check(model: dict[str, Any]) -> None:
    objective = str(model.get("objective", "")).split(" ")[0]
    if objective not in _OBJECTIVES:
        raise InputError(
            f"The LightGBM model has the objective {objective!r}, which cannot be verified. "
            f"Those that can: {', '.join(_OBJECTIVES)}."
        )
    if model.get("average_output"):
        raise InputError("A LightGBM random forest (boosting='rf') cannot be verified.")
