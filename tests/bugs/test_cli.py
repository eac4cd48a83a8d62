"""Failures reported of other tools: gates that disagree, and commands that cannot fail."""

from __future__ import annotations

import pandas as pd
import pytest

import arbitree as ar
from arbitree.cli import main

from .audits import DECISIONS, LABELS, SEX, audited, gap, group

THRESHOLDS = [0.0, 0.05, 1 / 3, 0.333, 0.334, 0.5, 0.8, 1.0]


@pytest.fixture
def people(tmp_path):
    frame = pd.DataFrame({"sex": SEX, "ok": DECISIONS, "label": LABELS, "none": [0] * 12})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    return tmp_path


def command(folder, *options: object, name: str = "a.csv", decision: str = "ok") -> int:
    asked = [
        "audit",
        folder / name,
        "--decision",
        decision,
        "--sensitive",
        "sex",
        "--resamples",
        100,
        *options,
    ]
    return main([str(part) for part in asked])


@pytest.mark.parametrize("threshold", [0.0, 1 / 3, 0.334, 0.8])
def test_there_is_one_gate_whichever_way_it_is_asked(people, threshold, capfd):
    # fairness_pipeline_dev_toolkit#27
    found = audited()
    for option, verdict in (
        ("--max-gap", found.check(max_gap=threshold)),
        ("--fail-under", found.check(fail_under=threshold)),
    ):
        assert command(people, option, threshold) == verdict.exit_code
        told = capfd.readouterr().err
        assert told.count("gate failed") == len(verdict.failures)
        assert all(failure in told for failure in verdict.failures)


@pytest.mark.parametrize("reference", ["best", "f", "m"])
def test_a_gate_has_no_sign(reference):  # fairness_pipeline_dev_toolkit#27
    found = audited(reference_group=reference)
    turned = audited([1 - value for value in DECISIONS], reference_group=reference)
    ratio = group(found, "m" if reference != "m" else "f")["impact_ratio"]
    for threshold in THRESHOLDS:
        assert found.check(max_gap=threshold).passed == (gap(found)["value"] <= threshold)
        assert found.check(max_gap=threshold).passed == turned.check(max_gap=threshold).passed
        assert found.check(fail_under=threshold).passed == (ratio >= threshold)


STATUSES = [  # decision, options, exit status
    ("ok", (), 0),
    ("ok", ("--fail-under", 0.5), 0),
    ("ok", ("--fail-under", 0.8), 1),
    ("ok", ("--max-gap", 0.4), 0),
    ("ok", ("--max-gap", 0.3), 1),
    ("ok", ("--max-gap", 0.4, "--fail-under", 0.8), 1),
    ("ok", ("--max-gap", 0.3, "--fail-under", 0.5), 1),
    ("none", ("--fail-under", 0.8), 3),
    ("none", ("--max-gap", 0.1), 0),
    ("ok", ("--label", "none", "--metric", "equal_opportunity"), 3),
    ("ok", ("--label", "none", "--metric", "equal_opportunity", "--fail-under", 0.8), 1),
    ("ok", ("--fail-under", 80), 2),
    ("ok", ("--fail-under", "a lot"), 2),
    ("ok", ("--threshold", 0.8), 2),
    ("ok", ("--metric", "fairness"), 2),
    ("nothing", ("--fail-under", 0.8), 2),
]
FORMATS = [(), ("--json",), ("--csv", "--quiet")]


@pytest.mark.parametrize(("decision", "options", "status"), STATUSES, ids=str)
def test_the_exit_status_says_how_the_gate_went(people, decision, options, status):
    # fairness_pipeline_dev_toolkit#19, Fair-Code#115
    assert command(people, *options, decision=decision) == status


@pytest.mark.parametrize("format", FORMATS, ids=str)
@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_failed_gate_fails_whatever_is_written(people, format, name, capfd):  # Fair-Code#115
    assert command(people, *format, "--fail-under", 0.8, name=name) == 1
    told = capfd.readouterr()
    assert told.out
    assert "gate failed: sex: impact ratio of m is 0.500, below 0.8" in told.err


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan"), "0.8", True])
def test_a_threshold_that_makes_no_sense_passes_nothing(threshold):
    found = audited()
    for option in ("max_gap", "fail_under"):
        with pytest.raises(ar.InputError, match=rf"{option} is .*from 0 to 1"):
            found.check(**{option: threshold})


def test_what_cannot_be_decided_never_passes():
    found = audited(y_true=[0] * 12)
    verdict = found.check(max_gap=1.0, metrics=("equal_opportunity",))
    assert not verdict.passed
    assert verdict.exit_code == 3
    assert "0 favourable labels" in verdict.undecided[0]
