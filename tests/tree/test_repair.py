"""A repaired tree obeys every rule on every row, and changes no decision that is allowed."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import arbitree as ar
from arbitree.model.route import leaves
from arbitree.rules.settle import rows_under_rules
from arbitree.rules.sklearn_trees import float32_below
from arbitree.rules.verify import bound_to_model
from arbitree.table.frames import columns
from tests.rules.domains import COLUMNS, ROWS, SCHEMA, statements

pytestmark = pytest.mark.filterwarnings("ignore:.* contradicts? a:arbitree.ArbitreeWarning")
DOMAIN = pd.DataFrame(ROWS).astype({"x": float, "level": object, "flag": bool})
SEEN = DOMAIN[DOMAIN["level"] != "(other)"].reset_index(drop=True)  # its first row has a level
_REFUSED = ("leave no class", "No row can obey", "treats the two alike", "Every row contradicts")


def _repaired(model, rules, X, y, **given):
    """Repaired, or None where no tree could obey the rules."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        try:
            return ar.repair(model, rules, X, y, **given)
        except ar.InputError as error:
            if not any(words in str(error) for words in _REFUSED):
                raise
            return None


def _under_rules(bound, model, rows, named):
    """What rules say of a model's decisions: rows that can exist, against a rule, under a rule."""
    places = {label: place for place, label in enumerate(bound.classes)}
    decided = np.array([places[label] for label in model.predict(rows).tolist()])
    found = rows_under_rules(bound, bound.space.encode(named), decided)
    return ~found.refuted, found.contradicting, found.holds.any(axis=0)


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(1, 60))
    X = SEEN.iloc[np.append(0, rng.integers(0, len(SEEN), n_rows - 1))].reset_index(drop=True)
    y = rng.choice(list("abc")[: draw(st.integers(1, 3))], n_rows)
    weights = draw(st.sampled_from([None, rng.integers(1, 4, n_rows), rng.random(n_rows) + 0.1]))
    tree = ar.TreeClassifier(
        split=draw(st.sampled_from(["threshold", "multiway"])),
        max_depth=draw(st.sampled_from([None, 1, 3])),
        ccp_alpha=draw(st.sampled_from([0.0, 0.02])),
    )
    return X, y, weights, tree.fit(X, y, sample_weight=weights)


@settings(max_examples=60)
@given(problems(), statements(most_rules=3), st.sampled_from(["keep", "relabel", "drop"]))
def test_rules_are_obeyed_and_allowed_decisions_stay(problem, found, contradictions):
    X, y, weights, model = problem
    rules = ar.Rules(found, SCHEMA)
    safe = _repaired(model, rules, X, y, contradictions=contradictions, sample_weight=weights)
    if safe is None:
        return
    bound = bound_to_model(rules, safe.tree_.features, safe.tree_.classes)
    exists, before, touched = _under_rules(bound, model, DOMAIN, COLUMNS)
    _, after, _ = _under_rules(bound, safe, DOMAIN, COLUMNS)
    assert not (exists & after).any()
    if rules.rules:
        assert ar.verify(safe, rules).status == "holds"
    # A tree cannot tell a missing level from one that it does not know.
    told_apart = (DOMAIN["level"].notna() & (DOMAIN["level"] != "(other)")).to_numpy()
    silent = exists & ~before & told_apart
    assert_array_equal(safe.predict(DOMAIN)[silent], model.predict(DOMAIN)[silent])
    alone = exists & ~touched & told_apart
    assert_allclose(safe.predict_proba(DOMAIN)[alone], model.predict_proba(DOMAIN)[alone])
    assert_allclose(safe.predict_proba(DOMAIN).sum(axis=1), 1)
    again = _repaired(safe, rules, X, y, contradictions=contradictions, sample_weight=weights)
    assert again.tree_.n_nodes <= safe.tree_.n_nodes
    assert again.repair_.n_changed == 0
    assert_array_equal(again.predict(DOMAIN), safe.predict(DOMAIN))


def _numbers(seed):
    """Small whole numbers, some missing if the seed is odd, and labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (60, 3)).astype(float)
    if seed % 2:
        X[rng.random(X.shape) < 0.1] = np.nan
    return pd.DataFrame(X, columns=list("abc")), rng.integers(0, 2 + seed % 3 // 2, 60)


def _rules_on_numbers(seed, classes):
    rng = np.random.default_rng(seed)
    a, b, c = rng.integers(0, 5, 3)
    atoms = [f"a < {a}", f"{b} <= b < {b + 1.5}", f"c = {c}", "missing(a)", f"not (c >= {c})"]
    lines = []
    for _ in range(1 + seed % 3):
        joint = [" and ", " or "][int(rng.integers(2))]
        lines.append(joint.join(rng.choice(atoms, 2, replace=False)) + f" => {classes[seed % 2]}")
    fact = ["a > 1 and not missing(b) => b > 1"] if seed % 4 == 0 else []
    return ar.Rules.parse("\n".join([*lines, *fact]))


def _every_row(model):
    """A row for every combination of numbers that a tree and small limits tell apart."""
    inner = model.tree_.children_left >= 0
    values = []
    for place in range(3):
        cuts = model.tree_.threshold[inner & (model.tree_.feature == place)]
        cuts = float32_below(cuts[np.isfinite(cuts)]).astype(float)
        above = np.nextafter(np.float32(cuts), np.float32(np.inf)).astype(float)
        values.append([*np.unique([*np.arange(-1, 7, 0.5), *cuts, *above]), np.nan])
    return pd.DataFrame(list(product(*values)), columns=list("abc"))


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, ExtraTreeClassifier])
@pytest.mark.parametrize("seed", range(12))
def test_trees_of_scikit_learn_are_repaired_as_every_row_shows(seed, kind):
    X, y = _numbers(seed)
    model = kind(max_depth=[None, 3][seed % 2], random_state=seed).fit(X, y)
    rules = _rules_on_numbers(seed, model.classes_.tolist())
    safe = ar.repair(model, rules, X, y, contradictions="keep")
    rows = _every_row(model)
    bound = bound_to_model(rules, safe.tree_.features, safe.tree_.classes)
    named = columns(rows, what="X", default_name="x")
    exists, before, touched = _under_rules(bound, model, rows, named)
    _, after, _ = _under_rules(bound, safe, rows, named)
    assert before[exists].any()  # or there is nothing to repair
    assert not (exists & after).any()
    silent, alone = exists & ~before, exists & ~touched
    assert_array_equal(safe.predict(rows)[silent], model.predict(rows)[silent])
    assert_allclose(safe.predict_proba(rows)[alone], model.predict_proba(rows)[alone])
    assert ar.verify(safe, rules).status == "holds"
    assert_array_equal(safe.repair_.changed, np.flatnonzero(safe.predict(X) != model.predict(X)))


def test_the_report_counts_rows_nodes_and_errors():
    X, y = _numbers(4)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    safe = ar.repair(model, "a < 3 => 1", X, y, contradictions="keep")
    found = safe.repair_
    assert (found.n_nodes_before, found.n_nodes) == (model.tree_.node_count, safe.tree_.n_nodes)
    assert (found.accuracy_before, found.accuracy) == (model.score(X, y), safe.score(X, y))
    assert found.by_rule["n_matching"].tolist() == [(X["a"] < 3).sum()]
    assert found.by_rule["n_overruled"].tolist() == [found.n_changed]
    assert found.contradicting.tolist() == np.flatnonzero((X["a"] < 3) & (y != 1)).tolist()
    assert found.share_of_domain is None  # numbers cannot be counted
    assert found.to_dict()["n_changed"] == found.n_changed
    for text in (repr(found), found.to_markdown(), found.to_json()):
        assert "60" in text


def test_more_nodes_are_explained_by_the_leaves_that_could_break_a_rule():
    X, y = _numbers(4)
    rule = "a < 3 and b > 2 => 1 [id: low]\nc > 3 and b < 1 => 1"
    model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    safe = ar.repair(model, rule, X, y, contradictions="keep")
    found = safe.repair_
    assert found.by_rule["n_leaves"].max() <= found.n_unsafe <= found.by_rule["n_leaves"].sum()
    assert 1 <= found.n_unsafe <= found.n_leaves_before
    added = found.n_nodes - found.n_nodes_before
    assert added > 0
    assert found.growth.startswith(f"{added} nodes were added: {found.n_unsafe} of ")
    assert f"low: {found.by_rule['n_leaves'][0]}" in found.growth
    for text in (repr(found), found.to_markdown(), found.to_dict()["growth"]):
        assert found.growth in text


def test_a_tree_that_obeys_already_has_no_growth_to_explain():
    X, y = _numbers(4)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    safe = ar.repair(model, "a < 3 => 1", X, y, contradictions="keep")
    again = ar.repair(safe, "a < 3 => 1", X, y, contradictions="keep").repair_
    assert (again.n_nodes, again.n_unsafe, again.growth) == (again.n_nodes_before, 0, "")


def test_the_share_of_the_domain_is_that_of_all_combinations_of_levels():
    X = pd.DataFrame(list(product("abc", "uvw")), columns=["p", "q"])
    y = np.where(X["p"] == "a", "n", "y")
    model = ar.TreeClassifier().fit(X, y)
    schema = {
        "p": {"levels": list("abc"), "missing": False},
        "q": {"levels": list("uvw"), "missing": False},
    }
    rules = ar.Rules(ar.Rules.parse("q = u => n").statements, ar.Schema.of(schema, ("n", "y")))
    safe = ar.repair(model, rules, X, y, contradictions="keep")
    assert safe.repair_.share_of_domain == safe.repair_.n_changed / 9 == 2 / 9


def test_a_guard_of_one_condition_is_shared_by_all_leaves():
    rng = np.random.default_rng(0)
    X = rng.random((400, 3))
    X[:, 2] = 1.0  # so that no leaf asks for it
    y = rng.integers(0, 2, 400)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert model.tree_.node_count > 100
    safe = ar.repair(model, "x_2 < 0 => 1", X, y)
    assert safe.tree_.n_nodes == model.tree_.node_count + 2


def test_branches_that_decide_alike_share_a_guard():
    levels = [f"l{i}" for i in range(20)]
    X = pd.DataFrame({"p": levels * 2, "q": ["u"] * 20 + ["v"] * 20})
    y = np.where(X["p"] == "l0", "n", "y")
    model = ar.TreeClassifier(split="multiway").fit(X, y)
    safe = ar.repair(model, "q = u => n", X, y, contradictions="keep")
    assert model.tree_.n_nodes > 20
    assert safe.tree_.n_nodes < 10


def test_a_tree_that_obeys_is_left_alone():
    X, y = _numbers(2)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    safe = ar.repair(model, "a < -5 and a > 5 => 1", X, y)
    assert safe.tree_.n_nodes == model.tree_.node_count
    assert_array_equal(safe.tree_.n, model.tree_.n_node_samples)
    assert safe.repair_.n_changed == 0


def test_a_number_just_below_a_limit_is_compared_as_the_model_compares_it():
    X, y = [[17.0], [18.0], [19.0]], [0, 1, 1]
    model = DecisionTreeClassifier().fit(X, y)
    safe = ar.repair(model, "x_0 < 18 => 0", X, y)
    rounds_to_18 = 18 - 1e-9
    assert np.float32(rounds_to_18) == 18
    largest_below = float(np.nextafter(np.float32(18), np.float32(0)))
    rows = [[rounds_to_18], [largest_below], [18.0]]
    assert safe.predict(rows).tolist() == [1, 0, 1]


def test_levels_that_nobody_saw_and_missing_values_are_safe_too():
    X = pd.DataFrame({"odor": list("aabb"), "age": [1.0, 2, 3, 4]})
    model = ar.TreeClassifier().fit(X, ["e", "e", "p", "p"])
    asked = pd.DataFrame({"odor": ["new", None, "a", "b"], "age": [np.nan, 1.0, 1.0, 1.0]})
    rules = "odor not in {a, b} => p\nmissing(odor) => p"
    safe = ar.repair(model, rules, X, ["e", "e", "p", "p"])
    assert safe.predict(asked).tolist() == ["p", "p", "e", "p"]


def test_levels_that_only_rules_name_are_told_from_other_new_ones():
    X = pd.DataFrame({"odor": list("aaab")})
    model = ar.TreeClassifier().fit(X, ["e", "e", "e", "p"])
    text = "feature odor: {musty, ...}, never missing\nodor = musty => not "
    other = model.predict(pd.DataFrame({"odor": ["fishy"]}))[0]
    wrong = {"e": "p", "p": "e"}[other]
    safe = ar.repair(model, text + other, X, ["e", "e", "e", "p"])
    found = safe.predict(pd.DataFrame({"odor": ["musty", "fishy", "a", "b"]})).tolist()
    assert found == [wrong, other, "e", "p"]


def test_a_domain_without_missing_values_needs_no_guard_against_them():
    X, y = pd.DataFrame({"age": [10.0, 17, 18, 30]}), [0, 0, 1, 1]
    model = DecisionTreeClassifier().fit(X, y)
    assert model.predict(pd.DataFrame({"age": [np.nan]})).tolist() == [1]
    whole = ar.repair(model, "age < 18 => 0", X, y)
    assert whole.predict(pd.DataFrame({"age": [np.nan]})).tolist() == [0]
    narrow = ar.repair(model, "age < 18 => 0", X, y, domain=X)
    with pytest.raises(ar.InputError, match="missing"):
        narrow.predict(pd.DataFrame({"age": [np.nan]}))


def test_a_repaired_tree_is_an_estimator_like_any_other(tmp_path):
    X, y = _numbers(2)
    model = DecisionTreeClassifier(max_depth=4, criterion="entropy").fit(X, y)
    safe = ar.repair(model, "a < 3 => 1", X, y, contradictions="keep")
    assert safe.get_params()["max_depth"] == 4
    assert safe.get_params()["criterion"] == "entropy"
    safe.save(tmp_path / "tree.json")
    assert_array_equal(ar.read_tree(tmp_path / "tree.json").predict(X), safe.predict(X))
    assert_array_equal(safe.to_sklearn().predict(X), safe.predict(X))
    assert_array_equal(leaves(safe.tree_, columns(X, what="X", default_name="x")), safe.apply(X))
    with pytest.warns(ar.ArbitreeWarning, match="contradict"):
        grown = clone(safe).fit(X, y)
    assert ar.verify(grown, ar.Rules.parse("a < 3 => 1")).status == "holds"


@pytest.mark.parametrize("contradictions", ["keep", "relabel", "drop"])
def test_rows_that_contradict_are_treated_as_asked(contradictions):
    X, y = pd.DataFrame({"age": [10.0, 17, 18, 40]}), ["n", "y", "y", "y"]
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ar.RuleError, match="row 1"):
        ar.repair(model, "age < 18 => n", X, y)
    with pytest.warns(ar.ArbitreeWarning, match="1 row of 4"):
        safe = ar.repair(model, "age < 18 => n", X, y, contradictions=contradictions)
    assert safe.repair_.contradicting.tolist() == [1]
    assert safe.repair_.changed.tolist() == [1]
    assert safe.predict(X).tolist() == ["n", "n", "y", "y"]
    assert safe.predict_proba(X)[1].tolist() == [1, 0]  # never a share for what is forbidden


def test_a_bare_tree_is_repaired_too():
    X, y = _numbers(2)
    tree = ar.TreeClassifier(max_depth=3).fit(X, y)
    safe = ar.repair(tree.tree_, "a < 3 => 1", X, y, contradictions="keep")
    same = ar.repair(tree, "a < 3 => 1", X, y, contradictions="keep")
    assert_array_equal(safe.predict(X), same.predict(X))


def test_rules_of_before_that_are_broken_now_are_told():
    X, y = pd.DataFrame({"age": [10.0, 17, 18, 40]}), ["n", "n", "y", "y"]
    model = ar.TreeClassifier(rules="age < 18 => n").fit(X, y)
    with pytest.warns(ar.ArbitreeWarning, match="no longer obeys line 1"):
        ar.repair(model, "age < 12 => y", X, y, contradictions="keep")


def test_a_deep_tree_is_no_deep_recursion():
    X = np.arange(3000.0)[:, None]
    y = np.arange(3000) % 2
    model = DecisionTreeClassifier(random_state=0, splitter="random", max_features=1).fit(X, y)
    chain = ar.repair(model, "x_0 < 1000 => 1", X, y, contradictions="keep")
    assert chain.tree_.n_nodes < model.tree_.node_count
    assert chain.predict(X[:1000]).min() == 1


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (RandomForestClassifier(3), "Shield"),
        (DecisionTreeClassifier(), "at once"),
        ("tree", "Shield"),
    ],
)
def test_what_is_no_single_tree_is_refused(model, words):
    X, y = _numbers(2)
    if hasattr(model, "fit"):
        model.fit(X, np.column_stack([y, y]) if words == "at once" else y)
    with pytest.raises(ar.InputError, match=words):
        ar.repair(model, "a < 3 => 1", X, y)


def test_wrong_rows_and_labels_are_refused():
    X, y = _numbers(2)
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ar.LabelError, match="no class of the model"):
        ar.repair(model, "a < 3 => 1", X, np.full(60, 7))
    with pytest.raises(ar.InputError, match="2 columns"):
        ar.repair(model, "a < 3 => 1", X.to_numpy()[:, :2], y)
    with pytest.raises(ar.InputError, match=r"Rules\.parse"):
        ar.repair(model, None, X, y)


PAPER = """
feature stalk-color-below-ring: {g, ...}
cap-shape = b and gill-color = r => p
stalk-color-above-ring = b and stalk-color-below-ring = g => p
"""


def test_the_papers_tree_does_not_explode(shared_data):
    frame = pd.read_csv(shared_data / "mushroom.csv.gz", dtype=str, keep_default_na=False)
    X, y = frame.drop(columns="class"), frame["class"]
    model = ar.TreeClassifier(split="multiway", criterion="entropy").fit(X, y)
    safe = ar.repair(model, PAPER, X, y)
    assert safe.tree_.n_nodes < 806 / 5  # the paper's own form has 7,076; flipped leaves, 806
    assert safe.repair_.n_changed == 0
    assert_array_equal(safe.predict(X), model.predict(X))
    assert ar.verify(safe, ar.Rules.parse(PAPER)).status == "holds"
