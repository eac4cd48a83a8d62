"""Slow, plain versions of what the influence engine does without ever holding a dense design."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from arbitree.influence.design import Design


def dense(design: Design) -> np.ndarray:
    """The design matrix, one column a coefficient, the intercept last.  -> (n, k)"""
    columns = []
    for block, axes in zip(design.blocks, design.subsets):
        values = np.ones((design.n_rows, 1))
        for axis, part in zip(axes, block.parts):
            of_rows = part.values[design.cells.codes[axis]]
            values = (values[:, :, None] * of_rows[:, None, :]).reshape(design.n_rows, -1)
        columns.append(values)
    return np.concatenate([*columns, np.ones((design.n_rows, 1))], axis=1)


def least_squares(
    x: np.ndarray, y: np.ndarray, penalty: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Minimise sum of w (y - x theta)^2 + sum of penalty theta^2."""
    w = np.ones(len(y)) if weights is None else weights
    return np.linalg.solve((x.T * w) @ x + np.diag(penalty), x.T @ (w * y))


def backfitting(
    design: Design, y: np.ndarray, penalty: np.ndarray, *, sweeps: int
) -> list[np.ndarray]:
    """Algorithm 1 of the paper: smooth what the other components leave, one after the other.

    Each smoother reproduces constants, and each function is then centred.
    """
    x = dense(design)
    fits = [np.zeros(design.n_rows) for _ in design.blocks]
    left = y - y.mean()
    for _ in range(sweeps):
        for k, block in enumerate(design.blocks):
            part = np.column_stack([x[:, block.place], np.ones(len(y))])
            rough = np.append(penalty[block.place], 0.0)
            rest = left - sum(fit for j, fit in enumerate(fits) if j != k)
            fits[k] = part @ least_squares(part, rest, rough)
            fits[k] -= fits[k].mean()
    return fits


def hoeffding(
    codes: np.ndarray, y: np.ndarray, max_order: int
) -> dict[tuple[int, ...], np.ndarray]:
    """The generalised Hoeffding decomposition of y given discrete columns, by least squares.

    Functions of a set of columns are uncorrelated with all functions of its subsets. Exact, for
    few columns of few codes.  (d, n), (n,) -> (n,) for each set of columns
    """
    d, n = codes.shape
    sets = [s for size in range(1, max_order + 1) for s in combinations(range(d), size)]
    bases, lower = {}, {(): np.ones((n, 1))}
    for subset in sets:
        cells = np.unique(codes[list(subset)], axis=1, return_inverse=True)[1].ravel()
        full = np.eye(cells.max() + 1)[cells]
        below = np.concatenate(
            [lower[s] for size in range(len(subset)) for s in combinations(subset, size)], axis=1
        )
        full = full - below @ np.linalg.lstsq(below, full, rcond=None)[0]
        u, scale, _ = np.linalg.svd(full, full_matrices=False)
        bases[subset] = lower[subset] = u[:, scale > 1e-9 * max(scale.max(initial=0), 1)]
    x = np.concatenate([np.ones((n, 1)), *bases.values()], axis=1)
    theta = np.linalg.lstsq(x, y, rcond=None)[0]
    found, first = {}, 1
    for subset, basis in bases.items():
        found[subset] = basis @ theta[first : first + basis.shape[1]]
        first += basis.shape[1]
    return found
