"""Whether an XGBoost file is whole: XGBoost itself ends the whole program on one that is not.

It believes the numbers in the file: where a child, a parent or a feature is none, it reads memory
that is not its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.model.readers.ubjson import parse_ubjson

_LINKS = ("left_children", "right_children", "parents", "split_indices")
_BY_NODE = (*_LINKS, "split_conditions", "default_left")
_PERHAPS = ("split_type", "sum_hessian", "loss_changes")  # of each node too, if they are there
_AGAIN = "Save the model again, with save_model(path)."


def checked_learner(data: bytes, path: str) -> Mapping[str, Any]:
    """The learner of a file of which XGBoost reads no more than there is.

    Raises
    ------
    InputError
        Says what is missing, or which tree is wrong.
    """
    try:
        found = parse_ubjson(data) if _is_binary(data) else json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is no model of XGBoost: it is damaged, was cut off or is something else "
            f"({str(error).rstrip('.')})."
        ) from error
    try:
        learner: Mapping[str, Any] = found["learner"]
        booster = learner["gradient_booster"]
        model = booster["gbtree" if booster["name"] == "dart" else "model"]
        model = model["model"] if booster["name"] == "dart" else model
        reads_categories = "c" in learner.get("feature_types", ())  # which are refused anyway
        _check_names(learner, path)
        if booster["name"] != "gblinear" and not reads_categories:
            _check_trees(learner["learner_model_param"], model, path)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, IndexError) as error:
        raise _broken(path, f"{error} is missing, or not what XGBoost writes") from error
    return learner


def _is_binary(data: bytes) -> bool:
    """As XGBoost tells: the length of a name comes first, and not its quotation mark."""
    return data[:1] == b"{" and data[1:2] in b"iUIlL" and len(data) > 1


def _check_names(learner: Mapping[str, Any], path: str) -> None:
    n_features = int(learner["learner_model_param"]["num_feature"])
    for name in ("feature_names", "feature_types"):
        found = learner.get(name, [])
        if len(found) not in (0, n_features) or not all(isinstance(one, str) for one in found):
            raise _broken(path, f"its {name} are not those of {n_features} features")


def _check_trees(sizes: Mapping[str, Any], model: Mapping[str, Any], path: str) -> None:
    trees, owners = model["trees"], np.asarray(model["tree_info"])
    said = int(model["gbtree_model_param"]["num_trees"])
    if not said == len(trees) == len(owners):
        raise _broken(path, f"it says that it has {said} trees, and has {len(trees)}")
    if int(model["gbtree_model_param"].get("num_parallel_tree", 1)) < 0:
        raise _broken(path, "its num_parallel_tree is less than 0")
    ends = np.asarray(model.get("iteration_indptr", []), np.int64)
    if len(ends) and (ends[0] != 0 or ends[-1] != said or (np.diff(ends) < 0).any()):
        raise _broken(path, "its iteration_indptr does not run from 0 to the number of trees")
    n_scores = max(int(sizes["num_class"]), int(sizes.get("num_target", 1)), 1)
    if any(not 0 <= int(owner) < n_scores for owner in owners):
        raise _broken(path, f"its tree_info names a class that is none of its {n_scores}")
    for number, tree in enumerate(trees):
        _check_tree(tree, int(sizes["num_feature"]), n_scores, f"tree {number}", path)


def _check_tree(
    tree: Mapping[str, Any], n_features: int, n_scores: int, where: str, path: str
) -> None:
    """Every node but the root is the child of the one it says, and asks for a feature there is."""
    n = int(tree["tree_param"]["num_nodes"])
    for name in (*_BY_NODE, *(name for name in _PERHAPS if name in tree)):
        if n < 1 or len(tree[name]) != n:
            raise _broken(path, f"{where} has not one number in {name} for each of its {n} nodes")
    width = max(int(tree["tree_param"]["size_leaf_vector"]), 1)
    if width not in (1, n_scores) or len(tree["base_weights"]) != n * width:
        raise _broken(path, f"{where} has not a value for each of its {n} nodes")
    if np.any(tree.get("split_type", 0)):
        raise _broken(path, f"{where} splits by categories, and the file has no such feature")
    left, right, above, feature = (np.asarray(tree[name], np.int64) for name in _LINKS)
    n_values = len(tree.get("leaf_weights", ()))
    waiting, n_leaves, seen = [0], 0, 0
    while waiting:
        node = waiting.pop()
        seen += 1
        below = [int(left[node]), int(right[node])]
        if not 0 <= feature[node] < max(n_features, 1):
            raise _broken(path, f"{where} splits a feature that is none of its {n_features}")
        # Of a leaf with several values, its place among these stands where the right child does.
        if below[0] == -1 and (below[1] == -1 or (width > 1 and 0 <= below[1] * width < n_values)):
            n_leaves += 1
            continue
        if seen > n or any(not 0 < child < n or above[child] != node for child in below):
            raise _broken(path, f"the children of {where} are not those of a tree")
        waiting += below
    if width > 1 and "leaf_weights" in tree and len(tree["leaf_weights"]) != n_leaves * width:
        raise _broken(path, f"{where} has not {width} values for each of its {n_leaves} leaves")
    if seen + int(tree["tree_param"].get("num_deleted", 0)) != n:
        raise _broken(path, f"the children of {where} are not those of a tree")


def _broken(path: str, what: str) -> InputError:
    return InputError(f"{path} is no whole model of XGBoost: {what}. {_AGAIN}")
