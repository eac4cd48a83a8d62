"""Pictures of trees: what stands in them, and that everything can be read."""

from __future__ import annotations

import dataclasses
import io
import re
import warnings
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import arbitree as ar
from arbitree import InputError
from arbitree.model.tree import Tree
from arbitree.model.tree_json import from_json, to_json
from arbitree.report.canvas import BLUE, VERMILLION
from arbitree.report.text_width import Pen
from arbitree.report.tree_layout import MOST_LEAVES, layout
from arbitree.report.tree_lines import tree_lines
from arbitree.report.tree_plot import plot_tree, tree_picture_size
from arbitree.report.tree_words import number_text, questions
from arbitree.table.codings import NumericCoding

from ..tree.frames import sample

pytestmark = pytest.mark.usefixtures("no_window")

SMALLEST = 3.0  # points of a letter that can still be read when enlarged


def _texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def _boxes(ax) -> list[Rectangle]:
    """Frames of nodes, without bars and the marks of the legend."""
    return [p for p in ax.patches if p.get_height() > 0.2]


def _drawn(model, **options):
    """A picture on axes of its own size."""
    limits = {name: options[name] for name in ("max_depth", "favorable_label") if name in options}
    figure = Figure(figsize=tree_picture_size(model, **limits))
    ax = plot_tree(model, ax=figure.add_axes((0, 0, 1, 1)), **options)
    figure.savefig(io.BytesIO(), format="png", dpi=50)
    return ax


def _is_readable(ax) -> None:
    """No two texts overlap, none is cut off, and none leaves the box in which it begins."""
    figure = ax.figure
    renderer = FigureCanvasAgg(figure).get_renderer()
    extents = [text.get_window_extent(renderer) for text in ax.texts]
    whole = figure.bbox
    for text, one in zip(ax.texts, extents):
        assert one.x0 >= whole.x0 - 1, text.get_text()
        assert one.x1 <= whole.x1 + 1, text.get_text()
    for (text, one), (other_text, other) in combinations(zip(ax.texts, extents), 2):
        apart = (
            one.x1 <= other.x0 + 0.5
            or other.x1 <= one.x0 + 0.5
            or one.y1 <= other.y0 + 1
            or other.y1 <= one.y0 + 1
        )
        assert apart, (text.get_text(), other_text.get_text())
    frames = [box.get_window_extent(renderer) for box in _boxes(ax)]
    for frame in frames:
        for text, one in zip(ax.texts, extents):
            begins_inside = frame.contains(one.x0 + 1, (one.y0 + one.y1) / 2)
            assert not begins_inside or one.x1 <= frame.x1 + 1, text.get_text()
    for one, other in combinations(frames, 2):
        assert not one.padded(-1).overlaps(other)


def _tree(seed: int, **options: object) -> ar.TreeClassifier:
    rows = sample(seed, n_rows=400, n_groups=3)
    model = ar.TreeClassifier(**{"max_leaf_nodes": 8, **options})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        return model.fit(rows.X, rows.y, sensitive_features={"group": rows.group})


def _adult(shared_data: Path, n_leaves: int) -> ar.TreeClassifier:
    frame = pd.read_csv(shared_data / "adult.csv.gz", nrows=8000)
    model = ar.TreeClassifier(max_leaf_nodes=n_leaves, min_samples_leaf=20)
    X = frame.drop(columns=["sex", "race", "income"])
    return model.fit(X, frame["income"], sensitive_features=frame[["sex"]])


@pytest.mark.parametrize("n_leaves", [8, 15, 31])
def test_trees_of_up_to_31_leaves_can_be_read(shared_data, n_leaves):
    model = _adult(shared_data, n_leaves)
    ax = _drawn(model)
    _is_readable(ax)
    assert len(_boxes(ax)) == model.tree_.n_nodes
    assert min(text.get_fontsize() for text in ax.texts) > SMALLEST


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["threshold", "logistic", "multiway"]))
def test_trees_of_every_kind_can_be_read(seed, split):
    model = _tree(seed, split=split, max_depth=4)
    _is_readable(_drawn(model))


def test_what_the_splits_add_sums_to_the_gap_in_the_title():
    model = _tree(1)
    texts = _texts(_drawn(model))
    told = [float(t[:-3].replace("−", "-")) for t in texts if re.fullmatch(r"[+−]?[\d.]+ pp", t)]
    gap = float(re.search(r"gap of ([\d.]+) pp", texts[1])[1])
    assert len(told) == model.tree_.n_nodes - model.tree_.n_leaves
    assert gap > 1
    assert sum(told) == pytest.approx(gap, abs=0.05 * (len(told) + 1))


def test_the_title_names_the_groups_furthest_apart_and_their_rates():
    model = _tree(1)
    report = model.parity_report_
    pair = report.groupby(["group_high", "group_low"])["contribution"].sum()
    high, low = pair.idxmax()
    title = _texts(_drawn(model))[1]
    assert title.startswith(f"statistical parity gap of {100 * pair.max():.1f} pp: ")
    assert re.search(rf": [\d.]+% of {re.escape(high)}, [\d.]+% of {re.escape(low)}$", title)


def test_frames_are_coloured_by_what_the_split_does_to_the_gap():
    model = _tree(1)
    found = model.parity_report_
    widest = found[(found["group_high"] == found["group_high"][0])]
    widest = widest[widest["group_low"] == found["group_low"][0]].set_index("node")["contribution"]
    colors = [to_hex(box.get_edgecolor()).upper() for box in _boxes(_drawn(model))]
    for node, value in widest.items():
        expected = VERMILLION if value > 0.0005 else BLUE if value < -0.0005 else "#777777"
        assert colors[node] == expected


def test_the_reach_of_each_group_is_shown_at_each_node():
    rows = sample(3, n_rows=300)
    model = ar.TreeClassifier(max_depth=1).fit(
        rows.X, rows.y, sensitive_features={"group": rows.group}
    )
    leaf = model.apply(rows.X)
    texts = _texts(_drawn(model))
    for node in (1, 2):
        for group in ("g0", "g1"):
            share = np.mean(leaf[rows.group == group] == node)
            assert f"{100 * share:.0f}%" in texts
    assert texts.count("g0") == texts.count("g1") == 3


def test_a_leaf_shows_what_it_decides_its_rows_and_their_share():
    X = pd.DataFrame({"age": [20, 30, 40, 50] * 5})
    model = ar.TreeClassifier(max_depth=1).fit(X, ["no", "no", "yes", "yes"] * 5)
    texts = _texts(_drawn(model))
    assert "age <= 35" in texts
    assert [t for t in texts if t.startswith("→")] == ["→ no", "→ yes"]
    assert texts.count("n 10 (50%)") == 2
    assert {"0%", "50%", "100%", "share of yes"} <= set(texts)


def test_a_tree_without_groups_says_nothing_of_gaps():
    rows = sample(5, n_rows=300)
    texts = _texts(_drawn(ar.TreeClassifier(max_leaf_nodes=5).fit(rows.X, rows.y)))
    assert not [text for text in texts if "gap" in text or " pp" in text or "come here" in text]


def test_one_group_has_reach_and_no_gap():
    rows = sample(5, n_rows=300, n_groups=1)
    model = ar.TreeClassifier(max_leaf_nodes=4)
    model.fit(rows.X, rows.y, sensitive_features={"group": rows.group})
    texts = _texts(_drawn(model))
    assert "g0" in texts
    assert not [text for text in texts if "gap" in text]


def test_a_constant_tree_is_one_box():
    X = pd.DataFrame({"age": [20.0] * 8})
    model = ar.TreeClassifier().fit(X, [0, 1] * 4, sensitive_features={"g": list("aabb") * 2})
    ax = _drawn(model)
    assert len(_boxes(ax)) == 1
    assert _texts(ax)[0] == "1 leaf, depth 0; 8 training rows"
    _is_readable(ax)


def test_names_are_never_read_as_mathematics_and_long_ones_are_shortened():
    rng = np.random.default_rng(0)
    name = "the_balance_$of$_the_account_" + "x" * 40 + "_in_may"
    level = "level_$a_1$ " + "y" * 50
    groups = [f"people of the group numbered {k:02d} $x^2$" for k in range(12)]
    X = pd.DataFrame({name: rng.normal(size=2000), "kind": rng.choice([level, "b", "c"], 2000)})
    y = np.where((X[name] > 0) ^ (X["kind"] == level), "$yes_1$ " + "z" * 40, "no")
    model = ar.TreeClassifier(max_leaf_nodes=4, favorable_label="no")
    model.fit(X, y, sensitive_features={"g": rng.choice(groups, 2000)})
    ax = _drawn(model)
    _is_readable(ax)
    assert not any(text.get_parse_math() for text in ax.texts)
    texts = _texts(ax)
    assert any(t.startswith("the_balance") and "…" in t and t.endswith("_in_may <=") for t in texts)
    assert any(t.startswith("10 others: ") for t in texts)
    assert any(
        re.fullmatch(r".*…\S*: people of the group numbered \d\d \$x\^2\$", t) for t in texts
    )


def test_characters_that_no_font_has_are_boxes_and_a_warning():
    X = pd.DataFrame({"\U00013000 $x$": [1, 2, 3, 4] * 5})
    model = ar.TreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1] * 5)
    figure = Figure(figsize=(6, 4))
    with pytest.warns(ar.ArbitreeWarning, match="No installed font") as caught:
        plot_tree(model, ax=figure.subplots())
    assert {warning.filename for warning in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.savefig(io.BytesIO(), format="png")


def test_a_leaf_whose_decision_parity_moved_has_a_star():
    X = pd.DataFrame({"x": [0] * 20 + [1] * 20})
    y = np.repeat([0, 1, 0, 1], [14, 6, 4, 16])
    plain = ar.TreeClassifier(max_depth=1).fit(X, y)
    moved = dataclasses.replace(plain.tree_, label=np.array([0, 1, 1]))
    texts = _texts(_drawn(moved))
    assert [t for t in texts if t.startswith("→")] == ["→ 1 *", "→ 1"]
    assert "* not what most of its rows are" in texts
    assert tree_lines(moved, width=80)[1].endswith("-> 1 *")
    assert not [t for t in _texts(_drawn(plain)) if "*" in t]


def test_hostile_names_make_no_element_of_an_svg():
    bad = ("<script>alert(1)</script>", "a & b -- --> ]]>", 'x" onload="y')
    X = pd.DataFrame({bad[0]: list("pq") * 20, bad[1]: [1, 2, 3, 4] * 10})
    y = np.where((X[bad[0]] == "p") & (X[bad[1]] > 1), bad[2], bad[0])
    groups = {"g": np.repeat(bad[:2], 20)}
    model = ar.TreeClassifier(favorable_label=bad[2]).fit(X, y, sensitive_features=groups)
    ax = _drawn(model)
    for fonttype in ("path", "none"):
        data = io.StringIO()
        with mpl.rc_context({"svg.fonttype": fonttype}):
            ax.figure.savefig(data, format="svg")
        kinds = {
            one.tag.rpartition("}")[2] for one in ElementTree.fromstring(data.getvalue()).iter()
        }
        assert "script" not in kinds


def test_more_classes_and_groups_than_a_palette_has_colours_are_no_trouble():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=3000), "z": rng.normal(size=3000)})
    y = (12 * X["x"].rank(pct=True)).astype(int).clip(0, 11)
    _is_readable(_drawn(ar.TreeClassifier(max_leaf_nodes=12).fit(X, y)))
    group = {"g": rng.integers(0, 50, 3000).astype(str)}
    model = ar.TreeClassifier(max_leaf_nodes=5, favorable_label=[3, 7, 8])
    ax = _drawn(model.fit(X, y, sensitive_features=group))
    _is_readable(ax)
    assert "share of 3 or 7 or 8" in _texts(ax)
    assert any(text.startswith("48 others: ") for text in _texts(ax))


def test_deeper_nodes_are_counted_and_not_drawn():
    model = _tree(2)
    tree = model.tree_
    ax = _drawn(model, max_depth=1)
    assert len(_boxes(ax)) == 1 + len(tree.children(0))
    below = [int(t.split()[1]) for t in _texts(ax) if t.startswith("… ")]
    leaves = sum(tree.is_leaf[child] for child in tree.children(0))
    assert sum(below) + leaves == tree.n_leaves
    assert "; drawn to depth 1" in _texts(ax)[0]
    _is_readable(ax)


def test_of_a_very_large_tree_the_top_is_drawn():
    rng = np.random.default_rng(0)
    model = ar.TreeClassifier(max_depth=9).fit(rng.normal(size=(3000, 3)), rng.integers(0, 2, 3000))
    assert model.tree_.n_leaves > MOST_LEAVES
    place = layout(model.tree_)
    assert place.n_ends <= MOST_LEAVES
    assert layout(model.tree_, place.max_depth + 1).n_ends > MOST_LEAVES


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 6))
def test_ends_are_equally_spaced_and_nodes_lie_between_their_children(seed, max_depth):
    tree = _tree(seed, max_leaf_nodes=12).tree_
    place = layout(tree, max_depth)
    ends = sorted(place.row[node] for node in place.drawn if place.is_end[node])
    assert ends == list(range(place.n_ends))
    for node in place.drawn:
        if not place.is_end[node]:
            rows = place.row[tree.children(node)]
            assert rows[0] < place.row[node] < rows[-1]
    for a, b in combinations(place.drawn, 2):
        if place.column[a] == place.column[b]:
            ends_only = place.is_end[a] and place.is_end[b]
            assert abs(place.row[a] - place.row[b]) >= (1 if ends_only else 1.5)


def test_a_split_in_several_names_the_levels_at_its_branches():
    X = pd.DataFrame({"job": ["cook", "clerk", "nurse", None] * 10})
    model = ar.TreeClassifier(split="multiway").fit(X, ["no", "yes", "no", "yes"] * 10)
    ax = _drawn(model)
    texts = _texts(ax)
    assert "job?" in texts
    assert {"cook", "clerk", "nurse"} <= {t.split(",")[0] for t in texts}
    _is_readable(ax)


def test_three_classes_without_a_favourable_one_show_the_largest_share():
    rows = sample(3, n_rows=400, n_classes=3)
    model = ar.TreeClassifier(max_leaf_nodes=4).fit(rows.X, rows.y)
    ax = _drawn(model)
    texts = _texts(ax)
    shares = model.tree_.weight[0] / model.tree_.weight[0].sum()
    assert f"{100 * shares.max():.0f}% {shares.argmax()}" in texts
    assert {"0", "1", "2"} <= set(texts)
    _is_readable(ax)


def test_a_tree_read_from_a_file_has_the_same_picture():
    model = _tree(1)
    again = from_json(to_json(model.tree_))
    assert isinstance(again, Tree)
    assert _texts(_drawn(again)) == _texts(_drawn(model))
    other = _texts(_drawn(again, favorable_label=0))
    assert "share of 0" in other


def test_the_metric_and_its_condition_are_those_of_the_fit():
    rows = sample(7, n_rows=400, n_groups=2)
    model = ar.TreeClassifier(
        max_leaf_nodes=6, parity=ar.SplitGap(0.5, metric="equalized_odds")
    ).fit(rows.X, rows.y, sensitive_features={"group": rows.group})
    texts = _texts(_drawn(model))
    report = model.parity_report_
    widest = report.groupby(["condition", "group_high"])["contribution"].sum()
    assert texts[1].startswith(f"equalized odds gap of {100 * widest.max():.1f} pp")
    assert texts[2] == f"among rows with {widest.idxmax()[0]}"


def test_text_is_as_large_as_the_axes_allow():
    model = _tree(1)
    sizes = []
    for width in (4, 8, 16):
        ax = plot_tree(model, ax=Figure(figsize=(width, width)).add_axes((0, 0, 1, 1)))
        sizes.append(max(text.get_fontsize() for text in ax.texts))
        ax.figure.savefig(io.BytesIO(), format="png", dpi=200)
        _is_readable(ax)
    assert sizes[1] == pytest.approx(2 * sizes[0])
    assert sizes[1] < sizes[2]


def test_a_new_figure_is_as_large_as_the_tree_needs():
    model = _tree(1)
    ax = plot_tree(model)
    assert tuple(ax.figure.get_size_inches()) == pytest.approx(tree_picture_size(model))
    assert len(pyplot.get_fignums()) == 1


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"max_depth": -1}, "whole number"),
        ({"max_depth": 1.5}, "whole number"),
        ({"max_depth": True}, "whole number"),
        ({"favorable_label": "yes"}, "no class 'yes'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(options, advice):
    with pytest.raises(InputError, match=advice):
        plot_tree(_tree(1).tree_, ax=Figure().subplots(), **options)


def test_what_is_no_tree_is_refused():
    with pytest.raises(InputError, match="of type dict"):
        plot_tree({})
    with pytest.raises(InputError, match="TreeClassifier that is not fitted"):
        plot_tree(ar.TreeClassifier())


def _number(values, threshold, kind="number", exact=True):
    values = np.array(values, float)
    edges = ((values[:-1] + values[1:]) / 2).astype(np.float32)
    known = values if exact else None
    return number_text(
        NumericCoding(edges=edges, exact=exact, values=known, kind=kind), float(threshold)
    )


@pytest.mark.parametrize(
    ("values", "threshold", "kind", "text"),
    [
        ([27, 28], 27.5, "integer", "27"),
        ([-28, -27], -27.5, "integer", "-28"),
        ([40_000, 60_000], 50_000, "integer", "50,000"),
        ([1999, 2024], 2011.5, "integer", "2011"),
        ([0.12, 0.13], 0.125, "number", "0.125"),
        ([0.123451, 0.123459], 0.123455, "number", "0.123455"),
        ([0, 1], 0.5, "number", "0.5"),
        ([1e-9, 3e-9], 2e-9, "number", "2e-09"),
    ],
)
def test_thresholds_have_few_digits_and_still_part_the_values(values, threshold, kind, text):
    assert _number(values, threshold, kind) == text


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=20, unique=True), st.data())
def test_a_shown_threshold_parts_known_values_as_the_true_one_does(values, data):
    values = sorted(values)
    at = data.draw(st.integers(0, len(values) - 2))
    threshold = np.float32((values[at] + values[at + 1]) / 2)
    shown = float(_number(values, threshold).replace(",", ""))
    if abs(shown) >= 10_000 or not values[at] <= threshold < values[at + 1]:
        return  # rounded to hundredths, or two values that float32 cannot part
    assert [v <= shown for v in values] == [v <= threshold for v in values]


def test_missing_is_named_where_it_goes_with_yes_and_only_if_it_can_come():
    X = pd.DataFrame({"age": [20, 30, None, None] * 10, "z": [1, 2, 3, 4] * 10})
    y = [0, 1, 0, 0] * 10
    (asked, *_) = questions(ar.TreeClassifier(max_depth=1).fit(X[["age"]], y).tree_)
    assert (asked.relation, asked.items) == ("<=", ("25 or missing",))
    (asked, *_) = questions(ar.TreeClassifier(max_depth=1).fit(X[["z"]], y).tree_)
    assert "missing" not in " ".join(asked.items)
    (asked, *_) = questions(ar.TreeClassifier(max_depth=1).fit(X[["age"]], [0, 0, 1, 1] * 10).tree_)
    assert (asked.relation, asked.items) == ("is", ("known",))


def test_the_shorter_list_of_levels_is_asked_for_and_its_side_is_yes():
    X = pd.DataFrame({"job": list("abcde") * 10})
    for chosen in ("b", "acde"):
        y = [int(job in chosen) for job in X["job"]]
        (asked, *_) = questions(ar.TreeClassifier().fit(X, y).tree_)
        assert (asked.relation, asked.items) == ("is", ("b",))
        place = asked.answers.index(("yes",))
        tree = ar.TreeClassifier().fit(X, y).tree_
        assert tree.n[tree.children(0)[place]] == 10


def test_levels_that_cannot_come_any_more_are_not_named():
    X = pd.DataFrame({"job": list("abcd") * 20})
    y = [{"a": 0, "b": 1, "c": 2, "d": 3}[job] for job in X["job"]]
    asked = [q for q in questions(ar.TreeClassifier().fit(X, y).tree_) if q]
    named = [set(q.items) for q in asked]
    assert len(asked) == 3
    assert all(len(items) == 1 for items in named)


def test_lists_that_do_not_fit_say_how_many_more_there_are():
    pen = Pen(["DejaVu Sans"], 8)
    assert pen.listed(["a", "b"], 5.0) == "a, b"
    assert pen.listed(["aaaa", "bbbb", "cccc"], pen.width("aaaa +2") + 0.01) == "aaaa +2"
    short = pen.listed(["a" * 50, "b"], 0.6)
    assert short.endswith(" +1")
    assert "…" in short
    assert pen.width(short) <= 0.6
    assert pen.listed([], 1.0) == ""
