"""Compound groups: the combinations of several coded columns that rows have."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import Coding
from arbitree.table.edges import code_dtype

_TABLE_SIZE = 1 << 20  # pairs of codes that are looked up in a table rather than sorted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossing:
    """Combinations that occur, in lexicographic order of their codes: row i is in cell codes[i].

    A missing value is a code like any other: `has_missing` says where one takes part.
    """

    columns: tuple[tuple[Hashable, Coding], ...]
    cells: np.ndarray  # (n_groups, n_columns) int64, a code in each column
    codes: np.ndarray  # (n_rows,) uint8, uint16 or uint32

    @property
    def n_groups(self) -> int:
        """Combinations that occur."""
        return len(self.cells)

    @property
    def name(self) -> str:
        """The columns' names: ``"sex x race"``."""
        return " x ".join(str(name) for name, _ in self.columns)

    @property
    def has_missing(self) -> np.ndarray:
        """Whether a value is missing in each combination, shape (n_groups,)."""
        missing = [coding.missing_code for _, coding in self.columns]
        return (self.cells == np.array(missing)).any(axis=1)

    def label(self, group: int) -> str:
        """The levels of a combination: ``"Female x Black"``."""
        return " x ".join(self.level_texts(group))

    def level_texts(self, group: int) -> tuple[str, ...]:
        """The text of a combination's level in each column."""
        return tuple(
            coding.label(int(code)) for (_, coding), code in zip(self.columns, self.cells[group])
        )


def cross(columns: Sequence[CodedColumn]) -> Crossing:
    """Observed combinations of coded columns; those that no row has cost nothing.

    Parameters
    ----------
    columns : sequence of CodedColumn
        At least one, of the same number of rows.

    Returns
    -------
    Crossing

    Raises
    ------
    InputError
        If there is no column.

    Examples
    --------
    >>> from arbitree.table.codings import CategoryCoding
    >>> sex = CategoryCoding(levels=("f", "m"))
    >>> race = CategoryCoding(levels=("a", "b"))
    >>> crossing = cross([
    ...     CodedColumn(name="sex", coding=sex, codes=np.uint8([1, 0, 1])),
    ...     CodedColumn(name="race", coding=race, codes=np.uint8([0, 1, 0])),
    ... ])
    >>> [crossing.label(i) for i in range(crossing.n_groups)], crossing.codes
    (['f x b', 'm x a'], array([1, 0, 1], dtype=uint8))
    """
    if not columns:
        raise InputError("Groups need at least one column.")
    codes = np.zeros(len(columns[0].codes), dtype=np.uint8)
    cells = np.zeros((1, 0), dtype=np.int64)
    for column in columns:
        codes, cells = _extend(codes, cells, column)
    codes.flags.writeable = False
    return Crossing(columns=tuple((c.name, c.coding) for c in columns), cells=cells, codes=codes)


def _extend(
    codes: np.ndarray, cells: np.ndarray, column: CodedColumn
) -> tuple[np.ndarray, np.ndarray]:
    """Combinations of those so far with one more column."""
    n_codes = column.coding.n_codes
    n_pairs = len(cells) * n_codes
    pairs = codes.astype(np.uint32 if n_pairs < 2**32 else np.int64)
    np.multiply(pairs, n_codes, out=pairs)
    np.add(pairs, column.codes, out=pairs)
    seen, codes = _observed(pairs, n_pairs)
    return codes, np.column_stack([cells[seen // n_codes], seen % n_codes])


def _observed(pairs: np.ndarray, n_pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Values that occur, increasing, (n_seen,) int64; the place of each row's value among them."""
    if n_pairs > _TABLE_SIZE:
        seen, places = np.unique(pairs, return_inverse=True)
        return seen.astype(np.int64), places.astype(code_dtype(len(seen)))
    seen = np.flatnonzero(np.bincount(pairs, minlength=n_pairs))
    table = np.zeros(n_pairs, dtype=code_dtype(len(seen)))
    table[seen] = np.arange(len(seen))
    return seen, table[pairs]
