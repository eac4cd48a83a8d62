"""Is a group's selection rate different from the reference group's? P-values, on request."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arbitree.groups.metrics import SELECTION_RATE
from arbitree.groups.p_values import p_value
from arbitree.groups.tabulate import Measured


def add_p_values(by_group: pd.DataFrame, measured: Sequence[Measured]) -> pd.DataFrame:
    """`by_group` with p_value: of each group against its reference group, before "reference".

    The reference group against itself has 1. Not corrected for the number of groups.
    """
    values = []
    for one in measured:
        trials = one.rates[SELECTION_RATE.name].trials
        k, n = trials.k_effective, trials.n_effective
        at = np.arange(len(k))[:, None], np.maximum(one.reference, 0)[:, None]
        n_reference = np.where((one.reference >= 0)[:, None], n[at], 0.0)
        found = p_value(k, n, np.minimum(k[at], n_reference), n_reference)
        itself = np.arange(k.shape[1]) == one.reference[:, None]
        values.append(np.where(itself & ~np.isnan(found), 1.0, found).ravel())
    result = by_group.copy()
    result.insert(list(result.columns).index("reference"), "p_value", np.concatenate(values))
    return result
