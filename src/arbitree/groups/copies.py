"""Sensitive columns that say the same as an outcome: copies of it, or a part of the rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.groups.metrics import UNKNOWN
from arbitree.groups.tabulate import Measured

_LABEL, _DECISION = 1, 2  # axes of counts by (group, label, decision)


def copy_notices(measured: Sequence[Measured], *, has_labels: bool) -> tuple[str, ...]:
    """A sentence for each sensitive column that tells the decision, or the label, of every row.

    Groups of one row have one outcome whatever the column means, so every group needs two.
    """
    outcomes = {"decision": _LABEL} | ({"label": _DECISION} if has_labels else {})
    return tuple(
        f"Every group of {one.grouping.name} has only one {word}, so that the column says the "
        f"same as the {word}. If it is a copy of it, audit another column; rates that this "
        "leaves without rows are not estimable."
        for one in measured
        if len(one.grouping.columns) == 1
        for word, other in outcomes.items()
        if _tells(one.counts.n.sum(axis=0).sum(axis=other)[:, :UNKNOWN])
    )


def _tells(counts: np.ndarray) -> bool:
    """Whether the group tells the outcome.  (groups, 2) rows -> bool

    >>> _tells(np.array([[0, 5], [3, 0], [0, 0]])), _tells(np.array([[0, 5], [3, 1]]))
    (True, False)
    """
    size = counts.sum(axis=1)
    known = counts[size > 0]
    both = (counts.sum(axis=0) > 0).all()
    return bool(both and (size[size > 0] > 1).all() and (known.min(axis=1) == 0).all())
