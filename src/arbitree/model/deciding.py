"""What a tree decides on rows of a file, of which only codes are kept.

The columns that it reads are coded by its own thresholds, whatever the bins of other uses are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arbitree._errors import InputError
from arbitree.model.route import leaves_of_codes
from arbitree.model.tree import LEAF, Feature, Tree
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import Coding, NumericCoding
from arbitree.table.favorable import Words, chosen
from arbitree.table.labels import Outcome


def codings_read(tree: Tree) -> dict[str, Coding]:
    """A coding for each column that a tree reads, exactly as fine as its decisions need.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    dict of str to Coding
        Of numbers, the edges are the thresholds.

    Raises
    ------
    InputError
        If a feature has a name that no column of a file has.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [20, 40, 60], "k": [1, 1, 1]}, [0, 1, 1]).tree_
    >>> {name: coding.edges.tolist() for name, coding in codings_read(tree).items()}
    {'age': [30.0]}
    """
    found = {}
    for j in sorted(set(tree.feature.tolist()) - {LEAF}):
        feature = tree.features[j]
        if not isinstance(feature.name, str):
            raise InputError(
                f"The tree reads a column called {feature.name!r}, and columns of files have texts "
                "as names. Train it on a table with such names."
            )
        found[feature.name] = _coding(tree, j)
    return found


def decided_classes(tree: Tree, columns: Sequence[CodedColumn], n_rows: int) -> np.ndarray:
    """The class of each row, as its position.

    Parameters
    ----------
    tree : Tree
    columns : sequence of CodedColumn
        By the codings of `codings_read`.
    n_rows : int

    Returns
    -------
    ndarray of int32, shape (n_rows,)
    """
    by_name = {column.name: column for column in columns}
    features, codes = [], []
    unread = np.zeros(n_rows, np.uint8)
    for feature in tree.features:
        column = by_name.get(feature.name)
        coding = feature.coding if column is None else column.coding
        features.append(Feature(name=feature.name, coding=coding))
        codes.append(unread if column is None else column.codes)
    coded = replace(tree, features=tuple(features))
    return coded.label[leaves_of_codes(coded, codes)]


def decided_outcome(
    tree: Tree, columns: Sequence[CodedColumn], n_rows: int, *, favorable_label: object
) -> Outcome:
    """What a tree decides on each row, and whether it is favourable.

    Parameters
    ----------
    tree : Tree
    columns : sequence of CodedColumn
    n_rows : int
    favorable_label : object or collection of objects
        Of the tree's classes; a text finds the class that reads so.

    Raises
    ------
    LabelError
        If there is no such class.
    """
    words = Words(subject="The tree's decision", name="decision", parameter="favorable_label")
    place = decided_classes(tree, columns, n_rows)
    counts = np.bincount(place, minlength=len(tree.classes)).tolist()
    seen = dict(zip(tree.classes, counts))
    favorable, named = chosen(favorable_label, seen, tree.classes, True, words)
    codes = np.array([label in favorable for label in tree.classes], np.uint8)[place]
    codes.flags.writeable = False
    return Outcome(
        name=words.name,
        codes=codes,
        favorable=favorable,
        unfavorable=tuple(label for label in tree.classes if label not in favorable),
        how=words.how(named),
    )


def _coding(tree: Tree, j: int) -> Coding:
    coding = tree.features[j].coding
    if not isinstance(coding, NumericCoding):
        return coding
    thresholds = np.unique(tree.threshold[tree.feature == j])
    edges = thresholds[np.isfinite(thresholds)]
    return replace(coding, edges=edges, exact=False, values=None)
