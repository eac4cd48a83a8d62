"""How much each component is penalised: restricted maximum likelihood, one variance a component.

A coefficient of roughness q is taken as drawn from a normal distribution of variance
tau_S^2 / q. The fixed point of MacKay (1992) for that variance is

    lambda_S = sigma^2 / tau_S^2 = sigma^2 df_S / sum over the component of q theta^2,

with df_S its effective degrees of freedom, here as if components were uncorrelated, which errs
towards more penalty where they are not. A component that carries only noise is driven to 0.

The noise sigma^2 is that of rows left out one at a time (Allen's PRESS, 1974). What is left within
the sample, over the degrees of freedom, misleads where decisions are rare: a few functions that
only the favoured rows reach follow these without error, and the rest is constant.
"""

from __future__ import annotations

import numpy as np

from arbitree.influence.design import Design
from arbitree.influence.moments import Moments
from arbitree.influence.solve import Point, Scales, descend

ROUNDS = 6
STEPS_A_ROUND = 3  # six take a third more time and change no influence on COMPAS or Adult by 0.0002
LOOSE = 1e-3
SETTLED = 0.05  # change of a penalty's logarithm, where it matters
HASTE = 1.5  # the fixed point creeps where a component carries nothing
LEAST, MOST = 1e-6, 1e9
LEAST_NOISE = 1e-4  # share of the variance
MOST_LEVERAGE = 0.9  # leverages add up over components as if these were uncorrelated: too much


def choose_penalty(
    design: Design, moments: Moments, scales: Scales, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Penalties of all components in each replicate.

    Parameters
    ----------
    design : Design
    moments : Moments
        Of the centred outcome.
    scales : Scales
    allowed : (n_replicates, n_components) bool
        The others are penalised away.

    Returns
    -------
    penalties : (n_replicates, n_components)
    theta : (n_replicates, n_coefficients)
        Where the solution may start.
    """
    rough = design.roughness()
    right = design.gathered(design.sums(moments.outcome))
    size = moments.weight.sum(axis=1)
    least = LEAST_NOISE * moments.square.sum(axis=1) / size
    gram = scales.diagonal * (size / scales.diagonal[-1])[:, None]
    squared = design.squared()
    most = MOST * size[:, None]
    found = np.where(allowed, _first(design, gram), most)
    rows = np.zeros(moments.outcome.shape)
    at = Point(theta=np.zeros_like(right), normal=np.zeros_like(right), fitted=rows)
    for _ in range(ROUNDS):
        penalty = design.per_coefficient(found) * rough
        descend(
            at,
            design,
            right,
            moments.weight,
            penalty,
            scales,
            tolerance=LOOSE,
            most_steps=STEPS_A_ROUND,
            exact=False,
        )
        spread = 1 / (gram + penalty + 1e-300)
        df = design.per_component(gram * spread)
        leverage = np.minimum(squared.fitted(spread), MOST_LEVERAGE)
        errors = moments.errors(rows) / (1 - leverage) ** 2
        noise = np.maximum(errors.sum(axis=1) / size, least)
        squares = design.per_component(rough * at.theta**2)
        ratio = noise[:, None] * df / np.maximum(squares, 1e-300) / found
        ratio = np.clip(ratio, 1e-2, 1e2)
        found = np.where(allowed, np.clip(found * ratio**HASTE, LEAST, most), most)
        if (np.abs(np.log(ratio)) * np.minimum(df, 1) * allowed < SETTLED).all():
            break
    return found, at.theta


def _first(design: Design, gram: np.ndarray) -> np.ndarray:
    """Penalties that bind only what is rough.  -> (r, n_components)"""
    sizes = np.maximum(design.per_component(np.ones((1, gram.shape[1]))), 1)
    return np.asarray(0.05 * np.maximum(design.per_component(gram) / sizes, 1e-12))
