"""What changed between two explanations of a gap."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arbitree as ar

from ..report.influences import LOANS, made_influence

names = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=2, unique=True).map(tuple)
influences = st.dictionaries(names.map(lambda n: tuple(sorted(n))), st.floats(-1, 1), max_size=8)


def _swapped(infl):
    return dataclasses.replace(infl, group_high=infl.group_low, group_low=infl.group_high)


@given(influences, influences, st.floats(-1, 1), st.booleans())
def test_before_after_and_change_each_add_up(old, new, unexplained, swap):
    before = made_influence(old, unexplained=0.1)
    after = made_influence(new, unexplained=unexplained)
    found = ar.compare(before, _swapped(after) if swap else after)
    for part in ("before", "after", "change"):
        total = found.table[part].sum() + getattr(found, f"unexplained_{part}")
        assert total == pytest.approx(getattr(found, f"gap_{part}"), abs=1e-9)


def test_the_largest_change_is_first_and_nothing_changes_in_the_same():
    before = made_influence(LOANS)
    after = made_influence(LOANS | {("age",): 0.2, ("tenure",): 0.03})
    assert ar.compare(before, after).table["features"].tolist()[:2] == [("age",), ("tenure",)]
    assert (ar.compare(before, before).table["change"] == 0).all()


def test_a_set_is_the_same_in_any_order_of_its_features():
    before = made_influence({("a", "b"): 0.1})
    found = ar.compare(before, made_influence({("b", "a"): 0.3}))
    assert found.table[["before", "after"]].to_numpy().tolist() == [[0.1, 0.3]]


def test_groups_that_changed_places_count_as_a_negative_gap():
    before = made_influence(LOANS)
    found = ar.compare(before, _swapped(before))
    assert found.gap_after == -before.gap
    assert found.gap_change == -2 * before.gap
    assert "changed places" in found.notices[0]


def test_what_is_favourable_is_told_without_saying_so_twice():
    after = made_influence(LOANS, favorable="favourable: decision = True")
    (notice,) = ar.compare(made_influence(LOANS), after).notices
    assert "before approved = 'yes', after decision = True" in notice
    assert "favourable: " not in notice


def test_a_set_without_a_component_counts_as_0_and_is_told():
    found = ar.compare(made_influence({("a",): 0.1}), made_influence({("b",): 0.1}))
    assert sorted(found.table["change"]) == [-0.1, 0.1]
    assert len(found.notices) == 2
    assert "no component before" in found.notices[0]


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({"metric": "equal_opportunity"}, "same metric"),
        ({"condition": "favourable label"}, "one condition"),
        ({"group_low": "Asian"}, r"groups=\('White', 'Black'\)"),
    ],
)
def test_what_cannot_be_compared_says_what_to_do(fields, advice):
    with pytest.raises(ar.InputError, match=advice):
        ar.compare(made_influence(LOANS), made_influence(LOANS, **fields))


def test_anything_else_than_an_influence_is_refused():
    with pytest.raises(ar.InputError, match=r"after is a float.*explain_gap"):
        ar.compare(made_influence(LOANS), 0.1)


def test_it_is_written_as_strict_json_the_same_every_time_and_as_tables():
    made = [ar.compare(made_influence(LOANS), made_influence(LOANS)) for _ in range(2)]
    assert made[0].to_json() == made[1].to_json()
    told = json.loads(made[0].to_json())
    assert (told["schema"], told["schema_version"]) == ("arbitree/comparison", 1)
    assert told["table"][0]["features"] == ["zip_income"]
    assert "| zip_income x tenure | 0.022 |" in made[0].to_markdown()
    assert "(unexplained)" in made[0].to_latex()
    assert made[0]._repr_html_() == made[0].to_html()
    assert repr(made[0]).startswith("Comparison of statistical_parity (all rows)")
