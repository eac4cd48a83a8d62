"""Every metric against dense least squares on the rows of its condition, and the paper's laws."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from tests.oracles.decomposition import hoeffding

QUICK = {"n_bootstrap": 0, "cross_fit": 0, "n_threads": 1, "penalty": 1e-7}
pytestmark = pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")


def _table(seed, n=600):
    """Small discrete columns, so that the exact decomposition is a dense least-squares problem."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 2, n), rng.integers(0, 3, n), rng.integers(0, 2, n)])
    X[:, 2] ^= X[:, 0] & (rng.random(n) < 0.5)
    group = np.array(["f", "m"])[rng.integers(0, 2, n)]
    truth = ((X[:, 0] + X[:, 1] + rng.integers(0, 3, n)) > 2).astype(int)
    decided = (X[:, 0] ^ (X[:, 1] == 1) | (rng.random(n) < 0.2)) & (
        (group == "m") | (rng.random(n) < 0.7)
    )
    return X, decided.astype(int), group, truth


def _conditions(metric, decided, truth):
    """Rows and explained values of each condition of a metric."""
    every = np.ones(len(decided), bool)
    return {
        "statistical_parity": [(every, decided)],
        "equal_opportunity": [(truth == 1, decided)],
        "predictive_equality": [(truth == 0, decided)],
        "equalized_odds": [(truth == 1, decided), (truth == 0, decided)],
        "predictive_parity": [(decided == 1, truth), (decided == 0, truth)],
    }[metric]


def _by_definition(X, group, rows, values, max_order):
    """w_S = V_S / (1 - p) of one group minus the same of the other (equation 5), and the gap."""
    influence, rates = {}, {}
    for name in ("f", "m"):
        at = rows & (group == name)
        y = values[at].astype(float)
        rates[name] = y.mean()
        for subset, part in hoeffding(X[at].T, y, max_order).items():
            carried = np.mean(part * (y - y.mean())) / (1 - y.mean())
            influence.setdefault(subset, {})[name] = carried
    high, low = sorted(rates, key=rates.get, reverse=True)
    gap = rates[high] - rates[low]
    return {s: of[high] - of[low] for s, of in influence.items()}, gap


@pytest.mark.parametrize("max_order", [1, 2, 3])
@pytest.mark.parametrize(
    "metric",
    [
        "statistical_parity",
        "equal_opportunity",
        "predictive_equality",
        "equalized_odds",
        "predictive_parity",
    ],
)
def test_influences_are_those_of_the_definition(metric, max_order):
    X, decided, group, truth = _table(max_order)
    found = ar.explain_gap(
        X, decided, sensitive_features=group, y_true=truth, metric=metric, max_order=max_order,
        **QUICK,
    )  # fmt: skip
    expected, gap = max(
        (
            _by_definition(X, group, rows, values, max_order)
            for rows, values in _conditions(metric, decided, truth)
        ),
        key=lambda one: one[1],
    )
    assert found.gap == pytest.approx(gap)
    sets = [s for k in range(1, max_order + 1) for s in combinations(range(3), k)]
    influence = dict(zip(found.table["features"], found.table["influence"]))
    for subset in sets:
        names = tuple(f"x_{j}" for j in subset)
        assert influence[names] == pytest.approx(expected[subset], abs=1e-3), names


def _every_combination(decided_m, decided_f):
    """Each of the 8 combinations of three bits, 5 times in each group."""
    bits = np.array([[i >> j & 1 for j in range(3)] for i in range(8)] * 5)
    X = np.concatenate([bits, bits])
    group = np.repeat(["m", "f"], len(bits))
    tables = np.concatenate([np.tile(decided_m, 5), np.tile(decided_f, 5)])
    return X, tables, group


bits_of_8 = st.lists(st.integers(0, 1), min_size=8, max_size=8).map(np.array)


def _explained(X, decided, group, **options):
    found = ar.explain_gap(X, decided, sensitive_features=group, **(QUICK | options))
    return found, dict(zip(found.table["features"], found.table["influence"]))


@settings(max_examples=15)
@given(bits_of_8, bits_of_8)
def test_all_orders_together_explain_the_whole_gap(decided_m, decided_f):
    """Theorem 2, decomposability: the sum over all sets is the gap, nothing is unexplained."""
    X, decided, group = _every_combination(decided_m, decided_f)
    found, influence = _explained(X, decided, group, max_order=3)
    assert found.gap == pytest.approx(abs(decided_m.mean() - decided_f.mean()))
    assert sum(influence.values()) == pytest.approx(found.gap - found.constant, abs=1e-4)
    assert found.unexplained == pytest.approx(found.constant, abs=1e-4)


@settings(max_examples=15)
@given(bits_of_8, bits_of_8)
def test_features_that_may_be_exchanged_have_equal_influences(decided_m, decided_f):
    """Theorem 2, symmetry: decisions that stay the same when x_0 and x_1 change places."""
    swapped = np.array([(i & 4) | (i & 1) << 1 | (i >> 1 & 1) for i in range(8)])
    decided_m, decided_f = decided_m & decided_m[swapped], decided_f | decided_f[swapped]
    _, influence = _explained(*_every_combination(decided_m, decided_f), max_order=3)
    assert influence[("x_0",)] == pytest.approx(influence[("x_1",)], abs=1e-6)
    assert influence[("x_0", "x_2")] == pytest.approx(influence[("x_1", "x_2")], abs=1e-6)


@settings(max_examples=15)
@given(bits_of_8, bits_of_8)
def test_a_feature_that_changes_no_decision_has_influence_0(decided_m, decided_f):
    """Theorem 2, null: x_2 is the highest bit and the decisions do not read it."""
    decided_m, decided_f = np.tile(decided_m[:4], 2), np.tile(decided_f[:4], 2)
    _, influence = _explained(*_every_combination(decided_m, decided_f), max_order=3)
    assert max(abs(w) for names, w in influence.items() if "x_2" in names) < 1e-6


@settings(max_examples=15)
@given(bits_of_8, bits_of_8)
def test_the_sign_of_an_influence_tells_which_group_varies_more(decided_m, decided_f):
    """Propositions 3 and 4, with V_S from the definition and not from the result."""
    X, decided, group = _every_combination(decided_m, decided_f)
    found, influence = _explained(X, decided, group, max_order=3)
    variances = {}
    for name in (found.group_high, found.group_low):
        at = group == name
        parts = hoeffding(X[at].T, decided[at].astype(float), 3)
        variances[name] = {s: float(np.mean(part**2)) for s, part in parts.items()}
    for subset, of_high in variances[found.group_high].items():
        of_low = variances[found.group_low][subset]
        w = influence[tuple(f"x_{j}" for j in subset)]
        if of_high > of_low + 1e-3 and found.rates["rate"].max() < 1:
            assert w > 0
        if w < -1e-3:
            assert of_high < of_low


@pytest.mark.parametrize("rate", [0, 1])
def test_equal_groups_of_one_decision_have_no_influence_of_any_set(rate):
    """Proposition 5."""
    found, influence = _explained(*_every_combination(np.full(8, rate), np.full(8, rate)))
    assert found.gap == 0
    assert set(influence.values()) == {0.0}


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_gap_of_1_leaves_everything_unexplained_at_any_order(order):
    """Proposition 6."""
    found, influence = _explained(
        *_every_combination(np.ones(8, int), np.zeros(8, int)), max_order=order
    )
    assert (found.gap, found.unexplained) == (1, 1)
    assert set(influence.values()) == {0.0}
