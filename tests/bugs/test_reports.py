"""Failures reported of other tools that reports, pictures and gates must not have."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import arbitree as ar
from arbitree._tables import csv_table
from arbitree.report.html import html_page
from arbitree.report.markdown import markdown_document
from arbitree.report.terminal import terminal_text

ALL_LAYOUTS = [terminal_text, markdown_document, html_page]


def decisions(n: int = 400, n_groups: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Decisions that depend on the group, (n,) and (n,)."""
    groups = np.arange(n) % n_groups
    return (np.arange(n) * 7 % 10 < 4 + groups % 3).astype(int), np.char.add(
        "g", groups.astype(str)
    )


def drawn(ax):
    ax.figure.savefig(io.BytesIO(), format="png", dpi=40)
    return ax


@pytest.fixture
def one_without_positives() -> ar.Audit:
    y_pred, group = decisions()
    y_true = np.where(group == "g1", 0, np.arange(len(group)) % 3 > 0)
    return ar.audit(y_pred, sensitive_features={"g": group}, y_true=y_true)


@pytest.mark.parametrize("layout", ALL_LAYOUTS)
def test_every_layout_accepts_what_is_not_estimable(layout, one_without_positives):
    # fairlearn PR 1039
    text = layout(one_without_positives)
    assert "not estimable" in text
    assert "favourable labels" in text
    assert "nan" not in text.lower()


def test_a_metric_that_is_nan_is_a_mark_and_no_line(one_without_positives):  # DALEX 399
    ax = drawn(
        ar.plot_groups(one_without_positives, metric="true_positive_rate", ax=Figure().subplots())
    )
    assert [text.get_text() for text in ax.texts] == ["n/a: 0 favourable labels"]
    points = [x for c in ax.containers for x in c.lines[0].get_xdata()]
    assert len(points) == 1
    assert not np.isnan(points).any()


def test_a_plot_needs_no_column_that_is_not_there():  # aequitas PR 136
    y_pred, group = decisions()
    found = ar.audit(y_pred, sensitive_features=group)
    assert drawn(ar.plot_groups(found, ax=Figure().subplots())).get_title(loc="left")


@pytest.mark.parametrize("n_groups", [12, 50])
def test_more_groups_than_colours(n_groups):  # dtreeviz 26
    y_pred, group = decisions(2000, n_groups)
    found = ar.audit(y_pred, sensitive_features={"g": group})
    for max_display in (20, 100):
        ax = drawn(ar.plot_groups(found, ax=Figure().subplots(), max_display=max_display))
        assert len(ax.get_yticklabels()) == min(n_groups, max_display)


def test_every_ratio_can_be_made_again_from_the_counts_beside_it():  # AIF360 130
    y_pred, group = decisions(2000, 5)
    found = ar.audit(y_pred, sensitive_features={"g": group})
    table = pd.read_csv(io.StringIO(csv_table(found.by_group)))
    rate = table["n_selected"] / table["n"]
    np.testing.assert_allclose(table["selection_rate"], rate)
    np.testing.assert_allclose(table["impact_ratio"], rate / rate[table["reference"]].item())
    rates = pd.read_csv(io.StringIO(csv_table(found.rates)))
    np.testing.assert_allclose(rates["value"], rates["k"] / rates["n"])


def test_a_report_holds_no_rows():  # evidently 15
    rng = np.random.default_rng(0)
    n = 20_000
    found = ar.audit(rng.integers(0, 2, n), sensitive_features={"g": rng.integers(0, 8, n)})
    few = ar.audit(rng.integers(0, 2, 200), sensitive_features={"g": np.arange(200) % 8})
    for layout in ALL_LAYOUTS:
        assert len(layout(found)) < 1.2 * len(layout(few))


@pytest.mark.parametrize("layout", ALL_LAYOUTS)
@pytest.mark.parametrize("name", ["<script>x</script>", "A|B", "=1+1", "[red]", "a & b", "%$_#"])
def test_a_name_is_text_in_every_layout(layout, name):  # scikit-learn 28339
    y_pred, group = decisions()
    found = ar.audit(y_pred, sensitive_features={name: np.where(group == "g0", name, "other")})
    text = layout(found)
    assert "<script>" not in text or layout is terminal_text
    assert name in text.replace("\\", "").replace("&lt;", "<").replace("&gt;", ">").replace(
        "&amp;", "&"
    )
    assert "\\" not in found.by_group.loc[0, "group"]


def test_two_definitions_never_share_a_name():  # aequitas 89
    y_pred, group = decisions()
    found = ar.audit(y_pred, sensitive_features=group, y_true=1 - y_pred)
    text = markdown_document(found)
    for name in (*found.gaps["metric"].unique(), "selection_rate", "impact_ratio"):
        assert text.count(f"| {name} |") == 1
