"""The table that an audit reads: rows by segment, group, label and decision.

This needs no compiled kernel: `numpy.bincount` over one combined index, in blocks that stay in
cache, counts a million rows x 112 groups in 4 ms (benchmarks/histogram.py). It holds the
interpreter's lock, so that threads would only make it slower.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError
from arbitree.counts.checks import at_least, codes_in_range, shares_of_groups, weights_of_rows
from arbitree.counts.spread import blocks

N_OUTCOMES = 3  # unfavourable, favourable, missing
ROWS_A_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Counts of rows by (segment, group, label, decision).

    Labels and decisions have three codes: 0 unfavourable, 1 favourable, 2 missing. All three
    tables have the same shape, and adding the cells of two sets of rows gives those of their union.
    With fractional membership `n` counts the rows that belong to a group at all.
    """

    n: np.ndarray  # (n_segments, n_groups, 3, 3) int64, rows
    w: np.ndarray | None = None  # the same shape, float64, sums of weights
    w2: np.ndarray | None = None  # the same shape, float64, sums of squared weights

    @property
    def amounts(self) -> np.ndarray:
        """What rates are made of: sums of weights where there are weights, else counts."""
        return self.n if self.w is None else self.w

    def __add__(self, other: Cells) -> Cells:
        if (self.w is None) != (other.w is None):
            raise InputError("Only one of these two counts has weights; they cannot be added.")
        if self.n.shape != other.n.shape:
            raise InputError(f"Counts of shape {self.n.shape} and {other.n.shape} do not add up.")
        if self.w is None or self.w2 is None or other.w is None or other.w2 is None:
            return Cells(n=self.n + other.n)
        return Cells(n=self.n + other.n, w=self.w + other.w, w2=self.w2 + other.w2)


def count_cells(
    group: ArrayLike | None,
    n_groups: int,
    *,
    decisions: ArrayLike,
    labels: ArrayLike | None = None,
    segment: ArrayLike | None = None,
    n_segments: int = 1,
    weights: ArrayLike | None = None,
    membership: ArrayLike | None = None,
) -> Cells:
    """Count rows by segment, group, label and decision.

    Parameters
    ----------
    group : (n,) whole numbers, or None when `membership` is given
        Group of each row, 0 to ``n_groups - 1``.
    n_groups : int
    decisions : (n,) whole numbers
        0 unfavourable, 1 favourable, 2 missing.
    labels : (n,) whole numbers, optional
        The same codes; without it every label is missing.
    segment : (n,) whole numbers, optional
        Segment of each row (a value of the control features), 0 to ``n_segments - 1``.
    n_segments : int
    weights : (n,) floats, optional
        Finite and not negative.
    membership : (n, n_groups) floats, optional
        Share of each row that belongs to each group, instead of `group`.

    Returns
    -------
    Cells
        With `w` and `w2` where there are weights or memberships.

    Raises
    ------
    InputError
        If a code is out of range, a weight is not finite or negative, or lengths differ.

    Examples
    --------
    >>> cells = count_cells([0, 0, 1, 1], 2, decisions=[1, 0, 1, 1])
    >>> cells.n.shape
    (1, 2, 3, 3)
    >>> cells.n.sum(axis=2)[0, :, 1]  # favourable decisions of each group
    array([1, 2])
    """
    n_groups = at_least(n_groups, 0, "n_groups")
    n_segments = at_least(n_segments, 1, "n_segments")
    decided = codes_in_range(decisions, N_OUTCOMES, "decisions")

    def row_codes(codes: ArrayLike | None, n_codes: int, what: str) -> np.ndarray | None:
        return None if codes is None else codes_in_range(codes, n_codes, what, n_rows=len(decided))

    labelled = row_codes(labels, N_OUTCOMES, "labels")
    part = row_codes(segment, n_segments, "segment")
    w = weights_of_rows(weights, len(decided))
    if (group is None) == (membership is None):
        raise InputError("Pass either group or membership, and not both.")
    if membership is not None:
        shares = shares_of_groups(membership, len(decided), n_groups)
        return _count_shares(part, n_segments, labelled, decided, shares, w)
    index = _combined(part, row_codes(group, n_groups, "group"), n_groups, labelled, decided)
    shape = (n_segments, n_groups, N_OUTCOMES, N_OUTCOMES)
    return Cells(**dict(zip(("n", "w", "w2"), _count(index, len(decided), w, shape))))


def _combined(
    segment: np.ndarray | None,
    group: np.ndarray | None,
    n_groups: int,
    labels: np.ndarray | None,
    decisions: np.ndarray,
) -> Callable[[slice], np.ndarray]:
    """A function from a block of rows to the number of the cell of each row."""

    def index(rows: slice) -> np.ndarray:
        label = (
            np.full(1, 2, np.uint8) if labels is None else labels[rows].astype(np.uint8, copy=False)
        )
        outcome = label * np.uint8(N_OUTCOMES) + decisions[rows].astype(np.uint8, copy=False)
        upper = np.zeros(len(outcome), np.intp) if group is None else group[rows].astype(np.intp)
        if segment is not None:
            upper += segment[rows].astype(np.intp) * n_groups
        upper *= N_OUTCOMES * N_OUTCOMES
        upper += outcome
        return upper

    return index


def _count(
    index: Callable[[slice], np.ndarray],
    n_rows: int,
    weights: np.ndarray | None,
    shape: tuple[int, ...],
) -> list[np.ndarray]:
    """Sums over the rows of each cell of the weights to the powers 0, 1 and 2."""
    size = int(np.prod(shape))
    tables: list[np.ndarray] = [np.zeros(size, np.int64)]
    if weights is not None:
        tables += [np.zeros(size), np.zeros(size)]
    for block in blocks(slice(0, n_rows), max(ROWS_A_BLOCK, size)):
        cell = index(block)
        for power, table in enumerate(tables):
            of_rows = None if weights is None or power == 0 else weights[block] ** power
            table += np.bincount(cell, of_rows, minlength=size)
    return [table.reshape(shape) for table in tables]


def _count_shares(
    segment: np.ndarray | None,
    n_segments: int,
    labels: np.ndarray | None,
    decisions: np.ndarray,
    shares: np.ndarray,
    weights: np.ndarray | None,
) -> Cells:
    """One group after the other; a row counts in every group that it has a share of."""
    one = (n_segments, N_OUTCOMES, N_OUTCOMES)
    tables = np.zeros((3, n_segments, shares.shape[1], N_OUTCOMES, N_OUTCOMES))
    for group, share in enumerate(shares.T):
        rows = np.flatnonzero(share)
        parts = [None if codes is None else codes[rows] for codes in (segment, labels)]
        index = _combined(parts[0], None, 1, parts[1], decisions[rows])
        w = share[rows] if weights is None else share[rows] * weights[rows]
        tables[:, :, group] = _count(index, len(rows), w, one)
    n, w, w2 = tables
    return Cells(n=n.astype(np.int64), w=w, w2=w2)
