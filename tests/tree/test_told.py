"""What a tree is asked for and cannot do is refused or told, in words."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree import ArbitreeWarning, ColumnError, InputError, LabelError, TreeClassifier
from arbitree.cli.spelling import in_options
from arbitree.table.codings import CategoryCoding
from arbitree.table.fixed_part import FixedPart
from arbitree.table.text import NumberStyle
from arbitree.table.text_codes import text_codes

RNG = np.random.default_rng(0)
X = pd.DataFrame({"a": RNG.normal(size=80), "b": RNG.normal(size=80)})
Y = (X["a"] > 0).astype(int)
LONE = np.where(Y == 1, "A", np.where(X["b"] > 0, "B", "C"))  # all favourable labels are A's


@pytest.mark.parametrize("bound", [ar.GapBudget, ar.SplitGap, ar.Covariance])
def test_a_metric_that_compares_nothing_is_refused(bound):
    tree = TreeClassifier(parity=bound(0.1, metric="equal_opportunity"))
    with pytest.raises(InputError, match="Of rows with Y = 1, only 'A' of sex has any"):
        tree.fit(X, Y, sensitive_features={"sex": LONE})


def test_a_condition_that_compares_nothing_is_told():
    tree = TreeClassifier(parity=ar.GapBudget(0.1, metric="equalized_odds"), max_depth=2)
    with pytest.warns(ArbitreeWarning, match="Of rows with Y = 1, only 'A' of sex"):
        tree.fit(X, Y, sensitive_features={"sex": LONE})
    assert tree.parity_report_["condition"].unique().tolist() in ([], ["Y = 0"])


@pytest.mark.parametrize(
    ("trained", "asked"),
    [
        ([1, 2, 3], ["1", "2", "3"]),
        ([True, False, True], ["True", "False", "True"]),
        (["1", "2", "3"], [1, 2, 3]),
        (["a", "b", "c"], ["A", "B", " C"]),
        (["a", "b", "c"], [b"a", b"b", b"c"]),
        ([0.5, 1.0, 2.0], ["0.50", "1", "2"]),
    ],
    ids=str,
)
def test_levels_that_are_all_written_otherwise_are_told(trained, asked):
    tree = TreeClassifier().fit({"k": pd.Categorical(trained * 4)}, [0, 1, 1] * 4)
    with pytest.warns(ArbitreeWarning, match="none of which is a level that the tree knows"):
        tree.predict({"k": pd.Categorical(asked)})


def test_a_new_level_is_no_news():
    tree = TreeClassifier().fit({"k": list("abc") * 4}, [0, 1, 1] * 4)
    assert len(tree.predict({"k": ["new", None]})) == 2
    assert len(tree.predict({"k": ["A", "b"]})) == 2


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"simplify": "no"}, "simplify is 'no'. Pass True or False"),
        ({"allow_sensitive_splits": "no"}, "allow_sensitive_splits is 'no'. Pass True or False"),
        ({"rule_weight": 7}, "rule_weight is 7. "),
        ({"contradictions": "zz"}, "contradictions is 'zz'. "),
        ({"split": np.array(["threshold"])}, "split is array"),
    ],
    ids=str,
)
def test_parameters_are_what_they_say(parameters, said):
    with pytest.raises(InputError, match=said):
        TreeClassifier(**parameters).fit(X, Y, sensitive_features=LONE)


@pytest.mark.parametrize("bound", [ar.GapBudget, ar.SplitGap, ar.Covariance])
def test_joint_is_true_or_false(bound):
    with pytest.raises(InputError, match=r"joint is 'x'. Pass True or False"):
        bound(0.1, joint="x")


def test_two_columns_of_one_name_are_refused():
    twice = X.set_axis(["a", "a"], axis=1)
    with pytest.raises(ColumnError, match="two columns named 'a'"):
        TreeClassifier().fit(twice, Y)


def test_groups_of_many_numbers_are_to_be_cut():
    with pytest.raises(InputError, match=r"Where there is no bins, cut it .* pandas.cut"):
        TreeClassifier().fit(X[["a"]], Y, sensitive_features=X["b"])


def test_a_certificate_of_scores_asks_for_decisions():
    with pytest.raises(LabelError, match="Pass what is decided at a threshold"):
        ar.certify(X["a"].to_numpy(), sensitive_features=LONE)


def test_numbers_of_a_category_are_known_however_a_file_writes_them():
    coding = CategoryCoding(levels=(0.5, 1.0, 2))
    part = FixedPart("k", coding, NumberStyle())
    part.add(text_codes(nw.new_series("k", ["1.0", "2.0", "0.50", "x"], backend="pandas"), set()))
    assert part.finish().codes.tolist() == [1, 2, 0, 3]
    assert part.n_unseen == 1


def test_advice_of_python_is_spelt_as_options():
    features = "The table has no features. Read it with features='all', or their names."
    assert in_options(features).endswith("Name some with --features, or exclude fewer.")
    assert "pass --sep." in in_options("if the separator is another, pass sep.")
    assert in_options(
        "Give ranges. Where there is no bins, cut it beforehand with pandas.cut."
    ) == ("Give ranges.")
