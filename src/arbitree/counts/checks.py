"""What every count asks of its arrays, cheaply: an index out of range is an error, never memory.

Each check is one pass of `max` or `min`, which takes about 0.1 ms for a million codes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError


def whole_numbers(codes: object, what: str, *, n_rows: int | None = None) -> np.ndarray:
    """A one-dimensional array of integers; booleans count as 0 and 1. Copies nothing."""
    array = np.asarray(codes)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if not array.size:
        array = array.astype(np.uint8)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(
            f"{what} has shape {array.shape} and type {array.dtype}. "
            "Pass a one-dimensional array of whole numbers, one a row."
        )
    _same_length(array, n_rows, what)
    return array


def first_outside(codes: np.ndarray, n_codes: int) -> int | None:
    """The place of the first code that is not from 0 to ``n_codes - 1``, if there is one."""
    if not codes.size or (codes.max() < n_codes and (codes.dtype.kind == "u" or codes.min() >= 0)):
        return None
    return int(np.flatnonzero((codes >= n_codes) | (codes < 0))[0])


def codes_in_range(
    codes: ArrayLike, n_codes: int, what: str, *, n_rows: int | None = None
) -> np.ndarray:
    """The codes as a one-dimensional array of whole numbers from 0 to ``n_codes - 1``."""
    array = whole_numbers(codes, what, n_rows=n_rows)
    row = first_outside(array, n_codes)
    if row is not None:
        raise InputError(
            f"{what} has code {array[row]} at row {row}, but its codes run from 0 to {n_codes - 1}."
        )
    return array


def finite_values(values: ArrayLike, what: str, *, n_rows: int) -> np.ndarray:
    """The values as a one-dimensional float64 array without NaN or infinity."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise InputError(f"{what} has shape {array.shape}. Pass one number a row.")
    _same_length(array, n_rows, what)
    if array.size and not (array.min() > -np.inf and array.max() < np.inf):
        row = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(f"{what} is {array[row]} at row {row}. Pass finite numbers.")
    return array


def weights_of_rows(weights: ArrayLike | None, n_rows: int) -> np.ndarray | None:
    """The weights, if there are any: finite and not negative."""
    if weights is None:
        return None
    array = finite_values(weights, "weights", n_rows=n_rows)
    if array.size and array.min() < 0:
        row = int(np.flatnonzero(array < 0)[0])
        raise InputError(f"weights is {array[row]} at row {row}. A weight is at least 0.")
    return array


def shares_of_groups(membership: ArrayLike, n_rows: int, n_groups: int) -> np.ndarray:
    """(n, g) float64, from 0 to 1: how much of each row belongs to each group."""
    shares = np.asarray(membership, np.float64)
    if shares.shape != (n_rows, n_groups):
        raise InputError(f"membership has shape {shares.shape}, not {(n_rows, n_groups)}.")
    if shares.size and not (shares.min() >= 0 and shares.max() <= 1):
        row = int(np.flatnonzero(~((shares >= 0) & (shares <= 1)).all(axis=1))[0])
        raise InputError(f"membership at row {row} is {shares[row]}. Pass shares from 0 to 1.")
    return shares


def at_least(number: int, least: int, what: str) -> int:
    """A whole number that is not below `least`."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < least:
        raise InputError(f"{what} is {number!r}. Pass a whole number of at least {least}.")
    return int(number)


def _same_length(array: np.ndarray, n_rows: int | None, what: str) -> None:
    if n_rows is not None and len(array) != n_rows:
        raise InputError(f"{what} has {len(array):,} rows, the other inputs have {n_rows:,}.")
