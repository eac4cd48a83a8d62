"""XGBoost's own files, JSON or UBJSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, MissingDependencyError
from arbitree._wording import listed
from arbitree.model.read import ReadModel
from arbitree.model.readers.names import named
from arbitree.model.readers.xgboost_whole import checked_learner

_SOURCE = re.compile(r"^\[[\d:]+\] \S+:\d+: ")  # [10:11:12] /workspace/src/common/json.cc:98:
_TWO = ("binary:logistic", "binary:logitraw", "binary:hinge")
_MORE = ("multi:softmax", "multi:softprob")


def read_xgboost(data: bytes, *, path: str, columns: Sequence[str] | None) -> ReadModel:
    """A Booster whose objective is one of classes, labelled 0, 1, ... as XGBoost does.

    Raises
    ------
    InputError
        If it is no such file, or another objective.
    MissingDependencyError
    """
    try:
        import xgboost
    except ImportError as error:
        raise MissingDependencyError(
            "Reading an XGBoost model needs xgboost. Install it with: "
            "pip install 'arbitree[models]'"
        ) from error
    learner = checked_learner(data, path)
    _refuse_categories(learner, path)
    booster = xgboost.Booster()
    try:
        booster.load_model(bytearray(data))
        objective, n_classes = _objective(booster)
    except Exception as error:
        raise InputError(f"{path} is no model of XGBoost: {_told(error)}.") from error
    if objective not in (*_TWO, *_MORE):
        raise InputError(
            f"{path} has the objective {objective!r}, which decides nothing. Models of classes "
            f"have one of {listed((*_TWO, *_MORE))}."
        )
    return ReadModel(
        path=path,
        kind="XGBoost",
        native=booster,
        columns=named(path, booster.feature_names, booster.num_features(), columns),
        reads="numbers",
        classes=tuple(range(n_classes)),
        decide=_decider(xgboost, booster, objective),
    )


def _told(error: Exception) -> str:
    """What XGBoost says, without the lines of its own source and of the stack of the program."""
    words, _, _ = str(error).strip().partition("\n")
    said = _SOURCE.sub("", words)[:200].rstrip(". ")
    return f"it is damaged, was cut off or is something else ({said})"


def _objective(booster: Any) -> tuple[str, int]:
    """The objective, and how many classes there are."""
    learner = json.loads(booster.save_config())["learner"]
    n_classes = int(learner["learner_model_param"]["num_class"])
    return learner["objective"]["name"], max(n_classes, 2)


def _refuse_categories(learner: Mapping[str, Any], path: str) -> None:
    types = learner.get("feature_types") or []
    if "c" in types:
        names = learner.get("feature_names") or [f"feature {j}" for j in range(len(types))]
        categories = [name for name, kind in zip(names, types) if kind == "c"]
        raise InputError(
            f"{path} reads {listed(categories)} as codes of categories, of which the file need not "
            "say what they stand for. Encode categories in a pipeline, and save that as skops."
        )


def _decider(xgboost: Any, booster: Any, objective: str) -> Any:
    names = booster.feature_names

    def decide(frame: pd.DataFrame) -> np.ndarray:
        rows = xgboost.DMatrix(frame.to_numpy(np.float64), feature_names=names)
        told = booster.predict(rows)
        if told.ndim == 2:
            return np.asarray(told.argmax(axis=1), np.int64)
        if objective == "binary:logitraw":
            return np.asarray(told > 0, np.int64)
        return np.asarray(told > 0.5 if objective in _TWO else told, np.int64)

    return decide
