"""The decomposition of one group: functions, shares of the variance, and how far to trust them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.influence.axes import Axis
from arbitree.influence.bootstrap import resample
from arbitree.influence.design import Design, design
from arbitree.influence.moments import Moments, moments
from arbitree.influence.penalty import MOST as FORBIDDEN
from arbitree.influence.penalty import choose_penalty
from arbitree.influence.settings import Settings
from arbitree.influence.shares import Carried, covariances
from arbitree.influence.solve import scales, solve
from arbitree.influence.together import Together, together

ROWS_FOR_PENALTY = 20_000  # variances of coefficients do not depend on the number of rows
TOLERANCE = 1e-4
NOTHING = 1e3  # penalty, relative to rows, at which an interaction is 0 to three digits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupFit:
    """Of one group: the mean outcome and the share of its variance that each set carries.

    A group whose outcome does not vary has shares of 0 and R2 of NaN.
    """

    n: int
    mean: float
    variance: float
    shares: dict[tuple[int, ...], float]  # by features
    in_sample: float  # R2
    out_of_fold: float  # R2, NaN without folds
    penalties: np.ndarray  # (n_components,)
    means: np.ndarray  # (n_bootstrap,) resampled, centred on `mean`
    resampled: dict[tuple[int, ...], np.ndarray]  # (n_bootstrap,) mean times share
    left_se: float  # standard error of mean times the share that is left, given the functions
    steps: int  # of the last solution
    functions: dict[tuple[int, ...], np.ndarray]  # g_S of the fit on all rows, by axes


def fit_group(
    axes: Sequence[Axis],
    codes: np.ndarray,
    y: np.ndarray,
    subsets: Sequence[tuple[int, ...]],
    settings: Settings,
    *,
    weights: np.ndarray | None = None,
    stream: int = 0,
    fold: np.ndarray | None = None,
    allowed: np.ndarray | None = None,
) -> GroupFit:
    """Decompose the variance of an outcome within one group.

    Parameters
    ----------
    axes : sequence of Axis
    codes : (n_axes, n) uint8
    y : (n,) float64
    subsets : sequence of tuples of axes
    settings : Settings
    weights : (n,) float64, optional
    stream : int
        Number of the group: groups draw different random numbers.
    fold : (n,) int64, optional
        As `folds` gives them.
    allowed : (n_folds + 1, n_subsets) bool, optional
        Components of the fit on all rows, and of those outside each fold; the others are 0.
    """
    n = len(y)
    w = np.ones(n) if weights is None else weights
    mean, variance = _mean_and_variance(y, w)
    if variance == 0 or not subsets:
        return _without_shares(n, mean, variance, axes, subsets, settings)
    rng = np.random.default_rng([settings.seed, stream, 1])
    rows = together(codes)
    fold = folds(y, settings.cross_fit, settings.seed, stream) if fold is None else fold
    kept = _training(fold, settings.cross_fit, w)
    allowed = np.ones((len(kept), len(subsets)), bool) if allowed is None else allowed
    known = moments(rows, kept, y - mean)
    model = design(axes, codes[:, rows.first], subsets, known.weight[0], settings.n_threads)
    found = _penalties(model, rows, kept, known, y - mean, allowed, settings, rng)
    model = found.model
    counts, sums = model.sums(known.weight[:1]), model.sums(known.outcome)
    measured = scales(model, counts[0], mains=found.mains)
    penalty = model.per_coefficient(found.penalties) * model.roughness()
    right = model.gathered(sums)
    theta, steps = solve(
        model, right, known.weight, penalty, measured, start=found.start, tolerance=TOLERANCE
    )
    values = model.fitted(theta)
    size = w.sum() * variance
    functions: Carried = {}
    carried = covariances(model, theta[:1], sums[:1], counts, functions)
    out_of_fold, used = np.nan, values[:1]
    if settings.cross_fit:
        used = values[1:]
        held = known[:1] - known[1:]
        carried = covariances(model, theta[1:], sums[:1] - sums[1:], counts)
        out_of_fold = 1 - held.errors(values[1:]).sum() / size
    left = w * (y - mean) * (y - mean - used[fold, rows.places()]) / size
    nothing = {tuple(sorted(axes[a].feature for a in subset)): 0.0 for subset in subsets}
    means, resampled = resample(model, rows, y, w, penalty[:1], measured, theta[:1], settings, rng)
    return GroupFit(
        n=n,
        mean=mean,
        variance=variance,
        shares=nothing | {s: float(v.sum() / size) for s, v in by_features(carried, axes).items()},
        in_sample=float(1 - known[:1].errors(values[:1]).sum() / size),
        out_of_fold=float(out_of_fold),
        penalties=found.penalties[0],
        means=means - mean,
        resampled=by_features(resampled, axes),
        left_se=float(abs(mean) * np.sqrt(((left - left.mean()) ** 2).sum())),
        steps=steps,
        functions={s: table[0] for s, table in functions.items()},
    )


def _mean_and_variance(y: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """Of rows with these weights; the variance is exactly 0 where there is none, to rounding."""
    mean = float(w @ y / w.sum())
    return mean, float(w @ (y - mean) ** 2 / w.sum()) if varies(y[w > 0]) else 0.0


def varies(y: np.ndarray) -> bool:
    """Whether an outcome has more than one value, to rounding.

    Examples
    --------
    >>> varies(np.array([1e9, 1e9 + 1])), varies(np.array([0.1 + 0.2, 0.3])), varies(np.array([]))
    (True, False, False)
    """
    return len(y) > 0 and bool(np.ptp(y) > 1e-12 * np.abs(y).max())


def _without_shares(
    n: int,
    mean: float,
    variance: float,
    axes: Sequence[Axis],
    subsets: Sequence[tuple[int, ...]],
    settings: Settings,
) -> GroupFit:
    nothing = np.zeros(settings.n_bootstrap)
    features = {tuple(axes[a].feature for a in subset) for subset in subsets}
    return GroupFit(
        n=n,
        mean=mean,
        variance=variance,
        shares=dict.fromkeys(features, 0.0),
        in_sample=np.nan,
        out_of_fold=np.nan,
        penalties=np.full(len(subsets), np.inf),
        means=nothing,
        resampled=dict.fromkeys(features, nothing),
        left_se=0.0,
        steps=0,
        functions={},
    )


def folds(y: np.ndarray, n_folds: int, seed: int, stream: int) -> np.ndarray:
    """A fold for each row of a group, outcomes spread evenly over folds.  (n,) -> (n,) int64"""
    if not n_folds:
        return np.zeros(len(y), np.int64)
    rng = np.random.default_rng([seed, stream])
    order = np.lexsort([rng.random(len(y)), y])
    found = np.empty(len(y), np.int64)
    found[order] = np.arange(len(y)) % n_folds
    return found


def _training(fold: np.ndarray, n_folds: int, weights: np.ndarray) -> np.ndarray:
    """Weights of all rows, then of the rows outside each fold.  -> (n_folds + 1, n)"""
    kept = np.ones((n_folds + 1, len(fold)))
    kept[1:] = fold != np.arange(n_folds)[:, None]
    return kept * weights


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Penalised:
    """The model without interactions that carry nothing."""

    model: Design
    penalties: np.ndarray  # (r, n_components)
    start: np.ndarray | None  # (r, n_coefficients), near the solution
    mains: np.ndarray | None  # (k, k), Gram matrix of its main effects, if they were measured


def _penalties(
    model: Design,
    rows: Together,
    kept: np.ndarray,
    known: Moments,
    centred: np.ndarray,
    allowed: np.ndarray,
    settings: Settings,
    rng: np.random.Generator,
) -> _Penalised:
    """Penalties as asked for, or chosen.

    Each fold chooses on its own: a penalty chosen on all rows, even as a start, lets 5 % of the
    variance of shuffled decisions seem explained out of fold (300 rows, 8 features).
    """
    if not isinstance(settings.penalty, str):
        given = np.where(allowed, float(settings.penalty), FORBIDDEN * len(centred))
        return _Penalised(model=model, penalties=given, start=None, mains=None)
    part = model
    if len(centred) > ROWS_FOR_PENALTY * 3 // 2:
        some = np.sort(rng.choice(len(centred), ROWS_FOR_PENALTY, replace=False))
        of_some, places = rows.of(some)
        known = moments(of_some, kept[:, some], centred[some])
        part = model.take(places, known.weight[0])
    size = known.weight[0].sum()
    scales_of = scales(part, part.sums(known.weight[:1])[0], exact=False)
    found, theta = choose_penalty(part, known, scales_of, allowed)
    single = np.array([len(subset) == 1 for subset in model.subsets])
    useful = single | (found < NOTHING * size).any(axis=0)
    return _Penalised(
        model=model.only(useful),
        penalties=found[:, useful],
        start=theta[:, model.coefficients_of(useful)],
        mains=scales_of.grams[0] if part is model else None,
    )


def by_features(carried: Carried, axes: Sequence[Axis]) -> Carried:
    """Sum over the axes of the same features."""
    found: Carried = {}
    for subset, values in carried.items():
        features = tuple(sorted(axes[a].feature for a in subset))
        found[features] = found[features] + values if features in found else values
    return found
