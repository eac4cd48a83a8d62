"""LightGBM's own files, which are texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arbitree._errors import InputError, MissingDependencyError
from arbitree._wording import listed
from arbitree.model.read import ReadModel
from arbitree.model.readers.lightgbm_text import check_whole
from arbitree.model.readers.names import named

_OBJECTIVES = ("binary", "multiclass", "multiclassova")


def read_lightgbm(data: bytes, *, path: str, columns: Sequence[str] | None) -> ReadModel:
    """A Booster whose objective is one of classes, labelled 0, 1, ... as LightGBM does.

    Raises
    ------
    InputError
        If it is no such file, or another objective.
    MissingDependencyError
    """
    try:
        import lightgbm
    except ImportError as error:
        raise MissingDependencyError(
            "Reading a LightGBM model needs lightgbm. Install it with: "
            "pip install 'arbitree[models]'"
        ) from error
    text = _text(data, path)
    check_whole(text, path)
    _refuse_other_objectives(text, path)
    _refuse_categories(text, path)
    try:
        booster = lightgbm.Booster(model_str=text)
    except Exception as error:
        told = str(error).strip()[:200].rstrip(".")
        raise InputError(f"{path} is no model of LightGBM: {told}.") from error
    names = booster.feature_name()
    # Of an array LightGBM makes these names up.
    made_up = names == [f"Column_{j}" for j in range(len(names))]
    n_classes = max(2, booster.num_model_per_iteration())

    def decide(frame: pd.DataFrame) -> np.ndarray:
        told = np.asarray(booster.predict(frame.to_numpy(np.float64)))
        found = told.argmax(axis=1) if told.ndim == 2 else told > 0.5
        return np.asarray(found, np.int64)

    return ReadModel(
        path=path,
        kind="LightGBM",
        native=booster,
        columns=named(path, None if made_up else names, len(names), columns),
        reads="numbers",
        classes=tuple(range(n_classes)),
        decide=decide,
    )


def _text(data: bytes, path: str) -> str:
    # LightGBM jumps by bytes, which are other ones where an editor wrote the ends of lines anew.
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    if not text.startswith("tree\n"):
        raise InputError(f"{path} is no model of LightGBM: its first line is not 'tree'.")
    return text


def _refuse_other_objectives(text: str, path: str) -> None:
    found = [line for line in text.splitlines() if line.startswith("objective=")]
    objective = found[0].partition("=")[2] if found else ""
    if objective.split(" ")[0] not in _OBJECTIVES:
        raise InputError(
            f"{path} has the objective {objective!r}, which decides nothing. Models of classes "
            f"have one of {listed(_OBJECTIVES)}."
        )


def _refuse_categories(text: str, path: str) -> None:
    """Only codes of categories stand in the file, and their names where it came from pandas."""
    infos = next((line for line in text.splitlines() if line.startswith("feature_infos=")), "")
    kinds = infos.partition("=")[2].split(" ")
    if any(kind != "none" and not kind.startswith("[") for kind in kinds if kind):
        raise InputError(
            f"{path} reads codes of categories, of which the file need not say what they stand "
            "for. Encode categories in a pipeline, and save that as skops."
        )
