"""Failures reported of other tools: missing values, treated alike wherever they come in."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import arbitree as ar
from arbitree.cli import main
from arbitree.report.html import html_page
from arbitree.report.markdown import markdown_document
from arbitree.report.terminal import terminal_text
from tests.table.containers import every_text_container

from .audits import DECISIONS, LABELS, RACE, SEX, audited, coded, numbers, selected

UNKNOWN = [None if i in (3, 8) else level for i, level in enumerate(RACE)]


@every_text_container
def test_a_missing_group_is_the_same_in_every_container(put):  # fairlearn#1155
    for policy in ("error", "drop", "group"):
        column = coded(sensitive_features=put(UNKNOWN), missing=policy).sensitive[0]
        assert column.coding.levels == ("a", "b", "c")
        assert column.codes.tolist() == [3 if v is None else "abc".index(v) for v in UNKNOWN]


@pytest.mark.parametrize(
    "missing", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT], ids=repr
)
@pytest.mark.parametrize("known", [["a", "b"], [1, 2], [1.5, 2.5], [True, False]], ids=repr)
def test_no_way_to_write_missing_is_a_group_called_nan(missing, known):  # fairlearn#1155
    column = coded([1, 0, 1], {"g": [*known, missing]}).sensitive[0]
    assert sorted(column.coding.levels) == sorted(known)
    assert column.codes.tolist()[2] == column.coding.missing_code


@pytest.mark.parametrize("word", ["nan", "None", "NA", "<NA>", "null", "n/a", "(missing)"])
def test_a_word_for_missing_is_a_group_until_it_is_said_to_be_none(word, tmp_path):
    groups = [word if i == 3 else level for i, level in enumerate(RACE)]
    found = audited(sensitive_features={"race": [*groups[:-1], None]}, missing="group")
    assert len(set(found.by_group["group"])) == 5
    path = tmp_path / "a.csv"
    pd.DataFrame({"race": groups, "ok": DECISIONS}).to_csv(path, index=False)
    read = {"sensitive": "race", "decision": "ok"}
    assert word in ar.read(path, **read).sensitive[0].coding.levels
    named = ar.read(path, **read, missing_values=[word]).sensitive[0]
    assert named.coding.levels == ("a", "b", "c")
    assert np.count_nonzero(named.codes == named.coding.missing_code) == 1


@pytest.fixture
def with_unknown(tmp_path):
    frame = pd.DataFrame({"ok": DECISIONS, "sex": SEX, "race": UNKNOWN})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    return frame, tmp_path


@pytest.mark.parametrize("policy", ["drop", "group"])
def test_every_way_in_has_the_same_policy(with_unknown, policy, capfd):  # fairlearn#1725
    frame, folder = with_unknown
    found = ar.audit(frame["ok"], sensitive_features=frame[["sex", "race"]], missing=policy)
    for name in ("a.csv", "a.parquet"):
        asked = ["--decision", "ok", "--sensitive", "sex,race", "--missing", policy, "--json"]
        assert main(["audit", str(folder / name), *asked]) == 0
        content = json.loads(capfd.readouterr().out)
        assert {frame: content[frame] for frame in numbers(found)} == numbers(found)
    ax = ar.plot_groups(found, grouping="race", ax=Figure().subplots())
    drawn = {label.get_text().split(" (n=")[0] for label in ax.get_yticklabels()}
    assert drawn == {"a", "b", "c"} | ({"(missing)"} if policy == "group" else set())


@pytest.mark.parametrize("role", ["sensitive_features", "control_features", "decisions", "y_true"])
def test_every_input_refuses_missing_values_with_column_count_and_row(role):  # fairlearn#1725
    inputs = {
        "decisions": pd.Series(DECISIONS, name="ok"),
        "sensitive_features": pd.Series(SEX, name="sex"),
        "control_features": pd.Series(RACE, name="race"),
        "y_true": pd.Series(LABELS, name="label"),
    }
    inputs[role] = inputs[role].astype(object).where(~inputs[role].index.isin([4, 9]))
    with pytest.raises(ar.MissingValueError, match=r"2 missing values.*row 4") as caught:
        audited(**inputs)
    assert inputs[role].name in str(caught.value)
    assert "missing='drop'" in str(caught.value)
    for policy in ("drop", "group"):
        found = audited(**inputs, missing=policy)
        assert found.notices or policy == "group"


def test_a_missing_file_value_is_refused_as_one_in_memory_is(with_unknown, capfd):
    _, folder = with_unknown
    for name in ("a.csv", "a.parquet"):
        asked = ["--decision", "ok", "--sensitive", "race", "--missing", "error"]
        assert main(["audit", str(folder / name), *asked]) == 2
        told = capfd.readouterr()
        assert told.out == ""
        assert "2 missing values, the first at row 3" in told.err


@pytest.mark.parametrize("role", ["scores", "sample_weight"])
@pytest.mark.parametrize("missing", [np.nan, None, pd.NA], ids=repr)
def test_one_missing_number_spoils_no_other(role, missing):  # SALib#237
    n, row = 2_000, 1_234
    values = np.linspace(0, 1, n).astype(object)
    values[row] = missing
    groups = {"g": ["f", "m"] * (n // 2)}
    if role == "sample_weight":
        with pytest.raises(ar.InputError, match=r"1 missing value.*row 1,?234"):
            audited([0, 1] * (n // 2), groups, sample_weight=values)
        return
    with pytest.raises(ar.MissingValueError, match=r"1 missing value.*row 1,?234"):
        audited(values, groups, score_threshold=0.5)
    found = audited(values, groups, score_threshold=0.5, missing="drop")
    assert selected(found) == {"f": (499, 999), "m": (500, 1000)}
    assert any("1 row without a decision" in notice for notice in found.notices)
    assert not found.by_group["mean_score"].isna().any()


@pytest.mark.parametrize(
    "written",
    [
        repr,
        ar.Audit.to_json,
        ar.Audit.to_markdown,
        ar.Audit.to_html,
        ar.Audit.to_latex,
        lambda found: terminal_text(found, width=100, color=False),
        html_page,
        markdown_document,
    ],
    ids=["repr", "JSON", "Markdown", "HTML", "LaTeX", "terminal", "page", "document"],
)
def test_unknown_is_a_group_of_its_own_wherever_it_is_shown(written):  # explainerdashboard#273
    found = audited(sensitive_features={"race": UNKNOWN}, missing="group")
    assert "(missing)" in written(found).replace("\\", "")
    assert selected(found)["(missing)"] == (2, 2)
