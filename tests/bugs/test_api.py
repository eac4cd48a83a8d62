"""Failures reported of other tools: parameters that are ignored, results that fail together."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.groups.metrics import GAPS

from .audits import DECISIONS, LABELS, SEX, audited, coded, gap


@pytest.mark.parametrize(
    ("labels", "lost"),
    [
        ([0] * 6 + LABELS[6:], {"equal_opportunity", "equalized_odds"}),
        ([1] * 6 + LABELS[6:], {"predictive_equality", "equalized_odds"}),
        ([0] * 12, {"equal_opportunity", "equalized_odds"}),
        (LABELS, set()),
    ],
)
def test_a_metric_that_cannot_be_estimated_spoils_no_other(labels, lost):  # fairlearn#800
    found = audited(y_true=labels)
    unknown = {row.metric for row in found.gaps.itertuples() if np.isnan(row.value)}
    assert unknown == lost
    assert set(found.gaps["metric"]) == set(GAPS)
    assert gap(found)["value"] == gap(audited())["value"]
    for metric in set(GAPS) - lost:
        assert found.check(max_gap=1.0, metrics=(metric,)).passed


UNKNOWN = ["favourable_label", "pos_label", "metrics", "n_jobs", "sensitive", "threshold"]


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("function", [ar.audit, ar.read], ids=["audit", "read"])
def test_an_option_that_is_not_known_is_an_error(function, name):  # facet#380
    if name in inspect.signature(function).parameters:
        return
    with pytest.raises(TypeError, match=name):
        function(DECISIONS, **{name: 1})


@pytest.mark.parametrize(
    "options",
    [
        {"cross": "no"},
        {"cross": None},
        {"p_values": 1},
        {"confidence": 95},
        {"confidence": "0.95"},
        {"min_group_size": 2.5},
        {"min_group_size": True},
        {"n_resamples": 0},
        {"random_state": -1},
        {"missing": "ignore"},
        {"reference_group": "privileged"},
        {"reference_group": {"gender": "f"}},
        {"lower_score_favorable": True},
        {"favorable_label": 1, "score_threshold": 0.5},
        {"bins": {"gender": [1, 2]}},
        {"bins": {"sex": [1, 2]}},
        {"y_true_favorable": 1},
    ],
    ids=str,
)
def test_an_option_that_cannot_be_honoured_is_an_error_and_never_dropped(options):  # facet#380
    with pytest.raises(ar.InputError):
        audited(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"decision": "ok", "label_favorable": 1},
        {"favorable_label": 1},
        {"decision": "ok", "lower_score_favorable": True},
        {"lower_score_favorable": True},
        {"decision": "ok", "score": "s", "score_threshold": 0.5},
        {"score": "s", "score_threshold": 0.5, "favorable_label": 1},
        {"score_threshold": 0.5},
        {"decision": "ok", "features": "ALL"},
        {"decision": "ok", "bins": {"ok": [1]}},
        {"decision": "ok", "where": "nothing = 1"},
        {"decision": "ok", "missing": "ignore"},
        {"decision": "ok", "sep": ",,"},
        {"decision": "ok", "decimal": "..", "thousands": ","},
    ],
    ids=str,
)
def test_an_option_of_a_file_that_cannot_be_honoured_is_an_error(options, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("sex,ok,s\nf,1,0.2\nm,0,0.7\n", encoding="utf-8")
    with pytest.raises(ar.InputError):
        ar.read(path, sensitive="sex", **options)


@pytest.mark.parametrize("put", [list, tuple, np.array, pd.Series], ids=repr)
@pytest.mark.parametrize("thresholds", [[0.5], [0.3, 0.6]], ids=str)
def test_several_thresholds_are_never_squashed_into_one(put, thresholds):  # aequitas#71
    scores = [i / 12 for i in range(12)]
    with pytest.raises(ar.InputError, match="Pass a finite number"):
        coded(scores, score_threshold=put(thresholds))
    one_each = [audited(scores, score_threshold=threshold) for threshold in thresholds]
    for found, threshold in zip(one_each, thresholds):
        passed = [score >= threshold for score in scores]
        assert found.overall.loc[0, "n_selected"] == sum(passed)
        assert f">= {threshold}" in found.favorable


@pytest.mark.parametrize("threshold", ["0.5", True, float("nan"), float("inf"), object()])
def test_a_threshold_is_a_number(threshold):
    with pytest.raises(ar.InputError, match="finite number"):
        coded([0.1, 0.9] * 6, score_threshold=threshold)


def test_columns_are_given_and_never_looked_up_by_name():
    with pytest.raises(ar.InputError, match="Pass the values"):
        audited(sensitive_features="sex")
    assert len(SEX) == len(DECISIONS)
