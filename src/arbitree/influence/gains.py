"""What sets of features would explain of a residual: a fast ranking, before anything is fitted.

Sums of squares between the cells of a set, less those of fewer of its features and less what
chance gives as many cells. Exact where features are independent; elsewhere it only ranks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.counts.pairs import pair_cells
from arbitree.influence.subsets import Subset


def single_gains(codes: np.ndarray, n_codes: Sequence[int], residual: np.ndarray) -> np.ndarray:
    """Of each axis alone.  (n_axes, n) uint8, (n_axes,), (n,) -> (n_axes,)"""
    noise = _noise(residual)
    found = np.zeros(len(codes))
    for k, (of_rows, size) in enumerate(zip(codes, n_codes)):
        n = np.bincount(of_rows, minlength=size)
        total = np.bincount(of_rows, residual, minlength=size)
        found[k] = between(n, total) - noise * (np.count_nonzero(n) - 1)
    return found


def pair_gains(
    codes: np.ndarray,
    n_codes: Sequence[int],
    residual: np.ndarray,
    pairs: Sequence[Subset],
) -> np.ndarray:
    """Of each pair, beyond either axis.

    Parameters
    ----------
    codes : (n_axes, n) uint8
        Few codes on each axis.
    n_codes : (n_axes,) whole numbers
    residual : (n,) float64
        What main effects leave.
    pairs : sequence of two axes

    Returns
    -------
    (n_pairs,) float64
    """
    cells = pair_cells(
        list(codes), [(a, b) for a, b in pairs], n_codes=list(n_codes), values=residual
    )
    noise = _noise(residual)
    tables = zip(cells.counts, cells.sums or ())
    return np.array([_alone(n, total, noise) for n, total in tables])


def triple_gains(
    codes: np.ndarray,
    n_codes: Sequence[int],
    residual: np.ndarray,
    triples: Sequence[Subset],
) -> np.ndarray:
    """Of each triple, beyond its pairs.  As `pair_gains`, of triples of axes -> (n_triples,)

    Two axes are taken as one of as many codes as they have cells: at most 15 codes an axis.
    """
    noise = _noise(residual)
    of_pair: dict[tuple[int, int], list[int]] = {}
    for k, (a, b, _) in enumerate(triples):
        of_pair.setdefault((a, b), []).append(k)
    found = np.zeros(len(triples))
    for (a, b), members in of_pair.items():
        both = (codes[a].astype(np.int64) * n_codes[b] + codes[b]).astype(np.uint8)
        third = [triples[k][2] for k in members]
        cells = pair_cells(
            [both, *(codes[c] for c in third)],
            [(0, 1 + place) for place in range(len(third))],
            n_codes=[n_codes[a] * n_codes[b], *(n_codes[c] for c in third)],
            values=residual,
        )
        for k, c, n, total in zip(members, third, cells.counts, cells.sums or ()):
            shape = n_codes[a], n_codes[b], n_codes[c]
            found[k] = _alone(n.reshape(shape), total.reshape(shape), noise)
    return found


def between(n: np.ndarray, total: np.ndarray) -> float:
    """Sum of squares between cells of n rows and these sums."""
    return float(np.divide(total**2, n, out=np.zeros(n.shape), where=n > 0).sum())


def _noise(residual: np.ndarray) -> float:
    return float(residual @ residual) / max(len(residual), 1)


def _alone(n: np.ndarray, total: np.ndarray, noise: float) -> float:
    """Squares between cells by inclusion and exclusion over fewer axes, less what chance gives."""
    squares, free = 0.0, 0
    for drop in range(2**n.ndim - 1):  # not all axes: the residual's mean is 0
        axes = tuple(k for k in range(n.ndim) if drop >> k & 1)
        sign = -1 if len(axes) % 2 else 1
        rows = n.sum(axis=axes)
        squares += sign * between(rows, total.sum(axis=axes))
        free += sign * int(np.count_nonzero(rows))
    free += -1 if n.ndim % 2 else 1
    return squares - noise * max(free, 0)
