"""Shapley values of decisions, by the package shap."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arbitree._errors import MissingDependencyError

Decide = Callable[[np.ndarray], np.ndarray]


def shapley_values(
    decide: Decide,
    rows: np.ndarray,
    background: np.ndarray,
    *,
    n_permutations: int,
    seed: int,
) -> np.ndarray:
    """Values of every feature for every row.

    Parameters
    ----------
    decide : function
        (m, d) codes -> (m,) decisions
    rows : (n, d) float64
        Codes of the rows to explain.
    background : (b, d) float64
        Codes that stand in for absent features.
    n_permutations, seed : int

    Returns
    -------
    (n, d) float64
        A row's values add up to its decision minus the mean decision on the background.
    """
    shap = _shap()
    evaluations = n_permutations * (2 * rows.shape[1] + 1)
    with _seeded(seed), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"shap(\.|$)")
        masker = shap.maskers.Independent(background, max_samples=len(background))
        explainer = shap.PermutationExplainer(decide, masker)
        found = explainer(rows, max_evals=evaluations, silent=True)
    return np.asarray(found.values, dtype=np.float64)


def _shap() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import shap
    except ImportError as error:
        raise MissingDependencyError(
            "Shapley values need shap. Install it with: pip install 'arbitree[shapley]'"
        ) from error
    return shap


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """shap draws from NumPy's global generator, which is left as it was."""
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(state)  # noqa: NPY002
