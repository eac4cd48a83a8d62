"""Whom each group is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import listed, nearest
from arbitree.groups.groupings import Grouping


def check_reference(reference: object, groupings: Sequence[Grouping]) -> None:
    """Refuse a reference group that no grouping has."""
    if reference in ("best", "largest"):
        return
    if isinstance(reference, Mapping):
        _check_columns(reference, groupings)
    elif all(named_position(reference, grouping) is None for grouping in groupings):
        known = [group for grouping in groupings for group in grouping.groups]
        raise InputError(
            f"reference_group is {reference!r}, which is no group here. Pass 'best', 'largest', "
            f"a group, or a mapping such as {{'sex': 'male'}}. {nearest(str(reference), known)}"
        )


def _check_columns(reference: Mapping[str, str], groupings: Sequence[Grouping]) -> None:
    singles = {g.columns[0]: g.groups for g in groupings if len(g.columns) == 1}
    for column, level in reference.items():
        if column not in singles:
            raise InputError(
                f"reference_group names the column {column!r}, which is not among the sensitive "
                f"columns. {nearest(column, list(singles))}"
            )
        if level not in singles[column]:
            raise InputError(
                f"reference_group asks for {column} = {level!r}, which does not occur. "
                f"{nearest(level, singles[column])}"
            )


def reference_notices(reference: object, groupings: Sequence[Grouping]) -> tuple[str, ...]:
    """A sentence on the groupings that do not have the group that was named."""
    if reference in ("best", "largest"):
        return ()
    without = [one.name for one in groupings if named_position(reference, one) is None]
    if not without:
        return ()
    return (
        f"{listed(without)}: no group there is the reference group that was named, so groups are "
        "compared with the one of the highest selection rate.",
    )


def named_position(reference: object, grouping: Grouping) -> int | None:
    """Position of the group that the user named, None where the grouping has none."""
    if isinstance(reference, Mapping):
        if not all(column in reference for column in grouping.columns):
            return None
        levels = tuple(reference[column] for column in grouping.columns)
        return grouping.levels.index(levels) if levels in grouping.levels else None
    named = str(reference)
    return grouping.groups.index(named) if named in grouping.groups else None


def reference_positions(
    reference: object, grouping: Grouping, rate: np.ndarray, size: np.ndarray
) -> np.ndarray:
    """Position of the reference group in each segment.

    Parameters
    ----------
    reference : "best", "largest", a group, or a mapping from column to level
        A grouping without the named group takes its best one.
    grouping : Grouping
    rate, size : ndarray (s, g)
        Selection rate (NaN where a group is empty) and number of rows, or their weight.

    Returns
    -------
    ndarray (s,) of int
        -1 where a segment has nobody in the reference group. Ties go to the larger group,
        then to the first.
    """
    if reference == "largest":
        position = size.argmax(axis=1)
    elif (
        named := None if reference == "best" else named_position(reference, grouping)
    ) is not None:
        position = np.full(len(size), named)
    else:
        best = np.where(np.isnan(rate), -1.0, rate)
        position = np.where(best == best.max(axis=1, keepdims=True), size, -1.0).argmax(axis=1)
    return np.where(size[np.arange(len(size)), position] > 0, position, -1)
