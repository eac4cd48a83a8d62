"""No row of a domain is decided against a rule, whatever the data and however the tree grew."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.rules.decided_against import unsafe_leaves
from arbitree.rules.settle import rows_under_rules
from arbitree.rules.verify import bound_to_model
from arbitree.tree.path import fit_path
from tests.oracles.rules import allowed, can_exist
from tests.oracles.z3_rules import breaks_a_rule
from tests.rules.domains import CLASSES, COLUMNS, ROWS, SCHEMA, VALUES, statements

DOMAIN = pd.DataFrame(ROWS).astype({"x": float, "level": object, "flag": bool})
SEEN = DOMAIN[DOMAIN["level"] != "(other)"].reset_index(drop=True)
PARITIES = [
    None,
    ar.Covariance(0.05),
    ar.SplitGap(0.2),
    ar.GapBudget(0.1),
    ar.GapBudget(0.0, metric="equalized_odds"),
]


_REFUSED = ("leave no class", "No row can obey", "treats the two alike", "Every row contradicts")


def _fit(tree, X, y, **given):
    """Fitted, or None where the rules leave some row none of the classes in y, or no row."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        try:
            return tree.fit(X, y, **given)
        except ar.InputError as error:
            if not any(words in str(error) for words in _REFUSED):
                raise
            return None


def _broken(tree, rules, X=DOMAIN, columns=COLUMNS):
    """Rows that can exist and are decided against a rule."""
    bound = bound_to_model(rules, tree.tree_.features, tree.tree_.classes)
    decided = np.searchsorted(tree.classes_, tree.predict(X))
    found = rows_under_rules(bound, bound.space.encode(columns), decided)
    return np.flatnonzero(found.contradicting & ~found.refuted)


def _broken_as_defined(tree, found):
    """The same, by the definition of a rule: row by row, completion by completion."""
    decided = tree.predict(DOMAIN)
    return [
        row
        for row, label in zip(ROWS, decided.tolist())
        if can_exist(row, found, VALUES)
        and label not in allowed(row, found, VALUES, CLASSES, "possible")
    ]


def _domain():
    """Values of the domain, numbers with their neighbours in float32."""
    numbers = {float(v) for v in VALUES["x"]}
    for v in VALUES["x"]:
        numbers |= {float(np.nextafter(np.float32(v), np.float32(to))) for to in (-9, 9)}
    return {
        "x": (sorted(numbers), True),
        "level": (VALUES["level"], True),
        "flag": (VALUES["flag"], False),
    }


@st.composite
def problems(draw):
    seed, n_rows = draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, 60))
    rng = np.random.default_rng(seed)
    X = SEEN.iloc[rng.integers(0, len(SEEN), n_rows)].reset_index(drop=True)
    split = draw(st.sampled_from(["threshold", "multiway", "logistic"]))
    n_classes = 2 if split == "logistic" else draw(st.integers(2, 3))
    y = rng.choice(list("abc")[:n_classes], n_rows)
    group = rng.choice(["f", "m"], n_rows)
    weights = draw(st.sampled_from([None, rng.integers(1, 4, n_rows), rng.random(n_rows) + 0.1]))
    parity = draw(st.sampled_from(PARITIES))
    grown = {
        "split": split,
        "parity": parity,
        "max_depth": draw(st.sampled_from([None, 1, 3])),
        "min_samples_leaf": draw(st.sampled_from([1, 5])),
        "contradictions": draw(st.sampled_from(["keep", "relabel", "drop"])),
        "method": draw(st.sampled_from(["integrated", "post-facto"])),
        "rule_weight": draw(st.sampled_from(["prior", "independent", "paper"])),
        "simplify": draw(st.booleans()),
        "favorable_label": "a",
    }
    if not isinstance(parity, ar.GapBudget):
        grown["ccp_alpha"] = draw(st.sampled_from([0.0, 0.02]))
        grown["max_leaf_nodes"] = draw(st.sampled_from([None, 4]))
    return X, y, group, weights, grown


@settings(max_examples=40)
@given(problems(), statements())
def test_no_row_of_the_domain_is_decided_against_a_rule(problem, found):
    X, y, group, weights, grown = problem
    assume(len(set(y)) > 1 and len(set(group[y == "a"])) > 1 and len(set(group[y != "a"])) > 1)
    rules = ar.Rules(found, SCHEMA)
    tree = ar.TreeClassifier(rules=rules, **grown)
    fitted = _fit(tree, X, y, sensitive_features=group, sample_weight=weights)
    if fitted is None:
        return
    assert not len(_broken(fitted, rules))
    assert not _broken_as_defined(fitted, found)
    assert not breaks_a_rule(fitted.tree_, found, _domain())
    assert fitted.rule_effect_.unsafe_leaves == ()
    if rules.rules:
        assert ar.verify(fitted, rules).status == "holds"
    shares = fitted.predict_proba(DOMAIN)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    report = fitted.parity_report_
    if len(report):
        sums = report.groupby(["grouping", "condition", "group_high", "group_low"])
        assert sums["contribution"].sum().max() == pytest.approx(fitted.rule_effect_.gap, abs=1e-9)


@settings(max_examples=25)
@given(problems(), statements())
def test_z3_and_the_definition_agree_on_trees_that_know_no_rules(problem, found):
    X, y, _, weights, grown = problem
    assume(len(set(y)) > 1)
    kinds = {key: grown[key] for key in ("split", "max_depth", "min_samples_leaf")}
    tree = ar.TreeClassifier(**kinds).fit(X, y, sample_weight=weights)
    broken = bool(_broken_as_defined(tree, found))
    assert breaks_a_rule(tree.tree_, found, _domain()) >= broken
    domain = {name: (values, name != "flag") for name, values in VALUES.items()}
    assert breaks_a_rule(tree.tree_, found, domain) == broken


@settings(max_examples=25)
@given(problems(), statements())
def test_sharing_guards_and_ranking_by_rules_never_make_a_tree_larger(problem, found):
    X, y, _, weights, grown = problem
    assume(len(set(y)) > 1 and "a" in y)  # the favourable label
    rules = ar.Rules(found, SCHEMA)
    options = {**grown, "parity": None}
    trees = [
        _fit(
            ar.TreeClassifier(rules=rules, **{**options, "method": method}),
            X,
            y,
            sample_weight=weights,
        )
        for method in ("post-facto", "integrated")
    ]
    if trees[0] is None:
        return
    one, other = (tree.rule_effect_ for tree in trees)
    assert other.n_nodes <= one.n_nodes
    assert other.errors_grown <= one.errors_grown * (1 + 1e-8)


PAPER = """
feature stalk-color-below-ring: {g, ...}
cap-shape = b and gill-color = r => p
stalk-color-above-ring = b and stalk-color-below-ring = g => p
"""


@pytest.mark.parametrize("method", ["integrated", "post-facto"])
@pytest.mark.parametrize("split", ["threshold", "multiway"])
@pytest.mark.parametrize(
    ("table", "rules", "options"),
    [
        ("mushroom", PAPER, {}),
        ("mushroom", PAPER, {"min_impurity_decrease": 0.2}),
        ("mushroom", PAPER, {"ccp_alpha": 0.05}),
        ("mushroom", "cap-shape = b and gill-color = g => p", {"contradictions": "keep"}),
        ("nursery", "health = not_recom => not_recom", {}),
        ("nursery", "health = not_recom => not very_recom", {"max_depth": 1}),
    ],
)
def test_the_papers_rules_are_obeyed_where_its_method_breaks_them(
    shared_data, table, rules, options, split, method
):
    frame = pd.read_csv(shared_data / f"{table}.csv.gz", dtype=str, keep_default_na=False)
    X, y = frame.drop(columns="class"), frame["class"]
    tree = ar.TreeClassifier(
        split=split, criterion="entropy", rules=rules, method=method, **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        tree.fit(X, y)
    assert ar.verify(tree, ar.Rules.parse(rules)).status == "holds"
    bound = bound_to_model(ar.Rules.parse(rules), tree.tree_.features, tree.tree_.classes)
    assert not unsafe_leaves(tree.tree_, bound)


def _unfair():
    """Rules that decide for one group and against the other, through a stand-in for it."""
    X = pd.DataFrame({"club": ["a"] * 50 + ["b"] * 50, "score": np.tile(np.arange(50.0), 2)})
    group = np.where(X["club"] == "a", "f", "m")
    return X, (X["score"] > 25).astype(int), group


def test_rules_win_over_a_budget_that_they_make_impossible_and_say_so():
    X, y, group = _unfair()
    rules = "club = a => 1\nclub = b => 0"
    tree = ar.TreeClassifier(rules=rules, parity=ar.GapBudget(0.05), contradictions="keep")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tree.fit(X, y, sensitive_features=group)
    assert any("do not go together" in str(warning.message) for warning in told)
    effect = tree.rule_effect_
    assert (effect.gap, effect.least_gap) == (1.0, 1.0)
    assert effect.gap_from_rules == effect.gap - effect.gap_grown >= 0.95
    assert tree.parity_report_["contribution"].sum() == pytest.approx(1.0)


def test_leaves_that_rules_leave_a_choice_make_up_for_those_they_decide():
    X, y, group = _unfair()
    rules = "club = a and score > 40 => 0"
    tree = ar.TreeClassifier(
        rules=rules, parity=ar.GapBudget(0.05), contradictions="keep", max_depth=3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        tree.fit(X, y, sensitive_features=group)
    effect = tree.rule_effect_
    assert effect.least_gap is None or effect.least_gap > 0.05
    assert (effect.gap <= 0.05) == (effect.least_gap is None)
    assert ar.verify(tree, ar.Rules.parse(rules)).status == "holds"


def test_rows_outside_the_domain_are_refused():
    X = pd.DataFrame({"age": [10.0, 17, 18, 40], "job": list("aabb")})
    tree = ar.TreeClassifier(rules="age < 18 => n").fit(X, ["n", "n", "y", "y"])
    with pytest.raises(ar.InputError, match=r"'age' is \(missing\) at row 1"):
        tree.predict(pd.DataFrame({"age": [20.0, None], "job": ["a", "b"]}))
    assert tree.predict(pd.DataFrame({"age": [20.0], "job": ["new"]})).tolist() == ["y"]


@pytest.mark.parametrize("contradictions", ["keep", "relabel", "drop"])
def test_rows_that_contradict_a_rule_are_listed_and_treated_as_asked(contradictions):
    X, y = pd.DataFrame({"age": [10, 17, 18, 40]}), ["n", "y", "y", "y"]
    rules = "age < 18 => n"
    with pytest.raises(ar.RuleError, match="row 1"):
        ar.TreeClassifier(rules=rules).fit(X, y)
    tree = ar.TreeClassifier(rules=rules, contradictions=contradictions)
    with pytest.warns(ar.ArbitreeWarning, match="1 row of 4"):
        tree.fit(X, y)
    assert tree.rule_effect_.contradicting.tolist() == [1]
    assert tree.tree_.n[0] == (3 if contradictions == "drop" else 4)
    assert tree.predict(X).tolist() == ["n", "n", "y", "y"]


def test_levels_that_only_rules_name_have_codes_of_their_own():
    X = pd.DataFrame({"odor": ["a", "b", "a", "b"]})
    rules = "feature odor: {musty, ...}\nodor = musty => p"
    tree = ar.TreeClassifier(rules=rules).fit(X, ["p", "e", "p", "e"])
    assert tree.predict(pd.DataFrame({"odor": ["musty", "b"]})).tolist() == ["p", "e"]


def test_what_a_tree_cannot_tell_apart_is_refused():
    X = pd.DataFrame({"odor": ["a", "b", None, "b"]})
    rules = "missing(odor) => p\nnot missing(odor) and odor not in {a, b} => e"
    with pytest.raises(ar.RuleError, match="treats the two alike"):
        ar.TreeClassifier(rules=rules).fit(X, ["p", "e", "p", "e"])


def test_a_class_that_no_row_has_cannot_be_demanded():
    X = pd.DataFrame({"age": [10, 40]})
    with pytest.raises(ar.ContradictionError, match="leave no class"):
        ar.TreeClassifier(rules="classes: {n, y, z}\nage < 1 => z").fit(X, ["n", "y"])


def test_every_budget_of_a_path_obeys_the_rules():
    X, y, group = _unfair()
    rules = "club = a and score > 40 => 0"
    template = ar.TreeClassifier(
        rules=rules, parity=ar.GapBudget(0.1), contradictions="keep", max_depth=2
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        trees = fit_path(template, [0.05, 0.2], X, y, sensitive_features=group)
    for tree in trees:
        assert ar.verify(tree, ar.Rules.parse(rules)).status == "holds"
