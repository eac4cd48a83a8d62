"""A shielded classifier never decides what a rule forbids, and changes nothing else."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import arbitree as ar
from tests.oracles.rules import allowed, can_exist
from tests.rules.domains import CLASSES, ROWS, SCHEMA, VALUES, statements

DOMAIN = pd.DataFrame(ROWS).astype({"x": float, "level": object, "flag": bool})
_REFUSED = ("leave no class", "No row can obey")


class Drawn:
    """Probabilities drawn at random, a column a class, and now and then all on one class."""

    def __init__(self, seed, classes=CLASSES):
        self.classes_ = np.array(classes)
        self.seed = seed

    def predict_proba(self, X):
        rng = np.random.default_rng(self.seed)
        shares = rng.random((len(X), len(self.classes_)))
        shares[rng.random(len(X)) < 0.3] = np.eye(len(self.classes_))[0]
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


CHECKED = [LogisticRegression(), DecisionTreeClassifier(random_state=0)]
# They pass frames whose columns are called 0 and 1, and arrays, whose columns are x_0 and x_1.
OTHER_NAMES = {"check_sample_weights_pandas_series", "check_classifier_data_not_an_array"}


@pytest.mark.parametrize("rules", [None, "x_0 > 1000 => x_0 > 0"], ids=["none", "a fact"])
@pytest.mark.parametrize("estimator", CHECKED, ids=str)
def test_every_check_of_the_scikit_learn_contract_passes(estimator, rules):
    found = check_estimator(ar.Shield(estimator, rules), on_fail=None, on_skip=None)
    failed = {check["check_name"] for check in found if check["status"] == "failed"}
    assert failed == (set() if rules is None else OTHER_NAMES)
    skipped = {check["check_name"] for check in found if check["status"] == "skipped"}
    inner = check_estimator(estimator, on_fail=None, on_skip=None)
    assert skipped <= {check["check_name"] for check in inner if check["status"] == "skipped"}


@settings(max_examples=80)
@given(st.integers(0, 99), statements(most_rules=3), st.booleans())
def test_decisions_are_allowed_and_only_forbidden_ones_change(seed, found, fitted):
    rules, model = ar.Rules(found, SCHEMA), Drawn(seed)
    shield = ar.Shield(model, rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        try:
            if fitted:
                shield.fit(DOMAIN, [*CLASSES, *["c"] * (len(DOMAIN) - 3)])
            decided, shares = shield.predict(DOMAIN), shield.predict_proba(DOMAIN)
        except ar.InputError as error:
            if not any(words in str(error) for words in _REFUSED):
                raise
            return
    before, chances = model.predict(DOMAIN), model.predict_proba(DOMAIN)
    assert_allclose(shares.sum(axis=1), 1)
    for place, row in enumerate(ROWS):
        if not can_exist(row, found, VALUES):
            continue
        may = allowed(row, found, VALUES, CLASSES, "possible")
        inside = np.isin(CLASSES, sorted(may))
        assert decided[place] in may
        assert shares[place][~inside].sum() == 0
        assert decided[place] == CLASSES[shares[place].argmax()]
        if before[place] in may:
            assert decided[place] == before[place]
        if inside.all():
            assert_array_equal(shares[place], chances[place])
        elif chances[place][inside].sum() > 0:
            assert_allclose(
                shares[place], np.where(inside, chances[place], 0) / chances[place][inside].sum()
            )
        elif fitted and "c" in may:
            assert decided[place] == "c"  # the most frequent one
        else:
            assert decided[place] == sorted(may)[0]


LOANS = pd.DataFrame({"age": [16.0, 17, 30, 52, 41, 23], "job": list("ababab")})
LABELS = np.array(["deny", "approve", "approve", "deny", "approve", "approve"])
LAW = "age < 18 => deny  [id: minors]"


def _pipeline():
    encoded = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["job"]))
    return make_pipeline(encoded, LogisticRegression())


def test_rules_are_on_the_columns_before_any_pipeline():
    shield = ar.Shield(_pipeline(), LAW).fit(LOANS, LABELS)
    assert shield.predict(LOANS)[:2].tolist() == ["deny", "deny"]
    assert_array_equal(shield.predict(LOANS)[2:], shield.estimator_.predict(LOANS)[2:])
    new = pd.DataFrame({"age": [12.0, 80.0], "job": ["never seen", "a"]})
    assert shield.predict(new)[0] == "deny"


def test_a_fitted_model_is_shielded_without_fitting_it_again():
    model = GaussianNB().fit(LOANS[["age"]], LABELS)
    shield = ar.Shield(model, LAW)
    assert shield.predict(LOANS[["age"]])[:2].tolist() == ["deny", "deny"]
    assert shield.classes_.tolist() == ["approve", "deny"]
    assert shield.feature_names_in_.tolist() == ["age"]
    frozen = ar.Shield(FrozenEstimator(model), LAW).fit(LOANS[["age"]], LABELS)
    assert_array_equal(frozen.predict(LOANS[["age"]]), shield.predict(LOANS[["age"]]))
    assert shield.predict(LOANS[["age"]].iloc[[0]]).tolist() == ["deny"]


def test_an_array_has_the_names_that_the_model_knows_or_numbered_ones():
    X = LOANS[["age"]].to_numpy()
    plain = ar.Shield(DecisionTreeClassifier(), "x_0 < 18 => deny").fit(X, LABELS)
    assert plain.predict(X)[:2].tolist() == ["deny", "deny"]
    named = ar.Shield(Drawn(0, ["approve", "deny"]), LAW)
    named.feature_names_in_ = np.array(["age"], object)
    assert named.predict(X)[:2].tolist() == ["deny", "deny"]


def test_polars_and_pandas_are_shielded_alike():
    model = DecisionTreeClassifier(random_state=0)
    shield = ar.Shield(model, LAW).fit(LOANS[["age"]], LABELS)
    frame = pl.DataFrame({"age": LOANS["age"].to_list()})
    other = ar.Shield(model, LAW).fit(frame, LABELS)
    assert_array_equal(shield.predict(LOANS[["age"]]), other.predict(frame))


def test_missing_values_and_new_levels_are_decided_as_rules_demand():
    rules = "age < 18 => deny\njob not in {a, b} => deny"
    model = Drawn(3, ["approve", "deny"])
    rows = pd.DataFrame({"age": [np.nan, 30, 30], "job": ["a", "zzz", None]})
    shield = ar.Shield(model, rules)
    assert shield.predict(rows).tolist() == ["deny"] * 3
    for at in range(3):  # also where a column of the rows is all missing
        assert shield.predict(rows.iloc[[at]]).tolist() == ["deny"]
    fitted = ar.Shield(model, rules).fit(LOANS, LABELS)
    with pytest.raises(ar.InputError, match=r"'age' is \(missing\) at row 0"):
        fitted.predict(rows)
    with pytest.raises(ar.InputError, match="missing"):
        ar.Shield(model, rules, domain=LOANS).predict(rows)


def test_a_level_by_its_text_whatever_its_type():
    model = Drawn(3, ["approve", "deny"])
    for values in ([1, 2, 3], ["1", "2", "3"], pd.Categorical([1, 2, 3])):
        rows = pd.DataFrame({"grade": values})
        assert ar.Shield(model, "grade = 1 => deny").predict(rows)[0] == "deny"
        assert ar.Shield(model, "grade = 1 => approve").predict(rows)[0] == "approve"


def test_a_model_without_probabilities_is_decided_by_its_scores():
    X = np.arange(30.0)[:, None]
    y = np.repeat(["a", "b", "c"], 10)
    shield = ar.Shield(LinearSVC(random_state=0), "x_0 >= 0 => not c").fit(X, y)
    scores = shield.estimator_.decision_function(X)
    assert "c" in shield.estimator_.predict(X)
    assert_array_equal(shield.predict(X), shield.classes_[scores[:, :2].argmax(axis=1)])
    assert not hasattr(shield, "predict_proba")
    two = ar.Shield(LinearSVC(random_state=0), "x_0 < 5 => c").fit(X[10:], y[10:])
    assert_array_equal(two.predict(X[10:]), two.estimator_.predict(X[10:]))


def test_functions_are_classifiers_too():
    labels = ar.Shield(lambda X: ["no"] * len(X), "age < 18 => yes", classes=["no", "yes"])
    assert labels.predict(LOANS).tolist() == ["yes", "yes", "no", "no", "no", "no"]
    chances = ar.Shield(
        lambda X: np.tile([0.5, 0.2, 0.3], (len(X), 1)), "age < 18 => not x", classes=list("xyz")
    )
    assert chances.predict(LOANS).tolist() == ["z", "z", "x", "x", "x", "x"]
    with pytest.raises(ar.InputError, match=r"Pass classes=\["):
        ar.Shield(lambda X: X).predict(LOANS)
    with pytest.raises(ar.InputError, match="'no', which is none"):
        ar.Shield(lambda X: ["no"] * len(X), "age < 18 => yes", classes=["yes", "x"]).predict(LOANS)


def test_a_shield_is_searched_and_cross_validated_like_any_estimator():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((120, 3)), columns=list("abc"))
    y = (X["a"] + rng.random(120) > 1).astype(int)
    shield = ar.Shield(RandomForestClassifier(5, random_state=0), "b < 0.2 => 0")
    found = GridSearchCV(shield, {"estimator__max_depth": [1, 3]}, cv=3, scoring="roc_auc").fit(
        X, y
    )
    assert not found.predict(X)[X["b"] < 0.2].any()
    assert cross_val_score(shield, X, y, cv=3).min() > 0.5
    again = clone(shield)
    assert again.rules == shield.rules
    assert not hasattr(again, "estimator_")


def test_a_fitted_shield_is_pickled_with_its_facts():
    rules = LAW + "\nage < 17 => job = a"
    shield = ar.Shield(_pipeline(), rules).fit(LOANS, LABELS)
    again = pickle.loads(pickle.dumps(shield))
    assert_array_equal(again.predict(LOANS), shield.predict(LOANS))


def test_what_was_overruled_is_counted_and_listed():
    shield = ar.Shield(Drawn(1, ["approve", "deny"]), LAW)
    found = shield.overruled(LOANS)
    before = Drawn(1, ["approve", "deny"]).predict(LOANS)
    wrong = np.flatnonzero((LOANS["age"] < 18) & (before != "deny"))
    assert found.contradicting["row"].tolist() == wrong.tolist()
    assert found.by_rule["n_overruled"].tolist() == [len(wrong)]
    with pytest.raises(ar.InputError, match="no rules"):
        ar.Shield(Drawn(1)).overruled(LOANS)


def test_rows_that_facts_exclude_keep_their_decision_where_no_class_is_left():
    rules = "age < 18 => deny\njob = b => approve\njob = b => age >= 18"
    model = Drawn(1, ["approve", "deny"])
    shield = ar.Shield(model, rules, domain=LOANS)
    with pytest.warns(ar.ArbitreeWarning, match="1 row, the first at row 1"):
        decided = shield.predict(LOANS)
    assert decided[1] == model.predict(LOANS)[1]
    assert decided[0] == "deny"


def test_unfitted_and_senseless_shields_are_refused():
    with pytest.raises(NotFittedError):
        ar.Shield(DecisionTreeClassifier(), LAW).predict(LOANS)
    with pytest.raises(ar.ContradictionError):
        ar.Shield(_pipeline(), LAW + "\nage < 10 => approve").fit(LOANS, LABELS)
    with pytest.raises(ar.RuleError, match="Did you mean 'age'"):
        ar.Shield(_pipeline(), "agee < 18 => deny").fit(LOANS, LABELS)
    with pytest.raises(ar.RuleError, match="no level 'zz'"):
        ar.Shield(_pipeline(), "job = zz => deny").fit(LOANS, LABELS)
    with pytest.raises(ar.InputError, match=r"Rules\.parse"):
        ar.Shield(_pipeline(), 3).fit(LOANS, LABELS)
    with pytest.raises(ar.ContradictionError):  # no model decides a class that it does not know
        ar.Shield(_pipeline(), "classes: {approve, deny, review}\nage < 9 => review").fit(
            LOANS, LABELS
        )
    nan = ar.Shield(lambda X: np.full((len(X), 2), np.nan), LAW, classes=["approve", "deny"])
    with pytest.raises(ar.InputError, match="NaN"):
        nan.predict(LOANS)


def test_weights_reach_the_estimator_and_the_prior():
    weight = np.array([1.0, 0, 0, 1, 0, 0])
    shield = ar.Shield(GaussianNB(), LAW).fit(LOANS[["age"]], LABELS, sample_weight=weight)
    assert shield.class_prior_.tolist() == [0.0, 1.0]
    inner = GaussianNB().fit(LOANS[["age"]], LABELS, sample_weight=weight)
    assert_array_equal(shield.estimator_.theta_, inner.theta_)


@pytest.mark.parametrize("n", [1, 3])
def test_an_estimator_must_decide_every_row(n):
    shield = ar.Shield(lambda X: ["b"] * n, "x < 1 => a", classes=["a", "b"])
    with pytest.raises(ar.InputError, match="and X has 2"):
        shield.predict({"x": [0.0, 0.5]})
