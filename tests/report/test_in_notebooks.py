"""What notebooks show of results and trees."""

from __future__ import annotations

import warnings
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


class _Cells(HTMLParser):
    """The rows of tables, each a list of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._inside = False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        self._inside = tag in ("td", "th")
        if self._inside:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        if self._inside:
            self.rows[-1][-1] += data


def table_of(text: str) -> pd.DataFrame:
    """The only table of a text."""
    found = _Cells()
    found.feed(text)
    return pd.DataFrame(found.rows[1:], columns=found.rows[0])


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


RULES = (
    'feature "<b>level</b>": {"<script>alert(1)</script>", ...}\n'
    "feature x: number\n"
    '"<b>level</b>" = "<script>alert(1)</script>" => "</script>"'
    '  [id: "<u>r1</u>", reason: "the <law>", severity: "<hr>"]\n'
    'x < 3 => x < 5\n'
)  # fmt: skip


def _results() -> dict[str, object]:
    """Results of every kind, of names that would be markup."""
    tree = fitted(max_depth=2)
    frame = pd.DataFrame({"<b>level</b>": HOSTILE * 20, "x": range(120)})
    label = pd.Series(["</script>" if x % 6 < 3 else "<i>no</i>" for x in range(120)])
    sex = pd.Series(["<em>f</em>", "m"] * 60, name="<u>sex</u>")
    rules = ar.Rules.parse(RULES)
    options = {"sensitive_features": sex, "favorable_label": "</script>"}
    audit = ar.audit(label, **options)
    certificate = ar.certify(tree, frame, label, sensitive_features=sex, max_gap=0.5)
    return {
        "audit": audit,
        "gate": audit.check(fail_under=0.99, max_gap=0.0),
        "rules": rules,
        "rule check": rules.check(classes=["</script>", "<i>no</i>"]),
        "coverage": rules.coverage(frame, label),
        "verification": ar.verify(tree, rules, domain=frame),
        "tree": tree.tree_,
        "explanation": ar.explain_gap(frame, label, n_bootstrap=0, max_order=1, **options),
        "certificate": certificate,
        "checked certificate": ar.CheckedCertificate(
            failures=(HOSTILE[0],), rederived=tuple(HOSTILE), not_rederived=()
        ),
        "frontier": ar.frontier(frame, label, parity=[None], n_splits=2, **options),
    }


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)  # of few rows
        return _results()


def test_every_result_is_shown_as_tables_with_captions(results):
    for name, result in results.items():
        text = result._repr_html_()
        assert text.count("<table") == text.count("<caption>") > 0, name
        assert '<th scope="col"' in text, name


def test_names_are_text_in_what_is_shown_of_every_result(results):
    allowed = {*("table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li", "p")}
    for name, result in results.items():
        assert elements(result._repr_html_()) <= allowed, name


def test_what_is_shown_has_the_colours_of_the_notebook_dark_or_light(results):
    for result in (*results.values(), fitted()):
        text = result._repr_html_()
        shown = text[text.index('class="arbitree"') :] if result not in results.values() else text
        assert "color" not in shown.replace("colour", "")
        assert "background" not in shown


def test_rules_are_shown_with_id_text_reason_and_severity(results):
    shown = table_of(results["rules"]._repr_html_())
    assert shown.columns.tolist() == ["id", "rule", "reason", "severity"]
    assert shown.loc[0, ["id", "reason", "severity"]].tolist() == ["<u>r1</u>", "the <law>", "<hr>"]
    assert shown["rule"].tolist()[1] == "x < 3 => x < 5"
    assert "<caption>1 rule and 1 fact</caption>" in results["rules"]._repr_html_()


def test_rules_that_say_how_they_take_missing_values_show_it():
    text = ar.Rules.parse("x < 3 => a  [missing: certain]\nx > 9 => b")._repr_html_()
    shown = table_of(text)
    assert shown["missing"].tolist() == ["certain", ""]
    assert "certain" in ar.Rules.parse("x < 3 => a", missing="certain")._repr_html_()
    assert "<caption>0 rules</caption>" in ar.Rules(())._repr_html_()


def test_a_tree_is_shown_node_by_node():
    frame = pd.DataFrame({"job": ["a", "b", "c", None] * 5, "age": [20.0, 30.0, 40.5, 50.0] * 5})
    tree = ar.TreeClassifier().fit(frame, [0, 1, 1, 0] * 5).tree_
    shown = table_of(tree._repr_html_())
    assert shown["n"].astype(int).tolist() == tree.n.tolist()
    assert [int(above) for above in shown["parent"][1:]] == tree.parent[1:].tolist()
    leaves = tree.is_leaf
    decided = shown["decides"][leaves].astype(int).tolist()
    assert decided == [tree.classes[k] for k in tree.label[leaves]]
    assert (shown["decides"][~leaves] == "").all()
    assert set(shown["branch"][1:]) <= {
        *("job = a or missing", "job in {b, c}", "job in {a, b}", "job = c or missing"),
        *("age <= 25 or missing", "age > 25", "age <= 45.25", "age > 45.25 or missing"),
        *("age <= 25", "age > 25 or missing", "age <= 45.25 or missing", "age > 45.25"),
    }
