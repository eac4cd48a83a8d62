"""No row of a domain is decided against a rule, whatever the data and however the tree grew."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import arbitree as ar
from arbitree.rules.settle import rows_under_rules
from arbitree.rules.verify import bound_to_model
from tests.rules.domains import COLUMNS, ROWS, SCHEMA, statements

DOMAIN = pd.DataFrame(ROWS).astype({"x": float, "level": object, "flag": bool})
SEEN = DOMAIN[DOMAIN["level"] != "(other)"].reset_index(drop=True)
PARITIES = [
    None,
    ar.Covariance(0.05),
    ar.SplitGap(0.2),
    ar.GapBudget(0.1),
    ar.GapBudget(0.0, metric="equalized_odds"),
]


def _fit(tree, X, y, **given):
    """Fitted, or None where the rules leave some row none of the classes in y."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        try:
            return tree.fit(X, y, **given)
        except ar.RuleError as error:
            known = ("leave no class", "No row can obey", "treats the two alike")
            assert any(words in str(error) for words in known), error
            return None


def _broken(tree, rules, X=DOMAIN, columns=COLUMNS):
    """Rows that can exist and are decided against a rule."""
    bound = bound_to_model(rules, tree.tree_.features, tree.tree_.classes)
    decided = np.searchsorted(tree.classes_, tree.predict(X))
    found = rows_under_rules(bound, bound.space.encode(columns), decided)
    return np.flatnonzero(found.contradicting & ~found.refuted)


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
        "simplify": draw(st.booleans()),
        "favorable_label": "a",
    }
    if not isinstance(parity, ar.GapBudget):
        grown["ccp_alpha"] = draw(st.sampled_from([0.0, 0.02]))
        grown["max_leaf_nodes"] = draw(st.sampled_from([None, 4]))
    return X, y, group, weights, grown


@settings(max_examples=60)
@given(problems(), statements())
def test_no_row_of_the_domain_is_decided_against_a_rule(problem, found):
    X, y, group, weights, grown = problem
    assume(len(set(y)) > 1 and len(set(group[y == "a"])) > 1 and len(set(group[y != "a"])) > 1)
    rules = ar.Rules(found, SCHEMA)
    tree = ar.TreeClassifier(rules=rules, **grown)
    try:
        fitted = _fit(tree, X, y, sensitive_features=group, sample_weight=weights)
    except ar.InputError as error:
        assert "Every row contradicts" in str(error), error
        return
    if fitted is None:
        return
    assert not len(_broken(fitted, rules))
    if rules.rules:
        assert ar.verify(fitted, rules).status == "holds"
    shares = fitted.predict_proba(DOMAIN)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    report = fitted.parity_report_
    for _, pair in report.groupby(["grouping", "condition", "group_high", "group_low"]):
        assert pair["contribution"].sum() <= fitted.rule_effect_.gap + 1e-9
    if len(report):
        sums = report.groupby(["grouping", "condition", "group_high", "group_low"])
        assert sums["contribution"].sum().max() == pytest.approx(fitted.rule_effect_.gap, abs=1e-9)
