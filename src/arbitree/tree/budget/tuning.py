"""The size of leaves and the margin of a budget, chosen by cross-validation on the training rows.

Every row is decided by trees that did not see it. The score is the sum of two shares: rows decided
wrongly, and how far the gap of these decisions is above the budget beyond its standard error. The
margin with the least score is taken, and the largest leaves within one standard error of it.

References
----------
Breiman et al., "Classification and Regression Trees", 1984, section 3.4.3, for the standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arbitree.model.route import leaves_of_codes
from arbitree.model.tree import Tree
from arbitree.tree.budget.problem import Problem, problem_of
from arbitree.tree.favorable import favorable_mask
from arbitree.tree.options import CHOSEN, GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.table import TrainingTable, take

LEAF_SIZES = (1, 20, 60)
SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)  # of a budget that are tried instead of it
N_FOLDS = 3

Path = Callable[[TrainingTable, Sequence[float], GrowthOptions], list[Tree]]


def tuned(
    table: TrainingTable, eps_values: Sequence[float], options: GrowthOptions, path: Path
) -> tuple[list[float], GrowthOptions]:
    """The budgets that trees get for themselves, none above what was asked, and a size of leaves.

    Parameters
    ----------
    eps_values : sequence of float
    options : GrowthOptions
        ``min_samples_leaf``, if it is `CHOSEN`, is chosen for all budgets together, and the
        margin of a `GapBudget`, if it is ``"auto"``, for each.
    path : callable
        Makes the trees of several budgets.
    """
    eps = [float(value) for value in eps_values]
    margin = options.parity.margin if isinstance(options.parity, GapBudget) else 0.0
    leaves = LEAF_SIZES if options.min_samples_leaf == CHOSEN else (options.min_samples_leaf,)
    if margin != "auto":
        eps = [max(value - float(margin), 0.0) for value in eps]
        inner = sorted(set(eps), reverse=True)
    else:
        inner = sorted({*eps, *(min(eps) * share for share in SHARES)}, reverse=True)
    few = table.n_rows < 2 * N_FOLDS
    if few or (margin != "auto" and len(leaves) == 1):
        return eps, replace(options, min_samples_leaf=leaves[0])
    wanted = [float(value) for value in eps_values]
    found = []
    for least in leaves:
        option = replace(options, min_samples_leaf=least)
        held_out = _held_out(table, inner, option, path)
        # with a given margin a tree's own budget is known, and only the size of leaves is not
        found.append(_best_inner(held_out, inner, wanted, None if margin == "auto" else eps))
    score = np.array([score for score, _ in found])
    best = float(score.min())
    noise = np.sqrt(best * max(1 - best, 0.0) / table.row_weights().sum())
    largest = int(np.flatnonzero(score <= best + noise)[-1])
    return found[largest][1], replace(options, min_samples_leaf=leaves[largest])


@dataclass(frozen=True, slots=True, eq=False)
class _HeldOut:
    """What decisions on rows that were held out amount to, for each budget of the trees."""

    errors: np.ndarray
    gap: np.ndarray
    noise: np.ndarray  # the standard error of the gap


def _best_inner(
    found: _HeldOut, inner: Sequence[float], wanted: Sequence[float], given: Sequence[float] | None
) -> tuple[float, list[float]]:
    """The mean of the wanted budgets' least scores, and the trees' own budget of each."""
    total, chosen = 0.0, np.zeros(len(wanted))
    for q in np.argsort(wanted, kind="stable").tolist():
        score = found.errors + np.maximum(found.gap - wanted[q] - found.noise, 0)
        own = np.array(inner) <= wanted[q] if given is None else np.array(inner) == given[q]
        k = int(np.argmin(np.where(own, score, np.inf)))
        total += float(score[k])
        chosen[q] = max(inner[k], float(chosen.max()))  # a larger budget never gets a smaller one
    return total / len(wanted), chosen.tolist()


def _held_out(
    table: TrainingTable, eps: Sequence[float], options: GrowthOptions, path: Path
) -> _HeldOut:
    problem = problem_of(table)
    cell = table.group.astype(np.int64) * table.n_classes + table.y  # type: ignore[union-attr]
    favorable = favorable_mask(table.favorable, table.n_classes)
    fold = np.empty(table.n_rows, np.int64)
    fold[np.argsort(cell, kind="stable")] = np.arange(table.n_rows) % N_FOLDS
    weights = table.row_weights()
    decided = np.zeros((len(eps), problem.n_cells))
    for k in range(N_FOLDS):
        held = np.flatnonzero(fold == k)
        codes = tuple(column[held] for column in table.codes)
        for q, tree in enumerate(path(take(table, np.flatnonzero(fold != k)), eps, options)):
            yes = held[favorable[tree.label[leaves_of_codes(tree, codes)]]]
            decided[q] += np.bincount(cell[yes], weights[yes], problem.n_cells)
    rates = decided @ problem.rates.T
    return _HeldOut(
        errors=problem.error_of_none + decided @ problem.error,
        gap=problem.gap(rates),
        noise=np.array([_noise(problem, of_tree) for of_tree in rates]),
    )


def _noise(problem: Problem, rates: np.ndarray) -> float:
    """The standard error of the largest difference of rates."""
    size = 1 / np.maximum(problem.rates.max(axis=1), np.finfo(float).tiny)
    variance = rates * (1 - rates) / size
    found = []
    for start, stop in zip(problem.family, [*problem.family[1:], len(rates)]):
        part = rates[start:stop]
        high, low = start + int(np.argmax(part)), start + int(np.argmin(part))
        found.append((rates[high] - rates[low], variance[high] + variance[low]))
    return float(np.sqrt(max(max(found)[1], 0.0)))
