"""z3's opinion: is there a row that a tree decides against a rule? From the tree and the text.

A row is a value and, apart from it, whether it is missing. Conditions are read from statements as
they were written, not from their normal form. Numbers are taken from a list, as those of float32
lie apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import z3

from arbitree.rules.conditions import And, Between, Compare, Condition, Missing, Not, OneOf, Or
from arbitree.rules.statements import Fact, Rule, Statement

Domain = Mapping[str, tuple[Sequence[object], bool]]  # values, and whether one may be missing


class _Rows:
    """Rows of a domain: which of its values each has, by place, and what is missing."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.value = {name: z3.Int(f"value {name}") for name in domain}
        self.missing = {name: z3.Bool(f"missing {name}") for name in domain}
        self.limits = [self._within(name, v) for name, v in self.value.items()]
        self.limits += [
            z3.Not(self.missing[name]) for name, (_, admits) in domain.items() if not admits
        ]

    def _within(self, name, variable):
        return z3.And(variable >= 0, variable < len(self.domain[name][0]))

    def some_completion(self, condition: Condition, *, tag: str, negated: bool = False):
        """That a condition is true, or false, with some values for those that are missing."""
        free = {name: z3.Int(f"{tag} {name}") for name in self.domain}
        within = [
            z3.And(self._within(n, v), z3.Or(self.missing[n], v == self.value[n]))
            for n, v in free.items()
        ]
        true = self._true(condition, free)
        return z3.And(*within, z3.Not(true) if negated else true), list(free.values())

    def _true(self, condition, values):
        if isinstance(condition, Not):
            return z3.Not(self._true(condition.term, values))
        if isinstance(condition, And | Or):
            joined = z3.And if isinstance(condition, And) else z3.Or
            return joined(*(self._true(term, values) for term in condition.terms))
        if isinstance(condition, Missing):
            return self.missing[condition.feature]
        known = self.domain[condition.feature][0]
        places = [i for i, v in enumerate(known) if _is_true(condition, v)]
        return z3.Or(*(values[condition.feature] == i for i in places))


def _is_true(condition, value) -> bool:
    if isinstance(condition, OneOf):
        return value in condition.values
    if isinstance(condition, Between):
        above = value >= condition.low if condition.closed in ("left", "both") else None
        above = value > condition.low if above is None else above
        below = value <= condition.high if condition.closed in ("right", "both") else None
        below = value < condition.high if below is None else below
        return above and below
    assert isinstance(condition, Compare)
    wanted = condition.value
    return {
        "=": lambda: value == wanted,
        "!=": lambda: value != wanted,
        "<": lambda: value < wanted,
        "<=": lambda: value <= wanted,
        ">": lambda: value > wanted,
        ">=": lambda: value >= wanted,
    }[condition.operator]()


def _decisions(tree, rows: _Rows):
    """For each class, that the tree decides for it."""
    found = {label: [] for label in range(len(tree.classes))}
    waiting = [(0, [])]
    while waiting:
        node, path = waiting.pop()
        if tree.feature[node] < 0:
            found[int(tree.label[node])].append(z3.And(*path))
            continue
        feature = tree.features[tree.feature[node]]
        value, missing = rows.value[feature.name], rows.missing[feature.name]
        known, routes = rows.domain[feature.name][0], tree.routes(node).tolist()
        levels = getattr(feature.coding, "levels", None)
        if levels is None:
            to = [0 if v <= float(tree.threshold[node]) else 1 for v in known]
        else:
            at = {(type(level), level): i for i, level in enumerate(levels)}
            to = [routes[at.get((type(v), v), -1)] for v in known]
        for position, child in enumerate(tree.children(node).tolist()):
            here = z3.Or(*(value == i for i, side in enumerate(to) if side == position))
            goes = z3.If(missing, z3.BoolVal(routes[-1] == position), here)
            waiting.append((child, [*path, goes]))
    return {label: z3.Or(*paths) for label, paths in found.items()}


def breaks_a_rule(
    tree, statements: Sequence[Statement], domain: Domain, missing: str = "possible"
) -> bool:
    """Whether z3 finds a row of the domain that can exist and is decided against a rule."""
    rows = _Rows(domain)
    decided = _decisions(tree, rows)
    facts = [
        rows.some_completion(Or((Not(fact.when), fact.then)), tag=f"fact {i}")[0]
        for i, fact in enumerate(statements)
        if isinstance(fact, Fact)
    ]
    for i, rule in enumerate(s for s in statements if isinstance(s, Rule)):
        if (rule.missing or missing) == "possible":
            holds, _ = rows.some_completion(rule.when, tag=f"rule {i}")
        else:
            fails, free = rows.some_completion(rule.when, tag=f"rule {i}", negated=True)
            holds = z3.Not(z3.Exists(free, fails))
        against = [
            is_decided
            for label, is_decided in decided.items()
            if (tree.classes[label] in rule.classes) == rule.forbidden
        ]
        solver = z3.Solver()
        solver.add(*rows.limits, *facts, holds, z3.Or(*against))
        answer = solver.check()
        assert answer != z3.unknown
        if answer == z3.sat:
            return True
    return False
