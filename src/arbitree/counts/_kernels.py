"""The compiled loops over rows: arrays in, arrays out, and the only module that imports numba.

Nothing is checked here: whoever calls a kernel has checked that no index leaves its table.
Import this module where a kernel is called, not at the top of a file: numba takes 0.5 s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit


def compiled(function: Callable[..., Any]) -> Any:
    """The function compiled without the interpreter's lock, cached on disk where that can be.

    numba looks for a place beside this file, then in the user's cache folder; where neither can
    be written it refuses, and the kernel is compiled once a process instead.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)


# Unsigned indices: numba tests a signed one for being negative, which took a third longer (medians
# of 41 turns, 1,000,000 rows x 10 columns: 14.4 against 10.5 ms at 256 bins, 13.0 against 9.6 at
# 16).


@compiled
def add_counts(
    codes: np.ndarray,  # IN   (n,) uint8 | uint16
    inner: np.ndarray,  # IN   (n,) uint32
    stride: int,  # IN
    table: np.ndarray,  # OUT  (size,) int64
) -> None:
    step = np.uintp(stride)
    for i in range(codes.shape[0]):
        table[np.uintp(inner[i]) + np.uintp(codes[i]) * step] += 1


@compiled
def add_weights(
    codes: np.ndarray,  # IN   (n,) uint8 | uint16
    inner: np.ndarray,  # IN   (n,) uint32
    stride: int,  # IN
    weights: np.ndarray,  # IN   (n,) float64
    table: np.ndarray,  # OUT  (size,) float64
) -> None:
    step = np.uintp(stride)
    for i in range(codes.shape[0]):
        table[np.uintp(inner[i]) + np.uintp(codes[i]) * step] += weights[i]


@compiled
def running_sums(
    values: np.ndarray,  # IN   (m, k) float64
    start: np.ndarray,  # IN   (n_runs,) int64, where sums begin anew; start[0] is 0
    sums: np.ndarray,  # OUT  (m, k) float64
) -> None:
    for run in range(start.shape[0]):
        stop = start[run + 1] if run + 1 < start.shape[0] else values.shape[0]
        for j in range(values.shape[1]):
            total = 0.0
            for i in range(start[run], stop):
                total += values[i, j]
                sums[i, j] = total


# Components: tables of one, two or three columns, laid end to end. The cell of a row in component c
# is start[c] + (code_0 * n_codes_1 + code_1) * n_codes_2 + code_2, where an absent column has -1
# in `axes`. Components outside, rows inside, so that one table at a time is in cache.


@compiled
def gather(
    codes: np.ndarray,  # IN   (n_columns, n) uint8
    axes: np.ndarray,  # IN   (n_components, 3) int64
    sizes: np.ndarray,  # IN   (n_components, 3) int64
    start: np.ndarray,  # IN   (n_components + 1,) int64
    tables: np.ndarray,  # IN   (r, n_cells) float64
    first: int,  # IN   first row
    found: np.ndarray,  # OUT  (r, m) float64, rows first to first + m
) -> None:
    cell = np.empty(found.shape[1], np.uint32)
    for c in range(axes.shape[0]):
        number_cells(codes, axes[c], sizes[c], first, cell)
        for k in range(found.shape[0]):
            table, sums = tables[k, start[c] : start[c + 1]], found[k]
            for i in range(cell.shape[0]):
                sums[i] += table[np.uintp(cell[i])]


@compiled
def scatter(
    codes: np.ndarray,  # IN   (n_columns, n) uint8
    axes: np.ndarray,  # IN   (n_components, 3) int64
    sizes: np.ndarray,  # IN   (n_components, 3) int64
    start: np.ndarray,  # IN   (n_components + 1,) int64
    values: np.ndarray,  # IN   (r, m) float64, rows first to first + m
    first: int,  # IN   first row
    tables: np.ndarray,  # OUT  (r, n_cells) float64
) -> None:
    cell = np.empty(values.shape[1], np.uint32)
    for c in range(axes.shape[0]):
        number_cells(codes, axes[c], sizes[c], first, cell)
        for k in range(values.shape[0]):
            table, of_rows = tables[k, start[c] : start[c + 1]], values[k]
            for i in range(cell.shape[0]):
                table[np.uintp(cell[i])] += of_rows[i]


@compiled
def number_cells(
    codes: np.ndarray,  # IN   (n_columns, n) uint8
    axes: np.ndarray,  # IN   (3,) int64
    sizes: np.ndarray,  # IN   (3,) int64
    first: int,  # IN
    cell: np.ndarray,  # OUT  (m,) uint32
) -> None:
    n_1, n_2 = np.uint32(sizes[1]), np.uint32(sizes[2])
    m = cell.shape[0]
    of_0 = codes[axes[0], first : first + m]
    if axes[1] < 0:
        for i in range(m):
            cell[i] = np.uint32(of_0[i])
        return
    of_1 = codes[axes[1], first : first + m]
    if axes[2] < 0:
        for i in range(m):
            cell[i] = np.uint32(of_0[i]) * n_1 + np.uint32(of_1[i])
        return
    of_2 = codes[axes[2], first : first + m]
    for i in range(m):
        cell[i] = (np.uint32(of_0[i]) * n_1 + np.uint32(of_1[i])) * n_2 + np.uint32(of_2[i])


# Tables of components from coefficients, and back. The functions of column j, (n_codes, k) of them,
# are values[place[j] : place[j + 1]]; coefficients of a component are an array (k_0, k_1, k_2),
# where an absent column has one code and one function, 1. Small matrix products in one call: as
# calls from Python they took 0.25 of 0.39 s of an explanation of 7,214 rows x 7 features with all
# pairs (benchmarks/influence/speed.py).


@compiled
def functions_of(
    values: np.ndarray,  # IN   flat float64
    place: np.ndarray,  # IN   (n_columns + 1,) int64
    widths: np.ndarray,  # IN   (n_columns,) int64
    column: int,  # IN   -1 for an absent one
) -> np.ndarray:
    if column < 0:
        return np.ones((1, 1))
    of_column = values[place[column] : place[column + 1]]
    width = max(widths[column], 1)
    return of_column.reshape(of_column.shape[0] // width, widths[column])


@compiled
def tables_from(
    axes: np.ndarray,  # IN   (n_components, 3) int64
    sizes: np.ndarray,  # IN   (n_components, 3) int64
    start: np.ndarray,  # IN   (n_components + 1,) int64, first cell
    values: np.ndarray,  # IN   flat float64
    place: np.ndarray,  # IN   (n_columns + 1,) int64
    widths: np.ndarray,  # IN   (n_columns,) int64, functions of each column
    first: np.ndarray,  # IN   (n_components + 1,) int64, first coefficient
    theta: np.ndarray,  # IN   (r, n_coefficients) float64
    tables: np.ndarray,  # OUT  (r, n_cells) float64
) -> None:
    for c in range(axes.shape[0]):
        of_0 = functions_of(values, place, widths, axes[c, 0])
        of_1 = functions_of(values, place, widths, axes[c, 1])
        of_2 = functions_of(values, place, widths, axes[c, 2])
        for r in range(theta.shape[0]):
            of_component = theta[r, first[c] : first[c + 1]]
            table_from(of_0, of_1, of_2, of_component, tables[r, start[c] : start[c + 1]])


@compiled
def table_from(
    of_0: np.ndarray,  # IN   (n_0, k_0) float64
    of_1: np.ndarray,  # IN   (n_1, k_1) float64
    of_2: np.ndarray,  # IN   (n_2, k_2) float64
    theta: np.ndarray,  # IN   (k_0 * k_1 * k_2,) float64
    table: np.ndarray,  # OUT  (n_0 * n_1 * n_2,) float64
) -> None:
    n_0, n_1, n_2 = of_0.shape[0], of_1.shape[0], of_2.shape[0]
    k_0, k_1, k_2 = of_0.shape[1], of_1.shape[1], of_2.shape[1]
    if k_0 * k_1 * k_2 == 0:
        table[:] = 0.0
    elif n_1 * n_2 == 1:
        table[:] = np.dot(of_0, theta)
    else:
        rows = np.dot(of_0, theta.reshape(k_0, k_1 * k_2))
        if n_2 == 1:
            np.dot(rows, of_1.T, table.reshape(n_0, n_1))
        else:
            cube = table.reshape(n_0, n_1, n_2)
            for i in range(n_0):
                cube[i] = np.dot(of_1, np.dot(rows[i].reshape(k_1, k_2), of_2.T))


@compiled
def coefficients_from(
    axes: np.ndarray,  # IN   as above
    sizes: np.ndarray,  # IN
    start: np.ndarray,  # IN
    values: np.ndarray,  # IN
    place: np.ndarray,  # IN
    widths: np.ndarray,  # IN
    first: np.ndarray,  # IN
    tables: np.ndarray,  # IN   (r, n_cells) float64
    theta: np.ndarray,  # OUT  (r, n_coefficients) float64
) -> None:
    for c in range(axes.shape[0]):
        of_0 = functions_of(values, place, widths, axes[c, 0])
        of_1 = functions_of(values, place, widths, axes[c, 1])
        of_2 = functions_of(values, place, widths, axes[c, 2])
        for r in range(theta.shape[0]):
            table = tables[r, start[c] : start[c + 1]]
            component_from(of_0, of_1, of_2, table, theta[r, first[c] : first[c + 1]])


@compiled
def component_from(
    of_0: np.ndarray,  # IN   (n_0, k_0) float64
    of_1: np.ndarray,  # IN   (n_1, k_1) float64
    of_2: np.ndarray,  # IN   (n_2, k_2) float64
    table: np.ndarray,  # IN   (n_0 * n_1 * n_2,) float64
    theta: np.ndarray,  # OUT  (k_0 * k_1 * k_2,) float64
) -> None:
    n_0, n_1, n_2 = of_0.shape[0], of_1.shape[0], of_2.shape[0]
    k_0, k_1, k_2 = of_0.shape[1], of_1.shape[1], of_2.shape[1]
    if k_0 * k_1 * k_2 == 0:
        return
    if n_1 * n_2 == 1:
        theta[:] = np.dot(of_0.T, table)
    elif n_2 == 1:
        theta[:] = np.dot(of_0.T, np.dot(table.reshape(n_0, n_1), of_1)).ravel()
    else:
        rows = np.empty((n_0, k_1 * k_2))
        cube = table.reshape(n_0, n_1, n_2)
        for i in range(n_0):
            rows[i] = np.dot(of_1.T, np.dot(cube[i], of_2)).ravel()
        theta[:] = np.dot(of_0.T, rows).ravel()


@compiled
def rows_and_back(
    codes: np.ndarray,  # IN   (n_columns, n) uint8
    axes: np.ndarray,  # IN   as above
    sizes: np.ndarray,  # IN
    values: np.ndarray,  # IN
    place: np.ndarray,  # IN
    widths: np.ndarray,  # IN
    first: np.ndarray,  # IN
    theta: np.ndarray,  # IN   (r, n_coefficients) float64
    weights: np.ndarray,  # IN   (r or 1, n) float64
    found: np.ndarray,  # OUT  (r, n_coefficients) float64
    fitted: np.ndarray,  # IN, OUT  (r, n) float64, to which sums of tables are added
) -> None:
    # Tables, their sums over rows, sums of these over cells, coefficients; one table at a time, so
    # that it is in the nearest cache from when it is made until it is read.
    n_replicates, n = fitted.shape
    cell = np.empty(n, np.uint32)
    largest = 1
    for c in range(axes.shape[0]):
        largest = max(largest, sizes[c, 0] * sizes[c, 1] * sizes[c, 2])
    whole = np.empty(largest)
    for c in range(axes.shape[0]):
        number_cells(codes, axes[c], sizes[c], 0, cell)
        of_0 = functions_of(values, place, widths, axes[c, 0])
        of_1 = functions_of(values, place, widths, axes[c, 1])
        of_2 = functions_of(values, place, widths, axes[c, 2])
        table = whole[: sizes[c, 0] * sizes[c, 1] * sizes[c, 2]]
        for r in range(n_replicates):
            table_from(of_0, of_1, of_2, theta[r, first[c] : first[c + 1]], table)
            sums = fitted[r]
            for i in range(n):
                sums[i] += table[np.uintp(cell[i])]
    of_rows = fitted * weights
    for c in range(axes.shape[0]):
        number_cells(codes, axes[c], sizes[c], 0, cell)
        of_0 = functions_of(values, place, widths, axes[c, 0])
        of_1 = functions_of(values, place, widths, axes[c, 1])
        of_2 = functions_of(values, place, widths, axes[c, 2])
        table = whole[: sizes[c, 0] * sizes[c, 1] * sizes[c, 2]]
        for r in range(n_replicates):
            table[:] = 0.0
            weighted = of_rows[r]
            for i in range(n):
                table[np.uintp(cell[i])] += weighted[i]
            component_from(of_0, of_1, of_2, table, found[r, first[c] : first[c + 1]])


# Trees whose splits are masks over codes: from an inner node a row goes to children[node, 1] where
# the node's mask is 1 at its code of the node's column, else to children[node, 0]. The search over
# whole trees passes over the rows some hundred times, and walks anew each time: faster than to
# keep, part and gather rows by node. Codes are row-major, so that a walk stays in one cache line.


@compiled
def descend(
    codes: np.ndarray,  # IN   (n, d) uint8 | uint16
    feature: np.ndarray,  # IN   (n_nodes,) int32, -1 for a leaf
    children: np.ndarray,  # IN   (n_nodes, 2) int32
    mask: np.ndarray,  # IN   (n_nodes, n_codes) uint8
    at: np.ndarray,  # IN, OUT  (n,) int64, a node; the leaf below it
) -> None:
    for i in range(codes.shape[0]):
        node = np.uintp(at[i])
        while feature[node] >= 0:
            node = np.uintp(children[node, mask[node, codes[i, np.uintp(feature[node])]]])
        at[i] = np.int64(node)


@compiled
def add_reaching(
    codes: np.ndarray,  # IN   (n, d) uint8 | uint16
    first: np.ndarray,  # IN   (d,) int64, where the codes of each column begin
    feature: np.ndarray,  # IN   (n_nodes,) int32, -1 for a leaf
    children: np.ndarray,  # IN   (n_nodes, 2) int32
    mask: np.ndarray,  # IN   (n_nodes, n_codes) uint8
    place: np.ndarray,  # IN   (n_nodes,) int32, of a node that is counted, -1 of others
    cell: np.ndarray,  # IN   (n,) uint32
    weights: np.ndarray,  # IN   (n,) float64
    table: np.ndarray,  # OUT  (total_codes, n_places, n_cells) float64
) -> None:
    for i in range(codes.shape[0]):
        node = np.uintp(0)
        while place[node] < 0 and feature[node] >= 0:
            node = np.uintp(children[node, mask[node, codes[i, np.uintp(feature[node])]]])
        if place[node] >= 0:
            at, of = np.uintp(place[node]), np.uintp(cell[i])
            for j in range(codes.shape[1]):
                table[np.uintp(first[j]) + np.uintp(codes[i, j]), at, of] += weights[i]


@compiled
def add_differences(
    codes: np.ndarray,  # IN   (n, d) uint8 | uint16
    first: np.ndarray,  # IN   (d,) int64
    feature: np.ndarray,  # IN   (n_nodes,) int32
    children: np.ndarray,  # IN   (n_nodes, 2) int32
    mask: np.ndarray,  # IN   (n_nodes, n_codes) uint8
    label: np.ndarray,  # IN   (n_nodes,) uint8, what a leaf decides: 0 or 1
    place: np.ndarray,  # IN   (n_nodes,) int32, of an inner node that is counted, -1 of others
    cell: np.ndarray,  # IN   (n,) uint32
    weights: np.ndarray,  # IN   (n,) float64
    table: np.ndarray,  # OUT  (total_codes, n_places, n_cells) float64: rows decided otherwise
    # below the second child than below the first; their weights, negative where the first says 1
) -> None:
    for i in range(codes.shape[0]):
        node = np.uintp(0)
        while place[node] < 0 and feature[node] >= 0:
            node = np.uintp(children[node, mask[node, codes[i, np.uintp(feature[node])]]])
        if place[node] < 0:
            continue
        one, two = np.uintp(children[node, 0]), np.uintp(children[node, 1])
        while feature[one] >= 0:
            one = np.uintp(children[one, mask[one, codes[i, np.uintp(feature[one])]]])
        while feature[two] >= 0:
            two = np.uintp(children[two, mask[two, codes[i, np.uintp(feature[two])]]])
        if label[one] != label[two]:
            amount = weights[i] if label[two] > label[one] else -weights[i]
            at, of = np.uintp(place[node]), np.uintp(cell[i])
            for j in range(codes.shape[1]):
                table[np.uintp(first[j]) + np.uintp(codes[i, j]), at, of] += amount
