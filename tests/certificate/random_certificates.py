"""Certificates of random trees and rules, of which not all obey: the safety part as it would be."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from arbitree._errors import ContradictionError
from arbitree.certificate.decisions_json import decisions_to_dict
from arbitree.certificate.refutations import proof_of
from arbitree.certificate.result import Certificate
from arbitree.certificate.safety import SafetyPart
from arbitree.model.tree import Feature, Tree
from arbitree.rules.ruleset import Rules
from arbitree.rules.verify import bound_to_model, never_missing
from arbitree.table.codings import CategoryCoding, NumericCoding
from tests.rules.domains import CLASSES, SCHEMA, facts, rules

FEATURES = (
    Feature(
        name="x",
        coding=NumericCoding(
            edges=np.float32([0.5, 1, 1.5, 2, 2.5]), exact=False, values=None, kind="number",
            admits_missing=True,
        ),
    ),
    Feature(name="level", coding=CategoryCoding(levels=("f", "g"), admits_missing=True)),
    Feature(name="flag", coding=CategoryCoding(levels=(False, True), kind="boolean")),
)  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Up to 15 leaves."""
    nodes: list[dict[str, Any]] = []

    def grow(depth: int) -> int:
        at = len(nodes)
        nodes.append({"feature": -1, "threshold": np.nan, "children": [], "routes": []})
        nodes[at]["label"] = draw(st.integers(0, len(CLASSES) - 1))
        if depth and draw(st.integers(0, 3)):
            j = draw(st.integers(0, 2))
            nodes[at]["feature"] = j
            if j == 0:
                nodes[at]["threshold"] = draw(st.sampled_from([0.5, 1, 1.5, 2, 2.5, np.inf]))
                nodes[at]["routes"] = [draw(st.integers(0, 1))]
            else:
                nodes[at]["routes"] = draw(st.lists(st.integers(0, 1), min_size=3, max_size=3))
            nodes[at]["children"] = [grow(depth - 1), grow(depth - 1)]
        return at

    grow(4)
    starts = [np.cumsum([0, *(len(n[key]) for n in nodes)]) for key in ("children", "routes")]
    return Tree(
        features=FEATURES,
        classes=CLASSES,
        feature=np.array([n["feature"] for n in nodes]),
        threshold=np.array([n["threshold"] for n in nodes], np.float32),
        child_start=starts[0],
        child=np.array([c for n in nodes for c in n["children"]], np.int32),
        route_start=starts[1],
        route=np.array([r for n in nodes for r in n["routes"]], np.uint16),
        label=np.array([n["label"] for n in nodes]),
        n=np.zeros(len(nodes)),
        weight=np.zeros((len(nodes), len(CLASSES))),
    )


@st.composite
def parts(draw: st.DrawFn) -> tuple[Tree, SafetyPart]:
    """A tree with rules that do not contradict each other."""
    tree = draw(trees())
    statements = [
        *draw(st.lists(rules, min_size=1, max_size=4)),
        *draw(st.lists(facts, max_size=2)),
    ]
    given = Rules.from_dict(Rules(tuple(statements), SCHEMA).to_dict())
    try:
        bound = bound_to_model(given, tree.features, tree.classes)
    except ContradictionError:
        assume(False)
    return tree, SafetyPart(rules=given, bound=bound, proof=proof_of(tree, bound))


@st.composite
def certificates(draw: st.DrawFn) -> dict[str, Any]:
    """As a document."""
    tree, part = draw(parts())
    found = Certificate(
        safety=part,
        fairness=None,
        tree=decisions_to_dict(tree),
        notices=never_missing(part.bound),
    )
    return found.to_dict()
