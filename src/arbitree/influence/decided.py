"""What was decided on each row: of values, of a model, or a score as it is."""

from __future__ import annotations

import re
from textwrap import shorten
from typing import Any

import narwhals as nw
import numpy as np

from arbitree._errors import ArbitreeError, InputError
from arbitree.table.frames import Column
from arbitree.table.labels import MISSING, outcome
from arbitree.table.labels import scores as read_scores

LARGEST = 1e120  # of a score: its square is summed


def decisions_of(decisions: Any, X: Any, *, what: str = "decisions") -> Any:
    """The decisions, or what a model or a function decides on X; it is called once.

    Raises
    ------
    InputError
        The model fails, or `decisions` is neither data nor a model. `what` is its name there.
    """
    if not decides(decisions):
        _refuse_other(decisions, what)
        return decisions
    predicts = hasattr(decisions, "predict")
    try:
        return np.asarray(decisions.predict(X) if predicts else decisions(X))
    except (ArbitreeError, MemoryError):
        raise
    except Exception as error:
        if type(error).__name__ == "NotFittedError":
            from arbitree.model.fitted import unfitted

            raise unfitted(decisions, what) from error
        told = shorten(f"{type(error).__name__}: {error}", 240, placeholder=" [...]").rstrip(".")
        call = f"{what}.predict(X)" if predicts else f"{what}(X)"
        raise InputError(f"{call} failed: {told}. {_advice(decisions, error, what)}") from error


def decides(model: Any) -> bool:
    """Whether it is a model or a function of X, and not decisions."""
    return hasattr(model, "predict") or callable(model)


def _advice(model: Any, error: Exception, what: str) -> str:
    """What to do about a model that fails."""
    if isinstance(model, type):
        return f"{what} is the class {model.__name__}. Pass a model made of it and fitted."
    if re.search(r"\bnan\b|missing values", str(error), re.IGNORECASE):
        return "Put an imputer before the model, in one pipeline, or drop these rows."
    return (
        "X must have the columns that the model reads. If X has more of them, pass a function, as "
        "lambda X: model.predict(X[columns])."
    )


def _refuse_other(decisions: Any, what: str) -> None:
    """An estimator that does not predict is no data though it may have a length, as pipelines."""
    wrapped = nw.from_native(decisions, allow_series=True, pass_through=True)
    data = decisions is None or wrapped is not decisions or isinstance(decisions, Column)
    data = data or any(hasattr(decisions, name) for name in ("__len__", "__array__", "toarray"))
    if not data or hasattr(decisions, "fit"):
        raise InputError(
            f"{what} is of type {type(decisions).__name__}. Pass a value for each row, a model "
            "with predict, or a function of X."
        )


def decided_values(
    column: Column,
    *,
    favorable_label: Any,
    score_threshold: float | None,
    lower_score_favorable: bool,
    scores: bool,
    missing: str,
) -> tuple[np.ndarray, str]:
    """(n,) float64: the score, or 1 for favourable and 0 for not; NaN where missing."""
    if scores:
        if favorable_label is not None or score_threshold is not None:
            raise InputError(
                "scores=True explains the scores themselves. Pass no favourable value."
            )
        values = read_scores(column, what="decisions").copy()
        if np.abs(values[~np.isnan(values)]).max(initial=0.0) > LARGEST:
            raise InputError(f"decisions has scores beyond {LARGEST:g}. Rescale them.")
        if missing == "error" and np.isnan(values).any():
            row = int(np.argmax(np.isnan(values)))
            raise InputError(f"decisions is missing at row {row}. Drop it, or pass missing='drop'.")
        return (-values if lower_score_favorable else values), f"mean of {column.name}"
    found = outcome(
        column,
        favorable_label=favorable_label,
        score_threshold=score_threshold,
        lower_score_favorable=lower_score_favorable,
        what="decisions",
        missing=missing,
    )
    values = found.codes.astype(np.float64)
    values[found.codes == MISSING] = np.nan
    return values, found.how
