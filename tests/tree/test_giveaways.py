"""Features that give the outcome or a group away are told, and sensitive ones that nobody named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.from_table import learn_table
from arbitree.tree.giveaways import giveaway_notices, unnamed_notices


@pytest.fixture
def read(tmp_path):
    """A table of rows with a sensitive column, a label and what else is given."""

    def table(**more):
        rng = np.random.default_rng(0)
        n = 600
        repaid = rng.random(n) < 0.4
        columns = {
            "sex": np.where(rng.random(n) < 0.5, "f", "m"),
            "income": rng.normal(size=n) + repaid,
            "repaid": repaid.astype(int),
        }
        frame = pd.DataFrame(columns)
        for name, made in more.items():
            frame[name] = made(frame, rng)
        frame.to_csv(tmp_path / "loans.csv", index=False)
        return ar.read(
            tmp_path / "loans.csv", sensitive="sex", label="repaid", features="all", max_bins=65_535
        )

    return table


def _late(frame, rng):
    """Known only afterwards: 98 % of those who did not repay were reminded."""
    return np.where(rng.random(len(frame)) < 0.02, 1, 1 - frame["repaid"])


def test_nothing_is_said_of_features_that_only_help(read):
    assert giveaway_notices(read()) == ()


def test_a_feature_that_alone_predicts_the_label_is_named(read):
    (notice,) = giveaway_notices(read(reminded=_late))
    assert notice.startswith("'reminded' alone predicts 'repaid' almost perfectly (balanced")
    assert "leave it out of the features" in notice


def test_a_feature_that_nearly_tells_the_group_is_named(read):
    title = lambda frame, rng: np.where(  # noqa: E731
        rng.random(len(frame)) < 0.02, "Dr", frame["sex"].map({"f": "Ms", "m": "Mr"})
    )
    (notice,) = giveaway_notices(read(title=title))
    assert notice.startswith("'title' alone tells 'sex' almost perfectly (balanced accuracy 9")


def test_an_exact_copy_of_the_group_is_told_by_another_notice_only(read):
    table = read(title=lambda frame, rng: frame["sex"].map({"f": "Ms", "m": "Mr"}))
    assert giveaway_notices(table) == ()
    notices = learn_table(table, TreeClassifier(max_depth=2)).notices
    assert [notice for notice in notices if notice.startswith("'title' tells exactly")]


def test_a_copy_of_the_group_is_compared_whatever_it_is_called(read):
    table = read(gender=lambda frame, rng: frame["sex"].map({"f": 0, "m": 1}))
    assert giveaway_notices(table) == ()
    notices = learn_table(table, TreeClassifier(max_depth=2)).notices
    assert [notice for notice in notices if notice.startswith("'gender' tells exactly")]


def test_learning_says_so(read):
    found = learn_table(read(reminded=_late), TreeClassifier(max_depth=2))
    assert [notice for notice in found.notices if notice.startswith("'reminded' alone")]


@pytest.mark.parametrize(
    "name",
    [
        "sex",
        "Gender",
        "applicant_race_1",
        "derivedEthnicity",
        "age",
        "age_cat",
        "Age (years)",
        "native-country",
        "marital_status",
        "CountryOfBirth",
    ],
)
def test_names_of_protected_attributes_are_told_once(name):
    (notice,) = unnamed_notices([name, "income", "sex"], ["sex2"])
    assert repr(name) in notice
    assert "income" not in notice


@pytest.mark.parametrize("name", ["account_age", "age_of_account", "page", "sexton", "trace"])
def test_names_that_only_look_alike_are_not(name):
    assert unnamed_notices([name], []) == ()


def test_what_was_named_as_sensitive_is_not_told_again():
    assert unnamed_notices(["sex", "age"], ["sex", "age"]) == ()
