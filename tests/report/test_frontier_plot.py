"""Pictures of accuracy against fairness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import arbitree as ar
from arbitree._errors import InputError


@pytest.fixture
def found() -> ar.Frontier:
    rows = [
        ("tree", 0.80, 0.20, 0, False),
        ("tree", 0.75, 0.05, 2, False),
        ("tree", 0.70, 0.00, 5, False),
        ("$x_1$ <b>", 0.78, 0.10, 0, True),
    ]
    table = pd.DataFrame(rows, columns=["method", "accuracy", "gap", "n_constant", "needs_groups"])
    for name in ("accuracy", "gap"):
        table[f"{name}_low"], table[f"{name}_high"] = table[name] - 0.01, table[name] + 0.01
    table["balanced_accuracy"] = table["accuracy"] - 0.1
    table["balanced_accuracy_low"] = table["balanced_accuracy_high"] = table["balanced_accuracy"]
    return ar.Frontier(
        table=table.assign(n_runs=5, parity=""), runs=pd.DataFrame(), metric="statistical_parity",
        favorable="favourable: y = 1", n_rows=100, n_splits=5, test_size=0.3, confidence=0.95,
        random_state=0,
    )  # fmt: skip


def _axes():
    return Figure().subplots()


def test_each_method_is_a_line_from_the_smallest_gap_on(found):
    ax = ar.plot_frontier(found, ax=_axes())
    lines = [line for line in ax.get_lines() if len(line.get_xdata()) == 3]
    assert np.array_equal(lines[0].get_xdata(), [0.0, 0.05, 0.2])
    assert np.array_equal(lines[0].get_ydata(), [0.70, 0.75, 0.80])


def test_methods_are_named_as_they_are_and_who_needs_groups_is_marked(found):
    ax = ar.plot_frontier(found, ax=_axes())
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [
        "tree",
        "$x_1$ <b> (needs the groups to predict)",
        "everybody decided alike in some splits",
    ]
    assert not any(text.get_parse_math() for text in ax.get_legend().get_texts())


def test_constant_trees_are_hollow_and_counted(found):
    ax = ar.plot_frontier(found, ax=_axes())
    hollow = [line for line in ax.get_lines() if line.get_markerfacecolor() == "white"]
    assert np.concatenate([line.get_xdata() for line in hollow]).tolist() == [0.0, 0.05]
    assert [text.get_text() for text in ax.texts] == ["5 of 5", "2 of 5"]


def test_no_interval_is_drawn_where_everybody_is_always_decided_alike(found):
    ax = ar.plot_frontier(found, ax=_axes())
    horizontal = [line for line in ax.get_lines() if len(line.get_xdata()) == 2]
    drawn = {round(float(np.mean(line.get_xdata())), 3) for line in horizontal}
    assert 0.0 not in drawn


def test_a_limit_is_marked_and_balanced_accuracy_drawn_on_request(found):
    ax = ar.plot_frontier(found, ax=_axes(), max_gap=0.05, accuracy="balanced_accuracy")
    assert ax.get_ylabel() == "balanced accuracy"
    assert "gap 5 %" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_new_figure_is_made_where_none_is_given(found):
    from matplotlib import pyplot

    ax = ar.plot_frontier(found)
    assert ax.figure is not None
    pyplot.close(ax.figure)


def test_another_accuracy_is_refused(found):
    with pytest.raises(InputError, match="There are 'accuracy' and 'balanced_accuracy'"):
        ar.plot_frontier(found, accuracy="f1", ax=_axes())


def test_each_kind_of_bound_is_a_line_of_its_own(found):
    bounds = ["SplitGap(0.1)", "SplitGap(0.02)", "GapBudget(0.01)", ""]
    ax = ar.plot_frontier(replace(found, table=found.table.assign(parity=bounds)), ax=_axes())
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[:2] == ["tree, SplitGap", "tree, GapBudget"]
    assert max(len(line.get_xdata()) for line in ax.get_lines()) == 2
