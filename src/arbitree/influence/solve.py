"""Penalised least squares of many replicates at once, by conjugate gradients.

Solve (X' W X + diag(penalty)) theta = X' W y for replicates that differ in the weights of rows,
in the penalty and in y. The preconditioner has a block for each interaction (the smoother of
backfitting, which is block Gauss-Seidel on the same equations) and one for all main effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrs

from arbitree.influence.design import Block, Design

ROWS_OF_FACTOR = 3_000  # enough rows for a preconditioner
LARGEST_BLOCK = 1500
ALIKE = 10.0  # ratio of penalties up to which replicates share a factor
STIFF = 3.0  # penalty over diagonal beyond which a coefficient is on its own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scales:
    """The Gram matrix of a design, near its diagonal: what a preconditioner needs.

    The first block is that of all main effects and the intercept (of a part of the rows, scaled
    to all, where rows are many); then one for each interaction, exact.
    """

    diagonal: np.ndarray  # (n_coefficients,)
    places: tuple[np.ndarray, ...]  # of each block, coefficients (k,)
    grams: tuple[np.ndarray, ...]  # of each block, (k, k)


def scales(
    design: Design, counts: np.ndarray, *, exact: bool = True, mains: np.ndarray | None = None
) -> Scales:
    """Measure a design once, for any number of solutions.

    Parameters
    ----------
    design : Design
    counts : (n_cells,) float64
        Sums of weights in the cells of its components.
    exact : bool
        If not, measure interactions on their diagonal only; `solve` then must not be exact.
    mains : (k, k) float64, optional
        The first block, if it is known.
    """
    singles = [block for block in design.blocks if len(block.parts) == 1]
    others = [block for block in design.blocks if len(block.parts) > 1]
    place = [np.arange(block.place.start, block.place.stop) for block in (*singles, *others)]
    intercept = np.array([design.n_coefficients - 1])
    places = [np.concatenate([*place[: len(singles)], intercept]), *place[len(singles) :]]
    grams = [_mains(design, counts) if mains is None else mains]
    diagonal = design.squared().gathered(counts[None, :])[0]
    diagonal[places[0]] = np.diag(grams[0])
    if exact:
        grams += [gram_of(block, counts[block.cells]) for block in others]
    return Scales(diagonal=diagonal, places=tuple(places), grams=tuple(grams))


def _mains(design: Design, counts: np.ndarray) -> np.ndarray:
    """Gram matrix of the main effects and the intercept."""
    n = design.n_rows
    rows: Any = slice(None)
    if n > ROWS_OF_FACTOR:  # at random: every k-th row would be a biased part of a sorted table
        rows = np.sort(np.random.default_rng(n).choice(n, ROWS_OF_FACTOR, replace=False))
    columns = [
        block.parts[0].values[design.cells.codes[axes[0], rows]]
        for block, axes in zip(design.blocks, design.subsets)
        if len(axes) == 1
    ]
    weights = np.ones(n)[rows] if design.weights is None else design.weights[rows]
    x = np.concatenate([*columns, np.ones((len(weights), 1))], axis=1)
    total = counts[design.blocks[0].cells].sum()
    return np.asarray((x.T * weights) @ x * (total / max(weights.sum(), 1e-300)))


def gram_of(block: Block, counts: np.ndarray) -> np.ndarray:
    """Gram matrix of one component from the sums of weights in its cells.  -> (k, k)

    One axis after the other: products of two functions of an axis, summed over its codes.
    """
    sums = counts.reshape(block.cell_shape)
    for part in block.parts:  # (n_1, n_2, ..) -> (n_2, .., k_1 * k_1)
        squares = (part.values[:, :, None] * part.values[:, None, :]).reshape(len(part.values), -1)
        sums = np.moveaxis(np.tensordot(squares.T, sums, axes=1), 0, -1)
    order = len(block.parts)
    split = sums.reshape([size for k in block.shape for size in (k, k)])
    turned = split.transpose([*range(0, 2 * order, 2), *range(1, 2 * order, 2)])
    size = int(np.prod(block.shape))
    return np.asarray(turned.reshape(size, size))


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
    exact: bool = True,
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
    most_steps : int
    exact : bool
        Factor a block for each interaction: dear to make, and worth it for many steps.

    Returns
    -------
    theta : (r, n_coefficients)
    int
        Steps taken.

    References
    ----------
    Golub and Van Loan (2013), Matrix Computations, algorithm 11.5.1.
    """
    at = Point(theta=np.zeros_like(right), normal=np.zeros_like(right))
    if start is not None:
        at = Point(theta=start.copy(), normal=design.normal(start, weights))
    steps = descend(
        at,
        design,
        right,
        weights,
        penalty,
        scales,
        tolerance=tolerance,
        most_steps=most_steps,
        exact=exact,
    )
    return at.theta, steps


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Point:
    """Where a solution is, and what follows from it whatever the penalty: it moves in place."""

    theta: np.ndarray  # (r, n_coefficients)
    normal: np.ndarray  # (r, n_coefficients), X' W X theta
    fitted: np.ndarray | None = None  # (r, n_rows), X theta, if it is wanted


def descend(
    at: Point,
    design: Design,
    right: np.ndarray,
    weights: np.ndarray | None,
    penalty: np.ndarray,
    scales: Scales,
    *,
    tolerance: float,
    most_steps: int,
    exact: bool,
) -> int:
    """Move a point towards the solution; how many steps were taken.  Parameters as of `solve`."""
    penalty = np.broadcast_to(penalty, right.shape)
    inverse = _preconditioner(scales, penalty, _sizes(design, weights, len(right)), exact=exact)
    residual = right - at.normal - penalty * at.theta
    z = inverse.apply(residual)
    size = np.einsum("rp,rp->r", residual, z)
    aim = tolerance**2 * np.einsum("rp,rp->r", right, inverse.apply(right))
    still, direction = np.arange(len(right)), z
    for step in range(most_steps):
        going = size > np.maximum(aim, 1e-300)
        if not going.all():
            still, residual, direction = still[going], residual[going], direction[going]
            size, aim, penalty = size[going], aim[going], penalty[going]
            inverse = inverse.of(going)
            weights = weights if weights is None or len(weights) == 1 else weights[going]
        if not len(still):
            return step
        fitted = None if at.fitted is None else np.empty((len(still), design.n_rows))
        turned = design.normal(direction, weights, fitted)
        moved = turned + penalty * direction
        bend = np.einsum("rp,rp->r", direction, moved)
        length = np.where(bend > 0, size / np.where(bend > 0, bend, 1.0), 0.0)
        move = slice(None) if len(still) == len(right) else still
        at.theta[move] += length[:, None] * direction
        at.normal[move] += length[:, None] * turned
        if at.fitted is not None and fitted is not None:
            at.fitted[move] += length[:, None] * fitted
        residual -= length[:, None] * moved
        z = inverse.apply(residual)
        before, size = size, np.einsum("rp,rp->r", residual, z)
        direction = z + (size / before)[:, None] * direction
    return most_steps


def _sizes(design: Design, weights: np.ndarray | None, r: int) -> np.ndarray:
    """Weight of each replicate, relative to that of the design.  -> (r,)"""
    whole = float(design.n_rows) if design.weights is None else float(design.weights.sum())
    if weights is None:
        return np.ones(r)
    return np.broadcast_to(weights.sum(axis=1) / whole, r)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Inverse:
    """An approximate inverse, symmetric and positive: some blocks, elsewhere the diagonal."""

    diagonal: np.ndarray  # (r, n_coefficients), inverted
    factors: tuple[tuple[np.ndarray, int | None, np.ndarray], ...]  # of one replicate, or all

    def apply(self, residual: np.ndarray) -> np.ndarray:
        """(r, n_coefficients) -> (r, n_coefficients)"""
        found = self.diagonal * residual
        for at, replicate, factor in self.factors:
            if replicate is None:
                found[:, at] = dpotrs(factor, residual[:, at].T, lower=1)[0].T
            else:
                found[replicate, at] = dpotrs(factor, residual[replicate, at], lower=1)[0]
        return found

    def of(self, kept: np.ndarray) -> _Inverse:
        """For some of the replicates.  (r,) bool"""
        place = np.cumsum(kept) - 1
        factors = tuple(
            (at, None if r is None else int(place[r]), factor)
            for at, r, factor in self.factors
            if r is None or kept[r]
        )
        return _Inverse(diagonal=self.diagonal[kept], factors=factors)


def _preconditioner(
    scales: Scales, penalty: np.ndarray, sizes: np.ndarray, *, exact: bool
) -> _Inverse:
    """If `exact`, blocks are inverted; else interactions by their diagonal alone."""
    grams = scales.diagonal * sizes[:, None]
    floor = 1e-10 * grams.max(axis=1, keepdims=True)  # not of penalties: some are 1e9 a row
    diagonal = grams + penalty
    factors = []
    for k, (at, gram) in enumerate(zip(scales.places, scales.grams)):
        if k == 0 or exact:
            factors += _block_factors(at, gram, sizes, penalty)
    return _Inverse(
        diagonal=1 / np.maximum(diagonal, np.maximum(floor, 1e-300)), factors=tuple(factors)
    )


def _block_factors(
    at: np.ndarray, gram: np.ndarray, sizes: np.ndarray, penalty: np.ndarray
) -> list[tuple[np.ndarray, int | None, np.ndarray]]:
    """Factors of one block, one for all replicates where their penalties are alike.

    Coefficients that the penalty rules are left to the diagonal.
    """
    free = penalty[:, at].min(axis=0) <= STIFF * np.diag(gram) * sizes.max()
    at, gram = at[free], gram[np.ix_(free, free)]
    if not 0 < len(at) <= LARGEST_BLOCK:
        return []
    of_block = penalty[:, at] + 1e-300
    if np.all(of_block.max(axis=0) <= ALIKE * of_block.min(axis=0)) and np.ptp(sizes) < 0.5:
        shared = np.exp(np.log(of_block).mean(axis=0))
        return [(at, None, _factor(gram, float(sizes.mean()), shared))]
    return [(at, r, _factor(gram, float(sizes[r]), of_block[r])) for r in range(len(sizes))]


def _factor(gram: np.ndarray, size: float, penalty: np.ndarray) -> np.ndarray:
    block = gram * size
    block[np.diag_indices(len(block))] += penalty
    block[np.diag_indices(len(block))] += 1e-9 * np.trace(block) / len(block) + 1e-300
    return np.asarray(np.linalg.cholesky(block))
