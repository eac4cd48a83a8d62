"""The fitted functions of both groups on a grid that they share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from arbitree.influence.axes import Axis
from arbitree.influence.component import Component
from arbitree.influence.fit import GroupFit
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding

Subset = tuple[int, ...]


def on_grid(
    features: Sequence[CodedColumn],
    grid: Mapping[int, Axis],
    sets: Sequence[Subset],
    fitted: Sequence[tuple[Sequence[Axis], GroupFit]],
    rows: Sequence[np.ndarray],
) -> dict[tuple[Hashable, ...], Component]:
    """Components of one or two features.

    Parameters
    ----------
    features : sequence of CodedColumn
    grid : mapping from features to Axis
        Of the rows of both groups.
    sets : sequence of tuples of features
    fitted : pair of (axes, fit), of the high and of the low group
    rows : pair of (m,) int64
        The groups' rows.
    """
    labels = {j: labels_of(features[j], axis) for j, axis in grid.items()}
    found: dict[tuple[Hashable, ...], Component] = {}
    for subset in (s for s in sets if len(s) <= 2):
        values = [_values(features, grid, subset, axes, fit) for axes, fit in fitted]
        counts = [_rows(features, grid, subset, at) for at in rows]
        found[tuple(features[j].name for j in subset)] = Component(
            labels=tuple(labels[j] for j in subset),
            values_high=values[0],
            values_low=values[1],
            rows_high=counts[0],
            rows_low=counts[1],
        )
    return found


def _values(
    features: Sequence[CodedColumn],
    grid: Mapping[int, Axis],
    subset: Subset,
    axes: Sequence[Axis],
    fit: GroupFit,
) -> np.ndarray:
    """A group's function in the cells of the grid, at a code in the middle of each."""
    found = np.zeros([grid[j].n_codes for j in subset])
    for place, table in fit.functions.items():
        if tuple(axes[a].feature for a in place) != subset:
            continue
        at = [axes[a].merged[_middles(grid[axes[a].feature])] for a in place]
        found += table[np.ix_(*at)]
    return found


def _middles(axis: Axis) -> np.ndarray:
    """A code of the feature for each code of the axis."""
    order = np.argsort(axis.merged, kind="stable")
    n = np.bincount(axis.merged, minlength=axis.n_codes)
    return np.asarray(order[np.cumsum(n) - n + n // 2])


def _rows(
    features: Sequence[CodedColumn], grid: Mapping[int, Axis], subset: Subset, rows: np.ndarray
) -> np.ndarray:
    shape = [grid[j].n_codes for j in subset]
    cell = np.zeros(len(rows), np.int64)
    for j, size in zip(subset, shape):
        cell = cell * size + grid[j].encode(features[j].codes[rows])
    return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape)


def labels_of(column: CodedColumn, axis: Axis) -> tuple[str, ...]:
    """What each code of an axis stands for.

    Examples
    --------
    >>> from arbitree.table.codings import CategoryCoding
    >>> jobs = CodedColumn(
    ...     name="job", coding=CategoryCoding(levels=("a", "b", "c")), codes=np.zeros(1, np.uint8)
    ... )
    >>> merged = np.array([0, 1, 1, 2], np.uint8)
    >>> axis = Axis(
    ...     feature=0, merged=merged, n_codes=3, functions=np.eye(3), penalty=np.eye(3)
    ... )
    >>> labels_of(jobs, axis)
    ('a', '2 others', '(missing)')
    """
    coding = column.coding
    found = []
    for code in range(axis.n_codes):
        of_code = np.flatnonzero(axis.merged == code)
        first, last = int(of_code[0]), int(of_code[-1])
        if first == last:
            found.append(coding.label(first))
        elif not isinstance(coding, NumericCoding):
            found.append(f"{len(of_code)} others")
        elif coding.exact:
            found.append(f"{coding.label(first)} to {coding.label(last)}")
        else:
            found.append(_range(coding, first, last))
    return tuple(found)


def _range(coding: NumericCoding, first: int, last: int) -> str:
    """The text of several neighbouring ranges."""
    low, high = coding.label(first), coding.label(last)
    if first == 0 and last == coding.n_values - 1:
        return "(any)"
    if first == 0:
        return f"<= {high.split(', ')[-1].rstrip(']')}"
    if last == coding.n_values - 1:
        return f"> {low.split(', ')[0].lstrip('(')}"
    return f"{low.split(', ')[0]}, {high.split(', ')[-1]}"
