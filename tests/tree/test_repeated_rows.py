"""A tree of weighted rows is the tree of repeated rows, however many values a column has."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.model.tree_json import to_json


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_bins": 16, "split": "multiway"},
        {"max_bins": 16, "parity": ar.SplitGap(0.1)},
        {"max_bins": 16, "parity": ar.GapBudget(0.05)},
    ],
    ids=str,
)
def test_whole_weights_are_repeated_rows(options, least):
    rng = np.random.default_rng(least)
    n = 600
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(5, n)})
    X.loc[::17, "b"] = np.nan
    X["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.permutation(n), unit="h")
    group = rng.choice(["f", "m"], n)
    y = (X["a"] + 0.5 * rng.normal(size=n) + 0.3 * (group == "f") > 0).astype(int)
    weights = rng.integers(least, 6, n)
    at = np.repeat(np.arange(n), weights)
    model = ar.TreeClassifier(max_depth=3, **options)
    model.fit(X, y, sensitive_features=group, sample_weight=weights)
    whole = to_json(model.tree_)
    rows = X.iloc[at].reset_index(drop=True)
    model.fit(rows, y.iloc[at].to_numpy(), sensitive_features=group[at])
    assert to_json(model.tree_) == whole
