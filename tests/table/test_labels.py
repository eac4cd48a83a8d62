"""Which value is favourable: known, named or refused; never guessed."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree._errors import InputError, LabelError, MissingValueError
from arbitree.table.frames import column
from arbitree.table.labels import Outcome, outcome, scores
from tests.table.containers import every_container, every_text_container

NAN = float("nan")


def read(data: Any, *, text: bool = False, name: str = "approved", **how: Any) -> Outcome:
    found = column(data, what="decisions", default_name=name)
    return outcome(replace(found, text=text), **how)


def codes(data: Any, **how: Any) -> list[int]:
    return read(data, **how).codes.tolist()


def refusal(data: Any, error: type[Exception] = LabelError, **how: Any) -> str:
    with pytest.raises(error) as caught:
        read(data, **how)
    return str(caught.value)


# Containers


@every_text_container
def test_texts_mean_the_same_in_every_container(put):
    found = read(put(["no", "yes", None, "no"]), favorable_label="yes", missing="drop")
    assert found.codes.tolist() == [0, 1, 2, 0]
    assert found.codes.dtype == np.uint8
    assert (found.favorable, found.unfavorable) == (("yes",), ("no",))


@every_container
@pytest.mark.parametrize(
    "given", [[0, 1, None, 0], [-1.0, 1.0, None, -1.0], [False, True, None, False]], ids=repr
)
def test_self_evident_values_mean_the_same_in_every_container(put, given):
    assert codes(put(given), missing="group") == [0, 1, 2, 0]


# Self-evident


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([0, 1], [0, 1]),
        ([1, 0], [1, 0]),
        ([0.0, 1.0], [0, 1]),
        ([-1, 1], [0, 1]),
        ([False, True], [0, 1]),
        ([0, 0], [0, 0]),
        ([1, 1], [1, 1]),
        ([-1], [0]),
        ([True], [1]),
        ([False], [0]),
        (np.array([0, 1], dtype=np.uint8), [0, 1]),
        (pd.Categorical([1, 0], categories=[0, 1, 2]), [1, 0]),
    ],
    ids=repr,
)
def test_zero_one_minus_one_and_booleans_speak_for_themselves(data, expected):
    assert codes(data) == expected


@pytest.mark.parametrize(
    "texts",
    [["0", "1"], ["0.0", "1.0"], ["-1", "1"], ["false", "true"], ["False", "TRUE"]],
    ids=repr,
)
def test_texts_of_a_file_speak_for_themselves_as_their_values_do(texts):
    assert codes(texts, text=True) == [0, 1]
    assert codes(texts[:1], text=True) == [0]
    assert codes(pd.Categorical(texts), text=True) == [0, 1]
    assert "cannot be known" in refusal(texts)


@pytest.mark.parametrize(
    "data",
    [
        ["no", "yes"],
        ["yes", "yes"],
        ["approve", "deny"],
        [1, 2],
        [2, 2],
        [0, 2],
        [0, 1, 2],
        [-1, 0, 1],
        [1, 3, 5, 7],
        [True, "no"],
        ["01", "1"],
        np.array(["no", "yes"]),
        pd.Categorical(["no", "yes"]),
        pd.cut(pd.Series([1, 30]), [0, 18, 40]),
        pd.to_datetime(["2024-01-01", "2024-01-02"]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("text", [True, False], ids=["file", "memory"])
def test_other_values_are_never_guessed(data, text):
    # fairlearn 0.15.0: 'yes'/'no' give a gap of 0.0; of {1, 2} and {0, 1, 2}, 1 is favourable.
    assert "it cannot be known which is favourable" in refusal(data, text=text)


def test_texts_beside_numbers_in_memory_are_never_guessed():
    assert "the values 0 (1 row) and '1' (1 row)" in refusal([0, "1"])


def test_the_refusal_lists_the_values_with_counts_and_says_what_to_pass():
    assert refusal(["yes", "no", "yes"]) == (
        "decisions column 'approved' has the values 'no' (1 row) and 'yes' (2 rows): it cannot be "
        "known which is favourable. Pass favorable_label='no' or favorable_label='yes'."
    )
    assert refusal(["c", "a", "b"]).endswith(
        "Pass favorable_label= with the favourable value, or several."
    )
    assert "'a07' (1 row) and 12 more" in refusal([f"a{i:02}" for i in range(20)])


def test_the_refusal_speaks_of_the_parameter_that_the_user_has():
    said = refusal([1, 2], what="y_true", parameter="y_true_favorable")
    assert "y_true column 'approved'" in said
    assert said.endswith("Pass y_true_favorable=1 or y_true_favorable=2.")
    said = refusal(["no", "yes"], text=True, what="the file", parameter="--favorable")
    assert said.endswith("Pass --favorable 'no' or --favorable 'yes'.")


@pytest.mark.parametrize(
    "data", [[0.25, 0.5, 1.0], [1.5, 2.0], list(range(300, 850)), np.linspace(0, 1, 9)], ids=len
)
def test_scores_without_a_threshold_ask_for_one(data):
    said = refusal(data)
    assert "look like scores" in said
    assert "Pass score_threshold to say" in said
    assert "Pass --score-threshold to say" in refusal(data, parameter="--favorable")
    assert "look like scores" in refusal([str(value) for value in data], text=True)
    assert "score" not in refusal(data, parameter="y_true_favorable")


# Named by the user


@pytest.mark.parametrize(
    ("data", "favorable", "expected"),
    [
        (["no", "yes"], "yes", [0, 1]),
        (["deny", "approve"], "approve", [0, 1]),
        (np.array(["no", "yes"]), np.str_("yes"), [0, 1]),
        ([1, 2], 2, [0, 1]),
        ([0, 1], 0, [1, 0]),
        ([False, True], False, [1, 0]),
        ([1, 3, 5, 7], 5, [0, 0, 1, 0]),
        ([0.5, 2.0], 2, [0, 1]),
        (["yes"], "yes", [1]),
        ([0, "a", True], True, [0, 0, 1]),
        (pd.Series([1, 2], dtype="category"), np.int64(2), [0, 1]),
        (pd.cut(pd.Series([5, 30]), [0, 18, 40]), pd.Interval(18, 40), [0, 1]),
        (pd.to_datetime(["2024-01-01", "2024-01-02"]), pd.Timestamp("2024-01-02"), [0, 1]),
    ],
    ids=repr,
)
def test_a_favourable_value_of_any_type_can_be_named(data, favorable, expected):
    assert codes(data, favorable_label=favorable) == expected


@pytest.mark.parametrize(
    "favorable",
    [
        ["A", "B"],
        ("A", "B"),
        {"A", "B"},
        np.array(["B", "A"]),
        pd.Series(["A", "B"]),
        pl.Series(["A", "B"]),
    ],
    ids=lambda value: type(value).__module__ + type(value).__name__,
)
def test_several_favourable_values_fold_the_classes(favorable):
    found = read(["A", "C", "B", "D"], favorable_label=favorable, name="grade")
    assert found.codes.tolist() == [1, 0, 1, 0]
    assert (found.favorable, found.unfavorable) == (("A", "B"), ("C", "D"))
    assert found.how == "favourable: grade = 'A' or 'B'"


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        ([1, 2], "2"),
        ([1.0, 2.0], "2"),
        (["1", "2"], 2),
        (["1.0", "2.0"], 2),
        ([False, True], "true"),
        ([False, True], "TRUE"),
        ([False, True], "1"),
        (["False", "True"], True),
        ([0, 1], True),
        (pd.cut(pd.Series([5, 30]), [0, 18, 40]), "(18, 40]"),
    ],
    ids=repr,
)
def test_a_value_is_found_by_its_text(data, asked):
    assert codes(data, favorable_label=asked) == [0, 1]


def test_equality_goes_before_text():
    assert codes([1, "1", 2], favorable_label="1") == [0, 1, 0]
    assert codes([1, "1", 2], favorable_label=1) == [1, 0, 0]


def test_numbers_of_a_file_are_found_however_they_are_written():
    assert codes(["1", "1.0", "2"], text=True, favorable_label="1") == [1, 1, 0]
    assert codes(["1.0", "2.0"], text=True, favorable_label=2) == [0, 1]
    assert codes(["True", "FALSE"], text=True, favorable_label="true") == [1, 0]
    assert codes(["01", "1"], text=True, favorable_label="1") == [0, 1]  # a code is not a number


@pytest.mark.parametrize(
    ("data", "asked", "hint"),
    [
        (["no", "yes"], "Yes", "Did you mean 'yes'?"),
        (["no", "yes "], "yes", "Did you mean 'yes '?"),
        (["no", "yes"], "approved", "There are 'no' and 'yes'."),
        ([1, 2], 3, "There are 1 and 2."),
        (["no", "yes"], ["yes", "maybe"], "never has the value 'maybe'"),
        (["no", "no"], "yes", "There are 'no'."),
        ([1, 2], 0, "There are 1 and 2."),
    ],
    ids=repr,
)
def test_a_value_that_is_not_there_is_refused_with_the_nearest(data, asked, hint):
    assert hint in refusal(data, favorable_label=asked)


@pytest.mark.parametrize(
    ("data", "favorable", "expected"),
    [
        ([0, 0], 1, [0, 0]),
        ([1, 1], 0, [0, 0]),
        ([-1, -1], 1, [0, 0]),
        ([False, False], True, [0, 0]),
        ([0, 0], "1", [0, 0]),
        (pd.Categorical(["no", "no"], categories=["no", "yes"]), "yes", [0, 0]),
        (pl.Series(["no"], dtype=pl.Enum(["no", "yes"])), "yes", [0]),
    ],
    ids=repr,
)
def test_a_favourable_value_that_could_have_been_seen_need_not_be(data, favorable, expected):
    assert codes(data, favorable_label=favorable) == expected


@pytest.mark.parametrize("favorable", [NAN, pd.NA, [None], [1, None]], ids=repr)
def test_missing_is_never_favourable(favorable):
    said = refusal([1, 2, None], favorable_label=favorable, missing="drop")
    assert "is a missing value" in said


@pytest.mark.parametrize("favorable", [[], set(), ()], ids=repr)
def test_no_favourable_value_is_refused(favorable):
    assert "names no value" in refusal([1, 2], favorable_label=favorable)


# Laws

two_values = st.sampled_from(
    [("no", "yes"), (1, 2), (False, True), (0, 1), ("approve", "deny"), ("0", "1")]
)


@given(two_values, st.lists(st.integers(0, 1), min_size=2).filter(lambda rows: len(set(rows)) == 2))
def test_swapping_the_favourable_value_swaps_the_codes(values, rows):
    data = [values[row] for row in rows]
    first = np.array(codes(data, favorable_label=values[0]))
    second = np.array(codes(data, favorable_label=values[1]))
    assert (first + second == 1).all()
    assert second.tolist() == rows


@given(st.lists(st.sampled_from(["no", "yes", "maybe", None]), min_size=1), st.randoms())
def test_the_order_of_rows_changes_nothing_but_the_order_of_codes(rows, shuffle: random.Random):
    rows = [*rows, "yes"]
    order = shuffle.sample(range(len(rows)), len(rows))
    before = read(rows, favorable_label="yes", missing="drop")
    after = read([rows[i] for i in order], favorable_label="yes", missing="drop")
    assert after.codes.tolist() == before.codes[order].tolist()
    assert (after.favorable, after.unfavorable) == (before.favorable, before.unfavorable)
    assert after.how == before.how


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1), st.permutations(["a", "b", "c"]))
def test_the_order_of_declared_levels_changes_no_code(rows, levels):  # h2o-3#15722
    flipped = pd.Categorical(rows, categories=levels, ordered=True)
    assert codes(flipped, favorable_label="b") == [int(row == "b") for row in rows]


@given(st.lists(st.integers(0, 1), min_size=1))
def test_codings_of_the_same_outcome_agree(rows):
    expected = codes(rows)
    assert codes([bool(row) for row in rows]) == expected
    assert codes([2 * row - 1 for row in rows]) == expected
    assert codes([str(row) for row in rows], text=True) == expected
    assert codes([float(row) for row in rows], score_threshold=0.5) == expected


# Scores


EXACT: dict[str, Any] = {
    "decimals": [Decimal("0.25"), None, Decimal("0.75000000000000000001")],
    "decimals of Polars": pl.Series([Decimal("0.25"), None, Decimal("0.75")]),
    "decimals of PyArrow": pa.array([Decimal("0.25"), None, Decimal("0.75")]),
    "whole numbers among floats": [0.25, None, 2**53 + 1],
    "whole numbers beyond 64 bits": [-(2**70), None, 2**70],
    "128 bits": pl.Series([-(2**70), None, 2**70], dtype=pl.Int128),
}


@pytest.mark.parametrize("data", EXACT.values(), ids=EXACT)
def test_numbers_that_are_kept_exact_are_scores_all_the_same(data):
    assert codes(data, score_threshold=0.5, missing="drop") == [0, 2, 1]


@pytest.mark.parametrize(
    "data",
    [
        [Decimal(1), Decimal("0.0")],
        pl.Series([1, 0], dtype=pl.Int128),
        pl.Series([Decimal(1), Decimal(0)]),
    ],
    ids=str,
)
def test_ones_and_zeros_of_wide_dtypes_are_self_evident(data):
    assert codes(data) == [1, 0]


def test_a_score_or_a_threshold_beyond_all_floats_is_refused():
    assert "beyond 1.8e308" in refusal([10**400, 1], InputError, score_threshold=0.5)
    assert "Pass a finite number" in refusal([0.5], InputError, score_threshold=10**400)


def test_scores_at_the_threshold_are_favourable():
    assert codes([0.4, 0.5, 0.6], score_threshold=0.5) == [0, 1, 1]
    assert codes([0.4, 0.5, 0.6], score_threshold=0.5, lower_score_favorable=True) == [1, 1, 0]


def test_the_sentence_says_the_direction():
    assert read([1.0], name="score", score_threshold=0.5).how == "favourable: score >= 0.5"
    found = read([1.0], name="score", score_threshold=620, lower_score_favorable=True)
    assert found.how == "favourable: score <= 620"
    assert (found.favorable, found.unfavorable) == ((), ())


@given(st.floats(0, 1, width=64), st.booleans())
def test_a_threshold_is_met_by_the_score_it_was_read_from(threshold, lower):
    # 0.7 in single precision is less than 0.7 in double precision
    for data in (np.array([threshold], np.float32), pl.Series([threshold], dtype=pl.Float32)):
        assert codes(data, score_threshold=threshold, lower_score_favorable=lower) == [1]


def test_missing_scores_follow_the_policy():
    assert codes([0.1, None, 0.9], score_threshold=0.5, missing="drop") == [0, 2, 1]
    said = refusal([0.1, NAN, 0.9], MissingValueError, score_threshold=0.5)
    assert "1 missing value, the first at row 1" in said


def test_integers_and_texts_of_a_file_can_be_scores():
    assert codes([300, 700], score_threshold=620) == [0, 1]
    assert codes(pd.Series([300, None], dtype="Int64"), score_threshold=1, missing="drop") == [1, 2]
    assert codes(["0.1", None, "9e-1"], text=True, score_threshold=0.5, missing="drop") == [0, 2, 1]
    assert codes(pd.Categorical(["0.1", "0.9"]), text=True, score_threshold=0.5) == [0, 1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([0.1, float("inf")], "1 infinite value, the first at row 1"),
        ([0.1, "high"], "holds 'high' at row 1, which is not a number"),
        (["0.1", "0.9"], "holds '0.1' at row 0, which is not a number"),
        ([True, False], "holds truth values"),
        (pd.Categorical([1, 2]), "holds categories"),
        (pd.to_timedelta(["1 day"]), "holds durations"),
    ],
)
def test_what_is_no_score_is_refused(data, said):
    assert said in refusal(data, InputError, score_threshold=0.5)


def test_texts_of_a_file_that_are_no_numbers_are_refused_with_their_row():
    said = refusal(["1", None, "n/a"], InputError, text=True, score_threshold=0.5, missing="drop")
    assert "holds 'n/a' at row 2" in said


@pytest.mark.parametrize("threshold", [NAN, float("inf"), True, "0.5"], ids=repr)
def test_a_threshold_is_a_finite_number(threshold):
    assert "Pass a finite number" in refusal([0.5], InputError, score_threshold=threshold)


def test_parameters_that_disagree_are_refused():
    said = refusal([0.5], InputError, score_threshold=0.5, favorable_label=1)
    assert "Pass only one" in said
    said = refusal([0, 1], InputError, lower_score_favorable=True)
    assert "Pass a score threshold too" in said


@every_container
def test_scores_are_the_same_from_every_container(put):
    found = column(put([0.5, None, 2.0]), what="scores", default_name="score")
    if "Categorical" in str(found.values.dtype):
        pytest.skip("categories are not quantities")
    assert np.array_equal(scores(found), [0.5, NAN, 2.0], equal_nan=True)


# Missing outcomes


@pytest.mark.parametrize("policy", ["drop", "group"])
def test_a_missing_outcome_has_a_code_of_its_own(policy):
    assert codes([1, None, 0], missing=policy) == [1, 2, 0]
    assert codes(pd.Series([True, pd.NA], dtype="boolean"), missing=policy) == [1, 2]


@every_text_container
def test_missing_outcomes_are_refused_by_default(put):
    with pytest.raises(MissingValueError, match=r"decisions column 'x' has 1 missing value, the "):
        outcome(column(put(["yes", "no", None]), what="decisions", default_name="x"))


def test_all_missing_is_refused_under_every_policy():
    for data in ([None, None], pl.Series([None, None], dtype=pl.String), [NAN]):
        assert "every row is missing" in refusal(data, missing="drop")
        assert "every row is missing" in refusal(data, missing="group", favorable_label="yes")
        assert refusal(data, MissingValueError)


def test_a_wrong_policy_lists_the_policies():
    said = refusal([0, 1], InputError, missing="ignore")
    assert "Pass 'error', 'drop' or 'group'" in said


def test_no_rows_are_refused():
    assert "has no rows" in refusal([], InputError)
    assert "has no rows" in refusal(pd.Series([], dtype=bool), InputError)


def test_the_favourable_value_is_always_told():
    assert read([0, 1]).how == "favourable: approved = 1 (assumed)"
    assert read([0, 0]).how == "favourable: approved = 1 (assumed)"
    assert read([False]).how == "favourable: approved = True (assumed)"
    assert read(["no", "yes"], favorable_label="yes").how == "favourable: approved = 'yes'"
    assert read([0, 0], favorable_label=1, name="hired").how == "favourable: hired = 1"


def test_codes_cannot_be_changed():
    assert not read([0, 1]).codes.flags.writeable
    assert not read([0.1], score_threshold=0.5).codes.flags.writeable
