"""Failures reported of other tools: weights that do not count like rows."""

from __future__ import annotations

import numpy as np
import pytest

import arbitree as ar

from .audits import DECISIONS, LABELS, RACE, SEX, audited, gap, group, rate

COLUMNS = {"sex": SEX, "race": RACE}


def repeated(values: list, times: list[int]) -> list:
    return [value for value, n in zip(values, times) for _ in range(n)]


@pytest.mark.parametrize("times", [[2] * 12, [1, 5, 2, 3] * 3, [3, 1, 0, 2] * 3], ids=str)
def test_a_weight_of_n_counts_like_n_rows(times):  # scikit-learn#18153
    fixed = {"reference_group": {"sex": "f", "race": "a"}}
    weighted = audited(DECISIONS, COLUMNS, y_true=LABELS, sample_weight=times, **fixed)
    rows = audited(
        repeated(DECISIONS, times),
        {name: repeated(values, times) for name, values in COLUMNS.items()},
        y_true=repeated(LABELS, times),
        **fixed,
    )
    for frame, key, values in (
        ("rates", ["metric", "grouping", "group"], ["value", "difference", "ratio"]),
        ("gaps", ["metric", "grouping"], ["value", "ratio"]),
        ("summary", ["grouping"], ["p_rule", "n_rule", "BA"]),
    ):
        ours = getattr(weighted, frame).set_index(key)[values]
        theirs = getattr(rows, frame).set_index(key)[values].reindex(ours.index)
        if frame == "rates":
            ours = ours[theirs["value"].notna()]
            theirs = theirs.loc[ours.index]
        np.testing.assert_allclose(ours.astype(float), theirs.astype(float), atol=1e-12)


@pytest.mark.parametrize(("times", "scale"), [(2, 1.0), (3, 0.01), (1, 1e6)])
def test_every_row_twice_or_any_scale_of_weights_changes_no_rate(
    times, scale
):  # scikit-learn#30917
    once = audited(DECISIONS, COLUMNS, y_true=LABELS)
    more = audited(
        DECISIONS * times,
        {name: values * times for name, values in COLUMNS.items()},
        y_true=LABELS * times,
        sample_weight=np.full(12 * times, scale),
    )
    for frame, columns in (("rates", ["value", "ratio"]), ("gaps", ["value", "ratio"])):
        ours, theirs = getattr(more, frame)[columns], getattr(once, frame)[columns]
        np.testing.assert_allclose(ours.astype(float), theirs.astype(float), atol=1e-12)
    assert more.by_group["n"].tolist() == [n * times for n in once.by_group["n"]]


@pytest.mark.parametrize("light", ["f", "m"])
@pytest.mark.parametrize("reference", ["best", "largest", "f"])
def test_a_group_without_weight_has_no_rate_and_says_so(light, reference):  # 0 / 0
    weights = [0.0 if sex == light else 2.0 for sex in SEX]
    found = audited(sample_weight=weights, reference_group=reference, y_true=LABELS)
    row = group(found, light)
    assert (row["n"], row["weight"]) == (6, 0)
    assert np.isnan(row["selection_rate"])
    assert row["status"].startswith("not estimable: weights sum to 0")
    assert rate(found, "true_positive_rate", light)["status"].startswith("not estimable")
    assert gap(found)["status"].startswith("not estimable")
    other = group(found, "m" if light == "f" else "f")
    assert (other["n"], other["weight"]) == (6, 12)
    assert not np.isnan(other["selection_rate"])


@pytest.mark.parametrize(
    ("weight", "advice"),
    [(-1, "row 4"), (float("nan"), "row 4"), (float("inf"), "row 4"), ("x", "row 4|text|number")],
    ids=repr,
)
def test_what_is_no_weight_is_refused_with_its_row(weight, advice):
    weights: list = [1.0] * 12
    weights[4] = weight
    with pytest.raises(ar.InputError, match=advice):
        audited(sample_weight=weights)


def test_no_weight_at_all_is_refused():
    with pytest.raises(ar.InputError, match="weight"):
        audited(sample_weight=[0.0] * 12)
