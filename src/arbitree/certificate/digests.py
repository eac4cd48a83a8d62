"""Digests of the calibration rows, so that a certificate can be held against their file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from arbitree.certificate.check.canonical import cell_text, column_digest
from arbitree.model.tree import LEAF, Tree
from arbitree.table.frames import Column, columns
from arbitree.table.frames import column as one_column
from arbitree.table.labels import Outcome
from arbitree.tree.checked_columns import read_columns


def data_digests(
    model: Any,
    X: Any,
    y: Any,
    given: Mapping[str, Any],
    favorable: Mapping[str, Any],
    missing: str,
) -> dict[str, Any]:
    """What each column held that was counted: features that the tree reads, groups, labels.

    Parameters
    ----------
    model, X, y : as of `certify`
        The decisions of a model that is no tree are a column too.
    given : mapping
        `sensitive_features`, `control_features`.
    favorable : mapping
        As of `Measured.favorable_values`.

    Returns
    -------
    dict
        By role; each column has its name and the SHA-256 of its texts, in the order of rows.
    """
    found: dict[str, Any] = {}
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree) and X is not None:
        read = sorted(set(tree.feature.tolist()) - {LEAF})
        of_rows = read_columns(model, X)
        found["features"] = [
            {**_digest(of_rows[j]), "name": str(tree.features[j].name)} for j in read
        ]
    elif not hasattr(model, "predict"):
        found["decisions"] = _digest(one_column(model, what="decisions", default_name="decision"))
    for role, name in (("sensitive", "sensitive_features"), ("control", "control_features")):
        if given.get(name) is not None:
            of_role = columns(given[name], what=name, default_name=role)
            found[role] = [_digest(one) for one in of_role]
    found["favorable"] = dict(favorable)
    found["missing"] = missing
    if y is not None:
        found["label"] = _digest(one_column(y, what="y_cal", default_name="label"))
    return found


def favorable_values(outcome: Outcome | None) -> list[str] | None:
    """The texts of the values that count as favourable, of those that are there."""
    return None if outcome is None else sorted(map(cell_text, outcome.favorable))


def _digest(column: Column) -> dict[str, Any]:
    codes, texts = _texts(column)
    return {"name": str(column.name), "sha256": column_digest([texts[c] for c in codes.tolist()])}


def _texts(column: Column) -> tuple[np.ndarray, list[str]]:
    """Codes of rows, and the text of each code; the last one is a missing value."""
    codes, values = pd.factorize(pd.Series(column.values.to_list(), dtype=object))
    return np.where(codes < 0, len(values), codes), [*map(cell_text, values), ""]
