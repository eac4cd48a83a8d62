"""Labels of the user -> classes and codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, MissingValueError
from arbitree._wording import counted
from arbitree.table.edges import code_dtype
from arbitree.table.frames import columns
from arbitree.table.measures import has_time_zone, kind_of
from arbitree.table.missing import is_missing


def classes_and_codes(y: Any) -> tuple[np.ndarray, np.ndarray, Any]:
    """Classes in order, the code of each label, and the labels' index where they have one.

    Raises
    ------
    InputError
        If a label is missing, or labels cannot be classes.
    """
    from sklearn.utils import assert_all_finite, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets

    if y is None:
        raise InputError("This TreeClassifier requires y to be passed, but the target y is None.")
    index = y.index if isinstance(y, pd.Series | pd.DataFrame) else None
    labels = _times(column_or_1d(_plain_labels(y), warn=True))
    if labels.dtype.kind == "f":
        assert_all_finite(labels, input_name="y")
    if not len(labels):
        raise InputError("There are no rows. Pass at least one.")
    try:
        check_classification_targets(labels)
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise InputError(
            f"y holds labels of types that cannot be compared: {error}. Pass labels of one type."
        ) from error
    return classes, codes.astype(code_dtype(len(classes))), index


def _times(labels: np.ndarray) -> np.ndarray:
    """Labels, those that are all moments or all durations as NumPy has them."""
    if labels.dtype != object:
        return labels
    found = pd.Series(labels).infer_objects()
    return (
        found.to_numpy()
        if isinstance(found.dtype, np.dtype) and found.dtype.kind in "mM"
        else labels
    )


def class_values(classes: np.ndarray) -> list[Any]:
    """Classes as Python values; times in nanoseconds, which Python has not, as pandas' own.

    Examples
    --------
    >>> class_values(np.array(["2024-05-01"], "M8[ns]"))
    [Timestamp('2024-05-01 00:00:00')]
    """
    if classes.dtype.kind in "mM" and np.datetime_data(classes.dtype)[0] in ("ns", "ps", "fs"):
        return list(pd.Series(classes))
    return list(classes.tolist())


def class_array(classes: Sequence[object]) -> np.ndarray:
    """Classes of one plain type as NumPy keeps them, others as objects.

    Examples
    --------
    >>> class_array(["no", "yes"]), class_array([0, "yes"])
    (array(['no', 'yes'], dtype='<U3'), array([0, 'yes'], dtype=object))
    """
    kinds = {type(label) for label in classes}
    if len(kinds) == 1 and kinds <= {str, bool, int, float}:
        return np.array(classes)
    found = np.empty(len(classes), dtype=object)
    found[:] = classes
    return found


def _plain_labels(y: Any) -> Any:
    """Labels as NumPy has them, none missing."""
    if isinstance(y, list | tuple):
        mixed = len({isinstance(label, str) for label in y}) > 1
        y = np.array(y, dtype=object) if mixed else np.asarray(y)  # NumPy would make 1 a text
    if isinstance(y, np.ndarray) and y.dtype.kind not in "OmM":
        return y
    found = columns(y, what="y", default_name="y")
    for label in found:
        missing = is_missing(label)
        if missing.any():
            raise MissingValueError(
                f"y has {counted(int(missing.sum()), 'missing value')}, the first at row "
                f"{int(np.argmax(missing))}. Drop rows without a label."
            )
        if kind_of(label) == "date" and has_time_zone(label):
            raise InputError(
                "y holds times with a time zone, which NumPy has not. Turn them into texts, or "
                "into times without a zone."
            )
    if isinstance(y, np.ndarray):
        return y
    arrays = [np.asarray(label.values.to_numpy()) for label in found]
    flat = len(getattr(y, "shape", (0,))) == 1
    return arrays[0] if flat else np.column_stack(arrays)
