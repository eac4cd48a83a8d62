"""Counts by (bin, class, group), for every column at once and for every node of a tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError
from arbitree.counts.accumulate import Inner, Table, accumulate, row_codes
from arbitree.counts.checks import at_least, codes_in_range, shares_of_groups, weights_of_rows

ROUNDING = 1e-12  # of a sum of a million weights, seldom exceeded
WORST = 1e-8  # of a sum, never exceeded below 1e8 rows


def histogram(
    codes: Sequence[np.ndarray],
    y: ArrayLike,
    group: ArrayLike | None,
    *,
    n_bins: int,
    n_classes: int,
    n_groups: int,
    weights: ArrayLike | None = None,
    membership: ArrayLike | None = None,
    rows: ArrayLike | None = None,
    node: ArrayLike | None = None,
    n_nodes: int | None = None,
    n_threads: int | None = None,
) -> np.ndarray:
    """Count rows in every cell of every column.

    Parameters
    ----------
    codes : sequence of d arrays (n,) uint8 or uint16
        Bin of each value, column by column.
    y : (n,) whole numbers
        Class of each row.
    group : (n,) whole numbers, or None
        Group of each row; None puts every row in group 0, or where `membership` says.
    n_bins, n_classes, n_groups : int
        Codes run from 0 to one less.
    weights : (n,) floats, optional
    membership : (n, n_groups) floats, optional
        Share of each row that belongs to each group, instead of `group`.
    rows : (m,) whole numbers, optional
        Count only these rows.
    node : (n,) whole numbers, optional
        Node of each row, 0 to ``n_nodes - 1``.
    n_nodes : int, optional
    n_threads : int, optional
        None takes every core. The result does not depend on it, to the last bit.

    Returns
    -------
    (d, n_bins, n_classes, n_groups) or, with `node`, (d, n_nodes, n_bins, n_classes, n_groups)
        int64; float64 with `weights` or `membership`.

    Raises
    ------
    InputError
        If a code is out of range, a weight is not finite or negative, or lengths differ.

    Examples
    --------
    >>> age = np.array([0, 1, 1, 2], np.uint8)
    >>> counts = histogram([age], [0, 1, 1, 0], [0, 0, 1, 1], n_bins=3, n_classes=2, n_groups=2)
    >>> counts.shape
    (1, 3, 2, 2)
    >>> counts[0, 1]  # in bin 1: class by group
    array([[0, 0],
           [1, 1]])
    """
    n_bins, n_classes = at_least(n_bins, 1, "n_bins"), at_least(n_classes, 1, "n_classes")
    n_groups = at_least(n_groups, 1, "n_groups")
    if (node is None) != (n_nodes is None):
        raise InputError("Pass node and n_nodes together.")
    nodes = 1 if n_nodes is None else at_least(n_nodes, 1, "n_nodes")
    n_rows = len(np.asarray(y))
    counted = None if rows is None else codes_in_range(rows, n_rows, "rows")
    amounts = row_amounts(n_rows, n_groups, group, weights, membership)
    inside = n_groups if membership is None else 1  # groups told apart by a row's own code
    n_inner = n_classes * inside
    parts = [(row_codes(y, n_classes, "y", n_rows=n_rows), inside)]
    if group is not None:
        parts.append((row_codes(group, n_groups, "group", n_rows=n_rows), 1))
    if node is not None:
        parts.append((row_codes(node, nodes, "node", n_rows=n_rows), n_bins * n_inner))
    inner = Inner(parts=tuple(parts))
    tables = [
        Table(
            codes=row_codes(column, n_bins, f"column {j}", n_rows=n_rows),
            stride=n_inner,
            inner=inner,
            size=nodes * n_bins * n_inner,
        )
        for j, column in enumerate(codes)
    ]
    found = accumulate(tables, amounts, n_rows=n_rows, rows=counted, n_threads=n_threads)
    shape = (nodes, n_bins, n_classes, inside)
    counts: np.ndarray = np.empty((len(tables), *shape[:-1], n_groups), found_type(amounts))
    for j, of_amounts in enumerate(found):
        counts[j] = np.concatenate([table.reshape(shape) for table in of_amounts], axis=-1)
    return counts[:, 0] if node is None else counts


def row_amounts(
    n_rows: int,
    n_groups: int,
    group: ArrayLike | None,
    weights: ArrayLike | None,
    membership: ArrayLike | None,
) -> list[np.ndarray | None]:
    """What each row adds: one amount, or one for each group with fractional membership."""
    w = weights_of_rows(weights, n_rows)
    if membership is None:
        return [w]
    if group is not None:
        raise InputError("Pass either group or membership, and not both.")
    shares = shares_of_groups(membership, n_rows, n_groups)
    return [share if w is None else share * w for share in shares.T]


def found_type(amounts: Sequence[np.ndarray | None]) -> type:
    """Whole numbers where only rows are counted."""
    return np.int64 if all(amount is None for amount in amounts) else np.float64


def subtract_sibling(parent: np.ndarray, child: np.ndarray) -> np.ndarray:
    """Counts of a node's other child, without a pass over its rows.

    Parameters
    ----------
    parent, child : ndarray of one shape
        Histograms of a node and of one of its children.

    Returns
    -------
    ndarray
        Exact for counts. Sums of weights carry rounding errors: a difference that may be one
        becomes 0, so that an empty cell has weight 0 and none has less.

    Raises
    ------
    InputError
        If the child has more in a cell than its parent, or the shapes differ.

    Examples
    --------
    >>> subtract_sibling(np.array([5, 2]), np.array([1, 2]))
    array([4, 0])
    """
    if parent.shape != child.shape:
        raise InputError(f"A parent of shape {parent.shape} has no child of shape {child.shape}.")
    sibling = parent - child
    if sibling.dtype.kind == "f":
        sibling[(sibling >= -WORST * parent) & (sibling <= ROUNDING * parent)] = 0.0
    if sibling.size and sibling.min() < 0:
        raise InputError("The child counts more rows than its parent in some cell.")
    return sibling
