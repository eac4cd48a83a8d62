"""Names of columns passed where their values are meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.table.frames import Column


def refuse_names(sensitive_features: Any, features: Sequence[Column]) -> None:
    """Refuse a list of names of columns of X, which would be taken for the groups of rows.

    Raises
    ------
    InputError
        Says how to pass the values.

    Examples
    --------
    >>> from arbitree.table.frames import columns
    >>> refuse_names(["sex"], columns({"sex": ["f", "m"]}, what="X", default_name="x"))
    Traceback (most recent call last):
    arbitree._errors.InputError: sensitive_features is the text 'sex'. Pass the values, ...
    """
    if not isinstance(sensitive_features, list | tuple | np.ndarray | pd.Index):
        return
    if len(sensitive_features) == len(features[0]):
        return
    given = list(sensitive_features)
    names = {column.name for column in features if isinstance(column.name, str)}
    texts = all(isinstance(one, str) and one in names for one in given)
    if not given or not texts:
        return
    one = str(given[0]) if len(given) == 1 else [str(name) for name in given]
    kind = "the text" if len(given) == 1 else "the list of names"
    raise InputError(
        f"sensitive_features is {kind} {one!r}. Pass the values, for instance frame[{one!r}]."
    )
