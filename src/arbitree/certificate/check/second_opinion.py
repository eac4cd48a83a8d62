"""z3 asked the same: is there a row of the domain that reaches a leaf, and breaks a rule there?

It is given the conditions as they were written, not their normal forms, and the tree's own splits,
on real numbers and levels. A limit that rules name is rounded to float32, as comparisons round it.
"""

from __future__ import annotations

import math
from typing import Any

from arbitree.certificate.check.canonical import canonical
from arbitree.certificate.check.conditions import CLOSED
from arbitree.certificate.check.domain import Levels, Numbers
from arbitree.certificate.check.safety import Safety, Statement
from arbitree.certificate.check.shape import Wrong
from arbitree.certificate.check.values import below


def z3_opinion(safety: Safety) -> None:
    """Raise `Wrong` if z3 finds a row that a leaf decides against a rule, or cannot decide.

    Raises
    ------
    MissingDependencyError
        If z3 is not installed.
    """
    try:
        import z3
    except ImportError as error:
        from arbitree._errors import MissingDependencyError

        raise MissingDependencyError(
            "A second opinion needs z3-solver. Install it with: pip install 'arbitree[rules]'"
        ) from error
    _Question(safety, z3).ask()


class _Question:
    """Variables for what a row holds, and what is known of them.

    A feature has a value and whether it is missing. A row with a missing value satisfies a
    condition possibly if some value makes it true: each statement has values of its own in place
    of the missing ones.
    """

    def __init__(self, safety: Safety, z3: Any) -> None:
        self.safety, self.z3 = safety, z3
        self.axes = safety.domain.axes
        plain = all(rule.policy == "possible" for rule in safety.rules)
        self.solver = z3.SolverFor("QF_LIRA") if plain else z3.Solver()
        self.missing = [z3.Bool(f"missing {place}") for place in range(len(self.axes))]
        self.value = [self._variable(place, "value") for place in range(len(self.axes))]
        for place, axis in enumerate(self.axes):
            self.solver.add(self._in_domain(place, self.value[place]))
            if not axis.whole >> axis.n_values & 1:
                self.solver.add(z3.Not(self.missing[place]))
        for number, fact in enumerate(safety.facts):
            self.solver.add(self._possible(fact.condition, f"fact {number}"))
        self.broken = self._broken_by_label()

    def ask(self) -> None:
        """Leaf by leaf, on the way down the tree."""
        self._below(0)

    def _below(self, at: int) -> None:
        z3, node = self.z3, self.safety.tree.nodes[at]
        if node.label is not None:
            answer = self.solver.check(self.broken[node.label])
            if answer != z3.unsat:
                raise Wrong(f"z3 says {answer} to whether leaf {at} breaks a rule")
            return
        place = next(p for p, a in enumerate(self.axes) if canonical(a.name) == node.feature)
        for position, child in enumerate(node.children):
            self.solver.push()
            self.solver.add(self._goes(place, node, position, child))
            self._below(child)
            self.solver.pop()

    def _goes(self, place: int, node: Any, position: int, child: int) -> Any:
        z3, value, axis = self.z3, self.value[place], self.axes[place]
        if node.threshold is not None:
            if math.isinf(node.threshold):
                side = z3.BoolVal((position == 0) == (node.threshold > 0))
            else:
                limit = z3.RealVal(_exact(node.threshold))
                side = value <= limit if position == 0 else value > limit
        else:
            assert isinstance(axis, Levels)
            keys = [canonical(level) for level in axis.levels]
            side = z3.Or([value == keys.index(level) for level in node.levels[position]])
            if child == node.missing:
                listed = [keys.index(level) for some in node.levels for level in some]
                side = z3.Or(side, z3.And([value != one for one in listed]))
        missing = self.missing[place]
        return z3.Or(missing, side) if child == node.missing else z3.And(z3.Not(missing), side)

    def _broken_by_label(self) -> list[Any]:
        z3, safety = self.z3, self.safety
        holds = [
            self._possible(rule.condition, f"rule {number}")
            if rule.policy == "possible"
            else self._certain(rule, number)
            for number, rule in enumerate(safety.rules)
        ]
        return [
            z3.Or([one for one, f in zip(holds, safety.forbids) if f >> label & 1])
            for label in range(len(safety.tree.classes))
        ]

    def _possible(self, condition: Any, name: str) -> Any:
        """Some value in place of each missing one makes the condition true."""
        z3 = self.z3
        values, known = [], []
        for place in range(len(self.axes)):
            own = self._variable(place, name)
            known.append(self._in_domain(place, own))
            values.append(z3.If(self.missing[place], own, self.value[place]))
        return z3.And(*known, self._true(condition, values))

    def _certain(self, rule: Statement, number: int) -> Any:
        """Every value does."""
        z3 = self.z3
        own = [self._variable(place, f"any {number}") for place in range(len(self.axes))]
        known = z3.And([self._in_domain(place, one) for place, one in enumerate(own)])
        values = [z3.If(m, one, v) for m, one, v in zip(self.missing, own, self.value)]
        return z3.ForAll(own, z3.Implies(known, self._true(rule.condition, values)))

    def _variable(self, place: int, name: str) -> Any:
        is_level = isinstance(self.axes[place], Levels)
        return (self.z3.Int if is_level else self.z3.Real)(f"{name} of {place}")

    def _in_domain(self, place: int, value: Any) -> Any:
        z3, axis = self.z3, self.axes[place]
        if isinstance(axis, Levels):
            other = axis.whole >> axis.n_values - 1 & 1
            return z3.And(value >= 0, value < len(axis.levels) + other)
        assert isinstance(axis, Numbers)
        parts = []
        for cell in range(axis.n_values):
            if axis.whole >> cell & 1:
                limits = [value > z3.RealVal(_exact(axis.edges[cell - 1]))] if cell else []
                limits += (
                    [value <= z3.RealVal(_exact(axis.edges[cell]))]
                    if cell < len(axis.edges)
                    else []
                )
                parts.append(z3.And(*limits) if limits else z3.BoolVal(True))
        return z3.And(z3.IsInt(value), z3.Or(parts)) if axis.kind == "integer" else z3.Or(parts)

    def _true(self, condition: Any, values: list[Any]) -> Any:
        z3 = self.z3
        match condition:
            case {"not": term}:
                return z3.Not(self._true(term, values))
            case {"and": terms}:
                return z3.And([self._true(term, values) for term in terms])
            case {"or": terms}:
                return z3.Or([self._true(term, values) for term in terms])
            case {"missing": feature}:
                return self.missing[self.safety.domain.place(feature)]
            case {"feature": feature, "in": listed}:
                return z3.Or([self._compared(feature, "=", one, values) for one in listed])
            case {"feature": feature, "from": low, "to": high, "closed": closed}:
                above, up_to = CLOSED[closed]
                return z3.And(
                    self._compared(feature, above, low, values),
                    self._compared(feature, up_to, high, values),
                )
        ((operator, value),) = (item for item in condition.items() if item[0] != "feature")
        return self._compared(condition["feature"], operator, value, values)

    def _compared(self, feature: str, operator: str, given: Any, values: list[Any]) -> Any:
        place = self.safety.domain.place(feature)
        axis, value = self.axes[place], values[place]
        if isinstance(axis, Numbers):
            number = axis.number(given)
            limit, less = (self.z3.RealVal(_exact(n)) for n in (number, below(number)))
            at_most, under = value <= limit, value <= less
            same = self.z3.And(at_most, self.z3.Not(under))
        else:
            assert isinstance(axis, Levels)
            cell = axis.cell(given)
            at_most, under, same = value <= cell, value < cell, value == cell
            if operator in (">", ">="):
                listed = value < len(axis.levels)
                above = value > cell if operator == ">" else value >= cell
                return self.z3.And(above, listed)
        return {
            "=": same,
            "!=": self.z3.Not(same),
            "<": under,
            "<=": at_most,
            ">": self.z3.Not(at_most),
            ">=": self.z3.Not(under),
        }[operator]


def _exact(number: float) -> str:
    """A float32 as the fraction that it is."""
    top, bottom = number.as_integer_ratio()
    return f"{top}/{bottom}"
