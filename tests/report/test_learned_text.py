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
from arbitree.report.learned_text import learned_text
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
