"""An influence as a sentence, in a terminal, as Markdown and as a page."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arbitree.influence.words import r2_warning, small_group
from arbitree.report.influence_document import influence_markdown, influence_page
from arbitree.report.influence_phrases import sentence, split_rows
from arbitree.report.influence_text import influence_text

from .influences import LOANS, made_influence, many

numbers = st.floats(-1, 1)


def test_the_sentence_says_what_the_gap_is_the_sum_of():
    assert sentence(made_influence(LOANS)) == (
        "gap 16.8 pp (White over Black) = zip_income 9.1 + tenure 3.4 + zip_income x tenure 2.2 "
        "+ other(2) 0.9 + unexplained 1.2"
    )


def test_a_part_that_narrows_the_gap_is_subtracted():
    told = sentence(made_influence({("a",): 0.2, ("b",): -0.1}, unexplained=-0.01))
    assert told == "gap 9.0 pp (White over Black) = a 20.0 - b 10.0 - unexplained 1.0"


def test_a_single_set_is_never_hidden_behind_other():
    four = dict(list(LOANS.items())[:4])
    assert "other" not in sentence(made_influence(four))
    assert "age 1.5" in sentence(made_influence(four))


def test_the_sentence_names_the_condition_where_it_is_not_all_rows():
    condition = "true positive rate (rows with favourable label)"
    told = sentence(made_influence(LOANS, condition=condition))
    assert "(White over Black; true positive rate (rows with favourable label))" in told


def test_scores_are_not_in_percentage_points():
    told = sentence(
        made_influence({("a",): 120.0}, favorable="mean of points", scores=True, unexplained=3.0)
    )
    assert told == "gap 123 (White over Black) = a 120 + unexplained 3"


def test_what_is_not_known_is_not_available():
    assert "b n/a" in sentence(made_influence({("a",): 0.2, ("b",): math.nan}))


def _told_in_the_table(text: str) -> dict[str, float]:
    rows = re.findall(r"^  (\S+) +([+-]?[\d.]+) pp", text, re.MULTILINE)
    return {name.strip("()"): float(value) for name, value in rows}


@given(st.lists(numbers, min_size=1, max_size=12), numbers, st.integers(2, 13))
def test_the_first_line_adds_up_and_has_the_numbers_of_the_table(values, rest, max_display):
    parts = {(f"x{k}",): value for k, value in enumerate(values)}
    infl = made_influence(parts, unexplained=rest)
    text = influence_text(infl, width=400, max_display=max_display)
    line, _, below = text.partition("\n")
    gap, right = re.fullmatch(r"gap (-?[\d.]+) pp .*? = (.*)", line).groups()
    terms = re.findall(r"([+-] )?(\S+) ([\d.]+)", right)
    told = {name: float(value) * (-1 if sign == "- " else 1) for sign, name, value in terms}
    assert sum(told.values()) == pytest.approx(float(gap), abs=1e-6)
    table = _told_in_the_table(below)
    assert {name: table[name] for name in told.keys() & table} == {
        name: told[name] for name in told.keys() & table
    }
    assert "unexplained" in told.keys() & table


def test_a_group_with_few_rows_is_told_right_below_the_first_line():
    infl = made_influence(LOANS)
    few = infl.r2.assign(n=[6000, 18])
    (caveat,) = small_group("Black", 18, 30)
    infl = dataclasses.replace(infl, r2=few, notices=(*infl.notices, caveat))
    assert influence_text(infl, width=200).splitlines()[1] == f"caution: {caveat}"
    for text in (influence_text(infl, width=200), influence_markdown(infl), influence_page(infl)):
        assert text.count("a rough guess") == 1
    assert "a rough guess" not in influence_text(made_influence(LOANS))


def test_overfitting_is_told_once_in_every_layout_and_format():
    infl = made_influence(LOANS)
    infl = dataclasses.replace(infl, notices=(*infl.notices, *r2_warning(infl.r2)))
    for text in (influence_text(infl, width=200), influence_markdown(infl), influence_page(infl)):
        assert text.count("functions explain 0.80") == 1
    for text in (str(infl), infl.to_json(), infl.to_html(), infl.to_markdown(), infl.to_latex()):
        assert "functions explain 0.80" in text


def test_a_gap_of_scores_is_not_called_one_of_rates():
    infl = made_influence({("a",): 120.0}, favorable="mean of points", scores=True)
    for text in (influence_markdown(infl), influence_page(infl), str(infl)):
        assert "mean of points" in text
        assert "parity" not in text.split("How to make these")[0]


@given(st.lists(numbers, min_size=1, max_size=30), st.integers(2, 40))
def test_rows_that_are_left_out_are_none_or_at_least_two(values, at_most):
    table = made_influence({(f"x{k}",): v for k, v in enumerate(values)}).table
    shown, others = split_rows(table, at_most)
    assert len(others) != 1
    assert len(shown) + bool(len(others)) <= max(at_most, 1)
    parts = shown["influence"].sum() + others["influence"].sum()
    assert parts == pytest.approx(table["influence"].sum())


def test_the_first_line_is_the_sum_and_the_table_has_intervals():
    infl = made_influence(LOANS)
    text = influence_text(infl, width=130)
    assert text.startswith(f"{sentence(infl)}\n")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "zip_income +9.1 pp [8.1, 10.1] 0.25 0.12" in lines
    assert "(unexplained) +1.2 pp [0.2, 2.2]" in lines
    assert "(gap) +16.8 pp" in lines


def test_r2_is_told_in_sample_and_out_of_fold_with_a_warning_where_they_part():
    text = influence_text(made_influence(LOANS), width=200)
    assert "Black 4,000 30.0% 0.80 0.50" in " ".join(text.split())
    assert "warning: Group 'Black'" in text
    assert "warning: Group 'White'" not in text


def test_proxies_notices_and_favourable_value_are_told():
    text = influence_text(made_influence(LOANS), width=200)
    assert "does not clear it" in text
    assert "note: The column 'zip' suggests codes." in text
    assert "favourable: approved = 'yes'" in text


LONG = ("average_monthly_household_income_before_tax", "学历水平和工作年限以及职业类别的综合评分")


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("group", ["White", "Mecklenburg-Vorpommern x men", "漢字" * 20])
def test_tables_fit_and_a_sign_stays_with_the_name_before_it(width, group):
    parts = {LONG: 0.1, (LONG[0],): 0.05, (LONG[1],): 0.02}
    text = influence_text(made_influence(parts, group_high=group), width=width)
    table = text[text.index("  features") :].split("\n\n")[0]
    assert max(cell_len(line) for line in table.splitlines()) <= width
    assert not re.search(r"^ *x\b", table, re.MULTILINE)
    assert re.search(r"tax x +\+10.0 pp", table)
    assert "(unexplained)" in table


def test_long_names_that_begin_and_end_alike_keep_what_sets_them_apart():
    names = [f"balance_of_the_account_{which}_of_the_year_before" for which in ("may", "june")]
    text = influence_text(made_influence({(name,): 0.1 for name in names}), width=60)
    table = text[text.index("  features") :]
    assert "may_" in table
    assert "june_" in table


def test_rows_beyond_max_display_are_added_up():
    text = influence_text(made_influence(LOANS), width=200, max_display=3)
    assert "other(3) +3.1 pp" in " ".join(text.split())


@pytest.mark.parametrize("lay_out", [influence_text, influence_markdown, influence_page])
def test_layouts_take_long_names_and_numbers_that_are_missing(lay_out):
    numbers = many(200) | {("nothing",): math.nan}
    text = lay_out(made_influence(numbers, half=math.nan, group_high="g" * 300))
    assert "nan" not in re.sub("<[^>]*>", "", text).lower()


@pytest.mark.parametrize("lay_out", [influence_text, influence_markdown, influence_page])
def test_the_same_influence_gives_the_same_text(lay_out):
    assert lay_out(made_influence(LOANS)) == lay_out(made_influence(LOANS))


def test_names_cannot_break_out_of_a_page_or_a_table():
    hostile = {("<script>alert(1)</script>",): 0.2, ("a|b\n# c",): 0.1}
    infl = made_influence(hostile, group_high="<b>", group_low="x\x1b[31m")
    page = influence_page(infl)
    assert "<script>" not in page
    assert "<b>" not in page
    assert "\n# c" not in influence_markdown(infl)
    assert "\x1b" not in influence_text(infl)


def test_markdown_has_tables_for_influences_groups_proxies_and_how_to_repeat_it():
    text = influence_markdown(made_influence(LOANS))
    for title in ("Influences", "How much the functions explain", "Notices", "How to make these"):
        assert f"## {title}" in text
    assert r"| zip_income x tenure | +2.2 pp | \[1.2, 3.2] | 0.25 | 0.12 |" in text
