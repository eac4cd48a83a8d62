"""The features of a tree with no more of the training rows than its decisions need."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace

import numpy as np

from arbitree.model.tree import LEAF, Feature, Tree
from arbitree.table.codings import CategoryCoding, Coding, NumericCoding
from arbitree.table.units import has_time_zone


def features_needed(tree: Tree, also: Collection[Hashable] = ()) -> tuple[Feature, ...]:
    """The features of a tree, without values of training rows that no split asks for.

    A feature that no split reads, and that is not named in `also`, keeps its name and kind. Truth
    values keep both of theirs, which tell nothing.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> X = {"age": [20, 40, 60], "name": ["Ann", "Bob", "Cy"]}
    >>> tree = TreeClassifier(max_depth=1).fit(X, [0, 1, 1]).tree_
    >>> age, name = features_needed(tree)
    >>> age.coding.edges.tolist(), name.coding.levels
    ([30.0], ())
    """
    read = set(tree.feature.tolist()) - {LEAF}
    read |= {j for j, one in enumerate(tree.features) if one.name in also}
    return tuple(
        Feature(name=one.name, coding=coding_needed(tree, j) if j in read else _unread(one.coding))
        for j, one in enumerate(tree.features)
    )


def coding_needed(tree: Tree, j: int) -> Coding:
    """The coding of a feature that a tree reads, exactly as fine as its decisions need.

    Of numbers, the edges are the thresholds.
    """
    coding = tree.features[j].coding
    if isinstance(coding, CategoryCoding):
        return replace(coding, declared_unused=())
    thresholds = np.unique(tree.threshold[tree.feature == j])
    return replace(coding, edges=thresholds[np.isfinite(thresholds)], exact=False, values=None)


def _unread(coding: Coding) -> Coding:
    if isinstance(coding, NumericCoding):
        return NumericCoding(
            edges=np.zeros(0, np.float32),
            exact=False,
            values=None,
            kind=coding.kind,
            unit=_unit(coding),
        )
    return CategoryCoding(
        levels=coding.levels if coding.levels == (False, True) else (), kind=coding.kind
    )


def _unit(coding: NumericCoding) -> str | None:
    """Of a feature that is not read: the finer units and their starts tell of values."""
    if coding.kind == "date":
        return f"days since 1970-01-01{' UTC' if has_time_zone(coding.unit) else ''}"
    return "days" if coding.kind == "duration" else coding.unit
