"""The decomposition of one group: functions, shares of the variance, and how far to trust them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.influence.axes import Axis
from arbitree.influence.design import Design, design
from arbitree.influence.penalty import choose_penalty
from arbitree.influence.shares import Carried, covariances
from arbitree.influence.solve import Scales, scales, solve

ROWS_FOR_PENALTY = 20_000  # variances of coefficients do not depend on the number of rows
ROWS_FOR_BOOTSTRAP = 10_000  # spread falls with the root of the number of rows
TOGETHER = 8
TOLERANCE, LOOSE = 1e-4, 1e-2
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
    steps: int  # of the last solution
    functions: dict[tuple[int, ...], np.ndarray]  # g_S of the fit on all rows, by axes


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to fit. Nothing here depends on data."""

    penalty: str | float
    cross_fit: int
    n_bootstrap: int
    seed: int
    n_threads: int | None


def fit_group(
    axes: Sequence[Axis],
    codes: np.ndarray,
    y: np.ndarray,
    subsets: Sequence[tuple[int, ...]],
    settings: Settings,
    *,
    weights: np.ndarray | None = None,
    stream: int = 0,
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
    """
    n = len(y)
    w = np.ones(n) if weights is None else weights
    mean = float(w @ y / w.sum())
    variance = float(w @ (y - mean) ** 2 / w.sum())
    if n == 0 or variance <= 1e-12 * max(mean * mean, 1e-12) or not subsets:
        return _without_shares(n, mean, variance, axes, subsets, settings)
    rng = np.random.default_rng([settings.seed, stream])
    model = design(axes, codes, subsets, weights=weights, n_threads=settings.n_threads)
    centred = y - mean
    fold = folds(y, settings.cross_fit, rng)
    kept = _training(fold, settings.cross_fit, weights)
    model, penalties, start = _penalties(model, centred, kept, settings, rng)
    counts = model.sums(w[None, :])[0]
    measured = scales(model, counts)
    penalty = model.per_coefficient(penalties) * model.roughness()
    y_sums = model.sums((w * centred)[None, :])
    right = model.gathered(y_sums if kept is None else model.sums(kept * centred))
    theta, steps = solve(model, right, kept, penalty, measured, start=start, tolerance=TOLERANCE)
    values = model.fitted(theta)
    in_sample = 1 - w @ (centred - values[0]) ** 2 / (w.sum() * variance)
    functions: Carried = {}
    if settings.cross_fit:
        held = model.sums(w * centred * (fold == np.arange(settings.cross_fit)[:, None]))
        carried = covariances(model, theta[1:], held, counts[None, :])
        covariances(model, theta[:1], y_sums, counts[None, :], functions)
        outside = values[1:][fold, np.arange(n)]
        out_of_fold = 1 - w @ (centred - outside) ** 2 / (w.sum() * variance)
    else:
        carried = covariances(model, theta, y_sums, counts[None, :], functions)
        out_of_fold = np.nan
    size = w.sum() * variance
    nothing = {tuple(sorted(axes[a].feature for a in subset)): 0.0 for subset in subsets}
    means, resampled = resample(model, y, w, penalty[:1], measured, theta[:1], settings, rng)
    return GroupFit(
        n=n,
        mean=mean,
        variance=variance,
        shares=nothing | {s: float(v.sum() / size) for s, v in _by_features(carried, axes).items()},
        in_sample=float(in_sample),
        out_of_fold=float(out_of_fold),
        penalties=penalties[0],
        means=means - mean,
        resampled=_by_features(resampled, axes),
        steps=steps,
        functions={s: table[0] for s, table in functions.items()},
    )


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
        steps=0,
        functions={},
    )


def folds(y: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """A fold for each row, outcomes spread evenly over folds.  (n,) -> (n,) int64"""
    if not n_folds:
        return np.zeros(len(y), np.int64)
    order = np.lexsort([rng.random(len(y)), y])
    found = np.empty(len(y), np.int64)
    found[order] = np.arange(len(y)) % n_folds
    return found


def _training(fold: np.ndarray, n_folds: int, weights: np.ndarray | None) -> np.ndarray | None:
    """Weights of all rows, then of the rows outside each fold; None for rows that all count 1."""
    if not n_folds:
        return None if weights is None else weights[None, :]
    kept = np.ones((n_folds + 1, len(fold)))
    kept[1:] = fold != np.arange(n_folds)[:, None]
    return kept if weights is None else kept * weights


def _penalties(
    model: Design,
    centred: np.ndarray,
    kept: np.ndarray | None,
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[Design, np.ndarray, np.ndarray | None]:
    """The model without interactions that carry nothing, penalties (r, n_components), a start.

    Each fold chooses on its own: a penalty chosen on all rows, even as a start, lets 5 % of the
    variance of shuffled decisions seem explained out of fold (300 rows, 8 features).
    """
    r = 1 if kept is None else len(kept)
    if not isinstance(settings.penalty, str):
        return model, np.full((r, len(model.subsets)), float(settings.penalty)), None
    part, y, w = model, centred, kept
    if model.n_rows > ROWS_FOR_PENALTY * 3 // 2:
        rows = np.sort(rng.choice(model.n_rows, ROWS_FOR_PENALTY, replace=False))
        part, y = model.take(rows), centred[rows]
        w = None if kept is None else np.ascontiguousarray(kept[:, rows])
    weights = np.ones((1, part.n_rows)) if part.weights is None else part.weights[None, :]
    scales_of = scales(part, part.sums(weights)[0], exact=False)
    found, theta = choose_penalty(part, y, w, scales_of, n_replicates=r)
    single = np.array([len(subset) == 1 for subset in model.subsets])
    useful = single | (found < NOTHING * weights.sum()).any(axis=0)
    return model.only(useful), found[:, useful], theta[:, model.coefficients_of(useful)]


def resample(
    model: Design,
    y: np.ndarray,
    w: np.ndarray,
    penalty: np.ndarray,
    measured: Scales,
    theta: np.ndarray,
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[np.ndarray, Carried]:
    """Poisson bootstrap: the mean, and mean times share, in every replicate.

    Of more than 10,000 rows a subset is resampled, and the spread scaled to all rows
    (m out of n bootstrap: Bickel, Götze and van Zwet 1997, Statistica Sinica 7:1).
    """
    n, times = len(y), settings.n_bootstrap
    shrink = 1.0
    if n > ROWS_FOR_BOOTSTRAP and times:
        rows = np.sort(rng.choice(n, ROWS_FOR_BOOTSTRAP, replace=False))
        shrink = float(np.sqrt(len(rows) / n))
        model, y, w = model.take(rows), y[rows], w[rows]
        measured = scales(model, model.sums(w[None, :])[0])
        penalty = penalty * len(rows) / n
    means = np.empty(times)
    found: Carried = {}
    for first in range(0, times, TOGETHER):
        r = min(TOGETHER, times - first)
        drawn = rng.poisson(1.0, (r, len(y))) * w
        mean, carried = _replicate(model, y, drawn, penalty, measured, theta)
        means[first : first + r] = mean
        for axes, values in carried.items():
            found.setdefault(axes, np.empty(times))[first : first + r] = values
    if shrink < 1:
        means = means.mean() + shrink * (means - means.mean())
        found = {s: v.mean() + shrink * (v - v.mean()) for s, v in found.items()}
    return means, found


def _replicate(
    model: Design,
    y: np.ndarray,
    drawn: np.ndarray,
    penalty: np.ndarray,
    measured: Scales,
    theta: np.ndarray,
) -> tuple[np.ndarray, Carried]:
    total = np.maximum(drawn.sum(axis=1), 1e-300)
    mean = drawn @ y / total
    centred = drawn * (y - mean[:, None])
    variance = np.einsum("rn,rn->r", centred, y - mean[:, None]) / total
    sums, counts = model.sums(centred), model.sums(drawn)
    right = model.gathered(sums)
    start = np.repeat(theta, len(drawn), axis=0)
    fits, _ = solve(
        model, right, drawn, penalty, measured, start=start, tolerance=LOOSE, most_steps=60
    )
    scale = mean / np.maximum(total * variance, 1e-300)
    carried = covariances(model, fits, sums, counts)
    return mean, {axes: values * scale for axes, values in carried.items()}


def _by_features(carried: Carried, axes: Sequence[Axis]) -> Carried:
    """Sum over the axes of the same features."""
    found: Carried = {}
    for subset, values in carried.items():
        features = tuple(sorted(axes[a].feature for a in subset))
        found[features] = found[features] + values if features in found else values
    return found
