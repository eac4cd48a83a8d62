"""Training rows fall where they were counted, whatever their columns hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import SplitGap, TreeClassifier
from arbitree.model.tree_json import from_json, to_json


def odd_frame(rng, n):
    """Columns of many types, some values missing."""
    scale = 10.0 ** rng.integers(-30, 30)
    number = rng.normal(size=n) * scale
    number[rng.random(n) < 0.1] = rng.choice([np.inf, -np.inf, 0.0, -0.0, 3.4e38, -3.4e38, 1e-45])
    days = pd.Timestamp("2020-02-28") + pd.to_timedelta(rng.integers(0, 40, n), unit="D")
    frame = pd.DataFrame(
        {
            "number": number,
            "float32": rng.normal(size=n).astype(np.float32),
            "whole": rng.integers(-(2**40), 2**40, n),
            "close": 1 + rng.integers(0, 9, n) * 1e-8,
            "truth": pd.array(rng.random(n) < 0.5, dtype="boolean"),
            "day": days,
            "time": pd.to_timedelta(rng.integers(0, 10**6, n), unit="s"),
            "text": np.array(["a", "b", "", "nan", "é"], object)[rng.integers(0, 5, n)],
            "size": pd.Categorical.from_codes(
                rng.integers(0, 3, n), ["s", "m", "l", "never"], ordered=True
            ),
        }
    )
    for name in frame:
        if rng.random() < 0.4:
            frame[name] = frame[name].mask(rng.random(n) < 0.2)
    return frame


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    split=st.sampled_from(["threshold", "logistic", "multiway"]),
    max_bins=st.sampled_from([2, 5, 255]),
)
@pytest.mark.filterwarnings("ignore:.*:arbitree.ArbitreeWarning")
def test_rows_are_in_the_leaves_that_counted_them(seed, split, max_bins):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 120))
    X, y = odd_frame(rng, n), rng.integers(0, 2, n)
    weights = rng.integers(1, 4, n).astype(float)
    tree = TreeClassifier(split=split, max_bins=max_bins).fit(
        X, y, sensitive_features=rng.integers(0, 3, n), sample_weight=weights
    )
    leaf = tree.apply(X)
    n_nodes = tree.tree_.n_nodes
    for label in range(len(tree.classes_)):
        counted = np.bincount(leaf, weights * (y == tree.classes_[label]), minlength=n_nodes)
        inside = tree.tree_.is_leaf
        assert (counted[inside] == tree.tree_.weight[inside, label]).all()
    again = from_json(to_json(tree.tree_))
    assert to_json(again) == to_json(tree.tree_)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore:.*:arbitree.ArbitreeWarning")
def test_new_rows_of_every_kind_fall_into_some_leaf(seed):
    rng = np.random.default_rng(seed)
    X, y = odd_frame(rng, 80), rng.integers(0, 3, 80)
    tree = TreeClassifier(max_depth=6, favorable_label=1, parity=SplitGap(0.5))
    tree.fit(X, y, sensitive_features=rng.integers(0, 2, 80))
    new = odd_frame(rng, 50)
    assert tree.tree_.is_leaf[tree.apply(new)].all()
    assert np.isin(tree.predict(new), tree.classes_).all()
