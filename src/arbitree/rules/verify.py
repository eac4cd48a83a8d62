"""Hold rules against a fitted model, over all rows of a domain."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, Literal

import pandas as pd

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.model.read import ReadModel
from arbitree.model.readers.native_names import native_under_names
from arbitree.model.tree import Feature, Tree
from arbitree.rules.bind import bind, features_of
from arbitree.rules.bind_to_model import bound_to_reading, forest_of, refused_levels
from arbitree.rules.bound import BoundRules
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.conditions import feature_text
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.forest_verdicts import forest_verdict
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.reading import read_model
from arbitree.rules.ruleset import Rules
from arbitree.rules.schema import Schema
from arbitree.rules.second_opinion import compared, opinion_on_leaves, opinion_on_trees
from arbitree.rules.text import name_text
from arbitree.rules.tree_verdicts import tree_verdict
from arbitree.rules.verification import Verdict, Verification
from arbitree.rules.witness import Decide, decider, tree_decider


def verify(
    model: Any,
    rules: Rules | str,
    *,
    domain: Any = None,
    timeout: float = 60.0,
    random_state: int = 0,
    second_opinion: Literal["z3"] | None = None,
) -> Verification:
    """Whether a model obeys rules on every row of a domain.

    Parameters
    ----------
    model : fitted classifier, ReadModel or Tree
        A `TreeClassifier`; what `read_model` read, but ONNX; of scikit-learn a decision tree,
        `RandomForestClassifier`, `ExtraTreesClassifier`, `GradientBoostingClassifier` or
        `HistGradientBoostingClassifier`; an `XGBClassifier`, `LGBMClassifier`, or a `Booster` of
        either library; or a `Pipeline` or a search such as `GridSearchCV` that ends in one of
        these. The steps before it may be encoders, imputers and scalers, in a `ColumnTransformer`
        or not: rules are over raw columns.
    rules : Rules or str
    domain : frame, array, Schema or sequence of Feature, optional
        Which rows there are, beside what `rules` declare: see `Rules.bind`. By default what the
        model says of its columns; of a scikit-learn model they are numbers, and may be missing if
        the model decides such rows.
    timeout : float
        Seconds that an ensemble may take for each rule. A single tree is decided at once.
    random_state : int
        Seed of the search for a row that refutes.
    second_opinion : {"z3"}, optional
        Ask z3 the same of each rule, for as long as `timeout`: for a tree, or an ensemble of a few
        small trees. `method` says whether it agrees.

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
        If the model is of a kind that cannot be verified, or there is no rule (facts are none).
    ArbitreeError
        If the second opinion is the contrary of the first.

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
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    if not isinstance(rules, Rules):
        raise InputError(f"The rules are a {type(rules).__name__}. Pass Rules.parse(...).")
    if not rules.rules:
        raise InputError("There are no rules, so that nothing can be said to hold. Give a rule.")
    if not timeout > 0:
        raise InputError(f"timeout={timeout!r} is no time. Give a number of seconds.")
    if second_opinion not in (None, "z3"):
        raise InputError(f"second_opinion={second_opinion!r} is not known. Pass 'z3'.")
    if isinstance(model, ReadModel):
        model = native_under_names(model)
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        bound = bound_to_model(rules, tree.features, tree.classes, domain)
        leaves = list(leaves_of_tree(tree, bound.space))
        decide = tree_decider(model) if isinstance(model, Tree) else _of_tree(model, tree)
        verdicts = [tree_verdict(bound, rule, leaves, decide) for rule in bound.rules]
        if second_opinion:
            verdicts = [
                compared(verdict, opinion_on_leaves(bound, rule, leaves, timeout))
                for verdict, rule in zip(verdicts, bound.rules)
            ]
        notices = _between_wholes(verdicts, tree.features)
    else:
        bound, verdicts, notices = _of_model(
            model, rules, domain, timeout, random_state, second_opinion
        )
    return Verification(verdicts=tuple(verdicts), notices=never_missing(bound) + notices)


def _of_model(
    model: Any,
    rules: Rules,
    domain: Any,
    timeout: float,
    random_state: int,
    second_opinion: str | None,
) -> tuple[BoundRules, list[Verdict], tuple[str, ...]]:
    reading = read_model(model)
    bound, trees = bound_to_reading(reading, rules, domain)
    forest = forest_of(reading, trees, random_state)
    verdicts = [
        forest_verdict(bound, rule, forest, timeout=timeout, random_state=random_state)
        for rule in bound.rules
    ]
    if second_opinion:
        verdicts = [
            compared(verdict, opinion_on_trees(bound, rule, forest.trees, timeout))
            for verdict, rule in zip(verdicts, bound.rules)
        ]
    return bound, verdicts, _refused(trees)


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
    schema = rules.schema.joined(declared)
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


def _between_wholes(verdicts: Sequence[Verdict], features: Sequence[Feature]) -> tuple[str, ...]:
    """A sentence where a row breaks a rule by a number that the tree's own rows had none like.

    That training rows held whole numbers alone does not say that others will, so such a row is
    shown; whoever knows that they will can declare it.
    """
    whole = {f.name for f in features if getattr(f.coding, "kind", None) == "integer"}
    names = {
        name: None
        for verdict in verdicts
        for name in _broken(verdict.counterexample)
        if name in whole
    }
    if not names:
        return ()
    was = "was" if len(names) == 1 else "were"
    declared = " and ".join(f"`feature {name_text(feature_text(name))}: integer`" for name in names)
    return (
        f"{listed(list(names))} {was} whole in every row that the tree was grown on. If that is so "
        f"of every row there can be, say so beside the rules: {declared}.",
    )


def _broken(row: pd.DataFrame | None) -> list[Hashable]:
    """The columns of a row that hold a number between two whole ones."""
    if row is None:
        return []
    numbers = row.select_dtypes("number").dropna(axis="columns")
    return [name for name in numbers if float(numbers[name].iloc[0]) % 1 != 0]


def _refused(trees: CodedTrees) -> tuple[str, ...]:
    names = refused_levels(trees)
    if not names:
        return ()
    return (
        f"The model refuses rows with other levels of {listed(names)} than it was fitted on: "
        "nothing is said of them.",
    )
