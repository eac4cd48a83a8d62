"""All splits of a table at once, for a search that tries them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.tree.budget.equal_rows import equal_rows
from arbitree.tree.budget.problem import Problem

MOST_LEVELS = 6  # of a category, whose 31 subsets are all tried


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllSplits:
    """Splits, and where each distinct row goes.

    `complete` says that they are all cuts of numbers and all subsets of the levels of categories.
    """

    feature: np.ndarray  # (p,)
    second: tuple[np.ndarray, ...]  # of each split (n_codes,) bool, codes of the second side
    sides: np.ndarray  # (m, p) bool: whether a distinct row goes to the second side
    amounts: np.ndarray  # (m, 3) change of errors and of rate 1 minus rate 0 when decided 1; size
    complete: bool
    where: np.ndarray  # (n,) the distinct row of each row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DistinctRows:
    """The distinct rows of a problem, and what they amount to."""

    codes: np.ndarray  # (m, d)
    where: np.ndarray  # (n,) the distinct row of each row
    amounts: np.ndarray  # (m, 3) as in `AllSplits`


def distinct_rows(problem: Problem) -> DistinctRows:
    """Rows of the same codes taken together."""
    columns = zip(problem.codes.T, problem.n_codes.tolist())
    first, where = equal_rows(columns, len(problem.codes))
    codes = problem.codes[first]
    difference = problem.rates[-1] - problem.rates[0]
    n = len(codes)
    at = where * problem.n_cells + problem.cell
    cells = np.bincount(at, problem.weights, n * problem.n_cells).reshape(n, -1)
    sizes = np.bincount(where, problem.sizes, n)
    # weights are added up first: then a row of weight 3 is three rows, to the last bit
    amounts = [summable(found) for found in (cells @ problem.error, cells @ difference, sizes)]
    return DistinctRows(codes=codes, where=where, amounts=np.column_stack(amounts))


def all_splits(
    rows: DistinctRows,
    problem: Problem,
    most_cuts: Sequence[int],
    affordable: Callable[[int, int], bool],
) -> AllSplits | None:
    """Cuts of numbers, and subsets of the levels of categories.

    Fewer cuts are spread over equal numbers of rows. Categories of more than 6 levels are parted
    by the error of deciding their levels favourably: fewer subsets than there are.

    Parameters
    ----------
    most_cuts : sequence of int
        The most cuts of a number; the first that is affordable counts.
    affordable : callable
        Whether a number of distinct rows and one of splits are not too many.

    Returns
    -------
    AllSplits or None
        None if nothing is affordable.
    """
    for most in most_cuts:
        features: list[int] = []
        masks: list[np.ndarray] = []
        complete = True
        for j, n_codes in enumerate(problem.n_codes.tolist()):
            sums = [np.bincount(rows.codes[:, j], a, n_codes) for a in rows.amounts.T]
            parts = _subsets if problem.is_category[j] else _cuts
            found, whole = parts(np.stack(sums, axis=1), most)
            masks += found
            features += [j] * len(found)
            complete &= whole
        if affordable(len(rows.codes), len(masks)):
            return _with_sides(rows, features, masks, complete)
    return None


def _with_sides(
    rows: DistinctRows, features: list[int], masks: list[np.ndarray], complete: bool
) -> AllSplits:
    sides = np.empty((len(rows.codes), len(masks)), bool)
    for k, (j, mask) in enumerate(zip(features, masks)):
        sides[:, k] = mask[rows.codes[:, j]]
    return AllSplits(
        feature=np.array(features, np.int64),
        second=tuple(masks),
        sides=sides,
        amounts=rows.amounts,
        complete=complete,
        where=rows.where,
    )


def _cuts(sums: np.ndarray, most: int) -> tuple[list[np.ndarray], bool]:
    """Cuts between adjacent codes, a missing value on either side, and missing alone."""
    n_codes, size = len(sums), sums[:, 2]
    values = np.flatnonzero(size[:-1])
    above, whole = values[:-1], True
    if len(above) > most:
        share = np.cumsum(size[above]) / size.sum()
        places = np.searchsorted(share, np.arange(1, most + 1) / (most + 1))
        above, whole = above[np.unique(np.minimum(places, len(above) - 1))], False
    found = [np.arange(n_codes) > code for code in above.tolist()]
    if size[-1]:
        found += [mask & (np.arange(n_codes) < n_codes - 1) for mask in found]
        found.append(np.arange(n_codes) == n_codes - 1)
    return found, whole


def _subsets(sums: np.ndarray, most: int) -> tuple[list[np.ndarray], bool]:
    """Ways to part the levels in two; the first level stays on the first side."""
    seen = np.flatnonzero(sums[:, 2])
    found = []
    if len(seen) <= MOST_LEVELS:
        for bits in range(1, 1 << max(len(seen) - 1, 0)):
            mask = np.zeros(len(sums), bool)
            mask[seen[1:]] = [(bits >> k) & 1 for k in range(len(seen) - 1)]
            found.append(mask)
        return found, True
    order = seen[np.argsort(sums[seen, 0] / sums[seen, 2], kind="stable")]
    for k in np.unique(np.linspace(1, len(order) - 1, most).round().astype(int)).tolist():
        mask = np.zeros(len(sums), bool)
        mask[order[k:]] = True
        found.append(mask)
    return found, False


def summable(amounts: np.ndarray) -> np.ndarray:
    """Amounts rounded to multiples of a tiny power of two, whose sums are exact in any order.

    So that trees do not depend on how a matrix product is spread over threads.
    """
    total = float(np.abs(amounts).sum())
    if total == 0:
        return amounts
    unit = 2.0 ** (np.ceil(np.log2(total)) - 52)
    return np.rint(amounts / unit) * unit
