"""Missing values: one meaning, one policy, for every container and every column."""

from __future__ import annotations

from typing import Any, Literal, cast

import narwhals as nw
import numpy as np

from arbitree._errors import InputError, MissingValueError
from arbitree._wording import counted, listed
from arbitree.table.frames import Column

MissingPolicy = Literal["error", "drop", "group"]
POLICIES: tuple[str, ...] = ("error", "drop", "group")


def check_policy(missing: object) -> MissingPolicy:
    """`missing` itself, if it is a policy.

    Raises
    ------
    InputError
        Lists the policies.

    Examples
    --------
    >>> check_policy("drop")
    'drop'
    """
    if not isinstance(missing, str) or missing not in POLICIES:
        raise InputError(f"missing={missing!r} is not a policy. Pass {_either(POLICIES)}.")
    return cast(MissingPolicy, missing)


def is_missing(column: Column) -> np.ndarray:
    """Rows without a value: None, NaN, NA, NaT, null.

    Returns
    -------
    ndarray of bool, shape (n_rows,)

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> is_missing(column([1.0, None, float("nan")], what="x", default_name="x"))
    array([False,  True,  True])
    """
    numbers = column.numpy_numbers
    if numbers is not None:
        return np.isnan(numbers) if numbers.dtype.kind == "f" else np.zeros(len(numbers), bool)
    series = column.values
    mask = _booleans(series.is_null())
    if series.dtype.is_float():
        mask = mask | _booleans(series.is_nan().fill_null(False))
    return mask


def refuse_missing(column: Column, mask: np.ndarray, *, what: str) -> None:
    """Raise MissingValueError if any row of `mask`, shape (n_rows,), is True."""
    count = int(np.count_nonzero(mask))
    if count:
        subject = what if what == column.name else f"{what} column {column.name!r}"
        raise MissingValueError(
            f"{subject} has {counted(count, 'missing value')}, the first at row "
            f"{int(np.argmax(mask))}. Fill or drop such rows, or pass missing='drop' to leave "
            "them out or missing='group' to keep them apart."
        )


def _booleans(series: nw.Series[Any]) -> np.ndarray:
    return np.asarray(series.to_numpy(), dtype=bool)


def _either(words: tuple[str, ...]) -> str:
    return listed(words).replace(" and ", " or ")
