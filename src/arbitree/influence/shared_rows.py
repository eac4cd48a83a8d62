"""Rows that belong to groups by probabilities, as rows that each belong to one group.

A row with shares in several groups becomes a row of each, weighted by its share, so that what is
fitted within a group weighs people as the weighted rate does (Chen et al. 2019).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arbitree.influence.inputs import Inputs
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import CategoryCoding
from arbitree.table.crossing import cross
from arbitree.table.probabilities import NAME


def by_probabilities(inputs: Inputs) -> Inputs:
    """The inputs with a row for each row and group that it may belong to.

    Where every share is 0 or 1 these are the rows as they were, in their order, unweighted.

    Inputs whose groups are known stay as they are.
    """
    probabilities = inputs.probabilities
    if probabilities is None:
        return inputs
    row, group = np.nonzero(probabilities.shares)
    weights = probabilities.shares[row, group]
    if inputs.weights is not None:
        weights = weights * inputs.weights[row]
    coding = CategoryCoding(levels=probabilities.groups)
    codes = group.astype(coding.dtype)
    certain = probabilities.certain
    return replace(
        inputs,
        features=tuple(_taken(column, row) for column in inputs.features),
        crossing=cross([CodedColumn(name=NAME, coding=coding, codes=codes)]),
        decided=inputs.decided[row],
        labels=None if inputs.labels is None else inputs.labels[row],
        weights=None if certain and inputs.weights is None else weights,
        probabilities=None if certain else probabilities,
        notices=(*inputs.notices, *(() if certain else (_CAUTION,))),
    )


_CAUTION = (
    "Groups are known as probabilities: each row counts in each group by its share, and n counts "
    "the rows that may belong to a group. The gap is right where decisions do not differ by group "
    "among people of equal probabilities; else it is mostly too small (Chen et al. 2019), and so "
    "are the influences that add up to it. Intervals do not cover this error; they take the "
    "groups' rows to be different people, which makes them wider."
)


def _taken(column: CodedColumn, rows: np.ndarray) -> CodedColumn:
    return CodedColumn(name=column.name, coding=column.coding, codes=column.codes[rows])
