"""What sets of features would explain of a residual: a fast ranking, before anything is fitted.

Sums of squares between the cells of a set, less those of fewer of its features: where features are
independent and the residual is noise, about its variance times a chi-square variable. Elsewhere
they only rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.counts.pairs import pair_cells
from arbitree.influence.subsets import Subset


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gains:
    """Of each set of features, beyond all smaller ones."""

    squares: np.ndarray  # (n_sets,) sum of squares between cells
    free: np.ndarray  # (n_sets,) degrees of freedom, not negative
    noise: float  # of the residual: its mean square

    @property
    def beyond_chance(self) -> np.ndarray:
        """Squares less what chance gives as many cells.  (n_sets,)"""
        return np.asarray(self.squares - self.noise * self.free)


def single_gains(codes: np.ndarray, n_codes: Sequence[int], residual: np.ndarray) -> Gains:
    """Of each axis alone.  (n_axes, n) uint8, (n_axes,), (n,)"""
    squares, free = np.zeros(len(codes)), np.zeros(len(codes))
    for k, (of_rows, size) in enumerate(zip(codes, n_codes)):
        n = np.bincount(of_rows, minlength=size)
        total = np.bincount(of_rows, residual, minlength=size)
        squares[k] = between(n[None], total[None])[0]
        free[k] = np.count_nonzero(n) - 1
    return Gains(squares=squares, free=free, noise=_noise(residual))


def pair_gains(
    codes: np.ndarray,
    n_codes: Sequence[int],
    residual: np.ndarray,
    pairs: Sequence[Subset],
    *,
    n_threads: int | None = None,
) -> Gains:
    """Of each pair, beyond either axis.

    Parameters
    ----------
    codes : (n_axes, n) uint8
        Few codes on each axis.
    n_codes : (n_axes,) whole numbers
    residual : (n,) float64
        What main effects leave.
    pairs : sequence of two axes
    """
    cells = pair_cells(
        list(codes),
        [(a, b) for a, b in pairs],
        n_codes=list(n_codes),
        values=residual,
        n_threads=n_threads,
    )
    sums = cells.sums or ()
    of_shape: dict[tuple[int, ...], list[int]] = {}
    for k, n in enumerate(cells.counts):
        of_shape.setdefault(n.shape, []).append(k)
    squares, free = np.zeros(len(pairs)), np.zeros(len(pairs))
    for members in of_shape.values():
        n = np.stack([cells.counts[k] for k in members])
        total = np.stack([sums[k] for k in members])
        squares[members], free[members] = _alone(n, total)
    return Gains(squares=squares, free=free, noise=_noise(residual))


def triple_gains(
    codes: np.ndarray,
    n_codes: Sequence[int],
    residual: np.ndarray,
    triples: Sequence[Subset],
    *,
    n_threads: int | None = None,
) -> Gains:
    """Of each triple, beyond its pairs.  As `pair_gains`, of triples of axes.

    Two axes are taken as one of as many codes as they have cells: at most 15 codes an axis.
    """
    of_pair: dict[tuple[int, int], list[int]] = {}
    for k, (a, b, _) in enumerate(triples):
        of_pair.setdefault((a, b), []).append(k)
    squares, free = np.zeros(len(triples)), np.zeros(len(triples))
    for (a, b), members in of_pair.items():
        both = (codes[a].astype(np.int64) * n_codes[b] + codes[b]).astype(np.uint8)
        third = [triples[k][2] for k in members]
        cells = pair_cells(
            [both, *(codes[c] for c in third)],
            [(0, 1 + place) for place in range(len(third))],
            n_codes=[n_codes[a] * n_codes[b], *(n_codes[c] for c in third)],
            values=residual,
            n_threads=n_threads,
        )
        for k, c, n, total in zip(members, third, cells.counts, cells.sums or ()):
            shape = 1, n_codes[a], n_codes[b], n_codes[c]
            (squares[k],), (free[k],) = _alone(n.reshape(shape), total.reshape(shape))
    return Gains(squares=squares, free=free, noise=_noise(residual))


def between(n: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Sum of squares between the cells of each table.  (k, ...), (k, ...) -> (k,)"""
    squares = np.divide(total**2, n, out=np.zeros(n.shape), where=n > 0)
    return np.asarray(squares.reshape(len(n), -1).sum(axis=1))


def _noise(residual: np.ndarray) -> float:
    return float(residual @ residual) / max(len(residual), 1)


def _alone(n: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squares between cells by inclusion and exclusion over fewer axes, and their freedom.

    Of many tables of one shape.  (k, ...), (k, ...) -> (k,), (k,)
    """
    order = n.ndim - 1
    squares, free = np.zeros(len(n)), np.zeros(len(n))
    for drop in range(2**order - 1):  # not all axes: the residual's mean is 0
        axes = tuple(1 + k for k in range(order) if drop >> k & 1)
        sign = -1 if len(axes) % 2 else 1
        rows = n.sum(axis=axes)
        squares += sign * between(rows, total.sum(axis=axes))
        free += sign * np.count_nonzero(rows.reshape(len(n), -1), axis=1)
    free += -1 if order % 2 else 1
    return squares, np.maximum(free, 0)
