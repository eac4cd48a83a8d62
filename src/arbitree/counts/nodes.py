"""Counts of the nodes of a tree, the codes of all columns end to end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree._errors import InputError
from arbitree.counts.accumulate import KERNEL_TYPES, ROWS_A_BLOCK
from arbitree.counts.checks import codes_in_range, weights_of_rows, whole_numbers
from arbitree.counts.spread import ROWS_A_LANE, blocks, spread


class NodeCounter:
    """Counts listed rows by node, code and inner cell.

    Parameters
    ----------
    codes : sequence of d arrays (n,) uint8 or uint16
    n_codes : sequence of d int
        Codes of a column run from 0 to one less.
    inner : (n,) whole numbers
        What else tells rows apart, such as their class.
    n_inner : int
    weights : (n,) floats, optional
        None counts rows.

    Raises
    ------
    InputError
        If a code is out of range, a weight is not finite or negative, or lengths differ.

    Examples
    --------
    >>> age = np.array([0, 1, 1, 2], np.uint8)
    >>> counter = NodeCounter([age], [3], np.array([0, 1, 1, 0]), 2)
    >>> counter.count(np.array([0, 1, 3]), np.array([2, 1]))[1].tolist()  # of the second node
    [[0, 0], [0, 0], [1, 0]]
    """

    def __init__(
        self,
        codes: Sequence[np.ndarray],
        n_codes: Sequence[int],
        inner: np.ndarray,
        n_inner: int,
        *,
        weights: np.ndarray | None = None,
    ) -> None:
        self.inner = codes_in_range(inner, n_inner, "inner")
        n_rows = len(self.inner)
        self.codes = []
        for j, (column, size) in enumerate(zip(codes, n_codes)):
            found = whole_numbers(column, f"column {j}", n_rows=n_rows)
            codes_in_range(found, size, f"column {j}")
            self.codes.append(found if found.dtype in KERNEL_TYPES else found.astype(np.uint32))
        self.start = np.concatenate([[0], np.cumsum(n_codes)]).astype(np.int64)
        self.n_inner = n_inner
        self.weights = weights_of_rows(weights, n_rows)

    def count(self, rows: np.ndarray | None, sizes: np.ndarray) -> np.ndarray:
        """Counts of nodes.

        Parameters
        ----------
        rows : (m,) int, or None for all rows, which are one node
            Node after node.
        sizes : (n_nodes,) int
            Rows of each node.

        Returns
        -------
        (n_nodes, n_cells, n_inner)
            int64; float64 with weights.
        """
        n_cells = int(self.start[-1])
        width = n_cells * self.n_inner
        if len(sizes) * width >= 1 << 32:
            raise InputError(f"{len(sizes):,} nodes of {width:,} cells are too many at once.")
        kind = np.int64 if self.weights is None else np.float64
        table = np.zeros(len(sizes) * width, kind)
        n_rows = len(self.inner) if rows is None else len(rows)
        first = np.arange(len(sizes), dtype=np.uint32) * np.uint32(width)  # cell of each node
        small = np.uint16 if len(sizes) < 1 << 16 else np.uint32
        node = np.repeat(np.arange(len(sizes), dtype=small), sizes)
        columns = range(len(self.codes))
        lanes = 2 if n_rows >= 2 * ROWS_A_LANE else 1  # more find too few columns each

        def fill(lane: int) -> None:
            self._fill(table, rows, (first, node), columns[lane::lanes], n_rows)

        spread(fill, range(lanes))
        return table.reshape(len(sizes), n_cells, self.n_inner)

    def _fill(
        self,
        table: np.ndarray,
        rows: np.ndarray | None,
        nodes: tuple[np.ndarray, np.ndarray],
        columns: Sequence[int],
        n_rows: int,
    ) -> None:
        """Count some columns, whose cells no other thread touches."""
        from arbitree.counts._kernels import add_counts, add_weights

        first, node = nodes
        for block in blocks(slice(0, n_rows), ROWS_A_BLOCK):
            at = block if rows is None else rows[block]
            inner = _frozen(self.inner[at] + first[node[block]])
            weights = None if self.weights is None else _frozen(self.weights[at])
            for j in columns:
                codes = _frozen(self.codes[j][at])
                part = table[int(self.start[j]) * self.n_inner :]
                if weights is None:
                    add_counts(codes, inner, self.n_inner, part)
                else:
                    add_weights(codes, inner, self.n_inner, weights, part)


def _frozen(array: np.ndarray) -> np.ndarray:
    """Read-only, so that one compiled kernel serves all."""
    found = np.ascontiguousarray(array).view()
    found.flags.writeable = False
    return found
