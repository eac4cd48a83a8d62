"""Why there is a gap between two groups: the decomposition of a table of decisions."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import ArbitreeWarning
from arbitree.groups.intervals import normal_quantile
from arbitree.influence.axes import Axis, axis, functions_of
from arbitree.influence.compared import Compared, compare, conditions
from arbitree.influence.component import Component
from arbitree.influence.fit import GroupFit, fit_group
from arbitree.influence.settings import Settings
from arbitree.influence.grid import on_grid
from arbitree.influence.inputs import Inputs, read_inputs
from arbitree.influence.options import Options, explain_options
from arbitree.influence.proxies import proxies
from arbitree.influence.result import Influence
from arbitree.influence.subsets import Subset, asked_pairs, gains, strongest, triples
from arbitree.influence.words import left_out, notices_of, r2_warning

CODES = (256, 64, 16)  # of an axis in components of order 1, 2 and 3
CELLS_OF_PAIRS = 1 << 16  # few pairs may have finer axes: about as many cells stay in cache
INTERVALS_OF_TRIPLES = 6
ROWS_FOR_GAINS = 100_000


def explain_gap(
    X: Any,
    decisions: Any,
    *,
    sensitive_features: Any,
    y_true: Any = None,
    metric: str = "statistical_parity",
    max_order: int = 2,
    n_intervals: int = 20,
    groups: tuple[Any, Any] | None = None,
    pairs: Any = "auto",
    cross_fit: int = 5,
    n_bootstrap: int = 200,
    random_state: int | np.random.Generator | None = 0,
    favorable_label: Any = None,
    y_true_favorable: Any = None,
    score_threshold: float | None = None,
    lower_score_favorable: bool = False,
    scores: bool = False,
    sample_weight: Any = None,
    penalty: str | float = "reml",
    knots: str = "rank",
    confidence: float = 0.95,
    min_group_size: int = 30,
    missing: str = "error",
    bins: Any = None,
    n_threads: int | None = None,
) -> Influence:
    """Split the gap between two groups over features and combinations of features.

    A group's rate is its variance divided by one minus the rate, so what carries the variance of
    the decisions within a group carries its rate, and differences of rates split alike.

    Parameters
    ----------
    X : frame or array (n, d)
        Features. Columns that are also sensitive features are left out: within a group they
        are constant.
    decisions : array-like (n,), or a model
        The decision on each row; or anything with ``predict``, or a function, which is called
        once, with X.
    sensitive_features : array-like (n,) or (n, k), frame, Series or mapping of columns
        The groups; those of several columns are the combinations that occur.
    y_true : array-like (n,), optional
        What turned out to be right; needed by every metric but statistical parity.
    metric : str
        "statistical_parity", "equal_opportunity", "predictive_equality", "equalized_odds" or
        "predictive_parity". The last two explain the condition with the larger gap.
    max_order : int
        Features in the largest combination, 1 to 3.
    n_intervals : int
        Intervals of the splines of numeric features.
    groups : pair of groups, optional
        Explain the gap between these, as ``("Male", "Female")``, instead of the largest.
    pairs : "auto", "all", int, or list of pairs of names
        "auto" takes all pairs of up to 16 features, of more the 120 that look strongest.
    cross_fit : int
        Folds. Functions are fitted outside a fold and evaluated in it; 0 does both on all rows,
        as the paper does, and flatters.
    n_bootstrap : int
        Resamplings behind the intervals; 0 gives none (NaN).
    random_state : int, Generator or None
        Seed of folds and resamplings.
    favorable_label, y_true_favorable, score_threshold, lower_score_favorable, sample_weight, \
missing, bins
        As in `arbitree.audit`.
    scores : bool
        Take `decisions` as numbers and explain the gap between mean scores.
    penalty : "reml" or float
        Smoothing: one for each component, chosen by restricted maximum likelihood; or one number
        for all.
    knots : "rank" or "value"
        Spline intervals of equal numbers of distinct values, whatever the units; or of equal
        length.
    confidence : float
        Of the intervals.
    min_group_size : int
        A smaller group gives a notice.
    n_threads : int, optional
        None takes every core. The result does not depend on it.

    Returns
    -------
    Influence

    Raises
    ------
    InputError
        Something makes no sense; says what and where.
    NotEstimableError
        There are no two groups to compare.

    Notes
    -----
    With g_S the part of the decision that only the features S together explain, in group a,

        w_S = p_high Cov(g_S, D) / Var(D) - p_low Cov(g_S, D) / Var(D),

    each in its group: equation 5 of Ghosh, Basu and Meel ("How Biased are Your Features?",
    2023), since p (1 - p) is the variance. Here g_S is a penalised spline (tensor product),
    uncorrelated with every function of fewer of its features.

    Examples
    --------
    >>> import arbitree as ar
    >>> people = ar.datasets.make_health_insurance().frame
    >>> found = ar.explain_gap(
    ...     people[["fitness", "income"]],
    ...     people["eligible"],
    ...     sensitive_features=people["age"],
    ...     favorable_label="yes",
    ...     n_bootstrap=0,
    ... )
    >>> found.group_high, round(found.gap, 3)
    ('young', 0.53)
    >>> found.table.features.tolist()
    [('fitness',), ('income',), ('fitness', 'income')]
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
        missing=missing,
        n_threads=n_threads,
    )
    inputs = read_inputs(
        X,
        decisions,
        sensitive_features=sensitive_features,
        y_true=y_true,
        favorable_label=favorable_label,
        y_true_favorable=y_true_favorable,
        score_threshold=score_threshold,
        lower_score_favorable=lower_score_favorable,
        scores=scores,
        sample_weight=sample_weight,
        missing=missing,
        bins=bins,
    )
    return explain_inputs(inputs, options)


def explain_inputs(inputs: Inputs, options: Options) -> Influence:
    """The same, of inputs that are coded."""
    crossing = inputs.crossing
    unknown = crossing.has_missing & (options.missing != "group")
    known = ~unknown[crossing.codes]
    found = conditions(options.metric, inputs.decided, inputs.labels, known)
    compared = compare(found, crossing, inputs.weights, options.groups, ~unknown)
    rows = [_rows_of(compared, inputs, group) for group in (compared.high, compared.low)]
    sets = sets_of_features(inputs, compared, rows, options)
    settings = Settings(
        penalty=options.penalty,
        cross_fit=options.cross_fit,
        n_bootstrap=options.n_bootstrap,
        seed=options.seed,
        n_threads=options.n_threads,
    )
    fits = [
        _fitted(inputs, compared, at, sets, options, settings, stream)
        for stream, at in enumerate(rows)
    ]
    grid = _axes(inputs, np.concatenate(rows), 2, options, CODES[1])
    return _result(
        inputs,
        options,
        compared,
        fits[0][1],
        fits[1][1],
        proxies(inputs.features, *rows),
        on_grid(inputs.features, grid, sets, fits, rows),
    )


def _rows_of(compared: Compared, inputs: Inputs, group: int) -> np.ndarray:
    return np.flatnonzero(compared.condition.rows & (inputs.crossing.codes == group))


def _codes(axes: Sequence[Axis], inputs: Inputs, rows: np.ndarray) -> np.ndarray:
    found = np.empty((len(axes), len(rows)), np.uint8)
    for k, one in enumerate(axes):
        found[k] = one.encode(inputs.features[one.feature].codes[rows])
    return found


def _fitted(
    inputs: Inputs,
    compared: Compared,
    rows: np.ndarray,
    sets: Sequence[Subset],
    options: Options,
    settings: Settings,
    stream: int,
) -> tuple[list[Axis], GroupFit]:
    axes, subsets = axes_of(inputs, rows, sets, options)
    return axes, fit_group(
        axes,
        _codes(axes, inputs, rows),
        compared.condition.outcome[rows],
        subsets,
        settings,
        weights=None if inputs.weights is None else inputs.weights[rows],
        stream=stream,
    )


def sets_of_features(
    inputs: Inputs, compared: Compared, rows: Sequence[np.ndarray], options: Options
) -> list[Subset]:
    """The sets that get a component, the same in both groups."""
    d = len(inputs.features)
    pairs: list[Subset] = []
    if options.max_order >= 2:
        wanted = asked_pairs(options.pairs, inputs.features)
        pairs = _screened(inputs, compared, rows, options, wanted)
    return [
        *((j,) for j in range(d)),
        *pairs,
        *(triples(d, pairs) if options.max_order >= 3 else []),
    ]


def axes_of(
    inputs: Inputs, rows: np.ndarray, sets: Sequence[Subset], options: Options
) -> tuple[list[Axis], list[Subset]]:
    """One group's axes, finer ones for fewer features together, and each set as axes."""
    n_pairs = sum(len(features) == 2 for features in sets)
    finest = {1: CODES[0], 2: _codes_of_pairs(n_pairs), 3: CODES[2]}
    singles = _axes(inputs, rows, 1, options, finest[1])
    axes = list(singles)
    place = {(1, j): j for j in range(len(singles))}
    for order in range(2, max(len(features) for features in sets) + 1):
        for one in _axes(inputs, rows, order, options, finest[order]):
            if order == 2 and one.n_codes == singles[one.feature].n_codes:
                place[order, one.feature] = place[1, one.feature]
            else:
                place[order, one.feature] = len(axes)
                axes.append(one)
    return axes, [tuple(place[len(features), j] for j in features) for features in sets]


def _codes_of_pairs(n_pairs: int) -> int:
    finer = [codes for codes in (256, 128) if n_pairs * codes**2 <= CELLS_OF_PAIRS]
    return max([*finer, CODES[1]])


def _axes(
    inputs: Inputs, rows: np.ndarray, order: int, options: Options, most_codes: int
) -> list[Axis]:
    intervals = min(options.n_intervals, INTERVALS_OF_TRIPLES if order == 3 else 10**6)
    return [
        axis(
            j,
            column.coding,
            np.bincount(column.codes[rows], minlength=column.coding.n_codes),
            n_intervals=intervals,
            most_codes=most_codes,
            knots=options.knots,
        )
        for j, column in enumerate(inputs.features)
    ]


def _screened(
    inputs: Inputs,
    compared: Compared,
    rows: Sequence[np.ndarray],
    options: Options,
    wanted: list[Subset] | int,
) -> list[Subset]:
    """The pairs asked for, or as many of the strongest in either group."""
    if not isinstance(wanted, int):
        return wanted
    every: list[Subset] = list(combinations(range(len(inputs.features)), 2))
    if not wanted:
        return []
    total = np.zeros(len(every))
    for at in rows:
        at = at[:: -(-len(at) // ROWS_FOR_GAINS)] if len(at) else at
        y = compared.condition.outcome[at]
        if len(at) < 2 or np.ptp(y) == 0:
            continue
        axes = _axes(inputs, at, 3, options, CODES[2])
        codes = _codes(axes, inputs, at)
        total += gains(axes, codes, left_by_mains(axes, codes, y), every) / (y.var() * len(y))
    return strongest(every, total, wanted)


def left_by_mains(axes: Sequence[Axis], codes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What a ridge regression on all main effects leaves of the outcome.  -> (n,)"""
    columns = [
        functions_of(one, np.bincount(of_rows, minlength=one.n_codes).astype(float)).values[of_rows]
        for one, of_rows in zip(axes, codes)
    ]
    x = np.concatenate(columns, axis=1)
    centred = y - y.mean()
    gram = x.T @ x + np.eye(x.shape[1])
    return np.asarray(centred - x @ np.linalg.solve(gram, x.T @ centred))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sum:
    influence: dict[Subset, float]
    limits: dict[Subset, tuple[float, float]]
    rest: float
    rest_limits: tuple[float, float]


def _weighed(compared: Compared, high: GroupFit, low: GroupFit, options: Options) -> _Sum:
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
    return _Sum(
        influence=influence,
        limits={s: limits(w, drawn[s], z, least) for s, w in influence.items()},
        rest=rest,
        rest_limits=limits(rest, left, z, 0.0),
    )


def limits(value: float, drawn: np.ndarray, z: float, least: float) -> tuple[float, float]:
    """An interval from the spread and the skewness of replicates, NaN without any.

    A share is a square: replicates lean to the right, and quantiles follow with the first term
    of Cornish and Fisher (1938).

    Examples
    --------
    >>> low, high = limits(0.0, np.array([-1.0, 0.0, 1.0]), 2.0, 0.0)
    >>> low, high
    (-2.0, 2.0)
    """
    if len(drawn) < 2:
        return np.nan, np.nan
    spread = float(np.std(drawn, ddof=1))
    skewness = 0.0
    if spread > 1e-12:
        skewness = float(np.clip(np.mean(((drawn - drawn.mean()) / spread) ** 3), -1, 1))
    lean = skewness * (z**2 - 1) / 6
    spread = float(np.hypot(spread, least))
    return value - (z - lean) * spread, value + (z + lean) * spread


def _by_chance(fit: GroupFit) -> float:
    """Standard deviation of mean times share of one function that has nothing to explain.

    A component that was smoothed away varies in no replicate, but is not known to be 0.
    """
    return 0.0 if np.isnan(fit.in_sample) else abs(fit.mean) * np.sqrt(2) / fit.n


def _result(
    inputs: Inputs,
    options: Options,
    compared: Compared,
    high: GroupFit,
    low: GroupFit,
    told_apart: pd.DataFrame,
    components: dict[tuple[Hashable, ...], Component],
) -> Influence:
    found = _weighed(compared, high, low, options)
    crossing = inputs.crossing
    names = crossing.label(compared.high), crossing.label(compared.low)
    constant = sum(
        sign * fit.mean
        for sign, fit in ((1, high), (-1, low))
        if fit.variance <= 1e-12 * max(fit.mean**2, 1e-12)
    )
    r2 = pd.DataFrame(
        {
            "group": names,
            "n": [high.n, low.n],
            "in_sample": [high.in_sample, low.in_sample],
            "out_of_fold": [high.out_of_fold, low.out_of_fold],
        }
    )
    for sentence in r2_warning(r2):
        warnings.warn(sentence, ArbitreeWarning, stacklevel=4)
    return Influence(
        gap=compared.gap,
        group_high=names[0],
        group_low=names[1],
        rates=compared.rates,
        table=_table(inputs, found, high, low),
        unexplained=found.rest,
        unexplained_low=found.rest_limits[0],
        unexplained_high=found.rest_limits[1],
        constant=float(constant),
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
        random_state=options.seed,
        n_rows=int(compared.condition.rows.sum()),
        scores=inputs.scores,
        components=components,
        notices=(
            *inputs.notices,
            *left_out(inputs.decided, inputs.labels, ~crossing.has_missing[crossing.codes])
            * (options.missing != "group"),
            *notices_of(names, high, low, told_apart, options),
        ),
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in ("arbitree", "numpy", "scipy", "pandas")},
        },
    )


def _table(inputs: Inputs, found: _Sum, high: GroupFit, low: GroupFit) -> pd.DataFrame:
    order = sorted(found.influence, key=lambda s: (-abs(found.influence[s]), len(s), s))
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
