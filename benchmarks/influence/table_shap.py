"""SHAP on the same output as every other method here: the decision, 0 or 1.

Up to 2 x ROWS rows of each group are explained, ROWS of either decision, and weighed by how many
they stand for. Values are averaged in each group and the averages subtracted.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import shap
from instances import (
    Instance,
    Problem,
    all_instances,
    decisions,
    explained_problem,
    fitted,
    training_matrix,
)

ROWS = 50
BACKGROUND = 50
SEED = 480

Decide = Callable[[np.ndarray], np.ndarray]


def decide(model: Any, matrix: np.ndarray, decided: np.ndarray) -> Decide:
    """The model's decisions; of a linear SVM by its line where that agrees on all rows."""
    if hasattr(model, "support_vectors_") and hasattr(model, "coef_"):
        line, at = model.coef_[0], model.intercept_[0]
        if np.array_equal(matrix @ line + at > 0, decided == 1):
            return lambda rows: (rows @ line + at > 0).astype(float)
    return lambda rows: model.predict(rows).astype(float)


def drawn(rows: np.ndarray, decided: np.ndarray, rng: np.random.Generator) -> tuple[Any, Any]:
    """Rows of a group to explain, and their weights, which sum to 1."""
    chosen, weights = [], []
    for value in (0, 1):
        among = rows[decided == value]
        if len(among):
            some = rng.permutation(among)[:ROWS]
            chosen.append(some)
            weights.append(np.full(len(some), len(among) / len(rows) / len(some)))
    return np.concatenate(chosen), np.concatenate(weights)


def explained(instance: Instance, which: Problem) -> dict[str, Any]:
    matrix = training_matrix(instance).to_numpy()
    model = decide(fitted(instance), matrix, decisions(instance))
    rng = np.random.default_rng(SEED)
    background = rng.permutation(matrix)[:BACKGROUND]
    started = time.process_time()
    explainer = shap.PermutationExplainer(
        model, shap.maskers.Independent(background, max_samples=BACKGROUND), seed=SEED
    )
    means = []
    n = 0
    for group in (which.high, which.low):
        of_group = which.groups == group
        rows, weights = drawn(which.rows[of_group], which.outcome[of_group], rng)
        values = explainer(matrix[rows], max_evals=2 * matrix.shape[1] + 1, silent=True).values
        means.append(weights @ values)
        n += len(rows)
    difference = means[0] - means[1]
    return {
        "sum": float(difference.sum()),
        "gap": which.gap,
        "rows": n,
        "cpu": time.process_time() - started,
    }


def todo(every: int = 1) -> Iterator[tuple[Instance, str]]:
    """SHAP explains decisions, so nothing of predictive parity, whose outcome is the label."""
    for metric in ("sp", "eo"):
        for one in all_instances()[::every]:
            if not explained_problem(one, metric).why_degenerate:
                yield one, metric


def run_one(instance: Instance, metric: str) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = explained(instance, explained_problem(instance, metric))
    return {"key": f"{instance.key}/{metric}", **found}
