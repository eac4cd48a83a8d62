"""``--sensitive-probabilities``: columns of a file with how likely each group is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(2)
    white = rng.random(300).round(3)
    frame = pd.DataFrame(
        {
            "white": white,
            "black": (1 - white).round(3),
            "pay": rng.normal(size=300).round(2) + white,
            "hired": np.where(rng.random(300) < 0.3 + 0.4 * white, "yes", "no"),
        }
    )
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv", frame


BASE = ("--decision", "hired", "--favorable", "yes")
GROUPS = ("--sensitive-probabilities", "white,black")


def test_an_audit_of_a_file_is_that_of_the_frame(run, file):
    path, frame = file
    ran = run("audit", path, *BASE, *GROUPS, "--json")
    assert ran.status == 0, ran.err
    expected = ar.audit(
        frame["hired"], group_probabilities=frame[["white", "black"]], favorable_label="yes"
    )
    rates = {name: row["selection_rate"] for name, row in ran.groups("group").items()}
    assert rates == expected.by_group.set_index("group")["selection_rate"].to_dict()
    assert "Groups are known as probabilities" in ran.err


def test_an_explanation_leaves_the_probabilities_out_of_the_features(run, file):
    path, _ = file
    fast = ("--cross-fit", "0", "--bootstrap", "0", "--max-order", "1", "--json")
    ran = run("explain", path, *BASE, *GROUPS, *fast)
    assert ran.status == 0, ran.err
    assert [row["features"] for row in ran.json["table"]] == [["pay"]]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Give --sensitive COL,.. or --sensitive-probabilities"),
        (("--sensitive-probabilities", "white,pay"), "--sensitive-probabilities column 'pay' has"),
        (("--sensitive-probabilities", "white,blak"), "no column 'blak'. Did you mean 'black'?"),
        (("--sensitive-probabilities", "white"), "has 1 column"),
    ],
)
def test_what_is_wrong_is_said_in_options(run, file, options, words):
    ran = run("audit", file[0], *BASE, *options)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
