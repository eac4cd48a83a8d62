"""How far a decomposition moves when rows are drawn again."""

from __future__ import annotations

import numpy as np

from arbitree.influence.design import Design
from arbitree.influence.moments import moments
from arbitree.influence.settings import Settings
from arbitree.influence.shares import Carried, covariances
from arbitree.influence.solve import Scales, scales, solve
from arbitree.influence.together import Together

ROWS_FOR_BOOTSTRAP = 10_000  # spread falls with the root of the number of rows
REPLICATES_AT_ONCE = 8
LOOSE = 1e-2


def resample(
    model: Design,
    rows: Together,
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

    Parameters
    ----------
    model : Design
    rows : Together
    y, w : (n_rows,) float64
    penalty : (1, n_coefficients)
    measured : Scales
    theta : (1, n_coefficients)
        The solution of all rows, from which each replicate starts.
    settings : Settings
    rng : Generator

    Returns
    -------
    means : (n_bootstrap,)
    carried : dict from axes to (n_bootstrap,)
    """
    n, times = len(y), settings.n_bootstrap
    shrink = 1.0
    if n > ROWS_FOR_BOOTSTRAP and times:
        some = np.sort(rng.choice(n, ROWS_FOR_BOOTSTRAP, replace=False))
        shrink = float(np.sqrt(len(some) / n))
        y, w = y[some], w[some]
        rows, places = rows.of(some)
        of_places = rows.sums(w[None, :])
        model = model.take(places, of_places[0])
        measured = scales(model, model.sums(of_places)[0])
        penalty = penalty * len(some) / n
    means = np.empty(times)
    found: Carried = {}
    for first in range(0, times, REPLICATES_AT_ONCE):
        r = min(REPLICATES_AT_ONCE, times - first)
        drawn = rng.poisson(1.0, (r, len(y))) * w
        mean, carried = _replicate(model, rows, y, drawn, penalty, measured, theta)
        means[first : first + r] = mean
        for axes, values in carried.items():
            found.setdefault(axes, np.empty(times))[first : first + r] = values
    if shrink < 1:
        means = means.mean() + shrink * (means - means.mean())
        found = {s: v.mean() + shrink * (v - v.mean()) for s, v in found.items()}
    return means, found


def _replicate(
    model: Design,
    rows: Together,
    y: np.ndarray,
    drawn: np.ndarray,
    penalty: np.ndarray,
    measured: Scales,
    theta: np.ndarray,
) -> tuple[np.ndarray, Carried]:
    total = np.maximum(drawn.sum(axis=1), 1e-300)
    mean = drawn @ y / total
    known = moments(rows, drawn, y - mean[:, None])
    size = known.square.sum(axis=1)
    sums, counts = model.sums(known.outcome), model.sums(known.weight)
    fits, _ = solve(
        model,
        model.gathered(sums),
        known.weight,
        penalty,
        measured,
        start=np.repeat(theta, len(drawn), axis=0),
        tolerance=LOOSE,
        most_steps=60,
    )
    scale = mean / np.maximum(size, 1e-300)
    carried = covariances(model, fits, sums, counts)
    return mean, {axes: values * scale for axes, values in carried.items()}
