"""The audit as its users meet it."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from tests.oracles.rates import rates_by_loops

YES_NO = ["yes"] * 3 + ["no"] * 3
SEX = ["f"] * 3 + ["m"] * 3


def gap(found: ar.Audit, metric: str = "statistical_parity", grouping: str | None = None):
    rows = found.gaps[found.gaps["metric"] == metric]
    rows = rows if grouping is None else rows[rows["grouping"] == grouping]
    return rows.iloc[0]


def group(found: ar.Audit, name: str) -> pd.Series:
    return found.by_group[found.by_group["group"] == name].iloc[0]


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    n = draw(st.integers(2, 40))

    def column(values: list) -> list:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    return pd.DataFrame(
        {
            "decision": column([0, 1]),
            "label": column([0, 1]),
            "sex": column(["f", "m"]),
            "race": column(["a", "b", "c"]),
            "weight": column([0.0, 0.5, 1.0, 2.0]),
        }
    )


def audited(data: pd.DataFrame, **options) -> ar.Audit:
    options = {"n_resamples": 100, "sensitive_features": data[["sex", "race"]]} | options
    return ar.audit(data["decision"], y_true=data["label"], **options)


@settings(max_examples=20)
@given(tables())
def test_every_rate_agrees_with_its_definition_written_as_loops(data):
    found = audited(data)
    expected = rates_by_loops(data, [["sex"], ["race"], ["sex", "race"]])
    ours = found.rates.set_index(["metric", "grouping", "group"])
    assert set(expected) == set(ours.index)
    for key, (k, n) in expected.items():
        assert (ours.loc[key, "k"], ours.loc[key, "n"]) == (k, n)
        assert np.isnan(ours.loc[key, "value"]) if n == 0 else ours.loc[key, "value"] == k / n


@settings(max_examples=20)
@given(tables())
def test_a_nan_stands_only_beside_a_status_that_says_not_estimable(data):
    found = audited(data, sample_weight=data["weight"] + (data["weight"].sum() == 0))
    for frame in (found.by_group, found.rates, found.gaps, found.summary, found.overall):
        silent = frame[frame["status"].map(lambda status: "not estimable" not in status)]
        assert not silent.drop(columns="status").isna().any(axis=None)


@settings(max_examples=20)
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(data, random):
    rows = list(range(len(data)))
    random.shuffle(rows)
    shuffled = data.iloc[rows].reset_index(drop=True)
    assert audited(data).to_json() == audited(shuffled).to_json()


@settings(max_examples=20)
@given(tables())
def test_swapping_the_favourable_value_mirrors_the_rates_and_keeps_the_gap(data):
    found = audited(data, favorable_label=1, y_true_favorable=1)
    mirrored = audited(data, favorable_label=0, y_true_favorable=0)
    np.testing.assert_allclose(
        found.by_group["selection_rate"], 1 - mirrored.by_group["selection_rate"], atol=1e-12
    )
    np.testing.assert_allclose(
        found.by_group["true_positive_rate"],
        1 - mirrored.by_group["false_positive_rate"],
        atol=1e-12,
    )
    assert gap(found)["value"] == pytest.approx(gap(mirrored)["value"], nan_ok=True)


@settings(max_examples=12)
@given(tables())
def test_whole_weights_count_like_repeated_rows(data):
    times = (2 * data["weight"]).astype(int)
    if times.sum() == 0:
        return
    repeated = data.loc[data.index.repeat(times)].reset_index(drop=True)
    weighted = audited(data, sample_weight=times)
    ours = weighted.by_group.set_index(["grouping", "group"])["selection_rate"].dropna()
    theirs = audited(repeated).by_group.set_index(["grouping", "group"])["selection_rate"]
    np.testing.assert_allclose(ours, theirs[ours.index], atol=1e-12)


@settings(max_examples=12)
@given(tables())
def test_two_columns_crossed_are_the_same_as_their_joint_column(data):
    joint = data["sex"] + " x " + data["race"]
    crossed = audited(data).by_group
    crossed = crossed[crossed["grouping"] == "sex x race"]
    single = audited(data, sensitive_features={"both": joint}).by_group
    drop = ["grouping"]
    pd.testing.assert_frame_equal(
        crossed.drop(columns=drop).reset_index(drop=True), single.drop(columns=drop)
    )


@settings(max_examples=12)
@given(tables())
def test_the_audit_within_a_segment_is_the_audit_of_its_rows(data):
    segmented = ar.audit(
        data["decision"],
        sensitive_features=data["sex"],
        control_features=data["race"],
        n_resamples=100,
    )
    for value, rows in data.groupby("race"):
        alone = ar.audit(rows["decision"], sensitive_features=rows["sex"], n_resamples=100)
        ours = segmented.by_group[segmented.by_group["race"] == value]
        ours = ours[ours["n"] > 0].drop(columns="race").reset_index(drop=True)
        pd.testing.assert_frame_equal(ours, alone.by_group)


def test_yes_and_no_need_a_favourable_label_and_then_give_the_right_gap():
    with pytest.raises(ar.LabelError, match=r"'no'.*'yes'.*favorable_label"):
        ar.audit(YES_NO, sensitive_features={"sex": SEX})
    found = ar.audit(YES_NO, sensitive_features={"sex": SEX}, favorable_label="yes")
    assert gap(found)["value"] == 1
    assert (gap(found)["group_high"], gap(found)["group_low"]) == ("f", "m")


def test_one_and_two_need_a_favourable_label():
    codes = [1, 1, 1, 2, 2, 2]
    with pytest.raises(ar.LabelError, match=r"1.*2.*favorable_label"):
        ar.audit(codes, sensitive_features={"sex": SEX})
    approved = ar.audit(codes, sensitive_features={"sex": SEX}, favorable_label=2)
    assert gap(approved)["group_high"] == "m"


def test_three_classes_need_a_favourable_label_and_fold_into_two():
    classes = ["deny", "refer", "grant"] * 2
    with pytest.raises(ar.LabelError, match="favorable_label"):
        ar.audit(classes, sensitive_features={"sex": SEX})
    found = ar.audit(classes, sensitive_features={"sex": SEX}, favorable_label=["refer", "grant"])
    assert found.overall.loc[0, "n_selected"] == 4


def test_indexes_that_disagree_are_an_error_and_equal_labels_are_aligned():
    decisions = pd.Series([1, 1, 0, 0], index=[0, 1, 2, 3])
    sex = pd.Series(list("ffmm"), index=[3, 2, 1, 0], name="sex")
    found = ar.audit(decisions, sensitive_features=sex)
    assert gap(found)["group_high"] == "m"
    with pytest.raises(ar.AlignmentError):
        ar.audit(decisions, sensitive_features=sex.set_axis([7, 8, 9, 10]))
    with pytest.raises(ar.AlignmentError, match=r"4.*3"):
        ar.audit(decisions, sensitive_features=list("ffm"))


def test_a_group_without_positives_has_no_true_positive_rate_and_no_equalized_odds():
    found = ar.audit(
        [1, 0, 1, 0, 0, 1],
        y_true=[1, 1, 0, 0, 0, 0],
        sensitive_features={"sex": SEX},
        n_resamples=100,
    )
    men = found.rates[found.rates["group"] == "m"].set_index("metric")
    assert men.loc["true_positive_rate", "status"] == "not estimable: 0 favourable labels"
    assert np.isnan(men.loc["true_positive_rate", "value"])
    for metric in ("equal_opportunity", "equalized_odds"):
        assert gap(found, metric)["status"] == "not estimable: m has 0 favourable labels"
        assert np.isnan(gap(found, metric)["value"])
    assert gap(found, "predictive_equality")["value"] == pytest.approx(2 / 3)


def test_all_zero_predictions_have_a_gap_of_zero_and_no_ratio():
    found = ar.audit([0] * 6, sensitive_features={"sex": SEX})
    row = gap(found)
    assert row["value"] == 0
    assert np.isnan(row["ratio"])
    assert "ratio not estimable" in row["status"]
    assert row["group_high"] != row["group_low"]
    assert "impact ratio not estimable" in group(found, "f")["status"]


def test_a_rate_of_zero_has_the_legal_and_worst_p_rule_zero():
    found = ar.audit([0, 0, 0, 1, 1, 0], sensitive_features={"sex": SEX})
    assert found.summary.loc[0, "p_rule"] == 0
    assert group(found, "f")["impact_ratio"] == 0


def test_opposite_gaps_do_not_cancel_in_equalized_odds():
    label = [1] * 10 + [0] * 10
    decisions = [1] * 7 + [0] * 3 + [1] * 3 + [0] * 7 + [1] * 5 + [0] * 5 + [1] * 5 + [0] * 5
    found = ar.audit(
        decisions, y_true=label * 2, sensitive_features={"sex": ["f"] * 20 + ["m"] * 20}
    )
    assert gap(found, "equal_opportunity")["value"] == pytest.approx(0.2)
    assert gap(found, "predictive_equality")["value"] == pytest.approx(0.2)
    assert gap(found, "equalized_odds")["value"] == pytest.approx(0.2)


@pytest.mark.parametrize("name", [0, "y_pred", "sensitive_feature_0", "n", "group"])
def test_a_sensitive_column_may_have_any_name(name):
    found = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features=pd.DataFrame({name: SEX}))
    assert found.by_group["grouping"].unique().tolist() == [str(name)]


def test_polars_names_are_kept():
    pl = pytest.importorskip("polars", reason="needs Polars (the dev extra)")
    found = ar.audit(
        pl.Series("approved", [1, 1, 0, 0, 1, 0]), sensitive_features=pl.Series("sex", SEX)
    )
    assert found.by_group["grouping"].unique().tolist() == ["sex"]
    assert "approved" in found.favorable


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
@pytest.mark.parametrize("container", [list, pd.Series, lambda v: np.array(v, dtype=object)])
def test_a_missing_group_is_treated_alike_in_every_container(missing, container):
    decisions = [1, 1, 0, 0, 1, 0, 1]
    sex = container([*SEX, missing])

    def run(policy: str) -> ar.Audit:
        return ar.audit(decisions, sensitive_features={"sex": sex}, missing=policy)

    with pytest.raises(ar.MissingValueError, match=r"'sex'.*1 missing.*row 6"):
        run("error")
    dropped = run("drop")
    assert dropped.by_group["group"].tolist() == ["f", "m"]
    assert dropped.unknown.loc[0, "n_missing"] == 1
    assert any("unknown sex" in notice for notice in dropped.notices)
    assert run("group").by_group["group"].tolist() == ["f", "m", "(missing)"]
    with pytest.raises(ar.InputError, match=r"error.*drop.*group"):
        run("ignore")


def test_a_row_of_unknown_race_still_counts_by_sex():
    data = pd.DataFrame({"sex": SEX, "race": ["a", None, "b", "a", "b", "b"]})
    found = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features=data, missing="drop")
    totals = found.by_group.groupby("grouping")["n"].sum()
    assert totals.to_dict() == {"sex": 6, "race": 5, "sex x race": 5}


def test_one_row_groups_count_in_the_gap_and_are_flagged():
    decisions = [1] + [0, 1] * 50
    found = ar.audit(decisions, sensitive_features={"g": ["lone"] + ["a", "b"] * 50})
    assert group(found, "lone")["status"].startswith("small group: n = 1 < 30")
    assert gap(found)["value"] == 1
    assert "lone (n = 1)" in gap(found)["status"]


def test_a_single_group_has_no_gap():
    found = ar.audit([1, 0, 1], sensitive_features={"g": ["a"] * 3})
    assert gap(found)["status"] == "not estimable: 1 group to compare"


def test_declared_categories_that_nobody_has_are_listed_with_no_rows():
    sex = pd.Categorical(SEX, categories=["f", "m", "x"])
    found = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": sex})
    assert group(found, "x")["n"] == 0
    assert group(found, "x")["status"] == "not estimable: 0 rows"
    assert gap(found)["value"] == pytest.approx(1 / 3)


def test_the_reference_group_may_be_the_best_the_largest_or_named():
    decisions = [1, 1, 0, 0, 0, 1]
    groups = {"g": ["a", "a", "b", "b", "b", "c"], "h": ["x", "y"] * 3}

    def references(reference: object) -> dict[str, str]:
        found = ar.audit(decisions, sensitive_features=groups, reference_group=reference)
        rows = found.by_group[found.by_group["reference"]]
        return dict(zip(rows["grouping"], rows["group"]))

    assert references("best")["g"] == "a"
    assert references("largest")["g"] == "b"
    assert references("c")["g"] == "c"
    assert references({"g": "b", "h": "x"}) == {"g": "b", "h": "x", "g x h": "b x x"}
    with pytest.raises(ar.InputError, match="Did you mean"):
        references({"g": "B"})
    with pytest.raises(ar.InputError, match="no group here"):
        references("nobody")


def test_differences_are_group_minus_reference_and_gaps_never_negative():
    decisions = [1, 1, 1, 0, 0, 1]
    found = ar.audit(decisions, sensitive_features={"sex": SEX}, reference_group="f")
    assert group(found, "m")["difference"] == pytest.approx(1 / 3 - 1)
    assert gap(found)["value"] == pytest.approx(2 / 3)


def test_the_same_seed_gives_the_same_bytes_and_none_records_its_own():
    given_seed = [ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": SEX}) for _ in "ab"]
    assert given_seed[0].to_json() == given_seed[1].to_json()
    unseeded = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": SEX}, random_state=None)
    again = ar.audit(
        [1, 1, 0, 0, 1, 0], sensitive_features={"sex": SEX}, random_state=unseeded.random_state
    )
    assert unseeded.to_json() == again.to_json()


def test_json_is_strict_and_names_its_schema():
    found = ar.audit([0] * 6, sensitive_features={"sex": SEX})
    content = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert (content["schema"], content["schema_version"]) == ("arbitree/audit", 1)
    assert content["gaps"][0]["ratio"] is None


def test_scores_give_means_and_a_standardised_difference():
    rng = np.random.default_rng(0)
    scores = np.r_[rng.normal(0.4, 0.1, 500), rng.normal(0.5, 0.1, 500)]
    found = ar.audit(
        scores, sensitive_features={"sex": ["f"] * 500 + ["m"] * 500}, score_threshold=0.5
    )
    assert group(found, "f")["mean_score"] == pytest.approx(scores[:500].mean())
    assert group(found, "f")["smd"] == pytest.approx(-1, abs=0.15)
    assert group(found, "m")["smd"] == 0


def test_a_lower_score_can_be_favourable():
    scores = [1, 2, 3, 4, 5, 6]
    found = ar.audit(
        scores,
        sensitive_features={"sex": SEX},
        score_threshold=3,
        lower_score_favorable=True,
    )
    assert gap(found)["group_high"] == "f"
    assert found.overall.loc[0, "n_selected"] == 3


def test_p_values_come_on_request():
    decisions = [1] * 40 + [0] * 10 + [1] * 20 + [0] * 30
    found = ar.audit(decisions, sensitive_features={"sex": ["f"] * 50 + ["m"] * 50}, p_values=True)
    assert group(found, "f")["p_value"] == 1
    assert group(found, "m")["p_value"] < 0.001


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ({"confidence": 95}, "between 0 and 1"),
        ({"min_group_size": -1}, "at least 0"),
        ({"n_resamples": 1.5}, "whole number"),
        ({"random_state": "seed"}, "whole number"),
        ({"sample_weight": [1, 1, 1, 1, 1, -1]}, "row 5"),
        ({"sample_weight": [0] * 6}, "weight"),
        ({"y_true": [1, 0]}, r"6.*2"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_words(option, advice):
    with pytest.raises(ar.InputError, match=advice):
        ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": SEX}, **option)


def test_no_rows_are_refused():
    with pytest.raises(ar.InputError, match="no rows"):
        ar.audit([], sensitive_features={"sex": []})


def test_a_hundred_groups_and_a_constant_group_do_not_break_anything():
    rng = np.random.default_rng(0)
    groups = pd.Series(rng.integers(0, 200, 3000)).map("g{}".format)
    found = ar.audit(rng.integers(0, 2, 3000), sensitive_features={"g": groups})
    assert len(found.by_group) == 200
    assert 0 <= gap(found)["ci_low"] <= gap(found)["value"] <= gap(found)["ci_high"] <= 1


def test_readable_forms_hold_every_group():
    found = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": ["<b>", "a|b", "=1+1"] * 2})
    for text in (repr(found), found.to_markdown(), found.to_html(), found.to_latex()):
        assert "selection" in text
    assert "<b>" not in found.to_html().replace("<tbody>", "")


@pytest.mark.parametrize("name", ["group", "n", "metric", "status", "selection_rate", "BA"])
def test_a_control_column_may_be_called_like_a_column_of_the_result(name):
    found = ar.audit(
        [1, 1, 0, 0, 1, 0],
        y_true=[1, 0, 1, 0, 1, 0],
        sensitive_features={"sex": SEX},
        control_features={name: ["a", "b"] * 3},
    )
    for frame in (found.by_group, found.rates, found.gaps, found.summary, found.overall):
        assert set(frame[f"{name} (control)"]) == {"a", "b"}


def test_weighted_scores_are_as_certain_as_their_effective_size():
    rng = np.random.default_rng(0)
    data = {"sensitive_features": {"sex": ["f", "m"] * 100}, "score_threshold": 0}
    scores = rng.normal(size=200)
    plain = group(ar.audit(scores, **data), "f")
    heavy = group(ar.audit(scores, sample_weight=np.full(200, 50.0), **data), "f")
    assert heavy["smd_low"] == pytest.approx(plain["smd_low"])
    assert heavy["smd_high"] == pytest.approx(plain["smd_high"])


def test_rows_paired_by_index_label_are_said_to_be():
    decisions = pd.Series([1, 1, 0, 0], index=[0, 1, 2, 3])
    found = ar.audit(decisions, sensitive_features=pd.Series(list("ffmm"), index=[3, 2, 1, 0]))
    assert any("paired" in notice for notice in found.notices)


def test_columns_of_lists_get_plain_names():
    found = ar.audit([1, 1, 0, 0], sensitive_features=list("ffmm"))
    assert found.favorable == "favourable: decision = 1 (assumed)"
    assert found.by_group["grouping"].unique().tolist() == ["sensitive_feature_0"]


def test_a_grouping_of_which_nobody_is_known_leaves_the_others_alone():
    sensitive = {"sex": [None] * 40, "race": ["x", "y"] * 20}
    found = ar.audit([1, 0] * 20, sensitive_features=sensitive, missing="drop")
    assert found.by_group["grouping"].unique().tolist() == ["race"]
    statuses = found.gaps.set_index("grouping")["status"]
    assert statuses["sex"] == "not estimable: no row has a known group"
    assert "sex: not estimable: no row has a known group." in found.notices
    for asked in ({"fail_under": 0.5}, {"max_gap": 1.0}):
        assert found.check(**asked).exit_code in (1, 3)
    with pytest.raises(ar.InputError, match="No row has a known group"):
        ar.audit([1, 0], sensitive_features={"sex": [None, None]}, missing="drop")


def test_columns_never_known_together_are_audited_apart():
    sensitive = {"sex": ["f", "m", None, None], "race": [None, None, "x", "y"]}
    found = ar.audit([1, 0, 1, 0], sensitive_features=sensitive, missing="drop")
    assert found.by_group["grouping"].unique().tolist() == ["sex", "race"]


def test_segments_that_cannot_be_read_are_refused_in_words():
    def run(control: list) -> ar.Audit:
        return ar.audit(
            [1, 0] * 1001,
            sensitive_features=["a", "b"] * 1001,
            control_features={"c": control},
            missing="drop",
        )

    with pytest.raises(ar.InputError, match="No row has a known value of 'c'"):
        run([None] * 2002)
    with pytest.raises(ar.InputError, match=r"2,002 segments.*at most 1,000"):
        run([f"s{i}" for i in range(2002)])


def test_control_columns_stay_apart_whatever_they_are_called():
    found = ar.audit(
        [1, 1, 0, 0, 1, 0],
        sensitive_features={"sex": SEX},
        control_features={"n": ["a", "b"] * 3, "n (control)": ["c"] * 6},
    )
    assert set(found.by_group["n (control)"]) == {"c"}
    assert set(found.by_group["n (control) (control)"]) == {"a", "b"}


def test_intervals_against_the_best_of_many_groups_are_wider_than_against_a_named_one():
    rng = np.random.default_rng(0)
    groups = {"g": np.repeat(list("abcdefgh"), 100)}
    decisions = rng.integers(0, 2, 800)
    best = ar.audit(decisions, sensitive_features=groups)
    name = best.by_group.loc[best.by_group["reference"], "group"].item()
    named = ar.audit(decisions, sensitive_features=groups, reference_group=name)
    others = ~best.by_group["reference"]
    wide, narrow = (a.by_group[others] for a in (best, named))
    assert (wide["difference_low"] < narrow["difference_low"]).all()
    assert (wide["impact_ratio_high"] > narrow["impact_ratio_high"]).all()
    assert (wide["ci_low"] == narrow["ci_low"]).all()
    assert best.gaps.drop(columns="status").equals(named.gaps.drop(columns="status"))


def test_groupings_without_the_named_reference_say_so():
    sensitive = {"sex": SEX, "race": ["a", "b"] * 3}
    found = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features=sensitive, reference_group="f")
    assert any(
        notice.startswith("'race' and 'sex x race': no group there") for notice in found.notices
    )


def test_control_columns_are_cut_by_bins_too():
    found = ar.audit(
        [1, 1, 0, 0, 1, 0],
        sensitive_features={"sex": SEX},
        control_features={"age": [20, 30, 40, 50, 60, 70]},
        bins={"age": [45]},
    )
    assert found.by_group["age"].unique().tolist() == ["< 45", ">= 45"]


def test_where_low_scores_are_favourable_the_favourable_label_must_be_named():
    given = {"sensitive_features": {"sex": SEX}, "y_true": [0, 1, 0, 1, 0, 1]}
    scores = {"score_threshold": 3, "lower_score_favorable": True}
    with pytest.raises(ar.LabelError, match="y_true_favorable"):
        ar.audit([1, 2, 3, 4, 5, 6], **given, **scores)
    found = ar.audit([1, 2, 3, 4, 5, 6], **given, **scores, y_true_favorable=0)
    assert found.label_favorable == "favourable: label = 0"


def test_a_summary_of_a_small_group_says_so():
    found = ar.audit([1, 0] + [0, 1] * 50, sensitive_features={"g": ["x"] * 2 + ["a", "b"] * 50})
    assert found.summary.loc[0, "status"] == "small group: n = 2 < 30"


def test_a_check_of_nothing_is_refused():
    found = ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": SEX})
    with pytest.raises(ar.InputError, match="nothing to check"):
        found.check()


def test_the_largest_group_is_the_one_of_most_weight():
    given = {"sensitive_features": {"g": ["a", "a", "b"]}, "reference_group": "largest"}
    plain = ar.audit([1, 0, 1], **given)
    weighted = ar.audit([1, 0, 1], sample_weight=[1, 1, 5], **given)
    assert plain.rates.loc[0, "reference"] == "a"
    assert weighted.rates.loc[0, "reference"] == "b"


@pytest.mark.parametrize("favorable", [0, -1], ids=["zero", "minus one"])
def test_a_favourable_decision_that_labels_never_have_is_not_turned_round(favorable):
    decisions = [favorable, 1] * 3
    with pytest.raises(ar.LabelError, match="y_true_favorable"):
        ar.audit(
            decisions,
            y_true=[2, 1, 2, 1, 1, 2],
            sensitive_features={"sex": SEX},
            favorable_label=favorable,
        )
    opposite = 0 if favorable == -1 else -1
    with pytest.raises(ar.LabelError, match="y_true_favorable"):
        ar.audit(
            decisions,
            y_true=[opposite, 1] * 3,
            sensitive_features={"sex": SEX},
            favorable_label=favorable,
        )


def test_values_that_count_as_unfavourable_are_named_where_there_are_several():
    found = ar.audit(
        ["yes", "Yes", "no", "no", "yes", "pending"],
        sensitive_features={"sex": SEX},
        favorable_label="yes",
    )
    assert "decision: unfavourable are 'Yes', 'no' and 'pending'." in found.notices


def test_a_group_without_weight_is_said_to_have_none():
    found = ar.audit(
        [1, 0, 1, 0, 1, 0], sensitive_features={"sex": SEX}, sample_weight=[1, 1, 1, 0, 0, 0]
    )
    assert gap(found)["status"] == "not estimable: m has weights that sum to 0"


@pytest.mark.parametrize("option", [{"n_resamples": 2_000_000_000}, {"confidence": 1 - 1e-16}])
def test_what_would_take_for_ever_or_break_is_refused(option):
    with pytest.raises(ar.InputError):
        ar.audit([1, 1, 0, 0, 1, 0], sensitive_features={"sex": SEX}, **option)


@pytest.mark.parametrize("policy", ["drop", "group"])
def test_what_the_reader_was_told_of_missing_groups_is_not_asked_again(tmp_path, policy):
    path = tmp_path / "hired.csv"
    path.write_text("sex,hired\n" + "f,0\n,1\nm,1\n" * 40)
    table = ar.read(path, sensitive="sex", decision="hired", missing=policy)
    said = ar.audit_table(table).by_group
    pd.testing.assert_frame_equal(said, ar.audit_table(table, missing=policy).by_group)
    assert len(said) == (2 if policy == "drop" else 3)
    with pytest.raises(ar.MissingValueError):
        ar.audit_table(table, missing="error")
    with pytest.raises(ar.MissingValueError):
        ar.audit_table(ar.read(path, sensitive="sex", decision="hired"))
