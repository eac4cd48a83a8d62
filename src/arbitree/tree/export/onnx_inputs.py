"""What an ONNX model of a tree reads, and rows in that form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from arbitree._errors import InputError
from arbitree.model.route import readable
from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import CategoryCoding
from arbitree.table.frames import Column
from arbitree.table.levels import level_texts
from arbitree.tree.export.two_way import TRUTHS, all_numbers

_OUTPUTS = {"label", "probabilities", ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One input: a matrix of numbers, or one column."""

    name: str
    kind: Literal["number", "text", "whole"]
    feature: int | None  # None: all of them
    keys: tuple[Any, ...] = ()  # of a category: what stands for each level
    unit: str | None = None  # of a date or a duration: what its numbers count


def model_inputs(tree: Tree) -> tuple[Input, ...]:
    """The inputs of the model, in the order of X's columns.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"job": ["a", "b"], "age": [1, 1]}, [0, 1]).tree_
    >>> [(one.name, one.kind, one.keys) for one in model_inputs(tree)]
    [('job', 'text', ('a', 'b'))]
    """
    if all_numbers(tree):
        return (Input(name="X", kind="number", feature=None),)
    names = _names(tree)
    used = sorted(set(tree.feature.tolist()) - {LEAF}) or [0]
    return tuple(_input(tree, j, names[j]) for j in used)


def onnx_inputs(tree: Tree, columns: Sequence[Column]) -> dict[str, np.ndarray]:
    """Rows as an ONNX runtime is given them.

    Parameters
    ----------
    tree : Tree
    columns : sequence of Column
        One for each of the tree's features.

    Returns
    -------
    dict of str to ndarray
        float32 numbers with NaN for missing; texts and whole numbers with one that is no level
        for missing and for what training did not know.
    """
    found = {}
    for one in model_inputs(tree):
        if one.feature is None:
            numbers = [_numbers(tree, j, column) for j, column in enumerate(columns)]
            found[one.name] = np.column_stack(numbers).astype(np.float32)
        else:
            found[one.name] = _values(tree, one, columns[one.feature]).reshape(-1, 1)
    return found


def _input(tree: Tree, j: int, name: str) -> Input:
    coding = tree.features[j].coding
    if not isinstance(coding, CategoryCoding):
        return Input(name=name, kind="number", feature=j, unit=coding.unit)
    levels = coding.levels
    if levels == TRUTHS:
        return Input(name=name, kind="number", feature=j)
    if all(type(level) is int and abs(level) < 2**62 for level in levels):
        return Input(name=name, kind="whole", feature=j, keys=levels)
    if all(type(level) is float for level in levels):
        return Input(name=name, kind="number", feature=j, keys=_float32(levels, name))
    texts = levels if all(isinstance(level, str) for level in levels) else coding.texts
    encoded = tuple(str(text).encode("utf-8", "backslashreplace").decode() for text in texts)
    return Input(name=name, kind="text", feature=j, keys=encoded)


def _float32(levels: Sequence[Any], name: str) -> tuple[float, ...]:
    found = tuple(float(np.float32(level)) for level in levels)
    if len(set(found)) < len(found):
        raise InputError(
            f"Two levels of {name!r} are the same number as float32, which ONNX compares. Turn the "
            "column into text before training."
        )
    return found


def _names(tree: Tree) -> list[str]:
    """A name for each feature, all different, none empty and none that an output has."""
    texts = level_texts([feature.name for feature in tree.features])
    found: list[str] = []
    for j, text in enumerate(texts):
        name = text
        while name in _OUTPUTS or name.startswith("/") or name in found:
            name = f"x{j}_{name}"
        found.append(name)
    return found


def _numbers(tree: Tree, j: int, column: Column) -> np.ndarray:
    """Numbers, or the codes of false, true and missing as such."""
    values = readable(tree, j, column)
    if isinstance(tree.features[j].coding, CategoryCoding):
        return np.array([0, 1, np.nan], np.float32)[values]
    return values


def _values(tree: Tree, one: Input, column: Column) -> np.ndarray:
    assert one.feature is not None
    if not one.keys:
        return _numbers(tree, one.feature, column)
    codes = readable(tree, one.feature, column)
    if one.kind == "number":
        return np.array([*one.keys, np.nan], np.float32)[codes]
    if one.kind == "whole":
        return np.array([*one.keys, max(one.keys) + 1], np.int64)[codes]
    other = ""
    while other in one.keys:
        other += "?"
    return np.array([*one.keys, other], object)[codes]
