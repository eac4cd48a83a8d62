"""The summary in the manner of Local Law 144."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree import InputError
from arbitree._tables import strict_json
from arbitree.report.ll144 import ll144
from arbitree.report.ll144_html import NOT_GIVEN, ll144_html
from arbitree.report.ll144_layout import ll144_csv, ll144_markdown, ll144_text

from .audits import made_audit
from .test_in_notebooks import elements

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
    assert ll144_csv(ll144(made_audit(COUNTS)))["status"].tolist()[0] == "ok"


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


def _scored(scores, sex, race, **options):
    groups = {"sex": sex, "race": race}
    return ar.audit(scores, sensitive_features=groups, score_threshold="median", **options)


def test_of_scores_the_rates_are_shares_above_the_median_of_all():
    rng = np.random.default_rng(0)
    sex, race = rng.choice(["f", "m"], 400), rng.choice(["a", "b", "c"], 400)
    scores = pd.Series(np.round(rng.normal(size=400) + (sex == "m"), 1), name="score")
    summary = ar.ll144(_scored(scores, sex, race))
    above = scores > scores.median()
    found = _rows(summary, "sex")["selection_rate"]
    assert found.to_dict() == pytest.approx(above.groupby(sex).mean().to_dict())
    ratio = above.groupby(race).mean() / above.groupby(race).mean().max()
    assert _rows(summary, "race")["impact_ratio"].to_dict() == pytest.approx(ratio.to_dict())
    assert _rows(summary, "race")["note"].str.contains("highest scoring rate").sum() == 1
    for text in (ll144_text(summary), ll144_markdown(summary), ll144_html(summary)):
        assert "Summary of scoring rates and impact ratios" in text
        assert f"score &gt; {scores.median():.15g}, the median of all scores" in text.replace(
            " > ", " &gt; "
        )
        assert "selected" not in text


def test_where_all_scores_are_the_median_nobody_is_above_it():
    summary = ar.ll144(_scored([1.0] * 80, ["f", "m"] * 40, ["a", "a", "b", "b"] * 20))
    assert summary.categories["impact_ratio"].isna().all()
    assert summary.categories["note"].str.contains("nobody is beyond the median").all()


def test_the_median_is_of_rows_with_a_score_and_lower_ones_may_be_better():
    groups = {"sex": ["f", "m"] * 3}
    scores = [1.0, 2.0, 3.0, 4.0, None, None]
    options = {"sensitive_features": groups, "score_threshold": "median", "missing": "drop"}
    assert ar.audit(scores, **options).favorable.endswith("> 2.5, the median of all scores")
    lower = ar.audit(scores, lower_score_favorable=True, **options)
    assert lower.by_group.set_index("group")["n_selected"].to_dict() == {"f": 1, "m": 1}
    assert "< 2.5" in lower.favorable


def test_a_median_between_neighbours_splits_them():
    one = np.float32(1)
    scores = np.array([one, np.nextafter(one, np.float32(2))], dtype=np.float32)
    found = ar.audit(scores, sensitive_features=["a", "b"], score_threshold="median")
    assert found.by_group.set_index("group")["n_selected"].to_dict() == {"a": 0, "b": 1}


def test_another_word_for_a_threshold_is_an_error():
    with pytest.raises(InputError, match="'median' for the median"):
        ar.audit([0.1, 0.2], sensitive_features=["a", "b"], score_threshold="mean")


def test_the_page_says_of_unknown_and_excluded_applicants_how_many_and_their_rate():
    audit = made_audit(COUNTS, unknown={"race": 37})
    text = ll144_html(ll144(audit, exclude_below_min_share=True))
    assert "37 applicants of unknown race, or without a decision" in text
    assert "37 applicants of unknown sex or race, or without a decision" in text
    assert "Asian: 15 applicants (0.8%), selection rate 60.0%. Left out" in text
    assert "Left out of the impact ratios" not in ll144_html(ll144(audit))


def test_the_page_has_a_column_for_each_part_of_a_crossing():
    text = ll144_html(ll144(made_audit(COUNTS)))
    crossed = text[text.index("sex x race (intersectional)") :]
    assert '<thead><tr><th scope="col">sex</th><th scope="col">race</th>' in crossed
    assert "<tr><td>Male</td><td>White</td>" in crossed
    swapped = ll144_html(ll144(made_audit(COUNTS), sex="race", race="sex"))
    assert "<tr><td>Male</td><td>White</td>" in swapped


def test_crossings_that_could_be_read_in_two_ways_stay_in_one_column():
    counts = {
        "sex": {"a": (10, 50), "a x b": (20, 50)},
        "race": {"b x c": (10, 50), "c": (20, 50)},
        "sex x race": {"a x b x c": (30, 100)},
    }
    text = ll144_html(ll144(made_audit(counts)))
    assert "<td>a x b x c</td>" in text


def test_what_is_to_be_published_stands_there_or_is_asked_for():
    summary = ll144(made_audit(COUNTS), audit_date="2026-11-01", data_source="<own> data")
    page = ll144_html(summary)
    assert page.count(NOT_GIVEN) == 1
    assert ll144_html(ll144(made_audit(COUNTS))).count(NOT_GIVEN) == 3
    assert page.count("2026-11-01") == 1
    assert "&lt;own&gt; data" in page
    for text in (ll144_text(summary), ll144_markdown(summary), summary._repr_html_()):
        assert "date of the audit: 2026-11-01" in text
    assert json.loads(summary.to_json())["audit_date"] == "2026-11-01"


def test_the_page_needs_nothing_else_and_names_in_it_are_text():
    names = {"<script>x</script>": (30, 100), "</td>": (50, 100)}
    audit = made_audit({"<b>sex</b>": names}, notices=("<i>",))
    text = ll144_html(ll144(audit))
    assert text == ll144_html(ll144(audit))
    assert "src=" not in text
    assert "href=" not in text
    body = text[text.index("<body>") : text.index("</html>")]
    allowed = {*("table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li", "p")}
    assert elements(body) <= allowed | {"body", "h1", "h2", "div"}


def test_the_summary_is_a_result_like_others():
    summary = ar.ll144(made_audit(COUNTS))
    assert isinstance(summary, ar.LL144)
    assert summary._repr_html_() == summary.to_html()
    assert "<caption>sex x race</caption>" in summary.to_html()
    assert "most selected" in repr(summary)
    assert "Asian" in summary.to_latex()


def test_somebody_who_handed_decisions_over_is_told_to_audit_them_first():
    with pytest.raises(InputError, match=r"audit is a list. Pass an audit, as in ll144\(audit\("):
        ll144(["yes", "no"])  # type: ignore[arg-type]
