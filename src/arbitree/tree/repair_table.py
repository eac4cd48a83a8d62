"""A tree repaired by the rows of a file, of which only codes are kept.

Columns are coded by the tree's thresholds and the limits of the rules, so that any value of a code
stands for all of them: what is chosen and counted is that of the rows themselves.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, LabelError
from arbitree._wording import counted, listed
from arbitree.model.tree import LEAF
from arbitree.rules.axes import NumberAxis
from arbitree.rules.loose_domain import values_named
from arbitree.rules.ruleset import Rules
from arbitree.rules.sklearn_as_tree import with_levels
from arbitree.rules.space import Space
from arbitree.table.coded import CodedTable
from arbitree.table.codings import CategoryCoding, Coding, NumericCoding
from arbitree.table.units import time_text
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.repair import bound_for, repair, tree_of


def codings_to_repair(model: Any, rules: Rules, label: str) -> dict[str, Coding]:
    """How to code the columns that a tree or rules read, and the label.

    Parameters
    ----------
    model : DecisionTreeClassifier or TreeClassifier
        Fitted.
    rules : Rules
    label : str
        The column of labels.

    Raises
    ------
    InputError
        If the label is a column that the tree reads.
    """
    tree = tree_of(model)
    space = bound_for(rules, tree, None).space
    tree = with_levels(tree, space)
    named, found = values_named(rules), {}
    for j, feature in enumerate(tree.features):
        name = str(feature.name)
        if name not in named and j not in set(tree.feature.tolist()) - {LEAF}:
            continue
        coding = feature.coding
        if isinstance(coding, NumericCoding):
            axis = space.axes[space.place(feature.name)]
            assert isinstance(axis, NumberAxis)
            edges = np.union1d(tree.threshold[tree.feature == j], axis.edges)
            coding = replace(coding, edges=edges[np.isfinite(edges)], exact=False, values=None)
        found[name] = coding
    if label in found:
        raise InputError(f"The label {label!r} is a column that the tree reads. Name another one.")
    return {**found, label: CategoryCoding(levels=tree.classes)}


def repair_table(
    model: Any, rules: Rules, table: CodedTable, *, label: str, contradictions: str = "error"
) -> TreeClassifier:
    """As `repair`, by the rows of a file.

    Parameters
    ----------
    model : DecisionTreeClassifier or TreeClassifier
    rules : Rules
    table : CodedTable
        Read with the codings of `codings_to_repair`.
    label : str
    contradictions : str
        As of `repair`.

    Raises
    ------
    LabelError
        If a label is no class of the model.
    """
    tree = tree_of(model)
    coded = {column.name: column for column in table.for_model}
    given = coded.pop(label)
    strange = np.flatnonzero(given.codes == given.coding.missing_code)
    if len(strange):
        raise LabelError(
            f"{label!r} has at row {strange[0]} none of the model's classes "
            f"{listed(tree.classes)}, and so in {counted(len(strange), 'row')} in all. Correct "
            "them, or leave them out."
        )
    space = bound_for(rules, tree, None).space
    X = {
        feature.name: _values(coded[feature.name].codes, coded[feature.name].coding)
        if feature.name in coded
        else _any_value(space, feature.name, table.n_rows)
        for feature in tree.features
    }
    y = np.array([*tree.classes, None], object)[given.codes]
    labels = np.array(y.tolist()) if len({type(c) for c in tree.classes}) == 1 else y
    return repair(
        model,
        rules,
        pd.DataFrame(X),
        labels,
        contradictions=contradictions,
        sample_weight=table.weights,
    )


def _values(codes: np.ndarray, coding: Coding) -> pd.Series:
    """A value of each code."""
    if isinstance(coding, CategoryCoding):
        levels = np.empty(coding.n_codes, object)
        levels[:] = [*coding.levels, None]
        return pd.Series(levels[codes], dtype=object)
    last = coding.edges[-1] if len(coding.edges) else np.float32(0)
    above = np.nextafter(last, np.float32(np.inf))
    numbers = np.array([*coding.edges, above, np.nan], np.float64)
    if coding.unit is None:
        return pd.Series(numbers[codes])
    if coding.kind == "duration":
        unit = coding.unit
        times: list[Any] = [pd.Timedelta(n, unit=unit) for n in numbers[:-1].tolist()]  # type: ignore[arg-type]
    else:
        times = [pd.Timestamp(time_text(n, coding.unit)) for n in numbers[:-1].tolist()]
    return pd.Series([*times, pd.NaT]).iloc[codes].reset_index(drop=True)


def _any_value(space: Space, name: Hashable, n_rows: int) -> pd.Series:
    """A column that neither the tree nor a rule reads."""
    axis = space.axes[space.place(name)]
    cell = (axis.whole & -axis.whole).bit_length() - 1
    return pd.Series([axis.example(cell)] * n_rows)
