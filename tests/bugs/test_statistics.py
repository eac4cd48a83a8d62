"""Failures reported of other tools: intervals of another number than the one they stand beside."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

import arbitree as ar

from .audits import LABELS, audited, expected_numbers, gap

CELLS = [
    [(0, 5), (5, 5)],
    [(1, 1), (0, 1)],
    [(30, 100), (50, 100)],
    [(7, 20), (7, 20), (7, 20)],
    [(1, 40), (20, 40), (39, 40)],
    [(410, 500), (120, 400), (160, 300)],
    [(0, 50), (0, 50), (0, 50)],
    [(90, 100), (88, 100), (5, 7), (899, 1000)],
]
every_table = pytest.mark.parametrize("cells", CELLS, ids=str)


def by_default(cells: list[tuple[int, int]]) -> ar.Audit:
    return _by_default(tuple(cells))


@cache
def _by_default(cells: tuple[tuple[int, int], ...]) -> ar.Audit:
    return audited(*table(list(cells)))


def table(cells: list[tuple[int, int]]) -> tuple[list[int], dict[str, list[str]]]:
    decisions = [int(i < k) for k, n in cells for i in range(n)]
    return decisions, {"g": [f"g{j}" for j, (_, n) in enumerate(cells) for _ in range(n)]}


@every_table
@pytest.mark.parametrize("confidence", [0.5, 0.99])
def test_every_interval_holds_the_number_it_belongs_to(cells, confidence):
    # fairness_pipeline_dev_toolkit#23
    decisions, groups = table(cells)
    found = audited(decisions, groups, confidence=confidence)
    for frame, columns in (
        (found.rates, [("value", "ci_low", "ci_high")]),
        (found.rates, [(x, f"{x}_low", f"{x}_high") for x in ("difference", "ratio")]),
        (found.gaps, [("value", "ci_low", "ci_high"), ("ratio", "ratio_low", "ratio_high")]),
        (found.summary, [(x, f"{x}_low", f"{x}_high") for x in ("p_rule", "n_rule")]),
    ):
        for value, low, high in columns:
            known = frame.dropna(subset=value)
            assert (known[low] <= known[value] + 1e-12).all()
            assert (known[value] <= known[high] + 1e-12).all()


@every_table
def test_intervals_of_rates_are_those_of_scipy(cells):  # fairness_pipeline_dev_toolkit#23
    found = by_default(cells)
    for row, (k, n) in zip(found.by_group.itertuples(), cells):
        expected = binomtest(k, n).proportion_ci(0.95, method="wilson")
        np.testing.assert_allclose((row.ci_low, row.ci_high), expected, atol=1e-12)


@every_table
def test_the_interval_of_the_largest_gap_is_of_the_largest_gap(cells):
    # fairness_pipeline_dev_toolkit#26
    found = by_default(cells)
    row = gap(found)
    rates = [k / n for k, n in cells]
    assert row["value"] == pytest.approx(max(rates) - min(rates))
    assert 0 <= row["ci_low"] <= row["value"] <= row["ci_high"] <= 1
    pooled = sum(k for k, _ in cells) / sum(n for _, n in cells)
    if max(rates) - min(rates) > 0.5 and min(n for _, n in cells) > 30:
        assert not row["ci_low"] <= abs(rates[0] - pooled) <= row["ci_high"]


@pytest.mark.parametrize("n_groups", [3, 8])
def test_a_gap_picked_after_looking_has_a_wider_interval_than_two_groups_have(n_groups):
    cells = [(50, 100), (30, 100), *[(40, 100)] * (n_groups - 2)]
    many, two = (gap(audited(*table(some), n_resamples=500)) for some in (cells, cells[:2]))
    assert many["value"] == two["value"]
    assert many["ci_low"] < two["ci_low"]


@pytest.mark.parametrize("times", [4, 100])
def test_more_rows_of_the_same_kind_narrow_every_interval(times):
    few = audited(*table([(3, 10), (6, 10)]))
    many = audited(*table([(3 * times, 10 * times), (6 * times, 10 * times)]))
    for frame, low, high in (
        ("by_group", "ci_low", "ci_high"),
        ("gaps", "ci_low", "ci_high"),
        ("gaps", "ratio_low", "ratio_high"),
    ):
        narrow, wide = getattr(many, frame), getattr(few, frame)
        assert (narrow[high] - narrow[low] < wide[high] - wide[low]).all()


def test_the_value_beside_an_interval_does_not_depend_on_resampling():
    for resamples, seed in ((100, 1), (300, 2)):
        found = audited(y_true=LABELS, n_resamples=resamples, random_state=seed)
        values = [row["value"] for row in expected_numbers(labels=True)["gaps"]]
        assert found.gaps["value"].tolist() == values
