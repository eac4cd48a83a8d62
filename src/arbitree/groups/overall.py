"""All rows together, whatever their group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from arbitree.counts.cells import Cells
from arbitree.groups.intervals import wilson
from arbitree.groups.measure import GroupCounts
from arbitree.groups.metrics import RATES, SELECTION_RATE
from arbitree.groups.options import AuditOptions
from arbitree.groups.segments import Segments
from arbitree.groups.status import OK, rate_status


def overall_frame(
    cells: Cells, segments: Segments, options: AuditOptions, *, has_labels: bool
) -> pd.DataFrame:
    """One row a segment: every rate over all of its rows, known group or not."""
    n = cells.n.sum(axis=1, keepdims=True)
    everyone = GroupCounts(n=n, w=_all(cells.w), w2=_all(cells.w2))
    selection = everyone.trials(SELECTION_RATE)
    low, high = wilson(selection.k_effective, selection.n_effective, options.confidence)
    columns: dict[str, Any] = {
        **segments.columns_for(1),
        "n": selection.n.ravel(),
        "n_selected": selection.k.ravel(),
        "selection_rate": selection.value.ravel(),
        "ci_low": low.ravel(),
        "ci_high": high.ravel(),
    }
    lacking: list[list[str]] = [[] for _ in range(len(segments))]
    for rate in RATES:
        if rate.needs_labels and has_labels:
            trials = everyone.trials(rate)
            columns[rate.name] = trials.value.ravel()
            for at in np.flatnonzero(np.isnan(trials.value.ravel())):
                lacking[at].append(f"{rate.name} not estimable: {rate.without}")
    own = [
        rate_status(n, size > 0, SELECTION_RATE, options.min_group_size)
        for n, size in zip(selection.n.ravel().tolist(), selection.n_effective.ravel().tolist())
    ]
    columns["status"] = [
        "; ".join([*([status] if status != OK or not lacks else []), *lacks])
        for status, lacks in zip(own, lacking)
    ]
    return pd.DataFrame(columns)


def _all(counts: np.ndarray | None) -> np.ndarray | None:
    return None if counts is None else counts.sum(axis=1, keepdims=True)
