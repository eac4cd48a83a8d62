"""What a model of another library decides on the rows of a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arbitree.model.read import ReadModel, decided
from arbitree.table.as_held import HeldColumn, Reads, frame_of
from arbitree.table.frames import column
from arbitree.table.labels import Outcome, outcome

_ROWS = 65_536  # asked about at once, so that a file of any length fits


def columns_read(model: ReadModel) -> dict[str, Reads]:
    """The columns of a file that a model reads, and how."""
    return dict.fromkeys(model.columns, model.reads)


def held_outcome(
    model: ReadModel, columns: Sequence[HeldColumn], n_rows: int, *, favorable_label: object
) -> Outcome:
    """What a model decides on each row, and whether it is favourable.

    Parameters
    ----------
    model : ReadModel
    columns : sequence of HeldColumn
        By `columns_read`.
    n_rows : int
    favorable_label : object or collection of objects or None
        None only where the labels say themselves which is favourable.

    Raises
    ------
    InputError
        If the model fails on these rows.
    LabelError
        If it cannot be known which decision is favourable.
    """
    parts = [
        decided(model, frame_of(columns, first, min(first + _ROWS, n_rows)))
        for first in range(0, n_rows, _ROWS)
    ]
    labels = pd.Series(np.concatenate(parts), name="decision")
    found = column(labels, what="decisions", default_name="decision")
    return outcome(found, favorable_label=favorable_label, what="The model's decision")
