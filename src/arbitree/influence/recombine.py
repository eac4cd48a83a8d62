"""Rows put together of values of other rows, of the same type and names as the frame they are from.

A value is known by the number of the first row that has it. So any model, of texts or of numbers,
can be asked about rows that are mixtures of others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError


def first_rows(columns: Sequence[Any]) -> np.ndarray:
    """For every value the first row that has it.  d columns of n values -> (n, d) float64

    >>> first_rows([pd.Series(["a", "b", "a"])]).ravel().tolist()
    [0.0, 1.0, 0.0]
    """
    found = [_first_rows(column) for column in columns]
    return np.stack(found, axis=1).astype(np.float64)


def _first_rows(column: Any) -> np.ndarray:
    values = nw.from_native(column, series_only=True).to_pandas() if _is_series(column) else column
    codes, _ = pd.factorize(pd.Series(values), use_na_sentinel=False)
    _, first = np.unique(codes, return_index=True)
    found: np.ndarray = first[codes]
    return found


def _is_series(column: Any) -> bool:
    return isinstance(nw.from_native(column, series_only=True, pass_through=True), nw.Series)


def recombined(X: Any) -> Callable[[np.ndarray], Any]:
    """A function from codes to rows like those of X.  (m, d) float64 -> frame or array of m rows

    >>> recombined(np.array([[1, 2], [3, 4]]))(np.array([[1.0, 0.0]]))
    array([[3, 2]])
    """
    if isinstance(X, pd.DataFrame):
        return lambda codes: _pandas(X, codes.astype(np.intp))
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return lambda codes: _frame(frame, codes.astype(np.intp))
    if not isinstance(X, np.ndarray) or X.ndim != 2:
        raise InputError(
            f"X is of type {type(X).__name__}. Pass a frame or an array of shape (n, d), which the "
            "model is asked about in the same form."
        )
    return lambda codes: X[codes.astype(np.intp), np.arange(X.shape[1])]


def _pandas(X: pd.DataFrame, codes: np.ndarray) -> pd.DataFrame:
    parts = {
        name: X.iloc[:, j].take(codes[:, j]).reset_index(drop=True)
        for j, name in enumerate(X.columns)
    }
    found = pd.DataFrame(parts)
    found.columns = X.columns
    return found


def _frame(X: nw.DataFrame[Any], codes: np.ndarray) -> Any:
    parts = {name: X[name][codes[:, j].tolist()] for j, name in enumerate(X.columns)}
    return nw.from_dict(parts).to_native()
