"""Failures reported of other tools: what an audit needs, and what it must not need."""

from __future__ import annotations

import inspect
import json
import random
import string

import pandas as pd
import pytest

import arbitree as ar
from arbitree.cli import main

from .audits import DECISIONS, FRAMES, LABELS, RACE, SEX, audited, expected_numbers, numbers

LABEL_METRICS = [
    *("true_positive_rate", "false_positive_rate", "positive_predictive_value", "accuracy"),
    *("negative_predictive_value", "base_rate", "equal_opportunity", "predictive_equality"),
    *("equalized_odds", "predictive_parity", "accuracy_equality", "BA", "BPA", "BNPA"),
]


def names(content: dict) -> set[str]:
    """Every column and every metric of an audit."""
    rows = [row for frame in FRAMES for row in content[frame]]
    return {key for row in rows for key in row} | {row.get("metric") for row in rows}


@pytest.mark.parametrize("way", ["memory", "a.csv", "a.parquet"])
@pytest.mark.parametrize("labelled", [False, True])
def test_without_labels_nothing_that_needs_them_is_made_up(way, labelled, tmp_path, capfd):
    # aequitas#115
    frame = pd.DataFrame({"sex": SEX, "ok": DECISIONS, "label": LABELS})
    if way == "memory":
        found = audited(y_true=LABELS if labelled else None)
        content = found.to_dict()
    else:
        frame.to_csv(tmp_path / "a.csv", index=False)
        frame.to_parquet(tmp_path / "a.parquet")
        asked = ["--decision", "ok", "--sensitive", "sex", "--json", "--resamples", "100"]
        asked += ["--label", "label"] if labelled else []
        assert main(["audit", str(tmp_path / way), *asked]) == 0
        content = json.loads(capfd.readouterr().out)
    assert names(content) & set(LABEL_METRICS) == (set(LABEL_METRICS) if labelled else set())
    assert {frame: content[frame] for frame in FRAMES} == expected_numbers(labels=labelled)


def test_what_needs_labels_is_an_error_without_them():
    with pytest.raises(ar.InputError, match=r"was not measured.*need y_true"):
        audited().check(max_gap=0.1, metrics=("equalized_odds",))


@pytest.mark.parametrize("complete", [False, True])
def test_sensitive_columns_are_what_they_are_among_the_features_and_apart(tmp_path, complete):
    # AIF360#436
    frame = pd.DataFrame({"sex": SEX, "race": RACE, "ok": DECISIONS, "note": ["x", None] * 6})
    frame.to_csv(tmp_path / "a.csv", index=False)
    read = {"decision": "ok", "sensitive": ["sex", "race"], "complete_rows": complete}
    table = ar.read(tmp_path / "a.csv", **read, features="all")
    kept = frame.dropna() if complete else frame
    assert [column.name for column in table.sensitive] == ["sex", "race"]
    for column in table.sensitive:
        shown = [column.coding.label(int(code)) for code in column.codes]
        assert shown == kept[column.name].tolist()
    assert table.n_rows == len(kept)
    assert any("6 of 12 rows" in notice for notice in table.notices) == complete


@pytest.mark.parametrize("seed", range(3))
def test_no_column_has_to_have_a_certain_name(seed, tmp_path):  # AIF360#531
    draw = random.Random(seed)
    letters = string.ascii_letters + "éß漢 _-.0123456789"
    sex, race, ok = ("".join(draw.choices(letters, k=8)) + end for end in "abc")
    frame = pd.DataFrame({race: RACE, ok: DECISIONS, sex: SEX})
    found = audited(frame[[ok]], frame[[sex]])
    assert [row["group"] for row in numbers(found)["by_group"]] == ["f", "m"]
    frame.to_csv(tmp_path / "a.csv", index=False)
    table = ar.read(tmp_path / "a.csv", decision=ok, sensitive=[sex], control=[race])
    assert table.decisions.name == ok


def test_an_audit_takes_neither_features_nor_a_model():  # veritastool#23
    parameters = inspect.signature(ar.audit).parameters
    assert [*parameters][:2] == ["decisions", "sensitive_features"]
    assert not {"X", "model", "estimator", "x_train", "x_test"} & set(parameters)
    required = [p.name for p in parameters.values() if p.default is inspect.Parameter.empty]
    assert required == ["decisions"]  # groups may be probabilities instead
