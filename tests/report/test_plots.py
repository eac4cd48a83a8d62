"""Pictures of rates by group."""

from __future__ import annotations

import io
import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.text import Text

import arbitree as ar
from arbitree import ArbitreeWarning, InputError, MissingDependencyError
from arbitree.report.plot_names import distinct_names, plot_labels
from arbitree.report.plots import plot_groups

from .audits import made_audit

pytestmark = pytest.mark.usefixtures("no_window")

TWO = {"sex": {"Female": (300, 1000), "Male": (4000, 9000)}}


def _axes():
    return Figure(layout="constrained").subplots()


def _drawn(ax):
    ax.figure.savefig(io.BytesIO(), format="png", dpi=40)
    return ax


def _labels(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def _texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def _points(ax) -> dict[float, float]:
    """Position of each mark and its value."""
    found = {}
    for container in ax.containers:
        line = container.lines[0]
        found |= dict(zip(line.get_ydata().tolist(), line.get_xdata().tolist()))
    return found


def test_each_group_is_at_its_rate_with_n_beside_its_name():
    ax = _drawn(plot_groups(made_audit(TWO), ax=_axes()))
    assert _labels(ax) == ["Female (n=1,000)", "Male (n=9,000)"]
    assert _points(ax) == pytest.approx({0: 0.3, 1: 4 / 9})


def test_intervals_are_those_of_the_audit():
    audit = made_audit(TWO)
    ax = plot_groups(audit, ax=_axes())
    segments = [bars.get_segments() for c in ax.containers for bars in c.lines[2]]
    drawn = sorted((low[0], high[0]) for group in segments for low, high in group)
    expected = sorted(zip(audit.rates["ci_low"], audit.rates["ci_high"]))
    np.testing.assert_allclose(drawn, expected)


def test_lines_show_the_overall_rate_and_four_fifths_of_the_highest():
    ax = plot_groups(made_audit(TWO), ax=_axes())
    lines = {line.get_label(): line.get_xdata()[0] for line in ax.lines if ":" in line.get_label()}
    assert lines == pytest.approx(
        {"all rows: 43.0%": 0.43, "0.8 of the highest: 35.6%": 0.8 * 4 / 9}
    )


def test_units_are_on_the_axis():
    ax = _drawn(plot_groups(made_audit(TWO), ax=_axes()))
    assert ax.get_xlabel() == "selection rate, 95% intervals"
    assert all(label.get_text().endswith("%") for label in ax.get_xticklabels())


def test_small_groups_are_hollow_and_the_reference_is_a_diamond():
    ax = plot_groups(made_audit({"g": {"a": (5, 12), "b": (30, 100), "c": (90, 100)}}), ax=_axes())
    marks = {c.get_label(): c.lines[0] for c in ax.containers}
    assert marks["small group"].get_markerfacecolor() == "none"
    assert marks["reference group"].get_marker() == "D"
    assert marks["group"].get_marker() == "o"


def test_what_is_not_estimable_is_marked_and_has_no_mark_or_line():
    ax = _drawn(plot_groups(made_audit({"g": {"a": (30, 100), "Other": (0, 0)}}), ax=_axes()))
    assert _texts(ax) == ["n/a: 0 rows"]
    assert set(_points(ax)) == {0}


def test_nothing_estimable_is_still_a_plot():
    ax = _drawn(plot_groups(made_audit({"g": {"a": (0, 0), "b": (0, 0)}})))
    assert len(_texts(ax)) == 2
    assert not ax.containers


def test_nobody_selected_is_still_a_plot():
    ax = _drawn(plot_groups(made_audit({"g": {"a": (0, 50), "b": (0, 100)}})))
    assert _points(ax) == {0: 0.0, 1: 0.0}


def test_of_many_groups_the_others_are_counted_and_their_range_drawn():
    groups = {f"g{i}": (i, 100 + i) for i in range(60)} | {"none": (0, 0)}
    audit = made_audit({"g": groups})
    ax = _drawn(plot_groups(audit, ax=_axes()))
    labels = _labels(ax)
    assert len(labels) == 20
    assert labels[-1].startswith("other (42)")
    shown = {label.split(" ")[0] for label in labels[:-1]}
    assert {"g0", "g59"} <= shown
    rest = audit.rates[~audit.rates["group"].isin(shown)]
    bar = next(line for line in ax.lines if line.get_label() == "range of the others, 1 n/a")
    assert bar.get_xdata().tolist() == [rest["value"].min(), rest["value"].max()]
    assert labels[-1].endswith(f"(n={rest['n'].sum():,})")


def test_more_groups_than_a_palette_has_colours_is_no_trouble():
    groups = {f"g{i}": (i, 100 + i) for i in range(60)}
    ax = _drawn(plot_groups(made_audit({"g": groups}), max_display=100))
    assert len(_labels(ax)) == 60


def test_names_equal_in_their_first_119_characters_stay_apart():
    start = "a very long name of a group that goes on " * 3
    groups = {start[:119] + "1": (30, 100), start[:119] + "2": (40, 100)}
    ax = _drawn(plot_groups(made_audit({"g": groups})))
    labels = _labels(ax)
    assert len(set(labels)) == 2
    assert all("…" in label and len(label) < 90 for label in labels)


def test_names_that_differ_only_in_the_middle_are_numbered():
    names = ["x" * 50 + middle + "x" * 50 for middle in "12"]
    assert distinct_names(names, width=21) == [
        f"{'x' * 10}…{'x' * 10} (1)",
        f"{'x' * 10}…{'x' * 10} (2)",
    ]


@pytest.mark.parametrize("width", [0.5, 1, 3])
def test_names_longer_than_the_figure_never_raise(width):
    audit = made_audit({"g": {"W" * 120: (30, 100), "x" * 120: (40, 100)}})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        _drawn(plot_groups(audit, ax=Figure(figsize=(width, 1), layout="constrained").subplots()))


@pytest.mark.parametrize("name", ["$x_1$ and $y$", "$", "a_b_c", "\\$x$", "x^{2}", "<b>&", "100%"])
def test_names_are_text_and_never_mathematics(name):
    ax = _drawn(plot_groups(made_audit({name: {name: (30, 100), "b": (40, 100)}}), ax=_axes()))
    label = ax.get_yticklabels()[0]
    assert label.get_text() == f"{name} (n=100)"
    assert not label.get_parse_math()
    titles = [text for text in ax.get_children() if isinstance(text, Text) and text.get_text()]
    assert [title.get_parse_math() for title in titles] == [False]


def test_characters_that_no_font_has_become_boxes_with_a_warning():
    unassigned = "\U000e1234"
    audit = made_audit({"g": {f"a{unassigned}": (30, 100), f"a{unassigned * 1}b": (40, 100)}})
    with pytest.warns(ArbitreeWarning, match="No installed font has the characters"):
        ax = plot_groups(audit, ax=_axes())
    assert _labels(_drawn(ax)) == ["a□ (n=100)", "a□b (n=100)"]


def test_control_characters_are_written_out():
    labels, _ = plot_labels(["a\nb", "\x1b[31m"])
    assert labels == [r"a\nb", r"\x1b[31m"]


def test_a_given_axes_is_drawn_on_without_pyplot_or_settings():
    before = dict(mpl.rcParams)
    ax = _axes()
    assert plot_groups(made_audit(TWO), ax=ax) is ax
    assert pyplot.get_fignums() == []
    assert dict(mpl.rcParams) == before


def test_a_new_figure_changes_no_settings_and_is_not_shown(monkeypatch):
    monkeypatch.setattr(pyplot, "show", lambda *_, **__: pytest.fail("shown"))
    before = dict(mpl.rcParams)
    plot_groups(made_audit(TWO))
    assert dict(mpl.rcParams) == before


def test_segments_are_told_apart():
    ax = _drawn(plot_groups(made_audit(TWO, segments=("cook", "clerk"))))
    assert "Female (job=cook) (n=1,000)" in _labels(ax)
    assert len(_labels(ax)) == 4


def test_keywords_reach_the_intervals():
    ax = plot_groups(made_audit(TWO), ax=_axes(), color="black", markersize=9)
    assert all(c.lines[0].get_markersize() == 9 for c in ax.containers)


def test_a_grouping_is_chosen_by_name():
    audit = made_audit(TWO | {"race": {"a": (1, 100), "b": (2, 100)}})
    assert len(_labels(plot_groups(audit, grouping="race", ax=_axes()))) == 2
    assert "by race" in plot_groups(audit, grouping="race", ax=_axes()).get_title(loc="left")


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"grouping": "sexx"}, "Did you mean 'sex'"),
        ({"metric": "selection"}, "Did you mean 'selection_rate'"),
        ({"max_display": 1}, "at least 2"),
        ({"max_display": True}, "at least 2"),
    ],
)
def test_errors_say_what_to_do(options, advice):
    with pytest.raises(InputError, match=advice):
        plot_groups(made_audit(TWO), ax=_axes(), **options)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr("arbitree.report.canvas.find_spec", lambda _: None)
    with pytest.raises(MissingDependencyError, match=r"arbitree\[report\]"):
        plot_groups(made_audit(TWO), ax=_axes())


@pytest.mark.parametrize(
    ("draw", "made_by"),
    [
        (ar.plot_groups, "audit"),
        (ar.plot_influence, "explain_gap"),
        (ar.plot_comparison, "compare"),
        (lambda frame: ar.plot_interaction(frame, ("a", "b")), "explain_gap"),
    ],
    ids=["groups", "influence", "comparison", "interaction"],
)
def test_what_is_no_result_is_refused_in_words(draw, made_by):
    with pytest.raises(ar.InputError, match=f"type DataFrame. Pass what arbitree.{made_by}"):
        draw(pd.DataFrame({"sex": ["f", "m"]}))
