"""The model of a file under the names that the user gives its columns."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.model.read import ReadModel

NO_ONNX = (
    "{} is an ONNX model, which can be asked and not verified: its file is a list of operations "
    "on numbers. Verify the model that it was exported from: a tree.json, scikit-learn's trees, "
    "forests and gradient boosting as skops, or XGBoost's and LightGBM's own files."
)


def native_under_names(model: ReadModel) -> Any:
    """The library's own object, which calls its columns as `model.columns`.

    Rules are over these names, and a row that breaks one is asked about under them.

    Raises
    ------
    InputError
        If its file does not say how it decides, or names columns otherwise for good.
    """
    if model.kind == "ONNX":
        raise InputError(NO_ONNX.format(model.path))
    own, names = _own_names(model), list(model.columns)
    if own == names:
        return model.native
    if model.kind in ("XGBoost", "LightGBM"):
        return _booster(model.native, names)
    if own is not None or hasattr(model.native, "steps"):
        raise InputError(
            f"{model.path} is over columns that it calls "
            f"{'x_0, x_1, ...' if own is None else listed(own)}, and so must rules be. Verify it "
            "without model_columns, or save a pipeline that was fitted on a frame."
        )
    native = copy(model.native)
    native.feature_names_in_ = np.array(names, object)
    return native


def _booster(native: Any, names: list[str]) -> Any:
    """A copy under other names."""
    native = copy(native)
    if type(native).__module__.startswith("xgboost"):
        native.feature_names = names
    else:
        # It has no other way to take names, which are not looked at as it predicts.
        native.feature_name = lambda: names
    return native


def _own_names(model: ReadModel) -> list[str] | None:
    """What the file calls the columns."""
    native = model.native
    if model.kind == "XGBoost":
        return native.feature_names
    if model.kind == "LightGBM":
        return list(native.feature_name())
    found = getattr(native, "feature_names_in_", None)
    return None if found is None else [str(name) for name in found]
