"""What nobody said: which class is favourable, which metric is meant, which columns are read."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree import InputError

RNG = np.random.default_rng(0)
N = 400
SEX = RNG.choice(["f", "m"], N)
X = pd.DataFrame({"a": RNG.normal(size=N) + (SEX == "m"), "b": RNG.normal(size=N)})
Y = np.where(X["a"] + RNG.normal(size=N) > 0, "approved", "denied")


@pytest.fixture(scope="module")
def guessed() -> ar.TreeClassifier:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ar.TreeClassifier(max_depth=2).fit(X, Y, sensitive_features=SEX)


def test_a_guess_is_marked_and_survives_in_the_file(guessed, tmp_path):
    assert guessed.favorable_assumed_
    assert guessed.favorable_label_ == "denied"
    guessed.save(tmp_path / "tree.json")
    assert json.loads(guessed.to_json())["favorable_assumed"] is True
    assert ar.read_tree(tmp_path / "tree.json").favorable_assumed_


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), (0.0, 1.0)])
def test_labels_that_say_themselves_are_not_assumed(labels):
    tree = ar.TreeClassifier(max_depth=1).fit(X, np.array(labels)[(Y == "approved").astype(int)])
    assert not tree.favorable_assumed_
    assert "favorable_assumed" not in json.loads(tree.to_json())


def test_what_was_said_is_not_assumed(tmp_path):
    tree = ar.TreeClassifier(max_depth=1, favorable_label="approved").fit(X, Y)
    tree.save(tmp_path / "tree.json")
    assert not ar.read_tree(tmp_path / "tree.json").favorable_assumed_


def test_certificates_tables_and_pictures_tell_the_guess(guessed):
    words = "favourable: 'denied' (assumed: the second class)"
    found = ar.certify(guessed, X, sensitive_features=SEX)
    assert any(notice.startswith(words) for notice in found.notices)
    said = ar.certify(guessed, X, sensitive_features=SEX, favorable_label="approved")
    assert not any("assumed" in notice for notice in said.notices)
    assert ar.parity_report(guessed).attrs["favorable"] == words
    assert ar.parity_bounds(guessed, X, sensitive_features=SEX).attrs["favorable"] == words


def test_the_legend_of_a_picture_tells_the_guess(guessed):
    figure = pytest.importorskip("matplotlib.figure").Figure(figsize=(8, 4))
    texts = [text.get_text() for text in ar.plot_tree(guessed, ax=figure.subplots()).texts]
    assert "share of denied (assumed: the second class)" in texts


@pytest.fixture(scope="module")
def of_labels() -> ar.TreeClassifier:
    bound = ar.SplitGap(0.9, metric="equal_opportunity")
    tree = ar.TreeClassifier(parity=bound, max_depth=2, favorable_label="approved")
    return tree.fit(X, Y, sensitive_features=SEX)


def test_the_metric_is_that_of_the_trees_bound(of_labels):
    found = ar.parity_report(of_labels, X, Y, sensitive_features=SEX)
    pd.testing.assert_frame_equal(
        found.drop(columns="grouping"), of_labels.parity_report_.drop(columns="grouping")
    )
    named = {"sensitive_features": SEX, "favorable_label": "approved", "y_favorable": "approved"}
    assert ar.certify(of_labels, X, Y, **named).metric == "equal_opportunity"
    assert ar.certify(of_labels, X, Y, metric="statistical_parity", **named).metric == (
        "statistical_parity"
    )
    with pytest.raises(InputError, match=r"'equal_opportunity' is of labels. Pass y, or another"):
        ar.parity_report(of_labels, X, sensitive_features=SEX)


def test_certificates_of_bounds_of_several_metrics_ask_which():
    bound = ar.SplitGap(0.9, metric=["statistical_parity", "equal_opportunity"])
    tree = ar.TreeClassifier(parity=bound, max_depth=2, favorable_label="approved")
    tree.fit(X, Y, sensitive_features=SEX)
    with pytest.raises(InputError, match="Pass metric, one of them"):
        ar.certify(tree, X, Y, sensitive_features=SEX)


def test_reports_take_columns_by_name_and_say_which_are_missing(guessed):
    more = X.assign(z=1.0)[["z", "b", "a"]]
    pd.testing.assert_frame_equal(
        ar.parity_report(guessed, more, sensitive_features=SEX),
        ar.parity_report(guessed, X, sensitive_features=SEX),
    )
    assert ar.certify(guessed, more, sensitive_features=SEX).gap == (
        ar.certify(guessed, X, sensitive_features=SEX).gap
    )
    with pytest.raises(InputError, match="X has no column 'b', and the tree was grown with it"):
        ar.parity_report(guessed, X[["a"]], sensitive_features=SEX)
