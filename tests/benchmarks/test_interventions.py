"""What is done to training data in the benchmark of interventions."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def rows():
    """Columns, labels, and whether a row is of the high group."""
    rng = np.random.default_rng(0)
    high = rng.random(300) < 0.4
    X = np.column_stack([rng.normal(size=300) + high, rng.integers(0, 5, 300), high])
    y = (X[:, 0] + rng.normal(size=300) > 0.5).astype(float)
    return X.astype(float), y, high


def test_with_the_weights_a_label_says_nothing_of_the_group(module, rows):
    _, y, high = rows
    weights = module("reweighing").reweighed(high, y)
    shares = [np.average(y[high == one], weights=weights[high == one]) for one in (True, False)]
    assert shares[0] == pytest.approx(shares[1])
    assert weights.sum() == pytest.approx(len(y))


def test_the_gradient_of_the_attack_is_that_of_differences(module, rows):
    poisoning = module("poisoning")
    X, y, high = rows
    moving, labels, step = X[:4].copy(), np.array([1.0, 0.0, 1.0, 0.0]), 1e-4
    found = poisoning.gradient(X, y, moving, labels, X, high)

    def reached(i: int, j: int, by: float) -> float:
        moved = moving.copy()
        moved[i, j] += by
        return poisoning.unfairness(poisoning.fitted(X, y, moved, labels), X, high)

    slow = [
        [(reached(i, j, step) - reached(i, j, -step)) / (2 * step) for j in range(3)]
        for i in range(4)
    ]
    np.testing.assert_allclose(found, slow, atol=1e-7)


def test_moved_rows_widen_the_gap_more_than_copies_and_could_be_rows_of_the_table(module, rows):
    poisoning, logistic = module("poisoning"), module("logistic")
    X, y, high = rows
    gaps = {}
    for steps in (0, 20):
        added, labels = poisoning.poisoned(
            rows, (X, high), 30, np.random.default_rng(1), steps=steps
        )
        assert (added >= X.min(axis=0)).all()
        assert (added <= X.max(axis=0)).all()
        assert np.array_equal(added[:, 1], np.round(added[:, 1]))
        z = [(part - X.mean(axis=0)) / X.std(axis=0) for part in (X, added)]
        gaps[steps] = poisoning.unfairness(poisoning.fitted(z[0], y, z[1], labels), z[0], high)
    clean = poisoning.unfairness(logistic.parameters(z[0], y), z[0], high)
    assert clean < gaps[0] < gaps[20]


def test_a_coefficient_of_zero_puts_its_column_to_the_mean_or_to_zero(module, rows):
    logistic = module("logistic")
    X, y, _ = rows
    model = logistic.learn(X, y)
    for raw, value in ((False, X[:, 0].mean()), (True, 0.0)):
        there = X.copy()
        there[:, 0] = value
        assert np.array_equal(model.without(0, raw=raw).decide(X), model.decide(there))


def test_nobody_learns_from_rows_that_are_held_out(module):
    for train, own, test in module("intervention_data").thirds(103):
        together = np.concatenate([train, own, test])
        assert np.array_equal(np.sort(together), np.arange(103))
