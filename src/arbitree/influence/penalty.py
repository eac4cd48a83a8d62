"""How much each component is penalised: restricted maximum likelihood, one variance a component.

A coefficient of roughness q is taken as drawn from a normal distribution of variance
tau_S^2 / q. The fixed point of MacKay (1992) for that variance is

    lambda_S = sigma^2 / tau_S^2 = sigma^2 df_S / sum over the component of q theta^2,

with df_S its effective degrees of freedom, here as if components were uncorrelated, which errs
towards more penalty where they are not. A component that carries only noise is driven to 0.
"""

from __future__ import annotations

import numpy as np

from arbitree.influence.design import Design
from arbitree.influence.solve import Scales, solve

ROUNDS = 10
STEPS_A_ROUND = 10
LOOSE = 1e-3
SETTLED = 0.05  # change of a penalty's logarithm, where it matters
HASTE = 1.5  # the fixed point creeps where a component carries nothing
LEAST, MOST = 1e-6, 1e9
LEAST_NOISE = 1e-4  # share of the variance


def choose_penalty(
    design: Design,
    y: np.ndarray,
    weights: np.ndarray | None,
    scales: Scales,
    *,
    n_replicates: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Penalties of all components in each replicate.

    Parameters
    ----------
    design : Design
    y : (n_rows,) float64
        Centred.
    weights : (n_replicates or 1, n_rows), optional
    scales : Scales
    n_replicates : int

    Returns
    -------
    penalties : (n_replicates, n_components)
    theta : (n_replicates, n_coefficients)
        Where the solution may start.
    """
    rough = design.roughness()
    y_of = np.broadcast_to(y, (n_replicates, len(y)))
    right = design.gathered(design.sums(y_of if weights is None else y_of * weights))
    each = np.ones((1, len(y))) if weights is None else weights
    size = np.broadcast_to(each.sum(axis=1), n_replicates)
    square = np.broadcast_to((each * y**2).sum(axis=1), n_replicates)
    gram = scales.diagonal * (size / scales.diagonal[-1])[:, None]
    found, theta = _first(design, gram), np.zeros_like(right)
    for _ in range(ROUNDS):
        penalty = design.per_coefficient(found) * rough
        theta, _steps = solve(
            design,
            right,
            weights,
            penalty,
            scales,
            start=theta,
            tolerance=LOOSE,
            most_steps=STEPS_A_ROUND,
            exact=False,
        )
        df = design.per_component(gram / (gram + penalty + 1e-300))
        left = square - 2 * np.einsum("rp,rp->r", theta, right) + _quadratic(design, theta, weights)
        noise = np.maximum(left, LEAST_NOISE * square) / np.maximum(size - df.sum(1) - 1, size / 4)
        squares = design.per_component(rough * theta**2)
        ratio = noise[:, None] * df / np.maximum(squares, 1e-300) / found
        ratio = np.clip(ratio, 1e-2, 1e2)
        found = np.clip(found * ratio**HASTE, LEAST, MOST * size[:, None])
        if (np.abs(np.log(ratio)) * np.minimum(df, 1) < SETTLED).all():
            break
    return found, theta


def _quadratic(design: Design, theta: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    return np.einsum("rp,rp->r", theta, design.normal(theta, weights))


def _first(design: Design, gram: np.ndarray) -> np.ndarray:
    """Penalties that bind only what is rough.  -> (r, n_components)"""
    sizes = np.maximum(design.per_component(np.ones((1, gram.shape[1]))), 1)
    return np.asarray(0.05 * np.maximum(design.per_component(gram) / sizes, 1e-12))
