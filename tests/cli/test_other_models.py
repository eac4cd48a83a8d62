"""``--model`` with files of other libraries: what they decide on a file's raw columns."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from tests.model.other_models import NUMBERS, people, write_all

_SEX = ("--sensitive", "sex")
KINDS = ("model.skops", "model.joblib", "xgboost.json", "xgboost.ubj", "lightgbm.txt")


@pytest.fixture(scope="module")
def frame():
    return people()


@pytest.fixture(scope="module")
def files(frame, tmp_path_factory):
    """The people as CSV, and the models."""
    for package in ("skops", "xgboost", "lightgbm"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("models")
    frame.to_csv(folder / "people.csv", index=False)
    return folder / "people.csv", write_all(frame, folder)


def _said(one):
    """A model's options on the command line."""
    columns = one.options.get("model_columns", ())
    allowed = ["--allow-pickle"] if one.options.get("allow_pickle") else []
    return [*allowed, *(["--model-columns", ",".join(columns)] if columns else [])]


def _rates(ran):
    assert ran.status == 0, ran.err
    return {name: row["selection_rate"] for name, row in ran.groups("sex").items()}


def _expected(frame, decisions):
    favorable = pd.Series([told in ("yes", 1) for told in decisions], frame.index)
    return favorable.groupby(frame["sex"]).mean().to_dict()


@pytest.mark.parametrize("name", KINDS)
def test_an_audit_is_of_what_the_model_decides(run, frame, files, name):
    file, written = files
    one = written[name]
    yes = "yes" if name.startswith("model") else "1"
    options = ("--model", one.path, "--sensitive", "sex", "--favorable", yes, "--json")
    ran = run("audit", file, *options, *_said(one))
    assert _rates(ran) == pytest.approx(_expected(frame, one.decisions))


def test_the_result_says_which_model_file_decided(run, files):
    file, written = files
    path = written["model.skops"].path
    ran = run("audit", file, "--model", path, *_SEX, "--favorable", "yes", "--json")
    assert ran.json["source"]["model"] == "model.skops"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert ran.json["source"]["model_sha256"] == digest


@pytest.mark.filterwarnings("default::arbitree.ArbitreeWarning")
def test_levels_that_an_encoder_ignores_are_told(run, frame, files, tmp_path):
    _, written = files
    new = frame.assign(region=np.where(frame.index < 7, "North", frame["region"]))
    new.to_csv(tmp_path / "new.csv", index=False)
    options = (*_SEX, "--favorable", "yes", "--json")
    ran = run("audit", tmp_path / "new.csv", "--model", written["model.skops"].path, *options)
    assert ran.status == 0, ran.err
    assert "7 rows have a level of 'region' that the model did not see in training" in ran.err
    assert "'North'" in ran.err


def test_parquet_keeps_its_types(run, frame, files, tmp_path):
    pytest.importorskip("pyarrow")
    _, written = files
    frame.to_parquet(tmp_path / "people.parquet")
    for name, yes in (("model.skops", "yes"), ("xgboost.json", "1")):
        one = written[name]
        options = ("--model", one.path, "--sensitive", "sex", "--favorable", yes, "--json")
        ran = run("audit", tmp_path / "people.parquet", *options)
        assert _rates(ran) == pytest.approx(_expected(frame, one.decisions))


def test_rows_that_are_selected_are_those_the_model_sees(run, frame, files):
    pytest.importorskip("duckdb")
    file, written = files
    one = written["model.skops"]
    options = ("--sensitive", "sex", "--favorable", "yes", "--json", "--where", "age >= 40")
    ran = run("audit", file, "--model", one.path, *options)
    kept = frame["age"] >= 40
    assert _rates(ran) == pytest.approx(_expected(frame[kept], one.decisions[kept.to_numpy()]))


def test_an_explanation_is_in_the_columns_that_the_model_reads(run, files):
    file, written = files
    fast = ("--cross-fit", "0", "--bootstrap", "0", "--max-order", "1", "--json")
    options = ("--sensitive", "sex", "--favorable", "yes", *fast)
    ran = run("explain", file, "--model", written["model.skops"].path, *options)
    assert ran.status == 0, ran.err
    explained = {name for row in ran.json["table"] for name in row["features"]}
    assert explained <= {"income", "age", "region", "member"}
    assert "income" in explained


def test_classes_of_no_evident_order_need_a_word_before_the_file_is_read(run, files, tmp_path):
    _, written = files
    ran = run("audit", tmp_path / "no.csv", "--model", written["model.skops"].path, *_SEX)
    assert ran.status == 2
    assert "the classes 'no' and 'yes'. Say which is favourable with --favorable yes" in ran.err


def test_refusals_speak_of_options(run, frame, files, tmp_path):
    file, written = files
    ran = run("audit", file, "--model", written["model.joblib"].path, *_SEX)
    assert (ran.status, ran.out) == (2, "")
    assert "can run any program" in ran.err
    assert "pass --allow-pickle" in ran.err
    ran = run("audit", file, "--model", written["lightgbm.txt"].path, *_SEX)
    assert "no column 'years_employed', which the model reads" in ran.err
    assert "Did you mean 'years employed'?" in ran.err
    ran = run("audit", file, "--decision", "hired", "--allow-pickle", *_SEX)
    assert "--allow-pickle is about the file of --model" in ran.err
    strange = frame.assign(age=np.where(frame.index == 7, "old", frame["age"].astype(str)))
    strange.to_csv(tmp_path / "strange.csv", index=False)
    ran = run("audit", tmp_path / "strange.csv", "--model", written["xgboost.json"].path, *_SEX)
    assert ran.status == 2
    assert "column 'age' holds 'old' at row 7, where the model reads numbers" in ran.err


def test_texts_after_many_numbers_are_read_again_as_texts(frame, tmp_path):
    from arbitree.table import as_held
    from arbitree.table.text import NumberStyle
    from arbitree.table.text_codes import TextCodes

    part = as_held.HeldPart("code", NumberStyle(), text=True, reads="values")
    batches = [
        TextCodes(codes=np.array([0, 1, -1]), levels=["1", "2"]),
        TextCodes(codes=np.array([0, 1]), levels=["x", "2"]),
    ]
    passes = 0
    while True:
        passes += 1
        for batch in batches:
            part.add(batch)
        if not part.end_pass():
            break
    column = part.finish().rows(0, 5)
    assert passes == 2
    assert column.tolist()[:2] == ["1", "2"]
    assert column.isna().tolist() == [False, False, True, False, False]
    assert column.tolist()[3:] == ["x", "2"]


def test_python_explains_a_model_from_a_file(frame, files):
    _, written = files
    model = ar.read_model(written["xgboost.json"].path)
    found = ar.explain_gap(
        frame[NUMBERS],
        model,
        sensitive_features=frame["sex"],
        max_order=1,
        cross_fit=0,
        n_bootstrap=0,
    )
    rates = _expected(frame, written["xgboost.json"].decisions)
    assert found.gap == pytest.approx(abs(rates["m"] - rates["f"]))
