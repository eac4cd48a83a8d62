"""Assertions for test suites fail as the gate does, in words that say of whom."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.testing import assert_gap_below, assert_impact_ratio_at_least

SEX = {"sex": ["f"] * 50 + ["m"] * 50}
HIRED = [1] * 20 + [0] * 30 + [1] * 40 + [0] * 10


def test_a_failure_names_groups_rows_and_intervals():
    with pytest.raises(AssertionError) as error:
        assert_gap_below(HIRED, 0.1, sensitive_features=SEX)
    audit = ar.audit(HIRED, sensitive_features=SEX)
    gap = audit.gaps.iloc[0]
    for words in (
        "sex: statistical_parity gap of m over f is 0.400, above 0.1",
        f"interval at 95 %: {gap['ci_low']:.3f} to {gap['ci_high']:.3f}",
        "m    n = 50    selection_rate 0.800",
        "f    n = 50    selection_rate 0.400",
    ):
        assert words in str(error.value)


def test_a_ratio_that_is_too_small_shows_the_group_and_the_reference():
    with pytest.raises(AssertionError) as error:
        assert_impact_ratio_at_least(HIRED, 0.8, sensitive_features=SEX)
    assert "sex: impact ratio of f is 0.500, below 0.8" in str(error.value)
    assert "f    n = 50    selection_rate 0.400" in str(error.value)
    assert "m    n = 50    selection_rate 0.800" in str(error.value)


def test_what_cannot_be_estimated_fails_loudly():
    labels = [0] * 50 + [1, 0] * 25
    with pytest.raises(AssertionError, match="not estimable: sex: equal_opportunity: "):
        assert_gap_below(
            HIRED, 1, metric="equal_opportunity", sensitive_features=SEX, y_true=labels
        )
    with pytest.raises(AssertionError, match="not estimable: sex: impact ratio of f"):
        assert_impact_ratio_at_least([0] * 100, 0.8, sensitive_features=SEX)


@settings(max_examples=25, deadline=None)
@given(
    hired=st.lists(st.integers(0, 1), min_size=100, max_size=100),
    limit=st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.8, 1.0]),
)
def test_assertions_and_the_gate_agree(hired, limit):
    audit = ar.audit(hired, sensitive_features=SEX, n_resamples=100)
    for asserted, gate in (
        (assert_gap_below, audit.check(max_gap=limit)),
        (assert_impact_ratio_at_least, audit.check(fail_under=limit)),
    ):
        if gate.passed:
            assert asserted(audit, limit) is audit
            continue
        with pytest.raises(AssertionError) as error:
            asserted(audit, limit)
        assert all(line in str(error.value) for line in (*gate.failures, *gate.undecided))


@pytest.mark.parametrize("gap", [0.1, 0.2, 0.3, 0.7])
def test_a_gap_equal_to_the_limit_passes_in_spite_of_rounding(gap):
    n = round(100 * gap)
    decisions = [1] * 10 + [0] * 90 + [1] * (10 + n) + [0] * (90 - n)
    sex = {"sex": ["f"] * 100 + ["m"] * 100}
    assert_gap_below(decisions, gap, sensitive_features=sex)
    with pytest.raises(AssertionError):
        assert_gap_below(decisions, gap - 0.001, sensitive_features=sex)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"decisions": HIRED, "max_gap": 0.1}, "sensitive_features is missing"),
        ({"decisions": HIRED, "max_gap": 2, "sensitive_features": SEX}, "from 0 to 1"),
        (
            {"decisions": HIRED, "max_gap": 0.1, "metric": (), "sensitive_features": SEX},
            "names no gap",
        ),
        (
            {"decisions": HIRED, "max_gap": 0.1, "metric": "odds", "sensitive_features": SEX},
            "'odds' was not measured",
        ),
    ],
)
def test_a_question_that_makes_no_sense_is_no_failed_assertion(arguments, words):
    with pytest.raises(ar.InputError, match=words):
        assert_gap_below(**arguments)


def test_an_audit_takes_no_further_options():
    audit = ar.audit(HIRED, sensitive_features=SEX)
    with pytest.raises(ar.InputError, match="An audit was passed, and favorable_label too"):
        assert_gap_below(audit, 0.5, favorable_label=1)


def test_the_module_is_light():
    heavy = "{'pandas', 'scipy', 'sklearn', 'numba', 'matplotlib'}"
    code = f"import sys, arbitree.testing; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
