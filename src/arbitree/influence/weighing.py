"""Shares of two groups' variances -> influences on the gap between their rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.groups.intervals import normal_quantile
from arbitree.influence.compared import Compared
from arbitree.influence.fit import GroupFit
from arbitree.influence.limits import limits
from arbitree.influence.options import Options
from arbitree.influence.subsets import Subset


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighed:
    """Influences and what they leave of the gap, with their intervals."""

    influence: dict[Subset, float]
    limits: dict[Subset, tuple[float, float]]
    drawn: dict[Subset, np.ndarray]  # (n_bootstrap,) resampled, about 0
    least: float  # standard error of an influence whose replicates do not vary
    rest: float
    rest_limits: tuple[float, float]


def weighed(compared: Compared, high: GroupFit, low: GroupFit, options: Options) -> Weighed:
    """w_S = p_high S_S(high) - p_low S_S(low), and what is left of the gap."""
    influence = {
        s: high.mean * high.shares.get(s, 0.0) - low.mean * low.shares.get(s, 0.0)
        for s in {**high.shares, **low.shares}
    }
    nothing = np.zeros(options.n_bootstrap)
    drawn = {s: high.resampled.get(s, nothing) - low.resampled.get(s, nothing) for s in influence}
    left = (high.means - low.means) - sum(drawn.values())
    least = float(np.hypot(_by_chance(high), _by_chance(low)))
    z = normal_quantile(options.confidence)
    rest = compared.gap - sum(influence.values())
    return Weighed(
        influence=influence,
        limits={s: limits(w, drawn[s], z, least) for s, w in influence.items()},
        drawn=drawn,
        least=least,
        rest=rest,
        rest_limits=limits(rest, left, z, _more_of_rest(left, high, low)),
    )


def _more_of_rest(drawn: np.ndarray, high: GroupFit, low: GroupFit) -> float:
    """What the spread of the rest lacks.

    Replicates are fitted to their own rows: they leave less, and what they leave varies less, than
    outside a fold. There the standard error is known row by row, given the functions.
    """
    by_rows = np.hypot(high.left_se, low.left_se)
    spread = np.std(drawn, ddof=1) if len(drawn) > 1 else 0.0
    return float(np.sqrt(max(by_rows**2 - spread**2, 0.0)))


def _by_chance(fit: GroupFit) -> float:
    """Standard deviation of mean times share of one function that has nothing to explain.

    A component that was smoothed away varies in no replicate, but is not known to be 0.
    """
    return 0.0 if np.isnan(fit.in_sample) else abs(fit.mean) * np.sqrt(2) / fit.n
