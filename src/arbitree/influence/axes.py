"""One feature as the decomposition sees it: a few codes, and functions of them.

A numeric feature is a cubic spline, anything else (and a number of few values) has a function for
each level; a missing value is a level of its own. Functions are then rotated so that, over the
rows of one group, they have mean 0 and variance 1, are uncorrelated, and come with a roughness:
coefficient k is penalised in proportion to ``roughness[k]``. So products of the functions of
two features are a basis of their interaction, with the product of their roughnesses, as in
smoothing-spline analysis of variance (Wahba 1990, chapter 10; Gu 2013, chapter 2).

A spline lives on the ranks of the feature's distinct values, so that units do not matter. Where
the outcome jumps, as those of trees and thresholds do, a step is added to the spline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import BSpline

from arbitree.influence.steps import MOST_STEPS, OutcomeByCode, jumps, parted, with_steps
from arbitree.table.codings import Coding, NumericCoding

DEGREE = 3

SMALLEST = 1e-7  # relative singular value below which a function is a copy of others
ROUGHEST = 1e6  # relative roughness beyond which a function only lives on a row or two
NO_FUNCTION = 1e10  # and beyond which it is rounding error

COARSE = 6  # intervals of the spline that a jump must beat: fewer leave more of a jump to see


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Axis:
    """A feature's codes, merged into at most 256, and raw functions of them."""

    feature: int
    merged: np.ndarray  # (n_codes of the feature,) uint8, the axis's code of each
    n_codes: int
    functions: np.ndarray  # (n_codes, m) float64
    penalty: np.ndarray  # (m, m) float64, not negative

    def encode(self, codes: np.ndarray) -> np.ndarray:
        """(n,) codes of the feature -> (n,) uint8"""
        found: np.ndarray = self.merged[codes]
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Functions:
    """Uncorrelated functions of mean 0 and variance 1 over the rows of one group."""

    values: np.ndarray  # (n_codes, r) float64
    roughness: np.ndarray  # (r,) float64, increasing, at least 1


def axis(
    feature: int,
    coding: Coding,
    counts: np.ndarray,
    *,
    n_intervals: int,
    most_codes: int,
    knots: str = "rank",
    steps: Sequence[int] = (),
) -> Axis:
    """Codes and functions of one feature.

    Parameters
    ----------
    feature : int
        Its position.
    coding : Coding
    counts : (coding.n_codes,) whole numbers
        Rows of each code, of one group: knots are spread over what the group has.
    n_intervals : int
        Intervals between knots; a spline has three functions more.
    most_codes : int
        Codes beyond this number are merged with their neighbours, equal in rows.
    knots : "rank" or "value"
        Equal steps of rank among distinct values, or equal steps of value.
    steps : sequence of int, optional
        Codes at which the functions of a spline have steps.
    """
    n_values = coding.n_values
    if n_values == 0:  # a category of which every value is missing
        return Axis(
            feature=feature,
            merged=np.zeros(1, np.uint8),
            n_codes=1,
            functions=np.ones((1, 1)),
            penalty=np.ones((1, 1)),
        )
    merged = np.empty(coding.n_codes, np.int64)
    splined = isinstance(coding, NumericCoding) and spline_fits(coding, counts, n_intervals)
    steps = list(steps) if splined else []
    if isinstance(coding, NumericCoding):
        merged[:n_values] = merge_neighbours(counts[:n_values], most_codes - 1 - MOST_STEPS)
        merged[:n_values] = parted(merged[:n_values], steps)
    else:
        merged[:n_values] = merge_rare(counts[:n_values], most_codes - 1)
    n_merged = int(merged[:n_values].max()) + 1
    merged[n_values] = n_merged
    if isinstance(coding, NumericCoding) and splined:
        at = positions(coding, merged, counts, knots)
        functions, penalty = with_steps(*spline(at, n_intervals), merged[steps])
    else:
        functions, penalty = np.eye(n_merged), np.eye(n_merged)
    size = functions.shape[1]
    with_missing = np.zeros((n_merged + 1, size + 1))
    with_missing[:-1, :-1], with_missing[-1, -1] = functions, 1.0
    of_missing = np.eye(size + 1)
    of_missing[:-1, :-1] = penalty
    return Axis(
        feature=feature,
        merged=merged.astype(np.uint8),
        n_codes=n_merged + 1,
        functions=with_missing,
        penalty=of_missing,
    )


def steps_of(
    coding: Coding, counts: np.ndarray, outcome: OutcomeByCode, n_intervals: int, knots: str
) -> list[int]:
    """Codes at which the outcome jumps, beyond chance and beyond what a spline can follow."""
    if not isinstance(coding, NumericCoding) or not spline_fits(coding, counts, n_intervals):
        return []
    at = positions(coding, np.arange(coding.n_values), counts, knots)
    coarse, _ = spline(at, min(n_intervals, COARSE))
    return jumps(coarse, outcome.of(coding.n_values))


def spline(at: np.ndarray, n_intervals: int) -> tuple[np.ndarray, np.ndarray]:
    """Cubic B-splines at points of [0, 1], and the penalty on the steps of their coefficients.

    (k,) -> (k, n_intervals + 3), (n_intervals + 3, n_intervals + 3)

    References
    ----------
    Eilers and Marx (1996), Statistical Science 11:89. The order of differences is 1, for which
    the penalised functions are those of a random walk: decisions have steps.
    """
    step = 1 / n_intervals
    grid = np.linspace(-DEGREE * step, 1 + DEGREE * step, n_intervals + 2 * DEGREE + 1)
    functions = BSpline.design_matrix(
        np.clip(at, grid[DEGREE], grid[-DEGREE - 1]), grid, DEGREE
    ).toarray()
    steps = np.diff(np.eye(functions.shape[1]), axis=0)
    return functions, functions.shape[1] * steps.T @ steps


def spline_fits(coding: NumericCoding, counts: np.ndarray, n_intervals: int) -> bool:
    """Whether the group has more distinct values than a spline has functions."""
    return int(np.count_nonzero(counts[: coding.n_values])) > n_intervals + DEGREE


def positions(
    coding: NumericCoding, merged: np.ndarray, counts: np.ndarray, knots: str
) -> np.ndarray:
    """Where merged codes are on the axis: what the group has, from 0 to 1.  -> (n_merged,)"""
    n_values = coding.n_values
    merged, counts = merged[:n_values], counts[:n_values]
    values = np.cumsum(counts > 0).astype(np.float64) if knots == "rank" else _values(coding)
    low, high = values[counts > 0][[0, -1]]
    rows = np.bincount(merged, counts)
    middle = np.bincount(merged, values) / np.maximum(np.bincount(merged), 1)
    middle = np.divide(np.bincount(merged, counts * values), rows, out=middle, where=rows > 0)
    return np.clip((middle - low) / (high - low), 0, 1)


def _values(coding: NumericCoding) -> np.ndarray:
    """A value for each code: the middle of its range.  -> (n_values,)"""
    if coding.values is not None:
        values = np.asarray(coding.values, np.float64)
        finite = values[np.isfinite(values)]
        return np.clip(values, finite.min(), finite.max()) if len(finite) else np.zeros(len(values))
    edges = coding.edges.astype(np.float64)
    return np.concatenate([[edges[0]], (edges[1:] + edges[:-1]) / 2, [edges[-1]]])


def merge_neighbours(counts: np.ndarray, most: int) -> np.ndarray:
    """Merge codes with their neighbours until at most `most` are left.  (k,) -> (k,) int64

    A code with more rows than a fair share stays on its own; the others share what is left.

    Examples
    --------
    >>> merge_neighbours(np.array([90, 1, 1, 1, 1, 1, 1]), 4)
    array([0, 1, 1, 1, 2, 2, 2])
    """
    if len(counts) <= most:
        return np.arange(len(counts))
    alone = np.zeros(len(counts), bool)
    while True:
        free = most - 2 * int(alone.sum()) if alone.any() else most
        rest = counts[~alone].sum()
        more = ~alone & (counts > 0) & (counts * max(free, 1) >= 2 * rest)
        if not more.any() or (alone | more).sum() * 2 >= most:
            break
        alone |= more
    free = most - 2 * int(alone.sum()) if alone.any() else most
    below = np.cumsum(np.where(alone, 0, counts)) - np.where(alone, 0, counts)
    rest = max(float(np.where(alone, 0, counts).sum()), 1.0)
    share = np.minimum((below * free / rest).astype(np.int64), free - 1)
    new = np.ones(len(counts), bool)
    new[1:] = alone[1:] | alone[:-1] | (share[1:] != share[:-1])
    return np.cumsum(new) - 1


def merge_rare(counts: np.ndarray, most: int) -> np.ndarray:
    """Merge the rarest levels into one until at most `most` are left.  (k,) -> (k,) int64

    Examples
    --------
    >>> merge_rare(np.array([5, 1, 9, 1]), 3)
    array([0, 2, 1, 2])
    """
    if len(counts) <= most:
        return np.arange(len(counts))
    kept = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    merged = np.full(len(counts), most - 1)
    merged[kept] = np.arange(most - 1)
    return merged


def functions_of(axis: Axis, weights: np.ndarray) -> Functions:
    """Rotate an axis's functions so that they are uncorrelated over rows.

    Parameters
    ----------
    axis : Axis
    weights : (axis.n_codes,) floats
        Rows, or sums of weights, of each code.
    """
    share = weights / weights.sum()
    centred = axis.functions - share @ axis.functions
    _, scale, rotation = np.linalg.svd(np.sqrt(share)[:, None] * centred, full_matrices=False)
    kept = scale > SMALLEST * max(scale[0], 1e-300) if scale[0] > 1e-9 else scale > np.inf
    mixed = rotation[kept].T / scale[kept]
    rough, turned = np.linalg.eigh(mixed.T @ axis.penalty @ mixed)
    values = centred @ (mixed @ turned)
    values[share == 0] = 0.0
    relative = np.maximum(rough / rough.min(initial=np.inf), 1.0)
    smooth = relative <= NO_FUNCTION
    return Functions(values=values[:, smooth], roughness=np.minimum(relative, ROUGHEST)[smooth])
