"""A quick search for rows that a forest decides against a rule: at random, then by ascent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from arbitree.rules.axes import Axis, NumberAxis, bits
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.on_codes import Membership

Scores = Callable[[np.ndarray], np.ndarray]  # rows (n, n_axes), NaN missing -> (n, n_classes)
N_DRAWN = 500
_N_STARTS, _N_ROUNDS, _N_TRIED = 4, 3, 24


def rows_against(
    bound: BoundRules,
    rule: BoundRule,
    cuts: Sequence[np.ndarray],
    scores: Scores,
    rng: np.random.Generator,
) -> np.ndarray:
    """Rows that a rule holds of, those first that come nearest to a forbidden decision.

    Parameters
    ----------
    bound : BoundRules
        On axes of numbers.
    rule : BoundRule
    cuts : sequence of ndarray of float32
        The numbers that the forest compares each axis with.
    scores : callable
        The shares of classes that the forest gives rows.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of float64, shape (n, n_axes)
        May be empty.
    """
    values = [_values(axis, of) for axis, of in zip(bound.space.axes, cuts)]
    rows = _inside(bound, rule, _drawn(bound, rule, values, rng))
    if not len(rows):
        return rows
    rows, best = _ranked(bound, rule, rows, scores)
    for _ in range(_N_ROUNDS):
        if best > 0:
            break
        around = _inside(bound, rule, _neighbours(rows, values, rng))
        before = rows
        rows, best = _ranked(bound, rule, np.concatenate([rows, around]), scores)
        if np.array_equal(before, rows, equal_nan=True):
            break
    return rows


def margins(bound: BoundRules, rule: BoundRule, scores: np.ndarray) -> np.ndarray:
    """By how much the best forbidden class is ahead of the best allowed one.  -> (n,)"""
    forbidden = np.array([rule.forbids >> place & 1 for place in range(scores.shape[1])], bool)
    if forbidden.all() or not forbidden.any():
        return np.full(len(scores), np.inf if forbidden.all() else -np.inf)
    return np.asarray(scores[:, forbidden].max(axis=1) - scores[:, ~forbidden].max(axis=1))


def _values(axis: Axis, given: np.ndarray) -> np.ndarray:
    """A number for each range that the forest or the rules tell apart; NaN if it may be missing."""
    assert isinstance(axis, NumberAxis)
    cuts = np.unique(np.concatenate([given, axis.edges]))
    above = cuts[-1:] + np.maximum(1, np.abs(cuts[-1:]) * np.float32(1e-3))
    found = np.concatenate([cuts, above]) if len(cuts) else np.zeros(1, np.float32)
    if axis.kind == "integer":
        found = np.unique(np.floor(found))
    found = found.astype(np.float64)
    return np.append(found, np.nan) if axis.whole >> axis.missing_cell else found


def _drawn(
    bound: BoundRules, rule: BoundRule, values: Sequence[np.ndarray], rng: np.random.Generator
) -> np.ndarray:
    """Random rows of each of the rule's boxes."""
    boxes = [bound.space.masks(box) for box in rule.boxes]
    found = []
    for masks in boxes:
        columns = []
        for axis, mask, given in zip(bound.space.axes, masks, values):
            here = given[_in_set(axis, given, mask)]
            if not len(here):
                numbers = [axis.example(cell) for cell in bits(mask)]
                here = np.array([np.nan if x is None else x for x in numbers], float)
            columns.append(rng.choice(here, max(1, N_DRAWN // len(boxes))))
        found.append(np.stack(columns, axis=1))
    return np.concatenate(found) if found else np.empty((0, len(values)))


def _inside(bound: BoundRules, rule: BoundRule, rows: np.ndarray) -> np.ndarray:
    """The rows that the rule holds of and that can exist."""
    codes = [_cells(axis, rows[:, place]) for place, axis in enumerate(bound.space.axes)]
    given = Membership(bound.space, codes)
    kept = given.in_one_of(rule.boxes) & given.in_box(dict(enumerate(bound.space.whole)))
    for fact in bound.facts:
        kept &= given.in_one_of(fact.boxes)
    return rows[kept]


def _cells(axis: Axis, numbers: np.ndarray) -> np.ndarray:
    assert isinstance(axis, NumberAxis)
    found = np.searchsorted(axis.edges, numbers.astype(np.float32), side="left")
    return np.where(np.isnan(numbers), axis.missing_cell, found)


def _in_set(axis: Axis, numbers: np.ndarray, mask: int) -> np.ndarray:
    return np.isin(_cells(axis, numbers), bits(mask))


def _ranked(
    bound: BoundRules, rule: BoundRule, rows: np.ndarray, scores: Scores
) -> tuple[np.ndarray, float]:
    """The first rows by their margins, and the largest margin."""
    rows = np.unique(rows, axis=0, equal_nan=True)
    ahead = margins(bound, rule, scores(rows))
    first = np.argsort(-ahead, kind="stable")[:_N_STARTS]
    return rows[first], float(ahead[first[0]])


def _neighbours(
    rows: np.ndarray, values: Sequence[np.ndarray], rng: np.random.Generator
) -> np.ndarray:
    """Rows that differ from one of the given ones in one number."""
    found = []
    for place, given in enumerate(values):
        tried = given if len(given) <= _N_TRIED else rng.choice(given, _N_TRIED, replace=False)
        copies = np.repeat(rows, len(tried), axis=0)
        copies[:, place] = np.tile(tried, len(rows))
        found.append(copies)
    return np.concatenate(found)
