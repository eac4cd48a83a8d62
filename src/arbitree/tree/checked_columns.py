"""X through scikit-learn's checks of shape and names, then as columns."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree.table.frames import Column, columns


def checked_columns(estimator: Any, X: Any, *, reset: bool) -> list[Column]:
    """The columns of X.

    Parameters
    ----------
    estimator : scikit-learn estimator
    X : frame, dict, array or list of rows
    reset : bool
        Remember number and names of the columns, or else compare with those remembered.
    """
    from sklearn.utils.validation import validate_data

    if type(X) is dict:  # some sparse matrices are dictionaries too
        X = pd.DataFrame(X)
    if _is_frame(X):
        validate_data(estimator, X, skip_check_array=True, reset=reset)
    else:
        given = np.asarray(X, dtype=object) if isinstance(X, list | tuple) else X
        X = validate_data(estimator, given, reset=reset, dtype=None, ensure_all_finite=False)
    return columns(X, what="X", default_name="x")


def _is_frame(X: Any) -> bool:
    if isinstance(X, np.ndarray | list | tuple):
        return False
    return isinstance(nw.from_native(X, pass_through=True), nw.DataFrame | nw.LazyFrame)
