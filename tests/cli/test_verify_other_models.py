"""``arbitree verify`` and ``arbitree repair`` of models in other libraries' files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar

skops = pytest.importorskip("skops.io")

LAW = "age < 18 or missing(age) => no"
CODED = "age < 18 or missing(age) => 0"
COLUMNS = ("--model-columns", "age,income")


@pytest.fixture
def rows(tmp_path, monkeypatch) -> pd.DataFrame:
    """Rows that stand in rows.csv of the folder in which commands are run."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    age, income = rng.normal(40, 15, 300).round(), rng.normal(size=300)
    hired = np.where(age + 10 * income > 35, "yes", "no")
    rows = pd.DataFrame(
        {"age": age, "income": income, "sex": rng.choice(["f", "m"], 300), "hired": hired}
    )
    rows.to_csv("rows.csv", index=False)
    return rows


def _features(rows):
    return rows[["age", "income"]]


def test_a_tree_of_scikit_learn_is_verified_as_it_is(run, rows):
    model = DecisionTreeClassifier(max_depth=3).fit(_features(rows), rows["hired"])
    skops.dump(model, "old_tree.skops")
    ran = run("verify", "old_tree.skops", "--rule", LAW)
    assert ran.status == 1, ran.err
    assert ran.out.startswith("VIOLATED for a")
    row = pd.read_csv("counterexample.csv")
    assert model.predict(row[["age", "income"]].astype(float)).tolist() == ["yes"]
    options = ("--data", "rows.csv", "--label", "hired", "-o", "safe.json")
    ran = run("repair", "old_tree.skops", "--rule", LAW, "--contradictions", "keep", *options)
    assert ran.status == 0, ran.err
    assert run("verify", "safe.json", "--rule", LAW).status == 0


def test_a_model_of_an_array_is_verified_under_the_names_that_are_given(run, rows):
    model = DecisionTreeClassifier(max_depth=3).fit(_features(rows).to_numpy(), rows["hired"])
    skops.dump(model, "array.skops")
    ran = run("verify", "array.skops", "--rule", LAW)
    assert ran.status == 2
    assert "--model-columns" in ran.err
    ran = run("verify", "array.skops", "--rule", LAW, *COLUMNS)
    assert ran.status == 1, ran.err
    row = pd.read_csv("counterexample.csv")[["age", "income"]].to_numpy(float)
    assert model.predict(row).tolist() == ["yes"]


def test_a_pickle_is_verified_where_it_is_allowed(run, rows):
    import joblib

    model = DecisionTreeClassifier(max_depth=3).fit(_features(rows), rows["hired"])
    joblib.dump(model, "model.pkl")
    ran = run("verify", "model.pkl", "--rule", LAW)
    assert ran.status == 2
    assert "--allow-pickle" in ran.err
    assert run("verify", "model.pkl", "--rule", LAW, "--allow-pickle").status == 1


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("file", ["boosted.json", "boosted.ubj", "light.txt"])
def test_boosters_are_verified_by_the_numbers_of_their_classes(run, rows, file, named):
    pytest.importorskip("xgboost")
    pytest.importorskip("lightgbm")
    import lightgbm
    import xgboost

    X = _features(rows) if named else _features(rows).to_numpy()
    y = (rows["hired"] == "yes").astype(int)
    if file == "light.txt":
        one = lightgbm.LGBMClassifier(n_estimators=3, num_leaves=4, verbose=-1, n_jobs=1)
        one.fit(X, y).booster_.save_model(file)
    else:
        xgboost.XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1).fit(X, y).save_model(file)
    options = () if named else COLUMNS
    ran = run("verify", file, "--rule", "age > 18 => 0", *options)
    assert ran.status == 1, ran.err
    columns = None if named else ["age", "income"]
    row = pd.read_csv("counterexample.csv").astype(float)
    assert not row["age"][0] <= 18  # missing, it could be anything
    assert ar.read_model(file, model_columns=columns).predict(row).tolist() == [1]
    ran = run("verify", file, "--rule", CODED, "--data", "rows.csv", *options)
    assert ran.status in (0, 1), ran.err
    ran = run("verify", file, "--rule", LAW, *options)
    assert ran.status == 2
    assert "no class 'no'. There are 0 and 1" in ran.err


def test_an_onnx_model_is_refused_with_what_can_be_verified(run, rows):
    pytest.importorskip("onnx")
    tree = ar.TreeClassifier(max_leaf_nodes=4).fit(_features(rows), rows["hired"])
    Path("model.onnx").write_bytes(tree.to_onnx().SerializeToString())
    ran = run("verify", "model.onnx", "--rule", LAW)
    assert ran.status == 2
    assert "can be asked and not verified" in ran.err
    assert "skops" in ran.err


def test_what_read_model_returns_is_verified_and_stays_as_it_was(rows):
    model = DecisionTreeClassifier(max_depth=3).fit(_features(rows).to_numpy(), rows["hired"])
    skops.dump(model, "array.skops")
    read = ar.read_model("array.skops", model_columns=["age", "income"])
    found = ar.verify(read, ar.Rules.parse(LAW))
    assert found.status == "violated"
    assert read.predict(found.counterexample).tolist() == ["yes"]


LEARN = ("learn", "rows.csv", "--label", "hired", "--sensitive", "sex", "--features", "age,income")


@pytest.mark.parametrize(("favorable", "sign"), [("yes", 1), ("no", -1)])
def test_a_learnt_tree_is_monotonic_in_the_favourable_decision(run, rows, favorable, sign):
    noisy = rows.assign(hired=np.where(np.arange(300) % 4 == 0, "no", rows["hired"]))
    noisy.to_csv("rows.csv", index=False)
    wanted = f"age={sign}", f"income={'increasing' if sign > 0 else 'decreasing'}"
    options = ("--favorable", favorable, "--min-samples-leaf", "3", "-o", "tree.json")
    ran = run(*LEARN, *options, "--monotonic", ",".join(wanted))
    assert ran.status == 0, ran.err
    tree = ar.read_tree("tree.json")
    assert tree.get_n_leaves() > 2
    grid = pd.DataFrame({"age": np.arange(0.0, 90), "income": 0.0})
    share = tree.predict_proba(grid)[:, list(tree.classes_).index(favorable)]
    assert (sign * np.diff(share) >= 0).all()
    assert share.min() < share.max()


def test_directions_that_make_no_sense_are_refused(run, rows):
    for given, words in (
        ("agee=1", "Did you mean 'age'"),
        ("age=up", "increasing"),
        ("age=1,age=-1", "two directions"),
        ("age", "is not a column with a direction"),
    ):
        ran = run(*LEARN, "--favorable", "yes", "--monotonic", given)
        assert ran.status == 2
        assert words in ran.err
