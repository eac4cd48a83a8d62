"""One column coded in at most three passes over batches of its rows.

A column with at most 65,535 distinct values is coded in one pass: its rows get provisional codes,
which are looked up once all values are known. A column with more numbers than that takes three:
count high bits, count low bits where an edge will be, encode. Nothing depends on how rows come
in batches, and one batch with all rows takes the same steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal

import narwhals as nw
import numpy as np

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.table.bins import check_bins
from arbitree.table.choose import MOST_LEVELS, numeric_coding
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import Coding, NumericCoding
from arbitree.table.dtypes import plain
from arbitree.table.edges import Refinement, bin_codes, to_keys
from arbitree.table.frames import Column
from arbitree.table.observe import FirstPass
from arbitree.table.seen import Request, notices, settle

_ROWS_A_BLOCK = 1 << 17  # whose keys take little memory


class ColumnCoder:
    """Codes a column that comes in batches.

    Parameters
    ----------
    name : hashable
    role : {"feature", "group"}
        Numbers of a feature are coded by range; every value of a group column is a level.
    max_bins : int
        Most codes for the numbers of a feature, 2 to 65,535.
    bins : sequence of float, optional
        Where the ranges of a group column of numbers begin.
    typed : callable, optional
        For batches of texts from a text file: takes a Column of texts and returns one of the
        values they stand for, or the texts if they are not all of one type. Called with the
        distinct texts of all rows unless these are more than 65,535.

    Attributes
    ----------
    notices : tuple of str
        What the user should know, once the column is coded.

    Examples
    --------
    >>> batches = [nw.new_series("x", values, backend="pandas") for values in ([3, 1], [3, 2])]
    >>> coder = ColumnCoder("x")
    >>> wanted = True
    >>> while wanted:
    ...     for batch in batches:
    ...         coder.add(batch)
    ...     wanted = coder.end_pass()
    >>> coder.finish().codes
    array([2, 0, 2, 1], dtype=uint8)
    """

    def __init__(
        self,
        name: Hashable,
        *,
        role: Literal["feature", "group"] = "feature",
        max_bins: int = 255,
        bins: Sequence[float] | None = None,
        typed: Callable[[Column], Column] | None = None,
    ) -> None:
        edges = None if bins is None else check_bins(name, bins)
        self.name = name
        self.notices: tuple[str, ...] = ()
        self._request = Request(
            name=name, role=role, max_bins=check_max_bins(max_bins), bins=edges, typed=typed
        )
        self._first = FirstPass(self._request)
        self._refinement: Refinement | None = None
        self._coding: Coding | None = None
        self._codes: np.ndarray | None = None
        self._n_done = 0  # rows of this pass
        self._done = False

    def add(self, batch: nw.Series[Any] | Column) -> None:
        """Look at the next rows; in every pass the same ones."""
        column = batch if isinstance(batch, Column) else self._column(batch)
        if self._is_first_pass:
            self._first.add(column)
        else:
            self._look_again(self._first.float32(column)[0])
        self._n_done += len(column)

    def add_codes(self, codes: np.ndarray, levels: Sequence[Any]) -> None:
        """As `add`, of rows of texts that are codes already: nothing is done row by row with texts.

        Parameters
        ----------
        codes : ndarray of int, shape (n_rows,)
            Row i has the text ``levels[codes[i]]``; -1 is missing.
        levels : sequence of str
            In any order, of this batch alone; those that no row has do not count.
        """
        shifted = np.add(codes, 1, dtype=np.intp)
        n_each = np.bincount(shifted, minlength=len(levels) + 1)[1:]
        present = np.flatnonzero(n_each)
        places = np.full(len(levels) + 1, -1)
        places[present] = np.arange(len(present))
        where, used = places[codes], [levels[i] for i in present.tolist()]
        if self._is_first_pass:
            self._first.add_levels(where, used)
        else:
            self._look_again(self._first.float32_at(where, used)[0])
        self._n_done += len(where)

    @property
    def _is_first_pass(self) -> bool:
        return self._codes is None and self._refinement is None

    def _look_again(self, values: np.ndarray) -> None:
        """Refine or encode the next rows of a column with many numbers, (n,) float32."""
        if self._refinement is not None:
            for first in range(0, len(values), _ROWS_A_BLOCK):
                block = values[first : first + _ROWS_A_BLOCK]
                self._refinement.add(to_keys(block[~np.isnan(block)]))
            return
        assert self._codes is not None
        assert isinstance(self._coding, NumericCoding)
        stop = self._n_done + len(values)
        if stop <= len(self._codes):  # else end_pass tells
            self._codes[self._n_done : stop] = bin_codes(values, self._coding.edges)

    def _column(self, batch: nw.Series[Any]) -> Column:
        return Column(self.name, plain(batch.to_native(), where=f"column {self.name!r}"))

    def end_pass(self) -> bool:
        """Tell that all rows were given; whether they are needed once more.

        Raises
        ------
        InputError
            If groups would be made of many single numbers, or rows changed between passes.
        """
        self._check_rows()
        if self._codes is not None:
            self._done = True
        elif self._refinement is not None:
            self._start_encoding(self._refinement.edges())
        elif self._first.counts is None:
            self._settle()
        elif self._first.counts.exact:
            self._start_encoding(None)
        else:
            self._refinement = self._first.counts.refinement(max_bins=self._request.max_bins)
            self._first.counts = None
        self._n_done = 0
        return not self._done

    def _check_rows(self) -> None:
        if self._n_done != self._first.n_rows:
            raise InputError(
                f"column {self.name!r} had {counted(self._first.n_rows, 'row')} when first read "
                f"and now has {self._n_done:,}. The data must not change while they are read."
            )

    def _noticed(self) -> tuple[str, ...]:
        first = self._first
        return notices(self.name, first.n_beyond, squeezed=first.precision.squeezed)

    def _settle(self) -> None:
        self._coding, lookup, notes = settle(self._request, self._first.seen())
        self._codes = self._first.looked_up(lookup)
        self.notices = (*self._noticed(), *notes)
        self._done = True

    def _start_encoding(self, edges: np.ndarray | None) -> None:
        """Make the coding: of these edges, or of exact counts."""
        first = self._first
        kind = first.kind or "number"
        if edges is None:
            assert first.counts is not None
            self._coding = numeric_coding(
                first.counts,
                max_bins=self._request.max_bins,
                kind=kind,
                unit=first.unit,
                admits_missing=first.has_missing,
            )
        else:
            self._coding = NumericCoding(
                edges=edges,
                exact=False,
                values=None,
                kind=kind,
                unit=first.unit,
                admits_missing=first.has_missing,
            )
        self._refinement = None
        self._codes = np.empty(first.n_rows, dtype=self._coding.dtype)
        self.notices = self._noticed()

    def finish(self) -> CodedColumn:
        """The column, once `end_pass` was False."""
        if not self._done or self._coding is None or self._codes is None:
            raise InputError(f"column {self.name!r} needs another pass over its rows.")
        return CodedColumn(name=self.name, coding=self._coding, codes=self._codes)


def check_max_bins(max_bins: object) -> int:
    """`max_bins` itself, if it is a number of bins.

    Raises
    ------
    InputError
        Unless it is a whole number from 2 to 65,535.
    """
    whole = isinstance(max_bins, (int, np.integer)) and not isinstance(max_bins, bool)
    if not whole or not 2 <= max_bins <= MOST_LEVELS:  # type: ignore[operator]
        raise InputError(
            f"max_bins={max_bins!r} is not a number of bins. Pass a whole number from 2 to "
            f"{MOST_LEVELS:,}; 255 keeps codes in one byte."
        )
    return int(max_bins)  # type: ignore[call-overload]
