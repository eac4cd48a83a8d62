"""The compiled loops over rows that descend finished trees, as those of `_kernels`."""

from __future__ import annotations

import numpy as np

from arbitree.counts._kernels import compiled


@compiled
def add_leaves(
    codes: np.ndarray,  # IN   (n, n_axes) int32
    missing: np.ndarray,  # IN   (n_axes,) int32, the cell of a missing value
    root: np.ndarray,  # IN   (n_trees,) int64
    axis: np.ndarray,  # IN   (n_nodes,) int32, -1 of a leaf
    cut: np.ndarray,  # IN   (n_nodes,) int32
    missing_left: np.ndarray,  # IN   (n_nodes,) bool
    test: np.ndarray,  # IN   (n_nodes,) int32, -1: compare with the cut
    lefts: np.ndarray,  # IN   (n_tests, most cells) bool
    left: np.ndarray,  # IN   (n_nodes,) int64
    right: np.ndarray,  # IN   (n_nodes,) int64
    value: np.ndarray,  # IN   (n_nodes, n_classes) float64
    total: np.ndarray,  # OUT  (n, n_classes) float64, added to
) -> None:
    # Trees outside: the nodes of one stay in the cache while all rows descend it.
    for t in range(root.shape[0]):
        for i in range(codes.shape[0]):
            node = root[t]
            while axis[node] >= 0:
                cell = codes[i, axis[node]]
                if test[node] >= 0:
                    goes_left = lefts[test[node], cell]
                elif cell == missing[axis[node]]:
                    goes_left = missing_left[node]
                else:
                    goes_left = cell <= cut[node]
                node = left[node] if goes_left else right[node]
            for k in range(value.shape[1]):
                total[i, k] += value[node, k]


# Frozen trees: a number goes to the first child up to the threshold and to the second above it; a
# missing one where the node's only route says. A level, and a missing one too, has a route each.


@compiled
def descend_values(
    values: np.ndarray,  # IN   (n, k) float32, numbers or codes of levels
    column: np.ndarray,  # IN   (n_nodes,) int32, of values; -1 for a leaf
    threshold: np.ndarray,  # IN   (n_nodes,) float32, NaN where levels are compared
    child_start: np.ndarray,  # IN   (n_nodes + 1,) int32
    child: np.ndarray,  # IN   (n_edges,) int32
    route_start: np.ndarray,  # IN   (n_nodes + 1,) int64
    route: np.ndarray,  # IN   (n_routes,) uint16
    leaf: np.ndarray,  # OUT  (n,) int32
) -> None:
    for i in range(values.shape[0]):
        node = np.uintp(0)
        while column[node] >= 0:
            x = values[i, np.uintp(column[node])]
            if threshold[node] != threshold[node]:
                side = np.int64(route[np.uintp(route_start[node] + np.int64(x))])
            elif x != x:
                side = np.int64(route[np.uintp(route_start[node])])
            else:
                side = np.int64(x > threshold[node])
            node = np.uintp(child[np.uintp(child_start[node] + side)])
        leaf[i] = np.int32(node)
