"""Which cells rows can be in that a model's coding gives one code."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from arbitree.rules.axes import Axis, CategoryAxis, NumberAxis
from arbitree.table.codings import CategoryCoding, Coding, NumericCoding


def code_cells(axis: Axis, coding: Coding) -> list[int]:
    """The set of cells of each code, the code of missing last.

    A level that the coding does not know is routed as a missing value, so its cell is there. A
    range of numbers that a rule parts is in several cells.

    Parameters
    ----------
    axis : NumberAxis or CategoryAxis
        Made from the same column.
    coding : NumericCoding or CategoryCoding

    Returns
    -------
    list of int, length ``coding.n_codes``

    Examples
    --------
    >>> axis = CategoryAxis(name="x", levels=("a", "b", "new"), whole=0b01111)
    >>> [bin(cells) for cells in code_cells(axis, CategoryCoding(levels=("a", "b")))]
    ['0b1', '0b10', '0b1100']
    """
    if isinstance(axis, NumberAxis) and isinstance(coding, NumericCoding):
        limits = [-np.inf, *coding.edges.tolist(), np.inf]
        found = [axis.between(low, high) for low, high in pairwise(limits)]
        return [*found, axis.whole & 1 << axis.missing_cell]
    assert isinstance(axis, CategoryAxis)
    assert isinstance(coding, CategoryCoding)
    of_level = [axis.whole & 1 << place for place in _places(axis, coding)]
    return [*of_level, axis.whole & ~sum(of_level)]


def _places(axis: CategoryAxis, coding: CategoryCoding) -> list[int]:
    where = {(type(level), level): place for place, level in enumerate(axis.levels)}
    return [where[type(level), level] for level in coding.levels]
