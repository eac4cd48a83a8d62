"""Failures reported of other tools: numbers that cannot be worked out again."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from arbitree.report.terminal import terminal_text

from .audits import DECISIONS, LABELS, RACE, SEX, audited

WEIGHTS = [1.0, 2.0, 0.5, 3.0] * 3


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("reference", ["best", "largest"])
def test_every_number_follows_from_the_counts_beside_it(weights, reference):  # AIF360#130
    found = audited(
        sensitive_features={"sex": SEX, "race": RACE},
        y_true=LABELS,
        sample_weight=weights,
        reference_group=reference,
    )
    content = json.loads(found.to_json())
    rates = pd.DataFrame(content["rates"]).astype({"value": float, "ratio": float})
    if weights is None:
        known = rates[rates["n"] > 0]
        np.testing.assert_allclose(known["value"], known["k"] / known["n"], rtol=1e-15)
    by_name = rates.set_index(["metric", "grouping", "group"])["value"]
    for row in rates.itertuples():
        other = by_name[row.metric, row.grouping, row.reference] if row.reference else np.nan
        if other > 0 and not np.isnan(row.value):
            assert row.ratio == pytest.approx(row.value / other)
    selection = rates[rates["metric"] == "selection_rate"].reset_index()
    groups = pd.DataFrame(content["by_group"])
    assert groups["n"].tolist() == selection["n"].tolist()
    assert groups["n_selected"].tolist() == selection["k"].tolist()
    assert groups["impact_ratio"].tolist() == pytest.approx(selection["ratio"].tolist())
    if weights is not None:
        assert groups[groups["grouping"] == "sex"]["weight"].sum() == sum(WEIGHTS)


def test_no_count_is_smoothed_and_no_row_is_left_out():  # AIF360#130
    found = audited(DECISIONS * 100, {"sex": SEX * 100})
    rows = found.by_group
    assert rows["n"].sum() == found.n_rows == 1200
    assert rows["n_selected"].tolist() == [400, 200]
    assert rows["selection_rate"].tolist() == [400 / 600, 200 / 600]
    assert rows["impact_ratio"].tolist() == [1.0, (200 / 600) / (400 / 600)]


def test_the_text_shows_the_counts_beside_each_rate():
    text = terminal_text(audited(DECISIONS * 100, {"sex": SEX * 100}), width=100)
    (line,) = (line for line in text.splitlines() if line.strip().startswith("m "))
    assert "600" in line
    assert "33.3%" in line
    assert "0.50" in line
