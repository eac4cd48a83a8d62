"""The summary in the manner of Local Law 144."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from arbitree import InputError
from arbitree._tables import strict_json
from arbitree.report.ll144 import ll144
from arbitree.report.ll144_layout import ll144_csv, ll144_markdown, ll144_text

from .audits import made_audit

COUNTS = {
    "sex": {"Female": (400, 1000), "Male": (500, 1000)},
    "race": {"Asian": (9, 15), "Black": (300, 985), "White": (591, 1000)},
    "sex x race": {
        "Female x Black": (100, 485),
        "Female x White": (300, 515),
        "Male x Asian": (9, 15),
        "Male x Black": (200, 500),
        "Male x White": (291, 485),
    },
}


def _rows(summary, grouping: str) -> pd.DataFrame:
    found = summary.categories
    return found[found["grouping"] == grouping].set_index("category")


def test_the_impact_ratio_is_against_the_most_selected_category():
    sex = _rows(ll144(made_audit(COUNTS)), "sex")
    assert sex["impact_ratio"].to_dict() == {"Female": 0.8, "Male": 1.0}
    assert sex.loc["Male", "note"] == "most selected"


def test_sex_race_and_both_have_a_table():
    summary = ll144(made_audit(COUNTS))
    assert summary.categories["grouping"].unique().tolist() == ["sex", "race", "sex x race"]
    text = ll144_markdown(summary)
    assert all(f"| {category} |" in text for category in summary.categories["category"])
    for layout in (ll144_text, ll144_markdown):
        assert "Not legal advice" in layout(summary)


def test_categories_under_two_percent_are_marked_and_still_count():
    race = _rows(ll144(made_audit(COUNTS)), "race")
    assert "under 2% of applicants" in race.loc["Asian", "note"]
    assert "small group: n = 15 < 30" in race.loc["Asian", "note"]
    assert race.loc["Asian", "impact_ratio"] == 1.0
    assert race.loc["White", "impact_ratio"] == pytest.approx(0.591 / 0.6)


def test_categories_under_the_share_may_be_left_out():
    summary = ll144(made_audit(COUNTS), exclude_below_min_share=True)
    race = _rows(summary, "race")
    assert np.isnan(race.loc["Asian", "impact_ratio"])
    assert "left out of the impact ratio" in race.loc["Asian", "note"]
    assert race.loc["White", "impact_ratio"] == 1.0
    assert race.loc["White", "note"] == "most selected"
    assert "left out of the impact ratios" in ll144_text(summary)


def test_the_share_is_a_parameter():
    summary = ll144(made_audit(COUNTS), min_share=0.5)
    assert "under 50% of applicants" in _rows(summary, "race").loc["Black", "note"]
    assert "small" not in _rows(summary, "sex").loc["Female", "note"]


def test_unknown_applicants_are_stated():
    summary = ll144(made_audit(COUNTS, unknown={"race": 37}))
    assert summary.outside.set_index("grouping")["n"].to_dict()["race"] == 37
    text = ll144_text(summary)
    assert "unknown race: 37 (1.8%)" in text
    assert "in no category of sex x race: 37" in text
    assert "share: of the applicants whose category is known" in text


def test_nobody_selected_is_not_a_ratio_of_nothing():
    summary = ll144(made_audit({"sex": {"f": (0, 50), "m": (0, 50)}}))
    assert summary.categories["impact_ratio"].isna().all()
    assert summary.categories["note"].str.contains("nobody was selected").all()


def test_a_category_without_applicants_is_listed():
    summary = ll144(made_audit({"sex": {"f": (10, 50), "m": (20, 50), "x": (0, 0)}}))
    assert _rows(summary, "sex").loc["x", "note"] == "not estimable: 0 applicants"
    assert "n/a" in ll144_text(summary)


def test_every_missing_ratio_has_a_note():
    for exclude in (False, True):
        found = ll144(made_audit(COUNTS), exclude_below_min_share=exclude).categories
        assert (found.loc[found["impact_ratio"].isna(), "note"] != "").all()


def test_columns_are_chosen_by_name():
    summary = ll144(made_audit(COUNTS), sex="race", race="sex")
    assert summary.categories["grouping"].unique().tolist() == ["race", "sex", "sex x race"]


def test_segments_have_their_own_most_selected_category():
    summary = ll144(made_audit(COUNTS, segments=("cook", "clerk")))
    assert summary.categories.groupby("job")["impact_ratio"].max().tolist() == [1.0, 1.0]
    assert "sex (job=cook)" in ll144_text(summary)
    assert "sex (job=clerk)" in ll144_markdown(summary)


def test_json_is_strict_and_names_its_schema():
    summary = ll144(made_audit(COUNTS), exclude_below_min_share=True)
    found = json.loads(strict_json(summary.to_dict()))
    assert (found["schema"], found["schema_version"]) == ("arbitree/ll144", 1)
    assert found["categories"][2]["impact_ratio"] is None


def test_hostile_names_are_text():
    counts = {"sex": {"[red]a|<b>": (400, 1000), "m": (500, 1000)}}
    summary = ll144(made_audit(counts))
    assert "[red]a|<b>" in ll144_text(summary)
    assert r"\[red]a\|&lt;b&gt;" in ll144_markdown(summary)


@pytest.mark.parametrize(
    ("audit", "options", "advice"),
    [
        (made_audit(COUNTS), {"min_share": 2}, "from 0 to 1"),
        (made_audit(COUNTS), {"sex": "gender"}, "was not audited"),
        (made_audit({k: COUNTS[k] for k in ("sex", "race")}), {}, "cross=True"),
        (made_audit(COUNTS, unknown={"race": 3}, missing="group"), {}, "missing='drop'"),
    ],
)
def test_errors_say_what_to_do(audit, options, advice):
    with pytest.raises(InputError, match=advice):
        ll144(audit, **options)


def test_the_csv_lists_unknown_applicants():
    table = ll144_csv(ll144(made_audit(COUNTS, unknown={"race": 37})))
    unknown = table[table["status"] == "unknown"].set_index("grouping")["n_applicants"]
    assert unknown.to_dict() == {"sex": 37, "race": 37, "sex x race": 37}
    totals = table.groupby("grouping")["n_applicants"].sum()
    assert (totals == 2037).all()
    assert ll144_csv(ll144(made_audit(COUNTS)))["status"].tolist()[0] == "estimated"


def test_markdown_names_its_source_and_aligns_numbers():
    text = ll144_markdown(ll144(made_audit(COUNTS)))
    for words in ("loans.csv", "ab" * 32, "version of arbitree"):
        assert words in text
    assert "| :--- | ---: | ---: | ---: | ---: | ---: | :--- |" in text


def test_a_category_is_one_line_at_80_columns():
    lines = ll144_text(ll144(made_audit(COUNTS)), width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  Female x Black ") and line.endswith("0.344") for line in lines)
    assert any("15*" in line and "under 2%; highest" in line for line in lines)
