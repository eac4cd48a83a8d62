"""Group membership as probabilities: how likely each row is to belong to each group.

As surname and place of residence tell of race and ethnicity (BISG, BIFSG), say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError, MissingValueError
from arbitree._wording import counted
from arbitree.table.frames import Column
from arbitree.table.quantities import quantities

NAME = "group"
_ROUNDED = 1e-3  # how far rounded probabilities of a row may sum from 1
_EXACT = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupProbabilities:
    """Each row of `shares` sums to 1, or is 0 where the row's groups are not known."""

    groups: tuple[str, ...]
    shares: np.ndarray  # (n, k) float64, read-only

    @property
    def known(self) -> np.ndarray:
        """Rows of which there are probabilities, (n,) bool."""
        return np.asarray(self.shares.any(axis=1))

    @property
    def certain(self) -> bool:
        """Whether every row is wholly in one group."""
        return bool(np.isin(self.shares, (0.0, 1.0)).all())


def group_probabilities(
    columns: Sequence[Column], *, missing: str = "error", what: str = "group_probabilities"
) -> tuple[GroupProbabilities, tuple[str, ...]]:
    """Probabilities of groups, a column each, and what the user should know of them.

    Parameters
    ----------
    columns : sequence of Column
        At least two, named as the groups are.
    missing : {"error", "drop", "group"}
        Whether rows without probabilities are refused or left out.

    Raises
    ------
    InputError
        If a probability is no number from 0 to 1, or those of a row do not sum to 1; names the
        row.
    MissingValueError
        If one is missing and that is not allowed.
    """
    if len(columns) < 2:
        raise InputError(
            f"{what} has {counted(len(columns), 'column')}. Pass a column of probabilities for "
            "each group, at least two."
        )
    values = np.column_stack([quantities(column, what=what) for column in columns])
    values = values.astype(np.float64)
    gone = np.isnan(values)
    if gone.any() and missing != "drop":
        row, place = (int(at[0]) for at in np.nonzero(gone))
        raise MissingValueError(
            f"{what} column {str(columns[place].name)!r} has no value at row {row}; "
            f"{counted(int(gone.any(axis=1).sum()), 'row')} lack one. Pass missing='drop' to "
            "leave such rows out."
        )
    unknown = gone.any(axis=1)
    values[unknown] = 0.0
    _check_range(values, columns, what)
    total = values.sum(axis=1)
    off = np.flatnonzero(~unknown & (np.abs(total - 1) > _ROUNDED))
    if len(off):
        raise InputError(
            f"The probabilities of row {off[0]} in {what} sum to {total[off[0]]:.6g}, not to 1; "
            f"so it is with {counted(len(off), 'row')}. Name a column for every group, one of them "
            "for all others where need be."
        )
    return _scaled(columns, values, unknown, total)


def _check_range(values: np.ndarray, columns: Sequence[Column], what: str) -> None:
    wrong = (values < 0) | (values > 1 + _EXACT)
    if wrong.any():
        row, place = (int(at[0]) for at in np.nonzero(wrong))
        raise InputError(
            f"{what} column {str(columns[place].name)!r} has {values[row, place]:g} at row {row}; "
            f"{counted(int(wrong.any(axis=1).sum()), 'row')} have such a value. Probabilities are "
            "from 0 to 1."
        )


def _scaled(
    columns: Sequence[Column], values: np.ndarray, unknown: np.ndarray, total: np.ndarray
) -> tuple[GroupProbabilities, tuple[str, ...]]:
    notices = []
    rounded = ~unknown & (np.abs(total - 1) > _EXACT)
    if rounded.any():
        values[rounded] /= total[rounded, None]
        notices.append(
            f"{counted(int(rounded.sum()), 'row')} of group probabilities sum to 1 only within "
            f"{_ROUNDED:g} and are scaled to it."
        )
    if unknown.all():
        raise InputError("No row has group probabilities. Pass other columns.")
    if unknown.any():
        notices.append(
            f"{counted(int(unknown.sum()), 'row')} without group probabilities left out of what is "
            "split by them."
        )
    values = np.minimum(values, 1.0)
    values.flags.writeable = False
    groups = tuple(str(column.name) for column in columns)
    return GroupProbabilities(groups=groups, shares=values), tuple(notices)
