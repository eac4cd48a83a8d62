"""Notices of what may have been asked by mistake."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

QUICK = {"n_bootstrap": 0, "n_threads": 1}
pytestmark = pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")


@pytest.fixture(scope="module")
def people():
    """Two features, decisions that follow one of them and chance, and two groups."""
    rng = np.random.default_rng(0)
    n = 400
    group = np.where(np.arange(n) % 2, "m", "f")
    X = pd.DataFrame({"pay": rng.normal(size=n) + (group == "m"), "age": rng.normal(size=n)})
    decided = (X["pay"] + rng.normal(size=n) > 0.3).astype(int)
    return X, decided, group


def _told(found, text):
    return [notice for notice in found.notices if text in notice]


def test_a_feature_that_is_the_outcome_is_named(people):
    X, decided, group = people
    with_outcome = X.assign(hired=decided)
    found = ar.explain_gap(with_outcome, decided, sensitive_features=group, **QUICK)
    assert _told(found, "'hired' alone gives the decisions of 'm' and 'f'")


def test_a_feature_that_decides_with_some_chance_is_not(people):
    X, decided, group = people
    found = ar.explain_gap(X, decided, sensitive_features=group, **QUICK)
    assert not _told(found, "alone gives")


@pytest.mark.parametrize("shift", [-3, 1000])
def test_scores_without_a_natural_0_are_told(people, shift):
    X, _, group = people
    found = ar.explain_gap(X, X["pay"] + shift, sensitive_features=group, scores=True, **QUICK)
    assert _told(found, "where the score's 0 is")


def test_scores_that_are_amounts_are_not(people):
    X, _, group = people
    found = ar.explain_gap(X, np.exp(X["pay"]), sensitive_features=group, scores=True, **QUICK)
    assert not _told(found, "where the score's 0 is")


@pytest.mark.parametrize(("groups", "n"), [(("m", "f"), 0), (("f", "m"), 1), (None, 0)])
def test_groups_that_were_turned_round_are_told(people, groups, n):
    X, decided, group = people
    found = ar.explain_gap(X, decided, sensitive_features=group, groups=groups, **QUICK)
    assert found.group_high == "m"
    assert len(_told(found, "'f' was named first and is the lower one")) == n
