"""Displays: a result with its picture, as scikit-learn has them, and its SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import arbitree as ar
from arbitree import InputError
from arbitree.report.scaled_svg import SMALLEST_LETTERS, narrowest, scaled_svg

pytestmark = pytest.mark.usefixtures("no_window")

N = 2000
DISPLAYS = {
    "groups": (ar.GroupsDisplay.from_audit, ar.plot_groups),
    "influence": (ar.InfluenceDisplay.from_influence, ar.plot_influence),
    "comparison": (ar.ComparisonDisplay.from_comparison, ar.plot_comparison),
    "tree": (ar.TreeDisplay.from_estimator, ar.plot_tree),
    "frontier": (ar.FrontierDisplay.from_frontier, ar.plot_frontier),
}


@pytest.fixture(scope="module")
def results():
    rng = np.random.default_rng(0)
    sex = pd.Series(rng.choice(["f", "m"], N), name="sex")
    X = pd.DataFrame({"x": rng.normal(size=N) + (sex == "m"), "z": rng.normal(size=N)})
    y = (X["x"] + X["z"] * X["x"] + rng.normal(size=N) > 0.5).astype(int)
    infl = ar.explain_gap(X, y, sensitive_features=sex, n_bootstrap=0, n_intervals=5)
    return {
        "groups": ar.audit(y, sensitive_features=sex),
        "influence": infl,
        "comparison": ar.compare(infl, infl),
        "tree": ar.TreeClassifier(max_depth=2).fit(X, y, sensitive_features=sex),
        "frontier": ar.frontier(X, y, sensitive_features=sex, parity=[None], n_splits=2),
        "rows": (X, y, sex),
    }


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.findobj(lambda one: hasattr(one, "get_text"))]


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_display_draws_what_the_function_of_its_name_draws(results, name):
    make, plot = DISPLAYS[name]
    ax = Figure(figsize=(8, 5)).subplots()
    shown = make(results[name], ax=ax)
    assert shown.ax_ is ax
    assert shown.figure_ is ax.figure
    assert texts(ax) == texts(plot(results[name], ax=Figure(figsize=(8, 5)).subplots()))


@pytest.mark.parametrize("name", DISPLAYS)
def test_plot_draws_again_without_computing_and_gives_the_display_back(results, name):
    make, _ = DISPLAYS[name]
    shown = make(results[name])
    first = shown.ax_
    held = [value for key, value in vars(shown).items() if not key.endswith("_")]
    assert any(value is results[name] for value in held)
    elsewhere = Figure(figsize=(8, 5)).subplots()
    assert shown.plot(elsewhere) is shown
    assert shown.ax_ is elsewhere
    assert first.figure in map(pyplot.figure, pyplot.get_fignums())


def test_a_pair_of_features_has_two_axes(results):
    pair = next(names for names in results["influence"].table["features"] if len(names) == 2)
    shown = ar.InteractionDisplay.from_influence(results["influence"], pair[::-1])
    assert len(shown.axes_) == 2
    assert shown.ax_ is shown.axes_[0]
    assert shown.plot(Figure().subplots(1, 2)) is shown
    assert shown.axes_[0].figure is shown.figure_


def test_groups_are_drawn_from_predictions_and_from_an_estimator_alike(results):
    X, y, sex = results["rows"]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    options = {"sensitive_features": sex, "metric": "true_positive_rate"}
    one = ar.GroupsDisplay.from_estimator(model, X, y, **options)
    other = ar.GroupsDisplay.from_predictions(y, model.predict(X), **options)
    assert one.audit.to_json() == other.audit.to_json()
    rate = model.predict(X)[(y == 1) & (sex == "f")].mean()
    rates = one.audit.rates
    found = rates[(rates["metric"] == "true_positive_rate") & (rates["group"] == "f")]["value"]
    assert found.iloc[0] == pytest.approx(rate)
    assert "true positive rate" in one.ax_.get_xlabel()


def test_labels_that_are_texts_are_named_once(results):
    _, y, sex = results["rows"]
    said = y.map({0: "no", 1: "yes"})
    shown = ar.GroupsDisplay.from_predictions(
        said, said, sensitive_features=sex, favorable_label="yes"
    )
    assert shown.audit.label_favorable is not None
    with pytest.raises(ar.LabelError):
        ar.GroupsDisplay.from_predictions(said, said, sensitive_features=sex)


def test_an_svg_shrinks_until_its_letters_are_as_small_as_can_be_read(results):
    shown = ar.TreeDisplay.from_estimator(results["tree"])
    text = shown.to_svg()
    root = ElementTree.fromstring(text)
    least = float(re.search(r"min-width: (\d+)px", root.attrib["style"])[1])
    width = float(root.attrib["width"].removesuffix("pt"))
    assert root.attrib["viewBox"].split()[2] == root.attrib["width"].removesuffix("pt")
    smallest = min(
        one.get_fontsize() for one in shown.ax_.texts if one.get_text() and one.get_visible()
    )
    assert smallest * least / width == pytest.approx(SMALLEST_LETTERS, abs=0.05)
    assert "max-width: 100%" in root.attrib["style"]
    assert "height: auto" in root.attrib["style"]
    assert shown.to_svg() == text


def test_every_letter_of_a_tree_can_be_read_on_a_page_as_wide_as_the_picture(results):
    shown = ar.TreeDisplay.from_estimator(results["tree"])
    assert min(one.get_fontsize() for one in shown.ax_.texts) * 96 / 72 >= SMALLEST_LETTERS


def test_a_figure_of_small_letters_does_not_shrink_at_all():
    figure = Figure(figsize=(5, 2))
    figure.text(0.5, 0.5, "tiny", fontsize=4)
    assert narrowest(figure) == pytest.approx(5 * 96)
    assert narrowest(Figure(figsize=(5, 2))) == pytest.approx(5 * 96)


def test_an_svg_says_what_it_is_and_markup_in_that_is_text():
    root = ElementTree.fromstring(scaled_svg(Figure(figsize=(2, 1)), told='a "<b>" & c'))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == 'a "<b>" & c'


def test_on_a_page_an_svg_stands_in_a_box_that_scrolls(results):
    text = ar.FrontierDisplay.from_frontier(results["frontier"]).to_html()
    assert text.startswith('<div style="overflow-x: auto"><svg ')
    assert "<?xml" not in text
    assert ElementTree.fromstring(text).tag == "div"


def test_what_was_not_drawn_has_no_svg(results):
    with pytest.raises(InputError, match=r"Call plot\(\)"):
        ar.FrontierDisplay(results["frontier"]).to_svg()
