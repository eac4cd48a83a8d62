"""Is there a row that can exist and of which rules forbid every class?

One question to a solver finds any such row, however many rules it takes: pairs would miss
``{a, b}``, ``{b, c}``, ``{a, c}``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arbitree._errors import ContradictionError, MissingContradictionError
from arbitree._wording import listed
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.satisfy import RowSolver
from arbitree.rules.space import Space, intersects
from arbitree.rules.text import statement_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Rules that leave a row no class. Without any one of them they would leave it one.

    Attributes
    ----------
    rules : tuple of str
        Names of rules; of facts, where these allow no row at all.
    texts : tuple of str
        The same, as lines of their language.
    row : dict or None
        A row that can exist and has no class left; None: there can be no row at all.
    through_missing : bool
        Whether this happens only to rows with missing values.
    """

    rules: tuple[str, ...]
    texts: tuple[str, ...]
    row: dict[Hashable, Any] | None
    through_missing: bool = False

    def error(self) -> ContradictionError:
        """The error to raise."""
        lines = "".join(f"\n  {name}: {text}" for name, text in zip(self.rules, self.texts))
        if self.row is None:
            return ContradictionError(f"No row can obey all facts at once:{lines}")
        shown = ", ".join(f"{n} = {'(missing)' if v is None else v}" for n, v in self.row.items())
        together = f"These rules leave no class for the row {shown}:{lines}"
        if not self.through_missing:
            advice = "Correct one of them, or state as a fact that there is no such row."
            return ContradictionError(f"{together}\n{advice}")
        names = listed(name for name, value in self.row.items() if value is None)
        return MissingContradictionError(
            f"{together}\nOnly missing values make them contradict: what is missing could satisfy "
            f"each of them. Say in a rule what missing means, as in 'and not missing(...)' of "
            f"{names}, or pass missing='certain'."
        )


def contradiction(bound: BoundRules) -> Contradiction | None:
    """The first contradiction there is, in a minimal set of rules; None if there is none.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> rules = Rules.parse("x = 1 => {a, b}\\nx = 1 => {b, c}\\nx > 0 => {a, c}\\nx = 2 => a")
    >>> contradiction(rules.bind({"x": [1, 2]})).rules
    ('line 1', 'line 2', 'line 3')
    """
    if bound.facts and bound.rows.row(bound.space.whole) is None:
        return _facts_alone(bound)
    by_class = [
        [rule for rule in bound.rules if rule.forbids >> place & 1]
        for place in range(len(bound.classes))
    ]
    if not all(by_class):
        return None
    search = _Search(bound)
    for forbidding in by_class:
        search.demand_one_of(forbidding)
    present = search.solver.present()
    cells = search.row(bound.rules, present)
    through_missing = cells is None and bool(present)
    if through_missing:
        present = []
        cells = search.row(bound.rules, present)
    if cells is None:
        return None
    rules = search.minimal(_cover(bound, cells), present)
    found = search.row(rules, present)
    assert found is not None
    return Contradiction(
        rules=tuple(rule.name for rule in rules),
        texts=tuple(statement_text(rule.rule) for rule in rules),
        row=_of_interest(bound.row(found), rules, bound.space),
        through_missing=through_missing,
    )


def refuse_contradiction(bound: BoundRules) -> None:
    """Raise the error of a contradiction, if there is one.

    Raises
    ------
    ContradictionError
        Names a row and a minimal set of rules.
    MissingContradictionError
        If only rows with missing values are left without a class.
    """
    found = contradiction(bound)
    if found is not None:
        raise found.error()


class _Search:
    """Rows that can exist and have no class left, by rules that may be left out."""

    def __init__(self, bound: BoundRules) -> None:
        self.solver = RowSolver(bound.space)
        self.applies: dict[str, int] = {}
        for fact in bound.facts:
            self.solver.demand_one_of(fact.boxes)
        for rule in bound.rules:
            literal = self.applies[rule.name] = self.solver.switch()
            if len(rule.boxes) == 1:
                for item in rule.boxes[0].items():
                    self.solver.demand([-literal, self.solver.inside(*item)])
            else:
                boxes = [self.solver.in_box(box) for box in rule.boxes]
                self.solver.demand([-literal, *boxes])

    def demand_one_of(self, rules: Iterable[BoundRule]) -> None:
        self.solver.demand([self.applies[rule.name] for rule in rules])

    def row(self, rules: Sequence[BoundRule], literals: list[int]) -> tuple[int, ...] | None:
        """The cells of a row of which these rules alone forbid every class."""
        if len(rules) == len(self.applies):
            return self.solver.row(literals)
        kept = {rule.name for rule in rules}
        left_out = [-literal for name, literal in self.applies.items() if name not in kept]
        return self.solver.row([*literals, *left_out])

    def minimal(self, rules: list[BoundRule], literals: list[int]) -> list[BoundRule]:
        """The rules without those that are not needed."""
        for rule in list(rules):
            fewer = [other for other in rules if other is not rule]
            if self.row(fewer, literals) is not None:
                rules = fewer
        return rules


def _cover(bound: BoundRules, cells: Sequence[int]) -> list[BoundRule]:
    """Some rules that together forbid every class of a row, in the order of all rules."""
    masks = tuple(1 << cell for cell in cells)
    here = [rule for rule in bound.rules if any(intersects(masks, box) for box in rule.boxes)]
    left = (1 << len(bound.classes)) - 1
    chosen: set[str] = set()
    while left:
        best = max(here, key=lambda rule: (rule.forbids & left).bit_count())
        chosen.add(best.name)
        left &= ~best.forbids
    return [rule for rule in here if rule.name in chosen]


def _of_interest(
    row: dict[Hashable, Any], rules: Sequence[BoundRule], space: Space
) -> dict[Hashable, Any]:
    """A row with only the features that the rules look at, and those missing."""
    places = {place for rule in rules for box in rule.boxes for place in box}
    shown = {name: row[name] for place, name in enumerate(row) if place in places}
    return shown or row


def _facts_alone(bound: BoundRules) -> Contradiction:
    kept = list(bound.facts)
    for fact in list(kept):
        fewer = [other for other in kept if other is not fact]
        solver = RowSolver(bound.space)
        for other in fewer:
            solver.demand_one_of(other.boxes)
        if solver.row() is None:
            kept = fewer
    return Contradiction(
        rules=tuple(fact.name for fact in kept),
        texts=tuple(statement_text(fact.fact) for fact in kept),
        row=None,
    )
