"""Rows that refute a rule, as the frame that a model's own `predict` reads."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree.model.route import leaves
from arbitree.model.tree import Tree
from arbitree.rules.axes import CategoryAxis
from arbitree.rules.space import Space
from arbitree.table.frames import columns

Decide = Callable[[pd.DataFrame], object]  # one row -> the label that the model gives it


def as_frame(row: Mapping[Hashable, Any], space: Space) -> pd.DataFrame:
    """A row as a frame of one, each column of a type that can hold its missing value.

    Examples
    --------
    >>> from arbitree.rules.axes import NumberAxis
    >>> axis = NumberAxis(name="age", edges=np.empty(0, np.float32), kind="number", whole=0b11)
    >>> as_frame({"age": None}, Space(axes=(axis,)))["age"].tolist()
    [nan]
    """
    columns = {}
    for axis in space.axes:
        value = row[axis.name]
        if isinstance(axis, CategoryAxis):
            boolean = isinstance(value, bool) and set(axis.levels) <= {False, True}
            columns[axis.name] = pd.Series([value], dtype=bool if boolean else object)
        elif axis.kind in ("date", "duration"):
            columns[axis.name] = pd.Series([pd.NaT if value is None else value])
        else:
            columns[axis.name] = pd.Series([np.nan if value is None else value])
    return pd.DataFrame(columns)


def decider(model: Any, names: Sequence[Hashable]) -> Decide:
    """The model's own `predict`, of one row.

    Parameters
    ----------
    model : fitted estimator
    names : sequence
        The columns of the frame in the order of the model's.
    """
    named = hasattr(model, "feature_names_in_")

    def decide(frame: pd.DataFrame) -> object:
        given = frame[list(names)]
        found = model.predict(given if named else given.to_numpy())[0]
        return found.item() if isinstance(found, np.generic) else found

    return decide


def tree_decider(tree: Tree) -> Decide:
    """What a tree without an estimator around it decides of one row."""

    def decide(frame: pd.DataFrame) -> object:
        found = columns(frame, what="X", default_name="x")
        by_name = {column.name: column for column in found}
        leaf = leaves(tree, [by_name[feature.name] for feature in tree.features])[0]
        return tree.classes[tree.label[leaf]]

    return decide
