"""Rules that change nothing: they never fire, or others say as much already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree._wording import listed
from arbitree.rules.axes import bits
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.on_codes import Membership
from arbitree.rules.satisfy import RowSolver
from arbitree.rules.space import Box, Space, inside

_N_DRAWN = 16  # rows


def never_true(bound: BoundRules) -> tuple[str, ...]:
    """Names of rules that hold of no row that can exist.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> never_true(Rules.parse("x < 1 and x > 2 => a").bind({"x": [1.0]}))
    ('line 1',)
    """
    whole = bound.space.whole
    return tuple(rule.name for rule in bound.rules if not bound.touches(whole, rule))


def implied(bound: BoundRules) -> dict[str, tuple[str, ...]]:
    """Rules that others imply, each with some that do; without them the rest says the same.

    Of two rules that say the same the later one is implied.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> rules = Rules.parse("x < 5 => a\\nx < 3 => {a, b}\\nx < 3 => not c")
    >>> implied(rules.bind({"x": [1.0]}))
    {'line 2': ('line 1',), 'line 3': ('line 1',)}
    """
    search = _Search(bound)
    kept = [rule for rule in bound.rules if bound.touches(bound.space.whole, rule)]
    needed = _needed_somewhere(bound, kept)
    found: dict[str, tuple[str, ...]] = {}
    for rule in reversed([rule for rule in kept if rule.name not in needed]):
        others = [other for other in kept if other is not rule and other.forbids & rule.forbids]
        by = search.implying(rule, others)
        if by is not None:
            kept = [other for other in kept if other is not rule]
            found[rule.name] = by
    return {rule.name: found[rule.name] for rule in bound.rules if rule.name in found}


def idle(bound: BoundRules) -> dict[str, str]:
    """Why rules change nothing, by their name; others are not in it.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> rules = Rules.parse("x < 5 => a\\nx < 3 => a\\nx < 1 and x > 2 => b")
    >>> idle(rules.bind({"x": [1.0]}))
    {'line 3': 'never true', 'line 2': "implied by 'line 1'"}
    """
    found = dict.fromkeys(never_true(bound), "never true")
    return found | {name: f"implied by {listed(by)}" for name, by in implied(bound).items()}


def _needed_somewhere(bound: BoundRules, rules: Sequence[BoundRule]) -> set[str]:
    """Names of rules that alone forbid a class of some row drawn from them: most, and fast."""
    rng = np.random.default_rng(0)
    found: set[str] = set()
    for place in range(len(bound.classes)):
        forbidding = [rule for rule in rules if rule.forbids >> place & 1]
        if not forbidding:
            continue
        rows = Membership(bound.space, _drawn(bound.space, forbidding, rng))
        holds = np.array([rows.in_one_of(rule.boxes) for rule in forbidding])
        alone = holds.sum(axis=0) == 1
        for fact in bound.facts:
            alone &= rows.in_one_of(fact.boxes)
        needed = (holds & alone).any(axis=1)
        found |= {rule.name for rule, here in zip(forbidding, needed) if here}
    return found


def _drawn(space: Space, rules: Sequence[BoundRule], rng: np.random.Generator) -> list[np.ndarray]:
    """Cells of rows of each rule's first box, `_N_DRAWN` a rule, axis by axis."""
    n_rows = _N_DRAWN * len(rules)
    found = [rng.choice(bits(axis.whole), n_rows) for axis in space.axes]
    for i, rule in enumerate(rules):
        rows = slice(i * _N_DRAWN, (i + 1) * _N_DRAWN)
        for place, mask in rule.boxes[0].items():
            found[place][rows] = rng.choice(bits(mask), _N_DRAWN)
    return found


class _Search:
    """Rows of a rule that no other rule holds of."""

    def __init__(self, bound: BoundRules) -> None:
        self.bound = bound
        self.solver = RowSolver(bound.space)
        self.spared: dict[str, int] = {}  # a literal: the rule does not hold
        for fact in bound.facts:
            self.solver.demand_one_of(fact.boxes)

    def implying(self, rule: BoundRule, others: Sequence[BoundRule]) -> tuple[str, ...] | None:
        """Names of rules that forbid what a rule forbids, wherever it does; None if none do."""
        near = [other for other in others if _meet(rule.boxes, other.boxes)]
        found: set[str] = set()
        for place in range(len(self.bound.classes)):
            if rule.forbids >> place & 1:
                by = self.covering(rule, [o for o in near if o.forbids >> place & 1])
                if by is None:
                    return None
                found |= by
        return tuple(other.name for other in near if other.name in found)

    def covering(self, rule: BoundRule, others: Sequence[BoundRule]) -> set[str] | None:
        """Names of rules one of which holds wherever another rule does."""
        for other in others:
            if all(any(inside(box, wider) for wider in other.boxes) for box in rule.boxes):
                return {other.name}
        if not others:
            return None
        names: set[str] = set()
        for box in rule.boxes:
            literals = [self.solver.inside(*item) for item in box.items()]
            spared = {self.spare(other): other.name for other in others}
            if self.solver.row([*literals, *spared]) is not None:
                return None
            names |= {spared[literal] for literal in self.solver.core() if literal in spared}
        return names

    def spare(self, rule: BoundRule) -> int:
        if rule.name not in self.spared:
            literal = self.spared[rule.name] = self.solver.switch()
            for box in rule.boxes:
                self.solver.demand_outside(box, when=literal)
        return self.spared[rule.name]


def _meet(boxes: Sequence[Box], others: Sequence[Box]) -> bool:
    return any(
        all(mask & other.get(place, mask) for place, mask in box.items())
        for box in boxes
        for other in others
    )
