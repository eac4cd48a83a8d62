"""The paper's figures, and the population behind them."""

from __future__ import annotations

import numpy as np
import pytest

from arbitree._errors import InputError
from arbitree.datasets import make_health_insurance
from arbitree.datasets.health_insurance import is_eligible


def _rates(people) -> dict[str, float]:
    return (people.frame.eligible == "yes").groupby(people.frame.age).mean().to_dict()


def test_the_tree_dt1_selects_as_published():
    assert _rates(make_health_insurance()) == {"elderly": 0.165, "young": 0.695}


def test_the_tree_dt2_selects_as_published():
    assert _rates(make_health_insurance(income_if_unfit=0.55)) == {"elderly": 0.706, "young": 0.707}


@pytest.mark.parametrize("income_if_unfit", [0.69, 0.55, 0.2])
def test_the_truth_is_the_rate_of_a_large_draw(income_if_unfit):
    people = make_health_insurance(
        200_000, income_if_unfit=income_if_unfit, random_state=np.random.default_rng(3)
    )
    truth = people.truth.set_index("group").selection_rate
    for age, rate in _rates(people).items():
        assert rate == pytest.approx(truth[age], abs=0.005)


def test_the_gap_of_the_population_is_the_published_one():
    rate = make_health_insurance(1).truth.set_index("group").selection_rate
    assert rate["young"] - rate["elderly"] == pytest.approx(0.521, abs=5e-4)


def test_values_on_a_threshold_are_selected():
    assert is_eligible(np.array([0.61, 0.60]), np.array([0.29, 0.69])).all()


def test_an_empty_draw_is_an_error():
    with pytest.raises(InputError, match="n_per_group is 0"):
        make_health_insurance(0)


def test_a_negative_seed_is_refused_in_words():
    with pytest.raises(InputError, match="at least 0"):
        make_health_insurance(10, random_state=-1)
