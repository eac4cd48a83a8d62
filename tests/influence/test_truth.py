"""Influences against closed forms, at 10,000 rows a group.

Decisions of the other group are noise at a rate of 0.1, so that it carries no influence and the
gap is explained by the first group alone; `unexplained` is -0.1 and what is noise in the first.
"""

from __future__ import annotations

import numpy as np
import pytest

import arbitree as ar

N = 10_000


def _explained(X, of_first, **options):
    """Influences by names, where the first N rows decide by `of_first` and the others by chance."""
    rng = np.random.default_rng(5)
    decided = np.concatenate([of_first, (rng.random(N) < 0.1).astype(float)])
    group = np.repeat(["first", "other"], N)
    options = {"n_bootstrap": 0, "random_state": 1} | options
    found = ar.explain_gap(X, decided, sensitive_features=group, **options)
    assert found.group_high == "first"
    assert found.table.influence.sum() + found.unexplained == pytest.approx(found.gap, abs=1e-9)
    return dict(zip(found.table.features, found.table.influence))


def _bits(d):
    return np.random.default_rng(0).integers(0, 2, (2 * N, d))


def _check(found, expected):
    for features, influence in found.items():
        assert influence == pytest.approx(expected.get(features, 0.0), abs=0.01), features


def test_xor_is_all_in_the_pair():
    bits = _bits(3)
    found = _explained(bits, bits[:N, 0] ^ bits[:N, 1])
    _check(found, {("x_0", "x_1"): 0.5})


def test_additive_decisions_have_no_interaction():
    bits = _bits(2)
    chance = 0.2 + 0.4 * bits[:N, 0] + 0.2 * bits[:N, 1]
    found = _explained(bits, np.random.default_rng(1).random(N) < chance)
    _check(found, {("x_0",): 0.5 * 0.04 / 0.25, ("x_1",): 0.5 * 0.01 / 0.25})


def test_a_majority_of_three_is_a_quarter_each_and_a_quarter_all_three():
    bits = _bits(3)
    found = _explained(bits, bits[:N].sum(axis=1) >= 2, max_order=3)
    expected = {(f"x_{j}",): 0.125 for j in range(3)} | {("x_0", "x_1", "x_2"): 0.125}
    _check(found, expected)


def test_a_feature_and_its_copy_share_its_influence():
    bits = _bits(2)
    found = _explained(np.column_stack([bits, bits[:, 0]]), bits[:N, 0])
    _check(found, {("x_0",): 0.25, ("x_2",): 0.25})


def test_the_and_of_two_features():
    bits = _bits(2)
    found = _explained(bits, bits[:N, 0] & bits[:N, 1])
    third = 0.25 / 3
    _check(found, {("x_0",): third, ("x_1",): third, ("x_0", "x_1"): third})


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_a_linear_score_of_correlated_normal_features(correlation):
    rng = np.random.default_rng(2)
    covariance = [[1, correlation], [correlation, 1]]
    X = rng.multivariate_normal([0, 0], covariance, 2 * N)
    score = X[:N, 0] + 0.5 * X[:N, 1]
    score += 1 - score.mean()
    found = _explained(X, score, scores=True)
    variance = 1.25 + correlation
    _check(
        found,
        {
            ("x_0",): (1 + 0.5 * correlation) / variance,
            ("x_1",): (0.25 + 0.5 * correlation) / variance,
        },
    )


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_shuffled_decisions_are_not_explained():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 8))
    group = np.repeat(["first", "other"], 300)
    shares = []
    for seed in range(5):
        decided = np.random.default_rng(seed).permutation(np.arange(600) % 2)
        found = ar.explain_gap(X, decided, sensitive_features=group, n_bootstrap=0)
        shares += [found.table.share_high.sum(), found.table.share_low.sum()]
    assert abs(np.mean(shares)) < 0.03
    assert np.max(np.abs(shares)) < 0.12
