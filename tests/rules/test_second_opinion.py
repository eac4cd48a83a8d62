"""z3 comes to the same verdicts on models of every kind, and is heard where it does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

import arbitree as ar
from arbitree.rules.second_opinion import compared
from tests.rules.test_verify_pipelines import pipeline, table

SMALL = {
    "tree": lambda: DecisionTreeClassifier(max_depth=5, random_state=0),
    "forest": lambda: RandomForestClassifier(4, max_depth=3, random_state=0),
    "boosting": lambda: GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0),
    "xgboost": lambda: XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1),
}


def _rules(seed):
    rng = np.random.default_rng(seed)
    limits = rng.integers(-2, 3, 3)
    lines = [
        "feature n: number, never missing",
        "feature code: number, never missing",
        f"n >= {limits[0]} and code < {limits[1] + 3} => not {rng.integers(2)}",
        f"text = {rng.choice(['a', 'b'])} and n <= {limits[2]} => not 2",
    ]
    return "\n".join([*lines, *(["n > 0 => code > 1"] if seed % 2 else [])])


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(4))
def test_z3_agrees_on_small_models_behind_an_encoder(name, seed):
    X, y = table(2 * seed)
    X["x"] = X["x"].fillna(0.0)
    model = pipeline("passthrough", OneHotEncoder(handle_unknown="ignore"), SMALL[name]())
    found = ar.verify(
        model.fit(X, y), ar.Rules.parse(_rules(seed)), domain=X, second_opinion="z3", timeout=30
    )
    assert all(verdict.method.endswith("z3 agrees") for verdict in found.verdicts)


@pytest.mark.parametrize("seed", range(4))
def test_z3_agrees_on_trees_of_ours(seed):
    X, y = table(2 * seed)
    tree = ar.TreeClassifier(max_depth=5).fit(X, y)
    found = ar.verify(tree, ar.Rules.parse(_rules(seed)), second_opinion="z3")
    assert all(verdict.method.endswith("z3 agrees") for verdict in found.verdicts)


def test_a_contrary_opinion_is_an_error():
    X = pd.DataFrame({"age": [10.0, 20.0]})
    model = DecisionTreeClassifier().fit(X, [0, 1])
    verdict = ar.verify(model, ar.Rules.parse("age < 5 => 0"), domain=X).verdicts[0]
    assert verdict.status == "holds"
    assert compared(verdict, "unknown").method == "every leaf; z3: unknown"
    with pytest.raises(ar.ArbitreeError, match=r"arbitree found 'holds'.*and z3 'violated'"):
        compared(verdict, "violated")
    undecided = replace(verdict, status="undecided")
    assert compared(undecided, "holds").status == "undecided"


def test_another_second_opinion_is_refused():
    X = pd.DataFrame({"age": [10.0, 20.0]})
    model = DecisionTreeClassifier().fit(X, [0, 1])
    with pytest.raises(ar.InputError, match="'veritas' is not known"):
        ar.verify(model, ar.Rules.parse("age < 5 => 0"), second_opinion="veritas")


@pytest.mark.parametrize("timeout", [1e9, float("inf")])
def test_z3_is_asked_with_any_time_that_verify_takes(timeout):
    tree = ar.TreeClassifier().fit({"age": [10, 40]}, ["deny", "approve"])
    rules = ar.Rules.parse("age < 18 => deny")
    found = ar.verify(tree, rules, timeout=timeout, second_opinion="z3")
    assert found.status == "holds"
    assert "z3" in found.verdicts[0].method
