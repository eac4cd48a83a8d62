"""Scores beside decisions: each group's mean and its standardised difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from arbitree.counts.moments import Moments, moments
from arbitree.groups.smd import standardised_mean_difference
from arbitree.groups.status import NOT_ESTIMABLE, OK
from arbitree.groups.tabulate import Measured
from arbitree.table.crossing import Crossing


def add_score_columns(
    by_group: pd.DataFrame,
    scores: np.ndarray,
    crossing: Crossing,
    measured: Sequence[Measured],
    *,
    segment: np.ndarray | None,
    n_segments: int,
    weights: np.ndarray | None,
    confidence: float,
) -> pd.DataFrame:
    """`by_group` with mean_score and smd (group minus reference) before its last two columns."""
    cell = crossing.codes.astype(np.intp)
    if segment is not None:
        cell = segment * crossing.n_groups + cell
    found = moments(scores, cell, (n_segments + 1) * crossing.n_groups, weights=weights)
    blocks = [_columns(one, found, n_segments, crossing.n_groups, confidence) for one in measured]
    columns = pd.concat(blocks, ignore_index=True)
    result = by_group.copy()
    at = list(result.columns).index("reference")
    for offset, name in enumerate(columns.columns):
        result.insert(at + offset, name, columns[name])
    undefined = columns["smd"].isna() & (result["n"] > 0)
    result["status"] = [
        _with_note(status, note) for status, note in zip(result["status"], undefined)
    ]
    return result


def _with_note(status: str, smd_is_undefined: bool) -> str:
    if not smd_is_undefined or status.startswith(NOT_ESTIMABLE):
        return status
    note = f"smd {NOT_ESTIMABLE}: no spread of scores, or nobody to compare with"
    return note if status == OK else f"{status}; {note}"


def _columns(
    one: Measured, found: Moments, n_segments: int, n_cells: int, confidence: float
) -> pd.DataFrame:
    def collapsed(amounts: np.ndarray) -> np.ndarray:
        return one.grouping.collapse(amounts.reshape(-1, n_cells)[:n_segments])

    groups = _moments(found, collapsed).effective()
    at = np.arange(n_segments)[:, None], np.maximum(one.reference, 0)[:, None]
    has = (one.reference >= 0)[:, None]
    reference = _moments(groups, lambda amounts: np.where(has, amounts[at], 0.0))
    smd, low, high = standardised_mean_difference(groups, reference, confidence)
    itself = np.arange(groups.n.shape[1]) == one.reference[:, None]
    itself &= ~np.isnan(smd)
    return pd.DataFrame(
        {
            "mean_score": groups.mean.ravel(),
            "smd": np.where(itself, 0.0, smd).ravel(),
            "smd_low": np.where(itself, 0.0, low).ravel(),
            "smd_high": np.where(itself, 0.0, high).ravel(),
        }
    )


def _moments(found: Moments, of: Callable[[np.ndarray], np.ndarray]) -> Moments:
    """Moments with every sum transformed alike."""
    return Moments(
        shift=found.shift,
        n=of(found.n),
        squared_weights=of(found.squared_weights),
        total=of(found.total),
        squares=of(found.squares),
    )
