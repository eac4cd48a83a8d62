"""What a certificate says of data is held against the data."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import arbitree as ar
from arbitree.certificate.check.run import check_certificate, check_text

from . import problems
from .tampering import changes, pattern, rehashed


def _texts(path, frame, **how):
    frame.to_csv(path, index=False, **how)
    return path


@pytest.mark.parametrize("method", ["clopper-pearson", "newcombe", "hoeffding"])
def test_a_certificate_and_its_rows_agree(tmp_path, method):
    rows, text = problems.people(), problems.both(method).to_json()
    for data in (
        rows,
        rows.to_dict("list"),
        _texts(tmp_path / "rows.csv", rows),
        _texts(tmp_path / "rows.txt", rows, sep=";", encoding="utf-8-sig"),
    ):
        found = check_text(text, data)
        assert found.valid, found.failures
        assert "counts of groups, from the tree run on the data" in found.rederived


def test_other_rows_are_told_from_those_that_were_counted():
    rows, text = problems.people(), problems.both().to_json()
    for column, value in (("decided", "maybe"), ("sex", "x"), ("income", 1e6), ("member", True)):
        other = rows.copy()
        where = other.index[other[column] != value][0]
        other.loc[where, column] = value
        found = check_text(text, other)
        assert any(f"'{column}'" in failure for failure in found.failures)
    assert not check_text(text, rows.iloc[::-1]).valid
    assert not check_text(text, rows.iloc[:-1]).valid
    assert "no column" in check_text(text, rows.drop(columns="sex")).failures[0]


def test_counts_that_were_made_up_consistently_are_found_by_the_data():
    """A whole fairness part of other decisions, under the digests of these rows."""
    rows = problems.people()
    honest = json.loads(problems.both().to_json())
    lie = ar.certify(
        problems.plain_tree(),
        rows[problems.FEATURES].assign(income=5000.0),
        rows["decided"],
        sensitive_features=rows[["sex", "member"]],
        max_gap=0.4,
    ).to_dict()["fairness"]
    forged = {**honest, "fairness": {**lie, "data": honest["fairness"]["data"]}}
    forged["statement"] = f"{honest['safety']['statement']} {lie['statement']}"
    forged = rehashed(forged)
    assert check_text(json.dumps(forged)).valid
    failures = check_text(json.dumps(forged), rows).failures
    assert any("the certificate counts" in failure for failure in failures)


def test_of_the_fairness_part_only_words_and_limits_pass_with_the_data_in_hand():
    rows, document = problems.people(), json.loads(problems.both().to_json())
    passed = {
        pattern(path)
        for path, _, changed in changes({"fairness": document["fairness"]})
        if len(path) > 1
        for whole in [rehashed({**document, **changed})]
        if check_text(json.dumps(whole)).valid and check_text(json.dumps(whole), rows).valid
    }
    assert passed <= {"fairness.favorable", "fairness.label_favorable", "fairness.max_gap",
                      "fairness.data.missing", "fairness.data.favorable.label.*",
                      "fairness.data.favorable.label"}  # fmt: skip


def test_decisions_without_a_tree_are_counted_from_their_column(tmp_path):
    frame = pd.DataFrame({"sex": ["f"] * 50 + ["m"] * 50, "decided": [1, 0] * 50})
    found = ar.certify(frame["decided"], sensitive_features=frame["sex"])
    found.write(tmp_path / "certificate.json")
    assert check_certificate(tmp_path / "certificate.json", frame).valid
    other = frame.assign(decided=[1] * 50 + [1, 0] * 25)
    failures = check_certificate(tmp_path / "certificate.json", other).failures
    assert any("the certificate counts (25, 50)" in failure for failure in failures)


def test_what_cannot_be_run_again_is_said_and_not_held_against_the_certificate():
    joined = pd.date_range("2024-01-01", periods=100)
    X = pd.DataFrame({"joined": joined})
    y = [0] * 50 + [1] * 50
    sex = pd.Series(["f", "m"] * 50, name="sex")
    tree = ar.TreeClassifier().fit(X, y)
    text = ar.certify(tree, X, sensitive_features=sex).to_json()
    found = check_text(text, X.assign(sex=sex))
    assert found.valid, found.failures
    assert any("which is not run here" in line for line in found.not_rederived)


def test_data_that_cannot_be_read_is_told_also_where_nothing_is_bound_to_data(tmp_path):
    text = problems.one_rule().to_json()
    with pytest.raises(FileNotFoundError):
        check_text(text, tmp_path / "misspelt.csv")
    (tmp_path / "empty.csv").write_text("")
    assert not check_text(text, tmp_path / "empty.csv").valid
    assert check_text(text, {"age": [1]}).valid
