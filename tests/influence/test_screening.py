"""Which features, pairs and triples get a component where there are many."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import arbitree as ar
from arbitree.influence.fit import fit_group
from arbitree.influence.gains import pair_gains, single_gains, triple_gains
from arbitree.influence.settings import Settings

from .models import small_axes

QUICK = {"n_bootstrap": 0, "cross_fit": 0, "n_threads": 1, "penalty": 1.0}


def _codes(seed, n=400, d=4):
    rng = np.random.default_rng(seed)
    n_codes = rng.integers(2, 5, d)
    codes = np.stack([rng.integers(0, k, n) for k in n_codes]).astype(np.uint8)
    left = rng.normal(size=n)
    return codes, n_codes.tolist(), left - left.mean()


def _by_loops(codes, left, subset):
    """Squares between cells, less those of every smaller set, less what chance gives."""
    squares, free = 0.0, 0
    for size in range(len(subset) + 1):
        for smaller in combinations(subset, size):
            cells = {}
            for row, value in enumerate(left):
                cells.setdefault(tuple(codes[j, row] for j in smaller), []).append(value)
            sign = (-1) ** (len(subset) - size)
            squares += sign * sum(sum(cell) ** 2 / len(cell) for cell in cells.values())
            free += sign * len(cells)
    return squares - max(free, 0) * np.mean(left**2)


@pytest.mark.parametrize("seed", range(3))
def test_gains_are_those_of_loops(seed):
    codes, n_codes, left = _codes(seed)
    sets = [list(combinations(range(4), size)) for size in (1, 2, 3)]
    found = [
        single_gains(codes, n_codes, left),
        pair_gains(codes, n_codes, left, sets[1]),
        triple_gains(codes, n_codes, left, sets[2]),
    ]
    for of_size, gains in zip(sets, found):
        assert_allclose(
            gains.beyond_chance, [_by_loops(codes, left, s) for s in of_size], atol=1e-8
        )


def _parity(n_features, three, seed=0, n=3000):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, n_features))
    group = np.arange(n) % 2
    odd = X[:, list(three)].sum(axis=1) % 2
    return X, np.where(group == 1, odd, rng.random(n) < 0.1).astype(int), group


def test_the_parity_of_three_is_found_among_many_features():
    three = (4, 11, 23)
    X, decided, group = _parity(25, three)
    found = ar.explain_gap(X, decided, sensitive_features=group, max_order=3, **QUICK)
    assert found.table["features"][0] == tuple(f"x_{j}" for j in three)
    assert found.table["influence"][0] == pytest.approx(0.5, abs=0.05)
    assert (found.table["order"] == 3).sum() < 5


def test_every_pair_of_a_triple_has_a_component():
    X, decided, group = _parity(20, (0, 1, 2), n=400)
    found = ar.explain_gap(X, decided, sensitive_features=group, max_order=3, **QUICK)
    known = set(found.table["features"])
    for names in known:
        assert {pair for pair in combinations(names, 2) if len(names) == 3} <= known


def test_triples_of_chosen_pairs_are_made_of_these_alone():
    X, decided, group = _parity(5, (0, 1, 2), n=400)
    pairs = [("x_0", "x_1"), ("x_1", "x_2"), ("x_0", "x_2"), ("x_3", "x_4")]
    found = ar.explain_gap(X, decided, sensitive_features=group, max_order=3, pairs=pairs, **QUICK)
    of_order = {k: set(f.features) for k, f in found.table.groupby("order")}
    assert of_order[2] == set(pairs)
    assert of_order[3] == {("x_0", "x_1", "x_2")}


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_of_very_many_features_the_strongest_are_fitted_and_it_is_said():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 900))
    group = np.arange(200) % 2
    decided = np.where(group == 1, X[:, 870], rng.random(200) < 0.1).astype(int)
    found = ar.explain_gap(X, decided, sensitive_features=group, pairs=2, **QUICK)
    assert found.table["order"].value_counts().to_dict() == {1: 200, 2: 2}
    assert ("x_870",) in set(found.table["features"])
    assert any("Of 900 features only the 200" in sentence for sentence in found.notices)
    assert found.table.influence.sum() + found.unexplained == pytest.approx(found.gap, abs=1e-9)


@pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")
def test_a_pair_that_is_asked_for_is_fitted_however_weak_its_features_are():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (60, 230))
    group = np.arange(60) % 2
    decided = rng.integers(0, 2, 60)
    asked = [("x_7", "x_229"), ("x_0", "x_1")]
    found = ar.explain_gap(X, decided, sensitive_features=group, pairs=asked, **QUICK)
    known = set(found.table["features"])
    assert {*asked, ("x_7",), ("x_229",), ("x_0",), ("x_1",)} <= known


def _product(n_features, seed, n=1000):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    z = 2 * X[:, 0] * X[:, 1] + rng.normal(size=n)
    return X, (z > 0).astype(int), rng.integers(0, 2, n)


def test_pairs_of_noise_are_left_out_and_those_of_the_rule_are_found():
    X, decided, group = _product(25, seed=0)
    named = {"n_bootstrap": 0, "n_threads": 1, "sensitive_features": group}
    found = ar.explain_gap(X, decided, **named)
    pairs = found.table[found.table["order"] == 2]
    assert pairs["features"].iloc[0] == ("x_0", "x_1")
    assert len(pairs) < 15  # of 300, by all rows and by those outside each of five folds
    asked = ar.explain_gap(X, decided, pairs=[("x_0", "x_1")], **named)
    assert_allclose(found.r2["in_sample"], asked.r2["in_sample"], atol=0.05)
    assert_allclose(found.r2["out_of_fold"], asked.r2["out_of_fold"], atol=0.05)


def test_a_number_of_pairs_is_kept_to_whatever_they_carry():
    X, decided, group = _product(18, seed=1, n=300)
    found = ar.explain_gap(X, decided, sensitive_features=group, pairs=7, **QUICK)
    assert (found.table["order"] == 2).sum() == 7


def test_a_component_that_is_not_allowed_is_as_if_it_were_not_there():
    X, decided, _ = _product(3, seed=2)
    axes, codes = small_axes(dict(zip("abc", X.T)))
    sets = [s for size in (1, 2) for s in combinations(range(3), size)]
    settings = Settings(penalty="reml", cross_fit=0, n_bootstrap=0, seed=0, n_threads=1)
    allowed = np.ones((1, len(sets)), bool)
    allowed[0, -1] = False
    without = fit_group(axes, codes, decided.astype(float), sets[:-1], settings)
    masked = fit_group(axes, codes, decided.astype(float), sets, settings, allowed=allowed)
    assert masked.in_sample == pytest.approx(without.in_sample, abs=1e-3)
    for features, share in without.shares.items():
        assert masked.shares[features] == pytest.approx(share, abs=1e-3)
    assert masked.shares[sets[-1]] == pytest.approx(0, abs=1e-9)
