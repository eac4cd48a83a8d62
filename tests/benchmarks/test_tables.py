"""What the benchmark of the paper's tables runs on."""

from __future__ import annotations

import numpy as np
import pytest


def test_there_are_480_instances_each_with_a_key_of_its_own(module):
    keys = {one.key for one in module("instances").all_instances()}
    assert len(keys) == 480


def test_training_parts_have_the_dimensions_of_the_paper(module, shared_data):
    for name, found, printed in module("instances").dimensions():
        assert found == printed, name


def test_an_age_that_is_sensitive_becomes_four_columns_of_zeros_and_ones(module, shared_data):
    datasets = module("datasets_of_paper")
    matrix = datasets.load(datasets.BY_NAME["German"], age_binned=True).matrix
    ages = matrix[[f"Age_{k}" for k in range(4)]]
    assert (ages.sum(axis=1) == 1).all()
    assert "Age" not in matrix


@pytest.mark.parametrize(
    ("high", "rates", "reason"),
    [
        (1, (1.0, 0.5), "p_max = 1"),
        (1, (0.5, 0.0), "p_min = 0"),
        (1, (1.0, 0.0), "p_max = 1"),
        (0, (0.0, 0.0), "no gap"),
        (1, (0.6, 0.5), ""),
    ],
)
def test_a_gap_without_variance_in_a_group_is_degenerate(module, high, rates, reason):
    problem = module("instances").Problem(
        rows=np.arange(2),
        outcome=np.zeros(2),
        groups=np.array([0, 1]),
        high=high,
        low=0,
        rate_high=rates[0],
        rate_low=rates[1],
    )
    assert problem.why_degenerate == reason
