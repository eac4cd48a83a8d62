"""X through scikit-learn's checks of shape and names, then as columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._wording import listed
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
    if isinstance(X, pd.DataFrame) and not X.columns.is_unique:
        return columns(X, what="X", default_name="x")  # which refuses, with their name
    if _is_frame(X):
        validate_data(estimator, X, skip_check_array=True, reset=reset)
    else:
        given = np.asarray(X, dtype=object) if isinstance(X, list | tuple) else X
        X = validate_data(estimator, given, reset=reset, dtype=None, ensure_all_finite=False)
    return columns(X, what="X", default_name="x")


def read_columns(model: Any, X: Any) -> list[Column]:
    """The columns of X that a fitted tree reads: of a frame by name, else as they stand.

    Raises
    ------
    InputError
        If a frame lacks some of them; says which.
    """
    found = columns(X, what="X", default_name="x")
    names = getattr(model, "feature_names_in_", None)
    if names is None or not (isinstance(X, Mapping) or _is_frame(X)):
        return found
    by_name = {one.name: one for one in found}
    absent = [name for name in names if name not in by_name]
    if absent:
        raise InputError(
            f"X has no column {listed(absent)}, and the tree was grown with "
            f"{'it' if len(absent) == 1 else 'them'}. Pass every column of "
            "feature_names_in_, under its name."
        )
    return [by_name[name] for name in names]


def _is_frame(X: Any) -> bool:
    if isinstance(X, np.ndarray | list | tuple | pd.DataFrame):
        return isinstance(X, pd.DataFrame)
    return isinstance(nw.from_native(X, pass_through=True), nw.DataFrame | nw.LazyFrame)
