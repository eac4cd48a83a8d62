"""What the numbers of an explanation are easily taken for is told beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.influence.component import Component
from arbitree.influence.readings import is_much_unexplained, readings, shifted

QUICK = {"n_bootstrap": 20, "n_threads": 1}
pytestmark = pytest.mark.filterwarnings("ignore::arbitree.ArbitreeWarning")


@pytest.fixture(scope="module")
def people():
    """`skill` is alike in both groups, `pay` is not."""
    rng = np.random.default_rng(0)
    n = 4000
    group = np.where(np.arange(n) % 2, "m", "f")
    X = pd.DataFrame(
        {"skill": rng.normal(size=n), "pay": rng.normal(size=n) + 1.0 * (group == "m")}
    )
    return X, group


@pytest.fixture(scope="module")
def of_features(people):
    X, group = people
    return ar.explain_gap(X, X.sum(axis=1) > 0.5, sensitive_features=group, **QUICK)


@pytest.fixture(scope="module")
def of_chance(people):
    X, group = people
    luck = np.random.default_rng(1).random(len(X))
    return ar.explain_gap(
        X, luck < np.where(group == "m", 0.6, 0.4), sensitive_features=group, **QUICK
    )


def test_decisions_by_chance_are_told_as_unexplained(of_chance):
    (notice,) = readings(of_chance)
    assert notice in of_chance.notices
    assert notice.startswith("Much is unexplained: of the variance of decisions these features")
    assert "0% within 'm' and 0% within 'f'" in notice
    assert notice in repr(of_chance)


def test_decisions_that_features_make_are_not(of_features):
    assert not is_much_unexplained(of_features)
    assert not [line for line in of_features.notices if "unexplained" in line]


def test_a_part_of_a_feature_that_both_groups_have_alike_is_told(of_features):
    (notice,) = [line for line in of_features.notices if "distributed almost alike" in line]
    assert notice.startswith("'skill' is distributed almost alike in 'm' and 'f'")
    assert "'pay'" not in notice


def test_few_rows_are_no_evidence_that_distributions_are_alike(people):
    X, group = people[0][:200], people[1][:200]
    found = ar.explain_gap(X, X["skill"] > 0.2, sensitive_features=group, **QUICK)
    assert not [line for line in found.notices if "distributed almost alike" in line]


def test_constant_outcomes_are_told_by_their_own_notices():
    X, group = {"x": np.arange(80.0)}, np.repeat(["a", "b"], 40)
    found = ar.explain_gap(X, group == "a", sensitive_features=group, **QUICK)
    assert readings(found) == ()


def test_the_shift_is_the_difference_of_means_over_rows():
    rng = np.random.default_rng(2)
    values = rng.normal(size=5)
    high, low = rng.integers(1, 30, 5), rng.integers(1, 30, 5)
    one = Component(
        labels=(tuple("abcde"),),
        values_high=values,
        values_low=values,
        rows_high=high,
        rows_low=low,
    )
    shift, error = shifted(one, np.array([high.sum(), low.sum()]))
    drawn = [np.repeat(values, rows) for rows in (high, low)]
    assert shift == pytest.approx(drawn[0].mean() - drawn[1].mean())
    assert error == pytest.approx(np.sqrt(sum(rows.var() / len(rows) for rows in drawn)))
