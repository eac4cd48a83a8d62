"""Splines get steps where the outcome jumps, and only there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

import arbitree as ar
from arbitree.influence.axes import spline
from arbitree.influence.steps import (
    OutcomeByCode,
    jumps,
    outcome_by_code,
    parted,
    with_steps,
)

CODES = 200


FUNCTIONS = spline((np.arange(CODES) + 0.5) / CODES, 6)[0]


def _jumps(mean, n=2000, seed=0, weigh=np.ones):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, CODES, n)
    y = (rng.random(n) < mean(codes / CODES)).astype(float)
    w = weigh(n) if weigh is np.ones else weigh(rng, n)
    return jumps(FUNCTIONS, outcome_by_code(codes, CODES, w, y - np.average(y, weights=w)))


def test_two_thresholds_are_found_where_they_are():
    found = _jumps(lambda x: np.where((x >= 0.3) & (x < 0.75), 0.9, 0.1))
    assert len(found) == 2
    assert found == pytest.approx([60, 150], abs=1)


def test_a_smooth_rise_has_no_step():
    assert _jumps(lambda x: ndtr(3 * (x - 0.5))) == []


def test_of_500_columns_of_noise_hardly_any_has_a_step():
    assert sum(bool(_jumps(lambda x: 0 * x + 0.4, seed=s)) for s in range(500)) <= 5


@pytest.mark.parametrize(
    ("rate", "n", "weigh"),
    [
        (0.02, 250, np.ones),
        (0.01, 500, np.ones),
        (0.01, 2000, np.ones),
        (0.4, 2000, lambda rng, n: rng.exponential(size=n)),
        (0.4, 2000, lambda rng, n: rng.lognormal(0, 1.5, n)),
    ],
    ids=["rare, 250", "rare, 500", "rare, 2000", "exponential weights", "lognormal weights"],
)
def test_rare_decisions_and_uneven_weights_make_no_steps_either(rate, n, weigh):
    assert sum(bool(_jumps(lambda x: 0 * x + rate, n, s, weigh)) for s in range(200)) <= 4


def test_a_group_with_rare_decisions_has_its_step_when_there_are_enough():
    found = _jumps(lambda x: np.where(x >= 0.9, 0.3, 0.0), n=3000)
    assert found == pytest.approx([180], abs=1)


def test_the_best_step_is_that_of_least_squares():
    rng = np.random.default_rng(1)
    y = rng.normal(size=CODES) + 8 * (np.arange(CODES) >= 77)
    weights = rng.random(CODES) + 0.5
    left = []
    for k in range(1, CODES):
        x = np.column_stack([FUNCTIONS, np.arange(CODES) >= k]) * np.sqrt(weights)[:, None]
        z = y * np.sqrt(weights)
        left.append(np.sum((z - x @ np.linalg.lstsq(x, z, rcond=None)[0]) ** 2))
    tallied = OutcomeByCode(
        weights=weights, sums=weights * y, squares=weights, fourths=weights * 1e-9
    )
    assert jumps(FUNCTIONS, tallied)[0] == 1 + int(np.argmin(left))


def test_no_code_spans_a_step_and_order_is_kept():
    merged = parted(np.array([0, 0, 1, 1, 1, 2]), [1, 4])
    assert merged.tolist() == [0, 1, 2, 2, 3, 4]


def test_a_step_is_a_function_of_its_own():
    functions, penalty = with_steps(np.zeros((5, 2)), np.eye(2), np.array([3]))
    assert functions[:, 2].tolist() == [0, 0, 0, 1, 1]
    assert penalty.shape == (3, 3)


def test_decisions_by_thresholds_are_explained_to_three_digits():
    rng = np.random.default_rng(0)
    n = 5000
    X = pd.DataFrame({"a": rng.normal(size=2 * n), "b": rng.normal(size=2 * n)})
    group = np.repeat(["p", "q"], n)
    X.loc[group == "q", "a"] += 0.8
    decided = ((X.a > 0.37) & (X.b > -0.51)).astype(int)
    found = ar.explain_gap(X, decided, sensitive_features=group, n_bootstrap=0)
    assert abs(found.unexplained) < 0.005
    assert (found.r2.out_of_fold > 0.98).all()
