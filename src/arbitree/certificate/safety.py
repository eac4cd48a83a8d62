"""The part of a certificate that says: on no row of the domain does the tree break a rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from arbitree._errors import InputError, RuleError
from arbitree.certificate.check.canonical import canonical
from arbitree.certificate.node_ranges import node_ranges
from arbitree.certificate.refutations import Proof, RuleProof, proof_of
from arbitree.model.fitted import refuse_own_unfitted
from arbitree.model.tree import Tree
from arbitree.rules.axes import Axis, CategoryAxis, NumberAxis, bits
from arbitree.rules.bind import atoms_of, bind_in
from arbitree.rules.bound import BoundFact, BoundRule, BoundRules
from arbitree.rules.conditions import feature_text, values_of
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.domain_json import domain_from_dict, domain_to_dict, number_ranges, range_ends
from arbitree.rules.leaves import Leaf
from arbitree.rules.plain import statement_to_dict
from arbitree.rules.ruleset import Rules
from arbitree.rules.space import Box
from arbitree.rules.text import statement_text
from arbitree.rules.tree_verdicts import tree_verdict
from arbitree.rules.verify import bound_to_model
from arbitree.rules.witness import decider, tree_decider
from arbitree.table.levels import level_texts, level_to_json
from arbitree.tree.saved_rules import rules_of


class RuleBroken(RuleError):
    """A tree decides a row that can exist against a rule."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SafetyPart:
    """Rules that a tree obeys on every row of a domain, and why.

    Attributes
    ----------
    rules : Rules
        Rules and facts.
    n_leaves : int
        Leaves that a row of the domain reaches.
    bound : BoundRules
        The rules in normal form, and the domain.
    proof : Proof
    """

    rules: Rules
    bound: BoundRules
    proof: Proof

    @property
    def n_leaves(self) -> int:
        """Leaves that a row of the domain reaches."""
        return self.proof.n_leaves

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        n_rules, n_facts = len(self.bound.rules), len(self.bound.facts)
        admitted = " that facts admit" if n_facts else ""
        demand = "rule demands" if n_rules == 1 else "rules demand"
        return f"On every row of the domain{admitted}, the tree decides as {n_rules:,} {demand}."

    @property
    def by_rule(self) -> pd.DataFrame:
        """A row a rule: rule, text, satisfied and refuted leaves, refuted_by, severity, reason."""
        rows = [
            {
                "rule": rule.name,
                "text": statement_text(rule.rule),
                "satisfied": of_rule.n_satisfied,
                "refuted": of_rule.n_refuted,
                "refuted_by": self._features(of_rule),
                "severity": rule.rule.severity,
                "reason": rule.rule.reason,
            }
            for rule, of_rule in zip(self.bound.rules, self.proof.rules)
        ]
        names = ["rule", "text", "satisfied", "refuted", "refuted_by", "severity", "reason"]
        return pd.DataFrame(rows, columns=names)

    def _features(self, of_rule: RuleProof) -> str:
        places = sorted({place for by, _ in of_rule.nodes for place in by})
        return ", ".join(str(self.bound.space.axes[place].name) for place in places)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values; docs/certificates.md says what the fields are."""
        by_statement = {id(one.rule): one for one in self.bound.rules}
        facts = {id(one.fact): one for one in self.bound.facts}
        proofs = dict(zip(by_statement, self.proof.rules))
        return {
            "statement": self.statement,
            "missing": self.rules.missing,
            "domain": _domain(self.bound, self.rules),
            "n_leaves": self.n_leaves,
            "statements": [
                self._fact(facts[id(one)])
                if id(one) in facts
                else self._rule(by_statement[id(one)], proofs[id(one)])
                for one in self.rules
            ],
        }

    def _fact(self, fact: BoundFact) -> dict[str, Any]:
        return {
            "name": fact.name,
            "text": statement_text(fact.fact),
            "statement": statement_to_dict(fact.fact),
            "boxes": _boxes(fact.boxes, self.bound.space.axes),
        }

    def _rule(self, rule: BoundRule, proof: RuleProof) -> dict[str, Any]:
        classes = self.bound.classes
        return {
            "name": rule.name,
            "text": statement_text(rule.rule),
            "statement": statement_to_dict(rule.rule),
            "forbids": [level_to_json(classes[place]) for place in bits(rule.forbids)],
            "boxes": _boxes(rule.boxes, self.bound.space.axes),
            "leaves_satisfied": proof.n_satisfied,
            "leaves_refuted": proof.n_refuted,
            "refuted": [self._refuted(why, nodes) for why, nodes in proof.nodes.items()],
        }

    def _refuted(
        self, why: tuple[Sequence[int], Sequence[int]], nodes: list[int]
    ) -> dict[str, Any]:
        by, facts = why
        axes = self.bound.space.axes
        found: dict[str, Any] = {"by": [level_to_json(axes[place].name) for place in by]}
        if facts:
            found["facts"] = [self.bound.facts[fact].name for fact in facts]
        return {**found, "nodes": node_ranges(nodes)}


def safety_part(model: Any, rules: Any, domain: Any) -> SafetyPart | None:
    """Prove that a tree obeys rules.

    Parameters
    ----------
    model : TreeClassifier or Tree
    rules : Rules, str or None
        None: those that the tree was learnt with, on their domain; without such, None is returned.
        Facts alone are no rules.
    domain : as of `arbitree.verify`

    Raises
    ------
    RuleBroken
        If the tree breaks a rule; shows a row and what the tree decides of it.
    """
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    own = getattr(model, "domain_", None) is not None and domain is None
    if rules is None and not (own and rules_of(model).rules):
        return None
    if not isinstance(tree, Tree):
        refuse_own_unfitted(model)
        raise InputError(
            f"A {type(model).__name__} has no leaves to prove rules of. Pass a TreeClassifier, or "
            "use arbitree.verify."
        )
    _check_writable(tree)
    given = rules_of(model) if rules is None else rules
    given = Rules.parse(given) if isinstance(given, str) else given
    if not isinstance(given, Rules):
        raise InputError(f"The rules are a {type(given).__name__}. Pass Rules.parse(...).")
    if not given.rules:
        raise InputError("There are no rules, so that nothing can be proved. Give a rule.")
    # Without the lines of a file, which a certificate does not have, names are by place.
    plain = Rules.from_dict(given.to_dict())
    bound = _bound(model, tree, plain, domain, own=own and (rules is None or _same(model, plain)))
    proof = proof_of(tree, bound)
    if proof.broken is not None:
        raise _broken(model, bound, *proof.broken)
    return SafetyPart(rules=plain, bound=bound, proof=proof)


def _check_writable(tree: Tree) -> None:
    """Refuse names of classes and features that a certificate could not match with rules."""
    for name in (*tree.classes, *(feature.name for feature in tree.features)):
        if isinstance(level_to_json(name.item() if hasattr(name, "item") else name), dict):
            raise InputError(
                f"{name!r} is a class or a feature that is no text, number or truth, which a "
                "certificate of rules cannot name. Turn it into text."
            )


def _same(model: Any, rules: Rules) -> bool:
    return bool(rules_of(model).to_dict() == rules.to_dict())


def _bound(model: Any, tree: Tree, rules: Rules, domain: Any, *, own: bool) -> BoundRules:
    if not own:
        return bound_to_model(rules, tree.features, tree.classes, domain)
    space = domain_from_dict(domain_to_dict(model.domain_), atoms_of(rules.statements))
    bound = bind_in(space, rules.statements, classes=tree.classes, missing=rules.missing)
    refuse_contradiction(bound)
    return bound


def _broken(model: Any, bound: BoundRules, leaf: Leaf, place: int) -> RuleBroken:
    rule = bound.rules[place]
    named = [feature.name for feature in model.tree_.features] if hasattr(model, "tree_") else []
    decide = decider(model, named) if named else tree_decider(model)
    found = tree_verdict(bound, rule, [leaf], decide)
    row = {} if found.counterexample is None else found.counterexample.iloc[0].to_dict()
    shown = ", ".join(f"{name} = {value!r}" for name, value in row.items())
    return RuleBroken(
        f"The tree breaks rule {rule.name!r} ({statement_text(rule.rule)}): it decides "
        f"{found.decision!r} of the row {shown}. Learn it with TreeClassifier(rules=...), or "
        "narrow the domain if there is no such row."
    )


def _domain(bound: BoundRules, rules: Rules) -> list[dict[str, Any]]:
    """The domain, with what a reader without pandas could not know: how times and levels read."""
    found = domain_to_dict(bound.space)
    for axis, entry in zip(bound.space.axes, found):
        if isinstance(axis, CategoryAxis):
            if any(isinstance(level, dict) for level in entry["levels"]):
                entry["texts"] = list(level_texts(axis.levels))
        elif axis.kind in ("date", "duration"):
            of_axis = (
                a for a in atoms_of(rules.statements) if a.feature == feature_text(axis.name)
            )
            values = {value for atom in of_axis for value in values_of(atom)}
            entry["values"] = {str(value): axis.number(value) for value in sorted(values, key=str)}
    return found


def _boxes(boxes: Iterable[Box], axes: Sequence[Axis]) -> list[list[dict[str, Any]]]:
    found = [[_part(axes[place], mask) for place, mask in sorted(box.items())] for box in boxes]
    return sorted(found, key=canonical)


def _part(axis: Axis, mask: int) -> dict[str, Any]:
    found: dict[str, Any] = {"feature": level_to_json(axis.name)}
    if isinstance(axis, NumberAxis):
        found["ranges"] = [range_ends(*limits) for limits in number_ranges(axis, mask)]
    else:
        found["levels"] = [level_to_json(axis.levels[c]) for c in bits(mask) if c < axis.other_cell]
        found["other"] = bool(mask >> axis.other_cell & 1)
    return {**found, "missing": bool(mask >> axis.missing_cell & 1)}
