"""Resampling a table of counts, which is resampling its rows, and the largest studentised gap.

A bootstrap of n rows changes a table of counts by a multinomial draw, whatever n is: so 2,000
resamplings of ten million rows cost as much as those of a hundred.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError
from arbitree.counts.checks import at_least

SMALLEST = np.finfo(np.float64).smallest_subnormal  # makes 0 / 0 a 0, and leaves the rest alone
HUGE = 1e290
RESAMPLES_A_BLOCK = 1024


def resample_counts(
    counts: ArrayLike,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    fixed: int = 0,
    method: Literal["multinomial", "poisson"] = "multinomial",
) -> np.ndarray:
    """Bootstrap replicates of a table of counts.

    Parameters
    ----------
    counts : (...) whole numbers
        Rows in each cell.
    n_resamples : int
    rng : numpy.random.Generator
    fixed : int
        Number of leading axes whose totals stay as they are: 0 keeps the number of rows,
        1 keeps the number of rows of each entry of the first axis, and so on.
    method : {"multinomial", "poisson"}
        "poisson" draws each cell on its own, so that totals vary and parts drawn on several
        machines can be added.

    Returns
    -------
    (n_resamples, ...) int64

    Examples
    --------
    >>> draws = resample_counts([[3, 1], [0, 5]], 2, np.random.default_rng(0), fixed=1)
    >>> draws.sum(axis=2)
    array([[4, 5],
           [4, 5]])
    """
    table = np.asarray(counts)
    if table.dtype.kind not in "iu" or (table.size and table.min() < 0):
        raise InputError(f"counts of type {table.dtype} must be whole numbers of at least 0.")
    n_resamples = at_least(n_resamples, 0, "n_resamples")
    if not 0 <= fixed <= table.ndim:
        raise InputError(f"fixed is {fixed}, but counts has {table.ndim} axes.")
    if method == "poisson":
        return rng.poisson(table, size=(n_resamples, *table.shape))
    if method != "multinomial":
        raise InputError(f"method is {method!r}. Pass 'multinomial' or 'poisson'.")
    split = (math.prod(table.shape[:fixed]), math.prod(table.shape[fixed:]))
    strata = table.reshape(split).astype(np.int64)
    draws = np.zeros((n_resamples, *strata.shape), np.int64)
    for stratum, row in enumerate(strata):
        full = np.flatnonzero(row)
        if full.size:
            total = row.sum()
            draws[:, stratum, full] = rng.multinomial(total, row[full] / total, size=n_resamples)
    return draws.reshape(n_resamples, *table.shape)


def max_pair_t(rates: ArrayLike, variances: ArrayLike, center: ArrayLike) -> np.ndarray:
    """The largest studentised deviation of a gap between two groups, for each resample.

    For resample r it is the maximum over pairs of groups a < b (and over conditions, if there are
    several) of ``|(rates[r, a] - rates[r, b]) - (center[a] - center[b])|`` divided by
    ``sqrt(variances[r, a] + variances[r, b])``. Its quantile makes the intervals of all pairwise
    gaps hold at once (Romano and Wolf, Econometrica 73, 2005: studentised max-T).

    Parameters
    ----------
    rates : (R, G) or (R, M, G) floats
        Rate of each group in each resample; NaN where it cannot be estimated: its pairs are
        left out.
    variances : the same shape
        Squared standard errors of the rates.
    center : (G,) or (M, G) floats
        The rates that were observed.

    Returns
    -------
    (R,) float64
        A pair without variance counts 0 if it does not deviate and infinity if it does;
        NaN for a resample in which no pair can be compared.

    Examples
    --------
    >>> max_pair_t([[0.5, 0.3]], [[0.01, 0.03]], [0.4, 0.4])
    array([1.])
    """
    deviations = np.asarray(rates, np.float64)
    squares = np.asarray(variances, np.float64)
    middle = np.asarray(center, np.float64)
    if deviations.ndim not in (2, 3) or deviations.shape != squares.shape:
        raise InputError(
            f"rates and variances have shapes {deviations.shape} and {squares.shape}. "
            "Both must be (R, G) or (R, M, G)."
        )
    if middle.shape != deviations.shape[1:]:
        raise InputError(f"center has shape {middle.shape}, not {deviations.shape[1:]}.")
    if (squares < 0).any():
        raise InputError("variances has a negative value. Pass squared standard errors.")
    deviations, squares = deviations - middle, squares + SMALLEST
    if middle.ndim == 1:
        deviations, squares = deviations[:, None], squares[:, None]
    largest = np.full(len(deviations), -1.0)
    for start in range(0, len(largest), RESAMPLES_A_BLOCK):
        block = slice(start, start + RESAMPLES_A_BLOCK)
        for condition in range(deviations.shape[1]):
            each = deviations[block, condition].T.copy(), squares[block, condition].T.copy()
            _raise_to_largest(largest[block], *each)
    largest[largest > HUGE] = np.inf
    largest[largest < 0] = np.nan
    return np.sqrt(largest)


def _raise_to_largest(largest: np.ndarray, deviations: np.ndarray, squares: np.ndarray) -> None:
    """Raise (R,) to the largest squared statistic over pairs of (G, R) groups.

    The largest is between a group that no other one beats in being high and certain, and one
    that none beats in being low and certain. There are about ln G of each: 112 groups have some
    25 pairs to look at instead of 6,216.
    """
    comparable = np.count_nonzero(~np.isnan(deviations), axis=0) > 1
    if (squares == squares[:, :1]).all():
        order = np.argsort(squares[:, 0], kind="stable")
        deviations, squares = deviations[order], squares[order]
    else:
        orders = np.argsort(squares, axis=0, kind="stable")
        deviations = np.take_along_axis(deviations, orders, axis=0)
        squares = np.take_along_axis(squares, orders, axis=0)
    heights, high_squares = _records(deviations, squares)
    depths, low_squares = _records(-deviations, squares)
    for height, square in zip(heights, high_squares):
        statistic = np.maximum(height + depths, 0.0)
        with np.errstate(over="ignore"):
            statistic *= statistic
            statistic /= square + low_squares
        np.maximum(largest, statistic.max(axis=0), out=largest, where=comparable)


def _records(deviations: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Deviations above all before them, each with its square.  (G, R) -> twice (K, R)

    Columns with fewer than K records are filled up with -inf.
    """
    known = np.where(np.isnan(deviations), -np.inf, deviations)
    highest = np.maximum.accumulate(known, axis=0)
    is_record = np.ones(known.shape, bool)
    is_record[1:] = known[1:] > highest[:-1]
    place = np.cumsum(is_record, axis=0) - 1
    shape = int(place.max(initial=-1)) + 1, known.shape[1]
    records, record_squares = np.full(shape, -np.inf), np.ones(shape)
    at = place[is_record], np.nonzero(is_record)[1]
    records[at], record_squares[at] = known[is_record], squares[is_record]
    return records, record_squares
