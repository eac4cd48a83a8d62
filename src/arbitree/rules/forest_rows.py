"""A quick search for rows that a forest decides against a rule: at random, then by ascent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.grid import GridAxis, coarse_cells
from arbitree.rules.on_codes import Membership

N_DRAWN = 200
_N_APART = 6  # one in so many of them refutes most rules that do not hold
_N_STARTS, _N_ROUNDS, _N_TRIED = 4, 3, 24


def rows_against(
    bound: BoundRules,
    rule: BoundRule,
    trees: CodedTrees,
    rng: np.random.Generator,
) -> np.ndarray:
    """Rows that a rule holds of, those first that come nearest to a forbidden decision.

    Parameters
    ----------
    bound : BoundRules
    rule : BoundRule
    trees : CodedTrees
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int32, shape (n, n_axes)
        Cells of the grid. May be empty.
    """
    rows = _inside(bound, rule, trees.grid, _drawn(bound, rule, trees.grid, rng))
    if not len(rows):
        return rows
    few, best = _ranked(rule, trees, rows[::_N_APART])
    if best > trees.tolerance:
        return few
    rows, best = _ranked(rule, trees, rows)
    for _ in range(_N_ROUNDS):
        if best > trees.tolerance:
            break
        around = _inside(bound, rule, trees.grid, _neighbours(rows, trees.grid, rng))
        before = rows
        rows, best = _ranked(rule, trees, np.concatenate([rows, around]))
        if np.array_equal(before, rows):
            break
    return rows


def margins(rule: BoundRule, scores: np.ndarray) -> np.ndarray:
    """By how much the best forbidden class is ahead of the best allowed one.  -> (n,)"""
    forbidden = np.array([rule.forbids >> place & 1 for place in range(scores.shape[1])], bool)
    if forbidden.all() or not forbidden.any():
        return np.full(len(scores), np.inf if forbidden.all() else -np.inf)
    return np.asarray(scores[:, forbidden].max(axis=1) - scores[:, ~forbidden].max(axis=1))


def _drawn(
    bound: BoundRules, rule: BoundRule, grid: Sequence[GridAxis], rng: np.random.Generator
) -> np.ndarray:
    """Random rows of each of the rule's boxes."""
    found = [np.empty((0, len(grid)), np.int32)]
    n_drawn = max(1, N_DRAWN // max(1, len(rule.boxes)))
    for box in rule.boxes:
        masks = bound.space.masks(box)
        cells = [np.flatnonzero(axis.within(mask)) for axis, mask in zip(grid, masks)]
        if all(map(len, cells)):
            columns = [rng.choice(of, n_drawn) for of in cells]
            found.append(np.stack(columns, axis=1).astype(np.int32))
    return np.concatenate(found)


def _inside(
    bound: BoundRules, rule: BoundRule, grid: Sequence[GridAxis], rows: np.ndarray
) -> np.ndarray:
    """The rows that the rule holds of and that can exist."""
    given = Membership(bound.space, coarse_cells(grid, rows))
    kept = given.in_one_of(rule.boxes)
    for place, axis in enumerate(grid):
        kept &= axis.occurs[rows[:, place]]
    for fact in bound.facts:
        kept &= given.in_one_of(fact.boxes)
    return rows[kept]


def _ranked(rule: BoundRule, trees: CodedTrees, rows: np.ndarray) -> tuple[np.ndarray, float]:
    """The first rows by their margins, and the largest margin."""
    ahead = margins(rule, trees.scores(rows))
    first = np.argsort(-ahead, kind="stable")[: 8 * _N_STARTS]
    kept = np.sort(np.unique(rows[first], axis=0, return_index=True)[1])[:_N_STARTS]
    return rows[first][kept], float(ahead[first[0]])


def _neighbours(rows: np.ndarray, grid: Sequence[GridAxis], rng: np.random.Generator) -> np.ndarray:
    """Rows that differ from one of the given ones in one cell."""
    found = []
    for place, axis in enumerate(grid):
        cells = np.flatnonzero(axis.occurs)
        tried = cells if len(cells) <= _N_TRIED else rng.choice(cells, _N_TRIED, replace=False)
        copies = np.repeat(rows, len(tried), axis=0)
        copies[:, place] = np.tile(tried, len(rows))
        found.append(copies)
    return np.concatenate(found)
