"""The explanation of a table that is already coded, such as one read from a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.groups.missing import check_missing
from arbitree.influence.explain import explain_inputs
from arbitree.influence.inputs import Inputs, nobody_apart
from arbitree.influence.options import explain_options
from arbitree.influence.result import Influence
from arbitree.table.coded import CodedTable
from arbitree.table.labels import MISSING, Outcome


def explain_table(
    table: CodedTable,
    *,
    metric: str = "statistical_parity",
    max_order: int = 2,
    n_intervals: int = 20,
    groups: tuple[Any, Any] | None = None,
    pairs: Any = "auto",
    cross_fit: int = 5,
    n_bootstrap: int = 200,
    random_state: int | np.random.Generator | None = 0,
    penalty: str | float = "reml",
    knots: str = "rank",
    confidence: float = 0.95,
    min_group_size: int = 30,
    missing: str | None = None,
    n_threads: int | None = None,
) -> Influence:
    """Explain a gap of a coded table, such as `arbitree.read` makes of a file.

    Parameters are those of `explain_gap`; `missing` is by default what the reader of the table was
    told, else ``"error"``.

    Raises
    ------
    InputError
        The table has no decisions, no groups or no features.
    """
    options = explain_options(
        metric=metric,
        max_order=max_order,
        n_intervals=n_intervals,
        groups=groups,
        pairs=pairs,
        cross_fit=cross_fit,
        n_bootstrap=n_bootstrap,
        random_state=random_state,
        penalty=penalty,
        knots=knots,
        confidence=confidence,
        min_group_size=min_group_size,
        missing=(table.missing or "error") if missing is None else missing,
        n_threads=n_threads,
    )
    check_missing(table, options.missing)
    found = explain_inputs(inputs_of(table), options)
    return replace(found, source=table.source or {})


def inputs_of(table: CodedTable) -> Inputs:
    """The columns of a table in their roles; a sensitive column is no feature."""
    if table.decisions is None:
        raise InputError("The table has no decisions. Read it with decision=.")
    if table.sensitive and table.probabilities is not None:
        raise InputError("Pass sensitive columns or group probabilities, one of them.")
    if not table.sensitive and table.probabilities is None:
        raise InputError("The table has no groups. Read it with sensitive=.")
    sensitive = {column.name for column in table.sensitive}
    features = tuple(column for column in table.features if column.name not in sensitive)
    if not features:
        raise InputError("The table has no features. Read it with features='all', or their names.")
    return Inputs(
        features=features,
        crossing=table.crossing(table.sensitive) if table.sensitive else nobody_apart(table.n_rows),
        probabilities=table.probabilities,
        decided=_numbers(table.decisions),
        labels=None if table.labels is None else table.labels.codes,
        weights=table.weights,
        favorable=table.decisions.how,
        notices=table.notices,
    )


def _numbers(decisions: Outcome) -> np.ndarray:
    """1 for favourable, 0 for not, NaN where missing.  -> (n_rows,) float64"""
    found = decisions.codes.astype(np.float64)
    found[decisions.codes == MISSING] = np.nan
    return found
