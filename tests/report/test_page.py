"""The parts of a page, without a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree import MissingDependencyError
from arbitree.report.page import assets
from arbitree.report.page.blocks import MOST_ROWS, Paragraph, Section
from arbitree.report.page.columns import table_of
from arbitree.report.page.document import html_of, page_of
from arbitree.report.page.gaps_chart import gaps_chart
from arbitree.report.page.influence_charts import BARS, pair_chart, waterfall_chart
from arbitree.report.page.rates_chart import MOST, rates_chart
from arbitree.report.page.summary import summary_cards
from arbitree.report.page.tree_view import MOST_NODES, tree_view
from arbitree.report.page.widest import largest_gap
from arbitree.report.phrases import sections
from arbitree.report.tree_numbers import tree_numbers

from .audits import made_audit
from .influences import LOANS, made_influence, many
from .page_stories import hostile_story, loan_story, page, plain_story

MEGABYTES = 5
STORIES = [loan_story, hostile_story, plain_story]


class _Page(HTMLParser):
    """Scripts of a page, its policy, and what it points to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.data: list[str] = []
        self.links: list[str] = []
        self.policy = ""
        self._into: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.links += [given[name] for name in ("src", "href", "action") if name in given]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag == "script":
            self._into = self.data if "type" in given else self.scripts
            self._into.append("")

    def handle_endtag(self, tag):
        self._into = None

    def handle_data(self, data):
        if self._into is not None:
            self._into[-1] += data


def drawn(spec: object) -> str:
    """The picture, by the library itself; refuses a specification that makes no sense."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(spec))


def only_section(audit: ar.Audit):
    (found,) = sections(audit)
    return found


@pytest.mark.parametrize("story", STORIES)
def test_the_same_story_gives_the_same_bytes_below_the_limit(story):
    text = page(story())
    assert html_of(story()) == text
    assert len(text.encode()) < MEGABYTES * 10**6


@pytest.mark.parametrize("story", STORIES)
def test_only_the_page_s_own_scripts_may_run_and_nothing_points_outside(story):
    found = _Page(page(story()))
    allowed = re.findall(r"'sha256-([^']+)'", found.policy)
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in found.scripts
    ]
    assert hashes == allowed
    assert found.policy.startswith("default-src 'none'; ")
    assert "unsafe-eval" not in found.policy
    assert "script-src 'unsafe-inline'" not in found.policy
    assert all(link.startswith(("#", "data:,")) for link in found.links)


@pytest.mark.parametrize("story", STORIES)
def test_data_for_scripts_is_strict_json_without_markup(story):
    for text in _Page(page(story())).data:
        json.loads(text, parse_constant=pytest.fail)
        assert not set("<>&") & set(text)


def test_every_picture_is_one_that_the_library_can_draw():
    (specs, _) = _Page(page(loan_story())).data
    for spec in json.loads(specs):
        assert "graphics-symbol" in drawn(spec)


def test_a_page_says_what_it_was_made_of_and_how_to_make_it_again():
    story = loan_story()
    text = page(story)
    told = [story.command, story.data.sha256, *story.versions.values(), *story.untested]
    assert all(str(words).replace("'", "&#39;") in text for words in told)
    assert f">{story.settings.random_state}<" in text


def test_the_verdicts_of_the_story_are_on_top():
    story = loan_story()
    cards = summary_cards(story).cards
    assert [card.word for card in cards[: len(story.verdicts)]] == [
        verdict.status for verdict in story.verdicts
    ]
    assert {card.link for card in cards} <= {
        "data",
        "audit",
        "gaps",
        "tree",
        "rules",
        "certificate",
    }


def test_a_group_without_a_rate_has_no_bar_and_a_row():  # DALEX#399
    audit = made_audit({"sex": {"f": (3, 10), "m": (5, 10), "x": (0, 0)}})
    chart = rates_chart(only_section(audit), 0.8)
    assert chart is not None
    assert [row["told"].split(":")[0] for row in chart.spec["data"]["values"]] == ["f", "m"]
    assert "NaN" not in json.dumps(chart.spec)
    assert drawn(chart.spec)


def test_nobody_selected_and_nobody_at_all_are_drawn_or_left_out():
    nobody = made_audit({"sex": {"f": (0, 10), "m": (0, 10)}})
    chart = rates_chart(only_section(nobody), 0.8)
    assert chart is not None
    assert drawn(chart.spec)
    empty = made_audit({"sex": {"f": (0, 0), "m": (0, 0)}})
    assert rates_chart(only_section(empty), 0.8) is None


def test_a_page_draws_more_groups_than_a_palette_has_colours():  # dtreeviz#26
    audit = made_audit({"city": {f"city {k}": (k % 7 + 1, 10 + k) for k in range(90)}})
    chart = rates_chart(only_section(audit), 0.8)
    assert chart is not None
    shown = chart.spec["data"]["values"]
    assert len(shown) == MOST
    assert f"The {90 - MOST} smallest groups are in the table only." in chart.told
    sizes = audit.by_group.set_index("group")["n"]
    left = sizes.drop([row["told"].split(":")[0] for row in shown])
    assert left.max() <= min(sizes[row["told"].split(":")[0]] for row in shown)


def test_bars_of_names_alike_in_119_characters_stay_apart():  # shap#978
    names = ["a" * 119 + end for end in "12"]
    audit = made_audit({"sex": dict.fromkeys(names, (4, 10))})
    chart = rates_chart(only_section(audit), 0.8)
    assert chart is not None
    for param in chart.spec["params"]:
        assert len(set(param["value"])) == 2
    assert {row["told"].split(":")[0] for row in chart.spec["data"]["values"]} == set(names)


def test_a_waterfall_of_many_features_keeps_the_sum():  # gdsctools#56
    infl = made_influence(many(200))
    steps = waterfall_chart(infl).spec["data"]["values"]
    assert len(steps) == BARS + 2
    assert steps[0]["start"] == 0
    for before, after in pairwise(steps[:-1]):
        assert after["start"] == pytest.approx(before["end"])
    assert steps[-2]["end"] == pytest.approx(100 * infl.gap)
    assert (steps[-1]["start"], steps[-1]["end"]) == (0, pytest.approx(100 * infl.gap))


def test_what_an_influence_does_not_know_is_drawn_as_nothing():
    infl = made_influence(LOANS, unexplained=float("nan"))
    chart = waterfall_chart(infl)
    assert "NaN" not in json.dumps(chart.spec)
    assert "n/a" in chart.spec["data"]["values"][-2]["told"]


def test_without_functions_of_pairs_there_is_no_grid():
    assert pair_chart(made_influence({("age",): 0.1})) is None


def test_gaps_that_are_not_known_have_no_point():
    audit = made_audit({"sex": {"f": (0, 0), "m": (0, 0)}})
    assert audit.gaps["value"].isna().all()
    assert gaps_chart(audit.gaps) is None
    assert largest_gap(audit) is None


def test_the_largest_gap_is_one_between_groups_of_enough_rows():
    audit = made_audit({"sex": {"f": (40, 100), "m": (50, 100)}, "job": {"a": (0, 2), "b": (2, 2)}})
    gaps = audit.gaps.assign(status=["ok", "small group: a (n = 2)"])
    found = largest_gap(made_audit({"sex": {"f": (1, 2), "m": (1, 2)}}, gaps=gaps))
    assert found is not None
    assert found["grouping"] == "sex"


def test_tables_have_a_limit_and_numbers_their_order():
    frame = pd.DataFrame({"name": [f"n{k}" for k in range(MOST_ROWS + 5)], "text": "a lot"})
    frame["value"] = np.where(np.arange(len(frame)) % 2, np.nan, np.arange(len(frame)))
    table = table_of(frame, caption="rows", order={"text": range(len(frame))})
    assert (table.n_rows, table.left) == (MOST_ROWS, 5)
    assert table.columns[1].order[-1] == MOST_ROWS - 1
    assert table.columns[2].order[:3] == (0.0, None, 2.0)
    assert table.columns[2].texts[1] == "n/a"


def test_a_tree_of_many_nodes_is_shown_from_its_root_and_walked_whole():
    tree = ar.TreeClassifier().fit({"x": range(2000)}, [k % 2 for k in range(2000)])
    view = tree_view(tree_numbers(tree), title="tree")
    assert len(view.lines) <= MOST_NODES
    assert view.cut == tree.tree_.n_nodes - len(view.lines)
    assert len(view.walk["nodes"]) == tree.tree_.n_nodes
    opened = sum(line.opens for line in view.lines)
    assert opened == sum(line.closes for line in view.lines)


@pytest.mark.parametrize("classes", [["a", "b", "c"], ["only"]])
def test_trees_of_several_classes_and_of_one_leaf_are_shown(classes):
    tree = ar.TreeClassifier().fit({"x": range(30)}, [classes[k % len(classes)] for k in range(30)])
    view = tree_view(tree_numbers(tree), title="tree")
    assert view.walk["classes"] == sorted(classes)
    assert len(view.lines) == tree.tree_.n_nodes


def test_levels_beyond_a_list_are_typed():
    levels = [f"zip {k:04d}" for k in range(1000)]
    tree = ar.TreeClassifier(max_depth=1).fit(
        {"zip": levels * 2}, [k % 1000 < 500 for k in range(2000)]
    )
    (field,) = tree_view(tree_numbers(tree), title="tree").fields
    assert (field.kind, field.options) == ("text", ())


@pytest.mark.parametrize("module", ["jinja2", "vl_convert"])
def test_what_is_lacking_is_named_with_its_remedy(monkeypatch, module):
    real = assets.find_spec
    monkeypatch.setattr(assets, "find_spec", lambda name: None if name == module else real(name))
    assets.environment.cache_clear()
    assets.library.cache_clear()
    with pytest.raises(MissingDependencyError, match=r"arbitree\[report\]"):
        html_of(loan_story())
    assets.environment.cache_clear()


def test_unseen_characters_are_written_out():
    text = page_of(
        title="a\u202eb",
        summary=summary_cards(plain_story()),
        sections=[
            Section(name="s", title="t\u200b", sentence="", blocks=[Paragraph(text="x\x00y")])
        ],
        note="",
    )
    assert "a\\u202eb" in text
    assert "t\\u200b" in text
    assert "x\\x00y" in text


def test_the_largest_gap_leaves_out_small_groups_and_not_their_whole_column():
    groups = ["a"] * 100 + ["b"] * 100 + ["tiny"] * 5
    sexes = ["f", "m"] * 100 + ["f"] * 5
    decisions = [1] * 80 + [0] * 20 + [1] * 40 + [0] * 60 + [0] * 5
    audit = ar.audit(decisions, sensitive_features={"race": groups, "sex": sexes}, cross=False)
    race, sex = audit.gaps["value"]
    assert race > 0.7
    assert audit.gaps["status"][0].startswith("small group")
    assert sex < 0.1
    row = largest_gap(audit)
    assert (row["grouping"], row["group_high"], row["group_low"]) == ("race", "a", "b")
    assert row["value"] == pytest.approx(0.4)
    assert row["ci_low"] < 0.4 < row["ci_high"]
