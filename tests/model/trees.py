"""A small tree with a number, a category and a missing value on each side."""

from __future__ import annotations

import numpy as np

from arbitree.model.tree import Feature, Tree
from arbitree.table.codings import CategoryCoding, NumericCoding

AGE = NumericCoding(edges=np.float32([20, 40]), exact=False, values=None, kind="number")
JOB = CategoryCoding(levels=("a", "b", "c"))


def small_tree(**changes: object) -> Tree:
    """age <= 40 (missing right): job in {a, c} (missing with b); parts of it changed."""
    parts: dict[str, object] = {
        "features": (Feature(name="age", coding=AGE), Feature(name="job", coding=JOB)),
        "classes": ("no", "yes"),
        "feature": np.array([0, 1, -1, -1, -1]),
        "threshold": np.array([40, *[np.nan] * 4]),
        "child_start": np.array([0, 2, 4, 4, 4, 4]),
        "child": np.array([1, 4, 2, 3]),
        "route_start": np.array([0, 1, 5, 5, 5, 5]),
        "route": np.array([1, 0, 1, 0, 1]),
        "label": np.array([0, 0, 0, 1, 1]),
        "n": np.array([6, 4, 2, 2, 2]),
        "weight": np.array([[3.0, 3], [3, 1], [2, 0], [1, 1], [0, 2]]),
    }
    return Tree(**{**parts, **changes})  # type: ignore[arg-type]
