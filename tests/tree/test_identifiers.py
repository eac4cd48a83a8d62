"""A column of identifiers among the features is told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from arbitree import ArbitreeWarning, TreeClassifier


def test_a_category_that_tells_rows_apart_is_told():
    X = pd.DataFrame({"name": [f"Person {i}" for i in range(120)], "x": np.arange(120)})
    with pytest.warns(ArbitreeWarning, match="'name' of X has 120 levels in 120 rows"):
        TreeClassifier(max_depth=1).fit(X, np.arange(120) > 50)


@pytest.mark.parametrize("n_levels", [50, 60])
def test_categories_with_few_levels_or_many_rows_are_not(n_levels):
    X = pd.DataFrame({"town": [f"town {i % n_levels}" for i in range(n_levels * 2)]})
    TreeClassifier(max_depth=1).fit(X, np.arange(n_levels * 2) % 2)
