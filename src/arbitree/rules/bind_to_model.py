"""Rules over the rows that a model of others decides, and the model over the same cells."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.model.tree import Feature
from arbitree.rules.axes import CategoryAxis
from arbitree.rules.bind import bind, features_of
from arbitree.rules.bound import BoundRules
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.conditions import feature_text
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.forest_verdicts import Forest
from arbitree.rules.grid import frame_of
from arbitree.rules.possible import PossibleRows
from arbitree.rules.pull_back import pull_back
from arbitree.rules.reading import Reading
from arbitree.rules.ruleset import Rules
from arbitree.rules.schema import Schema
from arbitree.rules.space import Space
from arbitree.table.codings import CategoryCoding

_N_COMPARED = 64  # rows on which the trees that were read are compared with the model


def bound_to_reading(
    reading: Reading, rules: Rules, domain: Any = None
) -> tuple[BoundRules, CodedTrees]:
    """Rules over a domain that has the model's own levels too, without what the model refuses.

    Raises
    ------
    RuleError, ContradictionError, InputError
    """
    found, declared = features_of(domain)
    schema = rules.schema.joined(declared)
    bound = bind(
        rules.statements,
        schema=schema,
        missing=rules.missing,
        features=_features(reading, schema, found),
        classes=reading.classes,
    )
    trees = pull_back(reading, bound.space)
    bound = _without_refused(bound, trees, reading.name)
    refuse_contradiction(bound)
    return bound, trees


def _features(reading: Reading, schema: Schema, found: Sequence[Feature] | None) -> list[Feature]:
    """Features of the domain, else of the model; levels that the model knows are always listed."""
    declared = {domain.name: domain for domain in schema.features}
    own = {feature_text(feature.name): feature for feature in reading.features}
    features = []
    for feature in reading.features if found is None else found:
        name = feature_text(feature.name)
        coding, domain = feature.coding, declared.get(name)
        if found is None and domain is not None and domain.missing is False:
            coding = replace(coding, admits_missing=False)
        if domain is not None and domain.kind == "category" and found is None:
            if isinstance(coding, CategoryCoding) and not domain.open:
                coding = replace(coding, levels=())
        elif name in own and isinstance(coding, CategoryCoding):
            coding = _with_levels(coding, own[name].coding, closed=domain is not None)
        features.append(Feature(name=feature.name, coding=coding))
    return features


def _with_levels(coding: CategoryCoding, own: Any, *, closed: bool) -> CategoryCoding:
    if not isinstance(own, CategoryCoding) or closed:
        return coding
    known = {*coding.levels, *coding.declared_unused}
    new = tuple(level for level in own.levels if level not in known)
    return replace(coding, declared_unused=coding.declared_unused + new)


def _without_refused(bound: BoundRules, trees: CodedTrees, name: str) -> BoundRules:
    axes = tuple(replace(axis.axis, whole=axis.whole) for axis in trees.grid)
    for axis in axes:
        if axis.whole:
            continue
        if isinstance(axis, CategoryAxis):
            raise InputError(
                f"{name} reads numbers, and feature {axis.name!r} has levels in this domain. Pass "
                "the columns as the model reads them."
            )
        raise InputError(
            f"The model decides no row of the domain: it refuses every value of {axis.name!r}."
        )
    if all(axis.whole == before.whole for axis, before in zip(axes, bound.space.axes)):
        return bound
    space = Space(axes=axes)
    return replace(bound, space=space, rows=PossibleRows(space, [f.boxes for f in bound.facts]))


def forest_of(reading: Reading, trees: CodedTrees, random_state: int) -> Forest:
    """The trees with their model; where they were not in documented attributes, compared with it.

    Raises
    ------
    InputError
        If the model scores rows otherwise than its trees, as they were read.
    """
    order = [_place(trees, name) for name in reading.names]

    def frame(codes: np.ndarray) -> pd.DataFrame:
        rows = np.atleast_2d(codes)
        read = reading.dress(frame_of(trees.grid, rows, order, reading.names))
        others = [place for place in range(len(trees.grid)) if place not in order]
        if not others:
            return read
        names = [trees.grid[place].axis.name for place in others]
        return pd.concat([read, frame_of(trees.grid, rows, others, names)], axis=1)

    if reading.check is not None:
        trees = _compared(reading, trees, order, np.random.default_rng(random_state))
    return Forest.of(trees, frame, _decider(reading))


def _place(trees: CodedTrees, name: Hashable) -> int:
    texts = [feature_text(axis.axis.name) for axis in trees.grid]
    return texts.index(feature_text(name))


def _decider(reading: Reading) -> Any:
    def decide(frame: pd.DataFrame) -> object:
        found = reading.decide(frame[reading.names])[0]
        return found.item() if isinstance(found, np.generic) else found

    return decide


def _compared(
    reading: Reading, trees: CodedTrees, order: list[int], rng: np.random.Generator
) -> CodedTrees:
    """The trees with the constant that the model adds, after a look at some rows."""
    assert reading.check is not None
    cells = [np.flatnonzero(axis.occurs) for axis in trees.grid]
    codes = np.stack([rng.choice(of, _N_COMPARED) for of in cells], axis=1).astype(np.int32)
    rows = frame_of(trees.grid, codes, order, reading.names)
    given = np.asarray(reading.check(rows), float).reshape(_N_COMPARED, -1)
    if given.shape[1] == 1:
        given = np.concatenate([np.zeros_like(given), given], axis=1)
    apart = given - trees.scores(codes)
    base = apart[0]
    if not np.allclose(apart, base, rtol=0, atol=2 * trees.tolerance):
        raise InputError(
            f"The {reading.name} scores rows otherwise than its trees say, as they were read: by "
            f"{np.abs(apart - base).max():g} on {_N_COMPARED} rows. Nothing can be proved of it; "
            "please report the version of its library."
        )
    return replace(trees, base=trees.base + base, tolerance=3 * trees.tolerance)


def refused_levels(trees: CodedTrees) -> list[object]:
    """Columns of which the model refuses rows with a level that it does not know."""
    return [
        axis.axis.name
        for axis in trees.grid
        if isinstance(axis.axis, CategoryAxis)
        and axis.axis.whole >> axis.axis.other_cell & 1
        and not axis.occurs[axis.axis.other_cell]
    ]
