"""Hold rules against a fitted model, over all rows of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.model.tree import Feature, Tree
from arbitree.rules.bind import bind, features_of
from arbitree.rules.bound import BoundRules
from arbitree.rules.conditions import feature_text
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.forest_verdicts import Forest, forest_verdict
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.ruleset import Rules
from arbitree.rules.schema import Schema
from arbitree.rules.sklearn_trees import (
    leaves_of_sklearn_tree,
    numeric_features,
    places_of,
    takes_missing,
)
from arbitree.rules.sums_of_trees import sum_of_boosting, sum_of_forest
from arbitree.rules.tree_verdicts import tree_verdict
from arbitree.rules.verification import Verdict, Verification
from arbitree.rules.witness import Decide, decider, tree_decider


def verify(
    model: Any, rules: Rules, *, domain: Any = None, timeout: float = 60.0, random_state: int = 0
) -> Verification:
    """Whether a model obeys rules on every row of a domain.

    Parameters
    ----------
    model : TreeClassifier, Tree or fitted scikit-learn classifier
        A decision tree, or an ensemble of `RandomForestClassifier`, `ExtraTreesClassifier` or
        `GradientBoostingClassifier`.
    rules : Rules
    domain : frame, array, Schema or sequence of Feature, optional
        Which rows there are, beside what `rules` declare: see `Rules.bind`. By default what the
        model says of its columns; of a scikit-learn model they are numbers, and may be missing if
        the model decides such rows.
    timeout : float
        Seconds that an ensemble may take for each rule. A single tree is decided at once.
    random_state : int
        Seed of the search for a row that refutes.

    Returns
    -------
    Verification

    Raises
    ------
    RuleError
        If the rules do not fit the domain.
    ContradictionError
        If no model could obey the rules.
    InputError
        If the model is of a kind that cannot be verified.

    Examples
    --------
    >>> import arbitree as ar
    >>> X, y = {"age": [10, 17, 18, 40]}, ["deny", "deny", "deny", "approve"]
    >>> tree = ar.TreeClassifier().fit(X, y)
    >>> ar.verify(tree, ar.Rules.parse("age < 18 => deny")).status
    'holds'
    >>> found = ar.verify(tree, ar.Rules.parse("age < 65 => deny"))
    >>> found.status, found.counterexample["age"].tolist()
    ('violated', [64])
    """
    if not isinstance(rules, Rules):
        raise InputError(f"The rules are a {type(rules).__name__}. Pass Rules.parse(...).")
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        bound = bound_to_model(rules, tree.features, tree.classes, domain)
        leaves = list(leaves_of_tree(tree, bound.space))
        decide = tree_decider(model) if isinstance(model, Tree) else _of_tree(model, tree)
        verdicts = [tree_verdict(bound, rule, leaves, decide) for rule in bound.rules]
    else:
        bound, verdicts = _of_sklearn(model, rules, domain, timeout, random_state)
    return Verification(verdicts=tuple(verdicts), notices=never_missing(bound))


def _of_sklearn(
    model: Any, rules: Rules, domain: Any, timeout: float, random_state: int
) -> tuple[BoundRules, list[Verdict]]:
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        GradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.utils.validation import check_is_fitted

    forests = (RandomForestClassifier, ExtraTreesClassifier)
    if not isinstance(model, (DecisionTreeClassifier, GradientBoostingClassifier, *forests)):
        raise InputError(
            f"A {type(model).__name__} cannot be verified. Pass a TreeClassifier, or a decision "
            "tree, forest, extra-trees or gradient boosting classifier of scikit-learn."
        )
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise InputError(f"The model decides {model.n_outputs_} things at once. Pass one of them.")
    features = numeric_features(model, missing=takes_missing(model))
    bound = bound_to_model(rules, features, model.classes_.tolist(), domain)
    places = places_of(model, bound.space)
    decide = decider(model, [bound.space.axes[place].name for place in places])
    if isinstance(model, DecisionTreeClassifier):
        leaves = list(leaves_of_sklearn_tree(model.tree_, places, bound.space))
        return bound, [tree_verdict(bound, rule, leaves, decide) for rule in bound.rules]
    sums = sum_of_forest(model) if isinstance(model, forests) else sum_of_boosting(model)
    forest = Forest.of(sums, places, len(bound.space.axes), decide)
    return bound, [
        forest_verdict(bound, rule, forest, timeout=timeout, random_state=random_state)
        for rule in bound.rules
    ]


def _of_tree(model: Any, tree: Tree) -> Decide:
    return decider(model, [feature.name for feature in tree.features])


def bound_to_model(
    rules: Rules, features: Sequence[Feature], classes: Sequence[object], domain: Any = None
) -> BoundRules:
    """Rules over a domain, or over what the model says of its columns.

    Raises
    ------
    RuleError, ContradictionError
    """
    found, declared = features_of(domain)
    schema = Schema(
        features=rules.schema.features + declared.features,
        classes=rules.schema.classes or declared.classes,
    )
    bound = bind(
        rules.statements,
        schema=schema,
        missing=rules.missing,
        features=_as_declared(features, schema) if found is None else found,
        classes=tuple(classes),
    )
    for feature in features:
        bound.space.place(feature.name)
    refuse_contradiction(bound)
    return bound


def _as_declared(features: Sequence[Feature], schema: Schema) -> list[Feature]:
    """Features of a model, without missing values where the domain is declared to have none."""
    never = {domain.name for domain in schema.features if domain.missing is False}
    return [
        Feature(name=f.name, coding=replace(f.coding, admits_missing=False))
        if feature_text(f.name) in never
        else f
        for f in features
    ]


def never_missing(bound: BoundRules) -> tuple[str, ...]:
    """A sentence about the features of which nothing is said where a value is missing."""
    never = [axis.name for axis in bound.space.axes if not axis.whole >> axis.missing_cell]
    if not never:
        return ()
    are = "is" if len(never) == 1 else "are"
    return (
        f"In this domain {listed(never)} {are} never missing: nothing is said of rows where "
        "a value is.",
    )
