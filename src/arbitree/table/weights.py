"""How much each row counts."""

from __future__ import annotations

import numpy as np

from arbitree._errors import AlignmentError, InputError, MissingValueError
from arbitree._wording import counted
from arbitree.table.frames import Column
from arbitree.table.quantities import quantities, subject

_MOST = np.sqrt(np.finfo(np.float64).max)  # sums of weights are squared


def sample_weights(column: Column, n_rows: int, *, what: str = "sample_weight") -> np.ndarray:
    """Weights of rows, checked.

    Returns
    -------
    ndarray of float64, shape (n_rows,), read-only
        None negative; at least one positive, unless there are no rows.

    Raises
    ------
    AlignmentError
        If there is not one weight for each row.
    MissingValueError
        If a weight is missing; missing weights have no policy, they are always an error.
    InputError
        If a weight is no number, negative or infinite, or all are zero, or together they are
        beyond what can be computed with.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> sample_weights(column([1, 0, 2.5], what="w", default_name="w"), 3)
    array([1. , 0. , 2.5])
    """
    here = subject(column, what)
    if len(column) != n_rows:
        raise AlignmentError(
            f"{here} has {counted(len(column), 'row')} and the data have "
            f"{counted(n_rows, 'row')}. Pass one weight for each row."
        )
    weights = quantities(column, what=what).astype(np.float64)
    _refuse(here, "missing", np.isnan(weights), "Give each row a weight, 0 to leave it out.")
    _refuse(here, "negative", weights < 0, "Weights count rows, so pass 0 or more.")
    if n_rows and not weights.any():
        raise InputError(f"{here} is zero in every row. Give at least one row a positive weight.")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if total > _MOST:
        raise InputError(
            f"{here} adds up to more than can be computed with. Divide all weights by the same "
            "number."
        )
    weights.flags.writeable = False
    return weights


def _refuse(here: str, flaw: str, rows: np.ndarray, advice: str) -> None:
    if rows.any():
        error = MissingValueError if flaw == "missing" else InputError
        raise error(
            f"{here} has {counted(int(rows.sum()), f'{flaw} value')}, the first at row "
            f"{int(np.argmax(rows))}. {advice}"
        )
