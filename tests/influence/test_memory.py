"""The memory that an explanation takes is said in the documentation, within a factor of 2."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import arbitree as ar

PAGE = Path(__file__).parents[2] / "docs" / "influence.md"


def _peak(n, n_features, folds):
    rng = np.random.default_rng(0)
    X = rng.random((n, n_features))
    decided, group = (X[:, 0] > 0.5).astype(int), np.arange(n) % 2
    options = {"n_bootstrap": 0, "cross_fit": folds, "penalty": 1.0, "n_threads": 1}
    tracemalloc.start()
    ar.explain_gap(X, decided, sensitive_features=group, **options)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
@pytest.mark.parametrize(("n_features", "folds"), [(4, 0), (4, 4)])
def test_memory_is_what_the_documentation_says(n_features, folds):
    assert "60 + 16 × features + 24 × folds bytes a row" in PAGE.read_text("utf-8")
    _peak(200, n_features, folds)
    few, many = 20_000, 40_000
    a_row = (_peak(many, n_features, folds) - _peak(few, n_features, folds)) / (many - few)
    told = 60 + 16 * n_features + 24 * folds
    assert told / 2 < a_row < told * 2
