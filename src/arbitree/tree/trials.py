"""An estimator of whatever kind: fitted on some rows, asked about others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd


def taken(data: Any, rows: np.ndarray) -> Any:
    """Some rows of a frame, a column, an array, a list or a mapping of these."""
    if data is None:
        return None
    if isinstance(data, Mapping):
        return {name: taken(values, rows) for name, values in data.items()}
    if isinstance(data, pd.DataFrame | pd.Series):
        return data.iloc[rows]
    if isinstance(data, list | tuple):
        return [data[row] for row in rows]
    native = nw.from_native(data, allow_series=True, pass_through=True)
    if isinstance(native, nw.DataFrame | nw.Series):
        return native[rows.tolist()].to_native()
    return np.asarray(data)[rows]


def changed(estimator: Any, **parameters: Any) -> Any:
    """A fresh copy with other parameters."""
    from sklearn.base import clone

    return clone(estimator).set_params(**parameters)


def seeded(estimator: Any, seed: int) -> Any:
    """A fresh copy that draws the same each time: its seeds that are not set are set."""
    given = estimator.get_params(deep=True)
    seeds = {
        name: seed
        for name, value in given.items()
        if value is None and name.split("__")[-1] == "random_state"
    }
    return changed(estimator, **seeds)


def fit(
    estimator: Any, X: Any, y: Any, sensitive_features: Any, control_features: Any = None
) -> Any:
    """Fit, with the groups and controls if `fit` takes them."""
    given = {"sensitive_features": sensitive_features}
    if control_features is not None:
        given["control_features"] = control_features
    if _takes(estimator.fit, "sensitive_features") or not _takes_any_name(estimator):
        given = {name: value for name, value in given.items() if _takes(estimator.fit, name)}
    return estimator.fit(X, y, **given)


def predict(estimator: Any, X: Any, sensitive_features: Any, seed: int) -> np.ndarray:
    """Predictions, with the groups and a seed if `predict` takes them."""
    given = {"sensitive_features": sensitive_features, "random_state": seed}
    wanted = {name: value for name, value in given.items() if _takes(estimator.predict, name)}
    return np.asarray(estimator.predict(X, **wanted))


def needs_groups(estimator: Any) -> bool:
    """Whether `predict` asks for the groups, so that two people who differ in nothing else may be
    decided differently."""
    return _takes(estimator.predict, "sensitive_features")


def n_leaves(estimator: Any) -> float:
    """Leaves of a tree, NaN of anything else."""
    return float(estimator.get_n_leaves()) if hasattr(estimator, "get_n_leaves") else float("nan")


def _takes(method: Callable[..., Any], name: str) -> bool:
    return name in signature(method).parameters


def _takes_any_name(estimator: Any) -> bool:
    """Whether `**kwargs` of `fit` means the groups: fairlearn's reductions ask for them so.

    scikit-learn's pipelines and searches have `**params` too, and refuse what was not requested.
    """
    if type(estimator).__module__.startswith("sklearn."):
        return False
    parameters = signature(estimator.fit).parameters.values()
    return any(one.kind is Parameter.VAR_KEYWORD for one in parameters)
