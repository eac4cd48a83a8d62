"""The HTML page of a story in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from arbitree.report.page.sections import GAPS
from arbitree.report.story.result import SECTIONS, Story

from .browser import Seen, browser, opened
from .page_stories import HOSTILE, hostile_story, loan_story, page, plain_story

STORIES = {"loans": loan_story, "hostile": hostile_story, "plain": plain_story}
_AS_AT_FIRST = """() => {
  document.querySelectorAll("details.folded").forEach((one) => { one.open = false; });
  document.querySelectorAll(".tree details").forEach((one) => { one.open = true; });
  document.querySelectorAll("[popover]:popover-open").forEach((one) => one.hidePopover());
  document.querySelectorAll("form.walk").forEach((one) => one.reset());
  document.activeElement.blur();
  window.scrollTo(0, 0);
}"""
PHONE = {"width": 360, "height": 780}
DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> dict[str, Path]:
    """The pages as files; the browser comes first, so that without one nothing is made."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, story in STORIES.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(page(story()), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def open_loans(chromium: Any, files: dict[str, Path]) -> Iterator[Seen]:
    with opened(chromium, files["loans"]) as seen:
        yield seen


@pytest.fixture
def loans(open_loans: Seen) -> Seen:
    """One window for all tests, as it was at first but for the order of rows."""
    open_loans.page.mouse.move(0, 0)
    open_loans.page.evaluate(_AS_AT_FIRST)
    return open_loans


def tree_of(story: Story) -> Any:
    assert story.tree is not None
    return story.tree.learned.model


def unfold(seen: Seen) -> None:
    seen.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    seen.page.wait_for_function(
        "[...document.querySelectorAll('.drawing')].every(one => one.querySelector('svg'))"
    )


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize(
    ("scheme", "size"), [("dark", PHONE), ("light", DESKTOP)], ids=["phone", "desktop"]
)
def test_a_page_asks_for_nothing_complains_of_nothing_and_fits(chromium, files, name, scheme, size):
    with opened(chromium, files[name], viewport=size, color_scheme=scheme) as seen:
        unfold(seen)
        assert seen.requests == [files[name].as_uri()]
        assert seen.complaints == []
        assert seen.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        paper = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
        _check_sections(seen, STORIES[name]())


def _check_sections(seen: Seen, story: Story) -> None:
    """Each section is there, and begins with its sentence."""
    found = seen.page.evaluate(
        "[...document.querySelectorAll('main > section')].map(one => [one.id, "
        "one.children[0].tagName, one.children[1].className, one.children[1].textContent])"
    )
    by_id = {section: rest for section, *rest in found}
    wanted = [*SECTIONS]
    wanted.insert(wanted.index("audit") + 1, GAPS)
    assert list(by_id) == ["summary", *wanted, "words"]
    for section, sentence in story.sentences.items():
        heading, kind, text = by_id[section]
        assert (heading, kind) == ("H2", "sentence")
        assert text == sentence


def test_charts_are_drawn_with_a_mark_for_each_group_and_step(loans):
    unfold(loans)
    story = loan_story()
    assert story.audit is not None
    figures = loans.page.locator("figure.chart")
    for at in range(figures.count()):
        assert figures.nth(at).locator("svg path[role='graphics-symbol']").count() > 0
    sex = loans.page.locator("#audit figure.chart").first
    told = [mark.get_attribute("aria-label") for mark in sex.locator("path[aria-label]").all()]
    groups = story.audit.by_group
    for _, row in groups[groups["grouping"] == "sex"].iterrows():
        words = f"{row['n_selected']:,} of {row['n']:,} rows"
        assert any(text.startswith(f"{row['group']}: ") and words in text for text in told)


def test_pointing_at_a_bar_says_its_number_with_interval_and_n(loans):
    bar = loans.page.locator("#audit figure.chart").first.locator("path[aria-label]").first
    bar.scroll_into_view_if_needed()
    bar.hover()
    tip = loans.page.locator("#tip")
    tip.wait_for(state="visible")
    text = tip.text_content()
    assert text == bar.get_attribute("aria-label")
    assert "[" in text
    assert " rows" in text


def test_bars_are_reached_with_the_keyboard(loans):
    first = loans.page.locator("#audit figure.chart").nth(1).locator("path[tabindex='0']")
    first.focus()
    before = loans.page.locator("#tip").text_content()
    loans.page.keyboard.press("ArrowDown")
    after = loans.page.locator("#tip").text_content()
    assert before
    assert after
    assert before != after
    assert loans.page.evaluate("document.activeElement.getAttribute('aria-label')") == after


def test_tab_reaches_every_kind_of_control_and_shows_where_it_is(chromium, files):
    with opened(chromium, files["loans"]) as seen:
        _check_tabs(seen)


def _check_tabs(loans: Seen) -> None:
    kinds = set()
    for _ in range(120):
        loans.page.keyboard.press("Tab")
        kind, outline = loans.page.evaluate(
            "[document.activeElement.tagName + '.' + (document.activeElement.getAttribute('class')"
            " || ''), getComputedStyle(document.activeElement).outlineStyle]"
        )
        kinds.add(kind)
        if not kind.startswith(("path", "BODY")):
            assert outline != "none", kind
    assert {"A.skip", "A.", "BUTTON.sort", "BUTTON.ask", "DIV.scroll", "SUMMARY."} <= kinds


def column(seen: Seen, table: Any, at: int) -> list[str]:
    return [row.locator("th, td").nth(at).text_content() for row in table.locator("tbody tr").all()]


def test_tables_are_sorted_by_number_and_say_so(loans):
    table = loans.page.locator("#audit table:has(caption:has-text('Groups by region'))")
    story = loan_story()
    assert story.audit is not None
    regions = story.audit.by_group.query("grouping == 'region'")
    head = table.locator("thead th").nth(3)
    head.locator("button.sort").click()
    assert head.get_attribute("aria-sort") == "ascending"
    rising = regions.sort_values("selection_rate", kind="stable")["group"].tolist()
    assert column(loans, table, 0) == rising
    head.locator("button.sort").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column(loans, table, 0)[0] == rising[-1]
    assert sorted(column(loans, table, 0)) == sorted(rising)


def test_long_tables_are_searched(loans):
    holder = loans.page.locator("#audit .table:has(caption:has-text('Groups by region'))")
    holder.locator("input[type=search]").fill("region 07")
    assert holder.locator("tbody tr:visible").count() == 1
    assert holder.locator("[role=status]").text_content() == "1 of 14 rows"
    holder.locator("input[type=search]").fill("")
    assert holder.locator("tbody tr:visible").count() == 14


def test_words_are_explained_where_they_stand(loans):
    ask = loans.page.locator("#audit button.ask[aria-label='What impact ratio means']").first
    ask.click()
    said = loans.page.locator("div.meaning:popover-open")
    assert "selection rate of the reference group" in said.text_content()
    loans.page.keyboard.press("Escape")
    assert loans.count("div.meaning:popover-open") == 0


def test_the_tree_folds(loans):
    leaves = loans.page.locator(".tree .leaf")
    assert leaves.count() == tree_of(loan_story()).tree_.n_leaves
    loans.page.locator(".tree button.fold").click()
    assert loans.page.locator(".tree .leaf:visible").count() == 0
    loans.page.locator(".tree button.unfold").click()
    assert loans.page.locator(".tree .leaf:visible").count() == leaves.count()


def walked_to(seen: Seen) -> int:
    """The leaf at the end of the path that is marked."""
    nodes = seen.page.eval_on_selector_all(
        ".tree .walked", "all => all.map(one => Number(one.dataset.node))"
    )
    return max(nodes)


def test_walking_the_tree_ends_where_the_model_does(loans):
    """A tree that learnt under rules, of rows that the rules are about."""
    rng = np.random.default_rng(2)
    incomes = [None, *_near(tree_of(loan_story()), 0), *rng.normal(40, 12, 12).round(3)]
    days = rng.choice(pd.date_range("2020-01-01", periods=300).strftime("%Y-%m-%d"), len(incomes))
    _check_walks(
        loans,
        tree_of(loan_story()),
        pd.DataFrame(
            {
                "income": np.array(incomes, float),
                "job": rng.choice(["clerk", "cook", "driver"], len(incomes)),
                "since": pd.to_datetime(days),
            }
        ),
    )


def test_walking_with_missing_unknown_and_huge_values_ends_where_the_model_does(chromium, files):
    model = tree_of(hostile_story())
    names = list(model.feature_names_in_)
    numbers = [None, 1e39, -1e39, *_near(model, names.index('num"ber'))]
    levels = ["<b>bold</b>", "</script>", None, "never seen", "x" * 90, "plain"]
    rows = pd.DataFrame({name: [""] * (len(numbers) * len(levels)) for name in names}, dtype=object)
    rows["<u>level</u> & co"] = levels * len(numbers)
    rows['num"ber'] = np.repeat(np.array(numbers, float), len(levels))
    with opened(chromium, files["hostile"]) as seen:
        _check_walks(seen, model, rows)


def _near(model: Any, feature: int) -> list[float]:
    """The thresholds of a feature, and numbers that only float32 takes for them, or does not."""
    at = [float(t) for t in model.tree_.threshold[model.tree_.feature == feature]]
    return [x for t in at for x in (t, np.nextafter(t, np.inf), t * (1 + 1e-6), t - 1e-3, t + 1e-3)]


def _check_walks(seen: Seen, model: Any, rows: pd.DataFrame) -> None:
    form = seen.page.locator(".tree form.walk")
    fields = {
        int(field.get_attribute("data-feature")): field
        for field in form.locator("[data-feature]").all()
    }
    assert set(fields) == set(model.tree_.feature.tolist()) - {-1}
    for at in range(len(rows)):
        row = rows.iloc[[at]]
        for place, field in fields.items():
            _enter(field, row.iloc[0, place])
        assert walked_to(seen) == model.apply(row)[0]
        said = form.locator("output").text_content()
        assert said.startswith(f"The tree decides {model.predict(row)[0]}, ")


def _enter(field: Any, value: Any) -> None:
    missing = bool(pd.isna(value))
    kind = field.get_attribute("data-kind")
    if kind == "level":
        known = field.locator("option").all_text_contents()
        field.select_option(
            label="missing" if missing else value if value in known else "none of these"
        )
    elif kind == "date":
        field.fill(value.strftime("%Y-%m-%dT%H:%M:%S"))
    else:
        field.fill("" if missing else repr(float(value)))


def test_what_the_rules_say_nothing_of_is_not_decided(loans):
    form = loans.page.locator(".tree form.walk")
    form.locator("[data-kind=number]").fill("40")
    told = form.locator("output").text_content()
    assert told.startswith("Still needed: ")
    assert loans.count(".tree .walked") == 0


def test_a_value_that_is_no_number_is_refused_where_it_was_typed(loans):
    field = loans.page.locator(".tree [data-kind=number]").first
    field.fill("12,5")
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby")
    assert "number" in loans.page.locator(f"#{described}").text_content()
    assert loans.count(".tree .walked") == 0
    loans.page.locator(".tree button[type=reset]").click()
    loans.page.wait_for_function("!document.querySelector('.tree [aria-invalid=true]')")


def test_a_point_is_picked_in_the_picture_by_keyboard_and_in_the_table(loans):
    story = loan_story()
    assert story.frontier is not None
    said = loans.page.locator("form.frontier output")
    points = loans.page.locator("#frontier figure.chart path[aria-label]")
    assert points.count() == len(story.frontier.table)
    radios = loans.page.locator("form.frontier input[name=point]")
    for at in (1, 0):
        points.nth(at).click()
        loans.page.wait_for_function(f"document.querySelectorAll('[name=point]')[{at}].checked")
        assert said.text_content() == radios.nth(at).get_attribute("data-told")
    points.nth(1).focus()
    loans.page.keyboard.press("Enter")
    assert radios.nth(1).is_checked()
    radios.nth(0).check()
    assert said.text_content() == points.nth(0).get_attribute("aria-label")


def test_names_from_data_are_text(chromium, files):
    with opened(chromium, files["hostile"]) as seen:
        unfold(seen)
        assert seen.page.evaluate("window.broken") is None
        assert seen.count("h1") == 1
        assert seen.count("u, i, img, main b") == 0
        told = " ".join(seen.texts("#audit tbody th"))
        for name in HOSTILE:
            assert name.replace("\n", "\\n").replace("\u202e", "\\u202e") in told
        content = seen.page.content()
    assert not [character for character in "\u202e\u200b" if character in content]


def test_headings_landmarks_and_tables_are_in_order(loans):
    levels = loans.page.eval_on_selector_all(
        "h1, h2, h3, h4", "all => all.map(one => Number(one.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert [loans.count(name) for name in ("header", "nav", "main", "footer")] == [1, 1, 1, 1]
    assert loans.count("table:not(:has(caption))") == 0
    assert loans.count("th:not([scope])") == 0
    assert loans.count("tbody tr:not(:has(th[scope=row]))") == 0
    ids = loans.page.eval_on_selector_all("[id]", "all => all.map(one => one.id)")
    pointing = loans.page.eval_on_selector_all(
        "[aria-labelledby], [aria-describedby], label[for], [popovertarget], nav a",
        "all => all.map(one => one.getAttribute('aria-labelledby') || one.getAttribute("
        "'aria-describedby') || one.getAttribute('for') || one.getAttribute('popovertarget')"
        " || one.getAttribute('href').slice(1))",
    )
    assert set(pointing) <= set(ids)
    unnamed = "input:not([aria-label]):not([id]), button:not([aria-label]):empty"
    assert loans.page.locator(unnamed).count() == loans.count("label > input")


def test_it_prints_whole(chromium, files, tmp_path):
    with opened(chromium, files["loans"]) as seen:
        whole = seen.page.pdf(format="A4")
        assert whole.startswith(b"%PDF")
        seen.page.emulate_media(media="print", color_scheme="dark")
        assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        assert seen.page.locator("nav").is_hidden()


def test_without_scripts_every_number_is_in_the_tables(chromium, files):
    story = loan_story()
    assert story.audit is not None
    with opened(chromium, files["loans"], scripts=False) as seen:
        assert seen.page.locator("noscript").is_visible()
        told = " ".join(seen.texts("#audit table"))
        for n in story.audit.by_group["n"]:
            assert f"{n:,}" in told
        assert seen.page.locator("form.walk").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_that_shuts_anybody_out(chromium, files, scheme):
    axe = pytest.importorskip("axe_playwright_python", reason="needs axe, see the extra dev")
    rules = (Path(axe.__path__[0]) / "axe.min.js").read_text(encoding="utf-8")
    with opened(chromium, files["plain"], color_scheme=scheme) as seen:
        seen.page.evaluate(rules)
        found = seen.page.evaluate("() => axe.run()")
    assert len(found["passes"]) > 20
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []
