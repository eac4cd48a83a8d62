"""An estimator in the manner of scikit-learn, however it was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.model.read import ReadModel
from arbitree.model.readers.encoders import unknown_levels
from arbitree.model.readers.names import named


def of_estimator(native: Any, *, path: str, kind: str, columns: Sequence[str] | None) -> ReadModel:
    """A fitted classifier, or a pipeline that ends in one.

    Raises
    ------
    InputError
        If it decides nothing, or its columns are not known.
    """
    if not hasattr(native, "predict"):
        raise InputError(
            f"{path} holds an object of type {type(native).__name__}, which does not predict. "
            "Save a fitted classifier, or a pipeline that ends in one."
        )
    _refuse_numbers(native, path)
    names = getattr(native, "feature_names_in_", None)
    said = None if names is None else [str(name) for name in names]
    many = getattr(native, "n_features_in_", None)
    classes = getattr(native, "classes_", None)

    def decide(frame: pd.DataFrame) -> np.ndarray:
        # An estimator that was fitted on an array warns of names, and one fitted on a frame
        # wants those of its training.
        rows = frame.to_numpy() if said is None else frame.set_axis(said, axis=1)
        return np.asarray(native.predict(rows))

    def cautions(frame: pd.DataFrame) -> list[str]:
        return [] if said is None else list(unknown_levels(native, frame.set_axis(said, axis=1)))

    return ReadModel(
        path=path,
        kind=kind,
        native=native,
        columns=named(path, said, many, columns),
        reads="values",
        classes=None if classes is None else tuple(np.asarray(classes).tolist()),
        decide=decide,
        cautions=cautions,
    )


def _refuse_numbers(native: Any, path: str) -> None:
    from sklearn.base import is_regressor

    try:
        predicts_numbers = is_regressor(native)
    except (AttributeError, TypeError):  # not an estimator of scikit-learn, which has tags
        return
    if predicts_numbers:
        raise InputError(
            f"{path} holds a {type(native).__name__}, which predicts a number and decides nothing. "
            "Save a classifier, or add its scores to the file as a column."
        )
