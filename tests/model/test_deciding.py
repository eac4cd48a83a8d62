"""A tree decides on the rows of a file as on the same rows in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree._errors import ColumnError, InputError, LabelError
from arbitree.model.deciding import codings_read, decided_classes, decided_outcome
from arbitree.table.reader import read


def rows(seed: int, n: int = 500) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "unread": "k",
            "amount": np.round(rng.lognormal(3, 1, n), 2),
            "count": rng.integers(0, 9, n),
            "job": rng.choice(["a", "b", "c", "01"], n),
            "member": rng.random(n) < 0.5,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "sex": rng.choice(["f", "m"], n),
        }
    )
    X["job"] = X["job"].where(rng.random(n) > 0.1)
    X["amount"] = X["amount"].where(rng.random(n) > 0.1)
    return X


@pytest.fixture(scope="module")
def tree() -> ar.TreeClassifier:
    X = rows(0)
    y = (X["amount"].fillna(30) > 20) ^ X["job"].isin(["a", "01"]) ^ (X["since"].dt.year > 2020)
    y = (y ^ X["member"]).map({True: "yes", False: "no"})
    return ar.TreeClassifier(max_leaf_nodes=30).fit(X.drop(columns="sex"), y)


def test_codings_are_the_thresholds_that_the_tree_has(tree):
    found = codings_read(tree.tree_)
    assert "unread" not in found
    at = [feature.name for feature in tree.tree_.features].index("amount")
    thresholds = np.unique(tree.tree_.threshold[tree.tree_.feature == at])
    np.testing.assert_array_equal(found["amount"].edges, thresholds)


@pytest.mark.parametrize("kind", ["csv", "semicolons", "parquet"])
def test_decisions_on_a_file_are_those_on_the_frame(tree, kind, tmp_path):
    X = rows(1, 3000)
    X.loc[:20, "job"] = "new"
    path = tmp_path / "rows"
    if kind == "parquet":
        X.to_parquet(path)
    elif kind == "semicolons":
        X.to_csv(path, index=False, sep=";", decimal=",")
    else:
        X.to_csv(path, index=False)
    table = read(path, sensitive="sex", codings=codings_read(tree.tree_))
    found = decided_classes(tree.tree_, table.for_model, table.n_rows)
    assert tree.classes_[found].tolist() == tree.predict(X.drop(columns="sex")).tolist()
    assert any("21 rows have a level of 'job'" in notice for notice in table.notices)
    outcome = decided_outcome(tree.tree_, table.for_model, table.n_rows, favorable_label="yes")
    assert outcome.codes.mean() == (tree.classes_[found] == "yes").mean()
    assert outcome.how == "favourable: decision = 'yes'"


def test_a_class_that_no_row_has_may_be_favourable_and_others_may_not(tree, tmp_path):
    rows(2, 3).to_csv(tmp_path / "rows.csv", index=False)
    table = read(tmp_path / "rows.csv", sensitive="sex", codings=codings_read(tree.tree_))
    for label in ("yes", "no"):
        decided_outcome(tree.tree_, table.for_model, 3, favorable_label=label)
    with pytest.raises(LabelError, match="'maybe'"):
        decided_outcome(tree.tree_, table.for_model, 3, favorable_label="maybe")


def test_a_column_that_is_not_there_or_holds_something_else_is_named(tree, tmp_path):
    path = tmp_path / "rows.csv"
    rows(3).drop(columns="amount").to_csv(path, index=False)
    with pytest.raises(ColumnError, match="has no column 'amount'"):
        read(path, sensitive="sex", codings=codings_read(tree.tree_))
    rows(3).assign(amount=["1"] * 7 + ["much"] * 493).to_csv(path, index=False)
    with pytest.raises(InputError, match="'much' at row 7, where the model reads numbers"):
        read(path, sensitive="sex", codings=codings_read(tree.tree_))


def test_levels_that_are_numbers_are_found_by_their_text(tmp_path):
    X = pd.DataFrame({"size": pd.Categorical([1, 2, 3] * 4), "sex": ["f", "m"] * 6})
    tree = ar.TreeClassifier().fit(X[["size"]], [0, 1, 0] * 4)
    X.to_csv(tmp_path / "rows.csv", index=False)
    table = read(tmp_path / "rows.csv", sensitive="sex", codings=codings_read(tree.tree_))
    assert decided_classes(tree.tree_, table.for_model, 12).tolist() == [0, 1, 0] * 4


def test_columns_without_a_text_for_a_name_are_refused():
    tree = ar.TreeClassifier().fit(pd.DataFrame({7: [1, 2]}), [0, 1])
    with pytest.raises(InputError, match="a column called 7"):
        codings_read(tree.tree_)
