"""How well one feature alone tells classes apart: what a tree of that feature could do.

A feature that is made from the outcome, or is known only after it, gives itself away by this.
"""

from __future__ import annotations

import numpy as np

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding

FEWEST_ROWS = 20  # of a class: with fewer, chance tells it from others
MOST_ROWS = 200_000
MOST_CELLS = 20_000_000  # of codes by classes: nobody compares so many groups
MOST_BINS = 64  # of a numeric feature


def balanced_accuracy_alone(column: CodedColumn, classes: np.ndarray, n_classes: int) -> float:
    """Mean share of each class that the values of one feature tell.

    Parameters
    ----------
    column : CodedColumn
    classes : (n,) whole numbers
        Class of each row, from 0; rows of other numbers are left out.
    n_classes : int

    Returns
    -------
    float
        The better of two ways. The first takes, for every level (or bin) of the feature, the class
        that has the largest share of its own rows there, learnt on one half of the rows and tried
        on the other, both ways. The second, for numbers and two classes, is the best cut: half of
        one plus the statistic of Kolmogorov and Smirnov. NaN where fewer than two classes have 20
        rows, or codes and classes are too many to be counted.

    Examples
    --------
    >>> from arbitree.table.codings import CategoryCoding
    >>> paid = np.arange(200) % 2
    >>> told = CodedColumn(name="x", coding=CategoryCoding(levels=("a", "b")), codes=paid)
    >>> balanced_accuracy_alone(told, paid, 2)
    1.0
    """
    size = np.bincount(classes[(classes >= 0) & (classes < n_classes)], minlength=n_classes)
    counted = np.flatnonzero(size >= FEWEST_ROWS)
    numeric = isinstance(column.coding, NumericCoding)
    if len(counted) < 2 or column.coding.n_codes * len(counted) > MOST_CELLS:
        return float("nan")
    halves = _halves(column, classes, counted)
    if not halves.any(axis=1).all():  # of so many rows that some class was not drawn
        return float("nan")
    if not numeric:
        return _learnt(halves)
    cut = _best_cut(halves.sum(axis=0)) if len(counted) == 2 else 0.0
    return max(cut, _learnt(_binned(halves)))


def _halves(column: CodedColumn, classes: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Rows by code and class, in two halves drawn at random: (2, n_codes, k)."""
    place = np.full(int(max(counted.max(), classes.max())) + 2, -1)  # the last one is that of -1
    place[counted] = np.arange(len(counted))
    of_row = place[classes]
    rows = np.random.default_rng(0).permutation(np.flatnonzero(of_row >= 0))[:MOST_ROWS]
    cells = column.codes[rows].astype(np.int64) * len(counted) + of_row[rows]
    shape = (column.coding.n_codes, len(counted))
    n_cells = shape[0] * shape[1]
    return np.stack([np.bincount(cells[k::2], minlength=n_cells).reshape(shape) for k in (0, 1)])


def _learnt(halves: np.ndarray) -> float:
    """Learnt on one half of the rows and tried on the other, both ways.  (2, n_codes, k)"""
    found = []
    for learnt, tried in (halves, halves[::-1]):
        told = (learnt / learnt.sum(axis=0)).argmax(axis=1)
        right = np.bincount(
            told, tried[np.arange(len(told)), told], minlength=tried.shape[1]
        ) / tried.sum(axis=0)
        found.append(right.mean())
    return float(np.mean(found))


def _binned(halves: np.ndarray) -> np.ndarray:
    """Codes of numbers in at most 64 bins of about as many rows; the last one, missing, apart."""
    n = halves[:, :-1].sum(axis=(0, 2))
    place = (np.cumsum(n) - n) * MOST_BINS // max(int(n.sum()), 1)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    numbers = np.add.reduceat(halves[:, :-1], starts, axis=1) if len(starts) else halves[:, :0]
    return np.concatenate([numbers, halves[:, -1:]], axis=1)


def _best_cut(n: np.ndarray) -> float:
    """Balanced accuracy of the best ``x <= t``, missing values on either side.  (n_codes, 2)"""
    share = n / n.sum(axis=0)
    below = np.cumsum(share[:-1], axis=0)
    apart = np.diff(np.concatenate([np.zeros((1, 2)), below, below + share[-1]]), axis=1)
    return float(0.5 + np.abs(apart).max() / 2)
