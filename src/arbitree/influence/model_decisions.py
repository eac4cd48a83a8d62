"""A model that is asked again and again: which of its answers are favourable, and is it one model.

Values of a row add up to its decision only if the decision on a row depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.influence.decided import decides, decisions_of
from arbitree.influence.permutations import Decide
from arbitree.table.frames import column
from arbitree.table.labels import Outcome, outcome

_FEW = 8  # more numbers than that are scores
_OTHERWISE = "Where only the decisions on X are known, use arbitree.explain_gap."


def told_by(model: Any, rows: Any, n: int) -> np.ndarray:
    """What the model says of n rows, one value for each.

    Raises
    ------
    InputError
        It is no model, it fails, or it says something else than one value a row.
    """
    if not decides(model):
        raise InputError(
            f"model is of type {type(model).__name__}. Pass a model with predict, or a function "
            f"of X, that can be asked about other rows. {_OTHERWISE}"
        )
    told = np.asarray(decisions_of(model, rows, what="model"))
    if told.ndim == 2 and told.shape[1] > 1:
        raise InputError(
            f"The model returns {counted(told.shape[1], 'column')}. Pass a function that returns "
            "the decision, as lambda X: f(X)[:, 1] >= 0.5."
        )
    if told.ndim not in (1, 2):
        raise InputError(f"The model returns {type(told.tolist()).__name__}, not a value a row.")
    if len(told) != n:
        raise InputError(
            f"The model decides on {counted(len(told), 'row')} where it is asked about {n:,}. It "
            f"must decide on the rows that it is given. {_OTHERWISE}"
        )
    return told.ravel()


def first_outcome(told: np.ndarray, favorable_label: Any) -> Outcome:
    """Which decisions on X are favourable."""
    if favorable_label is None:
        _refuse_scores(told)
    return _outcome(told, favorable_label)


def decider(
    model: Any, build: Callable[[np.ndarray], Any], told: np.ndarray, favorable_label: Any
) -> Decide:
    """Decisions, 0 or 1, on rows given by codes.

    Parameters
    ----------
    model : object or callable
    build : function
        From codes to rows as the model reads them.
    told : (n,)
        What the model says of X; its values say what counts as favourable in a batch that lacks
        some of them.
    favorable_label : object or collection of objects, optional
    """
    known = pd.unique(pd.Series(told))

    def decide(codes: np.ndarray) -> np.ndarray:
        told = told_by(model, build(codes), len(codes))
        found = _outcome(np.concatenate([np.asarray(known), told]), favorable_label)
        return found.codes[len(known) :].astype(np.float64)

    return decide


def check_same(again: np.ndarray, decisions: np.ndarray) -> None:
    """Refuse a model that decides otherwise when it is asked once more."""
    n = int(np.count_nonzero(again != decisions))
    if n:
        raise _differs(f"of {counted(len(again), 'row')} explained {n:,} had the other decision")


def check_sums(values: np.ndarray, decisions: np.ndarray) -> None:
    """Refuse values of rows that are not their decisions minus one mean for all.

    Parameters
    ----------
    values : (n, d) float64
    decisions : (n,) float64
    """
    means = decisions - values.sum(axis=1)
    apart = float(np.ptp(means))
    if apart > 1e-9:
        raise _differs(f"values of rows miss their decisions by up to {apart:.3g}")


def _differs(how: str) -> InputError:
    return InputError(
        f"The model decides differently when the same rows come in another batch: {how}. Pass a "
        "model whose decision on a row depends on that row alone, without chance, without means "
        "or ranks of the other rows and without their index."
    )


def _outcome(told: np.ndarray, favorable_label: Any) -> Outcome:
    found = column(told, what="decisions", default_name="decision")
    return outcome(found, favorable_label=favorable_label, what="decisions", missing="error")


def _refuse_scores(told: np.ndarray) -> None:
    numbers = pd.to_numeric(pd.Series(told), errors="coerce").to_numpy(dtype=np.float64)
    known = np.unique(numbers[np.isfinite(numbers)])
    if len(known) > _FEW or np.any(known % 1):
        raise InputError(
            f"The model returns numbers from {known[0]:.6g} to {known[-1]:.6g}, which look like "
            "scores. Pass a function that returns the decision, as lambda X: f(X) >= 0.5."
        )
