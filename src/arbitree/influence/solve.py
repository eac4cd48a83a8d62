"""Penalised least squares of many replicates at once, by conjugate gradients.

Solve (X' W X + diag(penalty)) theta = X' W y for replicates that differ in the weights of rows,
in the penalty and in y. The preconditioner takes the main effects together, as one Cholesky
factor, and every coefficient of an interaction on its own: products of uncorrelated functions are
uncorrelated where features are independent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from arbitree.influence.design import Design

ROWS_OF_FACTOR = 20_000  # enough rows for a preconditioner


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scales:
    """What a preconditioner needs of a design: its Gram matrix, roughly."""

    diagonal: np.ndarray  # (n_coefficients,)
    mains: np.ndarray  # (k,) the coefficients of main effects, and the intercept
    gram: np.ndarray  # (k, k) of these


def scales(design: Design, counts: np.ndarray) -> Scales:
    """Measure a design once, for any number of solutions.

    Parameters
    ----------
    design : Design
    counts : (n_cells,) float64
        Sums of weights in the cells of its components.
    """
    singles = [c for c, subset in enumerate(design.subsets) if len(subset) == 1]
    step = -(-design.n_rows // ROWS_OF_FACTOR)
    columns, mains = [], []
    for c in singles:
        codes = design.cells.codes[design.subsets[c][0], ::step]
        columns.append(design.parts(c)[0].values[codes])
        mains.append(np.arange(design.place[c].start, design.place[c].stop))
    columns.append(np.ones((len(range(0, design.n_rows, step)), 1)))
    mains.append(np.array([design.n_coefficients - 1]))
    x = np.concatenate(columns, axis=1)
    weights = np.ones(len(x)) if design.weights is None else design.weights[::step]
    total = counts[design.cell_slice(0)].sum()
    gram = (x.T * weights) @ x * (total / max(weights.sum(), 1e-300))
    return Scales(diagonal=design.diagonal(counts), mains=np.concatenate(mains), gram=gram)


def solve(
    design: Design,
    right: np.ndarray,
    weights: np.ndarray | None,
    penalty: np.ndarray,
    scales: Scales,
    *,
    start: np.ndarray | None = None,
    tolerance: float = 1e-6,
    most_steps: int = 500,
) -> tuple[np.ndarray, int]:
    """Solve the normal equations.

    Parameters
    ----------
    design : Design
    right : (r, n_coefficients)
        X' W y of each replicate.
    weights : (r or 1, n_rows), optional
    penalty : (r or 1, n_coefficients)
    scales : Scales
    start : (r, n_coefficients), optional
        Where to start; 0 if not given.
    tolerance : float
        Stop where the residual, in the norm of the preconditioner, is this part of that of
        `right`.

    Returns
    -------
    theta : (r, n_coefficients)
    int
        Steps taken.

    References
    ----------
    Golub and Van Loan (2013), Matrix Computations, algorithm 11.5.1.
    """
    penalty = np.broadcast_to(penalty, right.shape)
    apply_inverse = _preconditioner(scales, penalty, _sizes(design, weights, len(right)))
    theta = np.zeros_like(right) if start is None else start.copy()
    residual = right.copy()
    if start is not None:
        residual -= design.normal(theta, weights) + penalty * theta
    aim = tolerance**2 * np.einsum("rp,rp->r", right, apply_inverse(right))
    direction = z = apply_inverse(residual)
    size = np.einsum("rp,rp->r", residual, z)
    for step in range(most_steps):
        going = size > np.maximum(aim, 1e-300)
        if not going.any():
            return theta, step
        moved = design.normal(direction, weights) + penalty * direction
        bend = np.einsum("rp,rp->r", direction, moved)
        length = np.where(going & (bend > 0), size / np.where(bend > 0, bend, 1.0), 0.0)
        theta += length[:, None] * direction
        residual -= length[:, None] * moved
        z = apply_inverse(residual)
        before, size = size, np.einsum("rp,rp->r", residual, z)
        direction = z + (size / np.maximum(before, 1e-300))[:, None] * direction
    return theta, most_steps


def _sizes(design: Design, weights: np.ndarray | None, r: int) -> np.ndarray:
    """Weight of each replicate, relative to that of the design.  -> (r,)"""
    whole = float(design.n_rows) if design.weights is None else float(design.weights.sum())
    if weights is None:
        return np.ones(r)
    return np.broadcast_to(weights.sum(axis=1) / whole, r)


def _preconditioner(scales: Scales, penalty: np.ndarray, sizes: np.ndarray):  # type: ignore[no-untyped-def]
    """A function (r, n_coefficients) -> (r, n_coefficients), symmetric and positive."""
    diagonal = scales.diagonal * sizes[:, None] + penalty
    floor = 1e-10 * diagonal.max(axis=1, keepdims=True)
    inverse = 1 / np.maximum(diagonal, np.maximum(floor, 1e-300))
    at = scales.mains
    alike = bool((penalty == penalty[:1]).all() and np.ptp(sizes) < 0.2)
    factors = []
    for r in range(1 if alike else len(penalty)):
        block = scales.gram * sizes[r] + np.diag(penalty[r, at])
        block[np.diag_indices(len(at))] += 1e-9 * np.trace(block) / len(at) + 1e-300
        factors.append(cho_factor(block))

    def apply(residual: np.ndarray) -> np.ndarray:
        found = inverse * residual
        if alike:
            found[:, at] = cho_solve(factors[0], residual[:, at].T).T
        else:
            for r, factor in enumerate(factors):
                found[r, at] = cho_solve(factor, residual[r, at])
        return found

    return apply
