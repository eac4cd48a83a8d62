"""What notebooks show of results and trees."""

from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest
import sklearn

import arbitree as ar

from .audits import made_audit

HOSTILE = ["<script>alert(1)</script>", "A|B", "</td></table><img src=x>", "=cmd()", "👍", "a\nb"]


class _Elements(HTMLParser):
    """Which elements there are, and whether each one ends."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def elements(text: str) -> set[str]:
    found = _Elements()
    found.feed(text)
    assert not found.open
    return found.seen


def fitted(**options: object) -> ar.TreeClassifier:
    frame = pd.DataFrame({"<b>level</b>": HOSTILE * 20, "x": range(120)})
    label = ["</script>" if x % 6 < 3 else "<i>no</i>" for x in range(120)]
    return ar.TreeClassifier(**options).fit(frame, label)  # type: ignore[arg-type]


def tree_html(tree: ar.TreeClassifier) -> str:
    """What comes after scikit-learn's diagram."""
    text = tree._repr_mimebundle_()["text/html"]
    return text[text.index('<div class="arbitree">') :]


def test_an_audit_is_shown_with_the_columns_that_are_looked_for_first():
    audit = made_audit({"sex": {"f": (300, 1000), "m": (4000, 9000)}}, notices=("forty rows",))
    text = audit._repr_html_()
    assert '<th scope="col"' in text
    assert ">selection_rate<" in text
    assert ">impact_ratio_low<" not in text
    assert ">impact_ratio_low<" in audit.to_html()
    assert "<li>forty rows</li>" in text


def test_long_tables_are_cut_and_say_by_how_much():
    many = made_audit({"city": {f"city {k:03d}": (k % 100, 100) for k in range(250)}})
    text = many._repr_html_()
    assert text.count("city 0") < 60
    assert "and 230 more rows" in text


def test_names_are_text_in_what_notebooks_show():
    audit = made_audit({"<u>group</u>": dict.fromkeys(HOSTILE, (30, 100))})
    assert elements(audit._repr_html_()) <= {
        *("table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li", "p")
    }
    assert elements(tree_html(fitted())) <= {"div", "p", "ul", "li", "details", "summary"}


def test_a_fitted_tree_is_shown_below_the_diagram_of_scikit_learn():
    tree = fitted()
    text = tree._repr_mimebundle_()["text/html"]
    assert text.startswith(ar.TreeClassifier()._repr_mimebundle_()["text/html"][:20])
    shown = tree_html(tree)
    assert shown.count("<li>") == tree.tree_.n_nodes
    assert tree._repr_html_()[-len(shown) :] == shown
    assert '<div class="arbitree">' not in ar.TreeClassifier()._repr_mimebundle_()["text/html"]


def test_a_deep_tree_counts_the_leaves_that_it_does_not_show():
    frame = pd.DataFrame({"x": range(256)})
    tree = ar.TreeClassifier().fit(frame, [x % 2 for x in range(256)])
    shown = tree_html(tree)
    assert shown.count("<li>") < 2**7
    assert " leaves</li>" in shown


@pytest.mark.parametrize("tree", [ar.TreeClassifier(), fitted()], ids=["unfitted", "fitted"])
def test_scikit_learns_choice_of_text_is_kept(tree):
    with sklearn.config_context(display="text"):
        assert not hasattr(tree, "_repr_html_")
        assert list(tree._repr_mimebundle_()) == ["text/plain"]
