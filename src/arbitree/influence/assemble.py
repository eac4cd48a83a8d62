"""Two fitted groups -> the result that a person reads."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from arbitree._errors import ArbitreeWarning
from arbitree._versions import versions
from arbitree.influence.cautions import cautions
from arbitree.influence.compared import Compared
from arbitree.influence.component import Component
from arbitree.influence.fit import GroupFit
from arbitree.influence.inputs import Inputs
from arbitree.influence.options import Options
from arbitree.influence.readings import readings
from arbitree.influence.result import Influence
from arbitree.influence.subsets import Subset
from arbitree.influence.weighing import Weighed, weighed
from arbitree.influence.words import (
    features_left_out,
    heavy_weights,
    is_constant,
    left_out,
    notices_of,
    r2_warning,
)


def influence_of(
    inputs: Inputs,
    options: Options,
    compared: Compared,
    fits: tuple[GroupFit, GroupFit],
    told_apart: pd.DataFrame,
    components: dict[tuple[Hashable, ...], Component],
    notices: Sequence[str],
) -> Influence:
    """Put the parts of an explanation together; warns where functions overfit."""
    high, low = fits
    found = weighed(compared, high, low, options)
    order = _strongest_first(found)
    names = inputs.crossing.label(compared.high), inputs.crossing.label(compared.low)
    r2 = _r2(names, fits)
    overfitted = r2_warning(r2)
    for sentence in overfitted:
        warnings.warn(sentence, ArbitreeWarning, stacklevel=4)
    told = Influence(
        gap=compared.gap,
        group_high=names[0],
        group_low=names[1],
        rates=compared.rates,
        table=_table(inputs, found, order, high, low),
        resampled=np.array([found.drawn[s] for s in order]).reshape(len(order), -1),
        least_error=found.least,
        unexplained=found.rest,
        unexplained_low=found.rest_limits[0],
        unexplained_high=found.rest_limits[1],
        constant=_constant(high) - _constant(low),
        r2=r2,
        proxies=told_apart,
        metric=options.metric,
        condition=compared.condition.name,
        favorable=inputs.favorable,
        max_order=options.max_order,
        n_intervals=options.n_intervals,
        cross_fit=options.cross_fit,
        n_bootstrap=options.n_bootstrap,
        confidence=options.confidence,
        min_group_size=options.min_group_size,
        random_state=options.seed,
        n_rows=int(compared.condition.rows.sum()),
        scores=inputs.scores,
        components=components,
        notices=(
            *inputs.notices,
            *_rows_left_out(inputs, options),
            *heavy_weights(inputs.weights),
            *features_left_out(inputs.features, found.influence),
            *notices_of(names, high, low, told_apart, options),
            *overfitted,
            *cautions(inputs, options, compared, names, fits),
            *notices,
        ),
        versions=versions("arbitree", "numpy", "scipy", "pandas"),
    )
    return replace(told, notices=(*told.notices, *readings(told)))


def _r2(names: tuple[str, str], fits: tuple[GroupFit, GroupFit]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "group": names,
            "n": [fit.n for fit in fits],
            "in_sample": [fit.in_sample for fit in fits],
            "out_of_fold": [fit.out_of_fold for fit in fits],
            "explained": [sum(fit.shares.values()) for fit in fits],
        }
    )


def _constant(fit: GroupFit) -> float:
    """The part of a group's rate that no variance carries."""
    return float(fit.mean) if is_constant(fit) else 0.0


def _rows_left_out(inputs: Inputs, options: Options) -> list[str]:
    crossing = inputs.crossing
    known = ~crossing.has_missing[crossing.codes] | (options.missing == "group")
    return left_out(inputs.decided, inputs.labels, known)


def _strongest_first(found: Weighed) -> list[Subset]:
    return sorted(found.influence, key=lambda s: (-abs(found.influence[s]), len(s), s))


def _table(
    inputs: Inputs, found: Weighed, order: Sequence[Subset], high: GroupFit, low: GroupFit
) -> pd.DataFrame:
    influence = np.array([found.influence[s] for s in order])
    return pd.DataFrame(
        {
            "features": [tuple(inputs.features[j].name for j in s) for s in order],
            "order": [len(s) for s in order],
            "influence": influence,
            "ci_low": [found.limits[s][0] for s in order],
            "ci_high": [found.limits[s][1] for s in order],
            "share_high": [high.shares.get(s, 0.0) for s in order],
            "share_low": [low.shares.get(s, 0.0) for s in order],
        }
    )
