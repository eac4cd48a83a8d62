"""Pickles, which run whatever their maker put in: read only where the user asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from arbitree._errors import InputError
from arbitree.model.read import ReadModel
from arbitree.model.readers.estimator import of_estimator


def read_pickle(
    data: bytes, *, path: str, allowed: bool, columns: Sequence[str] | None
) -> ReadModel:
    """The estimator in a pickle, or in what joblib.dump wrote.

    Raises
    ------
    InputError
        If it was not allowed, or cannot be read.
    """
    if not allowed:
        raise InputError(
            f"{path} is a pickle, which can run any program as it is opened, so it is not opened. "
            "Save the model as skops (skops.io.dump(model, 'model.skops')), as ONNX, or in "
            "XGBoost's or LightGBM's own format. If you trust whoever made this file, pass "
            "allow_pickle=True."
        )
    import joblib

    try:
        # What joblib writes is a pickle, perhaps with arrays behind it; it reads plain ones too.
        native = joblib.load(BytesIO(data))
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())[:300].rstrip(".")
        raise InputError(
            f"{path} cannot be read: {told}. A pickle needs the packages, and mostly the versions, "
            "that it was written with."
        ) from error
    return of_estimator(native, path=path, kind="pickle", columns=columns)
