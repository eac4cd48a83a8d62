"""Trees as lines of text, and the report of a tree that was learnt."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.report.learned_markdown import learned_markdown
from arbitree.report.learned_text import gap_words, learned_text
from arbitree.report.plot_names import columns
from arbitree.report.tree_lines import tree_lines
from arbitree.table.reader import read
from arbitree.tree.from_table import learn_table
from arbitree.tree.learned import Learned

from ..tree.frames import sample

HOSTILE = ("two\nlines", "\u202eright to left", "収入と職業の長い名前" * 5, "plain", "x" * 90)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["threshold", "logistic", "multiway"]),
    st.integers(40, 100),
)
def test_each_node_has_a_line_that_fits(seed, split, width):
    rows = sample(seed, n_rows=300)
    X = rows.X.rename(columns={"number": HOSTILE[seed % 5], "level": HOSTILE[(seed + 1) % 5]})
    model = ar.TreeClassifier(split=split, max_leaf_nodes=8, max_depth=5).fit(X, rows.y)
    lines = tree_lines(model.tree_, width=width)
    assert len(lines) == model.tree_.n_nodes
    assert max(map(columns, lines)) <= width
    assert not re.search("[\n\u202e]", "".join(lines))
    for depth, line in zip(model.tree_.depth.tolist(), lines):
        assert line.startswith("| " * depth)
        assert not line.removeprefix("| " * depth).startswith("|")
    leaves = [line for line, leaf in zip(lines, model.tree_.is_leaf) if leaf]
    assert all("-> " in line for line in leaves)


def test_names_keep_their_length_as_long_as_one_level_fits_too():
    X = pd.DataFrame({"marital-status": ["single", "married", "widowed", "divorced"] * 10})
    y = [1, 0, 1, 0] * 10
    tree = ar.TreeClassifier().fit(X, y).tree_
    assert tree_lines(tree, width=80)[0] == "marital-status in divorced, married"
    assert tree_lines(tree, width=30)[0] == "marital-status in divorced +1"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(0)
    n = 500
    group = rng.choice(["a b", "c|d", "<e>"], n)
    x = rng.normal(size=n) + (group == "a b")
    frame = pd.DataFrame({"x": x.round(2), "group": group, "y": (x > 0.4).astype(int)})
    path = tmp_path_factory.mktemp("learnt") / "rows.csv"
    frame.to_csv(path, index=False)
    return read(path, features="all", sensitive="group", label="y")


def _learnt(table, parity=None, **options) -> Learned:
    model = ar.TreeClassifier(parity=parity, max_leaf_nodes=4)
    metric = "statistical_parity" if parity is None else parity.metric
    return learn_table(table, model, metric=metric, **options)


@pytest.mark.parametrize(
    ("parity", "words"),
    [
        (None, "without a bound on the gap"),
        (ar.GapBudget(0.05), "statistical parity gap at most 5 pp"),
        (ar.SplitGap(0.9, metric="equal_opportunity"), "gap of each split at most 90 pp"),
        (ar.Covariance(0.3), "each split's covariance with the group at most 0.3"),
    ],
)
def test_the_report_says_what_was_asked_of_the_tree(table, parity, words):
    text = learned_text(_learnt(table, parity))
    assert words in " ".join(text.split())
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_every_format_tells_the_rows_that_it_measures(table, share):
    found = _learnt(table, test_share=share)
    text = learned_text(found)
    assert ("held-out rows" in text) is bool(share)
    assert f"{found.training.n_rows:,}" in text
    markdown = found.to_markdown()
    assert "c\\|d" in markdown
    assert "&lt;e&gt;" in markdown
    assert "<e>" not in found.to_html()
    assert found.to_dict()["tree"]["format"] == "arbitree-tree"


def test_colours_only_on_request(table):
    found = _learnt(table)
    assert "\x1b[" not in learned_text(found)
    assert "\x1b[" in learned_text(found, color=True)


def test_a_table_without_what_is_needed_is_refused_in_words(table):
    with pytest.raises(ar.InputError, match="no labels"):
        _learnt(replace(table, labels=None))
    with pytest.raises(ar.InputError, match="no groups"):
        _learnt(replace(table, sensitive=()))
    with pytest.raises(ar.InputError, match="no features"):
        _learnt(replace(table, features=()))
    with pytest.raises(ar.InputError, match=r"test_share is 1\.5"):
        _learnt(table, test_share=1.5)
    with pytest.raises(ar.InputError, match="smaller test_share"):
        _learnt(table, test_share=0.999)


def test_markdown_is_the_whole_report(table):
    found = replace(_learnt(table, ar.GapBudget(0.3)), notices=("a <notice>",))
    text = learned_markdown(found)
    assert text.startswith("# Tree for y\n\ntree of ")
    for words in ("favourable: y = ", "gap at most 30 pp", "a &lt;notice&gt;", "adds: what"):
        assert words in text
    for line in tree_lines(found.model.tree_, width=60):
        assert line.strip() in text
    assert "&lt;e&gt;" in text
    assert "e-1" not in text
    pairs = text.split("## Gaps on training rows")[1].split("## ")[0]
    assert pairs.count(" pp |") == 3  # of three groups


def test_a_group_of_few_rows_is_marked_and_one_without_rows_is_told(table, tmp_path):
    frame = pd.DataFrame(
        {
            "x": np.arange(400) % 40,
            "group": ["a"] * 230 + ["b"] * 150 + ["c"] * 20,
            "y": [0, 1] * 190 + [1] * 20,
        }
    )
    frame.to_csv(tmp_path / "rows.csv", index=False)
    small = read(tmp_path / "rows.csv", features="x", sensitive="group", label="y")
    found = _learnt(small, ar.SplitGap(1, metric="equalized_odds"), test_share=0.5)
    training = found.training.by_group.set_index(["condition", "group"])["status"]
    assert training["Y = 1", "a"] == "estimated"
    assert training["Y = 1", "c"].startswith("small group: n = ")
    assert training["Y = 0", "c"] == "not estimable: no row"
    for text in (" ".join(learned_text(found).split()), learned_markdown(found)):
        assert "of a group of fewer than 30 rows" in text
        assert "has no training row with Y = 0, so that no bound covers it" in text
        assert "has no held-out row with Y = 0, so that nothing is measured of it" in text
    assert "of a group of fewer" not in learned_text(_learnt(table))


def test_levels_of_crossed_columns_stand_below_the_columns_names(tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 2, (400, 3)), columns=["x", "male", "y"])
    frame["race"] = rng.choice(["a", "b"], 400)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    table = read(tmp_path / "rows.csv", features="x", sensitive=("race", "male"), label="y")
    found = _learnt(table)
    lines = learned_text(found).splitlines()
    heading = next(k for k, line in enumerate(lines) if line.split()[:3] == ["race", "x", "male"])
    assert lines[heading + 1].split()[:3] == ["a", "x", "0"]
    assert gap_words(found, found.held_out).endswith(" of race x male")
