"""Errors that are expected instead of those counted, so that a search fits less of their noise.

Of the many trees that a search looks at it takes the one that the noise of the training labels
favours most. So each row counts as favourable with the probability that a boosted model of the
same columns gives it, and as unfavourable with the rest. Rates stay those of the given rows: a
budget is kept on them.

References
----------
Breiman and Shang, "Born again trees", 1996 (a tree that learns what a larger model says).
Friedman, "Greedy function approximation: a gradient boosting machine", 2001.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arbitree.tree.budget.equal_rows import equal_rows
from arbitree.tree.budget.problem import Problem

PARTS = 32  # probabilities are multiples of 1 / PARTS, so that sums of them are exact
N_ROUNDS, LEARNING_RATE = 30, 0.2
MOST_LEAVES = 15
FEWEST_ROWS = 20  # in a leaf of the model
FIRM = 5.0  # rows of the mean that are added to each level of a category when levels are ordered


def expected(problem: Problem) -> Problem:
    """The problem whose errors are expected ones; the same where all rows are of one side.

    Cells that cost the same and count in the same rates become one.
    """
    favorable = (problem.error < 0)[problem.cell]
    weights = problem.weights * np.abs(problem.error)[problem.cell]
    if not weights[favorable].any() or not weights[~favorable].any():
        return problem
    share = np.rint(_probabilities(problem, favorable, weights) * PARTS) / PARTS
    both = np.tile(np.arange(len(favorable)), 2)
    shares = np.concatenate([1 - share, share])
    columns, cell = _cells(problem)
    some = np.flatnonzero(shares)
    both, shares, cell = both[some], shares[some], cell[:, problem.cell].reshape(-1)[some]
    alike = zip((cell, *problem.codes[both].T), (columns.shape[1], *problem.n_codes.tolist()))
    first, lot = equal_rows(alike, len(some))
    found = np.bincount(lot, problem.weights[both] * shares)
    same = problem.sizes is problem.weights
    total = np.bincount(cell[first], found, columns.shape[1])
    return replace(
        problem,
        codes=problem.codes[both[first]],
        cell=cell[first].astype(np.uint32),
        weights=found,
        sizes=found if same else np.bincount(lot, problem.sizes[both] * shares),
        total=total,
        error=columns[0],
        error_of_none=-float(np.minimum(columns[0], 0) @ total),
        rates=columns[1:],
    )


def _cells(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Error and rates of the new cells, and which one each old cell's two parts belong to.

    (1 + n_rates, m), and (2, n_cells): the part that is not favourable, and the one that is.
    """
    toll = np.abs(problem.error)
    parts = np.concatenate([toll, -toll]), np.tile(problem.rates, 2)
    columns, place = np.unique(np.vstack(parts), axis=1, return_inverse=True)
    return np.ascontiguousarray(columns), place.reshape(2, -1)


def _probabilities(problem: Problem, favorable: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How likely each row is favourable, (n,), by boosting; rows weigh what an error on them costs.

    Nothing is drawn: the same rows in any order give the same.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=N_ROUNDS,
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=MOST_LEAVES,
        min_samples_leaf=FEWEST_ROWS,
        early_stopping=False,
        random_state=0,
    )
    X = _ordered(problem, favorable, weights)
    probability: np.ndarray = model.fit(X, favorable, weights / weights.mean()).predict_proba(X)
    return probability[:, 1]


def _ordered(problem: Problem, favorable: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Codes as numbers: levels of a category in the order of their shares.  (n, d) float32"""
    X = problem.codes.astype(np.float32)
    weights = weights / weights.mean()
    mean = float(weights @ favorable) / weights.sum()
    for j in np.flatnonzero(problem.is_category).tolist():
        codes, n_codes = problem.codes[:, j], int(problem.n_codes[j])
        of_level = np.bincount(codes, weights, n_codes)
        share = np.bincount(codes, weights * favorable, n_codes) + FIRM * mean
        X[:, j] = np.argsort(np.argsort(share / (of_level + FIRM), kind="stable"))[codes]
    return X
