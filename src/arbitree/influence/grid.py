"""The fitted functions of both groups on a grid that they share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from arbitree.counts.component_cells import cell_sums, components
from arbitree.influence.axes import Axis
from arbitree.influence.component import Component
from arbitree.influence.fit import GroupFit
from arbitree.influence.subsets import Subset
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding


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
    middles = {j: _middles(axis) for j, axis in grid.items()}
    wanted = [s for s in sets if len(s) <= 2]
    values = [_values(wanted, grid, middles, *one) for one in fitted]
    counts = [_rows(features, grid, wanted, at) for at in rows]
    return {
        tuple(features[j].name for j in subset): Component(
            labels=tuple(labels[j] for j in subset),
            values_high=values[0][subset],
            values_low=values[1][subset],
            rows_high=counts[0][subset],
            rows_low=counts[1][subset],
        )
        for subset in wanted
    }


def _values(
    wanted: Sequence[Subset],
    grid: Mapping[int, Axis],
    middles: Mapping[int, np.ndarray],
    axes: Sequence[Axis],
    fit: GroupFit,
) -> dict[Subset, np.ndarray]:
    """A group's functions in the cells of the grid, at a code in the middle of each."""
    found = {subset: np.zeros([grid[j].n_codes for j in subset]) for subset in wanted}
    at = [one.merged[middles[one.feature]] if one.feature in grid else None for one in axes]
    for place, table in fit.functions.items():
        subset = tuple(axes[a].feature for a in place)
        if subset in found:
            found[subset] += table[np.ix_(*(at[a] for a in place))]
    return found


def _middles(axis: Axis) -> np.ndarray:
    """A code of the feature for each code of the axis."""
    order = np.argsort(axis.merged, kind="stable")
    n = np.bincount(axis.merged, minlength=axis.n_codes)
    return np.asarray(order[np.cumsum(n) - n + n // 2])


def _rows(
    features: Sequence[CodedColumn],
    grid: Mapping[int, Axis],
    wanted: Sequence[Subset],
    rows: np.ndarray,
) -> dict[Subset, np.ndarray]:
    """Rows of a group in the cells of the grid."""
    place = {j: k for k, j in enumerate(grid)}
    codes = np.empty((len(grid), len(rows)), np.uint8)
    for j, k in place.items():
        codes[k] = grid[j].encode(features[j].codes[rows])
    sizes = [axis.n_codes for axis in grid.values()]
    cells = components(codes, sizes, [tuple(place[j] for j in subset) for subset in wanted])
    sums = cell_sums(cells, np.ones((1, len(rows))), n_threads=1)[0].astype(np.int64)
    return {
        subset: sums[first:stop].reshape([grid[j].n_codes for j in subset])
        for subset, (first, stop) in zip(wanted, pairwise(cells.start.tolist()))
    }


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
    order = np.argsort(axis.merged, kind="stable")
    n = np.bincount(axis.merged, minlength=axis.n_codes)
    stop = np.cumsum(n)
    found = []
    for size, first, last in zip(n.tolist(), order[stop - n].tolist(), order[stop - 1].tolist()):
        if first == last:
            found.append(coding.label(first))
        elif not isinstance(coding, NumericCoding):
            found.append(f"{size} others")
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
