"""``tree.json`` -> a fitted estimator, without running anything that is in the file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.model.tree import Tree
from arbitree.model.tree_json import WITH_RULES, from_dict, parsed
from arbitree.table.levels import level_from_json
from arbitree.table.whole_file import read_whole
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.favorable import Favorable, labels_of, say_themselves
from arbitree.tree.labels import class_array
from arbitree.tree.populations import Population
from arbitree.tree.saved_rules import restore_rules
from arbitree.tree.saved_text import PARITIES


def read_tree(path: str | os.PathLike[str]) -> TreeClassifier:
    """The fitted tree that `TreeClassifier.save` wrote.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    TreeClassifier

    Raises
    ------
    InputError
        If the file is no ``tree.json``; says where it is wrong.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> tree = TreeClassifier().fit({"age": [30, 60]}, ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.save(f"{folder}/tree.json")
    ...     again = read_tree(f"{folder}/tree.json")
    >>> again.predict({"age": [44, 46]}).tolist()
    ['no', 'yes']
    """
    try:
        text = read_whole(Path(path)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: This is no tree.json: byte {error.start} is part of no text."
        ) from error
    try:
        data = parsed(text)
        return _fitted(from_dict(data), data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _fitted(tree: Tree, data: Mapping[str, Any]) -> TreeClassifier:
    try:
        estimator = TreeClassifier(**_parameters(data.get("parameters", {})))
        populations = tuple(_population(one, tree) for one in data.get("populations", []))
        favorable = _favorable(data, tree)
        if data.get("version") == WITH_RULES:
            restore_rules(estimator, data)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"This tree.json cannot be read: {error}.") from error
    estimator.tree_ = tree
    estimator.classes_ = _classes(tree)
    estimator.n_features_in_ = len(tree.features)
    if data.get("named") is True:
        names = [feature.name for feature in tree.features]
        estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator.favorable_ = favorable
    estimator.favorable_label_ = labels_of(favorable, list(estimator.classes_))
    assumed = data.get("favorable_assumed", "favorable" not in data)
    estimator.favorable_assumed_ = bool(assumed) and not say_themselves(tree.classes)
    estimator.populations_ = populations
    reason = data.get("constant_reason")
    estimator.constant_reason_ = None if reason is None else str(reason)
    return estimator


def _classes(tree: Tree) -> np.ndarray:
    """Labels as `class_array` has them, but times of pandas as NumPy's."""
    kind = type(tree.classes[0])
    if kind in (pd.Timestamp, pd.Timedelta) and all(type(label) is kind for label in tree.classes):
        times = pd.Index(tree.classes)
        if getattr(times, "tz", None) is None and times.dtype != object:
            return times.to_numpy()
    return class_array(tree.classes)


def _favorable(data: Mapping[str, Any], tree: Tree) -> Favorable:
    if "favorable" not in data:
        return min(1, len(tree.classes) - 1)
    if isinstance(data["favorable"], list):
        return tuple(_place(label, tree) for label in data["favorable"])
    return _place(data["favorable"], tree)


def _place(written: Any, tree: Tree) -> int:
    label = level_from_json(written)
    for i, known in enumerate(tree.classes):
        if type(known) is type(label) and known == label:
            return i
    raise InputError(f"The favourable label {label!r} of this tree.json is none of its classes.")


def _population(data: Mapping[str, Any], tree: Tree) -> Population:
    groups = tuple(str(group) for group in data["groups"])
    members = np.array(data["members"], dtype=bool)
    if members.shape != (len(groups), len(tree.groups), len(tree.classes)):
        raise InputError("The populations of this tree.json do not fit its groups and classes.")
    grouping, condition = str(data["grouping"]), str(data["condition"])
    return Population(grouping=grouping, condition=condition, groups=groups, members=members)


def _parameters(data: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): _value(value) for name, value in data.items()}


def _value(data: Any) -> Any:
    if isinstance(data, dict) and "type" in data:
        parts = {name: _value(value) for name, value in data.items() if name != "type"}
        return PARITIES[data["type"]](**parts)
    if isinstance(data, dict) and "labels" in data:
        return [_value(label) for label in data["labels"]]
    if isinstance(data, dict) and "pairs" in data:
        return {_value(label): _value(weight) for label, weight in data["pairs"]}
    return level_from_json(data)
