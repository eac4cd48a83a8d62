"""What was decided on each row: of values, of a model, or a score as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.table.frames import Column
from arbitree.table.labels import MISSING, outcome
from arbitree.table.labels import scores as read_scores

LARGEST = 1e100  # of a score: its square is summed


def decisions_of(decisions: Any, X: Any) -> Any:
    """The decisions, or what a model or a function decides on X; it is called once."""
    if hasattr(decisions, "predict"):
        return np.asarray(decisions.predict(X))
    return np.asarray(decisions(X)) if callable(decisions) else decisions


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
