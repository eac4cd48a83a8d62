"""Models against rules: every verdict is that of listing all rows there are."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree.rules.bind import bind
from arbitree.rules.bind_to_model import bound_to_reading, forest_of
from arbitree.rules.forest_verdicts import forest_verdict
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.reading import read_model
from arbitree.rules.settle import rows_under_rules
from arbitree.rules.sklearn_trees import (
    float32_below,
    leaves_of_sklearn_tree,
    numeric_features,
    places_of,
)
from arbitree.table.frames import columns
from tests.tree.frames import sample

MODELS = {
    "tree": lambda: DecisionTreeClassifier(max_depth=4, random_state=0),
    "forest": lambda: RandomForestClassifier(7, max_depth=4, random_state=0),
    "extra": lambda: ExtraTreesClassifier(5, max_depth=3, random_state=0),
    "boosting": lambda: GradientBoostingClassifier(n_estimators=6, random_state=0),
}


def _numbers(seed):
    """A table of small whole numbers, with missing values if the seed is odd, and labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (50, 3)).astype(float)
    if seed % 2:
        X[rng.random(X.shape) < 0.1] = np.nan
    return pd.DataFrame(X, columns=list("abc")), rng.integers(0, 2 + seed % 3 // 2, 50)


def _random_rules(seed, classes):
    rng = np.random.default_rng(seed)
    limits = rng.integers(0, 5, 3)
    atoms = [f"a < {limits[0]}", f"b >= {limits[1]}", f"c = {limits[2]}", "not missing(a)"]
    lines = [" and ".join(rng.choice(atoms, 2, replace=False)) + f" => not {rng.choice(classes)}"]
    return ar.Rules.parse("\n".join([*lines, *(["a > 1 => b > 1"] if seed % 4 == 0 else [])]))


def _every_row(X, cuts=()):
    """A row for every combination of numbers that small limits and thresholds tell apart."""
    values = []
    for place, name in enumerate(X):
        numbers = np.unique(np.concatenate([np.arange(-1, 6, 0.5), *cuts[place : place + 1]]))
        values.append(np.append(numbers, np.nan) if X[name].isna().any() else numbers)
    return pd.DataFrame(list(product(*values)), columns=list(X))


def _cuts(model):
    """What a model compares each of three columns with."""
    found = [[], [], []]
    for one in np.ravel(getattr(model, "estimators_", [model])):
        for feature, cut in zip(one.tree_.feature, one.tree_.threshold):
            if feature >= 0 and np.isfinite(cut):
                found[feature].append(float32_below(np.array([cut]))[0])
    return [np.array(of, float) for of in found]


def _is_violated(model, rules, X):
    rows = _every_row(X, _cuts(model))
    bound = rules.bind(X, classes=model.classes_.tolist())
    codes = bound.space.encode(columns(rows, what="X", default_name="x"))
    places = np.searchsorted(model.classes_, model.predict(rows))
    found = rows_under_rules(bound, codes, places)
    return bool((found.contradicting & ~found.refuted).any())


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(12))
def test_a_verdict_is_that_of_every_row(name, seed):
    X, y = _numbers(seed)
    X = X.fillna(2.0) if name == "boosting" else X  # which takes no missing values
    model = MODELS[name]().fit(X, y)
    rules = _random_rules(seed, model.classes_.tolist())
    found = ar.verify(model, rules, domain=X)
    assert found.status == ("violated" if _is_violated(model, rules, X) else "holds")
    _check_counterexample(found, model, rules, X)


def _no_rows(*_):
    return np.empty((0, 3), int)


@pytest.mark.parametrize("seed", range(12))
def test_branch_and_bound_alone_comes_to_the_same_verdicts(seed, monkeypatch):
    monkeypatch.setattr("arbitree.rules.forest_verdicts.rows_against", _no_rows)
    X, y = _numbers(seed)
    model = MODELS["forest"]().fit(X, y)
    rules = _random_rules(seed + 100, model.classes_.tolist())
    found = ar.verify(model, rules, domain=X)
    assert found.status == ("violated" if _is_violated(model, rules, X) else "holds")
    _check_counterexample(found, model, rules, X)


def _check_counterexample(found, model, rules, X):
    """The row is decided as it says, by the model itself, and against the rule."""
    for verdict in found.verdicts:
        assert (verdict.counterexample is not None) == (verdict.status == "violated")
        if verdict.counterexample is None:
            continue
        row = verdict.counterexample[list(X)]
        assert model.predict(row)[0] == verdict.decision
        coverage = ar.Rules(rules.rules).coverage
        again = coverage(pd.concat([row, X]), [verdict.decision, *model.predict(X)])
        assert 0 in again.contradicting["row"].tolist()


@pytest.mark.parametrize("split", ["threshold", "multiway"])
@pytest.mark.parametrize("seed", range(8))
def test_our_trees_obey_a_rule_iff_every_row_does(seed, split):
    data = sample(seed, n_rows=60)
    tree = ar.TreeClassifier(split=split, max_depth=3).fit(data.X, data.y)
    text = "number < 1 and level in {a, b} => not 1 [missing: certain]"
    text += "\nnumber >= 1 and count >= 2 => not 0"
    rules = ar.Rules.parse("feature level: {a, b, c, d, e, ...}\n" + text)
    labels = set(data.y.tolist())
    if labels != {0, 1}:
        return
    numbers = [*np.arange(-4, 5, 0.125), *([np.nan] if data.X["number"].isna().any() else [])]
    counts = [*np.arange(-1, 5, 0.25), *([np.nan] if data.X["count"].isna().any() else [])]
    levels = [*"abcde", "never seen", *([None] if data.X["level"].isna().any() else [])]
    rows = pd.DataFrame(product(numbers, counts, levels), columns=["number", "count", "level"])
    found = ar.verify(tree, rules)
    bound = rules.bind(data.X, classes=[0, 1])
    codes = bound.space.encode(columns(rows, what="X", default_name="x"))
    wrong = rows_under_rules(bound, codes, tree.predict(rows).astype(int)).overruled.any(axis=1)
    assert [v.status for v in found.verdicts] == ["violated" if one else "holds" for one in wrong]
    assert [v.status for v in ar.verify(tree.tree_, rules).verdicts] == [
        v.status for v in found.verdicts
    ]
    _check_counterexample_of_tree(found, tree)


def _check_counterexample_of_tree(found, tree):
    for verdict in found.verdicts:
        if verdict.status == "violated":
            assert tree.predict(verdict.counterexample)[0] == verdict.decision


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_in_the_box_of_the_leaf_that_they_reach(seed):
    X, y = _numbers(seed)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    bound = bind(
        (),
        schema=ar.Schema(),
        missing="possible",
        features=numeric_features(model, missing=True),
        classes=(0, 1),
    )
    places = places_of(model, bound.space)
    leaves = {leaf.node: leaf for leaf in leaves_of_sklearn_tree(model.tree_, places, bound.space)}
    rows = _every_row(X)
    for row, node in zip(rows.to_numpy().tolist(), model.apply(rows).tolist()):
        for place, value in enumerate(row):
            low, high = leaves[node].limits.get(place, (-np.inf, np.inf))
            missing = leaves[node].masks[place] >> bound.space.axes[place].missing_cell
            assert missing if np.isnan(value) else low < value <= high


def test_the_leaf_of_each_level_of_our_tree_holds_it():
    X = {"x": ["a", "b", "c", None, "a"], "n": [1.0, 2, 3, 4, 5]}
    tree = ar.TreeClassifier(split="multiway").fit(X, ["p", "q", "p", "q", "p"])
    text = "feature x: {a, b, c, new, ...}\nx = new => q"
    bound = ar.Rules.parse(text).bind(tree.tree_.features, classes=tree.classes_)
    leaves = list(leaves_of_tree(tree.tree_, bound.space))
    for cell, level in enumerate(["a", "b", "c", "new", "another", None]):
        row = pd.DataFrame({"x": pd.Series([level], dtype=object), "n": [1.0]})
        here = [leaf for leaf in leaves if leaf.masks[0] >> cell & 1 and leaf.masks[1] & 1]
        label = tree.classes_.tolist().index(tree.predict(row)[0])
        assert label in {leaf.label for leaf in here}
        assert int(tree.apply(row)[0]) in {leaf.node for leaf in here}


MINORS = ar.Rules.parse("age <= 17 => deny")


def _minors_tree(model):
    X = pd.DataFrame({"age": [10.0, 17, 18, 30, 40, 50]})
    return model.fit(X, ["deny", "deny", "approve", "approve", "approve", "approve"]), X


def test_a_missing_age_that_is_approved_violates_a_rule_on_minors():
    model, X = _minors_tree(DecisionTreeClassifier(random_state=0))
    assert model.predict(pd.DataFrame({"age": [np.nan]})) == ["approve"]
    found = ar.verify(model, MINORS)  # the model decides rows without an age
    assert found.status == "violated"
    assert found.counterexample["age"].isna().all()
    inside = ar.verify(model, MINORS, domain=X)  # the data has none
    assert inside.status == "holds"
    assert "'age' is never missing: nothing is said" in inside.notices[0]


@pytest.mark.parametrize("name", MODELS)
def test_limits_are_exact_to_the_last_float32(name):
    X = pd.DataFrame({"x": np.float32([0.1, 0.1]) + np.float32([0, 1e-7])}).astype(float)
    model = MODELS[name]().fit(pd.concat([X] * 20), [0, 1] * 20)
    first = np.ravel(getattr(model, "estimators_", [model]))[0]
    cut = float(np.float32(first.tree_.threshold[0]))
    just_above = float(np.nextafter(np.float32(cut), np.float32(1)))
    domain = pd.DataFrame({"x": [0.0]})
    for limit in (cut, just_above, 0.1, 0.3):
        for sign in ("<", "<="):
            rules = ar.Rules.parse(f"x {sign} {limit!r} => 0")
            found = ar.verify(model, rules, domain=domain)
            values = np.float32(limit) + np.arange(-3, 4, dtype=np.float32) * np.float32(7.5e-9)
            rows = pd.DataFrame({"x": np.unique(values).astype(float)})
            below = rows["x"] < np.float32(limit) if sign == "<" else rows["x"] <= np.float32(limit)
            wrong = (model.predict(rows) == 1) & below.to_numpy()
            assert found.status == "violated" or not wrong.any()


def test_whole_numbers_are_not_violated_between_them():
    X = pd.DataFrame({"n": [1.0, 2, 2.4, 2.6, 3, 4]})
    model = DecisionTreeClassifier(random_state=0).fit(X, [0, 0, 1, 1, 0, 0])
    rule = "2 <= n <= 3 => 0"
    assert ar.verify(model, ar.Rules.parse(rule)).status == "violated"
    whole = ar.Rules.parse(f"feature n: integer, from 0 to 9, never missing\n{rule}")
    assert ar.verify(model, whole).status == "holds"


def test_a_row_between_whole_numbers_says_how_to_exclude_it():
    X = pd.DataFrame({"age at entry": [10, 17, 18, 40], "odd": [1, 2, 1, 2]})
    tree = ar.TreeClassifier().fit(X, ["deny", "deny", "approve", "approve"])
    rule = '"age at entry" < 18 => deny'
    found = ar.verify(tree, rule)
    assert found.status == "violated"
    assert 17 < found.counterexample["age at entry"].item() < 18
    notice = found.notices[-1]
    assert notice.startswith("'age at entry' was whole in every row")
    declared = notice[notice.index("`") + 1 : notice.rindex("`")]
    assert ar.verify(tree, f"{declared}\n{rule}").status == "holds"
    assert ar.verify(tree, '"age at entry" < 20 => deny').counterexample.notna().all(axis=None)


def test_a_row_of_whole_numbers_needs_no_such_notice():
    y = ["deny", "deny", "approve", "approve"]
    tree = ar.TreeClassifier().fit({"age": [10, 17, 18, 40]}, y)
    assert not any("whole" in notice for notice in ar.verify(tree, "age < 65 => deny").notices)


def test_facts_exclude_rows_that_would_violate():
    X = pd.DataFrame({"a": [0.0, 1, 0, 1], "b": [0.0, 0, 1, 1]})
    model = DecisionTreeClassifier(random_state=0).fit(X, [0, 0, 0, 1])
    rule = "b > 0.5 => 0"
    assert ar.verify(model, ar.Rules.parse(rule), domain=X).status == "violated"
    assert (
        ar.verify(model, ar.Rules.parse(f"{rule}\nb > 0.5 => a < 0.25"), domain=X).status == "holds"
    )


def test_without_time_the_answer_is_undecided_with_a_margin():
    X, y = _numbers(2)
    model = RandomForestClassifier(30, random_state=0).fit(X, y)
    rules = ar.Rules.parse("a > 100 => not 5\nclasses: {0, 1, 5}\na < -1 and b < -1 => {0, 5}")
    reading = read_model(model)
    bound, trees = bound_to_reading(reading, rules, X)
    forest = forest_of(reading, trees, 0)
    found = forest_verdict(bound, bound.rules[1], forest, timeout=0, random_state=0)
    assert found.status in ("undecided", "violated")
    if found.status == "undecided":
        assert found.margin is not None


def test_a_class_that_the_model_does_not_have_is_never_decided():
    X, y = _numbers(0)
    model = MODELS["forest"]().fit(X, y)
    text = "classes: {0, 1, review}\na < 3 => not review"
    assert ar.verify(model, ar.Rules.parse(text)).status == "holds"
    demanded = "classes: {0, 1, review}\na < 3 => review"
    assert ar.verify(model, ar.Rules.parse(demanded)).status == "violated"


def test_arrays_without_names_are_verified_by_position():
    X, y = _numbers(0)
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X.to_numpy(), y)
    found = ar.verify(model, ar.Rules.parse("x_0 < 100 => 0"))
    assert found.status == "violated"
    assert list(found.counterexample) == ["x_0", "x_1", "x_2"]
    turned = {"x_2": X["c"], "x_1": X["b"], "x_0": X["a"]}
    again = ar.verify(model, ar.Rules.parse("x_0 < 100 => 0"), domain=turned)
    row = again.counterexample[["x_0", "x_1", "x_2"]].to_numpy()
    assert again.status == "violated"
    assert model.predict(row)[0] == again.verdicts[0].decision


def test_a_verification_reads_the_same_in_every_format():
    model, _ = _minors_tree(DecisionTreeClassifier(random_state=0))
    text = "age <= 17 => deny [id: minors, reason: law]\nage > 60 and not missing(age) => approve"
    rules = ar.Rules.parse(text)
    found = ar.verify(model, rules)
    data = json.loads(found.to_json())
    assert [entry["status"] for entry in data["by_rule"]] == ["violated", "holds"]
    assert data["by_rule"][0]["counterexample"] == {"age": None}
    for text in (found.to_markdown(), found.to_html(), repr(found)):
        assert "minors" in text


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LogisticRegression(), "LogisticRegression cannot be verified"),
        (object(), "object cannot be verified"),
    ],
)
def test_what_cannot_be_verified_says_so(model, message):
    with pytest.raises(ar.InputError, match=message):
        ar.verify(model, MINORS)


def test_a_boosting_that_starts_from_another_model_says_so():
    X, y = _numbers(0)
    model = GradientBoostingClassifier(n_estimators=2, init=MODELS["tree"]()).fit(X, y)
    with pytest.raises(ar.InputError, match="starts from DecisionTreeClassifier"):
        ar.verify(model, ar.Rules.parse("a < 1 => 0"))


def test_rules_that_contradict_are_refused():
    model, _ = _minors_tree(DecisionTreeClassifier(random_state=0))
    with pytest.raises(ar.ContradictionError):
        ar.verify(model, ar.Rules.parse("age < 18 => deny\nage < 10 => approve"))


def test_a_domain_with_levels_is_refused_by_a_model_of_numbers():
    model, _ = _minors_tree(DecisionTreeClassifier(random_state=0))
    with pytest.raises(ar.InputError, match="reads numbers, and feature 'age' has levels"):
        ar.verify(model, ar.Rules.parse("age = old => deny"), domain={"age": ["old", "young"]})


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan")])
def test_a_time_that_is_none_is_refused(timeout):
    tree = ar.TreeClassifier().fit({"age": [10, 40]}, ["deny", "approve"])
    with pytest.raises(ar.InputError, match="is no time"):
        ar.verify(tree, ar.Rules.parse("age < 18 => deny"), timeout=timeout)


@pytest.mark.parametrize("text", ["", "age < 18 => age < 20"])
def test_without_a_rule_nothing_holds(text):
    tree = ar.TreeClassifier().fit({"age": [10, 40]}, ["deny", "approve"])
    with pytest.raises(ar.InputError, match="There are no rules"):
        ar.verify(tree, ar.Rules.parse(text))


def test_whole_numbers_between_two_that_follow_are_no_domain_of_which_all_holds():
    tree = ar.TreeClassifier().fit({"age": [4, 5, 6, 7]}, ["deny", "deny", "approve", "approve"])
    empty = ar.Rules.parse("feature age: integer, from 5.2 to 5.8\nage < 18 => deny")
    with pytest.raises(ar.RuleError, match=r"no value from 5\.2 to 5\.8"):
        ar.verify(tree, empty)
    one = ar.Rules.parse("feature age: integer, from 5.2 to 6\nage < 18 => deny")
    assert ar.verify(tree, one).counterexample["age"].tolist() == [6]
