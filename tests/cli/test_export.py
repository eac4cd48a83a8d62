"""``arbitree export`` and ``learn -o``: the same decisions in every format."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest

import arbitree as ar


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Rows, a tree of them with texts and missing values, and its file."""
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(18, 70, n)),
            "job": rng.choice(["clerk", "cook, night", "O'Neil"], n),
        }
    )
    chance = frame["age"].fillna(40) + 20 * (frame["job"] == "clerk")
    y = np.where(chance + rng.normal(0, 5, n) > 50, "yes", "no")
    tree = ar.TreeClassifier(max_leaf_nodes=6, parity=ar.GapBudget(0.3), favorable_label="yes")
    tree.fit(frame, y, sensitive_features=rng.choice(["f", "m"], n))
    path = tmp_path_factory.mktemp("export") / "tree.json"
    tree.save(path)
    return frame, tree, path


def _by_python(path, frame):
    names: dict = {}
    exec(path.read_text(encoding="utf-8"), names)
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [names["predict"](row) for row in rows]


def _by_sql(path, frame):
    with sqlite3.connect(":memory:") as connection:
        frame.to_sql("people", connection, index=False)
        told = connection.execute(f"SELECT {path.read_text(encoding='utf-8')} FROM people")
        return [row[0] for row in told]


def _by_model(path, frame):
    return ar.read_model(path).predict(frame).tolist()


@pytest.mark.parametrize(
    ("suffix", "package", "decide"),
    [
        (".json", "arbitree", _by_model),
        (".py", "arbitree", _by_python),
        (".sql", "sqlite3", _by_sql),
        (".onnx", "onnxruntime", _by_model),
        (".skops", "skops", _by_model),
    ],
)
def test_what_is_written_decides_as_the_tree(run, grown, tmp_path, suffix, package, decide):
    pytest.importorskip(package)
    frame, tree, path = grown
    target = tmp_path / f"tree{suffix}"
    ran = run("export", path, "-o", target)
    assert (ran.status, ran.out) == (0, "")
    assert f"wrote {target}" in ran.err
    found = decide(target, frame)
    assert found == tree.predict(frame).tolist()


def test_text_is_that_of_the_tree(run, grown, tmp_path):
    _, tree, path = grown
    assert run("export", path, "-o", tmp_path / "tree.txt").status == 0
    assert (tmp_path / "tree.txt").read_text(encoding="utf-8") == tree.export_text()


def test_two_runs_give_the_same_bytes(run, grown, tmp_path):
    pytest.importorskip("onnx")
    for suffix in (".json", ".py", ".sql", ".onnx", ".txt"):
        files = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
        for file in files:
            assert run("export", grown[2], "-o", file).status == 0
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("tree.json", "tree.pmml", "should end in one of '.json', '.py'"),
        ("tree.json", "-", "says no format"),
        ("tree.json", "nowhere/tree.py", "There is no folder"),
        ("other.onnx", "tree.py", "should be a tree.json"),
        ("none.json", "tree.py", "no such file"),
    ],
)
def test_what_cannot_be_written_is_said(run, grown, tmp_path, source, target, words):
    path = grown[2] if source == "tree.json" else tmp_path / source
    place = target if target == "-" else tmp_path / target
    ran = run("export", path, "-o", place)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


def test_a_learnt_tree_may_be_a_skops_file_that_an_audit_reads(run, grown, tmp_path):
    pytest.importorskip("skops")
    frame, tree, _ = grown
    rows = frame.assign(hired=tree.predict(frame), sex=["f", "m"] * 200)
    rows.to_csv(tmp_path / "people.csv", index=False)
    options = ("--label", "hired", "--favorable", "yes", "--sensitive", "sex")
    file = tmp_path / "people.csv"
    ran = run("learn", file, *options, "-o", tmp_path / "tree.skops", "--test-share", "0")
    assert ran.status == 0, ran.err
    options = ("--sensitive", "sex", "--favorable", "yes", "--json")
    ran = run("audit", file, "--model", tmp_path / "tree.skops", *options)
    assert ran.status == 0, ran.err
    read = ar.read_model(tmp_path / "tree.skops").predict(rows)
    expected = pd.Series(read == "yes").groupby(rows["sex"]).mean().to_dict()
    found = {name: row["selection_rate"] for name, row in ran.groups("sex").items()}
    assert found == pytest.approx(expected)
