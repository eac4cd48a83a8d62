"""Inputs that describe the same rows, in the same order.

Rows are paired by the labels of their index where the inputs have one, else by position. What
cannot be paired for certain is refused: a wrong pairing gives a plausible, wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from arbitree._errors import AlignmentError
from arbitree._wording import counted
from arbitree.table.frames import Column

Named = Mapping[str, Sequence[Column]]


def aligned(named: Named) -> dict[str, list[Column]]:
    """The same columns with their rows paired.

    Parameters
    ----------
    named : dict of str to list of Column
        Columns by the name of the input they came from, such as ``"decisions"``.

    Returns
    -------
    dict of str to list of Column
        All of one length. Identical indexes pass. An index that holds the same unique labels in
        another order is brought into the order of the first input that has an index. Columns
        without an index are paired by position.

    Raises
    ------
    AlignmentError
        If lengths differ, if labels differ or repeat in another order, or if an input without an
        index could belong to either of two orders.

    Examples
    --------
    >>> from arbitree.table.frames import columns
    >>> decisions = columns(pd.Series([1, 0], index=["p", "q"]), what="decisions", default_name="d")
    >>> groups = columns(pd.Series(["m", "f"], index=["q", "p"]), what="groups", default_name="g")
    >>> both = aligned({"decisions": decisions, "groups": groups})
    >>> both["groups"][0].values.to_list()
    ['f', 'm']
    """
    _refuse_other_lengths(named)
    orders = _Orders(named)
    return {
        what: [_reordered(column, orders) for column in columns] for what, columns in named.items()
    }


def alignment_notices(named: Named) -> tuple[str, ...]:
    """A sentence for each input that `aligned` brings into another order; () for most.

    Raises
    ------
    AlignmentError
        As `aligned`.
    """
    _refuse_other_lengths(named)
    orders = _Orders(named)
    moved = dict.fromkeys(what for what, index in _indexed(named) if orders.of(index) is not None)
    return tuple(
        f"The rows of {what} were paired with those of {orders.first} by the labels of their "
        "indexes, which are in different orders."
        for what in moved
    )


def _refuse_other_lengths(named: Named) -> None:
    first, n_rows = "", -1
    for what, columns in named.items():
        for column in columns:
            here = what if len(columns) == 1 else f"{what} column {column.name!r}"
            if n_rows < 0:
                first, n_rows = here, len(column)
            elif len(column) != n_rows:
                raise AlignmentError(
                    f"{first} has {counted(n_rows, 'row')} and {here} has "
                    f"{counted(len(column), 'row')}. Pass inputs that describe the same rows."
                )


def _indexed(named: Named) -> Iterator[tuple[str, pd.Index]]:
    for what, columns in named.items():
        for column in columns:
            if column.index is not None:
                yield what, column.index


class _Orders:
    """For each index met: which of its rows to take, (n_rows,), or None for all as they are."""

    def __init__(self, named: Named) -> None:
        self.first = ""
        self._known: list[tuple[pd.Index, np.ndarray | None]] = []
        for what, index in _indexed(named):
            if not self._known:
                self.first = what
                self._known.append((index, None))
            elif not any(index.is_(known) for known, _ in self._known):
                order = _order((self.first, self._known[0][0]), (what, index))
                self._known.append((index, order))
                if order is not None:
                    _refuse_unindexed(named, self.first, what)

    def of(self, index: pd.Index) -> np.ndarray | None:
        return next(order for known, order in self._known if index.is_(known))


def _order(first: tuple[str, pd.Index], other: tuple[str, pd.Index]) -> np.ndarray | None:
    if first[1] is other[1] or first[1].equals(other[1]):
        return None
    left, right = _comparable(first[1], other[1])
    try:
        unique = left.is_unique and right.is_unique
        rows = right.get_indexer(left) if unique else None
    except TypeError as error:  # unhashable
        raise _different(first, other, f"labels cannot be looked up: {error}") from error
    if rows is None:
        raise _different(first, other, "labels repeat, so rows cannot be paired by label")
    if (rows < 0).any():
        raise _different(first, other, _strangers(first, other, rows))
    return rows


def _comparable(left: pd.Index, right: pd.Index) -> tuple[pd.Index, pd.Index]:
    """The labels as pandas can look them up: not by the intervals that hold them."""
    if left.nlevels != right.nlevels:
        return left.to_flat_index(), right.to_flat_index()
    if isinstance(left, pd.IntervalIndex) or isinstance(right, pd.IntervalIndex):
        return left.astype(object), right.astype(object)
    return left, right


def _strangers(first: tuple[str, pd.Index], other: tuple[str, pd.Index], rows: np.ndarray) -> str:
    unpaired = rows < 0
    label = first[1][int(np.argmax(unpaired))]
    return (
        f"{counted(int(unpaired.sum()), 'label')} of {first[0]}, such as {_shown(label)}, "
        f"cannot be found in {other[0]}"
    )


def _different(
    first: tuple[str, pd.Index], other: tuple[str, pd.Index], why: str
) -> AlignmentError:
    row = _first_difference(first[1], other[1])
    return AlignmentError(
        f"{first[0]} and {other[0]} have different indexes: at row {row} the label is "
        f"{_shown(first[1][row])} in {first[0]} and {_shown(other[1][row])} in {other[0]}, and "
        f"{why}. If their rows are in the same order, call .reset_index(drop=True) on both; "
        f"else select the same rows of both with .loc."
    )


def _first_difference(left: pd.Index, right: pd.Index) -> int:
    pairs = enumerate(zip(left.to_flat_index(), right.to_flat_index()))
    return next((row for row, (one, other) in pairs if not _same(one, other)), 0)


def _same(one: object, other: object) -> bool:
    both_nan = isinstance(one, float) and isinstance(other, float) and one != one and other != other
    return one is other or both_nan or (not _is_na(one) and not _is_na(other) and one == other)


def _is_na(label: object) -> bool:
    return label is None or label is pd.NA or label is pd.NaT


def _refuse_unindexed(named: Named, first: str, other: str) -> None:
    for what, columns in named.items():
        if any(column.index is None for column in columns):
            raise AlignmentError(
                f"{first} and {other} have their rows in different orders, and {what} has no "
                f"index, so it cannot be known which order it follows. Pass {what} as a pandas "
                f"Series with an index, or bring {first} and {other} into one order with .loc."
            )


def _shown(label: object) -> str:
    return repr(label.item() if isinstance(label, np.generic) else label)


def _reordered(column: Column, orders: _Orders) -> Column:
    order = None if column.index is None else orders.of(column.index)
    if column.index is None or order is None:
        return column
    return replace(column, values=column.values[order], index=column.index.take(order))
