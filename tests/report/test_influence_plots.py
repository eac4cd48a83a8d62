"""Pictures of influences: the waterfall, before and after, and a pair's own."""

from __future__ import annotations

import dataclasses
import io
import math
import warnings
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from arbitree import ArbitreeWarning, InputError, compare
from arbitree.influence.component import Component
from arbitree.report.comparison_plot import plot_comparison
from arbitree.report.influence_plot import plot_influence
from arbitree.report.interaction_cells import cells
from arbitree.report.interaction_plot import plot_interaction
from arbitree.report.plot_names import columns, telling_names
from arbitree.report.ticks import tick_texts
from arbitree.report.waterfall import feature_labels

from .influences import LOANS, made_influence, many

pytestmark = pytest.mark.usefixtures("no_window")


def _axes():
    return Figure(layout="constrained").subplots()


def _drawn(ax):
    ax.figure.savefig(io.BytesIO(), format="png", dpi=40)
    return ax


def _labels(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def _bars(ax) -> list[tuple[float, float]]:
    """Start and end of each bar, top to bottom."""
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    found = [(box.get_y(), box.get_x(), box.get_x() + box.get_width()) for box in boxes]
    return [(start, end) for _, start, end in sorted(found)]


def _is_a_waterfall(bars, gap):
    *steps, total = bars
    assert steps[0][0] == pytest.approx(0)
    for (_, end), (start, _) in pairwise(steps):
        assert start == pytest.approx(end)
    assert steps[-1][1] == pytest.approx(gap)
    assert total == pytest.approx((0, gap))


def test_bars_start_at_0_follow_one_another_and_end_at_the_gap():
    infl = made_influence(LOANS)
    ax = _drawn(plot_influence(infl, ax=_axes()))
    _is_a_waterfall(_bars(ax), 100 * infl.gap)
    assert _labels(ax)[:3] == ["zip_income", "tenure", "zip_income x tenure"]
    assert _labels(ax)[-2:] == ["unexplained", "gap"]


@settings(max_examples=15)
@given(st.lists(st.floats(-0.3, 0.3), min_size=1, max_size=12), st.integers(2, 14))
def test_the_sum_is_kept_however_few_bars_are_drawn(values, max_display):
    infl = made_influence({(f"x{k}",): v for k, v in enumerate(values)})
    ax = plot_influence(infl, ax=_axes(), max_display=max_display)
    _is_a_waterfall(_bars(ax), 100 * infl.gap)
    assert len(_labels(ax)) <= max_display + 2


def test_others_are_counted():
    ax = plot_influence(made_influence(LOANS), ax=_axes(), max_display=3)
    assert _labels(ax) == ["zip_income", "tenure", "other (3)", "unexplained", "gap"]


def test_the_title_says_metric_groups_and_rows():
    infl = made_influence(LOANS, metric="equal_opportunity", condition="all women")
    title = plot_influence(infl, ax=_axes()).get_title(loc="left")
    assert title.split("\n") == [
        "equal opportunity: gap of 16.8 pp",
        "White over Black",
        "all women",
    ]


def test_unexplained_is_hatched_and_nothing_else_is():
    ax = plot_influence(made_influence(LOANS), ax=_axes())
    assert sorted(bool(box.get_hatch()) for box in ax.patches) == [False] * 6 + [True]


def test_intervals_are_drawn_at_the_end_of_bars_and_left_out_where_there_are_none():
    ax = plot_influence(made_influence(LOANS), ax=_axes())
    assert len([one for one in ax.containers if one.__class__.__name__ == "ErrorbarContainer"]) == 6
    assert "95% intervals" in ax.get_xlabel()
    without = plot_influence(made_influence(LOANS, half=math.nan), ax=_axes())
    assert "intervals" not in without.get_xlabel()


def test_what_is_not_known_is_marked_and_the_picture_is_drawn():
    infl = made_influence(LOANS | {("x",): math.nan})
    ax = _drawn(plot_influence(infl, ax=_axes()))
    assert "n/a" in [text.get_text() for text in ax.texts]


def test_a_gap_of_nothing_is_drawn():
    _drawn(plot_influence(made_influence({}, unexplained=0.0), ax=_axes()))


def test_the_legend_names_only_what_can_be_seen():
    nothing = plot_influence(made_influence({("a",): 0.0}), ax=_axes())
    assert nothing.get_legend() is None
    wider = plot_influence(made_influence({("a",): 0.1, ("b",): 0.0}), ax=_axes())
    assert [text.get_text() for text in wider.get_legend().get_texts()] == ["widens the gap"]


def test_scores_are_in_their_own_unit():
    ax = plot_influence(
        made_influence({("a",): 120.0}, favorable="mean of points", scores=True), ax=_axes()
    )
    assert ax.get_xlabel().startswith("gap of the mean of points")
    assert _bars(ax)[0] == pytest.approx((0, 120))


def test_a_gap_of_scores_is_not_titled_with_a_rate():
    infl = made_influence({("a",): 120.0}, favorable="mean of points", scores=True)
    titles = [
        plot_influence(infl, ax=_axes()).get_title(loc="left"),
        plot_comparison(compare(infl, infl), ax=_axes()).get_title(loc="left"),
    ]
    assert [title.startswith("mean of points: gap") for title in titles] == [True, True]


def test_long_names_never_raise_and_stay_apart():
    infl = made_influence(many(200), group_high="g" * 300, group_low="$\\frac{" + "h" * 300)
    ax = _drawn(plot_influence(infl))
    labels = _labels(ax)
    assert len(set(labels)) == len(labels)
    assert not any(label.endswith(")") for label in labels[:-3])
    assert max(len(line) for label in labels for line in label.split("\n")) <= 32


def test_a_name_that_no_font_has_is_a_warning():
    with pytest.warns(ArbitreeWarning, match="No installed font"):
        plot_influence(made_influence({("\U000e0fff",): 0.1}), ax=_axes())


@pytest.mark.parametrize("wrong", [1, 0, True, 2.5, "all"])
def test_max_display_says_what_it_must_be(wrong):
    with pytest.raises(InputError, match="max_display"):
        plot_influence(made_influence(LOANS), max_display=wrong)


@given(st.lists(st.text("ab_01", min_size=1, max_size=40), min_size=1, max_size=8, unique=True))
def test_shortened_names_are_distinct(names):
    told = telling_names(names, width=12)
    assert len(set(told)) == len(names)


def test_names_that_differ_in_the_middle_show_where():
    names = [f"average_of_the_balance_of_account_{k:03d}_over_the_last_year" for k in range(12)]
    labels = feature_labels([(name,) for name in names])
    assert all(f"{k:03d}" in label for k, label in enumerate(labels))


def _halved(infl):
    table = infl.table.assign(influence=infl.table["influence"] / 2)
    return dataclasses.replace(
        infl, table=table, gap=infl.gap / 2, unexplained=infl.unexplained / 2
    )


def test_before_and_after_are_drawn_for_the_gap_and_every_part():
    infl = made_influence(LOANS)
    ax = _drawn(plot_comparison(compare(infl, _halved(infl)), ax=_axes()))
    assert _labels(ax)[0] == "gap"
    assert _labels(ax)[-1] == "unexplained"
    before, after = (line for line in ax.lines if line.get_label() in ("before", "after"))
    assert before.get_xdata()[0] == pytest.approx(100 * infl.gap)
    assert after.get_xdata()[0] == pytest.approx(50 * infl.gap)
    assert sum(before.get_xdata()[1:]) == pytest.approx(100 * infl.gap)


def test_a_change_of_nothing_has_no_sign():
    infl = made_influence(LOANS)
    ax = plot_comparison(compare(infl, infl), ax=_axes())
    assert {text.get_text() for text in ax.texts} == {"0.0"}


def _boxes(ax) -> list:
    """What is written in a picture and beside it, as drawn."""
    drawn = ax.figure.canvas.get_renderer()
    texts = set(ax.findobj(Text)) - set(ax.get_xticklabels())
    shown = [text for text in texts if text.get_text() and text.get_visible()]
    return [text.get_window_extent(drawn) for text in shown]


@pytest.mark.parametrize("parts", [LOANS, many(200)], ids=["few", "many"])
@pytest.mark.parametrize("group", ["White", "those who live in one of the " + "northern " * 20])
def test_no_text_is_on_another_or_outside_of_the_picture(parts, group):
    infl = made_influence(parts, group_high=group)
    for ax in (plot_influence(infl), plot_comparison(compare(infl, _halved(infl)))):
        ax.figure.canvas.draw()
        boxes = _boxes(ax)
        width, height = ax.figure.canvas.get_width_height()
        assert all(box.x0 >= 0 and box.x1 <= width for box in boxes)
        assert all(box.y0 >= 0 and box.y1 <= height for box in boxes)
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_the_bar_of_others_has_the_interval_of_their_sum():
    wobble = np.random.default_rng(0).normal(0, 0.01, (len(LOANS), 400))
    infl = made_influence(LOANS, resampled=wobble)
    ax = plot_influence(infl, ax=_axes(), max_display=3)
    drawn = [one for one in ax.containers if isinstance(one, ErrorbarContainer)]
    lines = [segment for one in drawn for segment in one.lines[2][0].get_segments()]
    (low, _), (high, _) = next(line for line in lines if line[0][1] == 2)
    spread = np.sqrt((wobble[2:].sum(axis=0) ** 2).mean())
    assert high - low == pytest.approx(100 * 2 * 1.96 * spread, rel=0.02)


def test_a_comparison_of_many_keeps_its_sum():
    infl = made_influence(many(200))
    ax = _drawn(plot_comparison(compare(infl, _halved(infl)), max_display=5))
    assert "other (198)" in _labels(ax)
    after = next(line for line in ax.lines if line.get_label() == "after")
    assert sum(after.get_xdata()[1:]) == pytest.approx(50 * infl.gap)


def _with_pair():
    """An influence that has the function of a pair."""
    infl = made_influence({("age", "job"): 0.05, ("age",): 0.1})
    rows = np.array([[3.0, 0.0, 0.0], [2.0, 5.0, 0.0]])
    component = Component(
        labels=(("young", "old"), ("clerk", "cook", "(missing)")),
        values_high=np.array([[0.2, 0.1, 0.0], [-0.3, 0.0, 0.0]]),
        values_low=np.array([[0.05, 0.1, 0.0], [-0.1, 0.0, 0.0]]),
        rows_high=rows,
        rows_low=rows,
    )
    return dataclasses.replace(infl, components={("age", "job"): component})


@pytest.mark.parametrize("pair", [("age", "job"), ("job", "age")])
def test_a_pair_is_drawn_in_both_groups_on_one_scale(pair):
    high, low = plot_interaction(_with_pair(), pair)
    high.figure.savefig(io.BytesIO(), format="png", dpi=40)
    images = [ax.images[0] for ax in (high, low)]
    assert [image.get_clim() for image in images] == [(-30, 30)] * 2
    table = images[0].get_array()
    assert table.shape == (2, 2)  # no row of either group has a missing job
    assert table[0, 0] == pytest.approx(20)
    assert np.ma.getmaskarray(table)[0, 1]
    assert (high.get_title(), low.get_title()) == ("White", "Black")
    assert "+5.0 pp of a gap of" in high.figure.get_suptitle()


def test_cells_without_rows_are_hatched_and_said_to_be():
    high, _ = plot_interaction(_with_pair(), ("age", "job"))
    assert high.patch.get_hatch()
    assert "hatched: no rows" in high.figure.axes[-1].get_ylabel()


def test_noise_is_white():
    infl = _with_pair()
    component = infl.components[("age", "job")]
    noise = dataclasses.replace(component, values_high=1e-10 * component.values_high, values_low=0)
    noise = dataclasses.replace(noise, values_low=noise.values_high)
    infl = dataclasses.replace(infl, components={("age", "job"): noise})
    high, _ = plot_interaction(infl, ("age", "job"))
    assert high.images[0].get_clim() == (-1, 1)


def test_cells_are_merged_to_the_root_of_the_rows_and_keep_their_mean():
    rng = np.random.default_rng(0)
    texts = tuple(f"({k}, {k + 1}]" for k in range(40))
    few, many_rows = np.eye(40), rng.integers(1, 9, (40, 40)).astype(float)
    values = rng.normal(size=(40, 40))
    component = Component(
        labels=(texts, (*texts[:39], "(missing)")),
        values_high=values,
        values_low=values,
        rows_high=many_rows,
        rows_low=few,
    )
    drawn = cells(component)
    assert drawn.high.shape == (6, 6)
    assert drawn.labels[0][0] == "(0, 7]"
    assert drawn.labels[1][-1] == "(missing)"
    total = (many_rows[:7, :8] * values[:7, :8]).sum() / many_rows[:7, :8].sum()
    assert drawn.labels[1][0] == "(0, 8]"
    assert drawn.high[0, 0] == pytest.approx(total)


def _table_of(n_rows: int, n_columns: int, names: tuple[str, str]):
    shape = (n_rows, n_columns)
    component = Component(
        labels=tuple(tuple(f"level {k}" for k in range(n)) for n in shape),
        values_high=np.zeros(shape),
        values_low=np.zeros(shape),
        rows_high=np.ones(shape),
        rows_low=np.ones(shape),
    )
    return dataclasses.replace(made_influence({names: 0.05}), components={names: component})


@pytest.mark.parametrize(("n", "every"), [(1, 1), (16, 1), (20, 1), (21, 2), (64, 4)])
def test_levels_are_named_at_even_steps_all_of_them_where_they_are_few(n, every):
    high, _ = plot_interaction(_table_of(n, 3, ("age", "job")), ("age", "job"))
    assert _labels(high) == [f"level {k}" for k in range(0, n, every)]


def test_long_names_of_a_pair_show_how_they_differ():
    a, b = (f"average_of_the_balance_of_account_{k}_over_the_last_year" for k in (7, 8))
    high, _ = plot_interaction(_table_of(2, 2, (a, b)), (a, b))
    assert "7" in high.get_ylabel()
    assert "8" in high.get_xlabel()
    assert high.figure.get_suptitle().count("…") >= 2
    assert {"7", "8"} <= set(high.figure.get_suptitle().split(":")[0])


@pytest.mark.parametrize("pair", [("age", "pay"), ("age",), "age"])
def test_a_pair_that_is_not_there_says_which_are(pair):
    with pytest.raises(InputError, match="pair"):
        plot_interaction(_with_pair(), pair)


def test_no_picture_shows_a_warning_of_matplotlib():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _drawn(plot_influence(made_influence(many(60))))


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["1 to 2", "3"], ["1 to 2", "3"]),
        (["(-0.0038378621, -0.0022250188]"], ["(-0.0038, -0.0022]"]),
        (["<= 123456789.25", "> 123456789.25"], ["<= 123456789.25", "> 123456789.25"]),
        (["<= 12345678901234567.5"], ["<= 1.235e+16"]),
        (["12345.678 to 99999.999", "2 others"], ["12350 to 100000", "2 others"]),
        (["Mecklenburg-Vorpommern 12.5"], ["Mecklenbu…ern 12.5"]),
    ],
)
def test_ranges_along_an_axis_lose_figures_and_never_digits_in_the_middle(texts, told):
    assert [columns(text) <= 18 for text in told] == [True] * len(told)
    assert tick_texts(texts, width=18) == told
