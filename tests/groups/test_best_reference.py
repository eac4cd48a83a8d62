"""Comparisons with the group that came out best."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from arbitree._errors import InputError
from arbitree.groups.best_reference import confidence_against_best
from arbitree.groups.intervals import newcombe


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_two_groups_need_no_more_and_every_further_group_a_little(confidence):
    asked = [confidence_against_best(confidence, n_groups) for n_groups in range(2, 30)]
    assert_allclose(asked[0], confidence, atol=1e-6)
    assert (np.diff(asked) > 0).all()


@pytest.mark.parametrize("n_groups", [3, 8, 20])
def test_equal_groups_are_covered_as_often_as_promised_against_the_best_of_them(n_groups):
    rng = np.random.default_rng(5)
    k = rng.binomial(500, 0.4, size=(2000, n_groups))
    best = k.max(axis=1, keepdims=True)
    others = np.arange(n_groups) != k.argmax(axis=1)[:, None]
    held = {}
    for asked in (0.95, confidence_against_best(0.95, n_groups)):
        low, high = newcombe(k, 500, best, 500, asked)
        held[asked] = np.mean(((low <= 0) & (high >= 0))[others])
    plain, adjusted = held.values()
    assert plain < 0.945
    assert 0.94 <= adjusted <= 0.965


def test_an_impossible_confidence_is_an_error():
    with pytest.raises(InputError, match=r"Pass 0\.95"):
        confidence_against_best(95, 4)
