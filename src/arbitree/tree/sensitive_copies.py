"""Features that are a sensitive column under another name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.table.coded_column import CodedColumn

FEWEST_ROWS = 20  # with fewer, a feature may look like a copy by chance


def copy_notices(
    features: Sequence[CodedColumn], sensitive: Sequence[CodedColumn]
) -> tuple[str, ...]:
    """A sentence for each feature whose values tell a sensitive column's, and the other way round.

    Features of the same name are not spoken of: to split on them has to be asked for anyway.
    """
    return tuple(
        f"{feature.name!r} tells exactly what {column.name!r} does, so splits on it are splits on "
        "the groups. Drop it from X unless that is wanted."
        for column in sensitive
        for feature in features
        if feature.name != column.name and is_copy(feature.codes, column.codes)
    )


def is_copy(feature: np.ndarray, group: np.ndarray) -> bool:
    """Whether each value of the one goes with one of the other, both ways round.  (n,), (n,)"""
    if len(group) < FEWEST_ROWS:
        return False
    n_groups = int(group.max()) + 1
    pairs = np.unique(feature.astype(np.int64) * n_groups + group)
    n_pairs = len(pairs)
    return 1 < n_pairs == len(np.unique(pairs // n_groups)) == len(np.unique(pairs % n_groups))
