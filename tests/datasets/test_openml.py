"""The fetchers with a client that serves, fails or serves something else."""

from __future__ import annotations

import warnings
from urllib.error import URLError

import pandas as pd
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from arbitree import datasets
from arbitree._errors import ArbitreeError

SERVED = {
    "fetch_adult": {
        "frame": {"age": [30, 40], "sex": ["Male", "Female"], "race": ["White", "Black"]},
        "target": {"class": ["<=50K", ">50K"]},
        "more": {"hours-per-week": [40, 20]},
    },
    "fetch_compas": {
        "frame": {"sex": [0.0, 1.0], "race_African-American": [0.0, 1.0]},
        "target": {"twoyearrecid": ["0", "1"]},
        "more": {"priors_count": [0, 3]},
    },
    "fetch_german": {
        "frame": {"personal_status": ["a", "b"], "age": [30, 40], "foreign_worker": ["yes", "no"]},
        "target": {"class": ["good", "bad"]},
        "more": {"duration": [6, 12]},
    },
    "fetch_law_school": {
        "frame": {"race1": ["white", "non-white"], "gender": ["male", "female"]},
        "target": {"ugpagt3": ["TRUE", "FALSE"]},
        "more": {"lsat": [30.0, 40.0], "bar": ["FALSE", "TRUE"]},
    },
    "fetch_titanic": {
        "frame": {"sex": ["male", "female"], "pclass": [1, 3], "age": [30.0, None]},
        "target": {"survived": ["0", "1"]},
        "more": {"fare": [7.0, 90.0], "name": ["A", "B"]},
    },
    "fetch_credit_default": {
        "frame": {"x2": [1, 2], "x5": [30, 40]},
        "target": {"y": ["0", "1"]},
        "more": {"x1": [20_000, 90_000]},
    },
}


def _serve(monkeypatch, columns, target):
    frame = pd.DataFrame(columns | target)
    asked = []

    def client(**arguments):
        asked.append(arguments)
        return Bunch(frame=frame, target=frame[next(iter(target))])

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", client)
    return asked


@pytest.mark.parametrize("fetch", list(SERVED))
def test_a_served_set_has_its_parts_named(monkeypatch, fetch, tmp_path):
    served = SERVED[fetch]
    asked = _serve(monkeypatch, served["frame"] | served["more"], served["target"])
    dataset = getattr(datasets, fetch)(data_home=str(tmp_path))
    assert set(dataset.sensitive) == set(served["frame"])
    assert dataset.features == (next(iter(served["more"])),)
    assert dataset.favorable[dataset.label] in set(dataset.frame[dataset.label])
    assert asked[0]["as_frame"] is True
    assert asked[0]["data_home"] == str(tmp_path)


def test_every_fetcher_is_tested():
    assert {name for name in datasets.__all__ if name.startswith("fetch_")} == set(SERVED)


@pytest.mark.parametrize(
    "failure",
    [
        URLError("Name or service not known"),
        TimeoutError("timed out"),
        ValueError("md5 checksum of local file does not match description"),
        sklearn.datasets._openml.OpenMLError("Dataset with data_id 1590 not found."),
    ],
)
def test_a_failing_client_is_an_error_that_says_what_to_do(monkeypatch, failure, tmp_path):
    def client(**_):
        warnings.warn("A network error occurred while downloading x. Retrying...", stacklevel=1)
        raise failure

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", client)
    with pytest.raises(ArbitreeError) as raised:
        datasets.fetch_adult(data_home=str(tmp_path))
    said = str(raised.value)
    assert "Could not fetch the Adult data set from OpenML" in said
    assert str(tmp_path) in said
    assert "make_lending" in said


def test_another_set_under_the_same_number_is_an_error(monkeypatch):
    _serve(monkeypatch, {"sex": ["a", "b"], "races": ["a", "b"], "age": [1, 2]}, {"class": [1, 2]})
    with pytest.raises(ArbitreeError, match=r"data_id 1590.*no column 'race'.*mean 'races'"):
        datasets.fetch_adult()


def test_other_labels_under_the_same_number_are_an_error(monkeypatch):
    columns = SERVED["fetch_adult"]["frame"]
    _serve(monkeypatch, columns, {"class": ["<=50K.", ">50K."]})
    with pytest.raises(ArbitreeError, match=r"column 'class' has '<=50K\.' and '>50K\.'"):
        datasets.fetch_adult()
