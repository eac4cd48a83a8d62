"""The populations that benchmarks of influences measure against: their truths are true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks" / "influence"


@pytest.fixture
def known(monkeypatch):
    if not BENCHMARKS.is_dir():
        pytest.skip("benchmarks are part of the repository only")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import known

    return known


@pytest.fixture
def every(known):
    return [
        known.xor(),
        known.xor(numeric=True),
        known.majority(),
        known.additive(),
        known.duplicated(),
        known.gaussian(),
        known.example(),
        known.example(0.55),
    ]


def test_mean_outcomes_are_those_of_a_sample(every):
    for population in every:
        _, outcomes, groups = population.even_sample(4096, 0)
        for name, group in (("high", population.high), ("low", population.low)):
            found = outcomes[groups == name].mean()
            assert found == pytest.approx(group.mean, abs=2e-3), population.name


def test_rules_are_explained_in_full(known):
    for population in (known.xor(), known.majority(), known.duplicated(), known.example()):
        total = sum(population.influences().values())
        assert total == pytest.approx(population.gap), population.name


def test_the_example_has_the_influences_of_conditional_means(known):
    """Eq. 4 of the paper by averages over a large even sample, without the closed form."""
    population = known.example()
    X, decided, groups = population.even_sample(1 << 16, 1)
    found = {}
    for sign, name in ((1, "high"), (-1, "low")):
        fitness, income = X[groups == name].to_numpy().T
        y = decided[groups == name]
        fit, rich = fitness >= 0.61, np.digitize(income, [0.29, 0.69])
        carried = {
            ("fitness",): _mean_given(fit, y).var(),
            ("income",): _mean_given(rich, y).var(),
        }
        carried["fitness", "income"] = y.var() - sum(carried.values())
        for features, variance in carried.items():
            found[features] = found.get(features, 0) + sign * variance / (1 - y.mean())
    assert found == pytest.approx(population.influences(), abs=2e-3)


def _mean_given(level, y):
    """(n,): the mean of y over the rows of the same level."""
    _, at = np.unique(level, return_inverse=True)
    return (np.bincount(at, y) / np.bincount(at))[at]


def test_shares_of_a_linear_score_are_covariances(known):
    population = known.gaussian()
    X, score, groups = population.even_sample(1 << 14, 2)
    x, y = X[groups == "high"], score[groups == "high"]
    for name, slope in (("a", 1.0), ("b", 0.5), ("c", 0.3)):
        share = slope * np.cov(x[name], y)[0, 1] / y.var(ddof=1)
        assert share == pytest.approx(population.high.shares[name,], abs=2e-3)


def test_a_copy_halves_what_the_feature_carries(known):
    shares = known.duplicated().high.shares
    assert shares["a",] == shares["copy of a",]
    assert sum(shares.values()) == pytest.approx(1)
