"""What a reader of influences should know, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from arbitree._wording import counted, listed
from arbitree.influence.fit import GroupFit
from arbitree.influence.moments import are_counts
from arbitree.influence.options import Options
from arbitree.table.coded_column import CodedColumn

APART = 0.1  # R2 in sample minus R2 out of fold
PROXY = 0.9  # AUC
HEAVY = 5  # mean weight beyond which it hardly is a number of rows


def notices_of(
    names: tuple[str, str],
    high: GroupFit,
    low: GroupFit,
    told_apart: pd.DataFrame,
    options: Options,
) -> list[str]:
    """Sentences about degenerate, small and overfitted groups, and about proxies."""
    found = []
    for name, fit in zip(names, (high, low)):
        found += small_group(name, fit.n, options.min_group_size)
        if is_constant(fit):
            found.append(
                f"In group {name!r} every outcome is {fit.mean:g}, so nothing varies that features "
                "could explain: its rate is part of `unexplained`, as `constant`."
            )
    if is_constant(high) and is_constant(low) and high.mean == low.mean:
        found.append(
            "Outcomes are constant within both groups and the same: there is no gap to explain."
        )
    elif is_constant(high) and is_constant(low):
        found.append(
            "Outcomes are constant within both groups. Variance inside a group cannot explain a "
            "gap between groups: every influence is 0, and the group alone decides."
        )
    near = told_apart[told_apart["auc"] >= PROXY]
    if len(near):
        found.append(
            f"{listed(near['feature'])} nearly tell{'s' if len(near) == 1 else ''} the two groups "
            "apart. A feature that stands in for the group varies little within it, so a small "
            "influence does not clear it: see `proxies`."
        )
    if not options.cross_fit:
        found.append(
            "Influences are in-sample (cross_fit=0): what the functions fit by chance counts as "
            "explained."
        )
    return found


def small_group(name: str, n: int, least: int) -> list[str]:
    """A sentence where a group has too few rows for more than a guess."""
    if n >= least:
        return []
    return [
        f"Group {name!r} has {counted(n, 'row')}, fewer than {least}: its part of every influence "
        "is a rough guess."
    ]


def heavy_weights(weights: np.ndarray | None) -> list[str]:
    """A sentence on whole weights that count each row many times."""
    if weights is None or not are_counts(weights) or weights.sum() <= HEAVY * len(weights):
        return []
    return [
        f"Weights are whole numbers with a mean of {weights.mean():,.3g}, and count as so many "
        "rows. If each row is one person, divide sample_weight by its mean, or functions follow "
        "chance."
    ]


def left_out(decided: np.ndarray, labels: np.ndarray | None, known: np.ndarray) -> list[str]:
    """Sentences about rows that cannot be used."""
    counts = {
        "group": int((~known).sum()),
        "decision": int(np.isnan(decided).sum()),
        "label": 0 if labels is None else int((labels == 2).sum()),
    }
    return [
        f"{counted(n, 'row')} of unknown {what} {'is' if n == 1 else 'are'} left out."
        for what, n in counts.items()
        if n
    ]


def features_left_out(
    features: Sequence[CodedColumn], sets: Iterable[tuple[int, ...]]
) -> list[str]:
    """A sentence where only some features have a component."""
    kept = sum(len(one) == 1 for one in sets)
    if kept == len(features):
        return []
    return [
        f"Of {len(features):,} features only the {kept} that explain most on their own have a "
        "part; what others carry is unexplained. Pass fewer features to choose them yourself."
    ]


def is_constant(fit: GroupFit) -> bool:
    """Whether the outcome does not vary."""
    return fit.variance == 0.0


def r2_warning(r2: pd.DataFrame) -> list[str]:
    """A sentence where functions explain much less outside the rows they were fitted to."""
    found = []
    for row in r2.to_dict("records"):
        inside, outside = row["in_sample"], row["out_of_fold"]
        if not np.isnan(outside) and inside - outside > APART:
            found.append(
                f"Group {row['group']!r}: functions explain {inside:.2f} of the variance of the "
                f"rows they are fitted to and {outside:.2f} of others. Use fewer features, a "
                "smaller max_order or more rows."
            )
    return found
